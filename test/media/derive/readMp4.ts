/** Reads clips with mp4box, for comparing: it shares no code with what cuts them. */
import { createFile, type ISOFile, type Sample } from 'mp4box';

export interface ReadSample {
  readonly bytes: Buffer;
  readonly isKey: boolean;
  /** Ticks of the track. */
  readonly startTicks: number;
  readonly lengthTicks: number;
  /** When players show it, seconds; the edit list is followed. */
  readonly shownS: number;
  /** Whether the edit list lets it be seen or heard. */
  readonly isShown: boolean;
}
export interface ReadTrack {
  readonly type: string | undefined;
  readonly codec: string;
  readonly timescale: number;
  readonly widthPx: number;
  readonly samples: readonly ReadSample[];
  /** The sample descriptions as they stand in the file. */
  readonly description: Buffer;
  readonly matrix: readonly number[];
  readonly language: number;
}

export function readMp4(bytes: Buffer): readonly ReadTrack[] {
  const file = createFile();
  const whole = Object.assign(Uint8Array.from(bytes).buffer, { fileStart: 0 });
  file.appendBuffer(whole);
  file.flush();
  const movieTimescale = file.moov!.mvhd.timescale;
  return file.moov!.traks.map((trak) => {
    const { timescale, language } = trak.mdia.mdhd;
    const info = file.getInfo().tracks.find((track) => track.id === trak.tkhd.track_id)!;
    const stsd = trak.mdia.minf.stbl.stsd;
    const edits = editsOf(trak as Trak);
    const empty = edits.filter((edit) => edit.media_time === -1);
    const emptyS = empty.reduce((sum, edit) => sum + edit.segment_duration, 0) / movieTimescale;
    const shown = edits.find((edit) => edit.media_time >= 0);
    const from = shown?.media_time ?? 0;
    const to = shown ? from + (shown.segment_duration / movieTimescale) * timescale : Infinity;
    return {
      type: info.type,
      codec: info.codec,
      timescale,
      widthPx: trak.tkhd.width / 65_536,
      description: bytes.subarray(stsd.start! + 8, stsd.start! + stsd.size), // read from the file it was written to
      matrix: [...trak.tkhd.matrix],
      language,
      samples: samplesOf(file, trak.tkhd.track_id).map((sample) => ({
        bytes: bytes.subarray(sample.offset, sample.offset + sample.size),
        isKey: sample.is_sync,
        startTicks: sample.dts,
        lengthTicks: sample.duration,
        shownS: emptyS + (sample.cts - from) / timescale,
        isShown: sample.cts + sample.duration > from && sample.cts < to - 0.5,
      })),
    };
  });
}

interface Edit {
  readonly segment_duration: number;
  readonly media_time: number;
}
type Trak = { readonly edts?: { readonly elst?: { readonly entries: readonly Edit[] } } };
const editsOf = (trak: Trak): readonly Edit[] => trak.edts?.elst?.entries ?? [];
const samplesOf = (file: ISOFile, trackId: number): readonly Sample[] => file.getTrackSamplesInfo(trackId);
