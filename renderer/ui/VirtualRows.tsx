import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type ReactNode } from 'react';

/**
 * A scrolling list that draws only the rows in sight; rows may differ in height. `keyOf` must be stable, so that
 * an opened row keeps its height.
 */
export function VirtualRows({
  count,
  estimatedHeight,
  keyOf,
  render,
  label,
  className,
}: {
  count: number;
  estimatedHeight: number;
  keyOf: (index: number) => string | number;
  render: (index: number) => ReactNode;
  label: string;
  className?: string | undefined;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  // The virtualizer hands out functions that change with scrolling; this component is not memoised around them.
  // eslint-disable-next-line react-hooks/incompatible-library -- see the line above
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimatedHeight,
    getItemKey: keyOf,
    overscan: 12,
    initialRect: { width: 800, height: 600 },
  });
  return (
    <div
      ref={scroller}
      className={className}
      style={{ overflow: 'auto' }}
      role="list"
      aria-label={label}
      tabIndex={0}
    >
      <div style={{ position: 'relative', height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((item) => (
          <div
            key={item.key}
            ref={rows.measureElement}
            data-index={item.index}
            role="listitem"
            aria-setsize={count}
            aria-posinset={item.index + 1}
            style={{ position: 'absolute', inset: '0 0 auto 0', transform: `translateY(${item.start}px)` }}
          >
            {render(item.index)}
          </div>
        ))}
      </div>
    </div>
  );
}
