import type { Bag } from './bagReader.ts';
import { shown } from './containerReader.ts';
import { isObject, parseObject, textOf } from './custodyChecks.ts';
import type { Findings } from './findings.ts';

/** Folders of which evidence.json states every file. */
export const clipFolders = /^data\/(?:clips|telemetry|derived|snapshots)\//;

/**
 * Whether clips, their telemetry, stills, trims and recipes are the files that evidence.json states (schema version
 * 2). Adds each path that it states to `stated`. Returns the number of clips.
 */
export function checkClips(
  bag: Bag,
  evidence: Record<string, unknown>,
  stated: Set<string>,
  findings: Findings,
): number {
  const clips = listOf(evidence.clips, findings);
  const clipHashes = new Map<string, unknown>();
  for (const clip of clips) {
    clipHashes.set(textOf(clip.clipId), clip.sha256);
    if (clip.path !== null) checkFile(bag, clip, 'the clip', stated, findings);
    if (clip.telemetry !== null) checkFile(bag, clip.telemetry, 'the telemetry', stated, findings);
  }
  for (const derived of listOf(evidence.derived, findings)) {
    checkFile(bag, derived, 'the still or trim', stated, findings);
    if (derived.telemetry !== null) checkFile(bag, derived.telemetry, 'the telemetry', stated, findings);
    checkRecipe(bag, derived, clipHashes, stated, findings);
  }
  return clips.length;
}

function checkFile(bag: Bag, given: unknown, what: string, stated: Set<string>, findings: Findings): void {
  const file = isObject(given) ? given : {};
  const path = textOf(file.path);
  stated.add(path);
  const found = bag.files.get(path);
  if (!found) findings.file(path, 'is missing or unreadable: evidence.json states it');
  else if (found.sha256 !== file.sha256 || found.sizeBytes !== file.sizeBytes) {
    findings.file(path, `is not ${what} that evidence.json states: its hash or size is another`);
  }
}

/** The recipe beside a still or trim: it must tell of that file, and of the clip that evidence.json names. */
function checkRecipe(
  bag: Bag,
  derived: Record<string, unknown>,
  clipHashes: ReadonlyMap<string, unknown>,
  stated: Set<string>,
  findings: Findings,
): void {
  const path = textOf(derived.recipePath);
  stated.add(path);
  const text = bag.texts.get(path);
  if (!text) {
    findings.file(path, 'is missing or unreadable: evidence.json states it');
    return;
  }
  const recipe = parseObject(text.toString('utf8'));
  const output = recipe && isObject(recipe.output) ? recipe.output : null;
  const source = recipe && isObject(recipe.source) ? recipe.source : null;
  if (!output || !source) {
    findings.file(path, 'is no recipe: it lacks what was made or from what');
    return;
  }
  const made = bag.files.get(textOf(derived.path));
  if (made && (output.sha256 !== made.sha256 || output.sizeBytes !== made.sizeBytes)) {
    findings.file(path, `tells of another file than ${shown(textOf(derived.path))}`);
  }
  const told = isObject(derived.source) ? derived.source : {};
  if (source.sha256 !== told.sha256 || source.clipId !== told.clipId) {
    findings.file(path, 'names another source than evidence.json does');
  }
  const inside = clipHashes.get(textOf(source.clipId));
  if (inside !== undefined && inside !== source.sha256) {
    findings.file(path, 'names a clip of the package with another hash than that clip has');
  }
}

function listOf(value: unknown, findings: Findings): readonly Record<string, unknown>[] {
  if (Array.isArray(value) && value.every(isObject)) return value;
  findings.file('data/evidence.json', 'lacks its list of clips, stills or trims');
  return [];
}
