import { signal, type Signal } from '@preact/signals';
import type { PmiGroup } from '../../index.js';
import type { Box, Size } from './placement.js';

/** Something with a box on a page: an annotation, a view, or an occurrence of the searched words. */
export interface Spot {
  /** Unique in the file: `pmi 1 17`, `view 3`, `text 2 0`. */
  readonly id: string;
  readonly kind: 'pmi' | 'view' | 'text';
  readonly page: number;
  /** As shares of the page's width and height. */
  readonly box: Box;
  /**
   * The box along the text of an annotation, where it is not level: shares of the page's longer side, degrees
   * clockwise.
   */
  readonly turned?: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly angleDeg: number;
  };
  /** Its text, such as `⌀6.60 +0.40`. */
  readonly name: string;
  /** Group of an annotation. */
  readonly group?: PmiGroup;
}

/** State that the page viewer and the lists beside it share. */
export interface PagesState {
  /** The page that is shown, from 1. */
  readonly page: Signal<number>;
  /** Id of the selected spot; '' for none. */
  readonly chosen: Signal<string>;
  /** Id of the spot under the pointer; '' for none. */
  readonly pointedAt: Signal<string>;
  readonly spots: Signal<readonly Spot[]>;
  /** Groups of annotations that the user has hidden. */
  readonly hiddenGroups: Signal<ReadonlySet<PmiGroup>>;
  readonly showsPmi: Signal<boolean>;
  readonly showsViews: Signal<boolean>;
  /** Numbers of the inspector's list (`4`, `26–28`) by the ids of spots, while it is open. */
  readonly balloons: Signal<ReadonlyMap<string, string>>;
  /** Size of a page's picture in pixels, by page number; only the ratio counts. */
  readonly sizes: Signal<ReadonlyMap<number, Size>>;
}

/** The initial state: first page, nothing selected. */
export function newPagesState(): PagesState {
  return {
    page: signal(1),
    chosen: signal(''),
    pointedAt: signal(''),
    spots: signal<readonly Spot[]>([]),
    hiddenGroups: signal<ReadonlySet<PmiGroup>>(new Set()),
    showsPmi: signal(true),
    showsViews: signal(false),
    balloons: signal<ReadonlyMap<string, string>>(new Map()),
    sizes: signal<ReadonlyMap<number, Size>>(new Map()),
  };
}

/** Selects a spot and opens its page; the viewer scrolls to it. */
export function choose({ page, chosen }: PagesState, spot: Spot): void {
  page.value = spot.page;
  chosen.value = spot.id;
}

/** Handlers that mark a spot while the pointer is over its element. */
export function pointing({ pointedAt }: PagesState, { id }: Spot) {
  const set = (to: string) => (): void => {
    pointedAt.value = to;
  };
  return { onPointerEnter: set(id), onPointerLeave: set('') };
}

/** The spots to draw on the shown page. */
export function shownSpots({ page, spots, hiddenGroups, showsPmi, showsViews, chosen }: PagesState): readonly Spot[] {
  return spots.value.filter(
    (spot) =>
      spot.page === page.value &&
      (spot.id === chosen.value ||
        spot.kind === 'text' ||
        (spot.kind === 'view' ? showsViews.value : showsPmi.value && !hiddenGroups.value.has(spot.group ?? ''))),
  );
}

/** Replaces the spots of one kind. */
export function replaceSpots({ spots }: PagesState, kind: Spot['kind'], found: readonly Spot[]): void {
  spots.value = [...spots.value.filter((spot) => spot.kind !== kind), ...found];
}
