import type { Core } from '../../core/core.js';
import { compareViews } from '../../core/views.js';
import { VIEW_BYTES, viewAt, viewFacts } from '../../descriptors/views.js';
import { assign } from './assign.js';

/** The view of a file that was found for a view of a query. */
export interface ViewMatch {
  /** 1 minus the likeness. */
  readonly distance: number;
  /** Its index in the file. */
  readonly view: number;
  /** Clockwise quarter turns of the query's view that align it with the file's. */
  readonly turn: number;
}

/** Added to distances before the logarithm: the distance between two pictures of one view. */
const NOISE = 0.02;
/** Distance of a view without a partner in an assignment, the largest there is. */
const NO_PARTNER = 2;

/**
 * For each query and file, the match of each view of the query: the nearest view of the file. Several queries of one
 * view each are matched by different views of a file, at the least sum of the logarithms of their distances. Empty
 * where the file has no views, or none is left.
 */
export function matchViews(core: Core, queries: readonly Uint8Array[], files: readonly Uint8Array[]): ViewMatch[][][] {
  const single = queries.filter(({ length }) => length === VIEW_BYTES);
  if (single.length < 2) return queries.map((views) => nearest(core, views, files));
  const shared = assigned(core, single, files).values();
  return queries.map((views) => (views.length === VIEW_BYTES ? shared.next().value! : nearest(core, views, files)));
}

function nearest(core: Core, views: Uint8Array, files: readonly Uint8Array[]): ViewMatch[][] {
  const { likeness, rows, turns } = compareViews(core, views, files, VIEW_BYTES);
  return files.map((file, i) =>
    Array.from({ length: file.length === 0 ? 0 : views.length / VIEW_BYTES }, (_, view) => {
      const at = view * files.length + i;
      return { distance: 1 - likeness[at], view: rows[at], turn: turns[at] };
    }),
  );
}

/** For each of several views its match in each file; no view of a file is used twice. */
function assigned(core: Core, queries: readonly Uint8Array[], files: readonly Uint8Array[]): ViewMatch[][][] {
  const count = queries.length;
  const rows = files.flatMap((file) => Array.from({ length: file.length / VIEW_BYTES }, (_, i) => viewAt(file, i)));
  const { likeness, turns } = compareViews(core, joined(queries), rows, VIEW_BYTES);
  const found = queries.map((): ViewMatch[][] => []);
  let first = 0;
  for (const file of files) {
    const own = first,
      length = file.length / VIEW_BYTES;
    first += length;
    const distanceOf = (query: number, view: number): number =>
      view < length ? 1 - likeness[query * rows.length + own + view] : NO_PARTNER;
    const taken = assign(
      queries.map((_, query) =>
        Array.from({ length: Math.max(length, count) }, (_, view) => Math.log(distanceOf(query, view) + NOISE)),
      ),
    );
    for (const [query, view] of taken.entries()) {
      const turn = turns[query * rows.length + own + view];
      found[query].push(view < length ? [{ distance: distanceOf(query, view), view, turn }] : []);
    }
  }
  return found;
}

/** All views one after another. */
export function joined(views: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(views.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const one of views) {
    all.set(one, end);
    end += one.length;
  }
  return all;
}

/** Weights of the views, in proportion to the square roots of their boxes' areas; their sum is 1. */
export function weightsOf(views: Uint8Array): number[] {
  const roots = Array.from({ length: views.length / VIEW_BYTES }, (_, i) => {
    const { width, height } = viewFacts(views, i);
    return Math.sqrt(Math.max(width * height, 1e-12));
  });
  const sum = roots.reduce((total, root) => total + root, 0);
  return roots.map((root) => root / sum);
}
