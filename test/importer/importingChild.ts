/** A process of its own for the kill tests: opens a data folder and imports files until it is done or killed. */
import { openCache } from '../../main/cache/openCache.ts';
import { stageFile } from '../../main/cache/uploads.ts';
import { runImport } from '../../main/importer/importJob.ts';

const [folder, ...files] = process.argv.slice(2) as [string, ...string[]];
const cache = openCache({ folder });
process.send!('open');
const uploads = [];
for (const file of files) uploads.push(await stageFile(folder, file));
const outcome = await runImport(cache, uploads, { actor: 'Child' });
process.send!(outcome);
cache.close();
process.disconnect();
