import { MOST_DISTANCE, thinned, type CellBox, type LaidInk } from './laid-ink.js';
import { Similarity } from './similarity.js';

/** How one ink lies on another. */
export interface InkFit {
  /** From the cells of the part to those of the page. */
  readonly laid: Similarity;
  /**
   * Share of the ink of both, within the part, that lies on ink of the other, beyond what lies there by chance: 1 for
   * the same ink, about 0 for unrelated ones.
   */
  readonly agreement: number;
  /** Share of the page's ink that lies within the part: 1 where the part is all of the page. */
  readonly covers: number;
}

/** How an agreement is measured: points of each side, and the distance at which ink counts nothing, cells. */
interface Measuring {
  readonly points: number;
  readonly near: number;
}
const TRIED: Measuring = Object.freeze({ points: 160, near: 5 });
const MEASURED: Measuring = Object.freeze({ points: 800, near: 2 });
/** A small part agrees to this share of its longer side on the page, but to no less than so many cells. */
const NEAR_SHARE = 0.03;
const LEAST_NEAR = 1.2;
/** Share that an upper bound of an agreement may be too low by rounding. */
const ROUNDING = 1e-9;
/** Points of the page, among which those within the part are found, for one point of the part. */
const PAGE_POINTS = 3;
/** Most starts from boxes; two sheets of some eight boxes each have fewer. */
const MOST_STARTS = 150;
/** Starts that are improved, and points of the part for it. */
const IMPROVED = 4;
const IMPROVED_POINTS = 300;
/** Residuals that count a quarter while a fit is improved, cells; one round of steps each. */
const REACHES = [4, 1.5, 0.7] as const;
const STEPS = 5;
/** A round ends with a step that moves no corner of the part by more, cells. */
const SETTLED = 0.02;
/** Least longer side of a part on the page, cells: smaller ones are like too much. */
const LEAST_SIDE = 16;
/** Largest longer side of a part on the page, sides of the page. */
const MOST_SIDE = 1.2;
/**
 * Agreements between which the best place may be beside what was found, the share of the part's longer side and of its
 * scale within which it is looked for, and how many places are improved.
 */
const UNSURE = 0.4;
const SURE = 0.85;
const AROUND = 0.05;
const IMPROVED_AROUND = 3;
/** Largest change of the scale from a start. */
const MOST_STRETCH = 1.25;
/** Logarithms of the ratio of the proportions of two boxes that are laid over each other as a whole, or by one side. */
const SAME_PROPORTIONS = 0.08;
const NEAR_PROPORTIONS = 0.2;

/** The largest agreement of a part at some starts, before any is improved: which pages are worth it. */
export function agreementAt(part: LaidInk, page: LaidInk, starts: readonly Similarity[]): number {
  const side = Math.max(part.width, part.height);
  const most = MOST_SIDE * Math.max(page.width, page.height);
  const sampled = sampledOf(part, page, TRIED.points);
  return starts
    .filter(({ scale }) => scale * side >= LEAST_SIDE && scale * side <= most)
    .reduce((best, laid) => Math.max(best, agreementOf(part, page, laid, { ...TRIED, ...sampled }, best)), 0);
}

