import { existsSync } from 'node:fs';

/**
 * The simulated service's worker: beside the other workers in the bundle, in the tests' folder in the sources (the
 * rooms of `main` may not import it, and do not: it is started, like a program). Null where a copy comes without.
 */
export function simulatorUrl(): URL | null {
  const isSource = import.meta.url.endsWith('.ts');
  const url = new URL(
    isSource ? '../../../test/simulator/simulatorWorker.ts' : './simulatorWorker.js',
    import.meta.url,
  );
  return existsSync(url) ? url : null;
}
