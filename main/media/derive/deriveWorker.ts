import { parentPort } from 'node:worker_threads';
import { AppError } from '../../../shared/errors.ts';
import { cutClipHere, diskError, previewCutHere, shapeOfHere } from './cutClip.ts';
import { readyMessage, type DeriveAnswer, type DeriveQuestion } from './deriver.ts';

/** Entry of the deriving thread: see createDeriver. */
const port = parentPort!; // this file is never run outside a thread

/** Progress is told this often at most: the other side thins it again. */
const progressEveryMs = 50;

port.on('message', (question: DeriveQuestion) => {
  const say = (answer: DeriveAnswer): void => port.postMessage(answer);
  const { id } = question;
  try {
    say({ id, value: answerTo(question, say) });
  } catch (thrown) {
    const known = diskError(thrown, question.fileName);
    if (known instanceof AppError) say({ id, error: known.toData() });
    else say({ id, bug: known instanceof Error ? (known.stack ?? known.message) : String(known) });
  }
});
port.postMessage(readyMessage);

function answerTo(question: DeriveQuestion, say: (answer: DeriveAnswer) => void): unknown {
  const { id, path, fileName } = question;
  if (question.kind === 'shape') return shapeOfHere(path, fileName);
  const request = { fromS: question.fromS, toS: question.toS };
  if (question.kind === 'preview') return previewCutHere(path, fileName, request);
  let saidAt = -Infinity;
  return cutClipHere(path, fileName, request, question.outPath, (progress) => {
    const at = performance.now();
    if (at - saidAt < progressEveryMs) return;
    saidAt = at;
    say({ id, progress });
  });
}
