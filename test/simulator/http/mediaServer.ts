/**
 * The media server behind presigned links (section 2.3, 2.7): byte ranges, links that run out, and clips that
 * stream while the camera still uploads them. A request that carries the API key is refused and recorded.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FaultEffect } from '../faults.ts';
import type { RequestRecord } from '../requestLog.ts';
import { findEvent } from '../service/events.ts';
import { isHeld, receivedBytes } from '../service/media.ts';
import type { Simulation } from '../simulation.ts';
import { checkLink } from '../service/links.ts';
import { clipBytes, thumbnailOf } from '../world/clips.ts';

interface MediaFile {
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly fileName: string;
  /** False: the length is not announced (the device reported no size). */
  readonly isSizeKnown: boolean;
  read(from: number, to: number): Buffer;
  /** How much is there now; grows while an upload runs. */
  availableBytes(): number;
  /** True once nothing more will come. */
  isEnded(): boolean;
}

const chunkBytes = 262_144;

function wholeFile(bytes: Buffer, contentType: string, fileName: string): MediaFile {
  return {
    sizeBytes: bytes.length,
    contentType,
    fileName,
    isSizeKnown: true,
    read: (from, to) => bytes.subarray(from, to),
    availableBytes: () => bytes.length,
    isEnded: () => true,
  };
}

function findFile(simulation: Simulation, path: string): MediaFile | undefined {
  const [, , kind, id, fileName = ''] = path.split('/').map((part) => decodeURIComponent(part));
  for (const organisation of simulation.organisations) {
    if (kind === 'clips') {
      const job = organisation.recallJobs.find((candidate) => candidate.jobId === id);
      if (!job || !isHeld(job.transfer, simulation.clock.now())) continue;
      const bytes = clipBytes(
        simulation.tripBook,
        job.camera.vehicle,
        job.recording,
        job.quality,
        simulation.options.nominalSizes,
      );
      return {
        sizeBytes: bytes.sizeBytes,
        contentType: 'video/mp4',
        fileName,
        isSizeKnown: job.sizeBytes !== null,
        read: bytes.read,
        availableBytes: () => receivedBytes(job.transfer, simulation.clock.now()),
        isEnded: () => job.transfer.endedAtMs !== null,
      };
    }
    if (kind === 'exports') {
      const job = organisation.exportJobs.find((candidate) => candidate.jobId === id);
      if (job?.artifact) return wholeFile(job.artifact, 'application/zip', fileName);
    }
    if (kind === 'events' || kind === 'thumbnails') {
      const found = findEvent(simulation, organisation, id ?? '');
      const direction = fileName.startsWith('option') ? 'O' : 'F';
      const recording = found?.recordings.find((candidate) => candidate.directionCode === direction);
      if (!found || !recording) continue;
      if (kind === 'thumbnails') return wholeFile(thumbnailOf(recording), 'image/jpeg', fileName);
      const bytes = clipBytes(simulation.tripBook, found.camera.vehicle, recording, 'sub', null);
      return wholeFile(bytes.read(0, bytes.sizeBytes), 'video/mp4', fileName);
    }
  }
  return undefined;
}

