/** Character and name rules of XML 1.0 (fifth edition) and of Namespaces in XML. */
import { utf8Length } from './encoding.ts';

const nameStart =
  'A-Z_a-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f' +
  '\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}';
const nameRest = `${nameStart}\\-.0-9\\u00b7\\u0300-\\u036f\\u203f\\u2040`;
const ncName = `[${nameStart}][${nameRest}]*`;
// The ranges are those of the specification; combining marks are meant as single characters.
// eslint-disable-next-line no-misleading-character-class
const qualifiedName = new RegExp(`^${ncName}(?::${ncName})?$`, 'u');
// eslint-disable-next-line no-misleading-character-class -- as above
const targetName = new RegExp(`^${ncName}$`, 'u');

/** `local` or `prefix:local`? */
export function isQualifiedName(text: string): boolean {
  return qualifiedName.test(text);
}

/** A name without a colon (a processing instruction's target)? */
export function isPlainName(text: string): boolean {
  return targetName.test(text);
}

/** May this code point stand in a document at all? */
export function isXmlChar(point: number): boolean {
  return (
    (point >= 0x20 && point <= 0xd7ff) ||
    point === 0x09 ||
    point === 0x0a ||
    point === 0x0d ||
    (point >= 0xe000 && point <= 0xfffd) ||
    (point >= 0x10000 && point <= 0x10ffff)
  );
}

/**
 * Length of the legal character at `at` in UTF-8 (1 to 4 bytes); 0 where the bytes are no legal character;
 * -1 where [at, to) ends inside it.
 */
export function xmlCharLength(bytes: Uint8Array, at: number, to: number): number {
  const byte = bytes[at]!;
  if (byte < 0x80) return byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d ? 1 : 0;
  const length = utf8Length(bytes, at, to);
  // U+FFFE and U+FFFF: EF BF BE and EF BF BF.
  if (length === 3 && byte === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2]! >= 0xbe) return 0;
  return length;
}

/** First place in [from, to) that is not legal text, or -1. */
export function findIllegal(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to;) {
    const byte = bytes[at]!;
    if (byte >= 0x20 && byte < 0x80) {
      at++;
      continue;
    }
    const length = xmlCharLength(bytes, at, to);
    if (length <= 0) return at;
    at += length;
  }
  return -1;
}

const predefined: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text of the reference between `&` and `;`, or null where it is none that needs no declaration. */
export function referenceText(name: string): string | null {
  if (!name.startsWith('#')) return Object.hasOwn(predefined, name) ? predefined[name]! : null;
  const isHex = name[1] === 'x';
  const digits = name.slice(isHex ? 2 : 1);
  if (!(isHex ? /^[0-9a-fA-F]{1,8}$/ : /^[0-9]{1,10}$/).test(digits)) return null;
  const point = Number.parseInt(digits, isHex ? 16 : 10);
  return isXmlChar(point) ? String.fromCodePoint(point) : null;
}
