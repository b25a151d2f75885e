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
/** Most views of each drawing, the largest, that tell how one sheet lies on the other; fewer among many. */
const MOST_ANCHORS = 16;
const FEW_ANCHORS = 4;
const MANY_PAIRS = 4_096;
/** So many pairs at least make another place of the sheet than that of the two known views. */
const LEAST_ALIKE = 2;
const QUARTERS = [0, 1, 2, 3];

type Box = PageView['box'];
/** Moves a box of the first drawing to where it stands on the second. */
type Laying = (box: Box) => Box;

/**
 * Pairs the views of two drawings by their places: the second is moved and scaled so that two views that are known to
 * be the same lie on each other. Where one of these grew, or a sheet is turned, so that few others do, it is laid as
 * most views of both agree.
 */
export function pairViews(
  views: readonly PageView[],
  others: readonly PageView[],
  [known, partner]: readonly [PageView, PageView],
): PairedViews {
  const largest = bySize(views).filter((view) => view !== known);
  const free = others.filter((other) => other !== partner);
  const pages = partner.page - known.page;
  const pairsBy = (laying: Laying): ViewPair[] => pairsOf(largest, free, pages, laying);
  let found = pairsBy(onto(known.box, partner.box, 0));
  const most = Math.min(largest.length, free.length);
  for (const laying of layings(largest, bySize(free))) {
    if (found.length === most) break;
    const pairs = pairsBy(laying);
    if (pairs.length >= LEAST_ALIKE && pairs.length > found.length) found = pairs;
  }
  const pairs = [{ first: known, second: partner }, ...found];
  const paired = new Set(pairs.flatMap(({ first, second }) => [first, second]));
  const isAlone = (view: PageView): boolean => !paired.has(view);
  return {
    pairs: pairs.sort((a, b) => areaOf(b.first.box) - areaOf(a.first.box)),
    alone: [views.filter(isAlone), others.filter(isAlone)],
  };
}

/** Those at the same place, the largest first. @param pages how many pages later the second drawing has them. */
function pairsOf(views: readonly PageView[], others: readonly PageView[], pages: number, laying: Laying): ViewPair[] {
  const left = new Set(others);
  return views.flatMap((first) => {
    const box = laying(first.box);
    let second: PageView | undefined,
      most = LEAST_SHARED;
    for (const other of left) {
      const shared = other.page - first.page === pages ? sharedArea(box, other.box) : 0;
      if (shared > most) [second, most] = [other, shared];
    }
    if (second === undefined) return [];
    left.delete(second);
    return [{ first, second }];
  });
}

/** Ways to lay the first drawing on the second: as it is, and each view on each other one, turned by quarters. */
function* layings(views: readonly PageView[], others: readonly PageView[]): Generator<Laying> {
  const anchors = views.length * others.length > MANY_PAIRS ? FEW_ANCHORS : MOST_ANCHORS;
  for (const quarters of QUARTERS) {
    yield (box) => turned(box, quarters);
    for (const view of views.slice(0, anchors))
      for (const other of others.slice(0, anchors)) yield onto(view.box, other.box, quarters);
  }
}

/** Turns boxes by quarters, then moves and scales them as `from` is to become `to`. */
function onto(from: Box, to: Box, quarters: number): Laying {
  const start = turned(from, quarters);
  const [across, down] = [to.width / start.width, to.height / start.height];
  return (box) => {
    const { x, y, width, height } = turned(box, quarters);
    return {
      x: to.x + across * (x - start.x),
      y: to.y + down * (y - start.y),
      width: across * width,
      height: down * height,
    };
  };
}

/** A box on a page that is turned by quarters. */
function turned(box: Box, quarters: number): Box {
  if (quarters === 0) return box;
  const { x, y, width, height } = box;
  return turned({ x: 1 - y - height, y: x, width: height, height: width }, quarters - 1);
}

function bySize(views: readonly PageView[]): readonly PageView[] {
  return [...views].sort((a, b) => areaOf(b.box) - areaOf(a.box));
}

function areaOf({ width, height }: Box): number {
  return width * height;
}

/** What two boxes both cover, as a share of what they cover together. */
function sharedArea(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  const both = Math.max(0, width) * Math.max(0, height);
  return both / (areaOf(a) + areaOf(b) - both);
}
