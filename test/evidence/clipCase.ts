import fs from 'node:fs';
import path from 'node:path';
import { verifyPackage } from '../../main/evidence/verifier.ts';
import type { CaseId, ClipId } from '../../shared/ids.ts';
import { aClip, clipBytes, clipName, clipStartMs } from './clipSupport.ts';
import { failures, unpacked } from './forgery.ts';
import { openWorld, temporaryFolder, type World } from './support.ts';

export const frontBytes = clipBytes({ tag: 'front' });
export const optionBytes = clipBytes({ tag: 'option', hasAudio: true });

/** A case with the two views of one moment, and a folder to seal it into. */
export interface ClipCase {
  readonly world: World;
  readonly out: string;
  readonly caseId: CaseId;
  readonly front: ClipId;
  readonly option: ClipId;
}

export async function openClipCase(): Promise<ClipCase> {
  const world = openWorld();
  const { caseId } = await world.cases['cases.create']({ name: 'Crossing' });
  const front = await aClip(world, clipName(), frontBytes);
  const option = await aClip(world, clipName(clipStartMs, 'EO'), optionBytes);
  await addClips(world, caseId, front, option);
  return { world, out: temporaryFolder(), caseId, front, option };
}

export function closeClipCase({ world, out }: ClipCase): void {
  world.close();
  fs.rmSync(out, { recursive: true, force: true });
}

export async function addClips(world: World, caseId: CaseId, ...clipIds: readonly ClipId[]): Promise<void> {
  const refs = clipIds.map((clipId) => ({ kind: 'clip' as const, clipId }));
  await world.cases['cases.add']({ caseId, refs });
}

/** Seals the case, sees that it verifies, and gives the files of the bag. */
export async function sealedFiles(
  { world, out, caseId }: Pick<ClipCase, 'world' | 'out' | 'caseId'>,
  choice: Parameters<World['seal']>[2] = {},
): Promise<Map<string, Buffer>> {
  const folder = fs.mkdtempSync(path.join(out, 'seal-'));
  const file = path.join(folder, 'bag.zip');
  await world.seal(caseId, file, choice);
  const said = failures(await verifyPackage(file));
  if (said !== '') throw new Error(said);
  return unpacked(file, path.join(folder, 'x'));
}

/** A JSON file of the bag; tests look into it freely. */
export const jsonOf = (content: ReadonlyMap<string, Buffer>, name: string) =>
  JSON.parse(content.get(`data/${name}`)!.toString());

/** Paths below a folder of the payload. */
export const folderOf = (content: ReadonlyMap<string, Buffer>, folder: string): string[] =>
  [...content.keys()].filter((name) => name.startsWith(`data/${folder}/`)).sort();
