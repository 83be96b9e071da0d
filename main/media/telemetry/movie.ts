import type { ClipVideo } from '../../../shared/contract/clips.ts';
import { findChild, walkBuffer } from './boxes.ts';
import { codecName, isH265 } from './codecName.ts';
import type { FragmentFrames } from './fragments.ts';
import { SampleTable } from './sampleTable.ts';

/** A track as its header boxes describe it. */
export interface Track {
  readonly id: number;
  /** `vide`, `soun`, `meta`, ... */
  readonly handler: string;
  /** Type of its first sample entry, e.g. `avc1`, `gpmd`, `camm`. */
  readonly format: string;
  readonly timescale: number;
  readonly table: SampleTable;
  readonly edit: EditStart;
}

/** Where the edit list lets a track begin: after an empty stretch, at a place in the media. */
export interface EditStart {
  /** In ticks of the movie. */
  readonly emptyTicks: number;
  /** In ticks of the track. */
  readonly mediaTicks: number;
}

export interface Movie {
  readonly durationS: number | null;
  readonly video: ClipVideo | null;
  readonly hasAudio: boolean;
  /** Payload of `mvex`: frames are described beside the media, see withFragments. */
  readonly fragmentDefaults: Buffer | null;
  readonly fragments: FragmentFrames | null;
  /** Ticks a second of the movie as a whole; 0 where it does not say. */
  readonly timescale: number;
  readonly tracks: readonly Track[];
  /** Boxes inside that overrun or are no boxes, or tables that contradict each other. */
  readonly isDamaged: boolean;
  /** Payload of the Novatek index. */
  readonly novatekIndex: Buffer | null;
  /** The furthest place at which media is said to be. */
  readonly lastChunkOffset: number;
}

/** Cameras write two to five; each more costs time that only a hostile file takes. */
const mostTracks = 64;

/** Reads the payload of `moov`: what the tracks are, how long, how fast. Media data is not needed. */
export function readMovie(moov: Buffer): Movie {
  const walk = walkBuffer(moov, 0, moov.length);
  let isDamaged = walk.end !== 'complete';
  let header: Buffer | null = null;
  let video: { facts: ClipVideo; durationS: number | null } | null = null;
  let fragmentDefaults: Buffer | null = null;
  let novatekIndex: Buffer | null = null;
  const tracks: Track[] = [];
  let found = 0;
  for (const box of walk.boxes) {
    const payload = moov.subarray(box.offset + box.headerBytes, box.end);
    if (box.type === 'mvhd') header ??= payload;
    else if (box.type === 'gps ') novatekIndex ??= payload;
    else if (box.type === 'mvex') fragmentDefaults ??= payload;
    else if (box.type === 'trak') {
      const read = ++found <= mostTracks ? readTrack(payload) : null;
      if (!read) {
        isDamaged = true;
        continue;
      }
      tracks.push(read.track);
      if (read.track.table.isInconsistent) isDamaged = true;
      if (read.track.handler === 'vide' && !video) video = videoOf(read);
    }
  }
  const stated = header && readDuration(header, 12, 20);
  const timescale = stated?.timescale ?? 0;
  const fragmentsTicks = fragmentDefaults && fragmentTicks(fragmentDefaults);
  const fragmentsS = fragmentsTicks !== null && timescale > 0 ? fragmentsTicks / timescale : null;
  const statedS = stated && stated.ticks > 0 && timescale > 0 ? stated.ticks / timescale : null;
  return {
    durationS: video?.durationS ?? fragmentsS ?? statedS,
    video: video?.facts ?? null,
    hasAudio: tracks.some((track) => track.handler === 'soun'),
    fragmentDefaults,
    fragments: null,
    timescale,
    tracks,
    isDamaged: isDamaged || header === null,
    novatekIndex,
    lastChunkOffset: tracks.reduce((last, { table }) => Math.max(last, table.lastChunkOffset), 0),
  };
}

/** A track's payload (`trak`) with its first sample entry and its `tkhd`; null where it lacks what a track needs. */
export function readTrack(trak: Buffer): { track: Track; entry: Buffer; header: Buffer | null } | null {
  const media = findChild(trak, 'mdia');
  const mediaHeader = media && findChild(media, 'mdhd');
  const handler = media && findChild(media, 'hdlr');
  const information = media && findChild(media, 'minf');
  const stbl = information && findChild(information, 'stbl');
  if (!mediaHeader || !handler || handler.length < 12 || !stbl) return null;
  const entries = findChild(stbl, 'stsd');
  const [first] = entries && entries.length > 8 ? walkBuffer(entries, 8, entries.length).boxes : [];
  const header = findChild(trak, 'tkhd');
  const idAt = header?.[0] === 1 ? 20 : 12;
  return {
    track: {
      id: header && header.length >= idAt + 4 ? header.readUInt32BE(idAt) : 0,
      handler: handler.toString('latin1', 8, 12),
      format: first?.type ?? '',
      timescale: readDuration(mediaHeader, 12, 20)?.timescale ?? 0,
      table: new SampleTable(stbl),
      edit: readEdits(trak),
    },
    entry: first && entries ? entries.subarray(first.offset + first.headerBytes, first.end) : Buffer.alloc(0),
    header,
  };
}

