// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest';
import { marksForChart } from '../../../renderer/features/review/marks/markItems.ts';
import { MarksPanel } from '../../../renderer/features/review/marks/MarksPanel.tsx';
import { UndoButtons } from '../../../renderer/features/review/undo/UndoButtons.tsx';
import type { Exhibit } from '../../../shared/contract/cases.ts';
import type { Derived } from '../../../shared/contract/derived.ts';
import type { Mark } from '../../../shared/contract/marks.ts';
import { AppError } from '../../../shared/errors.ts';
import type { CaseId, ClipId, ExhibitId, JobId } from '../../../shared/ids.ts';
import {
  button,
  click,
  field,
  happen,
  pageText,
  press,
  render,
  settle,
  type,
  unmountAll,
} from '../render.tsx';
import { caseFile, exhibit, job } from '../samples.ts';
import {
  aReview,
  channel,
  frame,
  frontId,
  picturesOf,
  scene,
  secondId,
  segment,
  sourceClock,
  startMs,
} from './aReview.ts';

afterEach(unmountAll);

async function open(options: Parameters<typeof aReview>[0] = {}) {
  const opened = aReview(options);
  await render(
    <>
      <UndoButtons review={opened.review} />
      <MarksPanel review={opened.review} />
    </>,
    { host: opened.host },
  );
  return opened;
}
const rows = () => [...document.querySelectorAll<HTMLElement>('[data-mark-row]')];
const menu = async (name: RegExp, item: string) => {
  await click(button(name));
  const found = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')].find(
    (element) => element.textContent?.trim() === item,
  );
  if (!found) throw new Error(`No item “${item}” in: ${pageText()}`);
  await click(found);
};

