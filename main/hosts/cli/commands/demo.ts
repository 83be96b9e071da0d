import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AppError } from '../../../../shared/errors.ts';
import type { CaseId, SourceId, TripId } from '../../../../shared/ids.ts';
import type { CloudUseCases } from '../../../desk/cloud.ts';
import type { Desk } from '../../../desk/desk.ts';
import { exitCodes, type CommandContext, type RunCommand } from '../command.ts';
import { expectPositionals } from '../values.ts';
import { withCloud } from '../withCloud.ts';
import { listWhole } from './cards.ts';
import { exportGps } from './exportGps.ts';
import { toImportDocument } from './import.ts';
import { recallClip } from './recall.ts';

const dayMs = 86_400_000;

/**
 * `demo`: the main job against the built-in simulated fleet: order a GPS export, import it, recall the front and
 * option clips of a collision, make a case, seal it, verify it. Without --data-dir in a folder of its own, so that nobody's evidence cache is filled with a demo's.
 */
export const runDemoCommand: RunCommand = async (given) => {
  const { args, output, signal } = given;
  expectPositionals(args, []);
  const dataFolder =
    args.value('--data-dir') === undefined && process.env.EVIDENCE_DESK_DATA_DIR === undefined
      ? mkdtempSync(path.join(os.tmpdir(), 'evidence-desk-demo-'))
      : given.dataFolder;
  const context = { ...given, dataFolder };
  const document = await withCloud(context, async (cloud, desk) => {
    const account = await desk.client.invoke('demo.start', {});
    output.message(`The demo fleet runs on this machine (account "${account.label}").`);
    const toDay = new Date(Date.now() - dayMs).toISOString().slice(0, 10);
    const fromDay = new Date(Date.now() - 2 * dayMs).toISOString().slice(0, 10);
    const { finished, file, outcome } = await exportGps(
      context,
      cloud,
      desk,
      { fromDay, toDay, format: 'csv' },
      true,
    );
    const source = outcome?.sources[0];
    const sourceId = source?.sourceId ?? source?.duplicateOf ?? null;
    if (file === null || outcome === null || sourceId === null) {
      throw new AppError('nothing_imported', 'The demo fleet’s export could not be imported.', {
        details: { job: finished.job },
      });
    }
    const name = `Demo ${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`;
    const { caseId } = await desk.client.invoke('cases.create', { name });
    await desk.client.invoke('cases.add', { caseId, refs: [{ kind: 'source', sourceId }] });
    const clips = await recallCollision(context, cloud, desk, caseId);
    const tripIds = await tripsOfClips(desk, sourceId);
    if (tripIds.length > 0) {
      await desk.client.invoke('cases.add', {
        caseId,
        refs: tripIds.map((tripId) => ({ kind: 'trip', tripId })),
      });
    }
    await desk.client.invoke('cases.addNote', {
      caseId,
      text: 'Made by the demo, from the built-in simulated fleet.',
    });
    const outPath = path.join(dataFolder, `${name.replaceAll(' ', '-')}.zip`);
    const sealed = await desk.sealTo(caseId, outPath, { signal, onProgress: output.progress });
    const verify = await desk.verifyFile(outPath, { signal, onProgress: output.progress });
    await desk.client.invoke('demo.stop', {});
    return {
      dataDir: dataFolder,
      job: finished.job,
      import: toImportDocument(outcome),
      clips,
      case: { caseId, name },
      package: {
        path: outPath,
        sha256: sealed.sha256,
        files: sealed.files,
        bytes: sealed.sizeBytes,
        signedBy: sealed.signedBy,
        custodyHead: sealed.custodyHead,
      },
      verify,
    };
  });
  output.result(
    document,
    () =>
      `Sealed ${document.package.path} (${document.package.files} files), ` +
      `${document.verify.ok ? 'and it verifies' : 'but it does not verify'}.\n`,
  );
  return document.verify.ok ? exitCodes.done : exitCodes.notVerified;
};

