import type { EntryFormat } from '../../shared/contract/imports.ts';
import type { ReaderContext } from './reader.ts';

/** Code page 437's upper half: what the zip format says of names that are not marked as UTF-8. */
const cp437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■ ';

/** A name as text: UTF-8 where the bytes are UTF-8 (marked or not: many writers forget the mark), else CP437. */
export function decodeEntryName(raw: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    return Array.from(raw, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : cp437[byte - 0x80]!)).join(
      '',
    );
  }
}

/**
 * The name as it can be shown and kept: control characters, line breaks, invisible and direction-changing
 * characters and backslashes become visible escapes, so that no name can pass for another one.
 */
export function escapeEntryName(name: string): string {
  return name.replaceAll(/[\\\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\\' ? '\\\\' : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}

/** Longest name that an export could honestly have, in characters; longer ones are shown cut. */
const longestName = 1024;

/** Why an entry with this name is not read; null when nothing is wrong. Names are never used as paths all the same. */
export function nameProblem(name: string): string | null {
  if (name.includes('\0')) return 'its name holds a NUL character';
  if (/^[A-Za-z]:/.test(name)) return 'its name starts with a drive letter';
  if (/^[\\/]{2}/.test(name)) return 'its name is a network path';
  if (/^[\\/]/.test(name)) return 'its name is an absolute path';
  if (name.split(/[\\/]/).includes('..')) return 'its name points outside the archive';
  if (name.includes('\\')) return 'its name holds a backslash';
  if (name === '') return 'it has no name';
  if (name.length > longestName) return `its name is longer than ${longestName} characters`;
  return null;
}

/** Cuts what would flood a report. */
export function shownName(name: string): string {
  const cut = name.length > longestName ? `${name.slice(0, 200)}… (${name.length} characters)` : name;
  return escapeEntryName(cut);
}

/** By the name's ending, letter case aside; null for anything that holds no tracks. */
export function formatOfName(name: string): Exclude<EntryFormat, 'mp4'> | null {
  const ending = /\.(csv|gpx|kml)$/i.exec(name)?.[1]?.toLowerCase();
  return ending === 'csv' || ending === 'gpx' || ending === 'kml' ? ending : null;
}

/**
 * Whose file it is, from `camera-<name>-<psn>.<ext>` (specification 4.3 rule 6). The name may hold dashes,
 * spaces and any script: the psn is what follows the last dash.
 */
export function contextOfName(name: string): ReaderContext {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const parts = /^camera-(.*)-([^-]+)\.[A-Za-z0-9]+$/su.exec(base);
  const psn = parts?.[2]?.trim() ?? '';
  if (!parts || psn === '') return { psn: null, cameraName: null };
  const cameraName = parts[1]!.trim();
  return { psn, cameraName: cameraName === '' ? null : cameraName };
}