/** Lays a part, or a whole page, over a page, from the best of some starts. Undefined if none holds. */
export function fitInk(part: LaidInk, page: LaidInk, starts: readonly Similarity[]): InkFit | undefined {
  const side = Math.max(part.width, part.height);
  const most = MOST_SIDE * Math.max(page.width, page.height);
  const points = thinned(part.points, IMPROVED_POINTS);
  const tried: Similarity[] = [];
  let best: Omit<InkFit, 'covers'> | undefined;
  const tryPoints = { ...TRIED, ...sampledOf(part, page, TRIED.points) },
    allPoints = { ...MEASURED, ...sampledOf(part, page, MEASURED.points) };
  const improve = (from: readonly Similarity[], count: number): void => {
    const near = from
      .filter(({ scale }) => scale * side >= LEAST_SIDE && scale * side <= most)
      .map((laid) => ({ laid, agreement: agreementOf(part, page, laid, tryPoints) }))
      .sort((a, b) => b.agreement - a.agreement);
    const end = tried.length + count;
    for (const { laid: start } of near) {
      if (tried.length === end) break;
      if (tried.some((other) => isNear(start, other, part))) continue;
      tried.push(start);
      let laid = start;
      for (const reach of REACHES) laid = settled(points, page, laid, { reach, side });
      const stretch = laid.scale / start.scale;
      if (!(stretch < MOST_STRETCH && stretch > 1 / MOST_STRETCH)) continue;
      const near = Math.min(MEASURED.near, Math.max(LEAST_NEAR, NEAR_SHARE * laid.scale * side));
      const least = best?.agreement ?? 0;
      const agreement = agreementOf(part, page, laid, { ...allPoints, near }, least);
      if (agreement > least) best = { laid, agreement };
    }
  };
  improve(starts, IMPROVED);
  // Threads and rows of teeth agree in part where they lie a pitch beside their place.
  const found = best as Omit<InkFit, 'covers'> | undefined;
  if (found !== undefined && found.agreement > UNSURE && found.agreement < SURE)
    improve(around(found.laid, part), IMPROVED_AROUND);
  return best && { ...best, covers: coveredBy(part, best.laid, allPoints.others) };
}

/** Share of some points of the page that lie within the part. */
function coveredBy({ width, height }: LaidInk, { inverse }: Similarity, points: Float32Array): number {
  let count = 0;
  for (let i = 0; i < points.length; i += 2) {
    const x = inverse.atX(points[i], points[i + 1]),
      y = inverse.atY(points[i], points[i + 1]);
    if (x >= 0 && y >= 0 && x < width && y < height) count++;
  }
  return points.length === 0 ? 0 : (2 * count) / points.length;
}

/** Places of the part beside one: larger and smaller, and moved in all directions. */
function around(laid: Similarity, { width, height }: LaidInk): Similarity[] {
  const x = width / 2,
    y = height / 2,
    step = AROUND * Math.max(width, height) * laid.scale;
  return [1 - AROUND, 1 - AROUND / 2, 1, 1 + AROUND / 2, 1 + AROUND].flatMap((zoom) =>
    [-1, -0.5, 0, 0.5, 1].flatMap((across) =>
      [-1, -0.5, 0, 0.5, 1].map((down) => {
        const a = zoom * laid.a,
          b = zoom * laid.b;
        return new Similarity(
          a,
          b,
          laid.atX(x, y) + across * step - (a * x - b * y),
          laid.atY(x, y) + down * step - (b * x + a * y),
        );
      }),
    ),
  );
}

/** Starts that lay boxes of views and pieces of like proportions over each other. */
export function startsOfBoxes(parts: readonly CellBox[], pages: readonly CellBox[]): Similarity[] {
  const pairs = parts.flatMap((part, i) => pages.map((page, j) => ({ part, page, place: i + j })));
  // Large boxes come first in both, and of too many pairs the largest are enough.
  return pairs
    .sort((a, b) => a.place - b.place)
    .flatMap(({ part, page }) => {
      const across = page.width / part.width,
        down = page.height / part.height;
      const ratio = Math.abs(Math.log(across / down));
      const scales =
        ratio < SAME_PROPORTIONS ? [Math.sqrt(across * down)] : ratio < NEAR_PROPORTIONS ? [across, down] : [];
      return scales.map(
        (scale) =>
          new Similarity(
            scale,
            0,
            page.x + page.width / 2 - scale * (part.x + part.width / 2),
            page.y + page.height / 2 - scale * (part.y + part.height / 2),
          ),
      );
    })
    .slice(0, MOST_STARTS);
}

/** Starts that lay a page over a page in four quarter turns: by all ink, by the box of it and by the paper. */
export function startsOfPages(part: LaidInk, page: LaidInk): Similarity[] {
  return [0, 1, 2, 3].flatMap((quarters) => {
    const turned = (from: Place, onto: Place): Similarity =>
      Similarity.shift(-from.x, -from.y)
        .followedBy(Similarity.of({ scale: onto.size / from.size, rotationRad: (quarters * Math.PI) / 2, x: 0, y: 0 }))
        .followedBy(Similarity.shift(onto.x, onto.y));
    return [
      turned(placeOfInk(part), placeOfInk(page)),
      turned(placeOfBox(part.boxes[0]), placeOfBox(page.boxes[0])),
      turned(placeOfBox({ x: 0, y: 0, ...part }), placeOfBox({ x: 0, y: 0, ...page })),
    ];
  });
}

