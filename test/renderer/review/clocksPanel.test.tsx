// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest';
import { ClockPanel } from '../../../renderer/features/review/clocks/ClockPanel.tsx';
import { UndoButtons } from '../../../renderer/features/review/undo/UndoButtons.tsx';
import type { ClipTelemetry } from '../../../shared/contract/clips.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import type { ReviewScene, ReviewTrack, SourceClock } from '../../../shared/contract/review.ts';
import type { ClipId } from '../../../shared/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { button, click, field, happen, pageText, press, render, type, unmountAll } from '../render.tsx';
import { aReview, channel, frame, frontId, scene, segment, sourceClock, startMs, tripId } from './aReview.ts';

afterEach(unmountAll);

/** The G sensor hits at 10.2 s, the pictures (as the tests say) at 10 s. */
const telemetry: ClipTelemetry = {
  gps: null,
  gSensor: {
    clipMs: Float64Array.from({ length: 200 }, (_, i) => i * 100),
    axisNames: ['x', 'y', 'z'],
    axesG: [
      Float64Array.from({ length: 200 }, (_, i) => (i === 102 ? 4 : 0)),
      new Float64Array(200),
      new Float64Array(200).fill(1),
    ],
  },
};
const telemetryClock = sourceClock({
  subject: { kind: 'telemetry', clipId: frontId },
  label: 'Van 07, front: telemetry',
});
const unknownScene = scene({
  timebase: 'elapsed',
  fromMs: 0,
  toMs: 20_000,
  focusMs: 0,
  channels: [channel({ segments: [segment({ startMs: 0, endMs: 20_000 })] })],
  clocks: [
    sourceClock({
      startUtcMs: null,
      origin: 'unknown',
      how: 'Nothing tells.',
      uncertaintyMs: null,
      spreadMs: null,
    }),
  ],
});

/** The panel over clocks that the handlers set as the core does. */
async function open(options: { first?: ReviewScene; handlers?: Partial<Handlers>; atMs?: number } = {}) {
  let now = options.first ?? scene({ clocks: [sourceClock(), telemetryClock] });
  const custody: { what: string; reason: string }[] = [];
  const change = (subject: SourceClock['subject'], patch: Partial<SourceClock>): SourceClock => {
    const clocks = now.clocks.map((one) =>
      JSON.stringify(one.subject) === JSON.stringify(subject) ? { ...one, ...patch } : one,
    );
    now = { ...now, clocks };
    return clocks[0]!;
  };
  const manual = (shiftMs: number | null, reason: string): SourceClock['manual'] => ({
    shiftMs,
    reason,
    actor: 'A. Jansen',
    setAtMs: startMs + custody.length,
  });
  const opened = aReview({
    state: {
      scene: now,
      frames: new Map([['front', frame(now.timebase === 'elapsed' ? { sceneMs: 10_000 } : {})]]),
    },
    ...(options.atMs === undefined ? {} : { atMs: options.atMs }),
    handlers: {
      'clips.telemetry': () => telemetry,
      'review.shiftClock': ({ subject, shiftMs, reason }) => {
        custody.push({ what: `shift ${shiftMs}`, reason });
        return change(subject, { manual: manual(shiftMs, reason), startUtcMs: startMs + shiftMs });
      },
      'review.setClipStart': ({ clipId, startUtcMs, reason }) => {
        custody.push({ what: `start ${startUtcMs - startMs}`, reason });
        return change(
          { kind: 'clip', clipId },
          { manual: manual(null, reason), startUtcMs, origin: 'manual' },
        );
      },
      'review.resetClock': ({ subject, reason }) => {
        custody.push({ what: 'reset', reason });
        return change(subject, { manual: null, startUtcMs: options.first ? null : startMs });
      },
      ...options.handlers,
    },
    onReload: (review) => review.store.setState({ scene: now }),
  });
  await render(
    <>
      <UndoButtons review={opened.review} />
      <ClockPanel review={opened.review} />
    </>,
    { host: opened.host },
  );
  return { ...opened, custody };
}
const radio = async (name: string) => {
  const found = [...document.querySelectorAll<HTMLLabelElement>('label')].find(
    ({ textContent }) => textContent === name,
  );
  if (!found?.control) throw new Error(`No choice “${name}”`);
  await click(found.control);
};
const front = 'Van 07, front, 20260314_173200_EF.mp4';

