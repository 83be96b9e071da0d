/** The simulated service as a worker thread: the app's built-in demo fleet. Posts its address and keys, then serves. */
import { parentPort, workerData } from 'node:worker_threads';
import { startSimulator } from './simulator.ts';

const { seed } = workerData as { seed: number }; // main/desk/cloud/demo.ts is the one that starts this file
const simulator = await startSimulator({
  seed,
  scenario: 'default',
  startAt: new Date().toISOString(),
  clock: 'ticking',
  areLiveEventsOn: true,
  areLoopbackWebhooksAllowed: true,
});
parentPort?.postMessage({ baseUrl: simulator.baseUrl, keys: simulator.keys });
