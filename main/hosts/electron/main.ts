import fs from 'node:fs';
import path from 'node:path';
import * as electron from 'electron';
import { checkRuntime } from '../../desk/runtime.ts';
import { startElectronHost } from './host.ts';

/**
 * The entry of the Electron app; the only file that imports electron as a value. Bundled to
 * `dist/main/electron.js`, so the app's root is two folders up.
 */
const root = path.resolve(import.meta.dirname, '..', '..');
// Beside the archive when packaged (see electron-builder.yml), in the working copy otherwise.
const resources = electron.app.isPackaged ? process.resourcesPath : root;
const samplePath = path.join(resources, 'assets', 'sample-export.zip');

// A bug in the main process is logged; the desk's thread and the window go on.
process.on('uncaughtException', (thrown) => console.error('evidence-desk: main process:', thrown));
process.on('unhandledRejection', (thrown) => console.error('evidence-desk: main process:', thrown));

const problem = checkRuntime();
if (problem) {
  electron.dialog.showErrorBox('Evidence Desk can’t open', `${problem.message}\n\n${problem.remedy ?? ''}`);
  electron.app.exit(1);
} else {
  void startElectronHost(electron, {
    rendererFolder: path.join(root, 'dist', 'renderer'),
    preloadPath: path.join(root, 'dist', 'preload', 'preload.cjs'),
    iconPath: path.join(resources, 'assets', 'icons', 'icon.png'),
    samplePath: fs.existsSync(samplePath) ? samplePath : null,
    appVersion: electron.app.getVersion(),
    argv: process.argv,
    environment: process.env,
    platform: process.platform,
  });
}
