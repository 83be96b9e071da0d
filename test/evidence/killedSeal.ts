import { openWorld } from './support.ts';
import type { CaseId } from '../../shared/ids.ts';

/** Run as a program: seals a case and kills itself, as a power cut would, at the given report of progress. */
const [folder, caseId, out, at] = process.argv.slice(2) as [string, string, string, string];
let reports = 0;
await openWorld(folder).seal(caseId as CaseId, out, {}, 0, {
  onProgress(progress) {
    reports++;
    if (progress.stage === at || String(reports) === at) process.kill(process.pid, 'SIGKILL');
  },
});
