import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkPng } from '../../../main/media/derive/pngCheck.ts';
import { u32 } from '../telemetry/clipWriter.ts';
import { aPng, chunk, pixelsOf, signature } from './pngWriter.ts';

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'png-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const sizes = [{ width: 64, height: 48 }];
async function check(bytes: Buffer, wanted = sizes) {
  const file = path.join(folder, 'still.png');
  fs.writeFileSync(file, bytes);
  return checkPng(file, wanted);
}
const header = (changes: { width?: number; interlace?: number; colour?: number } = {}) =>
  chunk(
    'IHDR',
    Buffer.concat([
      u32(changes.width ?? 64),
      u32(48),
      Buffer.from([8, changes.colour ?? 2, 0, 0, changes.interlace ?? 0]),
    ]),
  );
const end = chunk('IEND', Buffer.alloc(0));
const data = chunk('IDAT', deflateSync(pixelsOf(64, 48, 3)));
const refused = { code: 'invalid_input' };

describe('checking a still', () => {
  it('takes a picture of the right size, in one part or many, with or without transparency', async () => {
    expect(await check(aPng(64, 48))).toEqual({ widthPx: 64, heightPx: 48 });
    const packed = deflateSync(pixelsOf(64, 48, 4));
    const parts = Array.from({ length: Math.ceil(packed.length / 7) }, (_, i) =>
      chunk('IDAT', packed.subarray(i * 7, i * 7 + 7)),
    );
    const bytes = Buffer.concat([
      signature,
      header({ colour: 6 }),
      chunk('tEXt', Buffer.from('a\0b')),
      ...parts,
      end,
    ]);
    expect(await check(bytes)).toEqual({ widthPx: 64, heightPx: 48 });
  });

  it('takes each of the sizes that a player may show', async () => {
    const both = [...sizes, { width: 48, height: 64 }];
    expect(await check(aPng(48, 64), both)).toEqual({ widthPx: 48, heightPx: 64 });
    await expect(check(aPng(48, 64))).rejects.toMatchObject({ ...refused, message: /48 x 64 .* 64 x 48/ });
    await expect(check(aPng(48, 64), [])).rejects.toMatchObject(refused);
  });

  it.each<[string, Buffer]>([
    ['nothing of a PNG', Buffer.from('<svg onload="alert(1)"/>'.repeat(10))],
    ['no header', Buffer.concat([signature, data, end])],
    ['an interlaced picture', Buffer.concat([signature, header({ interlace: 1 }), data, end])],
    ['an unknown colour type', Buffer.concat([signature, header({ colour: 5 }), data, end])],
    ['an unknown critical part', Buffer.concat([signature, header(), chunk('EVIL', u32(1)), data, end])],
    ['no pixels', Buffer.concat([signature, header(), end])],
    [
      'fewer pixels',
      Buffer.concat([signature, header(), chunk('IDAT', deflateSync(pixelsOf(64, 47, 3))), end]),
    ],
    [
      'more pixels',
      Buffer.concat([signature, header(), chunk('IDAT', deflateSync(pixelsOf(64, 49, 3))), end]),
    ],
    [
      'an unknown filter',
      Buffer.concat([signature, header(), chunk('IDAT', deflateSync(pixelsOf(64, 48, 3, 9))), end]),
    ],
    [
      'pixels that are not deflated',
      Buffer.concat([signature, header(), chunk('IDAT', Buffer.alloc(90, 7)), end]),
    ],
    ['interrupted pixels', Buffer.concat([signature, header(), data, chunk('tEXt', u32(1)), data, end])],
    ['no end', Buffer.concat([signature, header(), data])],
    ['something behind the end', Buffer.concat([signature, header(), data, end, Buffer.from('#!/bin/sh')])],
    [
      'a wrong CRC',
      Buffer.concat([signature, header(), data.subarray(0, -1), Buffer.from([data.at(-1)! ^ 1]), end]),
    ],
    ['a size that overruns', Buffer.concat([signature, header(), u32(0xffff_ffff), Buffer.from('IDAT')])],
  ])('refuses %s', async (_, bytes) => {
    await expect(check(bytes)).rejects.toMatchObject(refused);
  });

  it('stops at a bomb instead of inflating it', async () => {
    const megabytes = deflateSync(Buffer.alloc(64 * 1024 * 1024), { level: 9 });
    const before = process.memoryUsage().arrayBuffers;
    await expect(
      check(Buffer.concat([signature, header(), chunk('IDAT', megabytes), end])),
    ).rejects.toMatchObject({ ...refused, message: /more pixels/ });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024);
  });

  it('never ends otherwise, whatever is changed', async () => {
    const good = aPng(64, 48);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(good.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.nat(40),
        async (at, by, cut) => {
          const bytes = Buffer.from(good.subarray(0, good.length - cut));
          if (at < bytes.length) bytes[at]! ^= by;
          await expect(check(bytes)).rejects.toMatchObject(refused);
        },
      ),
      { numRuns: 200 },
    );
  });
});
