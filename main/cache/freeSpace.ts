import { randomFillSync } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Bytes that this user may still write on the disk of `folder`; Infinity where the system does not say. */
export function freeBytesOf(folder: string): number {
  try {
    const disk = fs.statfsSync(folder);
    return disk.bavail * disk.bsize;
  } catch {
    return Infinity;
  }
}

/** Room kept for the moment when the disk is full: a WAL database needs some even to be read. */
const ballastBytes = 4 * 1024 * 1024;
const noiseBytes = 1024 * 1024;
const ballastFileOf = (folder: string): string => path.join(folder, 'ballast');

/** Lays the ballast down where there is room to spare. Never fails: without it only a full disk is harder. */
export function layBallast(folder: string): void {
  const file = ballastFileOf(folder);
  try {
    if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= ballastBytes) return;
    if (freeBytesOf(folder) < ballastBytes * 8) return;
    // Not zeros: a file system that compresses would keep no room for them. None looks back as far as a megabyte.
    const noise = randomFillSync(Buffer.allocUnsafeSlow(noiseBytes));
    const descriptor = fs.openSync(file, 'w', 0o600);
    try {
      for (let done = 0; done < ballastBytes; done += noiseBytes) {
        for (let at = 0; at < noiseBytes;) at += fs.writeSync(descriptor, noise, at, noiseBytes - at);
      }
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    releaseBallast(folder);
  }
}

/** Gives the ballast's room back to a full disk; true when there was some. */
export function releaseBallast(folder: string): boolean {
  try {
    fs.unlinkSync(ballastFileOf(folder));
    return true;
  } catch {
    return false;
  }
}
