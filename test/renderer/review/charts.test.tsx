// @vitest-environment jsdom
import '../browserShims.ts';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChartArea } from '../../../renderer/features/review/charts/ChartArea.tsx';
import { HarshList } from '../../../renderer/features/review/charts/HarshList.tsx';
import { peakG } from '../../../renderer/features/review/charts/peakG.ts';
import { createTelemetryStore } from '../../../renderer/features/review/charts/telemetryStore.ts';
import type { Review } from '../../../renderer/features/review/model.ts';
import type { ClipTelemetry } from '../../../shared/contract/clips.ts';
import { AppError } from '../../../shared/errors.ts';
import { createFakeHost } from '../fakeHost.ts';
import { button, click, happen, pageText, press, render, settle, unmountAll } from '../render.tsx';
import { aReview, scene, segment, channel, startMs } from './aReview.ts';

/** What a canvas was told; jsdom draws nothing itself. */
const drawn: string[] = [];
function aContext(): CanvasRenderingContext2D {
  const state: Record<string, unknown> = { measureText: (text: string) => ({ width: text.length * 6 }) };
  return new Proxy(state, {
    get: (of, key: string) =>
      key in of ? of[key] : (...args: unknown[]) => void (key === 'fillText' && drawn.push(String(args[0]))),
    set: (of, key: string, value) => ((of[key] = value), true),
  }) as unknown as CanvasRenderingContext2D; // the part that is used
}
beforeEach(() => {
  drawn.length = 0;
  HTMLCanvasElement.prototype.getContext = (() =>
    aContext()) as unknown as typeof HTMLCanvasElement.prototype.getContext;
  vi.stubGlobal('Path2D', class {});
  Element.prototype.setPointerCapture = () => undefined;
});
afterEach(async () => {
  await unmountAll();
  vi.unstubAllGlobals();
});

/** Twenty seconds at 36 km/h with a stop of 0.9 g at 12 s. */
const drive = (): ClipTelemetry => ({
  gps: {
    clipMs: Float64Array.from({ length: 20 }, (_, i) => i * 1000),
    utcMs: new Float64Array(20).fill(NaN),
    cameraLocalMs: new Float64Array(20).fill(NaN),
    latDeg: Float64Array.from({ length: 20 }, (_, i) => 52.1 + i * 9e-5),
    lngDeg: new Float64Array(20).fill(4.3),
    speedKmh: new Float64Array(20).fill(36.5),
    headingDeg: new Float64Array(20).fill(45),
    altitudeM: new Float64Array(20).fill(NaN),
  },
  gSensor: {
    clipMs: Float64Array.from({ length: 200 }, (_, i) => i * 100),
    axisNames: ['vertical', 'lateral', 'longitudinal'],
    axesG: [
      new Float64Array(200).fill(1),
      new Float64Array(200),
      Float64Array.from({ length: 200 }, (_, i) => (i === 120 ? -0.9 : i === 40 ? 0.2 : 0)),
    ],
  },
});

async function open(
  answer: () => ClipTelemetry = drive,
  node = (review: Review) => <ChartArea review={review} />,
) {
  const made = aReview();
  const host = createFakeHost({ 'clips.telemetry': answer });
  const review: Review = {
    ...made.review,
    telemetry: createTelemetryStore(host, made.review.store.getState().scene),
  };
  const place = await render(node(review), { host: made.host });
  await frame();
  return { ...made, review, place };
}
/** Lets one frame be drawn. */
async function frame(): Promise<void> {
  await act(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => resolve(null)));
  });
  await settle();
}
const cursor = () => document.querySelector<HTMLElement>('[data-testid="review-chart-cursor"]')!;
const plot = () => document.querySelector<HTMLElement>('[data-testid="review-charts"]')!;
const pointer = async (type: string, x: number, patch: MouseEventInit = {}) => {
  await act(async () => {
    const event = new MouseEvent(type, {
      bubbles: true,
      clientX: x,
      clientY: 5,
      button: 0,
      cancelable: true,
      ...patch,
    });
    Object.assign(event, { pointerId: 1 });
    plot().dispatchEvent(event);
  });
  await frame();
};
/** The plot is 800 wide with 92 for names and 14 at the right. */
const xOf = (share: number) => 92 + share * (800 - 92 - 14);