describe('bookmarks', () => {
  it('are made at the clock’s time, pinned to the frame shown, and undone and done again', async () => {
    const { core } = await open({ atMs: startMs + 10_004 });
    expect(pageText()).toContain('bookmarks this moment');
    await click(button('Bookmark'));
    expect(core.marks()).toEqual([
      expect.objectContaining({
        kind: 'bookmark',
        fromMs: startMs + 10_004,
        toMs: null,
        uncertaintyMs: 1500,
        from: { clipId: frontId, clipS: 10 },
      }),
    ]);
    expect(rows()).toHaveLength(1);
    // The anchor's time: that of the frame, which holds when the clip's clock is set anew.
    expect(rows()[0]?.textContent).toContain('16:32:10.000 UTC');
    await click(button('Undo: bookmark'));
    expect(rows()).toHaveLength(0);
    await click(button('Redo: bookmark'));
    expect(rows()).toHaveLength(1);
  });

  it('have no time of day where no clock is known, but hold on to the frame', async () => {
    const { core } = await open({
      atMs: 10_000,
      state: {
        scene: scene({
          timebase: 'elapsed',
          fromMs: 0,
          toMs: 20_000,
          channels: [channel({ segments: [segment({ startMs: 0, endMs: 20_000 })] })],
          clocks: [sourceClock({ startUtcMs: null, uncertaintyMs: null, origin: 'unknown' })],
        }),
        frames: new Map([['front', frame({ sceneMs: 10_000 })]]),
      },
    });
    await click(button('Bookmark'));
    expect(core.marks()[0]).toMatchObject({ fromMs: null, uncertaintyMs: null, from: { clipS: 10 } });
    expect(rows()[0]?.textContent).toContain('0:10.000 from the start');
  });

  it('are pinned to the moment, not to a picture of before a jump', async () => {
    const { core } = await open({ atMs: startMs + 3_000 });
    await click(button('Bookmark'));
    expect(core.marks()[0]?.from).toEqual({ clipId: frontId, clipS: 3 });
  });

  it('say why they could not be made, and change nothing', async () => {
    const { review } = await open({
      handlers: {
        'marks.add': () => {
          throw new AppError('disk_full', 'The disk is full.', { remedy: 'Make room.' });
        },
      },
    });
    await click(button('Bookmark'));
    expect(pageText()).toContain('No bookmark was made');
    expect(pageText()).toContain('The disk is full. Make room.');
    expect(review.undo.state.getState().undo).toBeNull();
  });

  it('are titled, noted and tagged in place: saved when left, restored by Escape, undone one by one', async () => {
    const { core } = await open();
    await click(button('Bookmark'));
    await menu(/^More for bookmark/, 'Title, note, tags (F2)');
    const title = field('Title');
    await type(title, 'Brake lights');
    await press(title, 'Escape');
    expect((title as HTMLInputElement).value).toBe('');
    await type(title, ' Brake lights ');
    await happen(() => title.dispatchEvent(new FocusEvent('focusout', { bubbles: true })));
    expect(core.marks()[0]).toMatchObject({ title: 'Brake lights', note: '' });
    await type(field('Note'), 'Left one only');
    await happen(() => field('Note').dispatchEvent(new FocusEvent('focusout', { bubbles: true })));
    await happen(() => field('Tags').focus());
    await type(field('Tags'), 'lights');
    await press(field('Tags'), 'Enter');
    expect(core.marks()[0]).toMatchObject({ title: 'Brake lights', note: 'Left one only', tags: ['lights'] });
    await click(button('Done'));
    expect(rows()[0]?.textContent).toContain('Brake lights');
    expect(rows()[0]?.textContent).toContain('Left one only');
    await click(button('Undo: tags of “Brake lights”'));
    await click(button('Undo: note of “Brake lights”'));
    await click(button(/^Undo: title of/));
    expect(core.marks()[0]).toMatchObject({ title: '', note: '', tags: [] });
    await click(button('Undo: bookmark'));
    expect(core.marks()).toEqual([]);
  });

  it('keep what was typed when it can’t be saved, and save it when the row goes away', async () => {
    let isDown = true;
    const saved: unknown[] = [];
    await open({
      handlers: {
        'marks.edit': (input) => {
          if (isDown) throw new AppError('connection_lost', 'This window has lost its connection.');
          saved.push(input);
          return { markId: input.markId } as Mark; // what it answers is not looked at
        },
      },
    });
    await click(button('Bookmark'));
    await press(rows()[0]!, 'F2');
    await type(field('Note'), 'seen twice');
    await happen(() => field('Note').dispatchEvent(new FocusEvent('focusout', { bubbles: true })));
    expect(field('Note').value).toBe('seen twice');
    expect(pageText()).toContain('What you typed is still here and was not saved.');
    isDown = false;
    await click(button('Done'));
    expect(saved).toEqual([expect.objectContaining({ note: 'seen twice' })]);
  });

  it('are saved once, though leaving the field and closing the form both save', async () => {
    const { host } = await open();
    await click(button('Bookmark'));
    await press(rows()[0]!, 'F2');
    await type(field('Title'), 'Impact');
    await happen(() => {
      field('Title').dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
      button('Done').click();
    });
    expect(host.asked.filter(({ name }) => name === 'marks.edit')).toHaveLength(1);
    await click(button('Undo: title of bookmark'));
    expect(button('Undo: bookmark')).toBeTruthy();
  });

  it('are gone to by click, moved to now and taken away by Delete, all of it undone', async () => {
    const { core, clock, review } = await open();
    await click(button('Bookmark'));
    await happen(() => clock.seek(startMs + 15_000));
    await happen(() =>
      review.store.setState({
        frames: new Map([['front', frame({ clipS: 15, sceneMs: startMs + 15_000 })]]),
      }),
    );
    await menu(/^More for bookmark/, 'Move to now');
    expect(core.marks()[0]).toMatchObject({ fromMs: startMs + 15_000, from: { clipS: 15 } });
    await click(button('Undo: time of bookmark'));
    expect(core.marks()[0]).toMatchObject({ fromMs: startMs + 10_000, from: { clipS: 10 } });
    await click(rows()[0]!);
    // Half a millisecond into the frame: rounding must not land on the one before.
    expect(clock.seeks.at(-1)).toBe(startMs + 10_000.5);
    await click(button('Bookmark'));
    const [first, second] = rows();
    await press(first!, 'Delete');
    expect(document.activeElement).toBe(second);
    await press(second!, 'Delete');
    expect(core.marks()).toEqual([]);
    await click(button('Undo: removing bookmark'));
    await click(button('Undo: removing bookmark'));
    expect(core.marks()).toHaveLength(2);
  });

  it('are filtered by all of the tags chosen', async () => {
    const { host, review } = await open();
    for (const tags of [['brake', 'wet'], ['brake'], []]) {
      await host.client.invoke('marks.add', {
        caseId: null,
        kind: 'bookmark',
        fromMs: startMs,
        toMs: null,
        uncertaintyMs: null,
        from: { clipId: frontId, clipS: 0 },
        to: null,
        title: tags.join('+'),
        note: '',
        tags,
      });
    }
    await settle();
    expect(rows()).toHaveLength(3);
    expect(review.marks.getState().marks).toHaveLength(3);
    await click(field('Show only marks with these tags'));
    const option = (name: string) =>
      [...document.querySelectorAll<HTMLElement>('[role="option"]')].find((one) => one.textContent === name)!;
    await click(option('brake'));
    expect(rows()).toHaveLength(2);
    await click(option('wet'));
    expect(rows()).toHaveLength(1);
  });
});

