import os from 'node:os';
import path from 'node:path';

export interface FolderOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homeFolder: string;
}

export const dataFolderVariable = 'EVIDENCE_DESK_DATA_DIR';

function thisMachine(): FolderOptions {
  return { environment: process.env, platform: process.platform, homeFolder: os.homedir() };
}

/** A variable that names an absolute folder, as the XDG base directories demand; anything else is ignored. */
function absolute(options: FolderOptions, name: string): string | null {
  const value = options.environment[name];
  return value !== undefined && pathsOf(options).isAbsolute(value) ? value : null;
}

function pathsOf(options: FolderOptions): path.PlatformPath {
  return options.platform === 'win32' ? path.win32 : path.posix;
}

/** Where evidence is kept unless `--data-dir` says otherwise: EVIDENCE_DESK_DATA_DIR, else the system's place. */
export function defaultDataFolder(options: FolderOptions = thisMachine()): string {
  const { platform, homeFolder } = options;
  const { join } = pathsOf(options);
  const chosen = options.environment[dataFolderVariable];
  if (chosen) return path.resolve(chosen);
  if (platform === 'win32') {
    const local = absolute(options, 'LOCALAPPDATA') ?? join(homeFolder, 'AppData', 'Local');
    return join(local, 'Evidence Desk', 'Data');
  }
  if (platform === 'darwin') {
    return join(homeFolder, 'Library', 'Application Support', 'Evidence Desk', 'Data');
  }
  const data = absolute(options, 'XDG_DATA_HOME') ?? join(homeFolder, '.local', 'share');
  return join(data, 'evidence-desk');
}

/** Where the key of the file secret store and the window's state are kept, apart from the data folder. */
export function defaultConfigFolder(options: FolderOptions = thisMachine()): string {
  const { platform, homeFolder } = options;
  const { join } = pathsOf(options);
  if (platform === 'win32') {
    const roaming = absolute(options, 'APPDATA') ?? join(homeFolder, 'AppData', 'Roaming');
    return join(roaming, 'Evidence Desk', 'Config');
  }
  if (platform === 'darwin') {
    return join(homeFolder, 'Library', 'Application Support', 'Evidence Desk', 'Config');
  }
  const config = absolute(options, 'XDG_CONFIG_HOME') ?? join(homeFolder, '.config');
  return join(config, 'evidence-desk');
}
