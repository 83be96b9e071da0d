/** Adds up what every simulated service of a test run wrote of how the app treated cameras (conduct.ts). */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ConductLine } from './conduct.ts';

export interface ConductSum {
  readonly contacts: number;
  /** Contacts that began while another one of the same client to the same camera was not over. */
  readonly overlapping: number;
  readonly playbacks: number;
  /** Playback calls for a clip that the client had downloaded whole in that quality. */
  readonly forHeld: number;
  readonly services: number;
  /** One line for each overlap and each playback call too many. */
  readonly wrongs: readonly string[];
  /** Why clips were asked for anew on purpose, with how often. */
  readonly excuses: Readonly<Record<string, number>>;
}

export function sumConduct(folder: string): ConductSum {
  const sum = { contacts: 0, overlapping: 0, playbacks: 0, forHeld: 0, services: 0 };
  const wrongs: string[] = [];
  const excuses: Record<string, number> = {};
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.ndjson')) : [];
  for (const name of names.sort()) {
    sum.services += 1;
    for (const text of readFileSync(path.join(folder, name), 'utf8').split('\n')) {
      if (text === '') continue;
      const line = JSON.parse(text) as ConductLine; // as conduct.ts wrote it
      switch (line.what) {
        case 'contact':
          sum.contacts += 1;
          if (line.besides.length === 0) break;
          sum.overlapping += 1;
          wrongs.push(
            `${name}: ${line.kind} of ${line.psn} beside ${line.besides.join(', ')} (${line.client})`,
          );
          break;
        case 'playback':
          sum.playbacks += 1;
          if (!line.isHeld) break;
          sum.forHeld += 1;
          wrongs.push(`${name}: playback of ${line.clip}, which is held (${line.client})`);
          break;
        case 'excused':
          excuses[line.reason] = (excuses[line.reason] ?? 0) + 1;
      }
    }
  }
  return { ...sum, wrongs, excuses };
}

/** Nothing counted proves nothing. */
export function isGoodConduct({ contacts, overlapping, playbacks, forHeld }: ConductSum): boolean {
  return contacts > 0 && playbacks > 0 && overlapping === 0 && forHeld === 0;
}

/** Prints the sums and what stands behind them; true when all is well. */
export function reportConduct(folder: string): boolean {
  const sum = sumConduct(folder);
  console.log(
    `device contacts ${sum.contacts}, overlapping ${sum.overlapping}; ` +
      `playback calls ${sum.playbacks}, for held clips ${sum.forHeld} (${sum.services} simulated services)`,
  );
  for (const [reason, times] of Object.entries(sum.excuses))
    console.log(`  asked anew on purpose, ${times} times: ${reason}`);
  for (const wrong of sum.wrongs.slice(0, 20)) console.error(`  ${wrong}`);
  if (sum.wrongs.length > 20) console.error(`  and ${sum.wrongs.length - 20} more`);
  return isGoodConduct(sum);
}
