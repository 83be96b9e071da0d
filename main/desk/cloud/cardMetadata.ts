import type { RecordingMetadata } from '../../../shared/contract/cards.ts';
import type { CloudAccount } from '../../../shared/contract/cloud.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import { parseLocal } from '../../media/cards/clock.ts';
import { localOf } from '../../media/cards/rows.ts';
import { takeMetadata, toMetadata } from '../../media/cards/metadata.ts';
import type { DeskDeps } from '../deps.ts';
import { contactOptions, type CardAccess, type CardParts } from './cards.ts';

/** Clips over a listing whose GPS times tell its clock. */
const clockClips = 5;
/** Further ones to find where the clock was changed; each halves the stretch. */
const narrowingClips = 10;

interface Asked {
  readonly abort: AbortController;
  readonly answer: Promise<RecordingMetadata>;
}

/** Thumbnails, GPS and G-sensor samples of recordings on cards: kept, asked for once, taken back when not wanted. */
export function createCardMetadata(deps: DeskDeps, parts: CardParts, access: CardAccess) {
  const { connections, cards } = parts;
  const asked = new Map<string, Map<string, Asked>>();
  const closing = new AbortController();

  async function fetch(psn: string, filename: string, signal: AbortSignal): Promise<RecordingMetadata> {
    const { account, client } = await connections.active();
    return access.contact(
      account,
      psn,
      'metadata',
      async () => {
        const { body } = await client.call(
          'sdFiles.metadata',
          { psn, filename },
          contactOptions(closing.signal),
        );
        // Kept even when nobody waits for it any more: the camera has said it.
        return keep(account, psn, filename, body);
      },
      { signal, priority: 'background', mayLeave: true },
    );
  }

  function keep(account: CloudAccount, psn: string, filename: string, body: unknown): RecordingMetadata {
    const data = (body as { data?: Record<string, unknown> } | null)?.data ?? {};
    const before = access.clock(account.accountId, psn).clips.used;
    const { stored, firstGpsMs } = takeMetadata(filename, data, deps.now());
    cards.keepMetadata(account.accountId, psn, stored, firstGpsMs);
    if (access.clock(account.accountId, psn).clips.used !== before) deps.emit('cards.changed', { psn });
    return toMetadata(psn, stored);
  }

  /** One question for each recording, however many ask. */
  function ask(psn: string, filename: string): Promise<RecordingMetadata> {
    const ofCamera = asked.get(psn) ?? new Map<string, Asked>();
    asked.set(psn, ofCamera);
    const known = ofCamera.get(filename);
    if (known) return known.answer;
    const abort = new AbortController();
    const answer = fetch(psn, filename, abort.signal).finally(() => {
      if (ofCamera.get(filename)?.abort === abort) ofCamera.delete(filename);
    });
    ofCamera.set(filename, { abort, answer });
    return answer;
  }

  function cancel(psn: string, filenames?: readonly string[]): void {
    const ofCamera = asked.get(psn);
    for (const filename of filenames ?? [...(ofCamera?.keys() ?? [])]) {
      ofCamera?.get(filename)?.abort.abort(new AppError('canceled', 'Canceled.'));
      ofCamera?.delete(filename);
    }
  }

  /** Fetches the metadata of some clips, spread over the listing so that a change of the clock shows. */
  async function learnClock(psn: string): Promise<void> {
    const { accountId } = connections.account();
    const moving = cards
      .recordings(accountId, psn)
      .filter((recording) => recording.type !== 'parking' && localOf(recording) !== null)
      .filter((recording) => recording.direction === undefined || recording.direction === 'front')
      .sort((a, b) => localOf(a)! - localOf(b)!);
    const places = Array.from({ length: clockClips }, (_, i) =>
      Math.round((i * (moving.length - 1)) / (clockClips - 1)),
    );
    for (const place of new Set(places)) {
      const recording = moving[place];
      if (recording && !cards.metadata(accountId, psn, recording.filename))
        await ask(psn, recording.filename);
    }
    // Where the offset changes, the change is looked for: what lies in between is unknown until then.
    for (let look = 0; look < narrowingClips; look++) {
      const { segments } = access.clock(accountId, psn);
      const gap = segments.findIndex((one, i) => one.offsetMinutes !== segments[i + 1]?.offsetMinutes);
      const fromMs = parseLocal(segments[gap]?.toLocal);
      const toMs = parseLocal(segments[gap + 1]?.fromLocal);
      if (fromMs === null || toMs === null) return;
      const between = moving.filter((recording) => {
        const localMs = localOf(recording)!;
        return localMs > fromMs && localMs < toMs && !cards.metadata(accountId, psn, recording.filename);
      });
      const middle = between[between.length >> 1];
      if (!middle) return;
      await ask(psn, middle.filename);
    }
  }

  const handlers: Pick<Handlers, 'cards.metadata' | 'cards.cancelMetadata' | 'cards.clock'> = {
    async 'cards.metadata'({ psn, filename, isFresh }) {
      const stored = cards.metadata(connections.account().accountId, psn, filename);
      return stored && isFresh !== true ? toMetadata(psn, stored) : ask(psn, filename);
    },
    'cards.cancelMetadata'({ psn, filenames }) {
      cancel(psn, filenames);
      return null;
    },
    async 'cards.clock'({ psn, shouldLearn }) {
      if (shouldLearn === true) await learnClock(psn);
      return access.clock(connections.account().accountId, psn);
    },
  };
  return {
    handlers,
    /** What is stored of a recording of the active account; asks nobody. */
    stored(psn: string, filename: string): RecordingMetadata | null {
      const known = cards.metadata(connections.account().accountId, psn, filename);
      return known ? toMetadata(psn, known) : null;
    },
    close() {
      closing.abort(new AppError('canceled', 'Evidence Desk is closing.'));
      for (const psn of asked.keys()) cancel(psn);
    },
  };
}
