// `npm test`: format, lint, types, build, unit and integration, end to end in a real browser. Installs what
// it needs where it can, says what to do where it can't, and ends with the true sum of all suites.
import fs from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { ensurePrograms, findChromium, isProgram, packageFile, requireNode, root, run } from './runtime.mjs';

requireNode();
process.env.PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`;
const sum = { passed: 0, failed: 0, skipped: 0 };
const skippedNames = [];
const node = process.execPath;

async function check(name, work) {
  console.log(`\n== ${name}`);
  let isGood = false;
  try {
    isGood = await work();
  } catch (error) {
    console.error(error);
  }
  sum[isGood ? 'passed' : 'failed'] += 1;
  console.log(isGood ? `${name}: passed` : `${name}: FAILED`);
}

const missing = ensurePrograms([
  { debianPackage: 'chromium', isThere: () => findChromium() !== null },
  { debianPackage: 'unzip', isThere: isProgram('unzip') },
  { debianPackage: 'openssl', isThere: isProgram('openssl') },
]);
for (const { debianPackage } of missing) {
  console.error(
    `The tests need "${debianPackage}", which is not on this machine and could not be installed. ` +
      (debianPackage === 'chromium'
        ? 'Install Chromium, Chrome or Edge, or set EVIDENCE_DESK_BROWSER to its program file.'
        : 'Install it and run the tests again.'),
  );
}
const browser = findChromium();
if (browser) process.env.EVIDENCE_DESK_BROWSER = browser;

await check(
  'format',
  () =>
    run(node, [packageFile('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level', 'warn', '.']) === 0,
);
await check(
  'lint',
  () => run(node, [packageFile('eslint', 'bin', 'eslint.js'), '.', '--max-warnings', '0']) === 0,
);
for (const project of ['tsconfig.json', 'tsconfig.renderer.json']) {
  await check(
    `types of ${project}`,
    () => run(node, [packageFile('typescript', 'bin', 'tsc'), '-p', project]) === 0,
  );
}
await check('build', async () => {
  await build();
  return true;
});

/** Adds up a suite from its JSON report; a suite that left none has failed. */
function addSuite(name, exitCode, file, read) {
  try {
    const counts = read(JSON.parse(fs.readFileSync(file, 'utf8')));
    sum.passed += counts.passed;
    sum.failed += counts.failed;
    sum.skipped += counts.skipped;
    // A runner that fails without a failed test (no test found, a crash) must not pass for green.
    if (exitCode !== 0 && counts.failed === 0) sum.failed += 1;
    console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  } catch (error) {
    sum.failed += 1;
    console.error(`${name}: left no report (${error.message})`);
  }
}

const reports = path.join(root, 'test-results');
fs.rmSync(reports, { recursive: true, force: true });
fs.mkdirSync(reports, { recursive: true });
// Every simulated service of every process below writes here how the app treated its cameras.
const conductFolder = path.join(reports, 'conduct');
process.env.EVIDENCE_DESK_CONDUCT_FOLDER = conductFolder;

console.log('\n== unit and integration');
const unitReport = path.join(reports, 'unit.json');
const unitCode = run(
  node,
  [
    packageFile('vitest', 'vitest.mjs'),
    'run',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${unitReport}`,
  ],
  process.stdout.isTTY ? {} : { env: { ...process.env, NO_COLOR: '1' } },
);
addSuite('unit and integration', unitCode, unitReport, (report) => {
  for (const file of report.testResults) {
    for (const test of file.assertionResults) {
      if (test.status === 'pending' || test.status === 'skipped' || test.status === 'todo')
        skippedNames.push(test.fullName);
    }
  }
  return {
    passed: report.numPassedTests,
    failed:
      report.numFailedTests +
      report.testResults.filter((f) => f.status === 'failed' && f.assertionResults.length === 0).length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
});

console.log('\n== end to end');
if (browser) {
  const e2eReport = path.join(root, 'test-results', 'e2e.json');
  const e2eCode = run(node, [packageFile('playwright', 'cli.js'), 'test']);
  addSuite('end to end', e2eCode, e2eReport, (report) => {
    const collect = (suite, prefix) => {
      for (const spec of suite.specs ?? []) {
        if (spec.tests.some((t) => t.status === 'skipped')) skippedNames.push(`${prefix} ${spec.title}`);
      }
      for (const inner of suite.suites ?? []) collect(inner, `${prefix} ${inner.title}`.trim());
    };
    for (const suite of report.suites) collect(suite, suite.title);
    const { expected, unexpected, flaky, skipped } = report.stats;
    return { passed: expected + flaky, failed: unexpected, skipped };
  });
} else {
  sum.failed += 1;
  console.error('end to end: no browser');
}

await check('cameras over the whole run: one contact at a time, no clip asked for twice', async () => {
  // Not above: it is TypeScript, which an older Node could not even begin to load.
  const { reportConduct } = await import('../test/simulator/sumConduct.ts');
  return reportConduct(conductFolder);
});

for (const name of skippedNames) console.log(`skipped: ${name}`);
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
process.exit(sum.failed === 0 ? 0 : 1);
