/** Receiving files for hosts: runs in the host's own thread and needs no SQLite. */
export { receiveUpload, type StagedUpload } from '../cache/uploads.ts';
