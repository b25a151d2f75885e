import { Component, type ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualRowsProps {
  readonly rows: number;
  /** Height of each row with the gap below it, px. */
  readonly rowHeight: number;
  /** A row. While this stays the same function, rows that are drawn are not drawn anew. */
  readonly render: (row: number) => ComponentChildren;
  /** Told the rows that are drawn, whenever these change. */
  readonly onRows?: (first: number, last: number) => void;
  readonly label: string;
  /** Something between two rows: before the row of this number. */
  readonly gap?: { readonly before: number; readonly height: number; readonly content: ComponentChildren };
  /** 'list' where the rows hold list items, 'rowgroup' where they are rows of a table, 'tree' where they are items of one. */
  readonly role: 'list' | 'rowgroup' | 'tree';
}

/** Drawn above and below what is seen, px. */
const OVERSCAN_PX = 480;

/** Many rows of one height, of which only those near the window's view are drawn. The window scrolls, so that the page feels like any other. */
export function VirtualRows({ rows, rowHeight, render, onRows, label, role, gap }: VirtualRowsProps) {
  const gapHeight = gap?.height ?? 0;
  const box = useRef<HTMLDivElement>(null);
  const [{ first, last }, setSeen] = useState({ first: 0, last: -1 });
  useLayoutEffect(() => {
    const look = (): void => {
      const top = box.current?.getBoundingClientRect().top ?? 0;
      const next = {
        first: Math.max(0, Math.min(rows - 1, Math.floor((-top - OVERSCAN_PX - gapHeight) / rowHeight))),
        last: Math.min(rows - 1, Math.floor((innerHeight - top + OVERSCAN_PX) / rowHeight)),
      };
      setSeen((seen) => (seen.first === next.first && seen.last === next.last ? seen : next));
    };
    look();
    // Also of a box that the rows lie in.
    addEventListener('scroll', look, { passive: true, capture: true });
    addEventListener('resize', look);
    // What stands above may grow and shrink, and the page with it.
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    return () => {
      removeEventListener('scroll', look, { capture: true });
      removeEventListener('resize', look);
      observer.disconnect();
    };
  }, [rows, rowHeight, gapHeight]);
  useEffect(() => {
    if (last >= first) onRows?.(first, last);
  }, [first, last, onRows]);
  return (
    <div
      ref={box}
      class="virtual"
      role={role}
      aria-label={label}
      style={{ height: `${rows * rowHeight + gapHeight}px` }}
    >
      {Array.from({ length: Math.max(0, Math.min(last, rows - 1) - first + 1) }, (_, i) => {
        const index = first + i;
        return (
          <Row
            key={index}
            index={index}
            rowHeight={rowHeight}
            top={index * rowHeight + (gap !== undefined && index >= gap.before ? gap.height : 0)}
            render={render}
          />
        );
      })}
      {gap !== undefined && (
        <div
          class="virtual-row"
          role="presentation"
          style={{ transform: `translateY(${gap.before * rowHeight}px)`, height: `${gap.height}px` }}
        >
          {gap.content}
        </div>
      )}
    </div>
  );
}

type RowProps = Pick<VirtualRowsProps, 'render' | 'rowHeight'> & { readonly index: number; readonly top: number };

/** Drawn once, not at every step of a scroll. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate({ index, rowHeight, top, render }: RowProps): boolean {
    return (
      index !== this.props.index ||
      top !== this.props.top ||
      rowHeight !== this.props.rowHeight ||
      render !== this.props.render
    );
  }

  override render({ index, rowHeight, top, render }: RowProps) {
    return (
      <div
        class="virtual-row"
        role="presentation"
        style={{ transform: `translateY(${top}px)`, height: `${rowHeight}px` }}
      >
        {render(index)}
      </div>
    );
  }
}
