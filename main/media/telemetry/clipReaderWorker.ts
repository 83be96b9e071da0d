import { parentPort } from 'node:worker_threads';
import { AppError } from '../../../shared/errors.ts';
import { readClipHere } from './clipReading.ts';
import type { ClipAnswer, ClipQuestion } from './clipReader.ts';

/** Entry of the reading thread: see createClipReader. */
const port = parentPort!; // this file is never run outside a thread

port.on('message', ({ id, path, fileName }: ClipQuestion) => {
  port.postMessage(answerTo(id, path, fileName));
});

function answerTo(id: number, path: string, fileName: string): ClipAnswer {
  try {
    return { id, reading: readClipHere(path, fileName) };
  } catch (thrown) {
    if (thrown instanceof AppError) return { id, error: thrown.toData() };
    return { id, bug: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
  }
}
