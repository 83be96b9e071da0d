import { Button } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { SourceClock } from '../../../../shared/contract/review.ts';
import { useClockZone, useMomentZone } from '../marks/useMomentZone.ts';
import { formatMomentDay } from '../marks/momentText.ts';
import type { Review } from '../model.ts';
import { subjectKey } from './clockChange.ts';
import { ClockConfirm } from './ClockConfirm.tsx';
import { ClockRow, UnknownNotice } from './ClockRow.tsx';
import classes from './clocks.module.css';
import type { Draft } from './draft.ts';

/** Rows drawn at once; a case may have hundreds of clips. */
const pageRows = 30;

/** How each source's time was mapped to UTC, and the ways to set it by hand. */
export function ClockPanel({ review }: { review: Review }) {
  const zone = useMomentZone(review);
  const utcZone = useClockZone(review);
  const scene = useStore(review.store, (state) => state.scene);
  const { clocks } = scene;
  const [editing, setEditing] = useState<string | null>(null);
  const [asked, setAsked] = useState<{ clock: SourceClock; draft: Draft } | null>(null);
  const [most, setMost] = useState(pageRows);
  const unknown = clocks.filter(({ subject, startUtcMs }) => subject.kind === 'clip' && startUtcMs === null);
  // Whoever is called to must be in sight, wherever in the list it stands.
  const listed = clocks.filter(({ subject }, index) => index < most || subjectKey(subject) === editing);
  return (
    <section className={classes.panel} aria-label="Clocks">
      <div className={classes.head}>
        <h2>Clocks</h2>
        <span className={classes.muted}>
          {scene.timebase === 'utc' ? formatMomentDay(scene.focusMs, utcZone) : 'no time of day yet'}
        </span>
      </div>
      {unknown[0] && (
        <UnknownNotice
          count={unknown.length}
          onSet={() => unknown[0] && setEditing(subjectKey(unknown[0].subject))}
        />
      )}
      {clocks.length === 0 && <div className={classes.muted}>No source here has a clock of its own.</div>}
      <ul className={classes.list} aria-label="Clocks of the sources">
        {listed.map((clock) => {
          const key = subjectKey(clock.subject);
          return (
            <ClockRow
              key={key}
              review={review}
              clock={clock}
              zone={zone}
              utcZone={utcZone}
              isEditing={editing === key}
              onEdit={(isEditing) => setEditing(isEditing ? key : null)}
              onDraft={(draft) => setAsked({ clock, draft })}
            />
          );
        })}
      </ul>
      {clocks.length > most && (
        <Button variant="default" size="compact-xs" onClick={() => setMost(most + pageRows)}>
          Show {Math.min(pageRows, clocks.length - most)} more of {clocks.length}
        </Button>
      )}
      <ClockConfirm review={review} asked={asked} onClose={() => setAsked(null)} />
    </section>
  );
}
