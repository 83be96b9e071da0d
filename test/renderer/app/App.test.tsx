// @vitest-environment jsdom
import '../browserShims.ts';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, it } from 'vitest';
import { App } from '../../../renderer/app/App.tsx';
import { createStores } from '../../../renderer/app/stores.ts';
import { createFakeHost } from '../fakeHost.ts';
import { happen, settle } from '../render.tsx';
import { appInfo, settings } from '../samples.ts';

let unmount = () => {};
afterEach(async () => {
  await act(async () => unmount());
  window.location.hash = '';
});

it('is dark in Review, where video is judged, unless light was asked for', async () => {
  window.location.hash = '#/review';
  const host = createFakeHost({
    'settings.get': () => settings(),
    'app.info': () => appInfo(),
    'basemap.get': () => null,
    'jobs.list': () => [],
    'cases.list': () => [],
    'review.moments': () => [],
    'cameras.list': () => [],
  });
  const stores = createStores(host);
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  unmount = () => root.unmount();
  await act(async () => root.render(<App stores={stores} />));
  await settle();
  const scheme = () => document.documentElement.dataset['mantineColorScheme'];
  expect(scheme()).toBe('dark');
  await happen(() => host.emit('settings.changed', settings({ theme: 'light' })));
  expect(scheme()).toBe('light');
  await happen(() => host.emit('settings.changed', settings({ theme: 'system' })));
  expect(scheme()).toBe('dark');
  await happen(() => stores.routes.go({ screen: 'settings' }));
  await happen(() => window.dispatchEvent(new HashChangeEvent('hashchange')));
  expect(scheme()).toBe('light');
});
