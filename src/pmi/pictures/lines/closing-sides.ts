import type { Bitmap, Components } from '../../../bitmap/bitmap.js';
import { distanceTo, lengthOf, type Point } from '../../../content/geometry.js';
import { addTo } from '../../../content/groups.js';
import type { InkLine } from '../ink-lines.js';

/** How long a side is, in heights of letters, and how far it may lean from a right angle, as a share of it. */
const LONG = [1.15, 3] as const;
const SQUARE = 0.12;
/** The lines that it closes differ by less in direction, as a sine, and are slanted by more than this one. */
const PARALLEL = 0.06;
const SLANTED = 0.06;
/** Least share of it that is ink. */
const INKED = 0.92;
/** Another line is the same side where both its ends are nearer to it, pixels. */
const SAME = 3;
/** A piece that has this share of its ink on a side is a part of it. */
const OF_SIDE = 0.6;
/** Most lines that are looked at, and most places between two of them. */
const MOST = 2_000;
const MOST_TRIES = 4_000;

/** A side of a box, and the pieces that it consists of. */
export interface ClosingSide {
  readonly line: InkLine;
  readonly pieces: readonly number[];
}

/**
 * Sides of slanted boxes that were not found as lines, because a leader ends in their middle and halves them: ink that
 * joins the ends of two parallel slanted lines at a right angle.
 */
export function closingSides(
  lines: readonly InkLine[],
  { labels, list }: Components,
  { ink, letter }: { readonly ink: Bitmap; readonly letter: number },
): ClosingSide[] {
  const slanted = lines.slice(0, MOST).flatMap((line) => {
    const length = lengthOf(line);
    const [dx, dy] = [(line.x1 - line.x0) / length, (line.y1 - line.y0) / length];
    return length > letter && Math.min(Math.abs(dx), Math.abs(dy)) > SLANTED ? [{ line, dx, dy }] : [];
  });
  const reach = LONG[1] * letter;
  const cells = new Map<number, (Point & { readonly of: number })[]>();
  const cellOf = (x: number, y: number): number => Math.floor(x / reach) * 100_003 + Math.floor(y / reach);
  const found: ClosingSide[] = [];
  let tries = 0;
  slanted.forEach(({ line: { x0, y0, x1, y1 }, dx, dy }, of) => {
    for (const [x, y] of [
      [x0, y0],
      [x1, y1],
    ])
      for (const u of [-reach, 0, reach])
        for (const v of [-reach, 0, reach])
          for (const end of cells.get(cellOf(x + u, y + v)) ?? []) {
            const other = slanted[end.of];
            const high = Math.hypot(end.x - x, end.y - y);
            if (end.of === of || high < LONG[0] * letter || high > reach) continue;
            if (Math.abs(dx * other.dy - dy * other.dx) > PARALLEL) continue;
            if (Math.abs((end.x - x) * dx + (end.y - y) * dy) > SQUARE * high) continue;
            const line: InkLine = { x0: x, y0: y, x1: end.x, y1: end.y, thickness: 2 };
            if (++tries > MOST_TRIES) return;
            const { share, pieces } = inkOn(line, labels, ink);
            if (share < INKED) continue;
            const isThere = [...lines, ...found.map((side) => side.line)].some(
              (known) => distanceTo(known, x, y) < SAME && distanceTo(known, end.x, end.y) < SAME,
            );
            if (isThere) continue;
            found.push({
              line,
              pieces: [...pieces].filter(([i, count]) => count > OF_SIDE * list[i].area).map(([i]) => i),
            });
          }
    for (const [x, y] of [
      [x0, y0],
      [x1, y1],
    ])
      addTo(cells, cellOf(x, y), { x, y, of });
  });
  return found;
}

/** How much of a line is ink, and how many pixels about it each piece has. */
function inkOn(
  { x0, y0, x1, y1 }: InkLine,
  labels: ArrayLike<number>,
  { bits, width, height }: Bitmap,
): { readonly share: number; readonly pieces: ReadonlyMap<number, number> } {
  const length = Math.hypot(x1 - x0, y1 - y0);
  const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
  const pieces = new Map<number, number>();
  const seen = new Set<number>();
  let [all, inked] = [0, 0];
  for (let s = 0; s <= length; s++) {
    all++;
    let isInked = false;
    for (const t of [0, -1, 1, -2, 2]) {
      const x = Math.floor(x0 + s * dx - t * dy),
        y = Math.floor(y0 + s * dy + t * dx);
      if (x < 0 || y < 0 || x >= width || y >= height || bits[y * width + x] === 0) continue;
      isInked ||= Math.abs(t) < 2;
      const at = y * width + x;
      if (labels[at] > 0 && !seen.has(at)) pieces.set(labels[at], (pieces.get(labels[at]) ?? 0) + 1);
      seen.add(at);
    }
    if (isInked) inked++;
  }
  return { share: inked / all, pieces };
}
