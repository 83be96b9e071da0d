import { Button, Group } from '@mantine/core';
import { DateInput } from '@mantine/dates';
import { formatCounted, formatInstant, useZone } from '../../ui/index.ts';
import classes from './account.module.css';
import { lastDays, maxRangeDays, type RangeCheck } from './orderRules.ts';

/** Whole UTC days, both included. */
export interface DayRange {
  readonly fromDay: string;
  readonly toDay: string;
}

const suggestions = [
  { days: 1, label: 'Today' },
  { days: 7, label: '7 days' },
  { days: 30, label: '30 days' },
  { days: maxRangeDays + 1, label: 'Longest' },
] as const;

/** The range of an export, with what its UTC days are on the local clock. */
export function RangeFields({
  range,
  check,
  onChange,
  nowMs,
}: {
  range: DayRange;
  check: RangeCheck;
  onChange: (range: DayRange) => void;
  nowMs: () => number;
}) {
  return (
    <div>
      <div className={classes.two}>
        <DayInput
          label="First day (UTC)"
          day={range.fromDay}
          error={errorOf(check, 'from')}
          onChange={(fromDay) => onChange({ ...range, fromDay })}
        />
        <DayInput
          label="Last day (UTC), included"
          day={range.toDay}
          error={errorOf(check, 'to')}
          onChange={(toDay) => onChange({ ...range, toDay })}
        />
      </div>
      <Group gap={4} mt={6} role="group" aria-label="Ranges up to today">
        {suggestions.map(({ days, label }) => (
          <Button
            key={days}
            variant="default"
            size="compact-xs"
            onClick={() => onChange(lastDays(days, nowMs()))}
          >
            {label}
          </Button>
        ))}
      </Group>
      <RangeText check={check} />
    </div>
  );
}

/** A day, typed or picked; the same letters as the service writes, whatever the computer's language. */
function DayInput({
  label,
  day,
  error,
  onChange,
}: {
  label: string;
  day: string;
  error: string | undefined;
  onChange: (day: string) => void;
}) {
  return (
    <DateInput
      size="xs"
      label={label}
      placeholder="YYYY-MM-DD"
      valueFormat="YYYY-MM-DD"
      value={day === '' ? null : day}
      error={error}
      weekendDays={[]}
      popoverProps={{ position: 'top-start' }} // below it would cover the reason why a day is refused
      onChange={(value) => onChange(value ?? '')}
    />
  );
}

function errorOf(check: RangeCheck, field: 'from' | 'to'): string | undefined {
  return check.status === 'wrong' && check.field === field ? check.message : undefined;
}

/** Whole UTC days begin at another hour for most people: what that is on their clock. */
function RangeText({ check }: { check: RangeCheck }) {
  const { localZone } = useZone();
  const rule = `At most ${maxRangeDays} days from the first to the last.`;
  if (check.status === 'wrong') {
    return (
      <div className={classes.muted} style={{ marginTop: 4 }}>
        Whole UTC days. {rule}
      </div>
    );
  }
  return (
    <div className={classes.muted} style={{ marginTop: 4 }}>
      {formatCounted(check.days, 'whole UTC day')}
      {localZone === 'UTC' ? null : (
        <>
          : {formatInstant(check.fromMs, localZone, 'minute')} to{' '}
          {formatInstant(check.toMs, localZone, 'minute')}
        </>
      )}
      . {rule}
    </div>
  );
}
