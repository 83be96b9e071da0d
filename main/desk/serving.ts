import fs from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { parseByteRange } from './byteRange.ts';
import type { MediaFile } from './desk.ts';

/**
 * What the two hosts with a window share about serving it: headers, the built window's files, media. They
 * differ only in what carries the replies.
 */

/** A reply without its body: `range` says which bytes of `path` belong into it. */
export interface FileReply {
  readonly status: 200 | 206 | 404 | 416;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly path: string; readonly start: number; readonly end: number } | null;
}

/**
 * The content security policy of every reply. `tileOrigin` is the one foreign origin that the user's own
 * setting may add, for map pictures only.
 *
 * `style-src 'unsafe-inline'`: Mantine writes its theme's variables and responsive sizes into <style> elements
 * at run time. Styles alone can't call out: every address that they could load from is limited by the same
 * policy to this origin. Scripts stay strict.
 */
export function contentSecurityPolicy(tileOrigin: string | null): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' blob: data:${tileOrigin === null ? '' : ` ${tileOrigin}`}`,
    // Clips of the cache, in the player.
    "media-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Headers of every reply of a host, whatever it is. */
export function securityHeaders(tileOrigin: string | null): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(tileOrigin),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=()',
  };
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.pbf': 'application/x-protobuf',
  '.bin': 'application/octet-stream',
};

/** Path segments as the build makes them; nothing that would have to be decoded, nothing hidden. */
const segmentForm = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
/** `name-<hash>.ext`, as vite names what may be kept for ever. */
const hashedForm = /^\/assets\/.*-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/;

/** The built window's file at a URL path, still encoded; null for anything that is not one. */
export async function rendererFile(folder: string, urlPath: string): Promise<MediaFile | null> {
  const segments = (urlPath === '/' ? '/index.html' : urlPath).slice(1).split('/');
  if (!segments.every((segment) => segmentForm.test(segment))) return null;
  const type = contentTypes[path.extname(urlPath === '/' ? 'index.html' : urlPath).toLowerCase()];
  if (type === undefined) return null;
  const file = path.join(folder, ...segments);
  try {
    const stat = await lstat(file);
    if (!stat.isFile()) return null; // a folder or a link: nothing is listed, nothing outside is reached
    const [real, root] = await Promise.all([realpath(file), realpath(folder)]);
    if (!real.startsWith(root + path.sep)) return null;
    return { path: file, sizeBytes: stat.size, contentType: type, downloadName: null };
  } catch {
    return null;
  }
}

/** How long the window's file at this path may be kept: for ever where its name holds its hash. */
export function rendererCaching(urlPath: string): string {
  return hashedForm.test(urlPath) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** The reply for a file with single byte ranges; `method` HEAD gets the headers alone. */
export function fileReply(
  file: MediaFile | null,
  options: { readonly range?: string | null | undefined; readonly caching: string },
): FileReply {
  if (!file) return { status: 404, headers: { 'content-length': '0' }, body: null };
  const range = parseByteRange(options.range, file.sizeBytes);
  const headers: Record<string, string> = {
    'content-type': file.contentType,
    'cache-control': options.caching,
    'accept-ranges': 'bytes',
    ...(file.downloadName === null ? {} : { 'content-disposition': attachment(file.downloadName) }),
  };
  if (range.kind === 'unsatisfiable') {
    return {
      status: 416,
      headers: { 'content-range': `bytes */${file.sizeBytes}`, 'content-length': '0' },
      body: null,
    };
  }
  if (range.kind === 'whole') {
    headers['content-length'] = String(file.sizeBytes);
    const body = file.sizeBytes === 0 ? null : { path: file.path, start: 0, end: file.sizeBytes - 1 };
    return { status: 200, headers, body };
  }
  headers['content-length'] = String(range.end - range.start + 1);
  headers['content-range'] = `bytes ${range.start}-${range.end}/${file.sizeBytes}`;
  return { status: 206, headers, body: { path: file.path, start: range.start, end: range.end } };
}

/** Content-Disposition for a name of unknown origin: a plain ASCII form and the exact one (RFC 6266). */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\w. ()-]/g, '_').slice(-150) || 'download';
  const exact = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}

/** The bytes of a FileReply. The file is opened for reading only. */
export function openBody(body: NonNullable<FileReply['body']>): fs.ReadStream {
  return fs.createReadStream(body.path, { start: body.start, end: body.end });
}