describe('in, out and ranges', () => {
  const span = { inMs: startMs + 2_400, outMs: startMs + 5_100 };

  it('are typed to the millisecond, and said to be backward', async () => {
    const { review } = await open();
    const inPoint = field('In point (UTC)');
    await type(inPoint, '16:32:02.400');
    await press(inPoint, 'Enter');
    expect(review.store.getState().inMs).toBe(span.inMs);
    await type(field('Out point (UTC)'), '16:32:01');
    await press(field('Out point (UTC)'), 'Enter');
    expect(pageText()).toContain('Out is before in');
    expect(button('Keep range')).toHaveProperty('disabled', true);
    await type(field('Out point (UTC)'), 'soon');
    await press(field('Out point (UTC)'), 'Enter');
    expect(pageText()).toContain('Write it as 17:32:09.733');
    expect(review.store.getState().outMs).toBe(startMs + 1_000);
    await press(field('Out point (UTC)'), 'Escape');
    expect(field('Out point (UTC)').value).toBe('16:32:01.000');
  });

  it('are kept as a range with an anchor at each end, looped and taken up again', async () => {
    const { core, review, clock } = await open({ state: span });
    expect(pageText()).toContain('0:02.700 long');
    await click(button('Loop between in and out'));
    expect(clock.state.getState().loop).toEqual({ fromMs: span.inMs, toMs: span.outMs });
    await click(button('Stop looping'));
    await click(button('Keep range'));
    expect(core.marks()[0]).toMatchObject({
      kind: 'range',
      fromMs: span.inMs,
      toMs: span.outMs,
      from: { clipId: frontId, clipS: 2.4 },
      to: { clipId: frontId, clipS: 5.1 },
    });
    await click(button('Clear in'));
    await menu(/^More for range/, 'Take as in and out');
    expect(review.store.getState()).toMatchObject(span);
    await menu(/^More for range/, 'Loop this range');
    expect(clock.state.getState().loop).toEqual({ fromMs: span.inMs, toMs: span.outMs });
    expect(clock.nowMs()).toBe(span.inMs);
  });

  it('say what is missing when a range is kept without an out point', async () => {
    const { review, core } = await open({ state: { inMs: startMs } });
    await happen(() => review.marks.keepRange());
    expect(pageText()).toContain('A range needs both an in and an out point');
    expect(core.marks()).toEqual([]);
  });
});

