import type { DeskClient } from '../../../shared/contract/client.ts';
import type { Transport } from '../../../shared/contract/index.ts';
import type { UploadId } from '../../../shared/ids.ts';

export type ConnectionState = 'connected' | 'lost';

export interface UploadOptions {
  /** Bytes handed over so far, out of the file's size. */
  readonly onProgress?: (sentBytes: number) => void;
  readonly signal?: AbortSignal;
}

/** Hands a file's bytes to the core. Rejects with AppError (`canceled`, `file_unreadable`, `disk_full`, ...). */
export type UploadFile = (file: File, options?: UploadOptions) => Promise<UploadId>;

/** Whether the core can be reached; `subscribe` returns the function that ends it. */
export interface Connection {
  current(): ConnectionState;
  subscribe(listener: () => void): () => void;
}

/** What carries the contract into this window, and what does not go through the contract: files and media. */
export interface HostLink {
  readonly transport: Transport;
  readonly connection: Connection;
  readonly upload: UploadFile;
  /** Address of a `mediaPath` of the contract, for downloads and byte ranges. */
  mediaUrl(mediaPath: string): string;
}

/** All that the window gets from its host. */
export interface Host {
  readonly client: DeskClient;
  readonly connection: Connection;
  readonly upload: UploadFile;
  mediaUrl(mediaPath: string): string;
}
