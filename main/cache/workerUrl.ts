/**
 * Where the code of a worker thread lies: `./name.ts` beside a source (Node runs it as it is), `./name.js` in
 * the bundle, where all entries lie flat in one folder. Call it with the caller's `import.meta.url`.
 */
export function workerUrl(importMetaUrl: string, name: string): URL {
  const isSource = new URL(importMetaUrl).pathname.endsWith('.ts');
  return new URL(`./${name}.${isSource ? 'ts' : 'js'}`, importMetaUrl);
}
