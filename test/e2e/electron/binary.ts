import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');

/**
 * Electron's program file: EVIDENCE_DESK_ELECTRON, else the one that was downloaded into node_modules; null when
 * there is none. Never imports `electron`, which would try to download it.
 */
export function electronBinary(): string | null {
  const named = process.env['EVIDENCE_DESK_ELECTRON'];
  if (named) return fs.existsSync(named) ? named : null;
  const folder = path.join(root, 'node_modules', 'electron');
  try {
    const file = path.join(folder, 'dist', fs.readFileSync(path.join(folder, 'path.txt'), 'utf8').trim());
    return fs.existsSync(file) ? file : null;
  } catch {
    return null;
  }
}

/** Why the tests of the packaged window can't run here; null when they can. */
export function whyNot(): string | null {
  if (electronBinary() === null)
    return 'Electron’s binary is not here (node node_modules/electron/install.js gets it)';
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) {
    return 'there is no display';
  }
  return fs.existsSync(path.join(root, 'dist', 'main', 'electron.js'))
    ? null
    : 'the app is not built (npm run build)';
}