describe('the charts', () => {
  it('show recorded and computed speed apart, and G with what must be known to read it', async () => {
    await open();
    expect(pageText()).toMatch(/recorded\s*36\.5 km\/h/);
    expect(pageText()).toMatch(/from positions\s*36\.\d km\/h/);
    expect(pageText()).toContain('camera frame, gravity included');
    expect(pageText()).toContain('16:32:10.000 UTC');
    expect(pageText()).not.toContain('Altitude');
    await click(button(/^How G is drawn/));
    const removed = () =>
      [...document.querySelectorAll<HTMLElement>('[role="menuitemradio"]')].find((one) =>
        one.textContent?.startsWith('Removed'),
      );
    // The menu comes in over a few frames.
    for (let i = 0; i < 100 && !removed(); i++) await frame();
    await click(removed()!);
    expect(pageText()).toContain('camera frame, gravity removed');
  });

  it('put the cursor where the clock is, at every tick, and say the values there', async () => {
    const { clock } = await open();
    expect(Number(cursor().dataset.sceneMs)).toBe(startMs + 10_000);
    await happen(() => clock.seek(startMs + 12_000));
    expect(Number(cursor().dataset.sceneMs)).toBe(startMs + 12_000);
    const x = Number(/translateX\(([\d.]+)px\)/.exec(cursor().style.transform)?.[1]);
    expect(x).toBeCloseTo(0.6 * 694 - 0.5, 1);
    expect(pageText()).toMatch(/longitudinal\s*−0\.90 g/);
  });

  it('seek where they are clicked, and while the pointer is dragged say that more follows', async () => {
    const { clock } = await open();
    const seek = vi.spyOn(clock, 'seek');
    await pointer('pointerdown', xOf(0.25));
    await pointer('pointermove', xOf(0.5));
    await pointer('pointerup', xOf(0.75));
    expect(seek.mock.calls).toEqual([
      [startMs + 5000, { isScrubbing: true }],
      [startMs + 10_000, { isScrubbing: true }],
      [startMs + 15_000, { isScrubbing: false }],
    ]);
  });

  it('zoom with keys, wheel, and by dragging with Shift, and show all with 0', async () => {
    const { review, clock } = await open();
    const view = () => {
      const { fromMs, toMs } = review.store.getState().view;
      return [fromMs - startMs, toMs - startMs];
    };
    await press(document.body, '+');
    await frame();
    expect(view()).toEqual([5000, 15_000]);
    await press(document.body, '-');
    await frame();
    expect(view()).toEqual([0, 20_000]);
    await pointer('pointerdown', xOf(0.25), { shiftKey: true });
    await pointer('pointermove', xOf(0.5));
    await pointer('pointerup', xOf(0.5));
    expect(view()).toEqual([5000, 10_000]);
    expect(clock.seeks).toEqual([]);
    await press(document.body, '0');
    await frame();
    expect(view()).toEqual([0, 20_000]);
    await act(async () => {
      plot().dispatchEvent(
        new WheelEvent('wheel', { bubbles: true, cancelable: true, clientX: xOf(0.5), deltaY: -300 }),
      );
    });
    await frame();
    expect(view()[0]).toBeGreaterThan(3000);
    await press(document.body, '+', { ctrlKey: true }); // the window's own zoom
    const before = view();
    await frame();
    expect(view()).toEqual(before);
  });

  it('are moved by keys on their axis, which says where the clock stands', async () => {
    const { review, clock } = await open();
    const axis = document.querySelector('[role="slider"][data-axis]')!;
    expect(axis.getAttribute('aria-valuetext')).toBe('14 Mar 2026 16:32:10.000 UTC');
    await press(axis, 'ArrowRight');
    expect(clock.seeks).toEqual([startMs + 10_200]);
    expect(axis.getAttribute('aria-valuenow')).toBe(String(startMs + 10_200));
    await press(axis, 'Home');
    expect(clock.seeks.at(-1)).toBe(startMs);
    await happen(() => review.store.setState({ view: { fromMs: startMs, toMs: startMs + 5000 } }));
    await press(axis, 'PageDown');
    await frame();
    expect(review.store.getState().view).toEqual({ fromMs: startMs + 4000, toMs: startMs + 9000 });
  });

  it('turn the page when playback leaves it, and leave those alone who look elsewhere', async () => {
    const { review, clock } = await open();
    const show = (fromS: number, toS: number) =>
      happen(() =>
        review.store.setState({ view: { fromMs: startMs + fromS * 1000, toMs: startMs + toS * 1000 } }),
      );
    const fromS = () => (review.store.getState().view.fromMs - startMs) / 1000;
    await show(8, 12);
    clock.play();
    await happen(() => clock.seek(startMs + 12_100));
    await frame();
    expect(fromS()).toBeGreaterThan(11);
    await show(0, 4);
    await happen(() => clock.seek(startMs + 12_200));
    await frame();
    expect(fromS()).toBe(0);
  });

  it('shade what lies between in and out, and draw one of them alone as its line', async () => {
    const { review, place } = await open();
    const range = place.querySelector<HTMLElement>('[data-testid="review-chart-range"]')!;
    expect(range.style.visibility).toBe('hidden');
    await happen(() => review.store.setState({ inMs: startMs + 5000 }));
    await frame();
    expect([range.style.visibility, range.style.width, range.dataset.out]).toEqual([
      'visible',
      '0px',
      'false',
    ]);
    await happen(() => review.store.setState({ outMs: startMs + 15_000 }));
    await frame();
    expect([range.style.transform, range.style.width]).toEqual(['translateX(173.5px)', '347px']);
  });

  it('read out where the pointer is, apart from the clock, lane by lane', async () => {
    await open();
    const lanes = document.querySelector('canvas[aria-label^="Coverage"]')!;
    expect(lanes.getAttribute('aria-label')).toBe(
      'Coverage. Front: 1 stretch present. GPS: 1 stretch present. G-sensor: 1 stretch present.',
    );
    await act(async () => {
      lanes.dispatchEvent(new MouseEvent('pointermove', { bubbles: true, clientX: xOf(0.5), clientY: 5 }));
    });
    expect(pageText()).toContain('Front: present');
    expect(pageText()).toContain('20260314_173200_EF.mp4');
    expect(Number(cursor().dataset.sceneMs)).toBe(startMs + 10_000);
  });

  it('fold and unfold by their names, and keep the values when folded', async () => {
    await open();
    expect(button('Heading chart').getAttribute('aria-expanded')).toBe('false');
    expect(pageText()).toContain('45° NE');
    await click(button('Speed chart'));
    expect(button('Speed chart').getAttribute('aria-expanded')).toBe('false');
    expect(pageText()).toMatch(/recorded\s*36\.5 km\/h/);
  });

  it('say where nothing was recorded, and what to do when nothing could be read', async () => {
    await open(() => ({ gps: null, gSensor: null }));
    expect(pageText()).toContain('No positions here');
    expect(pageText()).toContain('No G-sensor samples here');
    await unmountAll();
    await open(() => {
      throw new AppError('blob_missing', 'The original is not in the cache any more.');
    });
    expect(pageText()).toContain('The original is not in the cache any more.');
    expect(pageText()).toContain('videos and marks work without them');
  });

  it('show no time of day where no clock is known', async () => {
    const made = aReview({
      atMs: 3000,
      state: {
        scene: scene({
          timebase: 'elapsed',
          fromMs: 0,
          toMs: 20_000,
          channels: [channel({ segments: [segment({ startMs: 0, endMs: 20_000 })] })],
        }),
        view: { fromMs: 0, toMs: 20_000 },
      },
    });
    await render(<ChartArea review={made.review} />, { host: made.host });
    await frame();
    expect(pageText()).toContain('0:03.000 from the start');
    expect(drawn).toContain('0:05');
    expect(drawn.join(' ')).not.toMatch(/\d\d:\d\d:\d\d|1970|Jan/);
  });
});

