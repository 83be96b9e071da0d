import type { PartMaker } from './part.ts';

/** sources/: the files as they came in, whole, bit for bit. */
export const originalParts: PartMaker = ({ facts }) =>
  facts.sources.flatMap(({ report, path, blobPath }) =>
    path === null
      ? []
      : [
          {
            path,
            why: `the original file "${report.fileName}", bit for bit`,
            sizeBytes: report.sizeBytes,
            content: {
              kind: 'original' as const,
              blobPath,
              sha256: report.sha256,
              sizeBytes: report.sizeBytes,
              fileName: report.fileName,
            },
          },
        ],
  );
