import { parentPort } from 'node:worker_threads';
import { encodeMessage } from '../../shared/contract/wire.ts';
import { defaultSettings } from '../../main/desk/settings.ts';
import type { ToDesk } from '../../main/desk/protocol.ts';

/** A desk's thread that knows its settings, takes two other questions, and dies of a bug without an answer. */
let questions = 0;
parentPort?.on('message', (message: ToDesk) => {
  if (message.kind === 'request' && message.name === 'settings.get') {
    const bytes = encodeMessage({ ok: true, value: defaultSettings });
    parentPort?.postMessage({ kind: 'reply', id: message.id, bytes });
    return;
  }
  questions += 1;
  if (questions === 2) throw new Error('a bug in the desk’s thread');
});
parentPort?.postMessage({ kind: 'ready' });
