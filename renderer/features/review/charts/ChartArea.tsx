import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Failure, Loading, useZone } from '../../../ui/index.ts';
import { momentZone } from '../marks/momentText.ts';
import type { Review } from '../model.ts';
import { ChartHead } from './ChartHead.tsx';
import { ChartRow } from './ChartRow.tsx';
import { chartSpecs, type ChartKey } from './chartSpecs.ts';
import { coverageLanes, eventStarts } from './coverage.ts';
import { GLookMenu } from './GLookMenu.tsx';
import type { GLook } from './gShown.ts';
import { harshStoreOf } from './harshStore.ts';
import { chartInks } from './inks.ts';
import { LaneRows } from './LaneRows.tsx';
import { MarkerRow } from './MarkerRow.tsx';
import { markersOf } from './markers.ts';
import { useOwnTrack } from './ownTrack.ts';
import { attachStage, type ChartStage } from './stage.ts';
import { gutterPx, rightPx } from './stageParts.ts';
import { TimeAxis } from './TimeAxis.tsx';
import classes from './charts.module.css';

/** Taller windows have room for more than speed and G. */
const tallPx = 1000;

/**
 * Coverage, speed, heading, G and altitude of the scene's own camera over one time axis. The clock's cursor goes
 * through all of them; a click or drag seeks, wheel and axis zoom.
 */
export function ChartArea({ review }: { review: Review }) {
  const root = useRef<HTMLDivElement>(null);
  const overlay = useRef<HTMLDivElement>(null);
  const cursor = useRef<HTMLDivElement>(null);
  const hover = useRef<HTMLDivElement>(null);
  const hoverText = useRef<HTMLDivElement>(null);
  const selection = useRef<HTMLDivElement>(null);
  const range = useRef<HTMLDivElement>(null);
  const [stage, setStage] = useState<ChartStage | null>(null);
  const scheme = useComputedColorScheme('dark');
  const { localZone } = useZone();
  const scene = useStore(review.store, (state) => state.scene);
  const chosenZone = useStore(review.store, (state) => state.zone);
  const zone = useMemo(() => momentZone(scene, chosenZone, localZone), [scene, chosenZone, localZone]);
  const [gLook, setGLook] = useState<GLook>({ isGravityRemoved: false, smoothingMs: 0 });
  const [open, setOpen] = useState<ReadonlySet<ChartKey>>(
    () =>
      new Set<ChartKey>(
        window.innerHeight >= tallPx ? ['speed', 'heading', 'g', 'altitude'] : ['speed', 'g'],
      ),
  );

  // Not the whole state: it changes with each of a day's 1,440 clips.
  const read = useStore(review.telemetry, (state) => state.telemetry);
  const total = useStore(review.telemetry, (state) => state.total);
  const telemetry = read.status === 'ready' ? read.value : null;
  const ownTrack = useOwnTrack(review);
  const harsh = harshStoreOf(review);
  const { moments, thresholdG, measure } = useStore(harsh);
  const marks = useStore(review.marks, (state) => state.marks);
  const specs = useMemo(
    () => (telemetry ? chartSpecs(telemetry, ownTrack, scheme, gLook) : []),
    [telemetry, ownTrack, scheme, gLook],
  );
  const lanes = useMemo(() => coverageLanes(scene, telemetry, ownTrack), [scene, telemetry, ownTrack]);
  const markers = useMemo(
    () => markersOf(scene, marks, moments, eventStarts(scene)),
    [scene, marks, moments],
  );
  const plotMarks = useMemo(() => {
    const ink = chartInks[scheme];
    const colors = { bookmark: ink.mark, range: ink.mark, event: ink.bad, harsh: ink.warn } as const;
    // Harsh moments have their own row and the threshold: a day of lines would be a wall.
    const few = markers.filter(({ kind }) => kind !== 'harsh');
    return few.map(({ ms, kind }) => ({ ms, color: colors[kind] }));
  }, [markers, scheme]);
  const levels = useMemo(
    // Only where what is drawn is what is compared.
    () => (gLook.isGravityRemoved && measure === 'magnitude' ? [thresholdG] : []),
    [gLook, measure, thresholdG],
  );

  const firstLook = useRef({ zone, scheme });
  useEffect(() => {
    if (!root.current || !overlay.current || !cursor.current || !hover.current) return;
    if (!hoverText.current || !selection.current || !range.current) return;
    const made = attachStage(
      {
        root: root.current,
        overlay: overlay.current,
        cursor: cursor.current,
        hover: hover.current,
        hoverText: hoverText.current,
        selection: selection.current,
        range: range.current,
      },
      review,
      firstLook.current,
    );
    setStage(made);
    return () => {
      setStage(null);
      made.remove();
    };
  }, [review]);
  useEffect(() => stage?.setLook({ zone, scheme }), [stage, zone, scheme]);

  const toggle = (key: ChartKey) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };

  return (
    <section className={classes.area} aria-label="Charts and coverage">
      <ChartHead stage={stage} review={review} zone={zone} ownTrack={ownTrack} />
      <div ref={root} className={classes.stage} data-testid="review-charts">
        <div className={classes.rows}>
          <MarkerRow stage={stage} markers={markers} />
          <LaneRows stage={stage} lanes={lanes} />
          {specs.map((spec) => (
            <ChartRow
              key={spec.key}
              stage={stage}
              spec={spec}
              isOpen={open.has(spec.key)}
              onToggle={() => toggle(spec.key)}
              levels={spec.key === 'g' ? levels : noLevels}
              marks={plotMarks}
              note={spec.note === null ? null : <GLookMenu look={gLook} onLook={setGLook} note={spec.note} />}
            />
          ))}
          {read.status === 'loading' && (
            <div className={classes.state}>
              <Loading label={`Reading speed, positions and G samples of ${total} clips`} />
            </div>
          )}
          {read.status === 'failed' && (
            <div className={classes.state} data-no-seek>
              <Failure
                error={read.error}
                meaning="Speed, positions and G samples are not shown; videos and marks work without them."
                onRetry={() => void review.reload()}
                isInline
              />
            </div>
          )}
        </div>
        <TimeAxis stage={stage} review={review} zone={zone} />
        <div ref={overlay} className={classes.overlay} style={{ left: gutterPx, right: rightPx }} aria-hidden>
          <div ref={range} className={classes.range} data-testid="review-chart-range" />
          <div ref={selection} className={classes.selection} />
          <div ref={hover} className={classes.hover}>
            <div ref={hoverText} className={classes.hoverText} />
          </div>
          <div ref={cursor} className={classes.cursor} data-testid="review-chart-cursor" />
        </div>
      </div>
    </section>
  );
}

const noLevels: readonly number[] = [];
