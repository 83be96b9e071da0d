// What the start, test and build scripts share: the Node guard, and finding the programs they need.
// Plain JavaScript on purpose: it must run, and speak clearly, on a Node that is too old for the rest.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** better-sqlite3 13 crashes the process (SIGSEGV) on Node 20, so this must speak before it is loaded. */
export function requireNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= 24) return;
  console.error(
    `Evidence Desk needs Node 24 or newer; this is Node ${process.versions.node} (${process.execPath}).\n` +
      'Run it through npm ("npm start", "npm test", "npm run -s cli -- ..."): after "npm ci" these use the Node 24 ' +
      'that comes with the project.',
  );
  process.exit(1);
}

/** Runs a command with the terminal's own output; returns its exit code (1 when it could not be started). */
export function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (done.error) console.error(`${command}: ${done.error.message}`);
  return done.status ?? 1;
}

/** A file of node_modules/<package>, as an absolute path. */
export function packageFile(...parts) {
  return path.join(root, 'node_modules', ...parts);
}

function firstOnPath(names) {
  const extensions = process.platform === 'win32' ? ['.exe', ''] : [''];
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const name of names) {
      for (const extension of extensions) {
        const file = path.join(folder, name + extension);
        if (fs.existsSync(file)) return file;
      }
    }
  }
  return null;
}

/** An installed Chromium, Chrome or Edge (EVIDENCE_DESK_BROWSER overrides), or null. */
export function findChromium() {
  const named = process.env.EVIDENCE_DESK_BROWSER;
  if (named) return fs.existsSync(named) ? named : null;
  const onPath = firstOnPath([
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    'chrome',
    'microsoft-edge',
    'msedge',
  ]);
  if (onPath) return onPath;
  const places = {
    darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (n) => `/Applications/${n}.app/Contents/MacOS/${n}`,
    ),
    win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((key) =>
      ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'].map((tail) =>
        path.join(process.env[key] ?? '', tail),
      ),
    ),
  }[process.platform];
  return (places ?? []).find((file) => fs.existsSync(file)) ?? null;
}

function isDebian() {
  try {
    return /^(ID|ID_LIKE)=.*(debian|ubuntu)/m.test(fs.readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

/** Finds the named programs or, as root on Debian, installs the packages that bring them. Returns what is missing. */
export function ensurePrograms(wanted) {
  const missing = () => wanted.filter(({ isThere }) => !isThere());
  if (missing().length > 0 && isDebian() && process.getuid?.() === 0) {
    const packages = missing().map((w) => w.debianPackage);
    console.log(`Installing ${packages.join(', ')} (needed by the tests)…`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    if (run('apt-get', ['update', '-qq'], { env }) === 0) {
      run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    }
  }
  return missing();
}

export const isProgram = (name) => () => firstOnPath([name]) !== null;

/** Electron's own program file, where it has been downloaded; never imports `electron`, which would try to fetch it. */
export function electronBinary() {
  try {
    const folder = packageFile('electron', 'dist');
    const file = path.join(folder, fs.readFileSync(packageFile('electron', 'path.txt'), 'utf8').trim());
    return fs.existsSync(file) ? file : null;
  } catch {
    return null;
  }
}

/** One line about the machine, for reports. */
export function machineLine() {
  const cpus = os.cpus();
  return `${cpus.length} x ${cpus[0]?.model ?? 'unknown CPU'}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${os.type()} ${os.release()}, Node ${process.versions.node}`;
}

export function commandOutput(command, args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
