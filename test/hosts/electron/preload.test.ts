import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { bridgeChannels, type DeskBridge } from '../../../shared/contract/bridge.ts';

const { ipcRenderer, exposed } = vi.hoisted(() => ({
  exposed: new Map<string, unknown>(),
  ipcRenderer: { emitter: null as EventEmitter | null, invoke: vi.fn(async () => ({ ok: true, value: 1 })) },
}));
vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (name: string, value: unknown) => exposed.set(name, value) },
  ipcRenderer: {
    invoke: ipcRenderer.invoke,
    on: (channel: string, listener: () => void) =>
      (ipcRenderer.emitter ??= new EventEmitter()).on(channel, listener),
    off: (channel: string, listener: () => void) => ipcRenderer.emitter?.off(channel, listener),
  },
}));

it('the preload exposes the two functions of the contract, and nothing of Electron’s', async () => {
  await import('../../../preload/preload.ts');
  expect([...exposed.keys()]).toEqual(['desk']);
  const desk = exposed.get('desk') as DeskBridge;
  expect(Object.keys(desk).sort()).toEqual(['request', 'subscribe']);

  expect(await desk.request('trips.list', { psns: [] })).toEqual({ ok: true, value: 1 });
  expect(ipcRenderer.invoke).toHaveBeenCalledExactlyOnceWith(bridgeChannels.request, 'trips.list', {
    psns: [],
  });

  const heard: unknown[][] = [];
  const stop = desk.subscribe('jobs.changed', (...given) => heard.push(given));
  const event = { sender: 'Electron’s own object' };
  ipcRenderer.emitter?.emit(bridgeChannels.event, event, 'jobs.changed', { jobId: 'job_1' });
  ipcRenderer.emitter?.emit(bridgeChannels.event, event, 'cases.changed', {});
  stop();
  ipcRenderer.emitter?.emit(bridgeChannels.event, event, 'jobs.changed', { jobId: 'job_2' });
  expect(heard).toEqual([[{ jobId: 'job_1' }]]);
});
