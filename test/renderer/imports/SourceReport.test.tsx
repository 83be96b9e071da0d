// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest';
import { ImportResults, SourceReportDrawer } from '../../../renderer/features/imports/index.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ClipId, SourceId } from '../../../shared/ids.ts';
import { createFakeHost } from '../fakeHost.ts';
import { button, click, field, pageText, render, settle, type, unmountAll } from '../render.tsx';
import { entry, imported, report, sha, source, trip } from '../samples.ts';

afterEach(unmountAll);
const reviewedClips: ClipId[] = [];

const sourceId = 'src_1' as SourceId;

describe('the import report', () => {
  it('shows that rows met are rows kept plus rows skipped, and each reason with its first place', async () => {
    const host = createFakeHost({
      'sources.report': () =>
        report({
          entries: [
            entry({ rows: 107, skipped: [{ where: 'line 2', reason: 'the position is 0/0', count: 7 }] }),
            entry({
              name: 'readme.txt',
              format: null,
              status: 'skipped',
              trips: 0,
              points: 0,
              rows: 0,
              psns: [],
              error: 'Not a track file.',
            }),
          ],
        }),
      'cameras.list': () => [],
      'trips.list': () => [],
    });
    await render(
      <SourceReportDrawer
        onReview={(clipIds) => reviewedClips.push(...clipIds)}
        sourceId={sourceId}
        onClose={() => undefined}
      />,
      { host },
    );
    const balance = document.querySelector('[role="group"]')?.textContent ?? '';
    expect(balance).toContain('107rows or points met');
    expect(balance).toContain('100points kept');
    expect(balance).toContain('7skipped');
    expect(pageText()).toContain('the position is 0/0line 27');
    expect(pageText()).toContain('Not a track file.');
  });

  it('assigns the tracks of an unknown camera and reads the report again', async () => {
    let psn: string | null = null;
    const host = createFakeHost({
      'sources.report': () => report({ unknownCameraTrips: psn === null ? 2 : 0 }),
      'cameras.list': () => [],
      'trips.list': () => (psn === null ? [trip({ psn: null })] : [trip({ psn, isPsnAssigned: true })]),
      'cameras.assign': (input) => {
        ({ psn } = input);
        return { trips: 2 };
      },
    });
    await render(
      <SourceReportDrawer
        onReview={(clipIds) => reviewedClips.push(...clipIds)}
        sourceId={sourceId}
        onClose={() => undefined}
      />,
      { host },
    );
    expect(pageText()).toContain('2 trips of this source name no camera.');
    await type(field('Camera serial'), 'P99');
    await click(button('Assign camera'));
    expect(host.asked).toContainEqual({ name: 'cameras.assign', input: { sourceId, psn: 'P99' } });
    expect(pageText()).toContain('Assigned by hand: 1 trip to camera P99');
    await click(button('Take back'));
    expect(host.asked).toContainEqual({ name: 'cameras.assign', input: { sourceId, psn: null } });
    expect(pageText()).toContain('2 trips of this source name no camera.');
  });

  it('explains a source that a case holds instead of removing it', async () => {
    const host = createFakeHost({
      'sources.report': () => report(),
      'cameras.list': () => [],
      'trips.list': () => [],
      'sources.remove': () => {
        throw new AppError('busy', 'The case "Keizersgracht" holds a trip of this source.');
      },
    });
    await render(
      <SourceReportDrawer
        onReview={(clipIds) => reviewedClips.push(...clipIds)}
        sourceId={sourceId}
        onClose={() => undefined}
      />,
      { host },
    );
    await click(button('Remove from the library…'));
    await click(button('Remove source'));
    expect(pageText()).toContain('The case "Keizersgracht" holds a trip of this source.');
  });

  it('offers to try again when the report can’t be read', async () => {
    let isBroken = true;
    const host = createFakeHost({
      'sources.report': () => {
        if (isBroken)
          throw new AppError('cache_corrupt', 'The cache is damaged.', { remedy: 'Restore a backup.' });
        return report();
      },
      'cameras.list': () => [],
      'trips.list': () => [],
    });
    await render(
      <SourceReportDrawer
        onReview={(clipIds) => reviewedClips.push(...clipIds)}
        sourceId={sourceId}
        onClose={() => undefined}
      />,
      { host },
    );
    expect(pageText()).toContain('The cache is damaged.');
    expect(pageText()).toContain('Restore a backup.');
    isBroken = false;
    await click(button('Try again'));
    await settle();
    expect(pageText()).toContain('export.zip');
  });

  it('leads from a clip’s report to Review', async () => {
    const host = createFakeHost({
      'sources.report': () => report({ kind: 'clip', fileName: 'van.mp4', sha256: sha('c'), entries: [] }),
      'cameras.list': () => [],
      'trips.list': () => [],
    });
    await render(
      <SourceReportDrawer
        onReview={(clipIds) => reviewedClips.push(...clipIds)}
        sourceId={sourceId}
        onClose={() => undefined}
      />,
      { host },
    );
    await click(button('Review'));
    expect(reviewedClips).toEqual([`clip_${'c'.repeat(16)}`]);
  });
});

describe('import results', () => {
  it('tells for each file whether it came in, was in before, or why not and what to do', async () => {
    const host = createFakeHost({ 'sources.list': () => [source()] });
    const reviewed: unknown[] = [];
    const outcome = {
      sources: [
        imported(),
        imported({
          fileName: 'van.mp4',
          sha256: sha('c'),
          trips: 0,
          points: 0,
          entries: [entry({ name: 'van.mp4', format: 'mp4', trips: 0, points: 0 })],
        }),
        imported({ fileName: 'again.zip', sourceId: null, status: 'duplicate', duplicateOf: sourceId }),
        imported({
          fileName: 'bad.zip',
          sourceId: null,
          status: 'failed',
          error: { code: 'archive_damaged', message: 'bad.zip is cut off.', remedy: 'Download it again.' },
        }),
      ],
    } as const;
    await render(
      <ImportResults
        outcome={outcome}
        onClose={() => undefined}
        onOpenReport={() => undefined}
        onReview={(clipIds) => reviewed.push(clipIds)}
      />,
      { host },
    );
    expect(pageText()).toContain('Imported: 2 trips, 100 points');
    expect(pageText()).toContain('Imported: a clip, kept whole');
    await click(button('Review van.mp4'));
    expect(reviewed).toEqual([[`clip_${'c'.repeat(16)}`]]);
    expect(pageText()).toContain('Imported before on 14 Mar 2026, 16:02:11 UTC; nothing was changed');
    expect(pageText()).toContain('bad.zip is cut off.');
    expect(pageText()).toContain('Download it again.');
    expect(pageText()).toContain('Nothing of this file was kept.');
  });
});
