// `npm run -s cli -- <command>`: the command line host, built first where the sources have changed.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { requireNode, root } from './runtime.mjs';

requireNode();
await build(['main']);
// The bundle reads its own arguments from process.argv[2..]; argv[1] stays this script.
await import(pathToFileURL(path.join(root, 'dist/main/cli.js')).href);
