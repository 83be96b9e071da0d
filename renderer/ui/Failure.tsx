import { Button, Code, Group } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import type { AppErrorData } from '../../shared/errors.ts';
import { CopyButton } from './copy.tsx';
import { errorDataOf } from './errorData.ts';
import classes from './ui.module.css';

/** Everything about an error as text, for a report. */
export function describeError(error: AppErrorData): string {
  const lines = [`${error.code}: ${error.message}`];
  if (error.remedy) lines.push(error.remedy);
  if (error.details) lines.push(JSON.stringify(error.details, null, 2));
  return lines.join('\n');
}

/** Code and details, folded, copyable. */
export function ErrorDetails({ error }: { error: AppErrorData }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className={classes.details}>
      <button
        type="button"
        className={classes.detailsToggle}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide details' : 'Details'}
      </button>
      {isOpen && (
        <div className={classes.detailsBody} id={id}>
          <Code block className={classes.detailsText}>
            {describeError(error)}
          </Code>
          <CopyButton text={describeError(error)} what="details" />
        </div>
      )}
    </div>
  );
}

/**
 * An error where its content would have stood: what happened, what it means for the work (`meaning`), what to do.
 * `error` is anything that was thrown, or an error as data.
 */
export function Failure({
  error,
  meaning,
  onRetry,
  isInline = false,
  actions,
}: {
  error: unknown;
  meaning?: string;
  onRetry?: (() => void) | undefined;
  isInline?: boolean;
  /** Further ways out, beside "Try again". */
  actions?: ReactNode;
}) {
  const data = errorDataOf(error);
  return (
    <div className={isInline ? classes.failureInline : classes.failure} role="alert">
      <IconAlertTriangle className={classes.failureIcon} size={isInline ? 16 : 22} aria-hidden />
      <div className={classes.failureText}>
        <strong>{data.message}</strong>
        {meaning && <div>{meaning}</div>}
        {data.remedy && <div>{data.remedy}</div>}
        <Group gap="sm" mt={4} align="start">
          {onRetry && (
            <Button variant="default" leftSection={<IconRefresh size={14} />} onClick={onRetry}>
              Try again
            </Button>
          )}
          {actions}
          <ErrorDetails error={data} />
        </Group>
      </div>
    </div>
  );
}
