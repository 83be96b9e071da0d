import { AppError } from '../../shared/errors.ts';

/** better-sqlite3 is built against this version of Node-API and crashes, without words, on an older one. */
const neededNodeApi = 10;
const neededNode = 24;

export interface RuntimeVersions {
  readonly node: string;
  /** Version of Node-API that the runtime offers. */
  readonly napi?: string | undefined;
  readonly electron?: string | undefined;
}

/**
 * Speaks before the database driver can crash: call it in a host before anything imports main/cache. The test
 * is Node-API's own version, which holds for Node and Electron alike; the words name what the user runs.
 */
export function checkRuntime(versions: RuntimeVersions = process.versions): AppError | null {
  if (Number(versions.napi ?? 0) >= neededNodeApi) return null;
  const runtime = versions.electron === undefined ? `Node ${versions.node}` : `Electron ${versions.electron}`;
  return new AppError(
    'unsupported_runtime',
    `Evidence Desk can't run on ${runtime}: its database needs Node ${neededNode} or newer.`,
    {
      remedy:
        'Start it with "npm start" or "npm run -s cli --", which bring the right Node along, or install Node 24.',
      details: { nodeApi: versions.napi ?? null, neededNodeApi },
    },
  );
}
