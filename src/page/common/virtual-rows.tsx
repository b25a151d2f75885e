import { observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks';

interface VirtualRowsProps {
  readonly rows: number;
  /** Height of each row with the gap below it, px. */
  readonly rowHeight: number;
  readonly render: (row: number) => ComponentChildren;
  /** Told the rows that are drawn, whenever these change. */
  readonly onRows?: (first: number, last: number) => void;
  readonly label: string;
  /** 'list' where the rows hold list items, 'table' where they are rows of a table; '' where the rows are in something that says so. */
  readonly role: 'list' | 'rowgroup';
  readonly class?: string;
}

/** Rows drawn above and below what is seen. */
const OVERSCAN = 4;

/** Many rows of one height, of which only those near the window's view are drawn. The window scrolls, so that the page feels like any other. */
export function VirtualRows({ rows, rowHeight, render, onRows, label, role, class: className }: VirtualRowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((drawn: number, _: void) => drawn + 1, 0);
  const virtualizer = useRef<Virtualizer<Window, Element> | undefined>(undefined);
  const top = useRef(0);
  virtualizer.current ??= new Virtualizer<Window, Element>(optionsOf({ rows, rowHeight, top: 0, redraw: () => redraw() }));
  const { current } = virtualizer;
  current.setOptions(optionsOf({ rows, rowHeight, top: top.current, redraw: () => redraw() }));

  useLayoutEffect(() => current._didMount(), [current]);
  useLayoutEffect(() => {
    current._willUpdate();
    // What stands above may have grown.
    const found = Math.round((box.current?.getBoundingClientRect().top ?? 0) + scrollY);
    if (found === top.current) return;
    top.current = found;
    redraw();
  });
  useLayoutEffect(() => current.measure(), [current, rowHeight]);

  const items = current.getVirtualItems();
  const [first, last] = [items.at(0)?.index ?? 0, items.at(-1)?.index ?? -1];
  useEffect(() => {
    if (last >= first) onRows?.(first, last);
  }, [first, last, onRows]);
  return (
    <div ref={box} class={`virtual ${className ?? ''}`} role={role} aria-label={label} style={{ height: `${rows * rowHeight}px` }}>
      {items.map(({ index }) => (
        <div key={index} class="virtual-row" role="presentation" style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}>{render(index)}</div>
      ))}
    </div>
  );
}

function optionsOf({ rows, rowHeight, top, redraw }: { rows: number; rowHeight: number; top: number; redraw: () => void }): ConstructorParameters<typeof Virtualizer<Window, Element>>[0] {
  return {
    count: rows, estimateSize: () => rowHeight, overscan: OVERSCAN, scrollMargin: top, getScrollElement: () => window,
    scrollToFn: windowScroll, observeElementRect: observeWindowRect, observeElementOffset: observeWindowOffset, onChange: redraw,
    initialRect: { width: innerWidth, height: innerHeight }, initialOffset: () => scrollY,
  };
}
