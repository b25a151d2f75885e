import type { ComponentChildren } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { VirtualRows } from './virtual-rows.js';

interface VirtualGridProps {
  readonly count: number;
  /** Least width of a card, px; the width that is left is shared among the cards of a row. */
  readonly cardWidth: number;
  readonly cardHeight: number;
  /** A card: one element, made a list item by its frame. */
  readonly render: (place: number) => ComponentChildren;
  /** Told the places that are drawn, whenever these change. */
  readonly onPlaces?: (first: number, last: number) => void;
  readonly label: string;
}

const GAP = 16;

/** Many cards of one size in as many columns as there is room for; only those near the view are drawn. */
export function VirtualGrid({ count, cardWidth, cardHeight, render, onPlaces, label }: VirtualGridProps) {
  const box = useRef<HTMLDivElement>(null);
  const [columns, setColumns] = useState(0);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const look = (): void => setColumns(Math.max(1, Math.floor((current.clientWidth + GAP) / (cardWidth + GAP))));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(current);
    return () => observer.disconnect();
  }, [cardWidth]);
  const onRows = useCallback((first: number, last: number) => {
    if (columns > 0) onPlaces?.(first * columns, Math.min(count, (last + 1) * columns) - 1);
  }, [columns, count, onPlaces]);
  return (
    <div ref={box}>
      {columns > 0 && (
        <VirtualRows rows={Math.ceil(count / columns)} rowHeight={cardHeight + GAP} label={label} role="list" onRows={onRows}
          render={(row) => (
            <div class="grid-row" role="presentation" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, height: `${cardHeight}px` }}>
              {Array.from({ length: Math.min(columns, count - row * columns) }, (_, column) => {
                const place = row * columns + column;
                return <div key={place} role="listitem" aria-posinset={place + 1} aria-setsize={count}>{render(place)}</div>;
              })}
            </div>
          )} />
      )}
    </div>
  );
}
