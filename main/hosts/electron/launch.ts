/** What the command line of the app says; the environment's EVIDENCE_DESK_DATA_DIR comes after it. */
export interface LaunchArguments {
  readonly dataFolder: string | null;
}

/** Reads `--data-dir DIR` and `--data-dir=DIR`; everything else belongs to Chromium or to nobody. */
export function parseLaunchArguments(argv: readonly string[]): LaunchArguments {
  let dataFolder: string | null = null;
  argv.forEach((argument, at) => {
    if (argument.startsWith('--data-dir=')) dataFolder = argument.slice('--data-dir='.length);
    const next = argv[at + 1];
    if (argument === '--data-dir' && next !== undefined && !next.startsWith('--')) dataFolder = next;
  });
  return { dataFolder: dataFolder === '' ? null : dataFolder };
}
