import { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseArguments, UsageError } from '../../../main/hosts/cli/arguments.ts';
import { commands, helpText } from '../../../main/hosts/cli/commandTable.ts';
import { createOutput, printable, progressText, table } from '../../../main/hosts/cli/output.ts';
import { runCli } from '../../../main/hosts/cli/run.ts';
import { parseBbox, parsePlace } from '../../../main/hosts/cli/values.ts';
import { CliBench, csvText } from './runProcess.ts';

function collector(isTTY = false) {
  const pieces: string[] = [];
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece.toString('utf8'));
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY, columns: 60 }), text: () => pieces.join('') };
}

async function run(...tokens: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const [stdout, stderr] = [collector(), collector()];
  const code = await runCli(tokens, {
    stdout: stdout.stream,
    stderr: stderr.stream,
    environment: { EVIDENCE_DESK_DATA_DIR: '/nowhere/at/all' },
    onInterrupt: () => () => undefined,
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

describe('a command line', () => {
  it.each([
    [['frobnicate'], /Unknown command "frobnicate"/],
    [['constructor'], /Unknown command/],
    [[], /No command/],
    [['trips', '--bogus'], /Unknown option --bogus.*Run/],
    [['trips', '--from', 'yesterday'], /--from is a time with its zone.*Usage: trips/],
    [['trips', '--from', '2025-03-03T05:00:00'], /with its zone/],
    [['trips', '--from', '2025-03-04', '--to', '2025-03-03'], /ends before it begins/],
    [['trips', '--bbox', '1,2,3'], /W,S,E,N/],
    [['trips', '--bbox', '4,53,5,52'], /upside down/],
    [['trips', 'extra'], /"extra" is too much/],
    [['trips', '--psn'], /--psn needs a value/],
    [['trips', '--json=yes'], /--json takes no value/],
    [['near'], /LAT,LNG is missing/],
    [['near', '91,4'], /latitude/],
    [['near', '52,4', '--radius', '-5'], /--radius/],
    [['near', '52,4', '--radius', '1', '--radius', '2'], /given twice/],
    [['track'], /TRIPID is missing/],
    [['track', 'x', '--format', 'xls'], /--format is one of/],
    [['case'], /What to do with cases is missing/],
    [['case', 'burn', 'x'], /Cases know no "burn"/],
    [['case', 'create'], /NAME is missing/],
    [['case', 'note', 'x'], /TEXT is missing/],
    [['case', 'add', 'x'], /Say what to add/],
    [['case', 'create', 'x', '--trip', 'y'], /go with "case add"/],
    [['import'], /FILE is missing/],
    [['package', '--case', 'x'], /--out FILE.zip is missing/],
    [['package', '--out', 'x'], /--case NAME is missing/],
    [['verify'], /FILE.zip is missing/],
    [['serve', '--port', '70000'], /--port is a number/],
  ])('that is wrong ends with 2 and says how it should be: %j', async (tokens, words) => {
    const ran = await run(...tokens);
    expect(ran.code).toBe(2);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toMatch(words);
  });

  it('that is wrong is answered in JSON when JSON was asked for', async () => {
    const ran = await run('near', '--json');
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      error: { code: 'invalid_input', title: expect.any(String) },
    });
  });

  it('can have its common options before the command', async () => {
    const ran = await run('--data-dir', '/elsewhere', '--json', 'near');
    expect(JSON.parse(ran.stdout).error.title).toMatch(/LAT,LNG/);
  });

  it('shows the version and the help, of all and of one', async () => {
    expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(JSON.parse((await run('--version', '--json')).stdout)).toEqual({ version: expect.any(String) });
    const { code, stdout } = await run('--help');
    expect(code).toBe(0);
    for (const name of Object.keys(commands)) expect(stdout).toContain(`\n  ${name}`);
    const listed = [...stdout.matchAll(/^ {2}([a-z-]+)/gm)].map((match) => match[1]);
    expect(listed).toEqual(Object.keys(commands)); // what is not built yet is not promised
    expect((await run('near', '--help')).stdout).toBe(helpText('near'));
    expect((await run('help', 'near')).stdout).toBe(helpText('near'));
  });
});

describe('arguments', () => {
  it('take places south and west of zero for what they are', () => {
    const args = parseArguments(['-33.8,151.2', '--box', '-1,-2,3,4'], { '--box': 'value' });
    expect(args.positionals).toEqual(['-33.8,151.2']);
    expect(args.value('--box')).toBe('-1,-2,3,4');
  });

  it('end their options at --', () => {
    expect(parseArguments(['a', '--', '--json', '-x'], {}).positionals).toEqual(['a', '--json', '-x']);
  });

  it('never take a name of the language for an option', () => {
    expect(() => parseArguments(['--constructor'], {})).toThrow(UsageError);
  });

  it('are read or refused, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (tokens) => {
        try {
          parseArguments(tokens, { '--a': 'flag', '--b': 'value', '--c': 'list' });
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(UsageError);
        }
      }),
    );
  });

  it('hold numbers only as people write them', () => {
    expect(parsePlace(' -33.8, +151.2')).toEqual({ latDeg: -33.8, lngDeg: 151.2 });
    for (const text of ['', ',', '0x10,5', '1e3,5', 'NaN,1', '1,2,3', '52.1 4.3']) {
      expect(() => parsePlace(text)).toThrow(UsageError);
    }
    expect(parseBbox('179,-1,-179,1')).toEqual([179, -1, -179, 1]);
  });
});