describe('stills', () => {
  const stamped: string[][] = [];
  const deps = {
    drawStamp: async (png: Blob, pieces: readonly string[]) => {
      stamped.push([...pieces]);
      return png;
    },
  };

  it('keep the frame as decoded and, if asked, a stamped copy beside it; undone together', async () => {
    const { review, core, host } = await open({ deps, state: { caseId: 'case_1' as CaseId } });
    review.pictures = picturesOf(frame());
    await menu(/^Still…$/, 'Van 07 · front, and a copy stamped with its time');
    const asked = host.asked.filter(({ name }) => name === 'derived.still').map(({ input }) => input);
    expect(asked).toEqual([
      { clipId: frontId, frameS: 10, uploadId: 'upload_1', caseId: 'case_1', stamp: null },
      expect.objectContaining({ uploadId: 'upload_2', caseId: 'case_1', stamp: stamped[0]?.join(' · ') }),
    ]);
    expect(stamped[0]).toContain('14 Mar 2026 16:32:10.000 UTC ± 1.5 s');
    expect(rows()).toHaveLength(2);
    expect(pageText()).toContain('frame 300 · 320 × 180');
    await click(button('Undo: still with its stamped copy'));
    expect(core.derived()).toEqual([]);
    await click(button('Redo: still with its stamped copy'));
    expect(core.derived()).toHaveLength(2);
  });

  it('kept twice are one file, which only the first step takes away', async () => {
    const kept = new Map<string, Derived>();
    const { review, core } = await open({
      deps,
      handlers: {
        'derived.still': ({ stamp }) => {
          const kind = stamp === null ? 'still' : 'stamped-still';
          const one = kept.get(kind) ?? core.keep({ kind }, { stamp });
          kept.set(kind, one);
          return one;
        },
      },
    });
    review.pictures = picturesOf(frame());
    await happen(() => review.marks.still('front', { withStamp: false }));
    await happen(() => review.marks.still('front', { withStamp: true }));
    await happen(() => review.marks.still('front', { withStamp: true }));
    expect(pageText()).toContain('Kept before');
    await click(button('Undo: stamped still'));
    expect(core.derived().map(({ kind }) => kind)).toEqual(['still']);
    await click(button('Undo: still'));
    expect(core.derived()).toEqual([]);
  });

  it('stay when only the stamped copy fails, and that is said', async () => {
    const { review, core } = await open({
      deps: {
        drawStamp: async () => {
          throw new AppError('internal', 'No canvas.');
        },
      },
    });
    review.pictures = picturesOf(frame());
    await happen(() => review.marks.still('front', { withStamp: true }));
    expect(pageText()).toContain('The still was kept, but not its stamped copy');
    expect(core.derived().map(({ kind }) => kind)).toEqual(['still']);
    expect(review.undo.state.getState().undo).toBe('still');
  });

  it('need a picture', async () => {
    const { review, core } = await open();
    review.pictures = { capture: async () => null };
    await happen(() => review.marks.still('front', { withStamp: false }));
    expect(pageText()).toContain('This camera shows no picture at this moment.');
    expect(core.derived()).toEqual([]);
  });

  it('show where they come from and how they were made', async () => {
    const { core } = await open();
    await happen(() => core.keep({ kind: 'still' }, {}));
    await menu(/^More for still/, 'How it was made');
    expect(pageText()).toContain('300 (the first is 0)');
    expect(pageText()).toContain('20 GPS times in the clip.');
    expect(pageText()).toContain('14 Mar 2026 16:32:10.000 UTC');
  });
});

