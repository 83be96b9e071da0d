import { findChild } from './boxes.ts';

/** Bytes of a visual sample entry in front of its child boxes, its own box header aside. */
const visualEntryBytes = 78;

/** The codec as RFC 6381 writes it, as far as the sample entry (without its box header) tells. */
export function codecName(format: string, entry: Buffer): string {
  const children = entry.subarray(visualEntryBytes);
  if (format === 'avc1' || format === 'avc3') {
    const config = findChild(children, 'avcC');
    return config && config.length >= 4 ? `${format}.${config.toString('hex', 1, 4)}` : format;
  }
  if (isH265(format)) {
    const config = findChild(children, 'hvcC');
    return config && config.length >= 13 ? `${format}.${h265Profile(config)}` : format;
  }
  return format.trim();
}

/** Played only with hardware help (formats.md section 3). */
export function isH265(format: string): boolean {
  return ['hvc1', 'hev1', 'hvc2', 'hev2', 'dvh1', 'dvhe'].includes(format);
}

/** ISO 14496-15 annex E: profile, compatibility bits in reverse, tier and level, constraints without zeros. */
function h265Profile(config: Buffer): string {
  const first = config[1]!;
  const space = ['', 'A', 'B', 'C'][first >> 6]!;
  let bits = config.readUInt32BE(2);
  let reversed = 0;
  for (let i = 0; i < 32; i++) {
    reversed = reversed * 2 + (bits & 1);
    bits >>>= 1;
  }
  const constraints = [...config.subarray(6, 12)];
  while (constraints.at(-1) === 0) constraints.pop();
  const parts = [
    `${space}${first & 0x1f}`,
    reversed.toString(16).toUpperCase(),
    `${(first & 0x20) === 0 ? 'L' : 'H'}${config[12]}`,
    ...constraints.map((byte) => byte.toString(16).toUpperCase()),
  ];
  return parts.join('.');
}
