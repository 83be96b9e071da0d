import type {
  BudgetLevel,
  PriceSum,
  Recall,
  RecallState,
  StreamPrice,
} from '../../../shared/contract/recalls.ts';
import { formatDuration, type Tone } from '../../ui/index.ts';
import { transferText } from './words.ts';

/** Nothing more happens by itself. */
export function isEnded({ state }: Recall): boolean {
  return state.status === 'done' || state.status === 'stopped' || state.status === 'canceled';
}

/** Still has a place in the camera's queue. */
export function isActive(recall: Recall): boolean {
  return !isEnded(recall) && recall.state.status !== 'needs_consent';
}

/** What moves or needs the user first, then what is queued, then what has ended; each newest first. */
export function byUrgency(recalls: readonly Recall[]): readonly Recall[] {
  const rank = (recall: Recall) => (isEnded(recall) ? 2 : recall.state.status === 'queued' ? 1 : 0);
  return [...recalls].sort((a, b) => rank(a) - rank(b));
}

/**
 * The bytes that are moving: into the local file, or on to the media server while none has come here. Null outside a
 * transfer.
 */
export function bytesOf({ state }: Recall): {
  readonly stage: 'upload' | 'download';
  readonly done: number;
  readonly total: number | null;
} | null {
  if (state.status !== 'transferring') return null;
  if (state.receivedBytes === 0 && state.serverBytes !== null) {
    return { stage: 'upload', done: state.serverBytes, total: state.totalBytes };
  }
  return { stage: 'download', done: state.receivedBytes, total: state.totalBytes };
}

const waitingWords: Record<Extract<RecallState, { status: 'waiting' }>['for'], string> = {
  network: 'Waits for the network',
  device_busy: 'Waits: the camera is busy with another transfer',
  device_offline: 'Waits: the camera is offline',
  device_answer: 'Waits: the camera did not answer in time',
  service: 'Waits for the service',
};

export interface StateWords {
  readonly tone: Tone;
  readonly text: string;
}

/** "in 4 s", "in 2 min"; "now" when it is due. */
export function countdownText(untilMs: number, nowMs: number): string {
  const leftMs = untilMs - nowMs;
  return leftMs <= 0 ? 'now' : `in ${formatDuration(Math.ceil(leftMs / 1000) * 1000)}`;
}

/** Where a recall is, in words. */
export function stateWords(recall: Recall, nowMs: number): StateWords {
  const { state } = recall;
  switch (state.status) {
    case 'queued':
      return { tone: 'quiet', text: 'Queued: one transfer per camera at a time' };
    case 'waiting':
      return {
        tone: 'warn',
        text: `${waitingWords[state.for]}; tried again ${countdownText(state.untilMs, nowMs)}`,
      };
    case 'starting':
      return { tone: 'quiet', text: 'Asking the camera' };
    case 'transferring':
      return state.problem === null
        ? { tone: 'quiet', text: 'Transferring' }
        : { tone: 'warn', text: 'Interrupted; goes on where it stopped' };
    case 'needs_consent':
      return { tone: 'warn', text: 'Link expired: going on would be charged' };
    case 'done':
      return state.wasHeld
        ? { tone: 'ok', text: 'Was here already; nothing was charged' }
        : { tone: 'ok', text: `Here, ${transferText(state.sizeBytes)}` };
    case 'stopped':
      return { tone: 'bad', text: 'Not transferred' };
    case 'canceled':
      return { tone: 'quiet', text: 'Canceled' };
  }
}

/** "12.0 MB of 312 MB"; a server that does not say how far it is is no error. */
export function transferFacts(recall: Recall): string {
  const bytes = bytesOf(recall);
  if (bytes === null) return '';
  const amount =
    bytes.total === null
      ? transferText(bytes.done)
      : `${transferText(bytes.done)} of ${transferText(bytes.total)}`;
  return bytes.stage === 'upload' ? `${amount} on the media server` : amount;
}

export interface LevelWords {
  readonly tone: Tone;
  readonly word: string;
}

/** A price's colour in words; colour and icon are the further cues. */
export const levelWords: Record<BudgetLevel, LevelWords> = {
  free: { tone: 'ok', word: 'Nothing is charged' },
  green: { tone: 'ok', word: 'Green: fits the month well' },
  amber: { tone: 'warn', word: 'Amber: mind what is left after it' },
  red: { tone: 'bad', word: 'Red: leaves little for the fleet' },
  refused: { tone: 'bad', word: 'Refused: more than is left' },
  unknown: { tone: 'warn', word: 'Allowance not known' },
};

/** Whether anything would be asked of a camera: else there is nothing to start. */
export function hasWork(prices: readonly StreamPrice[]): boolean {
  return prices.some((price) => price.heldSha256 === null && price.queuedRecallId === null);
}

/** "Recall low · 8.1 MB"; what is free says so. */
export function buttonText(quality: 'main' | 'sub', sum: PriceSum): string {
  const name = quality === 'sub' ? 'Recall low' : 'Recall full';
  return `${name} · ${sum.chargeBytes === 0 ? 'nothing charged' : transferText(sum.chargeBytes)}`;
}

/** 0.0312 → "3.1 % of the month"; what is tiny is not called nothing. */
export function shareText(share: number | null): string {
  if (share === null) return 'share not known';
  const percent = share * 100;
  if (percent === 0) return '0 %';
  if (percent < 0.1) return '< 0.1 %';
  return `${percent < 10 ? percent.toFixed(1) : Math.ceil(percent)} %`;
}

export interface Deadline {
  readonly value: string;
  readonly label: string;
  /** Null: until it comes. */
  readonly seconds: number | null;
}

/** How long a camera may be waited for. */
export const deadlines: readonly [Deadline, ...Deadline[]] = [
  { value: 'day', label: '1 day', seconds: 86_400 },
  { value: 'quarter', label: '15 minutes', seconds: 900 },
  { value: 'hour', label: '1 hour', seconds: 3_600 },
  { value: 'shift', label: '8 hours', seconds: 28_800 },
  { value: 'week', label: '1 week', seconds: 604_800 },
  { value: 'ever', label: 'until it comes', seconds: null },
];
