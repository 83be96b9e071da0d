/**
 * How this app's clients treat cameras, counted over a whole test run: every simulated service of every process
 * writes what it sees into the folder that `EVIDENCE_DESK_CONDUCT_FOLDER` names, and sumConduct.ts adds it
 * up. Only clients that call themselves Evidence Desk count; tests that speak raw HTTP do not.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { RequestRecord } from './requestLog.ts';

/** One line of the tally's file. */
export type ConductLine =
  | { readonly what: 'contact'; readonly client: string; readonly psn: string; readonly kind: string; readonly besides: readonly string[] }
  | { readonly what: 'playback'; readonly client: string; readonly clip: string; readonly isHeld: boolean }
  /** A test took clips away from a client on purpose, so that it must ask anew. */
  | { readonly what: 'excused'; readonly reason: string }; // prettier-ignore

export interface ConductTally {
  /** A request begins a command to a camera. */
  contact(record: RequestRecord, psn: string, kind: string): void;
  /** The camera is through with what the request wanted, and the answer is out: a caller that left ends nothing. */
  end(record: RequestRecord): void;
  /** A client asks for a clip `psn/filename/quality`. */
  playback(record: RequestRecord, clip: string): void;
  /** The link of a job was made for who asked. */
  linked(record: RequestRecord, jobId: string, clip: string): void;
  /** Bytes `from` to `to` (exclusive) of a job's clip were sent; `isThrough`: nobody broke that off. */
  delivered(
    jobId: string,
    from: number,
    to: number,
    file: { readonly sizeBytes: number; readonly isThrough: boolean },
  ): void;
  /** Clients lost these clips: all whose name holds `text`. Counted as excused, with the reason. */
  forget(text: string, reason: string): void;
  lines(): readonly ConductLine[];
}

interface Delivery {
  readonly client: string;
  readonly clip: string;
  /** So much from the beginning is with the client. */
  prefixBytes: number;
}

/** Folder null: counts in memory only. */
export function createConductTally(folder: string | null): ConductTally {
  const lines: ConductLine[] = [];
  const open = new Map<
    RequestRecord,
    { readonly client: string; readonly psn: string; readonly kind: string }
  >();
  const jobs = new Map<string, Delivery>();
  const held = new Set<string>();
  const file =
    folder === null ? null : path.join(folder, `${process.pid}-${randomUUID().slice(0, 8)}.ndjson`);

  function write(line: ConductLine): void {
    lines.push(line);
    if (file === null) return;
    // At once: a test may end the process in any way.
    mkdirSync(path.dirname(file), { recursive: true });
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  }

  /** The app's name, version and key tell clients apart; null: not this app. */
  function clientOf(record: RequestRecord): string | null {
    const agent = record.userAgent ?? '';
    return agent.startsWith('EvidenceDesk/') ? `${agent} ${record.keyLabel ?? ''} ${record.keyId ?? ''}` : null;
  } // prettier-ignore

  return {
    contact(record, psn, kind) {
      const client = clientOf(record);
      if (client === null) return;
      const besides = [...open.values()]
        .filter((other) => other.client === client && other.psn === psn)
        .map((other) => other.kind);
      open.set(record, { client, psn, kind });
      write({ what: 'contact', client, psn, kind, besides });
    },
    end: (record) => void open.delete(record),
    playback(record, clip) {
      const client = clientOf(record);
      if (client !== null) write({ what: 'playback', client, clip, isHeld: held.has(`${client} ${clip}`) });
    },
    linked(record, jobId, clip) {
      const client = clientOf(record);
      if (client !== null) jobs.set(jobId, { client, clip, prefixBytes: 0 });
    },
    delivered(jobId, from, to, { sizeBytes, isThrough }) {
      const job = jobs.get(jobId);
      if (!job || from > job.prefixBytes) return;
      job.prefixBytes = Math.max(job.prefixBytes, to);
      if (isThrough && job.prefixBytes >= sizeBytes) held.add(`${job.client} ${job.clip}`);
    },
    forget(text, reason) {
      const lost = [...held].filter((clip) => clip.includes(text));
      if (lost.length === 0) return;
      for (const clip of lost) held.delete(clip);
      write({ what: 'excused', reason });
    },
    lines: () => lines,
  };
}
