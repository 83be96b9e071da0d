import { TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  formatMomentTime,
  momentInputText,
  momentZoneName,
  parseMoment,
  type MomentZone,
} from './momentText.ts';

/**
 * A moment to be typed: a time of day with milliseconds, or a date and time. What is typed counts on Enter or when
 * the field is left; Escape brings back what was there.
 */
export function MomentInput({
  label,
  ms,
  zone,
  nearMs,
  onChange,
  withDay = false,
}: {
  label: string;
  ms: number | null;
  zone: MomentZone;
  /** A time of day without a date is meant near this moment; null: a date is needed. */
  nearMs: number | null;
  onChange: (ms: number | null) => void;
  withDay?: boolean;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = ms === null ? '' : withDay ? momentInputText(ms, zone) : formatMomentTime(ms, zone);
  const parsed = typed === null || typed.trim() === '' ? null : parseMoment(typed, zone, ms ?? nearMs);
  const isWrong = typed !== null && typed.trim() !== '' && parsed === null;
  const zoneText = momentZoneName(ms ?? parsed ?? nearMs ?? 0, zone);
  const example = zone.kind === 'elapsed' ? '0:12.345' : withDay ? '2026-03-14 17:32:09.733' : '17:32:09.733';
  const take = () => {
    if (typed === null || isWrong) return;
    setTyped(null);
    // Leaving the field as it was must not round what is finer than a millisecond.
    if (typed.trim() !== shown) onChange(parsed);
  };
  return (
    <TextInput
      aria-label={`${label} (${zoneText})`}
      placeholder={
        zone.kind === 'elapsed' ? 'm:ss.mmm' : withDay ? 'YYYY-MM-DD hh:mm:ss.mmm' : 'hh:mm:ss.mmm'
      }
      value={typed ?? shown}
      error={isWrong ? `Write it as ${example}` : null}
      rightSectionWidth={62}
      rightSection={
        <span style={{ fontSize: '0.6875rem', color: 'var(--desk-muted)', whiteSpace: 'nowrap' }}>
          {zone.kind === 'elapsed' ? 'from start' : zoneText}
        </span>
      }
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault();
          take();
        } else if (event.key === 'Escape' && typed !== null) {
          event.stopPropagation();
          setTyped(null);
        }
      }}
    />
  );
}
