// @vitest-environment jsdom
import '../browserShims.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Shell } from '../../../renderer/app/shell/Shell.tsx';
import { dropTargetOf } from '../../../renderer/app/shell/dropTarget.ts';
import { ErrorBoundary } from '../../../renderer/app/shell/ErrorBoundary.tsx';
import { createStores } from '../../../renderer/app/stores.ts';
import type { Derived } from '../../../shared/contract/derived.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import { AppError } from '../../../shared/errors.ts';
import type { CaseId, ClipId, DerivedId, JobId, SourceId } from '../../../shared/ids.ts';
import { createFakeHost } from '../fakeHost.ts';
import { button, click, happen, pageText, press, render, unmountAll } from '../render.tsx';
import { appInfo, caseFile, entry, imported, job, report, settings, sha } from '../samples.ts';

afterEach(unmountAll);
beforeEach(() => {
  window.location.hash = '#/settings';
});

async function open() {
  const host = createFakeHost({
    'settings.get': () => settings(),
    'app.info': () => appInfo(),
    'basemap.get': () => null,
    'jobs.list': () => [],
    'cases.list': () => [caseFile()],
    'cases.get': () => caseFile(),
    'sources.list': () => [],
    'sources.report': () => report(),
    'cameras.list': () => [],
    'trips.list': () => [],
    'imports.start': () => ({ jobId: 'job_1' as JobId }),
    'derived.list': () => [
      {
        derivedId: 'derived_1' as DerivedId,
        clipId: 'clip_7' as ClipId,
        recipe: { startUtcMs: 1200.4 },
      } as Derived, // the part that is read
    ],
    'review.scene': () => {
      throw new AppError('not_found', 'There is no such clip.');
    },
  });
  const stores = createStores(host);
  await render(<Shell stores={stores} />, { host });
  return { host, stores };
}
const ended = (outcome: Parameters<typeof imported>[0]): Job =>
  job({
    endedAtMs: 9,
    state: { status: 'done', result: { kind: 'import', outcome: { sources: [imported(outcome)] } } },
  });

/** A drag as the window hears it. */
async function drag(kind: 'dragenter' | 'dragleave' | 'drop', names: readonly string[]): Promise<Event> {
  const event = new Event(kind, { bubbles: true, cancelable: true });
  const items = names.map((name) => ({
    kind: 'file',
    webkitGetAsEntry: () => null,
    getAsFile: () => new File(['x'], name),
  }));
  Object.assign(event, { dataTransfer: { types: ['Files'], items } });
  await happen(() => document.body.dispatchEvent(event));
  return event;
}