/** The first edit that shows something; what later edits do is not followed. */
function readEdits(trak: Buffer): EditStart {
  const edits = findChild(trak, 'edts');
  const list = edits && findChild(edits, 'elst');
  let emptyTicks = 0;
  if (list && list.length >= 8) {
    const isLong = list[0] === 1;
    const entryBytes = isLong ? 20 : 12;
    const count = Math.min(list.readUInt32BE(4), Math.floor((list.length - 8) / entryBytes));
    for (let i = 0; i < count; i++) {
      const at = 8 + i * entryBytes;
      const duration = isLong ? Number(list.readBigUInt64BE(at)) : list.readUInt32BE(at);
      const mediaTicks = isLong ? Number(list.readBigInt64BE(at + 8)) : list.readInt32BE(at + 4);
      if (mediaTicks >= 0) return { emptyTicks, mediaTicks };
      emptyTicks += duration;
    }
  }
  return { emptyTicks, mediaTicks: 0 };
}

function videoOf(read: { track: Track; entry: Buffer; header: Buffer | null }): {
  facts: ClipVideo;
  durationS: number | null;
} {
  const { track, entry, header } = read;
  const { table, timescale, format } = track;
  const durationS = timescale > 0 && table.durationTicks > 0 ? table.durationTicks / timescale : null;
  const hasSize = entry.length >= 28;
  return {
    durationS,
    facts: {
      codec: codecName(format, entry),
      isH265: isH265(format),
      width: hasSize ? entry.readUInt16BE(24) : sideOf(header, 8),
      height: hasSize ? entry.readUInt16BE(26) : sideOf(header, 4),
      ...videoRates(table.samples, durationS, table.shortestTicks, table.longestTicks),
      frames: table.samples,
      keyFrames: table.keySamples ?? table.samples,
    },
  };
}

/** No camera that is read here takes more pictures a second: it is a damaged table's. */
const highestFps = 10_000;

/** Rate of so many frames in that time; null where there is none. */
export function videoRates(
  frames: number,
  durationS: number | null,
  shortestTicks: number,
  longestTicks: number,
): Pick<ClipVideo, 'fps' | 'isConstantRate'> {
  const fps = durationS === null || durationS <= 0 || frames === 0 ? null : rounded(frames / durationS);
  // One tick of difference is the rounding of a rate that the timescale can't express.
  return {
    fps: fps !== null && fps <= highestFps ? fps : null,
    isConstantRate: longestTicks - shortestTicks <= 1,
  };
}

/** Width or height from `tkhd`: 16.16 fixed point at its very end. */
function sideOf(header: Buffer | null, fromEnd: number): number {
  return header && header.length >= 84 ? header.readUInt16BE(header.length - fromEnd) : 0;
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** Timescale and duration of `mvhd` or `mdhd`, by their version; a duration of all ones is unknown. */
export function readDuration(
  payload: Buffer,
  at32: number,
  at64: number,
): { timescale: number; ticks: number } | null {
  if (payload[0] === 1) {
    if (payload.length < at64 + 12) return null;
    const ticks = payload.readBigUInt64BE(at64 + 4);
    return {
      timescale: payload.readUInt32BE(at64),
      ticks: ticks === 0xffff_ffff_ffff_ffffn ? 0 : Number(ticks),
    };
  }
  if (payload.length < at32 + 8) return null;
  const ticks = payload.readUInt32BE(at32 + 4);
  return { timescale: payload.readUInt32BE(at32), ticks: ticks === 0xffff_ffff ? 0 : ticks };
}

/** Duration of a fragmented movie in the movie's ticks (`mehd`); null where it is not stated. */
function fragmentTicks(mvex: Buffer): number | null {
  const header = findChild(mvex, 'mehd');
  if (!header || header.length < 8) return null;
  if (header[0] !== 1) return header.readUInt32BE(4);
  return header.length < 12 ? null : Number(header.readBigUInt64BE(4));
}
