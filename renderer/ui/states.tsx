import { Loader, Progress } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconInfoCircle,
  IconPointFilled,
} from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import classes from './ui.module.css';

/** Says what is being waited for, in the room that the content will take. */
export function Loading({ label }: { label: string }) {
  return (
    <div className={classes.loading} role="status">
      <Loader size="xs" type="dots" aria-hidden />
      <span>{label}…</span>
    </div>
  );
}

/** What an empty place is for and how to fill it. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  actions,
}: {
  icon: ComponentType<{ size?: number; stroke?: number }>;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className={classes.empty}>
      <Icon size={34} stroke={1.3} />
      <h2>{title}</h2>
      {children && <div className={classes.emptyText}>{children}</div>}
      {actions && <div className={classes.emptyActions}>{actions}</div>}
    </div>
  );
}

/** A bar with facts under it; `share` null is work whose end is not known yet. */
export function ProgressLine({
  label,
  share,
  left,
  right,
}: {
  label: string;
  share: number | null;
  left: ReactNode;
  right?: ReactNode;
}) {
  return (
    <div className={classes.progress}>
      <Progress.Root size={6} className={share === null ? classes.progressUnknown : ''}>
        <Progress.Section
          value={share === null ? 100 : share * 100}
          animated={share === null}
          striped={share === null}
          aria-label={label}
        />
      </Progress.Root>
      <div className={classes.progressFacts}>
        <span>{left}</span>
        <span>{right}</span>
      </div>
    </div>
  );
}

export type Tone = 'ok' | 'warn' | 'bad' | 'quiet';
const toneIcons = {
  ok: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
  quiet: IconPointFilled,
} as const;

/** A state in words with an icon; the colour is only the third cue. */
export function Status({ tone, children }: { tone: Tone; children: ReactNode }) {
  const Icon = toneIcons[tone];
  return (
    <span className={classes.status} data-tone={tone}>
      <Icon size={13} aria-hidden />
      {children}
    </span>
  );
}

/** Something to know beside the work, or (`warn`) before it. */
export function Notice({ tone = 'info', children }: { tone?: 'info' | 'warn'; children: ReactNode }) {
  const Icon = tone === 'warn' ? IconAlertTriangle : IconInfoCircle;
  return (
    <div className={classes.notice} data-tone={tone}>
      <Icon size={16} aria-hidden />
      <div>{children}</div>
    </div>
  );
}

/** A titled panel. */
export function Section({
  title,
  note,
  actions,
  children,
  isFlush = false,
}: {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** Without padding, for tables and lists that bring their own. */
  isFlush?: boolean;
}) {
  return (
    <section className={classes.section} aria-label={title}>
      <div className={classes.sectionHead}>
        <div>
          <h2>{title}</h2>
          {note && <div className={classes.sectionNote}>{note}</div>}
        </div>
        {actions}
      </div>
      <div className={isFlush ? undefined : classes.sectionBody}>{children}</div>
    </section>
  );
}

/** Names and values in two columns. */
export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {rows.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
