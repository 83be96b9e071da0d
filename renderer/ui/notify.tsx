import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { errorDataOf } from './errorData.ts';

/** An act offered in a passing message. */
export interface MessageAction {
  readonly label: string;
  run(): void;
}

/** Long enough to read two lines and to reach an Undo. */
const passingMs = 7_000;

function Message({ id, text, actions }: { id: string; text: ReactNode; actions: readonly MessageAction[] }) {
  return (
    <>
      <div>{text}</div>
      {actions.length > 0 && (
        <Group gap="xs" mt={6}>
          {actions.map((action) => (
            <Button
              key={action.label}
              variant="default"
              onClick={() => {
                notifications.hide(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          ))}
        </Group>
      )}
    </>
  );
}

let lastId = 0;
const looks = {
  done: { color: 'green', icon: <IconCheck size={16} />, autoClose: passingMs },
  warn: { color: 'orange', icon: <IconAlertTriangle size={16} />, autoClose: passingMs },
  info: { color: 'accent', icon: <IconInfoCircle size={16} />, autoClose: passingMs },
  failed: { color: 'red', icon: <IconAlertTriangle size={16} />, autoClose: false },
} as const;

function show(
  look: keyof typeof looks,
  title: string,
  text: ReactNode,
  actions: readonly MessageAction[],
): void {
  const id = `message-${++lastId}`;
  notifications.show({
    id,
    title,
    message: <Message id={id} text={text} actions={actions} />,
    withBorder: true,
    closeButtonProps: { 'aria-label': `Close: ${title}` },
    ...looks[look],
    // What offers an act stays until it is read.
    ...(actions.length > 0 && look !== 'failed' ? { autoClose: passingMs * 2 } : {}),
  });
}

/** Something was done. */
export function notifyDone(title: string, text?: ReactNode, actions: readonly MessageAction[] = []): void {
  show('done', title, text ?? null, actions);
}
/** Something to know. */
export function notifyInfo(title: string, text?: ReactNode, actions: readonly MessageAction[] = []): void {
  show('info', title, text ?? null, actions);
}
/** Something was done, but not all of it as hoped. */
export function notifyWarning(title: string, text?: ReactNode, actions: readonly MessageAction[] = []): void {
  show('warn', title, text ?? null, actions);
}
/** Something failed that has no place of its own on screen. Stays until closed. A cancellation is no failure. */
export function notifyFailure(title: string, thrown: unknown, actions: readonly MessageAction[] = []): void {
  const error = errorDataOf(thrown);
  if (error.code === 'canceled') return;
  show('failed', title, [error.message, error.remedy].filter(Boolean).join(' '), actions);
}
