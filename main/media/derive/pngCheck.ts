import { open, type FileHandle } from 'node:fs/promises';
import { createInflate, crc32 } from 'node:zlib';
import { AppError } from '../../../shared/errors.ts';

/** A picture that was checked. */
export interface PngFacts {
  readonly widthPx: number;
  readonly heightPx: number;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const pieceBytes = 256 * 1024;
/** Sides of 16,384 pixels: more than any camera of a vehicle has. */
const longestSidePx = 16_384;
/** Text, profile, time and the like; none of it is needed. */
const mostChunks = 100_000;
/** Samples of a pixel, by colour type. */
const samplesOfType: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Checks a PNG that came from outside, in pieces and with bounded memory: signature, chunks with their CRC, one of
 * the expected sizes, and pixel data that inflates to exactly what the size needs. `sizes` are in pixels. Throws
 * AppError invalid_input with what is wrong with it.
 */
export async function checkPng(
  filePath: string,
  sizes: readonly { readonly width: number; readonly height: number }[],
): Promise<PngFacts> {
  const file = await open(filePath, 'r');
  try {
    return await new PngReader(file, (await file.stat()).size).check(sizes);
  } finally {
    await file.close();
  }
}

function refuse(why: string): never {
  throw new AppError('invalid_input', `The picture can't be kept: ${why}.`, {
    remedy: 'Take the still again.',
  });
}

class PngReader {
  private readonly file: FileHandle;
  private readonly sizeBytes: number;
  private at = 0;

  constructor(file: FileHandle, sizeBytes: number) {
    this.file = file;
    this.sizeBytes = sizeBytes;
  }

  async check(sizes: readonly { readonly width: number; readonly height: number }[]): Promise<PngFacts> {
    if (!(await this.read(8)).equals(signature)) refuse('it is not a PNG');
    const header = await this.header();
    if (!sizes.some(({ width, height }) => width === header.widthPx && height === header.heightPx)) {
      const wanted = sizes.map(({ width, height }) => `${width} x ${height}`).join(' or ');
      const is = `${header.widthPx} x ${header.heightPx}`;
      refuse(`it is ${is} pixels, the video ${wanted === '' ? 'has no known size' : `is ${wanted}`}`);
    }
    const pixels = new PixelCount(header.rowBytes, header.heightPx);
    let state: 'before' | 'inside' | 'behind' = 'before';
    for (let chunks = 1; ; chunks++) {
      if (chunks > mostChunks) refuse('it has too many parts');
      const { type, lengthBytes } = await this.chunkHeader();
      if (type === 'IEND') {
        if (lengthBytes !== 0) refuse('its end is no end');
        await this.payload(type, 0, null);
        break;
      }
      // An upper-case first letter says that a picture can't be shown without knowing the chunk.
      if (!['IDAT', 'PLTE'].includes(type) && type[0]! < 'a') refuse(`it has an unknown part "${type}"`);
      if (type !== 'IDAT') {
        if (state === 'inside') state = 'behind';
        await this.payload(type, lengthBytes, null);
        continue;
      }
      if (state === 'behind') refuse('its pixels are interrupted');
      state = 'inside';
      await this.payload(type, lengthBytes, pixels);
    }
    if (this.at !== this.sizeBytes) refuse('there is something behind its end');
    await pixels.finish();
    return { widthPx: header.widthPx, heightPx: header.heightPx };
  }

  private async header(): Promise<PngFacts & { rowBytes: number }> {
    const { type, lengthBytes } = await this.chunkHeader();
    if (type !== 'IHDR' || lengthBytes !== 13) refuse('it has no header');
    const bytes = await this.payload(type, 13, null);
    const [widthPx, heightPx] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
    const [bits, colour, packing, filter, interlace] = bytes.subarray(8);
    const samples = samplesOfType[colour!];
    const isSized = [widthPx, heightPx].every((side) => side > 0 && side <= longestSidePx);
    if (!isSized || samples === undefined || ![1, 2, 4, 8, 16].includes(bits!))
      refuse('its header is damaged');
    if (packing !== 0 || filter !== 0) refuse('it is packed in an unknown way');
    if (interlace !== 0) refuse('it is interlaced');
    return { widthPx, heightPx, rowBytes: 1 + Math.ceil((widthPx * samples * bits!) / 8) };
  }

