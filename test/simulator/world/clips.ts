/** Turns a committed template clip into the file a camera would have recorded: real video, its own telemetry. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { hash32 } from '../random.ts';
import type { Recording } from './card.ts';
import { telemetryBox, telemetryBoxBytes } from './telemetry.ts';
import type { TripBook } from './trips.ts';
import type { Vehicle } from './vehicle.ts';

export type Quality = 'main' | 'sub';

/** Bytes that exist without being held in memory: a head, then zeros up to the total. */
export interface ClipBytes {
  readonly sizeBytes: number;
  read(from: number, to: number): Buffer;
}

interface Template {
  readonly beforeTelemetry: Buffer;
  readonly afterTelemetry: Buffer;
}

const clipFolder = path.join(import.meta.dirname, '..', 'clips');
const templates = new Map<string, Template>();
const thumbnails = new Map<string, Buffer>();

function boxesIn(bytes: Buffer, from: number, to: number): { type: string; start: number; end: number }[] {
  const boxes = [];
  for (let at = from; at + 8 <= to;) {
    const size = bytes.readUInt32BE(at);
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), start: at, end: at + size });
    at += size;
  }
  return boxes;
}

/** The telemetry box goes between `ftyp` and `moov`, so every chunk offset in `stco` moves by its length. */
function shiftChunkOffsets(bytes: Buffer, from: number, to: number, byBytes: number): void {
  for (const box of boxesIn(bytes, from, to)) {
    if (['moov', 'trak', 'mdia', 'minf', 'stbl'].includes(box.type)) {
      shiftChunkOffsets(bytes, box.start + 8, box.end, byBytes);
    } else if (box.type === 'stco') {
      const count = bytes.readUInt32BE(box.start + 12);
      for (let index = 0; index < count; index += 1) {
        const at = box.start + 16 + index * 4;
        bytes.writeUInt32BE(bytes.readUInt32BE(at) + byBytes, at);
      }
    }
  }
}

function templateFor(name: string): Template {
  const known = templates.get(name);
  if (known) return known;
  const bytes = readFileSync(path.join(clipFolder, `${name}.mp4`));
  const fileType = boxesIn(bytes, 0, bytes.length).find((box) => box.type === 'ftyp');
  if (!fileType) throw new Error(`${name} has no ftyp box`);
  shiftChunkOffsets(bytes, 0, bytes.length, telemetryBoxBytes);
  const template = {
    beforeTelemetry: bytes.subarray(0, fileType.end),
    afterTelemetry: bytes.subarray(fileType.end),
  };
  templates.set(name, template);
  return template;
}

function pictureName(recording: Recording): string {
  return `${recording.picture}-${recording.directionCode === 'F' ? 'front' : 'option'}`;
}

export function thumbnailOf(recording: Recording): Buffer {
  const name = pictureName(recording);
  const known = thumbnails.get(name) ?? readFileSync(path.join(clipFolder, `${name}.jpg`));
  thumbnails.set(name, known);
  return known;
}

/** Sizes a scenario declares; the difference to the real clip is served as a trailing `free` box of zeros. */
export type NominalSizes = Readonly<Record<Quality, number>>;

function paddingBytes(
  recording: Recording,
  quality: Quality,
  realBytes: number,
  nominal: NominalSizes | null,
): number {
  const variation = hash32(`${recording.psn}/${recording.filename}/${quality}`) % 4096;
  if (!nominal) return 8 + variation;
  const scaled = Math.round(nominal[quality] * (recording.durationS / 20)) + variation;
  return Math.max(8, scaled - realBytes);
}

function realBytesOf(recording: Recording, quality: Quality): number {
  const template = templateFor(`${pictureName(recording)}-${quality}`);
  return template.beforeTelemetry.length + telemetryBoxBytes + template.afterTelemetry.length;
}

export function clipSizeBytes(recording: Recording, quality: Quality, nominal: NominalSizes | null): number {
  const realBytes = realBytesOf(recording, quality);
  return realBytes + paddingBytes(recording, quality, realBytes, nominal);
}

export function clipBytes(
  tripBook: TripBook,
  vehicle: Vehicle,
  recording: Recording,
  quality: Quality,
  nominal: NominalSizes | null,
): ClipBytes {
  const template = templateFor(`${pictureName(recording)}-${quality}`);
  const realBytes = realBytesOf(recording, quality);
  const padding = paddingBytes(recording, quality, realBytes, nominal);
  const paddingHeader = Buffer.alloc(8);
  paddingHeader.writeUInt32BE(padding, 0);
  paddingHeader.write('free', 4, 'latin1');
  const head = Buffer.concat([
    template.beforeTelemetry,
    telemetryBox(tripBook, vehicle, recording, thumbnailOf(recording)),
    template.afterTelemetry,
    paddingHeader,
  ]);
  const sizeBytes = realBytes + padding;
  return {
    sizeBytes,
    read(from, to) {
      const end = Math.min(to, sizeBytes);
      const fromHead = head.subarray(Math.min(from, head.length), Math.min(end, head.length));
      const zeros = end - Math.max(from, head.length);
      return zeros > 0 ? Buffer.concat([fromHead, Buffer.alloc(zeros)]) : fromHead;
    },
  };
}