describe('the window’s frame', () => {
  it('shows only screens that work, reached by rail and by Ctrl and a digit', async () => {
    await open();
    const labels = [...document.querySelectorAll('nav a')].map((link) => link.textContent);
    expect(labels).toEqual(['Library', 'Cameras', 'Review', 'Cases', 'Verify', 'Account', 'Settings']);
    await press(document.body, '5', { ctrlKey: true });
    expect(document.querySelector('h1')?.textContent).toBe('Verify');
    expect(document.title).toBe('Verify – Evidence Desk');
    expect(document.querySelector('[aria-current="page"]')?.textContent).toBe('Verify');
  });

  it('says what letting go of files will do, imports them, and never leaves for the file', async () => {
    const { host } = await open();
    await drag('dragenter', ['export.zip']);
    expect(pageText()).toContain('Drop to import');
    const drop = await drag('drop', ['export.zip', 'other.csv']);
    expect(drop.defaultPrevented).toBe(true);
    expect(pageText()).not.toContain('Drop to import');
    expect(host.asked).toContainEqual({
      name: 'imports.start',
      input: { uploadIds: ['upload_1', 'upload_2'] },
    });
  });

  it('tells how an import ended, with the way to its report', async () => {
    const { host } = await open();
    await happen(() => host.emit('jobs.changed', ended({})));
    expect(pageText()).toContain('Import finished');
    expect(pageText()).toContain('export.zip: 2 trips, 100 points imported.');
    await click(button('Import report'));
    expect(pageText()).toContain('rows or points met');
  });

  it('leads from clips that came in, and from a trim, to Review', async () => {
    const { host } = await open();
    const clip = (letter: string) =>
      imported({
        sha256: sha(letter),
        fileName: `${letter}.mp4`,
        trips: 0,
        points: 0,
        entries: [entry({ name: `${letter}.mp4`, format: 'mp4', trips: 0, points: 0, rows: 0 })],
      });
    const came = (letters: readonly string[], jobId: string) =>
      job({
        jobId: jobId as JobId,
        state: { status: 'done', result: { kind: 'import', outcome: { sources: letters.map(clip) } } },
      });
    await happen(() => host.emit('jobs.changed', came(['a'], 'job_1')));
    expect(pageText()).toContain('export.zip: 1 clip imported.');
    await click(button('Review the clip'));
    expect(window.location.hash).toBe(`#/review/clip/clip_${'a'.repeat(16)}`);
    await happen(() => host.emit('jobs.changed', came(['a', 'b'], 'job_2')));
    await click(button('Review the 2 clips'));
    expect(window.location.hash).toBe(`#/review/clips/clip_${'a'.repeat(16)},clip_${'b'.repeat(16)}`);
    const result = { kind: 'trim', derivedId: 'derived_1' as DerivedId } as const;
    const cut = (jobId: string) =>
      host.emit(
        'jobs.changed',
        job({ jobId: jobId as JobId, kind: 'trim', state: { status: 'done', result } }),
      );
    await happen(() => cut('job_3'));
    // In Review it is among the marks: nothing is offered that would lie over the pictures.
    expect(pageText()).toContain('Trim made');
    expect(button('Close: Trim made')).toBeTruthy();
    expect(pageText()).not.toContain('Show in Review');
    await happen(() => {
      window.location.hash = '#/library';
      window.dispatchEvent(new HashChangeEvent('hashchange'));
    });
    await happen(() => cut('job_4'));
    await click(button('Show in Review'));
    expect(window.location.hash).toBe('#/review/clip/clip_7/1200');
  });

  it('recognises what was imported before', async () => {
    const { host } = await open();
    const again = { status: 'duplicate', sourceId: null, duplicateOf: 'src_1' as SourceId } as const;
    await happen(() => host.emit('jobs.changed', ended(again)));
    expect(pageText()).toContain('Already imported');
    expect(pageText()).toContain('nothing was changed');
  });

  it('explains a file that was not imported, with the remedy', async () => {
    const { host } = await open();
    const error = new AppError('archive_encrypted', 'export.zip is encrypted.', {
      remedy: 'Unpack it with its password first.',
    }).toData();
    await happen(() => host.emit('jobs.changed', ended({ status: 'failed', sourceId: null, error })));
    expect(pageText()).toContain('export.zip was not imported');
    expect(pageText()).toContain('Unpack it with its password first.');
  });

  it('warns while the connection is lost, and no longer', async () => {
    const { host } = await open();
    await happen(() => host.setConnection('lost'));
    expect(pageText()).toContain('Connection to Evidence Desk lost.');
    await happen(() => host.setConnection('connected'));
    expect(pageText()).not.toContain('Connection to Evidence Desk lost.');
  });
});

describe('where dropped files go', () => {
  it('follows the screen: library, the open case, or verification', () => {
    expect(dropTargetOf({ screen: 'library' }, null)).toMatchObject({ kind: 'import', caseId: null });
    const caseId = 'case_1' as CaseId;
    expect(dropTargetOf({ screen: 'cases', caseId, tab: 'notes' }, 'Keizersgracht')).toMatchObject({
      caseId,
      title: 'Drop to import into the case “Keizersgracht”',
    });
    expect(dropTargetOf({ screen: 'cases', caseId, tab: 'notes' }, null)).toMatchObject({ caseId: null });
    expect(dropTargetOf({ screen: 'verify' }, null)).toMatchObject({ kind: 'verify' });
  });
});

describe('a screen that can’t be drawn', () => {
  it('leaves the frame standing, says so, and can be tried again', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let isBroken = true;
    function Screen() {
      if (isBroken) throw new Error('a bug');
      return <p>drawn</p>;
    }
    await render(
      <ErrorBoundary place="#/x">
        <Screen />
      </ErrorBoundary>,
    );
    expect(pageText()).toContain('This screen could not be drawn. Nothing that is stored was changed');
    isBroken = false;
    await click(button('Try again'));
    expect(pageText()).toContain('drawn');
    logged.mockRestore();
  });
});
