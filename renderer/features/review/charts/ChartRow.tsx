import { Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { attachPlot } from './chartPlot.ts';
import { sampleAt, type ChartSeries, type ChartSpec } from './chartSpecs.ts';
import type { ChartStage } from './stage.ts';
import classes from './charts.module.css';

/** One chart with its name, its lines' names and their values at the clock's cursor; folded, only the values stay. */
export function ChartRow({
  stage,
  spec,
  isOpen,
  onToggle,
  levels,
  marks,
  note,
}: {
  stage: ChartStage | null;
  spec: ChartSpec;
  isOpen: boolean;
  onToggle: () => void;
  levels: readonly number[];
  marks: readonly { readonly ms: number; readonly color: string }[];
  /** What must be known to read it right, after its lines' names. */
  note: ReactNode;
}) {
  const row = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const isEmpty = spec.series.length === 0;
  const isDrawn = isOpen && !isEmpty;
  const [plot, setPlot] = useState<ReturnType<typeof attachPlot> | null>(null);
  const visible = useMemo(() => spec.series.filter(({ key }) => !hidden.has(key)), [spec.series, hidden]);

  useEffect(() => {
    if (!stage || !isDrawn || !canvas.current) return;
    const made = attachPlot(canvas.current);
    setPlot(made);
    const end = stage.onPaint((frame) => made.paint(frame));
    return () => {
      end();
      setPlot(null);
      made.remove();
    };
  }, [stage, isDrawn]);
  useEffect(() => {
    if (!plot) return;
    plot.show({ series: visible, scale: spec.scale, tickText: spec.tickText, levels, marks });
    stage?.repaint();
  }, [plot, stage, visible, spec, levels, marks]);
  useEffect(() => {
    if (!stage || !row.current) return;
    return stage.addRow({
      element: row.current,
      readAt: (ms) =>
        visible.flatMap((one) => {
          const value = sampleAt(one, ms);
          return value === null ? [] : [`${one.label}  ${one.valueText(value)}`];
        }),
    });
  }, [stage, visible]);

  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div ref={row} className={classes.row} data-open={isDrawn} data-chart={spec.key}>
      <button
        type="button"
        className={classes.rowName}
        aria-expanded={isOpen}
        aria-label={`${spec.name} chart`}
        onClick={onToggle}
      >
        <Chevron size={12} aria-hidden />
        {spec.name}
        <span className={classes.unit}>{spec.unit}</span>
      </button>
      <div className={classes.legend}>
        {isEmpty ? (
          <span className={classes.dim}>{spec.absent}</span>
        ) : (
          // The first series is drawn first, below the others; the most important is named first.
          [...spec.series].reverse().map((one) => (
            <LegendItem
              key={one.key}
              stage={stage}
              series={one}
              isHidden={hidden.has(one.key)}
              onToggle={() => {
                const next = new Set(hidden);
                if (!next.delete(one.key)) next.add(one.key);
                setHidden(next);
              }}
            />
          ))
        )}
        {!isEmpty && note}
      </div>
      {isDrawn && <div ref={canvas} className={classes.plot} aria-hidden />}
    </div>
  );
}

function LegendItem({
  stage,
  series,
  isHidden,
  onToggle,
}: {
  stage: ChartStage | null;
  series: ChartSeries;
  isHidden: boolean;
  onToggle: () => void;
}) {
  const value = useRef<HTMLSpanElement>(null);
  useEffect(
    () =>
      stage?.onCursor((ms) => {
        const at = sampleAt(series, ms);
        const text = at === null ? '–' : series.valueText(at);
        if (value.current && value.current.textContent !== text) value.current.textContent = text;
      }),
    [stage, series],
  );
  return (
    <Tooltip label={`${series.how} Click to ${isHidden ? 'show' : 'hide'}.`} multiline maw={320}>
      <button type="button" className={classes.legendItem} aria-pressed={!isHidden} onClick={onToggle}>
        <svg width="18" height="8" aria-hidden>
          {series.style === 'dots' ? (
            [3, 9, 15].map((x) => <circle key={x} cx={x} cy="4" r="1.6" fill={series.color} />)
          ) : (
            <line
              x1="0"
              x2="18"
              y1="4"
              y2="4"
              stroke={series.color}
              strokeWidth={series.widthPx + 0.5}
              strokeDasharray={series.style === 'dash' ? '5 3' : undefined}
            />
          )}
        </svg>
        {series.label}
        <span ref={value} className={classes.value} />
      </button>
    </Tooltip>
  );
}
