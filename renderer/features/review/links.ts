import type { Settings } from '../../../shared/contract/app.ts';
import type { SceneRequest } from '../../../shared/contract/review.ts';
import type { CaseId } from '../../../shared/ids.ts';

/** What Review needs of the shell. */
export interface ReviewLinks {
  /** Address of a scene; without a request that of the start page. */
  readonly hrefOf: (request: SceneRequest | null, atMs: number | null) => string;
  readonly go: (request: SceneRequest | null, atMs: number | null) => void;
  /** The card of a camera, with a moment to be found on it (UTC ms). */
  readonly openCard: (psn: string, atMs: number | null) => void;
  readonly openCameras: () => void;
  readonly openCase: (caseId: CaseId) => void;
  readonly importFiles: () => void;
  readonly settings: Pick<Settings, 'onlineTileUrl' | 'onlineTileAttribution'>;
}