describe('harsh moments', () => {
  it('are listed with value, kind, time with its zone, speed and place, and go there', async () => {
    const { clock, review } = await open(drive, (one) => <HarshList review={one} />);
    expect(pageText()).toContain('1 moment of 0.40 g or more');
    const item = button(/^0\.90 g, braking, 16:32:12\.000 UTC, 36\.5 km\/h, 52\.101080, 4\.300000/);
    await click(item);
    expect(clock.seeks).toEqual([startMs + 12_000]);
    expect(peakG(review)).toMatchObject({ timeMs: startMs + 12_000, valueG: expect.closeTo(0.9, 9) });
  });

  it('follow the threshold, and say so when none reaches it', async () => {
    await open(drive, (one) => <HarshList review={one} />);
    const slider = document.querySelector<HTMLElement>('[role="slider"]')!;
    for (let i = 0; i < 5; i++) await press(slider, 'ArrowLeft');
    expect(pageText()).toContain('2 moments of 0.15 g or more');
    await press(slider, 'End');
    expect(pageText()).toContain('Nothing reached 1.50 g');
  });

  it('say that there is nothing to find them in', async () => {
    await open(
      () => ({ gps: null, gSensor: null }),
      (one) => <HarshList review={one} />,
    );
    expect(pageText()).toContain('No G-sensor samples');
  });
});
