import { Button, CloseButton, NumberInput, TextInput } from '@mantine/core';
import { IconCircleDashed, IconPlayerPlay } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { useStore } from 'zustand';
import type { Circle, Pass } from '../../../shared/contract/trips.ts';
import {
  Failure,
  formatCount,
  formatCounted,
  formatDuration,
  fromInputText,
  Loading,
  toInputText,
} from '../../ui/index.ts';
import { coordinateText } from '../map/trackReading.ts';
import { formatClock, formatDay, zoneLabel } from '../timeline/clock.ts';
import { CameraMark } from './CameraMark.tsx';
import type { LibraryContent } from './libraryStore.ts';
import type { LibraryStores } from './LibraryScreen.tsx';
import { MomentActs, type MomentLinks } from './MomentActs.tsx';
import { parsePlace } from './place.ts';
import { selectOne } from './selection.ts';
import { cameraKey, cameraLabel } from './tripRows.ts';
import type { LibraryZone } from './useLibraryZone.ts';
import classes from './library.module.css';

/** "Who passed here?": a circle drawn or typed, a time range, and every pass through it with its closest approach. */
export function NearPanel({
  stores,
  content,
  zone,
  moments,
}: {
  stores: LibraryStores;
  content: LibraryContent;
  zone: LibraryZone;
  moments: MomentLinks;
}) {
  const { near } = stores;
  const state = useStore(near);
  const choose = (pass: Pass) => {
    near.choose(pass);
    stores.library.select(() => selectOne(pass.tripId));
    if (pass.enteredAtMs !== null && pass.leftAtMs !== null) {
      const around = Math.max(60_000, (pass.leftAtMs - pass.enteredAtMs) * 2);
      stores.tracks.setSeriesRange({ fromMs: pass.enteredAtMs - around, toMs: pass.leftAtMs + around });
    }
  };
  const rangeField = (label: string, value: number | null, set: (ms: number | null) => void) => (
    <TextInput
      type="datetime-local"
      step={1}
      label={`${label} (${zoneLabel(value ?? 0, zone.zone)}, optional)`}
      value={value === null ? '' : toInputText(value, zone.zone)}
      onChange={(event) => set(fromInputText(event.currentTarget.value, zone.zone))}
    />
  );
  return (
    <div className={classes.near} role="region" aria-label="Who passed here?">
      <div className={classes.cardHead}>
        <strong>Who passed here?</strong>
        <CloseButton size="xs" aria-label="Close" onClick={near.close} />
      </div>
      <Button
        variant={state.isDrawing ? 'light' : 'default'}
        aria-pressed={state.isDrawing}
        leftSection={<IconCircleDashed size={15} />}
        onClick={() => near.setDrawing(!state.isDrawing)}
      >
        {state.isDrawing ? 'Drag on the map from the middle outwards' : 'Draw a circle on the map'}
      </Button>
      <CircleForm
        key={state.circle ? JSON.stringify(state.circle) : 'none'}
        circle={state.circle}
        onCircle={near.setCircle}
      />
      <details className={classes.nearTime} open={state.fromMs !== null || state.toMs !== null || undefined}>
        <summary>
          {state.fromMs === null && state.toMs === null ? 'At any time' : 'In this range of time'}
        </summary>
        <div className={classes.nearRange}>
          {rangeField('From', state.fromMs, (ms) => near.setRange(ms, state.toMs))}
          {rangeField('Until', state.toMs, (ms) => near.setRange(state.fromMs, ms))}
        </div>
      </details>
      {state.passes?.status === 'loading' && <Loading label="Looking for passes" />}
      {state.passes?.status === 'failed' && (
        <Failure error={state.passes.error} onRetry={near.retry} isInline />
      )}
      {state.passes?.status === 'ready' && (
        <>
          <div className={classes.nearStatus}>
            <span className={classes.dim} role="status">
              {state.passes.value.length === 0
                ? 'Nobody passed here in this range.'
                : `${formatCounted(state.passes.value.length, 'pass', 'passes')}, all trips of the library`}
            </span>
            {state.circle && state.fromMs !== null && state.toMs !== null && (
              <ReviewPlace circle={state.circle} fromMs={state.fromMs} toMs={state.toMs} moments={moments} />
            )}
          </div>
          <ul className={classes.passes}>
            {state.passes.value.slice(0, maxShown).map((pass, index) => (
              <li key={`${pass.tripId}-${index}`}>
                <button
                  type="button"
                  className={classes.pass}
                  aria-pressed={pass === state.chosen}
                  onClick={() => choose(pass)}
                >
                  <CameraMark index={content.cameraIndex.get(cameraKey(pass.psn)) ?? -1} />
                  <span className={classes.passText}>
                    <span className={classes.ellipsis}>{cameraLabel(pass)}</span>
                    <span className={classes.dim}>{passTime(pass, zone.zone)}</span>
                    {passStay(pass) && <span className={classes.dim}>{passStay(pass)}</span>}
                  </span>
                  <span
                    className={classes.passDistance}
                    title="Closest approach of the line between recorded points"
                  >
                    {pass.closestM < 10 ? pass.closestM.toFixed(1) : formatCount(Math.round(pass.closestM))} m
                  </span>
                </button>
                {pass === state.chosen && <PassActs pass={pass} moments={moments} />}
              </li>
            ))}
          </ul>
          {state.passes.value.length > maxShown && (
            <div className={classes.dim}>
              The first {formatCount(maxShown)} are listed: narrow the time or the circle.
            </div>
          )}
        </>
      )}
    </div>
  );
}

