import { parentPort, workerData } from 'node:worker_threads';
import { encodeMessage } from '../../shared/contract/wire.ts';
import { AppError, fromErrorData, toErrorData, type Result } from '../../shared/errors.ts';
import type { HostAbilities } from './deps.ts';
import { openDesk, type Desk } from './desk.ts';
import type { AbilityCalls, AbilityName, DeskWorkerData, FromDesk, ToDesk } from './protocol.ts';

/**
 * The desk's own thread: opens the cache, answers requests, sends events. Started by connectDesk; everything
 * that reaches it comes from the host's thread of this very process.
 */
if (!parentPort) throw new Error('The desk’s thread was started as a program of its own.');
const port = parentPort;
const data = workerData as DeskWorkerData; // connectDesk is the only one that starts this file

const abilityReplies = new Map<number, (result: Result<Uint8Array | null>) => void>();
const aborts = new Map<number, AbortController>();
let lastAbilityId = 0;

function send(message: FromDesk, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

function onBug(where: string, thrown: unknown): void {
  send({
    kind: 'bug',
    where,
    text: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
  });
}

async function askHost<N extends AbilityName>(
  name: N,
  args: AbilityCalls[N]['args'],
): Promise<AbilityCalls[N]['result']> {
  const id = (lastAbilityId += 1);
  const reply = Promise.withResolvers<Result<Uint8Array | null>>();
  abilityReplies.set(id, reply.resolve);
  send({ kind: 'ability', id, name, args });
  const result = await reply.promise;
  if (!result.ok) throw fromErrorData(result.error);
  return result.value as AbilityCalls[N]['result']; // the host answers by the same table
}

const abilities: HostAbilities = {
  info: data.abilitiesInfo,
  protectSecret: (plain) => askHost('protectSecret', plain),
  revealSecret: (sealed) => askHost('revealSecret', sealed),
  async revealInFolder(path) {
    await askHost('revealInFolder', path);
  },
};

async function toResult(where: string, work: () => Promise<unknown> | unknown): Promise<Result<unknown>> {
  try {
    return { ok: true, value: await work() };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) onBug(where, thrown);
    return { ok: false, error: toErrorData(thrown) };
  }
}

async function answerRequest(desk: Desk, message: Extract<ToDesk, { kind: 'request' }>): Promise<void> {
  const { id, name, input } = message;
  const result = await desk.dispatch(name, input);
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = encodeMessage(result);
  } catch (thrown) {
    onBug(name, thrown);
    bytes = encodeMessage({ ok: false, error: toErrorData(thrown) });
  }
  send({ kind: 'reply', id, bytes }, [bytes.buffer]);
}

async function answerCall(desk: Desk, message: Extract<ToDesk, { kind: 'call' }>): Promise<void> {
  const { id, name, args } = message;
  const abort = new AbortController();
  aborts.set(id, abort);
  const options = {
    signal: abort.signal,
    onProgress: (progress: Extract<FromDesk, { kind: 'progress' }>['progress']) =>
      send({ kind: 'progress', id, progress }),
  };
  const result = await toResult(name, () => {
    // The host is compiled against DeskCalls; each name has one shape of arguments.
    if ('paths' in args) {
      return desk.importFiles(args.paths, {
        ...options,
        ...(args.caseId === undefined ? {} : { caseId: args.caseId }),
      });
    }
    if ('outPath' in args) return desk.sealTo(args.caseId, args.outPath, { ...args.options, ...options });
    if ('mediaPath' in args) return desk.mediaFile(args.mediaPath);
    return desk.verifyFile(args.path, options);
  });
  aborts.delete(id);
  send({ kind: 'call-reply', id, result });
}

async function close(desk: Desk): Promise<void> {
  const result = await toResult('close', () => desk.close());
  if (!result.ok) onBug('close', result.error.message);
  send({ kind: 'closed' });
  port.close();
}

function serve(desk: Desk): void {
  port.on('message', (message: ToDesk) => {
    switch (message.kind) {
      case 'request':
        return void answerRequest(desk, message);
      case 'call':
        return void answerCall(desk, message);
      case 'abort':
        return aborts.get(message.id)?.abort(new AppError('canceled', 'Canceled.'));
      case 'ability-reply':
        abilityReplies.get(message.id)?.(message.result);
        return void abilityReplies.delete(message.id);
      case 'close':
        return void close(desk);
    }
  });
}

try {
  const desk = await openDesk({
    dataFolder: data.dataFolder,
    abilities,
    runner: data.runner,
    appVersion: data.appVersion,
    samplePath: data.samplePath,
    onBug,
  });
  desk.subscribeAll((name, payload) => send({ kind: 'event', name, payload }));
  serve(desk);
  send({ kind: 'ready' });
} catch (thrown) {
  if (!(thrown instanceof AppError)) onBug('open', thrown);
  send({ kind: 'failed', error: toErrorData(thrown) });
  port.close();
}
