import { observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from '@tanstack/virtual-core';
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks';

interface VirtualRowsProps {
  readonly rows: number;
  /** Height of each row with the gap below it, px. */
  readonly rowHeight: number;
  /** A row. While this stays the same function, rows that are drawn are not drawn anew. */
  readonly render: (row: number) => ComponentChildren;
  /** Told the rows that are drawn, whenever these change. */
  readonly onRows?: (first: number, last: number) => void;
  readonly label: string;
  /** 'list' where the rows hold list items, 'rowgroup' where they are rows of a table. */
  readonly role: 'list' | 'rowgroup';
  readonly class?: string;
}

/** Drawn above and below what is seen, px. */
const OVERSCAN_PX = 480;

/** Many rows of one height, of which only those near the window's view are drawn. The window scrolls, so that the page feels like any other. */
export function VirtualRows({ rows, rowHeight, render, onRows, label, role, class: className }: VirtualRowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((drawn: number, _: void) => drawn + 1, 0);
  const virtualizer = useRef<Virtualizer<Window, Element> | undefined>(undefined);
  const top = useRef(0);
  const options = optionsOf({ rows, rowHeight, top: top.current, redraw: () => redraw() });
  virtualizer.current ??= new Virtualizer<Window, Element>(options);
  const { current } = virtualizer;
  current.setOptions(options);

  useLayoutEffect(() => current._didMount(), [current]);
  useLayoutEffect(() => current._willUpdate());
  useLayoutEffect(() => {
    // What stands above may grow and shrink, and the page with it.
    const look = (): void => {
      const found = Math.round((box.current?.getBoundingClientRect().top ?? 0) + scrollY);
      if (found === top.current) return;
      top.current = found;
      redraw();
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => current.measure(), [current, rowHeight]);

  const items = current.getVirtualItems();
  const [first, last] = [items.at(0)?.index ?? 0, items.at(-1)?.index ?? -1];
  useEffect(() => {
    if (last >= first) onRows?.(first, last);
  }, [first, last, onRows]);
  return (
    <div ref={box} class={`virtual ${className ?? ''}`} role={role} aria-label={label} style={{ height: `${rows * rowHeight}px` }}>
      {items.map(({ index }) => <Row key={index} index={index} rowHeight={rowHeight} render={render} />)}
    </div>
  );
}

type RowProps = Pick<VirtualRowsProps, 'render' | 'rowHeight'> & { readonly index: number };

/** Drawn once, not at every step of a scroll. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate({ index, rowHeight, render }: RowProps): boolean {
    return index !== this.props.index || rowHeight !== this.props.rowHeight || render !== this.props.render;
  }

  override render({ index, rowHeight, render }: RowProps) {
    return <div class="virtual-row" role="presentation" style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}>{render(index)}</div>;
  }
}

function optionsOf({ rows, rowHeight, top, redraw }: { rows: number; rowHeight: number; top: number; redraw: () => void }): ConstructorParameters<typeof Virtualizer<Window, Element>>[0] {
  return {
    count: rows, estimateSize: () => rowHeight, overscan: Math.ceil(OVERSCAN_PX / rowHeight), scrollMargin: top, getScrollElement: () => window,
    scrollToFn: windowScroll, observeElementRect: observeWindowRect, observeElementOffset: observeWindowOffset, onChange: redraw,
    initialRect: { width: innerWidth, height: innerHeight }, initialOffset: () => scrollY,
  };
}
