import { Tooltip } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { clockOfClip } from '../marks/anchors.ts';
import {
  formatMomentDay,
  formatMomentTime,
  formatUncertainty,
  momentZoneName,
  type MomentZone,
} from '../marks/momentText.ts';
import { useMomentZone } from '../marks/useMomentZone.ts';
import type { Review } from '../model.ts';
import { leadingChannel } from './actions.ts';
import { shownSegment } from './jumps.ts';
import { createStepMeter, stepStandsMs, stepText } from './shownStep.ts';
import classes from './transport.module.css';

const utc: MomentZone = { kind: 'zone', zone: 'UTC' };

interface Words {
  readonly day: string;
  readonly time: string;
  readonly zone: string;
  /** UTC beside another zone, how sure it is; or that no clock is known. */
  readonly beside: string;
  readonly how: string;
}

/** What is written of a scene time. Exported for tests. */
export function timeWords(review: Pick<Review, 'store'>, sceneMs: number, zone: MomentZone): Words {
  const { scene } = review.store.getState();
  const time = formatMomentTime(sceneMs, zone);
  const name = momentZoneName(sceneMs, zone);
  if (zone.kind === 'elapsed') {
    return { day: '', time, zone: name, beside: 'clock unknown', how: 'No clip’s clock is known.' };
  }
  const channelId = leadingChannel(review, sceneMs);
  const channel = scene.channels.find((one) => one.channelId === channelId);
  const segment = channel && shownSegment(scene, channel.segments, sceneMs);
  const clock = segment ? clockOfClip(scene, segment.clipId) : null;
  const sure = clock ? formatUncertainty(clock.uncertaintyMs) : '';
  const inUtc = name === 'UTC' ? '' : `${formatMomentTime(sceneMs, utc)}Z`;
  return {
    day: formatMomentDay(sceneMs, zone) ?? '',
    time,
    zone: name,
    beside: [inUtc, sure].filter((word) => word !== '').join(' '),
    how: clock ? `${clock.label}: ${clock.how}` : 'No clip of the leading view at this time.',
  };
}

/** The time of day of the moment shown, with its zone; written past React for every drawn frame. */
export function TimeReading({ review }: { review: Review }) {
  const zone = useMomentZone(review);
  const root = useRef<HTMLDivElement>(null);
  const isElapsed = zone.kind === 'elapsed';
  useEffect(() => {
    const parts = new Map(
      [...(root.current?.querySelectorAll<HTMLElement>('[data-part]') ?? [])].map((element) => [
        element.dataset.part ?? '',
        element,
      ]),
    );
    const write = (sceneMs: number) => {
      const words = timeWords(review, sceneMs, zone);
      for (const [part, element] of parts) {
        const text = words[part as keyof Words];
        if (element.textContent !== text) element.textContent = text;
      }
      if (!root.current) return;
      root.current.dataset.sceneMs = String(sceneMs);
      if (root.current.title !== words.how) root.current.title = words.how;
    };
    write(review.clock.nowMs());
    const ends = [review.clock.onTick(write), review.store.subscribe(() => write(review.clock.nowMs()))];
    return () => ends.forEach((end) => end());
  }, [review, zone]);
  return (
    <div ref={root} className={classes.time} data-testid="review-time" data-elapsed={isElapsed}>
      <span className={classes.day} data-part="day" />
      <span className={classes.clock} data-part="time" aria-label="Time shown" role="timer" />
      <span className={classes.zone} data-part="zone" />
      <span className={classes.beside} data-part="beside" />
    </div>
  );
}

/** The measured step between the pictures on screen: the largest of the last moments, so that it can be read. */
export function StepReading({ review }: { review: Review }) {
  const isStep = useStore(review.store, (state) => state.stepMs !== null);
  const isHeld = useStore(review.clock.state, (state) => state.isHeld);
  const value = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const meter = createStepMeter();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const write = () => {
      const { stepMs } = review.store.getState();
      const text = meter.take(stepMs, performance.now());
      if (value.current && text !== null) value.current.textContent = text;
      // What stands at last is what is measured at last, even when nothing changes any more.
      if (timer !== null) clearTimeout(timer);
      timer = text === stepText(stepMs) ? null : setTimeout(write, stepStandsMs + 20);
    };
    write();
    const end = review.store.subscribe(write);
    return () => {
      end();
      if (timer !== null) clearTimeout(timer);
    };
  }, [review]);
  return (
    <Tooltip label="Largest minus smallest time of the pictures on screen, as the browser reports them; two cameras take their pictures up to a frame apart">
      <div className={classes.step} data-testid="review-step" data-held={isHeld} tabIndex={0}>
        <span>step Δ</span>
        <span ref={value} className={classes.stepValue} hidden={!isStep} />
        {!isStep && <span>one view</span>}
        {isHeld && <span className={classes.held}>waiting</span>}
      </div>
    </Tooltip>
  );
}
