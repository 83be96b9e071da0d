/** Presigned links: plain URLs outside `/v1`, signed, with an expiry in the query, never to be sent the key. */
import { createHmac } from 'node:crypto';
import type { Simulation } from '../simulation.ts';

const seal = (text: string): string =>
  createHmac('sha256', 'simulated media server').update(text).digest('hex');

export function signLink(simulation: Simulation, path: string, expiresAtMs: number): string {
  const expires = Math.floor(expiresAtMs / 1000);
  const signature = seal(`${path}?expires=${expires}`);
  const query = simulation.modes.isNullExpiry
    ? `signature=${seal(path)}`
    : `expires=${expires}&signature=${signature}`;
  return `${simulation.baseUrl}${path}?${query}`;
}

export type LinkCheck = 'valid' | 'expired' | 'forged';

export function checkLink(path: string, query: URLSearchParams, nowMs: number): LinkCheck {
  const expires = query.get('expires');
  const signature = query.get('signature');
  if (expires === null) return signature === seal(path) ? 'valid' : 'forged';
  if (signature !== seal(`${path}?expires=${expires}`)) return 'forged';
  return nowMs < Number(expires) * 1000 ? 'valid' : 'expired';
}

export function clipLinkUrl(
  simulation: Simulation,
  jobId: string,
  filename: string,
  expiresAtMs: number,
): string {
  return signLink(simulation, `/media/clips/${jobId}/${filename}`, expiresAtMs);
}

export function exportLinkUrl(
  simulation: Simulation,
  jobId: string,
  fileName: string,
  expiresAtMs: number,
): string {
  return signLink(simulation, `/media/exports/${jobId}/${fileName}`, expiresAtMs);
}

export function eventVideoUrl(
  simulation: Simulation,
  eventId: string,
  channel: string,
  expiresAtMs: number,
): string {
  return signLink(simulation, `/media/events/${eventId}/${channel}.mp4`, expiresAtMs);
}

export function thumbnailUrl(
  simulation: Simulation,
  eventId: string,
  channel: string,
  expiresAtMs: number,
): string {
  return signLink(simulation, `/media/thumbnails/${eventId}/${channel}.jpg`, expiresAtMs);
}
