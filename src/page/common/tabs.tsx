import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

/** One tab. */
export interface Tab {
  readonly id: string;
  readonly name: string;
  /** Number of items, shown beside the name. */
  readonly count?: number;
  readonly body: () => ComponentChildren;
}

/** How far the open tab keeps from the edge of a list that is scrolled. */
const EDGE_PX = 24;

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** Id of the open tab; the first tab opens if there is none of this id (yet). */
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  readonly bodyClass?: string;
}

/** Tabs after the ARIA tabs pattern: arrow keys, Home and End move between them. */
export function Tabs({ label, tabs, chosen, onChoose, bodyClass = '' }: TabsProps) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const open = tabs.find(({ id }) => id === chosen) ?? tabs[0];
  // The open tab is seen where they are not all seen; the page itself stays where it is.
  useLayoutEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected=true]');
    if (!list.current || !tab) return;
    const [from, to] = [
      tab.offsetLeft - EDGE_PX,
      tab.offsetLeft + tab.offsetWidth + EDGE_PX - list.current.clientWidth,
    ];
    list.current.scrollLeft = Math.min(from, Math.max(to, list.current.scrollLeft));
  }, [open.id, tabs.length]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.indexOf(open);
    const to = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onChoose(tabs[to].id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus();
  };
  return (
    <div class="tabs">
      <div ref={list} class="tab-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ id, name, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            aria-selected={id === open.id}
            aria-controls={id === open.id ? `${base}-body` : undefined}
            tabIndex={id === open.id ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {name}
            {count === undefined ? '' : <span class="tab-count"> {count}</span>}
          </button>
        ))}
      </div>
      <div
        class={`tab-body ${bodyClass}`}
        role="tabpanel"
        id={`${base}-body`}
        aria-labelledby={`${base}-${open.id}`}
        tabIndex={0}
        key={open.id}
      >
        {open.body()}
      </div>
    </div>
  );
}
