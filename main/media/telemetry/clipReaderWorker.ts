import { parentPort } from 'node:worker_threads';
import { AppError } from '../../../shared/errors.ts';
import { readClipHere, type ClipReading } from './clipReading.ts';
import { readyMessage, type ClipAnswer, type ClipQuestion } from './clipReader.ts';

/** Entry of the reading thread: see createClipReader. */
const port = parentPort!; // this file is never run outside a thread

port.on('message', (question: ClipQuestion) => {
  const answer = answerTo(question);
  port.postMessage(answer, 'reading' in answer ? columnsOf(answer.reading) : []);
});
port.postMessage(readyMessage);

/** What is handed over instead of copied: a day of telemetry is 35 MB. */
function columnsOf({ gps, gSensor, frames }: ClipReading): ArrayBuffer[] {
  const columns = [
    ...(gps ? Object.values<Float64Array>({ ...gps }) : []),
    ...(gSensor ? [gSensor.clipMs, ...gSensor.axesG] : []),
    ...(frames ? [frames.timesS, frames.isKeyFrame] : []),
  ];
  return columns.map(({ buffer }) => buffer as ArrayBuffer); // made here, never shared
}

function answerTo({ id, path, fileName, wantsColumns, wantsFrames }: ClipQuestion): ClipAnswer {
  try {
    const reading = readClipHere(path, { fileName, wantsFrames });
    return {
      id,
      reading: wantsColumns ? reading : { ...reading, gps: null, gSensor: null, thumbnail: null },
    };
  } catch (thrown) {
    if (thrown instanceof AppError) return { id, error: thrown.toData() };
    return { id, bug: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
  }
}
