import { signal, type Signal } from '@preact/signals';
import type { PmiGroup } from '../../index.js';
import type { Box, Size } from './placement.js';

/** Something with a box on a page: an annotation, a view, a place of the searched words. */
export interface Spot {
  /** Unique in the file: `pmi 1 17`, `view 3`, `text 2 0`. */
  readonly id: string;
  readonly kind: 'pmi' | 'view' | 'text';
  readonly page: number;
  /** Shares of the page. */
  readonly box: Box;
  /** What is read there, for people. */
  readonly name: string;
  /** Of an annotation. */
  readonly group?: PmiGroup;
}

/** What the viewer of a file's pages and the lists beside it share. */
export interface PagesState {
  /** The page that is shown, from 1. */
  readonly page: Signal<number>;
  /** Id of the spot that was chosen; '' none. */
  readonly chosen: Signal<string>;
  /** Id of the spot under the pointer; '' none. */
  readonly pointedAt: Signal<string>;
  readonly spots: Signal<readonly Spot[]>;
  /** Groups of annotations that are not shown. */
  readonly hiddenGroups: Signal<ReadonlySet<PmiGroup>>;
  readonly showsPmi: Signal<boolean>;
  readonly showsViews: Signal<boolean>;
  /** Pixels of the pictures of the pages that were shown, by page. */
  readonly sizes: Signal<ReadonlyMap<number, Size>>;
}

/** Nothing chosen, the first page. */
export function newPagesState(): PagesState {
  return {
    page: signal(1),
    chosen: signal(''),
    pointedAt: signal(''),
    spots: signal<readonly Spot[]>([]),
    hiddenGroups: signal<ReadonlySet<PmiGroup>>(new Set()),
    showsPmi: signal(true),
    showsViews: signal(false),
    sizes: signal<ReadonlyMap<number, Size>>(new Map()),
  };
}

/** Chooses a spot and turns to its page; the viewer brings it into view. */
export function choose({ page, chosen }: PagesState, spot: Spot): void {
  page.value = spot.page;
  chosen.value = spot.id;
}

/** The spots to be drawn on the page that is shown. */
export function shownSpots({ page, spots, hiddenGroups, showsPmi, showsViews, chosen }: PagesState): readonly Spot[] {
  return spots.value.filter(
    (spot) =>
      spot.page === page.value &&
      (spot.id === chosen.value ||
        spot.kind === 'text' ||
        (spot.kind === 'view' ? showsViews.value : showsPmi.value && !hiddenGroups.value.has(spot.group ?? ''))),
  );
}

/** Spots of one kind instead of those that there are. */
export function replaceSpots({ spots }: PagesState, kind: Spot['kind'], found: readonly Spot[]): void {
  spots.value = [...spots.value.filter((spot) => spot.kind !== kind), ...found];
}
