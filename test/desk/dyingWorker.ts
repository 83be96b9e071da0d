import { parentPort } from 'node:worker_threads';

/** A desk's thread that takes two questions and dies of a bug without having answered. */
let questions = 0;
parentPort?.on('message', () => {
  questions += 1;
  if (questions === 2) throw new Error('a bug in the desk’s thread');
});
parentPort?.postMessage({ kind: 'ready' });
