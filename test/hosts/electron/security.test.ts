import type { Session, WebContents } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import {
  externalLinks,
  hardenContents,
  hardenSession,
  isOwnUrl,
  openExternal,
  webPreferences,
} from '../../../main/hosts/electron/security.ts';
import { FakeContents, FakeSession } from './fakeElectron.ts';

const aShell = () => ({ openExternal: vi.fn(async () => {}) });

describe('the window’s settings', () => {
  it('isolate the page: sandbox, context isolation and web security on, Node and webviews off', () => {
    expect(webPreferences('/app/preload.cjs', true)).toMatchObject({
      preload: '/app/preload.cjs',
      sandbox: true,
      contextIsolation: true,
      webSecurity: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: false,
    });
  });

  it('allow the developer tools only in a working copy', () => {
    expect(webPreferences('/x', false).devTools).toBe(true);
  });
});

describe('own addresses', () => {
  it.each(['app://desk/', 'app://desk/index.html', 'app://desk/#/cases', 'app://desk'])(
    '%s is one',
    (url) => {
      expect(isOwnUrl(url)).toBe(true);
    },
  );
  it.each([
    'https://desk/',
    'app://desk.evil.example/',
    'app://evil@desk/',
    'app://desk:81/',
    'app://other/',
    'apps://desk/',
    'file:///etc/passwd',
    'about:blank',
    'javascript:alert(1)',
    'data:text/html,x',
    'desk',
    '',
  ])('%j is none', (url) => {
    expect(isOwnUrl(url)).toBe(false);
  });
});

describe('contents of any kind', () => {
  function hardened() {
    const contents = new FakeContents();
    const shell = aShell();
    hardenContents(contents as unknown as WebContents, shell); // the fake has what the host uses
    return { contents, shell };
  }

  it.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])('stay where they are: %s', (name) => {
    const { contents } = hardened();
    for (const [url, isDenied] of [
      ['https://evil.example/', true],
      ['file:///etc/passwd', true],
      ['app://elsewhere/', true],
      ['app://desk/', false],
    ] as const) {
      const preventDefault = vi.fn();
      contents.emit(name, { url, preventDefault });
      expect(preventDefault.mock.calls.length, url).toBe(isDenied ? 1 : 0);
    }
  });

  it('open no windows, whatever the address', () => {
    const { contents, shell } = hardened();
    for (const url of ['https://evil.example/', 'app://desk/', 'about:blank', ...externalLinks]) {
      expect(contents.openHandler?.({ url })).toEqual({ action: 'deny' });
    }
    expect(shell.openExternal.mock.calls.map((call: unknown[]) => call[0])).toEqual([...externalLinks]);
  });

  it('attach no webviews', () => {
    const { contents } = hardened();
    const preventDefault = vi.fn();
    contents.emit('will-attach-webview', { preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
  });
});

describe('links to the system’s browser', () => {
  it('are those of a fixed list, to the letter', async () => {
    const shell = aShell();
    for (const link of [
      `${externalLinks[0]}?x`,
      `${externalLinks[0]}/../evil`,
      'https://evil.example/',
      'file:///etc/passwd',
      'smb://server/share',
      'ms-settings:',
    ]) {
      expect(await openExternal(shell, link), link).toBe(false);
    }
    expect(shell.openExternal).not.toHaveBeenCalled();
    expect(await openExternal(shell, externalLinks[0])).toBe(true);
    for (const link of externalLinks) expect(link).toMatch(/^https:\/\//);
  });
});

describe('the session', () => {
  function hardened(tileOrigin: string | null = null) {
    const session = new FakeSession();
    const onBlocked = vi.fn();
    const blocked = hardenSession(session as unknown as Session, { tileOrigin: () => tileOrigin, onBlocked });
    return { session, onBlocked, blocked };
  }

  it.each([
    'geolocation',
    'media',
    'notifications',
    'clipboard-read',
    'openExternal',
    'midi',
    'hid',
    'serial',
    'usb',
    'fileSystem',
    'local-fonts',
    'fullscreen',
    'unknown',
  ])('denies the permission %s, asked or checked', (permission) => {
    const { session } = hardened();
    const answer = vi.fn();
    session.permissionRequest(new FakeContents(), permission, answer);
    expect(answer).toHaveBeenCalledExactlyOnceWith(false);
    expect(session.permissionCheck(new FakeContents(), permission, 'app://desk')).toBe(false);
  });

  it('lets its own page copy on a click, and nobody else', () => {
    const { session } = hardened();
    const answer = vi.fn();
    session.permissionRequest(new FakeContents(), 'clipboard-sanitized-write', answer);
    const foreign = new FakeContents();
    foreign.url = 'https://evil.example/';
    session.permissionRequest(foreign, 'clipboard-sanitized-write', answer);
    expect(answer.mock.calls).toEqual([[true], [false]]);
    expect(session.permissionCheck(null, 'clipboard-sanitized-write', 'https://evil.example')).toBe(false);
  });

  it('denies devices and fetches no spelling dictionaries', () => {
    const { session } = hardened();
    expect(session.devicePermission()).toBe(false);
    expect(session.hasSpellChecker).toBe(false);
  });

  it('blocks and counts every request that leaves the app', () => {
    const { session, blocked, onBlocked } = hardened();
    expect(session.urls).toEqual(['<all_urls>']);
    const foreign = [
      'https://evil.example/?secret',
      'http://127.0.0.1:8080/',
      'ws://evil.example/',
      'ftp://evil.example/',
      'file:///etc/passwd',
      'app://elsewhere/',
      'chrome-extension://abc/x.js',
    ];
    for (const url of foreign) expect(session.decide(url), url).toBe('blocked');
    expect(blocked.count()).toBe(foreign.length);
    expect(onBlocked).toHaveBeenCalledWith('https://evil.example'); // the origin alone: the rest may be private
    for (const url of [
      'app://desk/',
      'app://desk/assets/a.js',
      'blob:app://desk/1',
      'data:image/png;base64,',
    ]) {
      expect(session.decide(url), url).toBe('allowed');
    }
    expect(blocked.count()).toBe(foreign.length);
  });

  it('lets pictures of the user’s tile server through, and nothing else of it', () => {
    const { session } = hardened('https://tiles.example');
    expect(session.decide('https://tiles.example/1/2/3.png', 'image')).toBe('allowed');
    expect(session.decide('https://tiles.example/1/2/3.png', 'xhr')).toBe('blocked');
    expect(session.decide('https://tiles.example/x.js', 'script')).toBe('blocked');
    expect(session.decide('http://tiles.example/1/2/3.png', 'image')).toBe('blocked');
    expect(session.decide('https://tiles.example.evil/1/2/3.png', 'image')).toBe('blocked');
  });

  it('saves only media of its own', () => {
    const { session } = hardened();
    const isStopped = (url: string): boolean => {
      const preventDefault = vi.fn();
      session.emit('will-download', { preventDefault }, { getURL: () => url });
      return preventDefault.mock.calls.length > 0;
    };
    expect(isStopped('app://desk/media/package/package_1')).toBe(false);
    expect(isStopped('blob:app://desk/1234')).toBe(false);
    expect(isStopped('https://evil.example/x.exe')).toBe(true);
    expect(isStopped('app://desk/index.html')).toBe(true);
    expect(isStopped('blob:https://evil.example/1')).toBe(true);
  });
});
