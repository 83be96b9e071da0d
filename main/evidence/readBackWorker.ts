import { parentPort, workerData } from 'node:worker_threads';
import { createReadBackHere, type Digest } from './readBack.ts';

/** The thread of createReadBackThread. */
const { file, digests } = workerData as { file: string; digests: readonly Digest[] }; // given by readBack.ts
const here = createReadBackHere(file, digests);
parentPort?.on('message', (message: { offset: number; length: number } | 'finish') => {
  if (message === 'finish') parentPort?.postMessage(here.finish());
  else here.extend(message.offset, message.length);
});
