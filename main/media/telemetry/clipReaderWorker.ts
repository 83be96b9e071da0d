import { parentPort } from 'node:worker_threads';
import { AppError } from '../../../shared/errors.ts';
import { readClipHere } from './clipReading.ts';
import { readyMessage, type ClipAnswer, type ClipQuestion } from './clipReader.ts';

/** Entry of the reading thread: see createClipReader. */
const port = parentPort!; // this file is never run outside a thread

port.on('message', (question: ClipQuestion) => {
  port.postMessage(answerTo(question));
});
port.postMessage(readyMessage);

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
