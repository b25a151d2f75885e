import type { PageView } from '../api/endpoints.js';

/** A view of each of two files that stand at the same place of their drawings, by their indices. */
export interface ViewPair {
  readonly first: PageView;
  readonly second: PageView;
}

/** The views of two drawings in pairs, those of the largest views first, and what has no partner. */
export interface PairedViews {
  readonly pairs: readonly ViewPair[];
  readonly alone: readonly [first: readonly PageView[], second: readonly PageView[]];
}

/** Least share of the area of two boxes together that both cover, for views that stand at the same place. */
const LEAST_SHARED = 0.5;

/**
 * Pairs the views of two drawings by their places: the second is moved and scaled so that two views that are known to
 * be the same lie on each other.
 */
export function pairViews(
  views: readonly PageView[],
  others: readonly PageView[],
  [known, partner]: readonly [PageView, PageView],
): PairedViews {
  const left = new Set(others.filter((other) => other !== partner));
  const pairs: ViewPair[] = [{ first: known, second: partner }];
  const moved = (view: PageView): PageView['box'] => laid(view.box, known.box, partner.box);
  for (const first of [...views].sort((a, b) => areaOf(b.box) - areaOf(a.box))) {
    if (first === known) continue;
    let second: PageView | undefined,
      most = LEAST_SHARED;
    for (const other of left) {
      const shared = first.page - known.page === other.page - partner.page ? sharedArea(moved(first), other.box) : 0;
      if (shared > most) [second, most] = [other, shared];
    }
    if (second === undefined) continue;
    left.delete(second);
    pairs.push({ first, second });
  }
  const paired = new Set(pairs.map(({ first }) => first));
  return {
    pairs: pairs.sort((a, b) => areaOf(b.first.box) - areaOf(a.first.box)),
    alone: [views.filter((view) => !paired.has(view)), [...left]],
  };
}

/** A box that is moved and scaled as `from` is to become `to`. */
function laid(box: PageView['box'], from: PageView['box'], to: PageView['box']): PageView['box'] {
  const [across, down] = [to.width / from.width, to.height / from.height];
  return {
    x: to.x + across * (box.x - from.x),
    y: to.y + down * (box.y - from.y),
    width: across * box.width,
    height: down * box.height,
  };
}

function areaOf({ width, height }: PageView['box']): number {
  return width * height;
}

/** What two boxes both cover, as a share of what they cover together. */
function sharedArea(a: PageView['box'], b: PageView['box']): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  const both = Math.max(0, width) * Math.max(0, height);
  return both / (areaOf(a) + areaOf(b) - both);
}
