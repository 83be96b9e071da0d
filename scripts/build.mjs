// Builds main (hosts, workers), preload and renderer into dist/. Called by every command that needs them;
// does nothing when the sources are as they were.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { requireNode, root } from './runtime.mjs';

const targets = {
  main: ['main', 'shared', 'test/simulator', 'package.json', 'scripts/build.mjs'],
  preload: ['preload', 'shared', 'scripts/build.mjs'],
  renderer: ['renderer', 'shared', 'assets', 'vite.config.ts', 'package.json'],
};

function* files(place) {
  const full = path.join(root, place);
  const stat = fs.statSync(full, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isDirectory()) {
    yield [place, stat];
    return;
  }
  for (const entry of fs.readdirSync(full, { withFileTypes: true })) {
    if (entry.name !== 'node_modules') yield* files(path.join(place, entry.name));
  }
}

/** Names, sizes and times of all sources of a target: cheap (a few milliseconds), and changes with any edit. */
function fingerprint(target) {
  const hash = crypto.createHash('sha256');
  for (const place of targets[target]) {
    for (const [name, stat] of files(place)) hash.update(`${name}\0${stat.size}\0${stat.mtimeMs}\n`);
  }
  return hash.digest('hex');
}

const stampFile = (target) => path.join(root, 'dist', `${target}.stamp`);

function isFresh(target, print) {
  try {
    return fs.readFileSync(stampFile(target), 'utf8') === print;
  } catch {
    return false;
  }
}

const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Two commands started at once must not write into one dist/: the later waits, then finds it fresh. */
function withBuildLock(work) {
  const lock = path.join(root, 'dist', '.building');
  fs.mkdirSync(path.dirname(lock), { recursive: true });
  for (;;) {
    try {
      fs.writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      let isHeld = true;
      try {
        process.kill(Number(fs.readFileSync(lock, 'utf8')), 0);
      } catch (probe) {
        isHeld = probe.code === 'EPERM';
      }
      if (isHeld) sleep(100);
      else fs.rmSync(lock, { force: true });
    }
  }
  return work().finally(() => fs.rmSync(lock, { force: true }));
}

/** Every file named *Worker.ts is an entry of its own; all of main lies flat in dist/main (see workerUrl). */
function mainEntries() {
  const entries = {
    cli: 'main/hosts/cli/main.ts',
    electron: 'main/hosts/electron/main.ts',
    // The built-in demo fleet.
    simulatorWorker: 'test/simulator/simulatorWorker.ts',
  };
  for (const [name] of files('main')) {
    if (name.endsWith('Worker.ts')) entries[path.basename(name, '.ts')] = name;
  }
  return Object.fromEntries(
    Object.entries(entries)
      .map(([key, file]) => [key, path.join(root, file)])
      .filter(([, file]) => fs.existsSync(file)),
  );
}

async function buildTarget(target, vite) {
  const common = { configFile: false, root, logLevel: 'warn' };
  if (target === 'main') {
    await vite.build({
      ...common,
      build: {
        ssr: true,
        target: 'node24',
        outDir: 'dist/main',
        emptyOutDir: true,
        minify: false,
        sourcemap: false,
        rolldownOptions: {
          input: mainEntries(),
          external: ['electron', 'better-sqlite3'],
          output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'part-[name]-[hash].js' },
        },
      },
      ssr: { noExternal: true, external: ['electron', 'better-sqlite3'] },
    });
    // The demo fleet's clips, where its bundled code looks for them.
    fs.cpSync(path.join(root, 'test/simulator/clips'), path.join(root, 'dist/clips'), { recursive: true });
  } else if (target === 'preload') {
    if (!fs.existsSync(path.join(root, 'preload/preload.ts'))) return;
    await vite.build({
      ...common,
      build: {
        ssr: true,
        target: 'node24',
        outDir: 'dist/preload',
        emptyOutDir: true,
        rolldownOptions: {
          input: path.join(root, 'preload/preload.ts'),
          external: ['electron'],
          output: { format: 'cjs', entryFileNames: 'preload.cjs' },
        },
      },
      ssr: { noExternal: true, external: ['electron'] },
    });
  } else {
    await vite.build({ configFile: path.join(root, 'vite.config.ts'), logLevel: 'warn' });
  }
}

/** Builds the named targets where their sources have changed since. */
export async function build(names = Object.keys(targets), { isForced = false } = {}) {
  const stale = () => names.filter((name) => isForced || !isFresh(name, fingerprint(name)));
  if (stale().length === 0) return;
  await withBuildLock(async () => {
    const vite = await import('vite');
    for (const target of stale()) {
      const print = fingerprint(target);
      await buildTarget(target, vite);
      fs.writeFileSync(stampFile(target), print);
    }
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) {
  requireNode();
  try {
    await build(undefined, { isForced: process.argv.includes('--force') });
  } catch (error) {
    // After an install (--if-possible) a failed build must not fail the install: every command builds again, and says why.
    console.error(error);
    process.exitCode = process.argv.includes('--if-possible') ? 0 : 1;
  }
}