  private async chunkHeader(): Promise<{ type: string; lengthBytes: number }> {
    const bytes = await this.read(8);
    const lengthBytes = bytes.readUInt32BE(0);
    const type = bytes.toString('latin1', 4, 8);
    if (!/^[A-Za-z]{4}$/.test(type)) refuse('it is damaged');
    if (lengthBytes + 4 > this.sizeBytes - this.at) refuse('it is cut short');
    return { type, lengthBytes };
  }

  /** Goes through a chunk's payload and checks its CRC; gives the payload of short ones. */
  private async payload(type: string, lengthBytes: number, pixels: PixelCount | null): Promise<Buffer> {
    let sum = crc32(Buffer.from(type, 'latin1'));
    let bytes: Buffer = Buffer.alloc(0);
    for (let left = lengthBytes; left > 0; left -= bytes.length) {
      bytes = await this.read(Math.min(left, pieceBytes));
      sum = crc32(bytes, sum);
      await pixels?.add(bytes);
    }
    if ((await this.read(4)).readUInt32BE(0) !== sum) refuse(`its part "${type}" is damaged`);
    return bytes;
  }

  private async read(lengthBytes: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(lengthBytes);
    let filled = 0;
    while (filled < lengthBytes) {
      const { bytesRead } = await this.file.read(bytes, filled, lengthBytes - filled, this.at + filled);
      if (bytesRead === 0) refuse('it is cut short');
      filled += bytesRead;
    }
    this.at += lengthBytes;
    return bytes;
  }
}

/** Inflates the pixels without keeping them: counts them, and looks at the filter in front of each row. */
class PixelCount {
  private readonly rowBytes: number;
  private readonly totalBytes: number;
  private readonly inflate = createInflate({ chunkSize: pieceBytes });
  private readonly ended = Promise.withResolvers<void>();
  private count = 0;
  private fault: string | null = null;

  constructor(rowBytes: number, rows: number) {
    this.rowBytes = rowBytes;
    this.totalBytes = rowBytes * rows;
    this.inflate.on('data', (bytes: Buffer) => this.take(bytes));
    this.inflate.on('end', () => this.ended.resolve());
    this.inflate.on('error', () => {
      this.fault ??= 'its pixels are damaged';
      this.ended.resolve();
    });
    this.inflate.on('close', () => this.ended.resolve());
  }

  async add(bytes: Buffer): Promise<void> {
    if (this.fault === null && !this.inflate.writableEnded) {
      const written = Promise.withResolvers<void>();
      this.inflate.write(bytes, () => written.resolve());
      // Waits until the piece is inflated: nothing piles up. A stream that was ended may never say so.
      await Promise.race([written.promise, this.ended.promise]);
    }
    if (this.fault !== null) refuse(this.fault);
  }

  async finish(): Promise<void> {
    if (this.fault === null) {
      this.inflate.end();
      await this.ended.promise;
    }
    if (this.fault !== null) refuse(this.fault);
    if (this.count !== this.totalBytes) refuse('it has fewer pixels than it says');
  }

  private take(bytes: Buffer): void {
    // The filter of a row is its first byte, 0 to 4.
    const firstRow = Math.ceil(this.count / this.rowBytes) * this.rowBytes;
    for (let at = firstRow - this.count; at < bytes.length; at += this.rowBytes)
      if (bytes[at]! > 4) this.fault ??= 'its pixels are damaged';
    this.count += bytes.length;
    if (this.count > this.totalBytes) this.fault ??= 'it has more pixels than it says';
    if (this.fault !== null) this.inflate.destroy();
  }
}
