import { toRfc3339 } from '../../../../shared/time.ts';
import { exitCodes, type RunCommand } from '../command.ts';
import { withDesk } from '../openCliDesk.ts';
import { megabytes, table } from '../output.ts';
import { expectPositionals } from '../values.ts';

/** `sources`: the files that came in. */
export const runSourcesCommand: RunCommand = async (context) => {
  expectPositionals(context.args, []);
  const all = await withDesk(context, (desk) => desk.client.invoke('sources.list', {}));
  const sources = all.map((source) => ({
    sourceId: source.sourceId,
    fileName: source.fileName,
    kind: source.kind,
    sha256: source.sha256,
    sizeBytes: source.sizeBytes,
    importedAt: toRfc3339(source.importedAtMs),
    trips: source.trips,
    points: source.points,
    skippedRows: source.skippedRows,
    from: toRfc3339(source.fromMs),
    to: toRfc3339(source.toMs),
    unknownCameraTrips: source.unknownCameraTrips,
  }));
  context.output.result({ sources }, () =>
    sources.length === 0
      ? 'No sources yet.\n'
      : table(
          ['SOURCE', 'FILE', 'SIZE', 'TRIPS', 'POINTS', 'LEFT OUT', 'FROM', 'TO'],
          sources.map((s) => [
            s.sourceId,
            s.fileName,
            megabytes(s.sizeBytes),
            s.trips,
            s.points,
            s.skippedRows,
            s.from,
            s.to,
          ]),
        ),
  );
  return exitCodes.done;
};