/** A middle and a measure of the extent, cells. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

function placeOfInk({ middle: { x, y, spread } }: LaidInk): Place {
  return { x, y, size: spread };
}

function placeOfBox({ x, y, width, height }: CellBox): Place {
  return { x: x + width / 2, y: y + height / 2, size: Math.hypot(width, height) };
}

/** Whether two places of the part differ by less than three cells of the page in its corners. */
function isNear(a: Similarity, b: Similarity, { width, height }: LaidInk): boolean {
  return [
    [0, 0],
    [width, height],
  ].every(([x, y]) => Math.hypot(a.atX(x, y) - b.atX(x, y), a.atY(x, y) - b.atY(x, y)) < 3);
}

/** Takes Gauss-Newton steps until they move the part no more. */
function settled(
  points: Float32Array,
  page: LaidInk,
  start: Similarity,
  { reach, side }: { readonly reach: number; readonly side: number },
): Similarity {
  let laid = start;
  for (let step = 0; step < STEPS; step++) {
    const next = stepped(points, page, laid, reach);
    const moved = Math.hypot(next.x - laid.x, next.y - laid.y) + side * Math.hypot(next.a - laid.a, next.b - laid.b);
    laid = next;
    if (moved < SETTLED) break;
  }
  return laid;
}

/** One Gauss-Newton step on the distances of the points (Fitzgibbon 2003), those beyond `reach` with low weight. */
function stepped(points: Float32Array, page: LaidInk, laid: Similarity, reach: number): Similarity {
  const { distances, width, height } = page;
  const rows = Array.from({ length: 4 }, () => new Float64Array(5));
  // The scale and the rotation are about the middle of the part, so that they do not move it.
  let middleX = 0,
    middleY = 0;
  for (let i = 0; i < points.length; i += 2) {
    middleX += (2 * points[i]) / points.length;
    middleY += (2 * points[i + 1]) / points.length;
  }
  const slopes = new Float64Array(4);
  for (let i = 0; i < points.length; i += 2) {
    const px = laid.atX(points[i], points[i + 1]) - 0.5,
      py = laid.atY(points[i], points[i + 1]) - 0.5;
    const column = Math.floor(px),
      row = Math.floor(py);
    if (!(column >= 0 && row >= 0 && column < width - 1 && row < height - 1)) continue;
    const at = row * width + column,
      right = px - column,
      down = py - row;
    const a = distances[at],
      b = distances[at + 1],
      c = distances[at + width],
      d = distances[at + width + 1];
    const rest = (a * (1 - right) + b * right) * (1 - down) + (c * (1 - right) + d * right) * down;
    if (rest >= MOST_DISTANCE) continue;
    const slopeX = (b - a) * (1 - down) + (d - c) * down,
      slopeY = (c - a) * (1 - right) + (d - b) * right;
    const x = points[i] - middleX,
      y = points[i + 1] - middleY;
    slopes[0] = slopeX * x + slopeY * y;
    slopes[1] = slopeY * x - slopeX * y;
    slopes[2] = slopeX;
    slopes[3] = slopeY;
    const weight = 1 / (1 + (rest / reach) ** 2) ** 2;
    for (let k = 0; k < 4; k++) {
      const own = weight * slopes[k];
      for (let l = k; l < 4; l++) rows[k][l] += own * slopes[l];
      rows[k][4] -= own * rest;
    }
  }
  for (let k = 0; k < 4; k++) for (let l = 0; l < k; l++) rows[k][l] = rows[l][k];
  const change = solve(rows);
  if (change === undefined) return laid;
  const a = laid.a + change[0],
    b = laid.b + change[1];
  const toX = laid.atX(middleX, middleY) + change[2],
    toY = laid.atY(middleX, middleY) + change[3];
  return new Similarity(a, b, toX - (a * middleX - b * middleY), toY - (b * middleX + a * middleY));
}

