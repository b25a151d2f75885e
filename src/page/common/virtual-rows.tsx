import { Component, type ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualRowsProps {
  readonly rows: number;
  /** Height of each row with the gap below it, px. */
  readonly rowHeight: number;
  /** Renders a row. Rows already on the screen are rendered again only if this is another function. */
  readonly render: (row: number) => ComponentChildren;
  /** Called with the range of rendered rows whenever it changes. */
  readonly onRows?: (first: number, last: number) => void;
  readonly label: string;
  /** Content inserted before the row of this number. */
  readonly gap?: { readonly before: number; readonly height: number; readonly content: ComponentChildren };
  /** 'list' if the rows contain list items, 'rowgroup' for rows of a table, 'tree' for items of a tree. */
  readonly role: 'list' | 'rowgroup' | 'tree';
}

/** Rows within this distance above and below the window are rendered too, px. */
const OVERSCAN_PX = 480;

/**
 * Many rows of equal height, of which only those in or near the window are rendered. The window scrolls, not an inner
 * box, so that scrolling works as on any page.
 */
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
    // `capture`: a scrolling box around the rows counts too.
    addEventListener('scroll', look, { passive: true, capture: true });
    addEventListener('resize', look);
    // Content above the rows may change its height and move them.
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

/** A row that is not rendered again at every scroll step. */
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
