/** Section 4.1: the SD file list, metadata, deletion and reboot. */
import { mediaOffset, offsetPage, readOffset } from '../http/pagination.ts';
import {
  enumListParameter,
  enumParameter,
  invalidField,
  invalidParameter,
  parseInstant,
} from '../http/parameters.ts';
import { Problem } from '../http/problem.ts';
import { ok, type Call, type Camera, type Handler } from '../simulation.ts';
import { decodeType, recordingDirections, recordingTypes, type Recording } from '../world/card.ts';
import { clipSizeBytes, thumbnailOf } from '../world/clips.ts';
import { toIso, toUtcMs } from '../world/localTime.ts';
import { gpsSamples, gSensorSamples } from '../world/telemetry.ts';
import { audit } from './audit.ts';
import { abortTransfer, contactDevice } from './media.ts';
import { commandableCamera } from './scope.ts';

const filenamePattern = /^\d{8}_\d{6}_[A-Z][A-Z]\.mp4$/;
/** How long a rebooted camera stays away. */
export const rebootMs = 60_000;

/** Rule 1: always the main name exactly as listed; a sub name, a malformed one or bad encoding is 422. */
export function requireFilename(filename: unknown): string {
  if (typeof filename !== 'string' || !filenamePattern.test(filename)) {
    throw invalidField('filename', 'must be the main recording name exactly as listed');
  }
  return filename;
}

export function cardRecordings(call: Call, camera: Camera): Recording[] {
  const { cardBook, options } = call.simulation;
  return cardBook
    .list(camera.vehicle, call.simulation.clock.now(), options.cardDays)
    .filter((recording) => !camera.deletedFilenames.has(recording.filename));
}

export function requireRecording(call: Call, camera: Camera, filename: string): Recording {
  const recording = cardRecordings(call, camera).find((candidate) => candidate.filename === filename);
  if (!recording) throw new Problem('file_not_found', { detail: 'The recording is not on the SD card.' });
  return recording;
}

function toRecording(call: Call, recording: Recording, stream: 'main' | 'sub') {
  const { nominalSizes } = call.simulation.options;
  return {
    filename: recording.filename,
    recordedAtLocal: recording.recordedAtLocal,
    type: decodeType(recording.typeCode),
    typeCode: recording.typeCode,
    direction: recording.directionCode === 'F' ? 'front' : 'option',
    directionCode: recording.directionCode,
    stream,
    mainSizeBytes: clipSizeBytes(recording, 'main', nominalSizes),
    subSizeBytes: recording.hasSubStream ? clipSizeBytes(recording, 'sub', nominalSizes) : 0,
  };
}

const localPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/;

/** Rule 12: the format is not shown. Taken here: the listing's own local form, or RFC 3339 with an offset. */
function momentParameter(call: Call, name: string): number | undefined {
  const text = call.query.get(name);
  if (text === null) return undefined;
  const atMs = localPattern.test(text) ? toUtcMs(Date.parse(`${text}Z`)) : parseInstant(text);
  if (atMs === undefined || Number.isNaN(atMs)) {
    throw invalidParameter(name, 'must be YYYY-MM-DDTHH:MM:SS (camera time) or an RFC 3339 timestamp');
  }
  return atMs;
}

export const listRecordings: Handler = async (call) => {
  const offset = readOffset(call, mediaOffset);
  const type = enumParameter(call, 'type', recordingTypes);
  const direction = enumParameter(call, 'direction', recordingDirections);
  const stream = enumParameter(call, 'stream', ['main', 'sub'] as const) ?? 'main';
  const fromMs = momentParameter(call, 'from');
  const toMs = momentParameter(call, 'to');
  const camera = commandableCamera(call, call.parameters['psn']);
  await contactDevice(call, camera, 'sd-list', { card: true });
  audit(call, 'video.sd_list', camera.psn, 'success');
  const wanted = cardRecordings(call, camera).filter(
    (recording) =>
      (type === undefined || decodeType(recording.typeCode) === type) &&
      (direction === undefined || (recording.directionCode === 'F' ? 'front' : 'option') === direction) &&
      (stream === 'main' || recording.hasSubStream) &&
      (fromMs === undefined || Math.floor(recording.startMs / 1000) >= Math.floor(fromMs / 1000)) &&
      (toMs === undefined || Math.floor(recording.startMs / 1000) <= Math.floor(toMs / 1000)),
  );
  const page = offsetPage(wanted, offset);
  return {
    status: 200,
    body: {
      data: page.rows.map((recording) => toRecording(call, recording, stream)),
      pagination: page.pagination,
    },
  };
};

/** The G-sensor part's name is not shown (2.2); `gsensor` is this simulation's choice. */
const metadataParts = ['thumbnail', 'gps', 'gsensor'] as const;

export const readMetadata: Handler = async (call) => {
  const parts = enumListParameter(call, 'include', metadataParts) ?? metadataParts;
  const filename = requireFilename(call.parameters['filename']);
  const camera = commandableCamera(call, call.parameters['psn']);
  await contactDevice(call, camera, 'metadata', { card: true });
  const recording = requireRecording(call, camera, filename);
  audit(call, 'video.sd_metadata', filename, 'success');
  const { tripBook } = call.simulation;
  const data: Record<string, unknown> = { filename };
  if (parts.includes('thumbnail')) data['thumbnail'] = thumbnailOf(recording).toString('base64');
  if (parts.includes('gps')) {
    const samples = gpsSamples(tripBook, camera.vehicle, recording).map((sample) => ({
      at: toIso(sample.atMs),
      latitude: sample.latitude,
      longitude: sample.longitude,
      speedKmh: sample.speedKmh,
      heading: sample.headingDeg,
    }));
    // A part that exists in the clip but has no samples is null (section 2.2).
    data['gps'] = samples.length > 0 ? samples : null;
  }
  if (parts.includes('gsensor')) {
    const round = (value: number): number => Math.round(value * 1000) / 1000;
    const samples = gSensorSamples(tripBook, camera.vehicle, recording).map((sample) => ({
      offsetMs: sample.offsetMs,
      verticalG: round(sample.verticalG),
      lateralG: round(sample.lateralG),
      longitudinalG: round(sample.longitudinalG),
    }));
    data['gsensor'] = samples.length > 0 ? samples : null;
  }
  return ok(data);
};

/** Rule 13: status and body are not shown; 204 is this simulation's choice. */
export const deleteRecording: Handler = async (call) => {
  const filename = requireFilename(call.parameters['filename']);
  const camera = commandableCamera(call, call.parameters['psn']);
  await contactDevice(call, camera, 'sd-delete', { card: true });
  requireRecording(call, camera, filename);
  camera.deletedFilenames.add(filename);
  audit(call, 'video.sd_file_delete', filename, 'delete');
  return { status: 204 };
};

/** Drops a stuck transfer and leaves the device offline for a while. Rule 15: the body is not shown. */
export const rebootDevice: Handler = async (call) => {
  const camera = commandableCamera(call, call.parameters['psn']);
  await contactDevice(call, camera, 'reboot', { card: false, isReboot: true });
  const nowMs = call.simulation.clock.now();
  abortTransfer(camera, nowMs);
  camera.isWedged = false;
  camera.busyUntilMs = 0;
  camera.offlineUntilMs = nowMs + rebootMs;
  audit(call, 'device.device_reboot', camera.psn, 'accept');
  return ok({ psn: camera.psn, status: 'accepted' }, {}, 202);
};
