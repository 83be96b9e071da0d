/** Which bytes of a file a reply carries: `end` is the last one, inclusive. */
export type ByteRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' };

/**
 * Reads a Range header (RFC 9110 section 14) against a file of `sizeBytes`. One range is answered: `a-b`,
 * `a-` and the suffix `-n`. What the RFC lets a server ignore is ignored: other units, several ranges and
 * text that is no range give the whole file; a range that begins past the end is unsatisfiable.
 */
export function parseByteRange(header: string | null | undefined, sizeBytes: number): ByteRange {
  if (header === null || header === undefined) return { kind: 'whole' };
  const match = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header);
  if (!match) return { kind: 'whole' };
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return { kind: 'whole' };
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    if (length === 0) return { kind: 'unsatisfiable' };
    return { kind: 'part', start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return { kind: 'whole' }; // not a valid range: ignored
  if (start >= sizeBytes) return { kind: 'unsatisfiable' };
  return { kind: 'part', start, end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}