/** The drives of the export during which the recalled clips were recorded. */
async function tripsOfClips(desk: Desk, sourceId: SourceId): Promise<readonly TripId[]> {
  const found = new Set<TripId>();
  for (const { psn, startUtcMs, endUtcMs } of await desk.client.invoke('clips.list', {})) {
    if (psn === null || startUtcMs === null) continue;
    const during = { fromMs: startUtcMs, toMs: endUtcMs ?? startUtcMs + 1 };
    const trips = await desk.client.invoke('trips.list', { sourceId, psns: [psn], ...during });
    for (const { tripId } of trips) found.add(tripId);
  }
  return [...found];
}

/** How many cameras' newest impacts are compared: each costs one look at its card. */
const comparedImpacts = 4;

/** The hardest of the newest impacts with both views on cards that answer: its low-resolution clips, recalled into the case. */
async function recallCollision(
  context: CommandContext,
  cloud: CloudUseCases,
  desk: Desk,
  caseId: CaseId,
): Promise<readonly Awaited<ReturnType<typeof recallClip>>[]> {
  const { data } = await cloud.callAll('events.list', { type: 'driving_impact' });
  const events = data as readonly { psn?: string; occurredAt?: string; hasVideo?: boolean }[]; // read tolerantly
  const newestFirst = events
    .filter((event) => event.hasVideo !== false && event.psn !== undefined)
    .sort((a, b) => (b.occurredAt ?? '').localeCompare(a.occurredAt ?? ''));
  let hardest: { psn: string; names: readonly string[]; peakG: number } | null = null;
  let compared = 0;
  for (const psn of new Set(newestFirst.map((event) => event.psn!))) {
    if (compared === comparedImpacts) break;
    const names = await collisionNames(context, desk, psn);
    if (names.length === 0) continue;
    compared++;
    const peakG = await peakGOf(desk, psn, names[0]!);
    if (hardest === null || peakG > hardest.peakG) hardest = { psn, names, peakG };
  }
  if (hardest === null)
    throw new AppError('not_found', 'No camera of the demo fleet holds a collision with both views.');
  const clips = [];
  for (const filename of hardest.names) {
    clips.push(
      await recallClip(context, cloud, desk, {
        psn: hardest.psn,
        filename,
        quality: 'sub',
        deadlineSeconds: 300,
        reason: 'The built-in demo',
        isAgreed: true,
        caseId,
      }),
    );
  }
  return clips;
}

/** Largest magnitude of a recording's G-sensor samples, which cost no transfer; 0 where the card does not tell. */
async function peakGOf(desk: Desk, psn: string, filename: string): Promise<number> {
  try {
    const { gSensor } = await desk.client.invoke('cards.metadata', { psn, filename });
    if (gSensor === null) return 0;
    const { verticalG, lateralG, longitudinalG } = gSensor;
    return verticalG.reduce(
      (peak, vertical, i) => Math.max(peak, Math.hypot(vertical, lateralG[i]!, longitudinalG[i]!)),
      0,
    );
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return 0;
  }
}

/** File names of a collision that both cameras recorded; none where the card can't be read now. */
async function collisionNames(context: CommandContext, desk: Desk, psn: string): Promise<readonly string[]> {
  let recordings;
  try {
    ({ recordings } = await listWhole(desk.client, psn, { type: 'driving_impact' }));
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    context.output.message(`${psn}: ${thrown.message}`);
    return [];
  }
  // The name begins with the second of recording; both cameras share it (specification, 2.1).
  const bySecond = Map.groupBy(recordings, (one) => one.filename.slice(0, 15));
  for (const group of bySecond.values()) {
    const front = group.find((one) => one.direction === 'front');
    const option = group.find((one) => one.direction === 'option');
    if (front && option) return [front.filename, option.filename];
  }
  return [];
}
