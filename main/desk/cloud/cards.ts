import { randomUUID } from 'node:crypto';
import type { Device } from '../../../shared/cloudResources.ts';
import type {
  CameraEntry,
  CameraGroup,
  CameraObstacle,
  CardClock,
  CardFilters,
  CardListing,
  RecordingMetadata,
} from '../../../shared/contract/cards.ts';
import type { cardRequests } from '../../../shared/contract/cards.ts';
import type { CloudAccount } from '../../../shared/contract/cloud.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AccountId } from '../../../shared/ids.ts';
import type { CardRepository } from '../../cache/cardRepository.ts';
import type { CloudRepository } from '../../cache/cloudRepository.ts';
import { transact } from '../../cache/database.ts';
import type { CustodyRepository } from '../../cache/custodyRepository.ts';
import type { RecallRepository } from '../../cache/recallRepository.ts';
import type { CloudClient } from '../../cloud/client.ts';
import type { CallOptions } from '../../cloud/transport.ts';
import { CloudProblem } from '../../cloud/problem.ts';
import { clockOfCard } from '../../media/cards/cardClock.ts';
import { findMoment } from '../../media/cards/moment.ts';
import { obstacleOf, teaches, type LearntProblem } from '../../media/cards/obstacles.ts';
import { heldKey, type HeldClips } from '../../media/cards/rows.ts';
import type { ContactOptions, DeviceGate } from '../../media/recall/deviceGate.ts';
import type { DeskDeps } from '../deps.ts';
import { createCardMetadata } from './cardMetadata.ts';
import { createCardListings } from './cardListings.ts';
import type { Connections } from './connections.ts';

/** What the use cases about cards share. */
export interface CardParts {
  readonly connections: Connections;
  readonly repository: CloudRepository;
  readonly cards: CardRepository;
  readonly recalls: RecallRepository;
  readonly custody: CustodyRepository;
  readonly gate: DeviceGate;
  /** Clips of a camera that are in the cache by any way. */
  readonly heldOf: (psn: string) => HeldClips;
  /** A whole card was listed and is stored. */
  readonly onListed: () => void;
  readonly onBug: (where: string, thrown: unknown) => void;
}

/** What the listing and the metadata need of a card. */
export interface CardAccess {
  obstacle(accountId: AccountId, psn: string): CameraObstacle | null;
  clock(accountId: AccountId, psn: string): CardClock;
  learn(accountId: AccountId, psn: string, problem: CloudProblem | null): void;
  /** One call to a camera, in its turn; what it teaches is remembered. */
  contact<T>(
    account: CloudAccount,
    psn: string,
    what: string,
    work: () => Promise<T>,
    options?: ContactOptions,
  ): Promise<T>;
}

/** A camera's answer comes within that, or the user is told. A busy camera is told at once. */
export function contactOptions(signal?: AbortSignal): CallOptions {
  return {
    deadlineMs: 60_000,
    ...(signal ? { signal } : {}),
    onWait: ({ problem }) => {
      if (problem.code === 'device_busy' || problem.code === 'command_timeout') throw problem;
    },
  };
}

const tokenLifetimeMs = 2 * 60_000;

type CardHandlers = Pick<Handlers, keyof typeof cardRequests>;

