import os from 'node:os';
import { toRfc3339 } from '../../../shared/time.ts';
import { jsonPart, type PartMaker } from './part.ts';

/** tools.json: what made the package, with versions and settings. */
export const toolsPart: PartMaker = ({ cache, facts, appVersion }) => {
  const sqlite = cache.db.prepare<[], string>('SELECT sqlite_version()').pluck().get();
  const versions = process.versions;
  return [
    jsonPart('tools.json', 'the programs that made this package', {
      schemaVersion: 1,
      application: { name: 'Evidence Desk', version: appVersion },
      runtime: { node: versions.node, v8: versions.v8, electron: versions.electron ?? null },
      libraries: { sqlite: sqlite ?? null, openssl: versions.openssl, zlib: versions.zlib },
      operatingSystem: { platform: process.platform, release: os.release(), architecture: process.arch },
      derivedWith: [
        ...new Set(
          facts.derived.map(({ derived: { recipe } }) => `${recipe.tool.name} ${recipe.tool.version}`),
        ),
      ].sort(),
      readerVersions: [...new Set(facts.sources.map(({ report }) => report.readerVersion))].sort(),
      settings: {
        from: toRfc3339(facts.range.fromMs),
        to: toRfc3339(facts.range.toMs),
        originals: facts.originals,
        clips: 'whole where they touch the range',
        hashes: ['SHA-256', 'SHA-512'],
        signature: 'Ed25519',
      },
    }),
  ];
};
