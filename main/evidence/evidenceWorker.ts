import { parentPort, workerData } from 'node:worker_threads';
import { AppError, toErrorData } from '../../shared/errors.ts';
import { openReply, type EvidenceTask, type FromWorker, type ToWorker } from './runEvidence.ts';
import { sealPackage } from './packageWriter.ts';
import { verifyPackage } from './verifier.ts';

/** The thread in which packages are written and checked. It never sees the private key: it asks for a signature. */
const port = parentPort!; // this file is only ever run as a worker
const task = workerData as EvidenceTask; // given by runEvidence.ts
const abort = new AbortController();
const signature = openReply<Uint8Array>();
const send = (message: FromWorker): void => port.postMessage(message);

port.on('message', (message: ToWorker) => {
  if (message.kind === 'cancel') abort.abort(new AppError('canceled', 'Canceled.'));
  else if (message.kind === 'signature') signature.resolve(message.bytes);
  else signature.reject(new AppError('seal_key_unavailable', message.message));
});

async function run(): Promise<void> {
  const controls = {
    signal: abort.signal,
    onProgress: (progress: Extract<FromWorker, { kind: 'progress' }>['progress']) =>
      send({ kind: 'progress', progress }),
  };
  if (task.kind === 'verify') {
    const report = await verifyPackage(task.file, { ...controls, ownFingerprint: task.ownFingerprint });
    return send({ kind: 'verified', report });
  }
  const sealed = await sealPackage(task.dataFolder, task.request, {
    ...controls,
    sign(bytes) {
      send({ kind: 'sign', bytes });
      return signature.promise;
    },
  });
  send({ kind: 'sealed', sealed });
}

run()
  .catch((thrown: unknown) => {
    if (!(thrown instanceof AppError)) throw thrown; // a bug: the owner gets it as the worker's error
    send({ kind: 'failed', error: toErrorData(thrown) });
  })
  .finally(() => port.unref());