/** Cameras, their cards, their clocks; and the two acts on them that can't be undone. */
export function createCardUseCases(
  deps: DeskDeps,
  parts: CardParts,
): {
  readonly handlers: CardHandlers;
  readonly access: CardAccess;
  storedListing(psn: string, filters: CardFilters): CardListing;
  storedMetadata(psn: string, filename: string): RecordingMetadata | null;
  close(): void;
} {
  const { connections, repository, cards, recalls, custody, gate } = parts;
  const tokens = new Map<string, { psn: string; filename: string; expiresAtMs: number }>();

  const deviceOf = (accountId: AccountId, psn: string): Device | null =>
    repository.snapshot<readonly Device[]>(accountId, 'devices')?.body.find((device) => device.psn === psn) ??
    null;

  const access: CardAccess = {
    obstacle: (accountId, psn) => obstacleOf(deviceOf(accountId, psn), learntOf(accountId, psn), deps.now()),
    clock: (accountId, psn) => clockOfCard(cards, accountId, psn),
    learn(accountId, psn, problem) {
      const before = learntOf(accountId, psn);
      if (problem !== null && teaches(problem))
        repository.saveSnapshot(accountId, 'camera-problem', psn, deps.now(), {
          problem: problem.toData(),
          atMs: deps.now(),
        });
      else if (problem === null && before !== null)
        repository.saveSnapshot(accountId, 'camera-problem', psn, deps.now(), null);
    },
    async contact(account, psn, what, work, options) {
      try {
        const result = await gate.contact(psn, what, work, options);
        access.learn(account.accountId, psn, null);
        return result;
      } catch (thrown) {
        if (thrown instanceof CloudProblem) access.learn(account.accountId, psn, thrown);
        throw thrown;
      }
    },
  };

  function learntOf(accountId: AccountId, psn: string): LearntProblem | null {
    return repository.snapshot<LearntProblem | null>(accountId, 'camera-problem', psn)?.body ?? null;
  }

  /** A list that is read from the service or, failing that, from what was stored. */
  async function stored<T>(
    kind: string,
    subject: string,
    isFresh: boolean,
    read: (client: CloudClient) => Promise<T>,
  ) {
    const account = connections.account();
    let problem: CloudProblem | null = null;
    if (isFresh || !repository.snapshot(account.accountId, kind, subject)) {
      try {
        const { client } = await connections.active();
        repository.saveSnapshot(account.accountId, kind, subject, deps.now(), await read(client));
      } catch (thrown) {
        if (!(thrown instanceof CloudProblem)) throw thrown;
        problem = thrown;
      }
    }
    const snapshot = repository.snapshot<T>(account.accountId, kind, subject);
    return {
      account,
      body: snapshot?.body ?? null,
      fetchedAtMs: snapshot?.fetchedAtMs ?? null,
      problem: problem?.toData() ?? null,
    };
  }

  async function cameras(isFresh: boolean, groupId: string | undefined) {
    if (isFresh) connections.forgetMissingScopes(connections.account().accountId);
    const { account, body, fetchedAtMs, problem } = await stored<readonly Device[]>(
      'devices',
      groupId ?? '',
      isFresh,
      (client) => gather(client.devices(groupId === undefined ? {} : { groupId })),
    );
    const listedAt = cards.listedAt(account.accountId);
    const entries = (body ?? []).map((device): CameraEntry => {
      const obstacle = obstacleOf(device, learntOf(account.accountId, device.psn), deps.now());
      return { device, obstacle, listedAtMs: listedAt.get(device.psn) ?? null };
    });
    return { cameras: entries, fetchedAtMs, problem };
  }

  /** Cases that a recording was recalled for and that do not have it yet. */
  function wantedBy(psn: string, filename: string) {
    const held = parts.heldOf(psn);
    const wanted = (['main', 'sub'] as const).flatMap((quality) =>
      held.has(heldKey(filename, quality)) ? [] : recalls.ofFile(psn, filename, quality),
    );
    const caseIds = wanted.flatMap(({ recall }) =>
      recall.caseId === null || recall.state.status === 'canceled' ? [] : [recall.caseId],
    );
    return [...new Set(caseIds)];
  }

  function refuseDeletion(psn: string, filename: string): void {
    const isUnderWay = (['main', 'sub'] as const).some((quality) =>
      recalls
        .ofFile(psn, filename, quality)
        .some(({ recall }) => !['done', 'stopped', 'canceled'].includes(recall.state.status)),
    );
    if (isUnderWay)
      throw new AppError('busy', 'This recording is being recalled.', {
        remedy: 'Wait until it is here, or cancel the recall.',
      });
    const caseIds = wantedBy(psn, filename);
    if (caseIds.length > 0)
      throw new AppError('busy', 'A case waits for this recording, and it is not in the cache yet.', {
        remedy: 'Recall it first, or cancel its recall.',
        details: { caseIds },
      });
  }

  const listings = createCardListings(deps, parts, access);
  const metadata = createCardMetadata(deps, parts, access);

  return {
    access,
    storedListing: listings.stored,
    storedMetadata: metadata.stored,
    close() {
      listings.close();
      metadata.close();
    },
    handlers: {
      'cards.cameras': ({ isFresh, groupId }) => cameras(isFresh === true, groupId),
      async 'groups.list'({ isFresh }) {
        const { body, fetchedAtMs, problem } = await stored<readonly Record<string, unknown>[]>(
          'groups',
          '',
          isFresh === true,
          (client) => gather(client.rows<Record<string, unknown>>('groups.list')),
        );
        return { groups: (body ?? []).flatMap(toGroup), fetchedAtMs, problem };
      },
      ...listings.handlers,
      ...metadata.handlers,
      async 'cards.setClock'({ psn, offsetMinutes, reason }) {
        const { accountId } = connections.account();
        const before = cards.card(accountId, psn).manual;
        const actor = deps.actor();
        const manual = offsetMinutes === null ? null : { offsetMinutes, reason, actor, setAtMs: deps.now() };
        transact(deps.cache.db, () => {
          cards.setManualClock(accountId, psn, manual);
          custody.append({
            actor,
            action: 'camera.clock',
            subject: { kind: 'camera', id: psn, sha256: null },
            detail: { offsetMinutes, before: before?.offsetMinutes ?? null, reason },
          });
        });
        deps.emit('cards.changed', { psn });
        return access.clock(accountId, psn);
      },
      async 'cards.findMoment'({ psn, utcMs }) {
        const { accountId } = connections.account();
        const clock = access.clock(accountId, psn);
        const { listedAtMs } = cards.card(accountId, psn);
        const recordings = cards.recordings(accountId, psn);
        const matches = findMoment(recordings, { clock, held: parts.heldOf(psn), utcMs });
        const lack =
          matches.length > 0
            ? null
            : recordings.length === 0
              ? 'never_listed'
              : clock.segments.length === 0
                ? 'clock_unknown'
                : 'no_recording';
        return { psn, utcMs, matches, clock, listedAtMs, lack };
      },
      async 'cards.wantedBy'({ psn, filename }) {
        return { caseIds: wantedBy(psn, filename) };
      },
      'cards.contacts': () => gate.current(),
      'cards.rights': () => ({
        missingScopes: connections.missingScopes(connections.account().accountId),
      }),
      async 'cards.deleteRecording'({ psn, filename, token, typedFilename, reason }) {
        refuseDeletion(psn, filename);
        const nowMs = deps.now();
        if (token === undefined) {
          const expiresAtMs = nowMs + tokenLifetimeMs;
          const made = randomUUID();
          tokens.set(made, { psn, filename, expiresAtMs });
          const isHeld = parts.heldOf(psn).has(heldKey(filename, 'main'));
          const what =
            `${filename} is erased from the card of ${psn}, in both streams. This can’t be undone` +
            (isHeld
              ? '; its full resolution is in the cache.'
              : ', and its full resolution is not in the cache.');
          return { status: 'needs_confirmation', token: made, expiresAtMs, what };
        }
        const given = tokens.get(token);
        const isValid = given?.psn === psn && given.filename === filename && given.expiresAtMs > nowMs;
        if (!isValid || typedFilename !== filename)
          throw new AppError('invalid_input', 'The erasure is not confirmed.', {
            remedy: 'Type the file name exactly, within two minutes of asking.',
          });
        tokens.delete(token);
        const { account, client } = await connections.active();
        const answer = await access.contact(account, psn, 'delete', () => {
          refuseDeletion(psn, filename); // a recall may have been ordered while this waited for its turn
          return client.call('sdFiles.delete', { psn, filename }, contactOptions());
        });
        transact(deps.cache.db, () => {
          cards.removeRecording(account.accountId, psn, filename);
          custody.append({
            actor: deps.actor(),
            action: 'card.delete',
            subject: { kind: 'recording', id: `${psn}/${filename}`, sha256: null },
            detail: { requestId: answer.requestId, reason },
          });
        });
        deps.emit('cards.changed', { psn });
        return { status: 'deleted', deletedAtMs: deps.now() };
      },
      async 'cards.reboot'({ psn, isConfirmed, reason }) {
        if (isConfirmed !== true)
          return {
            status: 'needs_confirmation',
            what: 'The camera restarts: a transfer that is stuck, or running, is dropped, and it is offline for a minute or so. It records nothing in that time.',
          };
        const { account, client } = await connections.active();
        const answer = await access.contact(
          account,
          psn,
          'reboot',
          () => client.call('devices.reboot', { psn }, contactOptions()),
          { mayInterrupt: true },
        );
        custody.append({
          actor: deps.actor(),
          action: 'camera.reboot',
          subject: { kind: 'camera', id: psn, sha256: null },
          detail: { requestId: answer.requestId, ...(reason === undefined ? {} : { reason }) },
        });
        return { status: 'accepted', acceptedAtMs: deps.now() };
      },
    },
  };
}

/** Group records are not shown by the specification beyond their identifier. */
function toGroup(raw: Record<string, unknown>): CameraGroup[] {
  const groupId = raw.groupId ?? raw.id;
  if (typeof groupId !== 'string') return [];
  return [{ groupId, name: typeof raw.name === 'string' ? raw.name : groupId, raw }];
}

async function gather<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
