import type { CameraEntry, CameraObstacle } from '../../../shared/contract/cards.ts';
import type { Tone } from '../../ui/index.ts';
import { formatAge } from '../account/freshness.ts';
import { vehicleOf } from './cameraStore.ts';

/** "Ford Transit 2019 · AB 12345"; null where the service said nothing. */
export function vehicleText(device: CameraEntry['device']): string | null {
  const { maker, model, year, plate } = vehicleOf(device);
  const car = [maker, model, year].filter((part) => part !== null).join(' ');
  const text = [car, plate].filter((part) => part !== null && part !== '').join(' · ');
  return text === '' ? null : text;
}

const seats: Record<string, string> = { covered: 'covered', over_limit: 'over the seat limit' };

/** "seat 3, covered"; Wi-Fi-only cameras hold none. */
export function seatText(device: CameraEntry['device']): string {
  const position = typeof device.cameraPosition === 'number' ? `seat ${device.cameraPosition}` : 'no seat';
  const { entitlement } = device;
  return entitlement === undefined ? position : `${position}, ${seats[entitlement] ?? entitlement}`;
}

/** "LTE", "Wi-Fi", or as said. */
export function connectivityText(device: CameraEntry['device']): string {
  const { connectivity } = device;
  if (connectivity === undefined || connectivity === null) return 'not stated';
  return connectivity === 'lte' ? 'LTE' : connectivity === 'wifi' ? 'Wi-Fi' : connectivity;
}

/** "cloud", "Wi-Fi only", or as said. */
export function categoryText(device: CameraEntry['device']): string {
  const { category } = device;
  if (category === undefined) return 'not stated';
  return category === 'wifi' ? 'Wi-Fi only' : category;
}

/** The status as the service said it: it may not say one. */
export function statusWords(
  device: CameraEntry['device'],
): { readonly tone: Tone; readonly text: string } | null {
  const { status } = device;
  if (typeof status !== 'string' || status === '') return null;
  return { tone: status === 'offline' ? 'warn' : status === 'driving' ? 'ok' : 'quiet', text: status };
}

/** "seen 2 min ago"; "not seen yet" where the service states no contact. */
export function seenText(device: CameraEntry['device'], nowMs: number): string {
  const atMs = seenAtMs(device);
  return atMs === null ? 'last contact not stated' : `seen ${formatAge(atMs, Math.max(nowMs, atMs))}`;
}

/** The camera's last contact with the cloud, UTC ms; null where not stated. */
export function seenAtMs(device: CameraEntry['device']): number | null {
  const ms = Date.parse(device.lastConnectedAt ?? '');
  return Number.isNaN(ms) ? null : ms;
}

const obstacleWords: Record<CameraObstacle['reason'], string> = {
  wifi_only: 'Wi-Fi only',
  over_seat_limit: 'over the seat limit',
  unsupported_model: 'model not supported',
  offline: 'offline',
  no_card: 'no card',
  busy: 'busy',
  no_answer: 'does not answer',
};

/** Whether the card can be browsed, in a few words, with the obstacle's own kind of colour. */
export function browseWords(obstacle: CameraObstacle | null): { readonly tone: Tone; readonly text: string } {
  if (obstacle === null) return { tone: 'ok', text: 'can be browsed' };
  return {
    tone: obstacle.isPassing ? 'warn' : 'bad',
    text: `${obstacle.isPassing ? 'not now' : 'cannot'}: ${obstacleWords[obstacle.reason]}`,
  };
}
