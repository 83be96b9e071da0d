import type { RecordingRow } from '../../../shared/contract/cards.ts';
import { Time } from '../../ui/index.ts';
import classes from './cameras.module.css';
import { offsetText, timeSourceText, uncertaintyText } from './words.ts';

/** A recording's true time with how it is known and how sure; unknown stays unknown. */
export function TrueTime({ row }: { row: RecordingRow }) {
  const { startUtcMs, offsetMinutes, uncertaintyMs, timeSource } = row;
  if (startUtcMs === null) {
    return (
      <span title={timeSourceText(timeSource)}>
        unknown
        <span className={classes.muted} style={{ display: 'block' }}>
          clock not known
        </span>
      </span>
    );
  }
  const source = timeSource === 'manual' ? 'by hand' : timeSource === 'extrapolated' ? 'carried on' : 'GPS';
  return (
    <span
      title={`Camera clock at ${offsetMinutes === null ? 'an unknown offset' : offsetText(offsetMinutes)}, ${timeSourceText(timeSource)}`}
    >
      <Time utcMs={startUtcMs} />
      <span className={classes.muted} style={{ display: 'block' }}>
        {source}
        {uncertaintyMs !== null && `, ${uncertaintyText(uncertaintyMs)}`}
      </span>
    </span>
  );
}