describe('the clock panel', () => {
  it('says of each source when it begins, from what that is known, and how sure it is', async () => {
    await open();
    expect(pageText()).toContain('begins 16:32:00.000 UTC');
    expect(pageText()).toContain('± 1.5 s');
    expect(pageText()).toContain('its own GPS');
    await click(button(front));
    expect(pageText()).toContain('20 GPS times in the clip.');
    expect(pageText()).toContain('320 ms');
    expect(pageText()).toContain('UTC+1');
    expect(button(front).getAttribute('aria-expanded')).toBe('true');
  });

  it('moves by a number, after before and after were shown, and never without a reason', async () => {
    const { custody, reloads } = await open();
    await click(button(`Adjust… ${front}`));
    await radio('By number');
    expect(button('Check and set…')).toHaveProperty('disabled', true);
    await type(field('Move by'), '-250');
    expect(pageText()).toContain('−0.250 s: earlier');
    await click(button('Check and set…'));
    const dialog = document.querySelector('[role="dialog"]')!;
    expect(dialog.textContent).toContain('begins 14 Mar 2026 16:32:00.000 UTC');
    expect(dialog.textContent).toContain('begins 14 Mar 2026 16:31:59.750 UTC');
    expect(dialog.textContent).toContain('The original file is not changed.');
    expect(button('Set the clock')).toHaveProperty('disabled', true);
    await type(field('Reason'), '   ');
    expect(button('Set the clock')).toHaveProperty('disabled', true);
    await click(button('A clock of known accuracy is seen in the picture.'));
    await click(button('Set the clock'));
    expect(custody).toEqual([
      { what: 'shift -250', reason: 'A clock of known accuracy is seen in the picture.' },
    ]);
    expect(reloads()).toBe(1);
    expect(pageText()).toContain('begins 16:31:59.750 UTC');
    expect(pageText()).toContain('−0.250 s by A. Jansen');
    expect(pageText()).toContain('moved by hand');
  });

  it('undoes and redoes a change, each as an entry with its reason', async () => {
    const { custody } = await open();
    await click(button(`Adjust… ${front}`));
    await radio('By number');
    await type(field('Move by'), '3');
    await click(field('Unit'));
    await click(
      [...document.querySelectorAll<HTMLElement>('[role="option"]')].find(
        (one) => one.textContent === 'frames',
      )!,
    );
    await click(button('Check and set…'));
    await type(field('Reason'), 'Seen beside the other lens.');
    await click(button('Set the clock'));
    expect(custody[0]?.what).toBe('shift 100');
    await click(button(`Undo: clock of ${front}`));
    expect(custody[1]).toEqual({ what: 'reset', reason: 'Undone: Seen beside the other lens.' });
    expect(pageText()).toContain('begins 16:32:00.000 UTC');
    await click(button(`Redo: clock of ${front}`));
    expect(custody[2]).toEqual({ what: 'shift 100', reason: 'Done again: Seen beside the other lens.' });
    await click(button(`Back to what was found: ${front}`));
    await click(button('It was set by mistake.'));
    await click(button('Take back'));
    expect(custody[3]).toEqual({ what: 'reset', reason: 'It was set by mistake.' });
    await click(button(`Undo: clock of ${front}`));
    expect(custody[4]).toEqual({ what: 'shift 100', reason: 'Undone: It was set by mistake.' });
  });

  it('matches the G peak to the frame shown', async () => {
    const { custody } = await open();
    await click(button('Adjust… Van 07, front: telemetry'));
    expect(pageText()).toContain('Van 07 · front, frame 300, 10.000 s');
    await click(button('G peak, 4.0 g'));
    expect(pageText()).toContain('The source moves by −0.200 s.');
    await click(button('Check and set…'));
    expect(field('Reason').value).toBe(
      'Van 07 · front, frame 300, 10.000 s shows the G peak of 4.0 g without gravity.',
    );
    await click(button('Set the clock'));
    expect(custody[0]?.what).toBe('shift -200');
  });

  it('matches the sample at the cursor to a frame that is gone to afterwards', async () => {
    const { clock, review } = await open({ atMs: startMs + 5_040 });
    await click(button('Adjust… Van 07, front: telemetry'));
    await click(button('Sample at the cursor'));
    expect(field('Moment of the source (UTC)').value).toBe('16:32:05.000');
    await happen(() => {
      clock.seek(startMs + 6_000);
      review.store.setState({
        frames: new Map([['front', frame({ clipS: 6, sceneMs: startMs + 6_000, frameIndex: 180 })]]),
      });
    });
    expect(pageText()).toContain('The source moves by +1 s.');
  });

  it('is dragged against the pictures, by keys too', async () => {
    const { custody, clock } = await open();
    await click(button('Adjust… Van 07, front: telemetry'));
    await radio('Drag');
    const slider = document.querySelector('[role="slider"]')!;
    const line = slider.querySelectorAll('path')[1]!;
    const before = line.getAttribute('d');
    expect(before).toContain('L');
    await happen(() => clock.seek(startMs + 9_900));
    expect(line.getAttribute('d')).not.toBe(before);
    for (const [key, shiftKey] of [
      ['ArrowLeft', true],
      ['ArrowLeft', true],
      ['ArrowRight', false],
    ] as const) {
      await press(slider, key, { shiftKey });
    }
    expect(slider.getAttribute('aria-valuetext')).toBe('−0.190 s');
    await press(slider, 'Home');
    expect(slider.getAttribute('aria-valuetext')).toBe('0 s');
    await press(slider, 'PageUp');
    await click(button('Check and set…'));
    expect(field('Reason').value).toContain('was laid against the pictures by eye');
    await click(button('Set the clock'));
    expect(custody[0]?.what).toBe('shift 1000');
  });

  it('moves a clip the other way when the curve of a track is laid against its pictures', async () => {
    const track = { tripId, shiftMs: 0, isOwn: true, psn: 'P07', cameraName: 'Van 07', fileName: 'trip.gpx' };
    const { custody } = await open({
      first: scene({ tracks: [track as ReviewTrack] }), // the part that is looked at
      handlers: {
        'trips.points': () => ({
          count: 3,
          timesMs: Float64Array.of(startMs + 9_000, startMs + 10_000, startMs + 11_000),
          latDeg: new Float64Array(3),
          lngDeg: new Float64Array(3),
          headingDeg: new Float64Array(3),
          altitudeM: new Float64Array(3),
          speedKmh: Float64Array.of(50, 50, 0),
        }),
      },
    });
    await click(button(`Adjust… ${front}`));
    await radio('Drag');
    expect(pageText()).toContain('the clip is then moved, not that source');
    await press(document.querySelector('[role="slider"]')!, 'ArrowRight', { shiftKey: true });
    await click(button('Check and set…'));
    await click(button('Set the clock'));
    expect(custody[0]).toEqual({
      what: 'shift -100',
      reason: 'The curve (speed, recorded) was laid against the pictures by eye.',
    });
  });

  it('shows of many sources those on screen, and the others when asked', async () => {
    const many = Array.from({ length: 60 }, (_, i) =>
      segment({
        clipId: `clip_${i}` as ClipId,
        fileName: `clip${i}.mp4`,
        startMs: startMs + i * 20_000,
        endMs: startMs + (i + 1) * 20_000,
      }),
    );
    const { review } = await open({
      first: scene({
        channels: [channel({ segments: many })],
        clocks: many.map(({ clipId, fileName, startMs: startUtcMs }, i) =>
          sourceClock({
            subject: { kind: 'clip', clipId },
            label: fileName,
            startUtcMs: i === 50 ? null : startUtcMs,
          }),
        ),
      }),
    });
    const labels = () =>
      [...document.querySelectorAll('li button[aria-controls]')].map((one) => one.textContent);
    const show = (clipId: string) =>
      happen(() =>
        review.store.setState({ frames: new Map([['front', frame({ clipId: clipId as ClipId })]]) }),
      );
    await show('clip_7');
    expect(labels()).toEqual(['clip7.mp4']);
    await show('clip_8');
    expect(labels()).toEqual(['clip8.mp4']);
    // The one that calls for a time comes into sight, wherever it is.
    await click(button('Set the time by hand…'));
    expect(labels()).toEqual(['clip50.mp4', 'clip8.mp4']);
    await radio('All 60');
    expect(labels()).toHaveLength(31);
    await click(button('Show 30 more of 60'));
    expect(labels()).toHaveLength(60);
  });

  it('keeps reason and clock when the core refuses', async () => {
    await open({
      handlers: {
        'review.shiftClock': () => {
          throw new AppError('disk_full', 'The disk is full.');
        },
      },
    });
    await click(button(`Adjust… ${front}`));
    await radio('By number');
    await type(field('Move by'), '5');
    await click(button('Check and set…'));
    await type(field('Reason'), 'Because.');
    await click(button('Set the clock'));
    expect(pageText()).toContain('The disk is full.');
    expect(pageText()).toContain('The clock is as it was; the reason is still here.');
    expect(field('Reason').value).toBe('Because.');
    expect(button('Nothing to undo')).toBeTruthy();
  });
});

