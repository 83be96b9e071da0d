import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { PayloadOf } from '../../shared/contract/index.ts';
import type { Job } from '../../shared/contract/jobs.ts';
import type { JobId, UploadId } from '../../shared/ids.ts';
import type { HostAbilities } from '../../main/desk/deps.ts';
import { openDesk, type Desk, type DeskOptions } from '../../main/desk/desk.ts';
import { createFileSecretStore } from '../../main/desk/secretFile.ts';
import { receiveUpload } from '../../main/desk/uploads.ts';

/** A temporary folder with a data folder and a configuration folder in it. */
export function aPlace(): { root: string; dataFolder: string; configFolder: string; remove(): void } {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'desk-'));
  return {
    root,
    dataFolder: path.join(root, 'data'),
    configFolder: path.join(root, 'config'),
    remove: () => fs.rmSync(root, { recursive: true, force: true }),
  };
}
export type Place = ReturnType<typeof aPlace>;

export function testAbilities(place: Place): HostAbilities & { readonly revealed: string[] } {
  const revealed: string[] = [];
  const secrets = createFileSecretStore({ ...place, environment: {} });
  return {
    info: { host: 'test', canRevealInFolder: true, canPickFiles: true, secretStore: secrets.kind },
    protectSecret: secrets.protectSecret,
    revealSecret: secrets.revealSecret,
    revealInFolder: async (file) => void revealed.push(file),
    revealed,
  };
}

/** A real desk over a temporary folder; bugs are kept to be looked at. */
export async function aDesk(
  place: Place,
  options: Partial<DeskOptions> = {},
): Promise<Desk & { bugs: unknown[] }> {
  const bugs: unknown[] = [];
  const desk = await openDesk({
    dataFolder: place.dataFolder,
    abilities: testAbilities(place),
    runner: 'inline',
    appVersion: '1.2.3',
    samplePath: null,
    onBug: (_where, thrown) => bugs.push(thrown),
    ...options,
  });
  return Object.assign(desk, { bugs });
}

const head = 'psn,carName,datetime,lat,lng,drive_no,heading,speedKmh';

/** A GPS export as CSV: `points` positions a second apart, of one camera (none with psn ''). */
export function aCsv(options: { psn?: string; points?: number; day?: string; latDeg?: number } = {}): string {
  const { psn = 'PSN1', points = 5, day = '2026-03-14', latDeg = 52.1 } = options;
  const rows = Array.from({ length: points }, (_, i) => {
    const time = new Date(Date.parse(`${day}T10:00:00Z`) + i * 1000).toISOString();
    return `${psn},Van 1,${time},${(latDeg + i / 10_000).toFixed(6)},4.300000,7,90,${i === 0 ? '' : i}`;
  });
  return `${[head, ...rows].join('\r\n')}\r\n`;
}

/** Writes a file of the user's into the place. */
export function aFile(place: Place, name: string, content: string | Uint8Array): string {
  const file = path.join(place.root, name);
  fs.writeFileSync(file, content);
  return file;
}

/** Hands bytes over as a front end does. */
export async function anUpload(place: Place, name: string, content: string | Uint8Array): Promise<UploadId> {
  async function* bytes() {
    yield Buffer.from(content);
  }
  const upload = await receiveUpload(place.dataFolder, name, bytes());
  return upload.uploadId;
}

/** Waits, by events, for a job's end. */
export async function endOf(desk: Pick<Desk, 'client'>, jobId: JobId): Promise<Job> {
  const ended = Promise.withResolvers<Job>();
  const look = (job: PayloadOf<'jobs.changed'>): void => {
    if (job.jobId === jobId && job.state.status !== 'running') ended.resolve(job);
  };
  const stop = desk.client.on('jobs.changed', look);
  (await desk.client.invoke('jobs.list', {})).forEach(look);
  return ended.promise.finally(stop);
}
