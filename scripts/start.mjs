// `npm start`: Electron where its program is there or can be fetched, otherwise the same app in an app window of an
// installed browser, or, with no display, its address.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from './build.mjs';
import { electronBinary, findChromium, packageFile, requireNode, root } from './runtime.mjs';

requireNode();
const args = process.argv.slice(2);
await build();

const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY);

/** Electron's package fetches its program at first use; done here once, with a limit, and only where it can show a window. */
function fetchElectron() {
  console.log('Fetching Electron (once)…');
  const fetched = spawnSync(process.execPath, [packageFile('electron', 'install.js')], {
    cwd: root,
    stdio: 'ignore',
    timeout: 180_000,
  });
  return fetched.status === 0 ? electronBinary() : null;
}

const isBrowserAsked = args.includes('--browser');
// Electron and Chromium end at once as root, whose sandbox can't be on; and it is never switched off outside the tests.
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const electron = isBrowserAsked || !hasDisplay || isRoot ? null : (electronBinary() ?? fetchElectron());
if (electron) {
  const child = spawn(electron, [root, ...args], { stdio: 'inherit' });
  child.on('exit', (code) => process.exit(code ?? 0));
} else {
  startBrowserHost();
}

function startBrowserHost() {
  const browser = findChromium();
  const canOpen = hasDisplay && browser !== null && !isRoot;
  const why = isBrowserAsked
    ? 'As asked, '
    : !hasDisplay
      ? 'There is no display here for Electron, so '
      : isRoot
        ? 'Electron’s sandbox does not work for root, so '
        : 'Electron’s program file is not here and could not be fetched, so ';
  const how = canOpen ? 'a browser window.' : 'your browser: open the address below.';
  console.log(`${why}Evidence Desk runs in ${how}`);
  const host = spawn(
    process.execPath,
    [path.join(root, 'dist/main/cli.js'), 'serve', ...args.filter((a) => a !== '--browser')],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let isOpened = false;
  host.stdout.setEncoding('utf8');
  host.stdout.on('data', (text) => {
    process.stdout.write(text);
    const address = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(text)?.[0];
    if (!address || isOpened || !canOpen) return;
    isOpened = true;
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'evidence-desk-window-'));
    const window = spawn(browser, [`--app=${address}`, `--user-data-dir=${profile}`, '--no-first-run'], {
      stdio: 'ignore',
    });
    window.on('exit', () => {
      fs.rmSync(profile, { recursive: true, force: true });
      host.kill('SIGTERM');
    });
  });
  host.on('exit', (code) => process.exit(code ?? 0));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => host.kill(signal));
}