function sendXml(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`);
}

/** One range only, as object stores do; anything else is answered with the whole file. */
function readRange(
  header: string | undefined,
  sizeBytes: number,
): { from: number; to: number } | 'none' | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return 'none';
  if (match[1] === '') {
    const length = Math.min(sizeBytes, Number(match[2]));
    return length === 0 ? 'unsatisfiable' : { from: sizeBytes - length, to: sizeBytes };
  }
  const from = Number(match[1]);
  const to = match[2] === '' ? sizeBytes : Math.min(sizeBytes, Number(match[2]) + 1);
  if (match[2] !== '' && Number(match[2]) < from) return 'none';
  return from >= sizeBytes ? 'unsatisfiable' : { from, to };
}

function withDelta(file: MediaFile, deltaBytes: number): MediaFile {
  const sizeBytes = Math.max(0, file.sizeBytes + deltaBytes);
  return {
    ...file,
    sizeBytes,
    availableBytes: () =>
      file.availableBytes() >= file.sizeBytes ? sizeBytes : Math.min(sizeBytes, file.availableBytes()),
    read(from, to) {
      const real = file.read(Math.min(from, file.sizeBytes), Math.min(to, file.sizeBytes));
      return Buffer.concat([
        real,
        Buffer.alloc(Math.min(to, sizeBytes) - Math.min(from, sizeBytes) - real.length),
      ]);
    },
  };
}

export async function serveLink(
  simulation: Simulation,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  record: RequestRecord,
  effect: FaultEffect | null,
): Promise<void> {
  if (request.headers.authorization !== undefined) {
    simulation.log.violate('key_sent_to_link', record, `Authorization header on ${url.pathname}`);
    sendXml(response, 400, 'OnlyOneAuthMechanismAllowed');
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return sendXml(response, 405, 'MethodNotAllowed');
  const check =
    effect?.kind === 'expired'
      ? 'expired'
      : checkLink(url.pathname, url.searchParams, simulation.clock.now());
  if (check !== 'valid')
    return sendXml(response, 403, check === 'expired' ? 'RequestExpired' : 'SignatureDoesNotMatch');
  const found = findFile(simulation, url.pathname);
  if (!found) return sendXml(response, 404, 'NoSuchKey');
  if (effect?.kind === 'redirectLoop') {
    response.writeHead(302, { Location: `${url.pathname}${url.search}` }).end();
    return;
  }
  const file = effect?.kind === 'wrongLength' ? withDelta(found, effect.deltaBytes) : found;
  const salt = effect?.kind === 'changedEtag' ? String(record.index) : '';
  const etag = `"${createHash('md5').update(`${url.pathname}${salt}`).digest('hex')}"`;
  const ifRange = request.headers['if-range'];
  const isRangeHonoured = effect?.kind !== 'ignoreRange' && (ifRange === undefined || ifRange === etag);
  const range = isRangeHonoured ? readRange(request.headers.range, file.sizeBytes) : 'none';
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'Content-Range': `bytes */${file.sizeBytes}` }).end();
    return;
  }
  const { from, to } = range === 'none' ? { from: 0, to: file.sizeBytes } : range;
  const headers: Record<string, string | number> = {
    'Content-Type': file.contentType,
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.fileName)}`,
    ETag: etag,
  };
  if (effect?.kind !== 'ignoreRange') headers['Accept-Ranges'] = 'bytes';
  if (file.isSizeKnown) headers['Content-Length'] = to - from;
  if (range !== 'none') {
    const shift = effect?.kind === 'wrongRange' ? 1000 : 0;
    headers['Content-Range'] = `bytes ${from + shift}-${to - 1 + shift}/${file.sizeBytes}`;
  }
  if (effect?.kind === 'drop' && effect.bytes === 0) {
    request.socket.destroy();
    return;
  }
  response.writeHead(range === 'none' ? 200 : 206, headers);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  response.flushHeaders();
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  await streamFile(simulation, response, record, file, { from, to }, effect);
  await closed;
  // A length that is a lie is not the clip.
  const [, , kind, jobId] = url.pathname.split('/');
  if (kind === 'clips' && jobId !== undefined && file === found)
    simulation.conduct.delivered(jobId, from, from + record.bytesSent, {
      sizeBytes: file.sizeBytes,
      isThrough: response.writableFinished,
    });
}

/** Writes what has arrived, waits for more to arrive, and breaks off when the upload was aborted. */
async function streamFile(
  simulation: Simulation,
  response: ServerResponse,
  record: RequestRecord,
  file: MediaFile,
  { from, to }: { from: number; to: number },
  effect: FaultEffect | null,
): Promise<void> {
  const dropAt = effect?.kind === 'drop' ? Math.min(to, from + effect.bytes) : null;
  const bytesPerWrite =
    effect?.kind === 'slow' ? Math.max(1, Math.floor(effect.bytesPerSecond / 20)) : chunkBytes;
  let position = from;
  while (position < to && !response.destroyed) {
    const end = Math.min(to, dropAt ?? to, file.availableBytes(), position + bytesPerWrite);
    if (end > position) {
      const isFlushed = response.write(file.read(position, end));
      record.bytesSent += end - position;
      position = end;
      if (!isFlushed) await waitForDrain(response);
      if (effect?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, 50));
    } else if (file.isEnded() && dropAt === null) {
      response.destroy();
      return;
    } else if (dropAt === null) {
      await waitForMore(simulation, response);
    }
    if (dropAt !== null && position >= dropAt) {
      // Lets the bytes written so far leave before the connection goes.
      await new Promise<void>((resolve) => response.write('', () => resolve()));
      response.destroy();
      return;
    }
    if (dropAt !== null && end <= position && file.availableBytes() <= position)
      await waitForMore(simulation, response);
  }
  response.end();
}

function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });
}

function waitForMore(simulation: Simulation, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      forget();
      response.off('close', done);
      resolve();
    };
    const forget = simulation.clock.onMove(done);
    response.once('close', done);
  });
}
