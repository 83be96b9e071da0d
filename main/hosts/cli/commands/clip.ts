import path from 'node:path';
import type { ClipFacts, ClipPosition } from '../../../../shared/contract/clips.ts';
import { AppError } from '../../../../shared/errors.ts';
import { toRfc3339 } from '../../../../shared/time.ts';
import { exitCodes, type RunCommand } from '../command.ts';
import { printable } from '../output.ts';
import { expectPositionals } from '../values.ts';

/**
 * `clip FILE.mp4`: what is inside a clip; needs nothing but the file. Exit 0 for a whole clip, 3 for a damaged
 * one of which something could be read, 1 for a file that says nothing.
 */
export const runClipCommand: RunCommand = async ({ args, output, signal }) => {
  const [file] = expectPositionals(args, ['FILE.mp4']);
  const { readClip } = await import('../../../desk/readClip.ts');
  const facts = await readClip(path.resolve(file!), { signal });
  const isSilent = facts.durationS === null && facts.telemetryFormat === null;
  if (isSilent && facts.damage.length > 0) {
    throw new AppError('entry_damaged', `${facts.fileName}: ${facts.damage[0]!.message}`, {
      remedy: 'Copy it from the card again. A damaged clip can still be imported and kept as it is.',
      details: { fileName: facts.fileName, damage: facts.damage.map(({ code }) => code) },
    });
  }
  const isWhole = facts.damage.every(({ code }) => code === 'no-video' || code === 'no-frames');
  for (const remark of remarksOf(facts)) output.message(printable(remark));
  output.result(toClipDocument(facts), () => clipText(facts));
  return isWhole ? exitCodes.done : exitCodes.partial;
};

/** Damage, what was left out, and what is worth knowing: on standard error, so that `--json` stays the document. */
function remarksOf(facts: ClipFacts): string[] {
  return [
    ...facts.damage.map(({ message }) => message),
    ...(facts.video?.isH265 ? ['H.265 video: it plays only where the computer decodes it in hardware.'] : []),
    ...facts.notes,
    ...facts.skipped.map(({ where, reason, count }) => `Left out ${count}: ${reason} (first at ${where}).`),
  ];
}

/** The facts as `--json` prints them; null where absent. */
export function toClipDocument(facts: ClipFacts) {
  const { name, video, clock, gps, gSensor } = facts;
  return {
    filename: facts.fileName,
    recordedAtLocal: facts.recordedAtLocal,
    type: name?.type ?? null,
    typeCode: name?.typeCode ?? null,
    direction: name?.direction ?? null,
    directionCode: name?.directionCode ?? null,
    durationS: rounded(facts.durationS),
    video: video && { codec: video.codec, width: video.width, height: video.height, fps: video.fps },
    startUtc: toRfc3339(wholeMs(clock.startUtcMs)),
    utcOffsetMin: clock.utcOffsetMin,
    clockSource: clock.source,
    gps: gps && { samples: gps.samples, first: toPosition(gps.first), last: toPosition(gps.last) },
    gSensor: gSensor && {
      samples: gSensor.samples,
      rateHz: gSensor.rateHz,
      peakG: rounded(gSensor.peakG),
      peakAt: toRfc3339(wholeMs(gSensor.peakUtcMs)),
    },
  };
}

const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 1000) / 1000;
const wholeMs = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));

/** As the points of `track`. */
function toPosition(position: ClipPosition | null) {
  if (position === null) return null;
  const { utcMs, latDeg, lngDeg, headingDeg, speedKmh } = position;
  return { t: toRfc3339(wholeMs(utcMs)), lat: latDeg, lng: lngDeg, headingDeg, speedKmh };
}

function clipText(facts: ClipFacts): string {
  const { name, video, clock, gps, gSensor } = facts;
  const offset = clock.utcOffsetMin;
  const sign = offset !== null && offset < 0 ? '-' : '+';
  const zone =
    offset === null
      ? 'zone unknown'
      : `camera at UTC${sign}${String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')}:${String(Math.abs(offset) % 60).padStart(2, '0')}`;
  const start =
    clock.startUtcMs === null
      ? 'unknown: nothing in the clip tells'
      : `${toRfc3339(wholeMs(clock.startUtcMs))}, within ${(clock.uncertaintyMs ?? 0) / 1000} s (${zone}; by ${clock.source})`;
  const rows: [string, string][] = [
    ['File', facts.fileName],
    ['Camera time', facts.recordedAtLocal ?? 'unknown'],
    ['Start in UTC', start],
    ['Type', name ? `${name.type} (${name.typeCode})` : 'unknown'],
    ['Camera', name ? `${name.direction} (${name.directionCode})` : 'unknown'],
    ['Duration', facts.durationS === null ? 'unknown' : `${rounded(facts.durationS)} s`],
    [
      'Video',
      video
        ? `${video.codec}, ${video.width}x${video.height}, ${video.fps ?? '?'} frames a second${video.isConstantRate ? '' : ' (varying)'}, ${video.frames} frames, ${video.keyFrames} key frames`
        : 'none',
    ],
    ['Telemetry', facts.telemetryFormat ?? 'no telemetry found'],
    ['Positions', gps ? `${gps.samples}, and ${gps.withoutFix} without a fix` : 'none'],
    ['G-sensor', gSensor ? gSensorText(gSensor) : 'none'],
  ];
  return rows.map(([label, value]) => `${label.padEnd(14)}${printable(value)}\n`).join('');
}

function gSensorText({ samples, rateHz, peakG, peakOffsetMs }: NonNullable<ClipFacts['gSensor']>): string {
  if (peakG === null || peakOffsetMs === null) return 'empty';
  const rate = rateHz === null ? '' : `, ${rateHz} Hz`;
  return `${samples} samples${rate}; highest ${peakG.toFixed(2)} g (gravity included) ${(peakOffsetMs / 1000).toFixed(1)} s into the clip`;
}
