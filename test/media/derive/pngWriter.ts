/** Writes PNGs for the tests, from their specification alone. */
import { crc32, deflateSync } from 'node:zlib';
import { u32 } from '../telemetry/clipWriter.ts';

export const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function chunk(type: string, payload: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), payload]);
  return Buffer.concat([u32(payload.length), body, u32(crc32(body))]);
}

/** Rows of pixels, each with its filter in front. */
export function pixelsOf(width: number, height: number, samples: number, filter = 0): Buffer {
  const rowBytes = 1 + width * samples;
  return Buffer.from(
    Uint8Array.from({ length: rowBytes * height }, (_, i) => (i % rowBytes === 0 ? filter : i % 251)),
  );
}

/** A picture in RGB; `tone` makes its bytes its own. */
export function aPng(width: number, height: number, tone = 0): Buffer {
  const pixels = pixelsOf(width, height, 3);
  pixels[1] = tone;
  return Buffer.concat([
    signature,
    chunk('IHDR', Buffer.concat([u32(width), u32(height), Buffer.from([8, 2, 0, 0, 0])])),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