describe('trims', () => {
  const twoClips = scene({
    toMs: startMs + 40_000,
    channels: [
      channel({
        segments: [
          segment(),
          segment({
            clipId: secondId,
            fileName: 'second.mp4',
            startMs: startMs + 20_000,
            endMs: startMs + 40_000,
          }),
        ],
      }),
    ],
    clocks: [],
  });

  it('show asked and actual times first, cut each clip by itself, and are undone when they are there', async () => {
    const { host, core, review } = await open({
      state: { scene: twoClips, inMs: startMs + 17_400, outMs: startMs + 23_000 },
    });
    await menu(/^Trim…$/, 'Van 07 · front');
    const dialog = document.querySelector('[role="dialog"]')!;
    expect(dialog.textContent).toContain('The range runs over 2 clips');
    expect(dialog.textContent).toContain('17.400 to 20.000 s of the clip');
    expect(dialog.textContent).toContain('17.000 to 20.000 s of the clip');
    expect(dialog.textContent).toContain('begins 0.400 s earlier, ends as asked');
    expect(host.asked.some(({ name }) => name === 'derived.trim')).toBe(false);
    await click(button('Cut 2 trims'));
    const cut = host.asked.filter(({ name }) => name === 'derived.trim').map(({ input }) => input);
    expect(cut).toEqual([
      { clipId: frontId, fromS: 17.4, toS: 20, caseId: null },
      { clipId: secondId, fromS: 0, toS: 3, caseId: null },
    ]);
    expect(review.undo.state.getState().undo).toBeNull();
    const { derivedId } = core.keep({ kind: 'trim' }, { actualS: { from: 17, to: 20 } });
    const done = { status: 'done', result: { kind: 'trim', derivedId } } as const;
    await happen(() =>
      host.emit('jobs.changed', job({ jobId: 'job_1' as JobId, kind: 'trim', state: done })),
    );
    expect(rows()).toHaveLength(1);
    await click(button('Undo: trim of 20260314_173200_EF.mp4'));
    expect(core.derived()).toEqual([]);
  });

  it('leave clips outside of the range alone, and say when nothing lies in it', async () => {
    const { review, host } = await open({
      state: { scene: twoClips, inMs: startMs + 25_000, outMs: startMs + 26_000 },
    });
    await happen(() => review.marks.trim('front'));
    expect(document.querySelector('[role="dialog"]')?.textContent).not.toContain('20260314_173200_EF.mp4');
    await click(button('Cut the trim'));
    expect(host.asked.filter(({ name }) => name === 'derived.trim').map(({ input }) => input)).toEqual([
      { clipId: secondId, fromS: 5, toS: 6, caseId: null },
    ]);
    await happen(() => review.store.setState({ inMs: startMs + 50_000, outMs: startMs + 60_000 }));
    await happen(() => review.marks.trim('front'));
    expect(pageText()).toContain('Van 07 · front has no pictures between in and out.');
  });

  it('say which clip can’t be cut, and cut none unasked', async () => {
    const { host } = await open({
      state: { inMs: startMs + 1_000, outMs: startMs + 2_000 },
      handlers: { 'derived.trimPreview': () => null },
    });
    await menu(/^Trim…$/, 'Van 07 · front');
    expect(pageText()).toContain('Can’t be cut: the clip has no readable index');
    expect(button('Cut the trim')).toHaveProperty('disabled', true);
    await click(button('Cancel'));
    expect(host.asked.some(({ name }) => name === 'derived.trim')).toBe(false);
  });

  it('hear of a job that ended before its number was told', async () => {
    let opened: Awaited<ReturnType<typeof open>> | null = null;
    opened = await open({
      state: { inMs: startMs + 1_000, outMs: startMs + 2_000 },
      handlers: {
        'derived.trim': () => {
          const jobId = 'job_9' as JobId;
          const { derivedId } = opened!.core.keep({ kind: 'trim' }, {});
          const state = { status: 'done', result: { kind: 'trim', derivedId } } as const;
          opened!.host.emit('jobs.changed', job({ jobId, kind: 'trim', state }));
          return { jobId };
        },
      },
    });
    await menu(/^Trim…$/, 'Van 07 · front');
    await click(button('Cut the trim'));
    expect(opened.review.undo.state.getState().undo).toBe('trim of 20260314_173200_EF.mp4');
  });
});

