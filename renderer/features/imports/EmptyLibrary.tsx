import { Button } from '@mantine/core';
import { IconFileImport, IconFlask, IconMapRoute, IconSparkles } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './imports.module.css';

const beginText =
  'Drop one or more completed GPS-export zips anywhere on this window. You will see where each vehicle was, when, and how fast; what was read and what was skipped is kept in an import report.';
const underwayText =
  'Trips appear here once it has been read to its end. Until then nothing is kept: canceling it in the job list leaves everything as it was.';

/** First start: what the app is for, and the ways to begin. */
export function EmptyLibrary({
  onImport,
  onSample,
  demo,
  underway,
}: {
  onImport: () => void;
  /** Null where the sample export did not come with the app. */
  onSample: (() => void) | null;
  /** Starts the simulated fleet; null where it is running already. */
  demo: { readonly isStarting: boolean; start(): void } | null;
  /** Progress of a first import that is under way, in the place of the buttons; null when there is none. */
  underway: ReactNode;
}) {
  return (
    <div className={classes.firstStart}>
      <IconMapRoute size={44} stroke={1.2} aria-hidden />
      <h2>{underway ? 'Your first import is under way' : 'Bring in a GPS export to begin'}</h2>
      <p>{underway ? underwayText : beginText}</p>
      {underway ? (
        <div className={classes.firstUnderway} role="status">
          {underway}
        </div>
      ) : (
        <div className={classes.firstActions}>
          <Button size="sm" leftSection={<IconFileImport size={16} />} onClick={onImport}>
            Import files…
          </Button>
          {onSample && (
            <Button size="sm" variant="default" leftSection={<IconSparkles size={16} />} onClick={onSample}>
              Try the sample export
            </Button>
          )}
          {demo && (
            <Button
              size="sm"
              variant="default"
              leftSection={<IconFlask size={16} />}
              loading={demo.isStarting}
              onClick={demo.start}
            >
              Try the demo fleet
            </Button>
          )}
        </div>
      )}
      <dl className={classes.firstFacts}>
        <dt>What can be imported</dt>
        <dd>
          Export zips (one file for all cameras, or one per camera), and bare CSV, GPX or KML files. Folders
          too.
        </dd>
        <dt>Where it goes</dt>
        <dd>
          Into the evidence cache on this computer. Your files are only read; a copy is kept with its SHA-256.
        </dd>
        <dt>Network</dt>
        <dd>
          None, unless you add an account under Account. Nothing that you import leaves this computer. The
          demo fleet is a simulation on it.
        </dd>
      </dl>
    </div>
  );
}
