import canonicalize from 'canonicalize';
import { createCustodyRepository } from '../../cache/custodyRepository.ts';
import { jsonPart, type PartMaker } from './part.ts';

/**
 * custody.jsonl: the log from its first entry, one per line in canonical JSON, and custody-head.json: its pinned
 * end, without which a tail that was cut off would not show.
 */
export const custodyParts: PartMaker = ({ cache, facts }) => [
  {
    path: 'custody.jsonl',
    why: `the chain of custody, ${facts.custody.count} entries`,
    sizeBytes: null,
    content: {
      kind: 'text',
      mostBytes: 0, // far below 4 GiB, and refused if not
      *pieces() {
        const custody = createCustodyRepository(cache.db);
        // Page by page: an open cursor would keep the connection busy while the package is written.
        for (let after = 0; after < facts.custody.lastSeq;) {
          const limit = Math.min(1000, facts.custody.lastSeq - after);
          const entries = custody.list({ afterSeq: after, limit });
          const last = entries.at(-1);
          if (!last) return;
          after = last.seq;
          yield `${entries.map((entry) => canonicalize(entry)).join('\n')}\n`;
        }
      },
    },
  },
  jsonPart('custody-head.json', 'the pinned end of the chain of custody', facts.custody),
];