describe('a scene that can’t be opened anew', () => {
  it('does not pass for a clock that was not set', async () => {
    const { review, custody } = await open();
    let isDown = true;
    const reload = review.reload.bind(review);
    Object.assign(review, {
      reload: () => (isDown ? Promise.reject(new AppError('connection_lost', 'Lost.')) : reload()),
    });
    await click(button(`Adjust… ${front}`));
    await radio('By number');
    await type(field('Move by'), '5');
    await click(button('Check and set…'));
    await type(field('Reason'), 'Because.');
    await click(button('Set the clock'));
    expect(custody).toHaveLength(1);
    expect(pageText()).toContain('The clock is set, but the scene is still shown by the old one');
    isDown = false;
    await click(button('Open it anew'));
    expect(pageText()).toContain('begins 16:32:00.005 UTC');
  });
});

describe('a clip of unknown time', () => {
  const named: Partial<Handlers> = {
    'clips.get': () => ({ recordedAtLocal: '2026-03-14T17:32:00', facts: null }) as never,
  };

  it('calls for its time, takes it from the frame shown, and is taken back', async () => {
    const { custody } = await open({ first: unknownScene, handlers: named, atMs: 10_000 });
    expect(pageText()).toContain('The time of one clip is not known.');
    expect(pageText()).toContain('Time of day unknown');
    await click(button('Set the time by hand…'));
    expect(pageText()).toContain(
      'The camera’s own clock began the clip at 2026-03-14 17:32:00; it names no zone.',
    );
    const time = field('True time of this frame (UTC)');
    await type(time, '16:32:10.500');
    await press(time, 'Enter');
    await click(button('Check and set…'));
    const dialog = document.querySelector('[role="dialog"]')!;
    expect(dialog.textContent).toContain('time unknown');
    expect(dialog.textContent).toContain('begins 14 Mar 2026 16:32:00.500 UTC');
    await type(field('Reason'), 'Clock of the station, 16:32:10.5.');
    await click(button('Set the clock'));
    expect(custody).toEqual([{ what: 'start 500', reason: 'Clock of the station, 16:32:10.5.' }]);
    expect(pageText()).not.toContain('The time of one clip is not known.');
    await click(button(`Undo: clock of ${front}`));
    expect(custody[1]).toEqual({ what: 'reset', reason: 'Undone: Clock of the station, 16:32:10.5.' });
    expect(pageText()).toContain('The time of one clip is not known.');
  });

  it('may take the camera’s own clock in the zone shown, if the user says so', async () => {
    const { review } = await open({ first: unknownScene, handlers: named, atMs: 10_000 });
    await happen(() =>
      review.store.setState({ scene: { ...unknownScene, utcOffsetMin: 60 }, zone: 'vehicle' }),
    );
    await click(button('Set the time by hand…'));
    await click(button('Take it in the zone shown'));
    expect(field('True time of this frame (UTC+1)').value).toBe('2026-03-14 17:32:10.000');
    await click(button('Check and set…'));
    await happen(() => undefined);
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain(
      'begins 14 Mar 2026 17:32:00.000 UTC+1',
    );
  });

  it('asks to go to the clip where it is not on screen', async () => {
    const { review, clock } = await open({ first: unknownScene, handlers: named, atMs: 10_000 });
    await happen(() => review.store.setState({ frames: new Map() }));
    await click(button('Set the time by hand…'));
    expect(button('Check and set…')).toHaveProperty('disabled', true);
    await click(button('Go to its start'));
    expect(clock.seeks).toEqual([1]);
  });
});
