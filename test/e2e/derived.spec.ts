import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright/test';
import type { InputOf, OutputOf, RequestName } from '../../shared/contract/index.ts';
import { decodeMessage } from '../../shared/contract/wire.ts';
import type { Result } from '../../shared/errors.ts';
import type { ClipId, UploadId } from '../../shared/ids.ts';
import { expect, test } from './desk.ts';

const fixture = (name: string): Buffer =>
  fs.readFileSync(path.resolve(import.meta.dirname, `../media/derive/fixtures/${name}.mp4`));

/** Asks the desk as the window does, with the window's own session. */
async function ask<N extends RequestName>(page: Page, name: N, input: InputOf<N>): Promise<OutputOf<N>> {
  const base64 = await page.evaluate(
    async (call) => {
      const reply = await fetch('/api/request', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(call),
      });
      return btoa(String.fromCharCode(...new Uint8Array(await reply.arrayBuffer())));
    },
    { name, input },
  );
  const result = decodeMessage(Buffer.from(base64, 'base64')) as Result<OutputOf<N>>; // the wire's other end
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** Imports a clip through the window's upload. */
async function importClip(page: Page, name: string, bytes: Buffer): Promise<ClipId> {
  const uploadId = await page.evaluate(
    async ({ fileName, base64 }) => {
      const body = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const reply = await fetch(`/api/upload?name=${fileName}`, { method: 'POST', body });
      return ((await reply.json()) as { value: { uploadId: string } }).value.uploadId;
    },
    { fileName: name, base64: bytes.toString('base64') },
  );
  await ask(page, 'imports.start', { uploadIds: [uploadId as UploadId] });
  const find = async () => (await ask(page, 'clips.list', {})).find((clip) => clip.fileName === name)?.clipId;
  await expect.poll(find).toBeDefined();
  return (await find())!;
}

/** What the browser's decoder shows at a time: presentation time of the frame, its size, its pixels as one number each. */
async function shownAt(page: Page, source: string, atS: number) {
  return page.evaluate(
    async ({ address, seconds }) => {
      const video = document.createElement('video');
      video.muted = true;
      video.preload = 'auto';
      video.src = address;
      const frame = new Promise<number>((resolve, reject) => {
        video.onerror = () => reject(new Error(video.error?.message));
        video.onloadeddata = () => {
          video.requestVideoFrameCallback((_, { mediaTime }) => resolve(mediaTime));
          video.currentTime = seconds;
        };
      });
      const mediaTime = await frame;
      const { videoWidth, videoHeight, duration } = video;
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [videoWidth, videoHeight];
      const context = canvas.getContext('2d', { willReadFrequently: true })!;
      context.drawImage(video, 0, 0);
      const { data } = context.getImageData(0, 0, videoWidth, videoHeight);
      const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
      const reply = await fetch('/api/upload?name=still.png', { method: 'POST', body: png });
      const { value } = (await reply.json()) as { value: { uploadId: string } };
      return { mediaTime, videoWidth, videoHeight, duration, pixels: [...data], uploadId: value.uploadId };
    },
    { address: source, seconds: atS },
  );
}

for (const [name, size] of [
  ['bframes', [160, 120]],
  ['vfr', [160, 120]],
  ['opengop', [160, 120]],
  ['turned', [120, 160]],
] as const) {
  test(`a cut of "${name}" shows in a browser what the original shows, and a still of it is kept`, async ({
    page,
  }) => {
    const clipId = await importClip(page, `${name}.mp4`, fixture(name));
    const { jobId } = await ask(page, 'derived.trim', { clipId, fromS: 2.5, toS: 3.1, caseId: null });
    const state = async () => (await ask(page, 'jobs.list', {})).find((job) => job.jobId === jobId)!.state;
    await expect.poll(async () => (await state()).status).toBe('done');
    const [trim] = await ask(page, 'derived.list', { clipId });
    const { from, to } = trim!.recipe.actualS;
    const cut = `/media/derived/${trim!.derivedId}`;
    const original = `/media/clip/${clipId}`;
    const { timesS } = (await ask(page, 'clips.frames', { clipId }))!;
    const inside = [...timesS].filter((time) => time >= from - 1e-6 && time < to - 1e-6);
    for (const time of [inside[0]!, inside[Math.floor(inside.length / 2)]!, inside.at(-1)!]) {
      const [a, b] = [
        await shownAt(page, original, time + 0.01),
        await shownAt(page, cut, time - from + 0.01),
      ];
      expect(a.mediaTime).toBeCloseTo(time, 3);
      expect(b.mediaTime).toBeCloseTo(time - from, 3);
      expect([b.videoWidth, b.videoHeight]).toEqual(size);
      expect(b.duration).toBeCloseTo(to - from, 1);
      expect(b.pixels).toEqual(a.pixels);
      const still = await ask(page, 'derived.still', {
        clipId,
        frameS: a.mediaTime,
        uploadId: a.uploadId as UploadId,
        caseId: null,
        stamp: null,
      });
      expect(still.recipe.frameIndex).toBe(timesS.indexOf(time));
      expect(still.recipe.output).toMatchObject({ widthPx: size[0], heightPx: size[1] });
    }
  });
}
