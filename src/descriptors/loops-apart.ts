import { LINE_DIRECTIONS, LINE_SUMS } from '../shapelets/sheet/line-sums.js';

/** How far the round loops of a page may be from those of another one that is the same, in mean distances of lines. */
const LOOPS_APART = 5e-4;
/** What is farther off is another loop. */
const OTHER = 0.05;

/** Where a point of the first page lies on the second, and how much larger it is there. */
export interface LaidPoint {
  readonly scale: number;
  atX(x: number, y: number): number;
  atY(x: number, y: number): number;
}

/**
 * Whether the round loops of two pages tell that they are not the same: all of one page are on the other, of which one
 * lies elsewhere or has another radius, or that one has more. Where loops of both have no partner, one program cuts
 * circles in another way, and nothing is told; nor where one page has none.
 * @param a, b the lines of both, see `PageInk.lines`
 */
export function loopsDiffer(a: Float32Array, b: Float32Array, laid: LaidPoint): boolean {
  const own = loopsIn(a).map(([x, y, radius]): Loop => [laid.atX(x, y), laid.atY(x, y), laid.scale * radius]);
  const [fewer, more] = [own, loopsIn(b)].sort((one, other) => one.length - other.length);
  if (fewer.length === 0) return false;
  const unit = b[LINE_DIRECTIONS];
  const left = new Set(more);
  let worst = 0;
  for (const loop of fewer) {
    let nearest: Loop | undefined,
      least = OTHER * unit;
    for (const other of left) {
      const apart = Math.max(...loop.map((value, i) => Math.abs(value - other[i])));
      if (apart < least) [nearest, least] = [other, apart];
    }
    if (nearest === undefined) return false;
    left.delete(nearest);
    worst = Math.max(worst, least);
  }
  return left.size > 0 || worst > LOOPS_APART * unit;
}

type Loop = readonly [x: number, y: number, radius: number];

function loopsIn(lines: Float32Array): Loop[] {
  const loops: Loop[] = [];
  for (let at = LINE_SUMS + 1; at + 2 < lines.length; at += 3) loops.push([lines[at], lines[at + 1], lines[at + 2]]);
  return loops;
}
