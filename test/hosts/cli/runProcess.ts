import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import yazl from 'yazl';

export const cliMain = path.resolve(import.meta.dirname, '../../../main/hosts/cli/main.ts');

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The JSON document on standard output; throws unless it is one and alone. */
  json<T = Record<string, unknown>>(): T;
}

/** A data folder, a configuration folder and room for files, all gone after `remove`. */
export class CliBench {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cli-'));
  readonly dataFolder = path.join(this.folder, 'data');

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  /** Writes a zip of the named texts; a name that ends in a slash is a folder. */
  async zip(name: string, entries: Readonly<Record<string, string>>): Promise<string> {
    const zip = new yazl.ZipFile();
    for (const [entry, text] of Object.entries(entries)) {
      if (entry.endsWith('/')) zip.addEmptyDirectory(entry);
      else zip.addBuffer(Buffer.from(text), entry);
    }
    zip.end();
    const out = fs.createWriteStream(this.file(name));
    zip.outputStream.pipe(out);
    await once(out, 'close');
    return this.file(name);
  }

  start(...args: string[]): ChildProcessWithoutNullStreams {
    return spawn(process.execPath, [cliMain, ...args], {
      env: {
        ...process.env,
        EVIDENCE_DESK_DATA_DIR: this.dataFolder,
        XDG_CONFIG_HOME: this.file('config'),
        NODE_OPTIONS: '',
      },
    });
  }

  /** Runs the command line as a process of its own, from the sources. */
  async run(...args: string[]): Promise<Ran> {
    const child = this.start(...args);
    child.stdin.end();
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const [code] = (await once(child, 'close')) as [number | null]; // the event's own arguments
    return { code, stdout, stderr, json: () => JSON.parse(stdout) };
  }
}

/** A small export: two trips of one camera, a speed of 0, an absent speed and a bad row. */
export const csvRows = [
  'psn,carName,datetime,lat,lng,drive_no,heading,speedKmh',
  'P1,"Van 1, North",2025-03-03T05:00:00Z,52.100000,4.300000,7,90,0.0',
  'P1,"Van 1, North",2025-03-03T05:00:01Z,52.100000,4.300100,7,90,12.5',
  'P1,"Van 1, North",2025-03-03T05:00:02Z,52.100000,4.300200,7,91,',
  'P1,"Van 1, North",2025-03-03T06:00:00Z,52.200000,4.400000,8,0,0',
];
export const csvText = `${csvRows.join('\r\n')}\r\n`;
export const csvWithBadRow = `${csvText}P1,Van,2025-03-03T06:00:01Z,95.0,4.4,8,0,0\r\n`;