/** Gaussian elimination of damped symmetric equations; undefined when they are singular. */
function solve(rows: Float64Array[]): number[] | undefined {
  for (let i = 0; i < 4; i++) rows[i][i] = rows[i][i] * 1.001 + 1e-9;
  for (let i = 0; i < 4; i++) {
    for (let row = i + 1; row < 4; row++) {
      const factor = rows[row][i] / rows[i][i];
      for (let column = i; column < 5; column++) rows[row][column] -= factor * rows[i][column];
    }
  }
  const found = [0, 0, 0, 0];
  for (let i = 3; i >= 0; i--) {
    let rest = rows[i][4];
    for (let column = i + 1; column < 4; column++) rest -= rows[i][column] * found[column];
    found[i] = rest / rows[i][i];
  }
  return found.every(Number.isFinite) ? found : undefined;
}

/** Points of both sides between which an agreement is measured: x, y each. */
interface Sampled {
  readonly own: Float32Array;
  readonly others: Float32Array;
}

function sampledOf(part: LaidInk, page: LaidInk, points: number): Sampled {
  return { own: thinned(part.points, points), others: thinned(page.points, PAGE_POINTS * points) };
}

/**
 * See {@link InkFit}; 0 where it is no more than `least`. What lies on ink by chance only lowers an agreement, so the
 * shares without it are an upper bound, which leaves out most starts after a sixth of the work.
 */
function agreementOf(
  part: LaidInk,
  page: LaidInk,
  laid: Similarity,
  { points, near, own, others }: Measuring & Sampled,
  least = 0,
): number {
  const { inverse, scale } = laid;
  const bound = least ** 2 * (1 - ROUNDING);
  let partOnPage = 0;
  for (let i = 0; i < own.length; i += 2)
    partOnPage += nearness(distanceAt(page, laid.atX(own[i], own[i + 1]), laid.atY(own[i], own[i + 1])), near);
  partOnPage *= 2 / own.length;
  if (partOnPage <= bound) return 0;
  // Only what lies within the part counts of the page.
  let pageOnPart = 0,
    count = 0;
  for (let i = 0; i < others.length; i += 2) {
    const x = inverse.atX(others[i], others[i + 1]),
      y = inverse.atY(others[i], others[i + 1]);
    if (x < 0 || y < 0 || x >= part.width || y >= part.height) continue;
    count++;
    pageOnPart += nearness(scale * distanceAt(part, x, y), near);
  }
  if (count === 0) return 0;
  pageOnPart /= count;
  if (partOnPage * pageOnPart <= bound) return 0;
  // What lies on ink of the other by chance.
  const every = Math.max(1, Math.sqrt((part.width * part.height) / points));
  let chanceOnPage = 0,
    chanceOnPart = 0,
    samples = 0;
  for (let y = every / 2; y < part.height; y += every) {
    for (let x = every / 2; x < part.width; x += every, samples++) {
      chanceOnPage += nearness(distanceAt(page, laid.atX(x, y), laid.atY(x, y)), near);
      chanceOnPart += nearness(scale * distanceAt(part, x, y), near);
    }
  }
  return Math.sqrt(beyondChance(partOnPage, chanceOnPage / samples) * beyondChance(pageOnPart, chanceOnPart / samples));
}

/** 1 on ink, falling to 0 at the distance `near`. */
function nearness(distance: number, near: number): number {
  return distance >= near ? 0 : (1 - (distance / near) ** 2) ** 2;
}

function beyondChance(share: number, chance: number): number {
  return Math.max(0, (share - chance) / (1 - chance + 1e-9));
}

/** Bilinear interpolation between the middles of cells; {@link MOST_DISTANCE} outside. */
function distanceAt({ distances, width, height }: LaidInk, x: number, y: number): number {
  const px = x - 0.5,
    py = y - 0.5;
  const column = Math.floor(px),
    row = Math.floor(py);
  if (!(column >= 0 && row >= 0 && column < width - 1 && row < height - 1)) return MOST_DISTANCE;
  const at = row * width + column,
    right = px - column,
    down = py - row;
  return (
    (distances[at] * (1 - right) + distances[at + 1] * right) * (1 - down) +
    (distances[at + width] * (1 - right) + distances[at + width + 1] * right) * down
  );
}
