/** `npm run -s simulator`: one JSON line with the address and the keys, then serves until it is told to stop. */
import { parseArgs } from 'node:util';
import { scenarios } from './scenarios.ts';
import { startSimulator } from './simulator.ts';

const usage = `usage: simulator [--port N] [--scenario ${Object.keys(scenarios).join('|')}] [--seed N] [--start-at TIMESTAMP]`;

function fail(message: string): never {
  console.error(`${message}\n${usage}`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        port: { type: 'string' },
        scenario: { type: 'string' },
        seed: { type: 'string' },
        'start-at': { type: 'string' },
      },
    }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const values = readArguments();
const toNumber = (name: 'port' | 'seed', byDefault: number): number => {
  const text = values[name];
  if (text === undefined) return byDefault;
  return /^\d+$/.test(text) ? Number(text) : fail(`--${name} takes a number`);
};
const scenario = values.scenario ?? 'default';
if (!(scenario in scenarios)) fail(`no scenario "${scenario}"`);

const simulator = await startSimulator({
  port: toNumber('port', 0),
  seed: toNumber('seed', 1),
  scenario,
  startAt: values['start-at'] ?? new Date().toISOString(),
  clock: 'ticking',
  areLiveEventsOn: true,
  areLoopbackWebhooksAllowed: true,
}).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
console.log(JSON.stringify({ baseUrl: simulator.baseUrl, keys: simulator.keys }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void simulator.stop().then(() => process.exit(0)));
}
