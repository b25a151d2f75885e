import { useEffect, useRef } from 'preact/hooks';
import type { WireQuery } from '../api/endpoints.js';
import { ExportButtons } from './export-buttons.js';

/** Most hits that are exported: the limit of a search. */
const MOST_HITS = 10_000;

interface ExportFoundProps {
  readonly query: WireQuery;
  /** Address of the sheet of the same search. */
  readonly sheet: string;
}

/** Saves all hits of a search as a table, from a menu that opens over the page. */
export function ExportFound({ query, sheet }: ExportFoundProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target }: Event): void => {
      if (menu.current?.open === true && !menu.current.contains(target as Node)) menu.current.open = false;
    };
    addEventListener('pointerdown', close);
    addEventListener('focusin', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('focusin', close);
    };
  }, []);
  return (
    <details
      ref={menu}
      class="menu"
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape') return;
        currentTarget.open = false;
        currentTarget.querySelector('summary')?.focus();
      }}
    >
      <summary class="button">Export</summary>
      <div class="menu-body">
        <ExportButtons query={{ ...query, limit: MOST_HITS }} />
        <a class="button" href={sheet}>
          Sheet for print or PDF
        </a>
      </div>
    </details>
  );
}
