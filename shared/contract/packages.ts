import { z } from 'zod';
import type { CaseId, JobId, PackageId, UploadId } from '../ids.ts';
import type { TimeRange } from '../track.ts';
import { idSchema, output, request } from './define.ts';

/** What sealing will put in, before it is done. */
export interface PackagePreview {
  readonly files: readonly {
    readonly path: string;
    readonly sizeBytes: number | null;
    readonly why: string;
  }[];
  readonly totalBytes: number;
  readonly leftOut: readonly { readonly what: string; readonly why: string }[];
  /** What stands in the way of sealing, or should be known before it. */
  readonly warnings: readonly string[];
}

export interface SealedPackage {
  readonly packageId: PackageId;
  readonly caseId: CaseId;
  readonly fileName: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly files: number;
  readonly sealedAtMs: number;
  /** SHA-256 of the seal's public key (SPKI DER), lower-case hex. */
  readonly signedBy: string;
  readonly custodyHead: string;
  readonly range: TimeRange;
  /** The file is where it was put (somebody may have moved it). */
  readonly isPresent: boolean;
}

export interface VerifyCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}
export interface VerifyReport {
  readonly ok: boolean;
  readonly checks: readonly VerifyCheck[];
  readonly files: number;
  readonly signedBy: string | null;
  /** True when this machine's own seal key signed it; null where that can't be told. */
  readonly isOwnSeal: boolean | null;
  readonly custodyEntries: number;
}

const options = {
  caseId: idSchema<CaseId>(),
  /** UTC milliseconds; narrows the case's own range. Trips are cut to it, clips that touch it and originals go whole. */
  fromMs: z.number().finite().optional(),
  toMs: z.number().finite().optional(),
  /** `whole`: with the original files and clips; `none`: only what was derived from them, said so in the evidence. */
  originals: z.enum(['whole', 'none']).optional(),
};

export const packageRequests = {
  'packages.preview': request(z.object(options).strict(), output<PackagePreview>()),
  /** Seals into the cache's `packages/` folder; the host offers the file from there. */
  'packages.seal': request(z.object(options).strict(), output<{ readonly jobId: JobId }>()),
  'packages.list': request(
    z.object({ caseId: idSchema<CaseId>().optional() }).strict(),
    output<readonly SealedPackage[]>(),
  ),
  /** Checks a file that the host has received, as hostile input. */
  'packages.verifyUpload': request(
    z.object({ uploadId: idSchema<UploadId>() }).strict(),
    output<{ readonly jobId: JobId }>(),
  ),
  'packages.verifySealed': request(
    z.object({ packageId: idSchema<PackageId>() }).strict(),
    output<{ readonly jobId: JobId }>(),
  ),
  /** Shows the file in the system's file manager; needs the ability `canRevealInFolder`. */
  'packages.reveal': request(z.object({ packageId: idSchema<PackageId>() }).strict(), output<null>()),
} as const;
