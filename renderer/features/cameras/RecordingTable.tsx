import { Checkbox } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconPhoto, IconPhotoOff } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useMemo, useRef, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import type { ClipQuality, RecordingRow } from '../../../shared/contract/cards.ts';
import { formatCount } from '../../ui/index.ts';
import classes from './cameras.module.css';
import type { CardStore, Look } from './cardStore.ts';
import { TrueTime } from './TrueTime.tsx';
import { livesText, partsText, streamBytes, transferText, typeName, wallClockText } from './words.ts';

const rowHeightPx = 52;

/** All recordings that the filter lets through; only those in sight exist. A grid for mouse and keyboard. */
export function RecordingTable({ store, onRecall }: { store: CardStore; onRecall: () => void }) {
  const { shown, focusId, chosen, looks } = useStore(store.store);
  const scroller = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing of the virtualizer is memoized or handed on
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 6,
    initialRect: { width: 800, height: 480 },
  });
  const items = virtual.getVirtualItems();
  const focusAt = useMemo(() => shown.findIndex((row) => row.rowId === focusId), [shown, focusId]);
  const first = virtual.range?.startIndex ?? 0;
  const last = virtual.range?.endIndex ?? 12;
  const focused = shown[focusAt];

  useEffect(() => {
    if (focusAt >= 0) virtual.scrollToIndex(focusAt, { align: 'auto' });
    // Only a move of the focus scrolls; a re-render of the virtualizer must not.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [focusId]);
  useEffect(() => {
    // What is looked at comes first, then what is in sight; a short rest keeps flying past from asking anything.
    const timer = setTimeout(() => {
      const ahead = focused ? focused.parts.map((part) => part.filename) : [];
      const inSight = shown.slice(first, last + 1).flatMap((row) => row.parts[0]?.filename ?? []);
      store.want([...new Set([...ahead, ...inSight])]);
    }, 120);
    return () => clearTimeout(timer);
  }, [store, shown, first, last, focused]);
  useEffect(() => () => store.want([]), [store]);

  const move = (step: number) => {
    const to = Math.max(0, Math.min(shown.length - 1, Math.max(0, focusAt) + step));
    store.focus(shown[to]?.rowId ?? null);
  };
  const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeightPx) - 1);
  const steps: Record<string, number> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -1e9,
    End: 1e9,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const isControl = event.ctrlKey || event.metaKey;
    if (step !== undefined) {
      const from = focusAt;
      move(step);
      if (event.shiftKey) {
        const to = Math.max(0, Math.min(shown.length - 1, Math.max(0, from) + step));
        const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
        store.choose(
          range.map((row) => row.rowId),
          true,
        );
      }
    } else if (event.key === ' ') {
      if (focused) store.choose([focused.rowId], !chosen.has(focused.rowId));
    } else if (isControl && event.key.toLowerCase() === 'a') {
      store.choose(
        shown.map((row) => row.rowId),
        true,
      );
    } else if (event.key === 'Escape') {
      store.choose([...chosen], false);
    } else if (event.key === 'Enter') {
      onRecall();
    } else return;
    event.preventDefault();
  };

  return (
    <div
      ref={scroller}
      className={classes.table}
      role="grid"
      aria-label="Recordings"
      aria-rowcount={shown.length}
      aria-multiselectable
      aria-activedescendant={focusAt >= 0 ? `recording-${focusAt}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div style={{ position: 'relative', height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const row = shown[item.index];
          return row ? (
            <div
              key={row.rowId}
              id={`recording-${item.index}`}
              role="row"
              aria-rowindex={item.index + 1}
              aria-selected={chosen.has(row.rowId)}
              data-focused={row.rowId === focusId}
              className={classes.recordingRow}
              style={{ transform: `translateY(${item.start}px)`, height: rowHeightPx }}
              onClick={() => {
                store.focus(row.rowId);
                scroller.current?.focus({ preventScroll: true });
              }}
              onDoubleClick={onRecall}
            >
              <RecordingCells
                row={row}
                look={looks.get(row.parts[0]?.filename ?? '')}
                isChosen={chosen.has(row.rowId)}
                choose={store.choose}
              />
            </div>
          ) : null;
        })}
      </div>
    </div>
  );
}

/** Drawn again only when its own row changed: scrolling draws the new rows alone. */
const RecordingCells = memo(function RecordingCells({
  row,
  look,
  isChosen,
  choose,
}: {
  row: RecordingRow;
  look: Look | undefined;
  isChosen: boolean;
  choose: CardStore['choose'];
}) {
  const clock = wallClockText(row.recordedAtLocal);
  const type = typeName(row.type, row.typeCode);
  const held = row.parts.some((part) => part.main.heldSha256 !== null || part.sub?.heldSha256);
  const isIncident = row.type !== 'normal' && row.type !== 'parking';
  return (
    <>
      <div role="gridcell" className={classes.checkCell} onClick={(event) => event.stopPropagation()}>
        <Checkbox
          aria-label={`Choose ${type} ${clock.day} ${clock.time}`}
          tabIndex={-1}
          checked={isChosen}
          onChange={(event) => choose([row.rowId], event.currentTarget.checked)}
        />
      </div>
      <div role="gridcell" className={classes.thumb}>
        <Thumb look={look} />
      </div>
      <div role="gridcell" className={classes.cell}>
        <strong>{clock.time}</strong>
        <div className={classes.muted}>{clock.day}</div>
      </div>
      <div role="gridcell" className={classes.cell}>
        <span
          className={classes.letter}
          data-incident={isIncident}
          title={`Letter ${row.typeCode ?? 'not stated'}`}
        >
          {row.typeCode ?? '?'}
        </span>{' '}
        {type}
        <div className={classes.muted}>{partsText(row)}</div>
      </div>
      <div role="gridcell" className={classes.cell}>
        {(['main', 'sub'] as const).map((quality) => (
          <div key={quality} className={quality === 'sub' ? classes.muted : undefined}>
            {quality === 'main' ? 'full ' : 'low '}
            {sizeText(row, quality)}
          </div>
        ))}
      </div>
      <div role="gridcell" className={classes.cell}>
        <TrueTime row={row} />
      </div>
      <div role="gridcell" className={classes.cell}>
        {held && (
          <span className={classes.here}>
            <IconCircleCheck size={13} aria-hidden /> here
          </span>
        )}
        {row.livesAboutMs !== null && row.livesAboutMs < 86_400_000 && !held && (
          <span
            className={classes.dying}
            title="Likely to be overwritten on the card in this time, by the age of its oldest recordings"
          >
            <IconAlertTriangle size={13} aria-hidden /> {livesText(row.livesAboutMs)}
          </span>
        )}
      </div>
    </>
  );
});

function sizeText(row: RecordingRow, quality: ClipQuality): string {
  const bytes = streamBytes(row.parts, quality);
  if (bytes !== null) return transferText(bytes);
  if (quality === 'sub' && row.parts.every((part) => part.sub === null)) return '– none';
  return 'size not stated';
}

/** A thumbnail in reserved room: on its way, there, not there, or not to be had. */
export function Thumb({ look }: { look: Look | undefined }) {
  if (look?.status === 'found' && look.imageUrl !== null) {
    return <img src={look.imageUrl} alt="" />;
  }
  if (look === undefined) return <IconPhoto size={18} stroke={1.2} aria-label="Thumbnail not fetched yet" />;
  return <IconPhotoOff size={18} stroke={1.2} aria-label="No thumbnail" />;
}

/** "1,204 of 10,000" */
export function countText(shown: number, all: number): string {
  return shown === all ? formatCount(all) : `${formatCount(shown)} of ${formatCount(all)}`;
}
