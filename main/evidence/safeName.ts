/** Names that Windows gives to devices, with or without an extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * A file name that every file system and `unzip` in every locale takes as it is: ASCII letters, digits and
 * ` ._()+=-`, no leading or trailing dot, dash or space, no reserved name, at most `most` characters. The
 * name as it was given is in evidence.json.
 */
export function safeName(given: string, fallback: string, most = 80): string {
  const ascii = given
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 ._()+=-]+/g, '_')
    .replace(/\.{2,}/g, '.');
  const dot = ascii.lastIndexOf('.');
  const extension = dot > 0 && ascii.length - dot <= 10 ? ascii.slice(dot) : '';
  const stem = ascii.slice(0, ascii.length - extension.length).slice(0, most - extension.length);
  // A name of another script keeps its ending: a clip that opens with nothing is of little use.
  const name = trimEdges((/[A-Za-z0-9]/.test(stem) ? trimEdges(stem) : fallback) + extension);
  return reserved.test(name) ? `_${name}` : name;
}

function trimEdges(text: string): string {
  return text.replace(/^[ ._=+-]+|[ .-]+$/g, '');
}

/**
 * Portable names for files that share a folder, the same whatever the order they are given in: where two would
 * be one (letter case aside), each gets the first eight digits of its hash before the extension. Files of one name
 * and one content (a still that was taken twice) are numbered as they come.
 */
export function uniqueNames(
  files: readonly { readonly name: string; readonly sha256: string }[],
): readonly string[] {
  const names = files.map((file) => safeName(file.name, 'file'));
  const uses = new Map<string, number>();
  const twins = new Map<string, number>();
  const numbers = names.map((name, i) => {
    const key = name.toLowerCase();
    uses.set(key, (uses.get(key) ?? 0) + 1);
    const twin = `${files[i]!.sha256} ${key}`;
    const number = (twins.get(twin) ?? 0) + 1;
    twins.set(twin, number);
    return number === 1 ? '' : `-${number}`;
  });
  const marked = names.map((name, i) => {
    if (uses.get(name.toLowerCase()) === 1) return name;
    const dot = name.lastIndexOf('.');
    const at = dot > 0 ? dot : name.length;
    return `${name.slice(0, at)}-${files[i]!.sha256.slice(0, 8)}${numbers[i]!}${name.slice(at)}`;
  });
  // A name may have looked like a marked one from the start; whole hashes settle that (no safe name begins with a dash).
  const isDistinct = new Set(marked.map((name) => name.toLowerCase())).size === marked.length;
  return isDistinct
    ? marked
    : names.map((name, i) => `${files[i]!.sha256}${numbers[i] ? `-${numbers[i]}` : ''}-${name}`);
}
