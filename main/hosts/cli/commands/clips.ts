import { toRfc3339 } from '../../../../shared/time.ts';
import { exitCodes, type RunCommand } from '../command.ts';
import { withDesk } from '../openCliDesk.ts';
import { megabytes, table } from '../output.ts';
import { expectPositionals, parseRange } from '../values.ts';

/** `clips`: the clips in the data folder that match, by start; those of unknown time last, without a range. */
export const runClipsCommand: RunCommand = async (context) => {
  const { args, output } = context;
  expectPositionals(args, []);
  const psns = args.list('--psn');
  const filter = { ...parseRange(args), ...(psns.length === 0 ? {} : { psns: [...psns] }) };
  const all = await withDesk(context, async (desk) => {
    await desk.readArrivedClips();
    return desk.client.invoke('clips.list', filter);
  });
  const wholeMs = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));
  const clips = all.map((clip) => ({
    clipId: clip.clipId,
    sourceId: clip.sourceId,
    filename: clip.fileName,
    sha256: clip.sha256,
    sizeBytes: clip.sizeBytes,
    psn: clip.psn,
    quality: clip.quality,
    typeCode: clip.typeCode,
    directionCode: clip.directionCode,
    recordedAtLocal: clip.recordedAtLocal,
    startUtc: toRfc3339(wholeMs(clip.startUtcMs)),
    endUtc: toRfc3339(wholeMs(clip.endUtcMs)),
    durationS: clip.durationS === null ? null : Math.round(clip.durationS * 1000) / 1000,
    origin: clip.origin,
    importedAt: toRfc3339(clip.importedAtMs),
  }));
  output.result({ clips }, () =>
    clips.length === 0
      ? 'No clips.\n'
      : table(
          ['CLIP', 'CAMERA', 'FILE', 'QUALITY', 'START (UTC)', 'SECONDS', 'SIZE'],
          clips.map((c) => [
            c.clipId,
            c.psn,
            c.filename,
            c.quality,
            c.startUtc,
            c.durationS === null ? null : c.durationS.toFixed(1),
            megabytes(c.sizeBytes),
          ]),
        ),
  );
  return exitCodes.done;
};
