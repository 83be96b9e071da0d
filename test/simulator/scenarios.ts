/** Named starting conditions; the list for readers is in docs/simulator.md. */
import type { Control } from './control.ts';
import type { Modes, SimulationOptions } from './simulation.ts';
import { createRandom } from './random.ts';

export interface Scenario {
  readonly options?: Partial<SimulationOptions>;
  readonly modes?: Partial<Modes>;
  prepare?(control: Control, seed: number): void;
}

/** 20 s of video at the rates of section 8.3: 300 MB a minute in main, 4 % of it in sub. */
const nominalSizes = { main: 100_000_000, sub: 4_000_000 };

export const scenarios = {
  default: {},
  /** Unknown fields, enum values, headers and a new CSV column. */
  additive: { modes: { isAdditive: true } },
  /** Nothing optional, nothing undocumented, no Retry-After where it has a default. */
  minimal: { modes: { isMinimal: true } },
  /** Devices report no sizes. */
  'null-sizes': { modes: { isNullSizes: true } },
  /** Clips as large as real ones, by padding. */
  nominal: { options: { nominalSizes } },
  /** Cards with more than 10,000 recordings. */
  'large-card': { options: { cardDays: 80 } },
  /** Nominal sizes and an allowance that is nearly spent. */
  'tight-budget': {
    options: { nominalSizes },
    prepare(control) {
      for (const organisation of ['enterprise', 'pro', 'sandbox']) {
        control.setUsage(organisation, { transferBytesLeft: 180 * 2 ** 20 });
      }
    },
  },
  /** A bad day: busy devices, lost connections, server errors, in a sequence that the seed fixes. */
  flaky: {
    prepare(control, seed) {
      const random = createRandom(seed, 'flaky');
      for (let index = 0; index < 200; index += 1) {
        const skip = index * 6 + random.integer(0, 5);
        const kind = random.pick(['busy', 'drop', 'error', 'empty'] as const);
        if (kind === 'busy') {
          const match = { path: '/sd-files' };
          control.addFault({
            match,
            skip,
            times: 1,
            effect: { kind: 'problem', code: 'device_busy', retryAfterSeconds: 1 },
          });
        } else if (kind === 'drop') {
          const match = { surface: 'link' as const };
          control.addFault({
            match,
            skip: index,
            times: 1,
            effect: { kind: 'drop', bytes: random.integer(0, 60_000) },
          });
        } else if (kind === 'error') {
          control.addFault({
            match: { method: 'GET', path: '^/v1/' },
            skip,
            times: 1,
            effect: { kind: 'problem', code: 'upstream_unavailable' },
          });
        } else {
          control.addFault({
            match: { method: 'GET', path: '^/v1/' },
            skip,
            times: 1,
            effect: { kind: 'raw', status: 502, body: '' },
          });
        }
      }
    },
  },
} satisfies Readonly<Record<string, Scenario>> as Readonly<Record<string, Scenario>>;
