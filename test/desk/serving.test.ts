import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseByteRange } from '../../main/desk/byteRange.ts';
import {
  attachment,
  contentSecurityPolicy,
  fileReply,
  rendererCaching,
  rendererFile,
} from '../../main/desk/serving.ts';

describe('byte ranges', () => {
  it.each([
    [null, { kind: 'whole' }],
    ['bytes=0-', { kind: 'part', start: 0, end: 99 }],
    ['bytes=10-19', { kind: 'part', start: 10, end: 19 }],
    ['bytes=90-500', { kind: 'part', start: 90, end: 99 }],
    ['bytes=-5', { kind: 'part', start: 95, end: 99 }],
    ['bytes=-500', { kind: 'part', start: 0, end: 99 }],
    ['bytes=99-', { kind: 'part', start: 99, end: 99 }],
    ['bytes=100-', { kind: 'unsatisfiable' }],
    ['bytes=-0', { kind: 'unsatisfiable' }],
    ['bytes=5-2', { kind: 'whole' }],
    ['bytes=0-1,5-6', { kind: 'whole' }],
    ['bytes=-', { kind: 'whole' }],
    ['bytes=a-b', { kind: 'whole' }],
    ['items=0-1', { kind: 'whole' }],
    ['bytes=99999999999999999999-', { kind: 'whole' }],
  ] as const)('%s of 100 bytes', (header, expected) => {
    expect(parseByteRange(header, 100)).toEqual(expected);
  });

  it('never reaches outside of the file, whatever it is asked', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(), fc.nat(), fc.string(), (size, a, b, text) => {
        for (const header of [`bytes=${a}-${b}`, `bytes=${a}-`, `bytes=-${b}`, text, `bytes=${text}`]) {
          const range = parseByteRange(header, size);
          if (range.kind !== 'part') continue;
          expect(range.start).toBeGreaterThanOrEqual(0);
          expect(range.start).toBeLessThanOrEqual(range.end);
          expect(range.end).toBeLessThan(size);
        }
      }),
    );
  });

  it('has nothing to give of an empty file', () => {
    const file = { path: '/x', sizeBytes: 0, contentType: 'text/plain', downloadName: null };
    expect(fileReply(file, { range: 'bytes=0-', caching: 'no-store' })).toMatchObject({ status: 416 });
    expect(fileReply(file, { caching: 'no-store' })).toMatchObject({ status: 200, body: null });
  });
});

describe('the window’s files', () => {
  let root: string;
  beforeAll(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'renderer-'));
    fs.mkdirSync(path.join(root, 'dist', 'assets'), { recursive: true });
    fs.writeFileSync(path.join(root, 'secret.js'), 'outside');
    fs.writeFileSync(path.join(root, 'dist', 'index.html'), '<!doctype html>');
    fs.writeFileSync(path.join(root, 'dist', 'assets', 'main-Ab12Cd34.js'), '1');
    fs.writeFileSync(path.join(root, 'dist', '.hidden.js'), 'hidden');
    fs.writeFileSync(path.join(root, 'dist', 'program.exe'), 'unknown type');
    fs.symlinkSync(path.join(root, 'secret.js'), path.join(root, 'dist', 'link.js'));
    fs.symlinkSync(root, path.join(root, 'dist', 'up'));
    fs.symlinkSync(path.join(root, 'dist', 'index.html'), path.join(root, 'dist', 'inner.html'));
    fs.mkdirSync(path.join(root, 'dist', 'folder.js'));
  });
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));
  const get = (urlPath: string) => rendererFile(path.join(root, 'dist'), urlPath);

  it('serves what was built, with its type', async () => {
    expect(await get('/')).toMatchObject({ contentType: 'text/html; charset=utf-8' });
    expect(await get('/assets/main-Ab12Cd34.js')).toMatchObject({
      contentType: 'text/javascript; charset=utf-8',
    });
  });

  it('keeps files with a hash in their name for ever, and no others', () => {
    expect(rendererCaching('/assets/main-Ab12Cd34.js')).toContain('immutable');
    expect(rendererCaching('/')).toBe('no-cache');
    expect(rendererCaching('/index.html')).toBe('no-cache');
  });

  it.each([
    '/../secret.js',
    '/assets/../../secret.js',
    '/%2e%2e/secret.js',
    '/..%2fsecret.js',
    '/..%5csecret.js',
    '/..\\secret.js',
    '//secret.js',
    '/assets//main-Ab12Cd34.js',
    '/./index.html',
    '/index.html%00.js',
    '/index.html\0',
    '/C:/Windows/win.ini.txt',
    '/\\\\server\\share\\x.js',
    '/link.js',
    '/up/secret.js',
    '/inner.html',
    '/folder.js',
    '/.hidden.js',
    '/program.exe',
    '/assets',
    '/assets/',
    '/missing.js',
    '',
  ])('refuses %j', async (urlPath) => {
    expect(await get(urlPath)).toBeNull();
  });
});

describe('the content security policy', () => {
  it('allows nothing but this origin', () => {
    const policy = contentSecurityPolicy(null);
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' blob: data:;",
    ]) {
      expect(policy).toContain(part);
    }
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  });

  it('adds the user’s tile server for pictures only', () => {
    const policy = contentSecurityPolicy('https://tiles.example');
    expect(policy.split('; ').filter((part) => part.includes('tiles.example'))).toEqual([
      "img-src 'self' blob: data: https://tiles.example",
    ]);
  });
});

describe('download names', () => {
  it.each([
    ['Case 7.zip', 'attachment; filename="Case 7.zip"; filename*=UTF-8\'\'Case%207.zip'],
    ['a"b\\c;d.zip', 'attachment; filename="a_b_c_d.zip"; filename*=UTF-8\'\'a%22b%5Cc%3Bd.zip'],
    ['Fahrt\r\nSet-Cookie: x.zip', expect.not.stringMatching(/[\r\n]/)],
    ['事故.zip', 'attachment; filename="__.zip"; filename*=UTF-8\'\'%E4%BA%8B%E6%95%85.zip'],
  ])('%j', (name, expected) => {
    expect(attachment(name)).toEqual(expected);
  });

  it('is one header line of plain ASCII for any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(attachment(name)).toMatch(/^[\x20-\x7e]+$/);
      }),
    );
  });
});
