import type { ComponentChildren } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { VirtualRows } from './virtual-rows.js';

interface VirtualGridProps {
  readonly count: number;
  /** Smallest width of a card, px; the cards of a row share the remaining width. */
  readonly cardWidth: number;
  readonly cardHeight: number;
  /** Renders a card: one element; the grid wraps it in a list item. */
  readonly render: (place: number) => ComponentChildren;
  /** Called with the range of rendered places whenever it changes. */
  readonly onPlaces?: (first: number, last: number) => void;
  readonly label: string;
  /** A heading before the card of this place, which starts a new row. */
  readonly divider?: { readonly place: number; readonly words: string };
}

const GAP = 16;
const DIVIDER_HEIGHT = 48;

/** Many cards of one size, in as many columns as fit; only those in or near the window are rendered. */
export function VirtualGrid({ count, cardWidth, cardHeight, render, onPlaces, label, divider }: VirtualGridProps) {
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
  // The row before the divider may not be full: the cards after it are shifted by its free places.
  const before = divider === undefined ? Infinity : Math.ceil(divider.place / Math.max(1, columns));
  const shift = divider === undefined ? 0 : before * columns - divider.place;
  const firstOf = (row: number): number => row * columns - (row >= before ? shift : 0);
  const endOf = (row: number): number =>
    Math.min(row < before ? (divider?.place ?? count) : count, firstOf(row) + columns);
  const onRows = useCallback(
    (first: number, last: number) => {
      if (columns > 0) onPlaces?.(firstOf(first), endOf(last) - 1);
    },
    [columns, count, onPlaces, before, shift],
  );
  return (
    <div ref={box}>
      {columns > 0 && (
        <VirtualRows
          rows={Math.ceil((count + shift) / columns)}
          rowHeight={cardHeight + GAP}
          label={label}
          role="list"
          onRows={onRows}
          gap={
            divider === undefined
              ? undefined
              : {
                  before,
                  height: DIVIDER_HEIGHT,
                  content: (
                    <p class="grid-divider">
                      <span>{divider.words}</span>
                    </p>
                  ),
                }
          }
          render={(row) => (
            <div
              class="grid-row"
              role="presentation"
              style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, height: `${cardHeight}px` }}
            >
              {Array.from({ length: endOf(row) - firstOf(row) }, (_, column) => {
                const place = firstOf(row) + column;
                return (
                  <div key={place} role="listitem" aria-posinset={place + 1} aria-setsize={count}>
                    {render(place)}
                  </div>
                );
              })}
            </div>
          )}
        />
      )}
    </div>
  );
}