describe('the list', () => {
  it('stands in order of time, says which case is another, and leaves other clips’ files out', async () => {
    const { core, host, review } = await open({
      state: { caseId: 'case_1' as CaseId },
      handlers: { 'cases.list': () => [{ caseId: 'case_1', name: 'Keizersgracht' }] as never },
    });
    expect(pageText()).toContain('New marks: in case “Keizersgracht”');
    await click(button('Bookmark'));
    await happen(() => {
      core.keep({ kind: 'still', caseId: null }, { actualS: { from: 4, to: 4.033 } });
      core.keep({ kind: 'still', clipId: 'clip_else' as ClipId } as Partial<Derived> & { kind: 'still' }, {});
    });
    expect(rows().map((row) => row.querySelector('time')?.textContent)).toEqual([
      '16:32:04.000 UTC',
      '16:32:10.000 UTC',
    ]);
    expect(pageText()).toContain('in no case');
    const chart = marksForChart(review.marks.getState(), review.store.getState().scene);
    expect(chart.map(({ kind, fromMs }) => [kind, fromMs])).toEqual([
      ['still', startMs + 4_000],
      ['bookmark', startMs + 10_000],
    ]);
    expect(marksForChart(review.marks.getState(), review.store.getState().scene)).toBe(chart);
    // The clip's clock is set anew: what is anchored moves with it.
    await happen(() =>
      review.store.setState({
        scene: scene({
          channels: [channel({ segments: [segment({ startMs: startMs + 500, endMs: startMs + 20_500 })] })],
        }),
      }),
    );
    expect(rows()[1]?.querySelector('time')?.textContent).toBe('16:32:10.500 UTC');
    expect(host.asked.filter(({ name }) => name === 'derived.list').length).toBeGreaterThan(1);
  });

  it('puts what was made before into the case that is chosen later, and takes it out again', async () => {
    const exhibits = new Map<string, Exhibit>();
    const listed = () => caseFile({ exhibitList: [...exhibits.values()] });
    const { core, review, host } = await open({
      handlers: {
        'cases.add': ({ refs }) => {
          const [ref] = refs;
          if (ref?.kind === 'derived') {
            const exhibitId = `exhibit_${exhibits.size + 1}` as ExhibitId;
            exhibits.set(exhibitId, exhibit({ ref, exhibitId }));
          }
          host.emit('cases.changed', { caseId: null });
          return listed();
        },
        'cases.removeExhibit': ({ exhibitId }) => {
          exhibits.delete(exhibitId);
          host.emit('cases.changed', { caseId: null });
          return listed();
        },
        'derived.list': ({ caseId }) =>
          core
            .derived()
            .filter(
              ({ derivedId }) =>
                caseId === undefined ||
                [...exhibits.values()].some(
                  ({ ref }) => ref.kind === 'derived' && ref.derivedId === derivedId,
                ),
            ),
      },
    });
    await click(button('Bookmark'));
    await happen(() => core.keep({ kind: 'still' }, {}));
    await happen(() => review.store.setState({ caseId: 'case_1' as CaseId }));
    await menu(/^More for still/, 'Put into the chosen case');
    expect(exhibits.size).toBe(1);
    await menu(/^More for bookmark/, 'Put into the chosen case');
    expect(core.marks()[0]?.caseId).toBe('case_1');
    expect(pageText()).not.toContain('in no case');
    await click(button('Undo: case of bookmark'));
    await click(button('Undo: case of a still'));
    expect(exhibits.size).toBe(0);
    expect(core.marks()[0]?.caseId).toBeNull();
  });

  it('says when it could not be read', async () => {
    await open({
      handlers: {
        'derived.list': () => {
          throw new AppError('connection_lost', 'This window has lost its connection.');
        },
      },
    });
    expect(pageText()).toContain('This window has lost its connection.');
    expect(pageText()).toContain('The list may be incomplete');
  });
});
