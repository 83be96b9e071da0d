/** Device contact, transfers and the media server's copies (sections 3.1, 3.4, 4.1, 8.2, 8.3). */
import { Problem } from '../http/problem.ts';
import { gigabyte, megabyte, transferLimitBytes } from '../plans.ts';
import {
  monthOf,
  type Call,
  type Camera,
  type MediaCopy,
  type Organisation,
  type Transfer,
} from '../simulation.ts';
import { dayMs } from '../world/localTime.ts';
import type { Quality } from '../world/clips.ts';
import { planForQuotas } from './scope.ts';

export const busyRetryAfterSeconds = 5;
/** The copy stays one day on the media server and is reused within 48 hours of the first request (section 8.3). */
const copyRetentionMs = dayMs;
const reuseWindowMs = 2 * dayMs;
const flatEstimateBytes: Readonly<Record<Quality, number>> = { sub: 8 * megabyte, main: 150 * megabyte };
export const eventVideoBytes = 6 * megabyte;

export function receivedBytes(transfer: Transfer, nowMs: number): number {
  const untilMs = transfer.endedAtMs === null ? nowMs : Math.min(nowMs, transfer.endedAtMs);
  const elapsedMs = Math.max(0, untilMs - transfer.startedAtMs);
  return Math.min(transfer.sizeBytes, Math.floor((elapsedMs * transfer.bytesPerSecond) / 1000));
}

export function isTransferring(camera: Camera, nowMs: number): boolean {
  const transfer = camera.transfer;
  return (
    transfer !== null && transfer.endedAtMs === null && receivedBytes(transfer, nowMs) < transfer.sizeBytes
  );
}

export function abortTransfer(camera: Camera, nowMs: number): void {
  if (camera.transfer && isTransferring(camera, nowMs)) camera.transfer.endedAtMs = nowMs;
  camera.transfer = null;
}

export function isBusy(camera: Camera, nowMs: number): boolean {
  return camera.isWedged || camera.busyUntilMs > nowMs || isTransferring(camera, nowMs);
}

/**
 * One command to the camera. Counted in the request log whatever the outcome, with the time it took, so that
 * tests see two clients' commands overlap.
 */
export async function contactDevice(
  call: Call,
  camera: Camera,
  kind: string,
  needs: { card: boolean; isReboot?: boolean },
): Promise<void> {
  call.record.psn = camera.psn;
  call.record.deviceContact = kind;
  call.simulation.conduct.contact(call.record, camera.psn, kind);
  const latencyMs = call.simulation.options.deviceLatencyMs;
  await new Promise<void>((resolve) =>
    latencyMs > 0 ? setTimeout(resolve, latencyMs) : setImmediate(resolve),
  );
  const nowMs = call.simulation.clock.now();
  if (camera.offlineUntilMs > nowMs)
    throw new Problem('device_offline', { detail: 'The dashcam is offline.' });
  // A reboot is the way out of a wedged transfer (section 3.4), so only a moving one refuses it.
  const isBusyNow = needs.isReboot === true && camera.isWedged ? false : isBusy(camera, nowMs);
  if (isBusyNow) {
    throw new Problem('device_busy', {
      detail: 'The dashcam handles one transfer at a time.',
      extensions: { psn: camera.psn },
      retryAfterSeconds: busyRetryAfterSeconds,
    });
  }
  if (camera.isUnresponsive) {
    throw new Problem('command_timeout', {
      detail: 'The dashcam did not answer in time.',
      extensions: { psn: camera.psn },
    });
  }
  if (needs.card && !camera.hasCard)
    throw new Problem('sd_card_absent', { detail: 'The dashcam has no SD card.' });
}

const fileKey = (psn: string, filename: string, quality: Quality): string => `${psn}/${filename}/${quality}`;

export function usedTransferBytes(organisation: Organisation, nowMs: number): number {
  return organisation.transferByMonth.get(monthOf(nowMs)) ?? 0;
}

/** Fail-closed: the allowance must cover the bytes before anything else happens. */
export function requireTransferAllowance(call: Call, bytes: number): void {
  const limit = transferLimitBytes(planForQuotas(call));
  const used = usedTransferBytes(call.organisation, call.nowMs);
  if (bytes <= limit - used) return;
  throw new Problem('quota_exceeded', {
    detail: `The monthly transfer allowance of ${Math.round((limit / gigabyte) * 100) / 100} GB does not cover this request.`,
    extensions: { bucket: 'transfer_bytes', limit, used },
  });
}

export function countTransferBytes(call: Call, bytes: number): void {
  const month = monthOf(call.nowMs);
  const used = call.organisation.transferByMonth.get(month) ?? 0;
  call.organisation.transferByMonth.set(month, used + bytes);
}

/** Section 8.2: the size of the last recall of that file, else the flat estimate. */
export function estimatedBytes(call: Call, psn: string, filename: string, quality: Quality): number {
  return call.organisation.lastSizes.get(fileKey(psn, filename, quality)) ?? flatEstimateBytes[quality];
}

/** What is recorded once a transfer started: the reported size, else the flat figure. */
export function countRecall(
  call: Call,
  psn: string,
  filename: string,
  quality: Quality,
  reportedBytes: number | null,
): void {
  countTransferBytes(call, reportedBytes ?? flatEstimateBytes[quality]);
  if (reportedBytes !== null) call.organisation.lastSizes.set(fileKey(psn, filename, quality), reportedBytes);
}

function completedAtMs(transfer: Transfer): number {
  return transfer.startedAtMs + Math.ceil((transfer.sizeBytes * 1000) / transfer.bytesPerSecond);
}

function isComplete(transfer: Transfer, nowMs: number): boolean {
  return receivedBytes(transfer, nowMs) >= transfer.sizeBytes;
}

/** True while the media server still holds what it received. */
export function isHeld(transfer: Transfer, nowMs: number): boolean {
  return nowMs < completedAtMs(transfer) + copyRetentionMs;
}

/** A complete copy that a repeated request may use without a new upload (section 4.1 rule 7). */
export function reusableCopy(
  call: Call,
  psn: string,
  filename: string,
  quality: Quality,
): MediaCopy | undefined {
  const copy = call.organisation.copies.get(fileKey(psn, filename, quality));
  if (!copy || !isComplete(copy.transfer, call.nowMs)) return undefined;
  const isInWindow = call.nowMs < copy.firstRequestedAtMs + reuseWindowMs;
  return isInWindow && isHeld(copy.transfer, call.nowMs) ? copy : undefined;
}

/** The device starts to upload; from now on it is locked until the last byte. */
export function startTransfer(
  call: Call,
  camera: Camera,
  filename: string,
  quality: Quality,
  sizeBytes: number,
): Transfer {
  const startedAtMs = call.simulation.clock.now();
  const transfer: Transfer = {
    psn: camera.psn,
    filename,
    quality,
    sizeBytes,
    startedAtMs,
    bytesPerSecond: camera.uploadBytesPerSecond,
    endedAtMs: null,
  };
  camera.transfer = transfer;
  call.organisation.copies.set(fileKey(camera.psn, filename, quality), {
    transfer,
    firstRequestedAtMs: startedAtMs,
  });
  return transfer;
}
