// `npm run bench`: how fast the product is beside programs that do a comparable job, on this machine, now.
// --quick (200,000 points, one round)  --points N[,N]  --rounds N  --only PART[,PART]  --no-report
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { findChromium, machineLine, requireNode, root } from './runtime.mjs';

requireNode();
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    points: { type: 'string' },
    rounds: { type: 'string' },
    only: { type: 'string' },
    'no-report': { type: 'boolean', default: false },
  },
});
await build();
const { benchParts, runBench } = await import('../test/bench/run.ts');
const { existsSync } = await import('node:fs');
const parts = values.only?.split(',') ?? [...benchParts];
const unknown = parts.filter((part) => !benchParts.includes(part));
const sizes = (values.points ?? (values.quick ? '200000' : '1000000,5000000')).split(',').map(Number);
const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
if (unknown.length > 0 || sizes.some((size) => !(size >= 1000)) || !(rounds >= 1)) {
  console.error(
    `Usage: npm run bench -- [--quick] [--points N,N] [--rounds N] [--only ${benchParts.join(',')}] [--no-report]`,
  );
  process.exit(2);
}
// What was left out must not replace a whole report.
const isWhole = !values.quick && values.only === undefined && values.points === undefined;
await runBench({
  sizes: sizes.sort((a, b) => a - b),
  rounds,
  parts,
  cli: path.join(root, 'dist/main/cli.js'),
  chromiumPath: findChromium(),
  hasWindow: existsSync(path.join(root, 'dist/renderer/index.html')),
  machine: machineLine(),
  command: ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' '),
  reportFile: values['no-report'] || !isWhole ? null : path.join(root, 'docs/performance.md'),
});
