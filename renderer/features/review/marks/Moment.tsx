import { formatMoment, formatMomentTime, momentZoneName, type MomentZone } from './momentText.ts';

/** A scene time to the millisecond with its zone; date and UTC stand in the tooltip. "unknown" for null. */
export function Moment({
  ms,
  zone,
  withDay = false,
}: {
  ms: number | null;
  zone: MomentZone;
  withDay?: boolean;
}) {
  if (ms === null) return <span>time unknown</span>;
  const text = withDay ? formatMoment(ms, zone) : `${formatMomentTime(ms, zone)} ${momentZoneName(ms, zone)}`;
  if (zone.kind === 'elapsed') return <span title="No clock is known">{text}</span>;
  const iso = new Date(Math.round(ms)).toISOString();
  return (
    <time dateTime={iso} title={`${formatMoment(ms, zone)} (${iso})`}>
      {text}
    </time>
  );
}
