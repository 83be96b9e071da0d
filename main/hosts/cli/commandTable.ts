import type { Command } from './command.ts';

const range = { '--from': 'value', '--to': 'value' } as const;
const timesHelp =
  'T is RFC 3339 with a zone (2025-03-03T05:00:00Z, 2025-03-03T06:00:00+01:00) or a date (midnight UTC); --to is exclusive.';

/** Every command there is. A command that is not built yet is not here, and so is unknown. */
export const commands: Readonly<Record<string, Command>> = {
  import: {
    usage: 'import FILE... [--case NAME]',
    does: 'Imports export zips, bare .csv, .gpx and .kml files, .mp4 clips, and folders of them.',
    options: { '--case': 'value' },
    details: [
      '--case NAME  adds what was imported (or is here already) to a case, by name or id; a new name makes the case.',
      'Exit code 3 when something was left out; the report says what and why.',
    ],
    load: async () => (await import('./commands/import.ts')).runImportCommand,
  },
  sources: {
    usage: 'sources',
    does: 'Lists the files that came in.',
    options: {},
    load: async () => (await import('./commands/sources.ts')).runSourcesCommand,
  },
  trips: {
    usage: 'trips [--psn P] [--from T] [--to T] [--bbox W,S,E,N]',
    does: 'Lists trips.',
    options: { '--psn': 'list', ...range, '--bbox': 'value' },
    details: [
      '--psn P         only this camera; may be given again.',
      '--bbox W,S,E,N  only trips with a recorded point in the box (degrees; W > E crosses the 180th meridian).',
      timesHelp,
    ],
    load: async () => (await import('./commands/trips.ts')).runTripsCommand,
  },
  track: {
    usage: 'track TRIPID [--format json|csv|gpx|kml|geojson]',
    does: "Writes one trip's points, with the digits of their source.",
    options: { '--format': 'value' },
    load: async () => (await import('./commands/track.ts')).runTrackCommand,
  },
  near: {
    usage: 'near LAT,LNG [--radius M] [--from T] [--to T]',
    does: 'Says which cameras passed here, and when.',
    options: { '--radius': 'value', ...range },
    details: [
      '--radius M  metres around the place; 50 unless told.',
      'A pass is measured to the line between recorded points; a moment on it is interpolated, and said to be.',
      timesHelp,
    ],
    load: async () => (await import('./commands/near.ts')).runNearCommand,
  },
  clip: {
    usage: 'clip FILE.mp4',
    does: 'Says what is inside a clip: video, positions, G-sensor, its clock. Needs no data folder.',
    options: {},
    details: ['Exit code 3 when the clip is damaged and only part of it could be read.'],
    load: async () => (await import('./commands/clip.ts')).runClipCommand,
  },
  clips: {
    usage: 'clips [--psn P] [--from T] [--to T]',
    does: 'Lists the clips that were imported or recalled.',
    options: { '--psn': 'list', ...range },
    details: [
      '--psn P  only this camera; may be given again.',
      'With --from or --to, clips whose time nothing in them tells are left out.',
      timesHelp,
    ],
    load: async () => (await import('./commands/clips.ts')).runClipsCommand,
  },
  case: {
    usage:
      'case create NAME | list | add NAME (--trip ID | --clip ID | --source ID | --derived ID) | note NAME TEXT',
    does: 'Makes, lists and fills cases.',
    options: { '--trip': 'list', '--clip': 'list', '--source': 'list', '--derived': 'list' },
    details: [
      'A case is meant by its name (letter case aside) or its id; --trip and the others may be given again.',
      '"trips", "clips" and "sources" list the ids; --derived is a still or a trim that was made in the window.',
    ],
    load: async () => (await import('./commands/case.ts')).runCaseCommand,
  },
  package: {
    usage: 'package --case NAME --out FILE.zip [--from T] [--to T]',
    does: 'Seals the evidence of a case into one file that anybody can verify.',
    options: { '--case': 'value', '--out': 'value', ...range },
    details: [
      'Tracks are cut to the range; clips that touch it go in whole, since an original is never altered.',
      timesHelp,
    ],
    load: async () => (await import('./commands/package.ts')).runPackageCommand,
  },
  verify: {
    usage: 'verify FILE.zip',
    does: 'Checks a sealed package; needs no data folder. Exit code 4 when it does not hold.',
    options: {},
    load: async () => (await import('./commands/verify.ts')).runVerifyCommand,
  },
  cloud: {
    usage: 'cloud OPERATION [JSON] [--all] [--deadline SECONDS] | --list',
    does: 'Carries out any operation of the Fleet Dashcam Cloud by name.',
    options: {
      '--list': 'flag',
      '--all': 'flag',
      '--deadline': 'value',
      '--secret': 'value',
      '--timestamp': 'value',
      '--signature': 'value',
      '--body-file': 'value',
      '--tolerance': 'value',
    },
    details: [
      `JSON holds path and query parameters by the specification's names, and the request's body under "body".`,
      '--all   follows the pages of a list to its end.',
      '--list  names all operations.',
      'cloud verify-signature --secret S --timestamp T --signature HEADER --body-file F [--tolerance SECONDS|any]',
      '        checks a webhook delivery: exit code 0 or 4.',
      'FLEET_DASHCAM_BASE_URL and FLEET_DASHCAM_API_KEY choose the service; otherwise the active account.',
    ],
    load: async () => (await import('./commands/cloud.ts')).runCloudCommand,
  },
  devices: {
    usage: 'devices',
    does: "Lists the account's cameras, and what stands in the way of browsing their cards.",
    options: {},
    load: async () => (await import('./commands/cards.ts')).runDevicesCommand,
  },
  'sd-list': {
    usage: 'sd-list PSN [--type T] [--direction D] [--stream S] [--from T] [--to T]',
    does: "Lists the recordings of a camera's card.",
    options: { '--type': 'value', '--direction': 'value', '--stream': 'value', ...range },
    details: [
      "T of --from and --to is the camera's own clock, like 2026-03-14T17:30:00; both are included.",
      'A camera that can’t be asked: its last listing with that time, and exit 3; exit 1 where none is stored.',
    ],
    load: async () => (await import('./commands/cards.ts')).runSdListCommand,
  },
  metadata: {
    usage: 'metadata PSN FILENAME',
    does: 'Reads thumbnail, positions and G-sensor samples of a recording; costs no mobile data worth naming.',
    options: {},
    load: async () => (await import('./commands/cards.ts')).runMetadataCommand,
  },
  budget: {
    usage: 'budget',
    does: "Says what is left of the month's mobile data.",
    options: {},
    load: async () => (await import('./commands/cards.ts')).runBudgetCommand,
  },
  recall: {
    usage: 'recall PSN FILENAME [--quality sub|main] [--deadline SECONDS] [--reason TEXT] [--yes]',
    does: 'Prices a clip, asks, recalls it from the camera, and keeps it with its hash.',
    options: { '--quality': 'value', '--deadline': 'value', '--reason': 'value', '--yes': 'flag' },
    details: [
      '--quality   sub (default) or main, the full resolution.',
      '--deadline  how long to wait for a camera that is busy or offline; without it, until it comes.',
      '--reason    kept in custody when the clip takes much of what is left of the month.',
      '--yes       agrees to the price. A clip that is in the cache costs nothing and is not requested again.',
    ],
    load: async () => (await import('./commands/recall.ts')).runRecallCommand,
  },
  jobs: {
    usage: 'jobs',
    does: 'Lists the recall jobs of the last seven days.',
    options: {},
    load: async () => (await import('./commands/recall.ts')).runJobsCommand,
  },
  cancel: {
    usage: 'cancel JOBID',
    does: 'Cancels a recall job; the camera stops whatever it is uploading.',
    options: {},
    load: async () => (await import('./commands/recall.ts')).runCancelCommand,
  },
  'export-gps': {
    usage:
      'export-gps --from D --to D --format csv|gpx|kml [--packaging single|perDevice] [--psn P] [--import]',
    does: 'Orders a GPS export, waits for it, downloads it, and imports it.',
    options: { ...range, '--format': 'value', '--packaging': 'value', '--psn': 'list', '--import': 'flag' },
    details: ['D is a UTC day; both are included. --psn may be given again; without it, every cloud camera.'],
    load: async () => (await import('./commands/exportGps.ts')).runExportGpsCommand,
  },
  demo: {
    usage: 'demo',
    does: 'Does the main job once, end to end, against the built-in simulated fleet: export, import, clips, case, package.',
    options: {},
    load: async () => (await import('./commands/demo.ts')).runDemoCommand,
  },
  serve: {
    usage: 'serve [--port N] [--demo] [--set-aside-damaged]',
    does: 'Serves the window to a browser on this computer, and prints its address.',
    options: { '--port': 'value', '--demo': 'flag', '--set-aside-damaged': 'flag' },
    details: [
      '--demo               starts the built-in simulated fleet.',
      '--set-aside-damaged  keeps a damaged cache under another name and begins a fresh one.',
    ],
    load: async () => (await import('./commands/serve.ts')).runServeCommand,
  },
};

/** Taken by every command. */
export const commonOptions = {
  '--data-dir': 'value',
  '--json': 'flag',
  '--quiet': 'flag',
  '--help': 'flag',
  '-h': 'flag',
} as const;

const commonHelp = [
  '--data-dir DIR  the data folder (or EVIDENCE_DESK_DATA_DIR); otherwise the place that the system gives to applications.',
  '--json          one JSON document on standard output, and nothing else there.',
  '--quiet         no progress and no messages but errors.',
];

/** The help of all commands, or of one. */
export function helpText(name?: string): string {
  const command = name === undefined ? undefined : commands[name];
  if (command) {
    const lines = [
      `evidence-desk ${command.usage}`,
      '',
      command.does,
      ...(command.details ?? []),
      '',
      ...commonHelp,
    ];
    return `${lines.join('\n')}\n`;
  }
  const lines = Object.values(commands).flatMap((one) => [`  ${one.usage}`, `      ${one.does}`]);
  return `${['Evidence Desk: find out what happened on the road, and prove it.', '', 'evidence-desk COMMAND [arguments]', '', ...lines, '', ...commonHelp, '', 'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done in part, 4 verification failed.'].join('\n')}\n`;
}