describe('Ctrl+C', () => {
  it('ends an import with nothing kept, and listens no longer', async () => {
    const bench = new CliBench();
    const zip = await bench.zip('export.zip', { 'export.csv': csvText });
    const [stdout, stderr] = [collector(), collector()];
    let isListening = false;
    const cli = (tokens: string[], isInterrupted: boolean): Promise<number> =>
      runCli([...tokens, '--data-dir', bench.dataFolder, '--json'], {
        stdout: stdout.stream,
        stderr: stderr.stream,
        environment: {},
        onInterrupt(handle) {
          isListening = true;
          if (isInterrupted) handle();
          return () => (isListening = false);
        },
      });
    expect(await cli(['import', zip], true)).toBe(1);
    expect(isListening).toBe(false);
    expect(JSON.parse(stdout.text()).error.code).toBe('canceled');
    expect(await cli(['sources'], false)).toBe(0);
    expect(stdout.text().trim().split('\n').at(-1)).toBe('{"sources":[]}');
    bench.remove();
  });
});

describe('output', () => {
  it('keeps results and remarks apart, and remarks to itself when quiet', () => {
    const [stdout, stderr] = [collector(), collector(true)];
    const loud = createOutput(
      { stdout: stdout.stream, stderr: stderr.stream },
      { isJson: true, isQuiet: false },
    );
    loud.progress({ stage: 'reading', done: 5e6, total: 1e7, unit: 'bytes', points: 1234 });
    loud.message('hello');
    loud.result({ a: 1 }, () => 'text');
    expect(stdout.text()).toBe('{"a":1}\n');
    expect(stderr.text()).toContain('reading: 5.0 MB (50 %), 1,234 points');
    expect(stderr.text()).toContain('hello\n');
    const quiet = collector(true);
    const silent = createOutput(
      { stdout: stdout.stream, stderr: quiet.stream },
      { isJson: false, isQuiet: true },
    );
    silent.progress({ stage: 'reading', done: 1, total: null, unit: 'files', points: null });
    silent.message('hello');
    expect(quiet.text()).toBe('');
  });

  it('draws no progress where no terminal is', () => {
    const stderr = collector(false);
    const output = createOutput(
      { stdout: stderr.stream, stderr: stderr.stream },
      { isJson: false, isQuiet: false },
    );
    output.progress({ stage: 'reading', done: 1, total: 2, unit: 'entries', points: null });
    expect(stderr.text()).toBe('');
    expect(progressText({ stage: 'sealing', done: 3, total: null, unit: 'files', points: null })).toBe(
      'sealing: 3 files',
    );
  });

  it('disarms escape sequences and turned writing in names from files', () => {
    expect(printable('a\u001b[2Jb\u202ecod.exe')).toBe('a\\u001b[2Jb\\u202ecod.exe');
    expect(printable('Müller 東京')).toBe('Müller 東京');
    expect(table(['NAME'], [['x\ny']])).toBe('NAME\nx\\u000ay\n');
  });
});