/** Ways on from a pass: to where it came nearest. */
function PassActs({ pass, moments }: { pass: Pass; moments: MomentLinks }) {
  const atMs = pass.closestAtMs ?? pass.enteredAtMs;
  return atMs === null ? null : (
    <MomentActs tripId={pass.tripId} psn={pass.psn} atMs={atMs} links={moments} />
  );
}

const maxShown = 500;

/** When it was nearest. Computed between recorded points, so told to the second. */
function passTime(pass: Pass, zone: string): string {
  const at = pass.closestAtMs ?? pass.enteredAtMs;
  if (at === null) return 'no time recorded (shape only)';
  const second = Math.round(at / 1000) * 1000;
  return `${formatDay(second, zone)} ${formatClock(second, zone)} ${zoneLabel(second, zone)}`;
}

function passStay({ enteredAtMs, leftAtMs }: Pass): string | null {
  if (enteredAtMs === null || leftAtMs === null || leftAtMs <= enteredAtMs) return null;
  return `inside for ${formatDuration(leftAtMs - enteredAtMs)}`;
}

/** A day of every camera is more than one scene can hold. */
const longestPlaceMs = 86_400_000;

/** Every camera that was at the place in the range, beside each other. */
function ReviewPlace({
  circle,
  fromMs,
  toMs,
  moments,
}: {
  circle: Circle;
  fromMs: number;
  toMs: number;
  moments: MomentLinks;
}) {
  if (toMs <= fromMs || toMs - fromMs > longestPlaceMs) return null;
  return (
    <Button
      variant="default"
      size="compact-xs"
      leftSection={<IconPlayerPlay size={13} />}
      title="Every camera with clips or trips here in this range, on one clock"
      onClick={() => moments.reviewPlace(circle, fromMs, toMs)}
    >
      Review all
    </Button>
  );
}

function CircleForm({ circle, onCircle }: { circle: Circle | null; onCircle: (circle: Circle) => void }) {
  const [text, setText] = useState(circle ? coordinateText(circle.latDeg, circle.lngDeg) : '');
  const [radiusM, setRadiusM] = useState(circle?.radiusM ?? 100);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = parsePlace(text);
    setProblem(parsed ? null : 'Latitude, longitude in degrees: 52.1042, 4.3012');
    if (parsed) onCircle({ ...parsed, radiusM });
  };
  return (
    <form className={classes.circleForm} onSubmit={submit}>
      <TextInput
        label="Middle (latitude, longitude)"
        placeholder="52.1042, 4.3012"
        value={text}
        error={problem}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <NumberInput
        size="xs"
        label="Radius"
        suffix=" m"
        min={1}
        max={1_000_000}
        value={radiusM}
        onChange={(value) => setRadiusM(typeof value === 'number' && value >= 1 ? value : 1)}
      />
      <Button type="submit">Find</Button>
    </form>
  );
}
