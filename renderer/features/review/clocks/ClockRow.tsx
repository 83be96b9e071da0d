import { Button } from '@mantine/core';
import { IconAlertTriangle, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { SourceClock } from '../../../../shared/contract/review.ts';
import { Facts, HashText, Status } from '../../../ui/index.ts';
import { Moment } from '../marks/Moment.tsx';
import {
  formatMoment,
  formatMomentDay,
  formatUncertainty,
  offsetName,
  type MomentZone,
} from '../marks/momentText.ts';
import type { Review } from '../model.ts';
import { manualShiftText } from './clockChange.ts';
import { ClockEditor } from './ClockEditor.tsx';
import classes from './clocks.module.css';
import type { Draft } from './draft.ts';

/** Where a clock comes from, in a word or three. */
export function originText(clock: SourceClock): string {
  if (clock.manual !== null && clock.manual.shiftMs === null) return 'set by hand';
  if (clock.manual !== null) return 'moved by hand';
  const words: Record<SourceClock['origin'], string> = {
    'clip-gps': 'its own GPS',
    'metadata-gps': 'GPS of the service',
    partner: 'the other lens',
    neighbour: 'the clip beside it',
    card: 'the card’s clock',
    manual: 'set by hand',
    stated: 'stated as UTC',
    unknown: 'unknown',
  };
  return words[clock.origin];
}

const isUnknown = (clock: SourceClock) => clock.startUtcMs === null;

/** One source: when it begins and how that is known; opens to details and to the ways of moving it. */
export function ClockRow({
  review,
  clock,
  zone,
  utcZone,
  isEditing,
  onEdit,
  onDraft,
}: {
  review: Review;
  clock: SourceClock;
  /** Of the scene's times. */
  zone: MomentZone;
  /** Of clocks, which are UTC or unknown also where the scene counts from its start. */
  utcZone: MomentZone;
  isEditing: boolean;
  onEdit: (isEditing: boolean) => void;
  onDraft: (draft: Draft) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const row = useRef<HTMLLIElement>(null);
  // Opened from the notice above, or below the edge of a low column.
  useEffect(() => {
    if (isEditing) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isEditing]);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const canSet = clock.subject.kind === 'clip' || !isUnknown(clock) || zone.kind === 'elapsed';
  const tone = isUnknown(clock) ? 'warn' : clock.manual ? 'quiet' : 'ok';
  // The day stands above; here only where it is another one.
  const { focusMs, timebase } = review.store.getState().scene;
  const isOtherDay =
    timebase === 'elapsed' ||
    (clock.startUtcMs !== null &&
      formatMomentDay(clock.startUtcMs, utcZone) !== formatMomentDay(focusMs, utcZone));
  const edit = isUnknown(clock) ? 'Set the time…' : 'Adjust…';
  return (
    <li ref={row} className={classes.row} data-unknown={isUnknown(clock)}>
      <div className={classes.rowHead}>
        <button
          type="button"
          className={classes.rowToggle}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <Chevron size={14} aria-hidden />
          <span className={classes.rowLabel}>{clock.label}</span>
        </button>
        <Status tone={tone}>{originText(clock)}</Status>
      </div>
      <div className={classes.rowFacts}>
        <span className={classes.rowTimes}>
          {clock.startUtcMs === null ? (
            <span>Time of day unknown</span>
          ) : (
            <span>
              begins <Moment ms={clock.startUtcMs} zone={utcZone} withDay={isOtherDay} />{' '}
            </span>
          )}
          {!isUnknown(clock) && (
            <span className={classes.muted}>
              {clock.origin === 'stated' && clock.uncertaintyMs === null
                ? 'uncertainty not stated'
                : formatUncertainty(clock.uncertaintyMs)}
            </span>
          )}
        </span>
        {canSet && (
          <Button
            variant={isUnknown(clock) && !isEditing ? 'filled' : 'default'}
            size="compact-xs"
            aria-expanded={isEditing}
            aria-label={`${isEditing ? 'Close' : edit} ${clock.label}`}
            onClick={() => onEdit(!isEditing)}
          >
            {isEditing ? 'Close' : edit}
          </Button>
        )}
        {clock.manual && (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Back to what was found: ${clock.label}`}
            onClick={() => onDraft({ change: { kind: 'reset' }, reason: '' })}
          >
            Back to what was found…
          </Button>
        )}
      </div>
      {clock.manual && (
        <div className={classes.manual}>
          {manualShiftText(clock) ?? 'Set'} by {clock.manual.actor}: “{clock.manual.reason}”
        </div>
      )}
      {clock.driftNote !== null && <div className={classes.manual}>{clock.driftNote}</div>}
      {isOpen && (
        <div id={id} className={classes.details}>
          <ClockDetails clock={clock} utcZone={utcZone} />
        </div>
      )}
      {isEditing && <ClockEditor review={review} clock={clock} zone={zone} onDraft={onDraft} />}
    </li>
  );
}

function ClockDetails({ clock, utcZone }: { clock: SourceClock; utcZone: MomentZone }) {
  const { manual } = clock;
  return (
    <>
      <p className={classes.how}>{clock.how}</p>
      <Facts
        rows={[
          ['Camera’s zone', clock.utcOffsetMin === null ? 'unknown' : offsetName(clock.utcOffsetMin)],
          ['Spread', clock.spreadMs === null ? 'unknown' : `${Math.round(clock.spreadMs)} ms`],
          ['Uncertainty', formatUncertainty(clock.uncertaintyMs)],
          ['Drift', clock.rate === 1 ? 'none found' : `${((clock.rate - 1) * 1e6).toFixed(0)} ms in 1,000 s`],
          ...(manual
            ? ([
                ['Set', formatMoment(manual.setAtMs, utcZone)],
                ['By', manual.actor],
                ['Because', manual.reason],
              ] as const)
            : []),
          ...(clock.sha256 === null
            ? ([['File', 'none: from the service']] as const)
            : ([['SHA-256', <HashText key="hash" hash={clock.sha256} />]] as const)),
        ]}
      />
    </>
  );
}

/** What calls for a time to be set, above the list. */
export function UnknownNotice({ count, onSet }: { count: number; onSet: () => void }) {
  return (
    <div className={classes.unknown} role="note">
      <IconAlertTriangle size={16} aria-hidden />
      <div>
        <div>
          {count === 1 ? 'The time of one clip is not known.' : `The time of ${count} clips is not known.`} It
          can’t be shown beside other sources until it is set.
        </div>
        <Button size="compact-xs" mt={4} onClick={onSet}>
          Set the time by hand…
        </Button>
      </div>
    </div>
  );
}
