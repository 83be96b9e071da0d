// `npm run -s simulator -- [--port N] [--scenario NAME] [--seed N]`: runs the simulated Fleet Dashcam Cloud
// (docs/simulator.md). Node strips the types itself, so there is nothing to build.
import { spawn } from 'node:child_process';
import path from 'node:path';

const entry = path.join(import.meta.dirname, '..', 'test', 'simulator', 'main.ts');
const child = spawn(process.execPath, [entry, ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 0));
