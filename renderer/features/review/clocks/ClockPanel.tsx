import { Button, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { ReviewScene, SourceClock } from '../../../../shared/contract/review.ts';
import type { ClipId } from '../../../../shared/ids.ts';
import { placeOfClip } from '../marks/anchors.ts';
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
  const isLong = clocks.length > pageRows;
  const [isAll, setAll] = useState(false);
  // As one word, since the frames themselves change thirty times a second.
  const clipsShown = useStore(review.store, ({ frames }) =>
    [...frames.values()]
      .map(({ clipId }) => clipId)
      .sort()
      .join(' '),
  );
  const unknown = clocks.filter(({ subject, startUtcMs }) => subject.kind === 'clip' && startUtcMs === null);
  const wanted = isLong && !isAll ? clocksShown(scene, clipsShown.split(' ') as ClipId[]) : clocks; // joined above
  const drawn = wanted.slice(0, most);
  // Whoever is called to must be in sight, wherever in the list it stands.
  const called = clocks.filter((clock) => subjectKey(clock.subject) === editing && !drawn.includes(clock));
  const listed = [...called, ...drawn];
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
      {isLong && (
        <SegmentedControl
          fullWidth
          aria-label="Which sources"
          value={isAll ? 'all' : 'shown'}
          onChange={(value) => setAll(value === 'all')}
          data={[
            { value: 'shown', label: 'On screen now' },
            { value: 'all', label: `All ${clocks.length}` },
          ]}
        />
      )}
      {isLong && !isAll && wanted.length === 0 && (
        <div className={classes.muted}>No picture is on screen at this moment.</div>
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
      {wanted.length > most && (
        <Button variant="default" size="compact-xs" onClick={() => setMost(most + pageRows)}>
          Show {Math.min(pageRows, wanted.length - most)} more of {wanted.length}
        </Button>
      )}
      <ClockConfirm review={review} asked={asked} onClose={() => setAsked(null)} />
    </section>
  );
}

/** Clocks of what is on screen: of the clips shown, whatever their quality, and of the tracks. */
function clocksShown(scene: ReviewScene, clipIds: readonly ClipId[]): readonly SourceClock[] {
  const segments = new Set(clipIds.map((clipId) => placeOfClip(scene, clipId)?.segment));
  segments.delete(undefined);
  return scene.clocks.filter(({ subject }) => {
    if (subject.kind === 'trip') return true;
    const place = placeOfClip(scene, subject.clipId);
    return place !== null && segments.has(place.segment);
  });
}
