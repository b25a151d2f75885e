import { componentsOf, inverse, shrink, type Bitmap, type PixelBox } from '../../bitmap/bitmap.js';
import type { InkLine } from './ink-lines.js';

/** A circle of ink: its middle and radius, pixels. */
export interface InkRing {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Holes are sought on a page of half the size. */
const SMALLER = 2;
/** Radii of circles, in heights of letters; most candidates of a page. */
const RADIUS = [0.45, 7] as const;
const MOST_HOLES = 3_000;
/** Directions in which ink is sought around a middle, and the share of them that must find it. */
const DIRECTIONS = 48;
const FOUND = 0.9;
/** How far the ink of a circle may be from it: pixels, and share of its radius. */
const OFF = [2, 0.06] as const;
/** The same of a small circle that lines touch. */
const ROUND = [1, 0.1] as const;
/** The short side of a truncated cone as a share of the long one. */
const CONE = [0.3, 0.8] as const;

/**
 * Circles of a page, and the upright sides of truncated cones beside two circles about one middle (the symbols of the
 * projection methods). A circle is found by its hole, which lines that touch it from outside do not change; one with a
 * level line through it by one of the halves.
 * @param letter height of letters, pixels.
 */
export function ringsOf(
  ink: Bitmap,
  letter: number,
): { readonly rings: readonly InkRing[]; readonly sides: readonly InkLine[] } {
  const [least, most] = RADIUS.map((radius) => (2 * radius * letter) / SMALLER);
  const holes = componentsOf(inverse(shrink(ink, SMALLER)), 4)
    .list.slice(1)
    .map(({ box }) => box)
    .filter(
      ({ x0, x1, y0, y1 }) => x1 - x0 >= least - 2 && x1 - x0 <= most && y1 - y0 <= most && 2 * (y1 - y0) >= least - 2,
    )
    .slice(0, MOST_HOLES)
    .map(({ x0, y0, x1, y1 }) => ({ x0: SMALLER * x0, y0: SMALLER * y0, x1: SMALLER * x1, y1: SMALLER * y1 }));
  const rings: InkRing[] = [];
  const consider = (box: PixelBox): void => {
    const ring = ringAbout(ink, box);
    if (ring !== undefined && ring.radius >= RADIUS[0] * letter && !rings.some((other) => isSame(other, ring)))
      rings.push(ring);
  };
  for (const hole of holes) {
    const width = hole.x1 - hole.x0,
      height = hole.y1 - hole.y0;
    if (Math.abs(width - height) <= 0.12 * width + 2) consider(hole);
    if (Math.abs(width - 2 * height) > 0.3 * width) continue;
    // The upper or the lower half of a circle with a level line through it.
    consider({ ...hole, y1: hole.y0 + width });
    consider({ ...hole, y0: hole.y1 - width });
  }
  const pairs = rings.filter((outer) =>
    rings.some(
      (inner) =>
        inner.radius < 0.8 * outer.radius && Math.hypot(inner.x - outer.x, inner.y - outer.y) < 0.08 * outer.radius + 1,
    ),
  );
  const sides = pairs.flatMap(({ x, y, radius }) =>
    holes
      .filter((hole) => Math.abs((hole.y0 + hole.y1) / 2 - y) < 0.15 * radius + 2)
      .filter(
        (hole) => Math.abs((hole.x0 + hole.x1) / 2 - x) < 7 * radius && (hole.x0 > x + radius || hole.x1 < x - radius),
      )
      .flatMap((hole) => sidesOf(ink, hole)),
  );
  return { rings, sides };
}

function isSame(a: InkRing, b: InkRing): boolean {
  return Math.hypot(a.x - b.x, a.y - b.y) < 0.2 * a.radius && Math.abs(a.radius - b.radius) < 0.15 * a.radius;
}

/**
 * Whether a circle of about a radius stands about a place, which lines may touch: that in a mark of texture. It is
 * rounder than the triangle of a closed mark.
 */
export function isRingAt(ink: Bitmap, x: number, y: number, radius: number): boolean {
  const radii = radiiAbout(ink, { x, y, inner: radius });
  if (radii.length < FOUND * DIRECTIONS) return false;
  const middle = radii[radii.length >> 1];
  const off = ROUND[0] + ROUND[1] * middle;
  return radii.filter((each) => Math.abs(each - middle) <= off).length >= FOUND * DIRECTIONS;
}

/** The circle whose hole has a box. */
function ringAbout(ink: Bitmap, { x0, y0, x1, y1 }: PixelBox): InkRing | undefined {
  const x = (x0 + x1) / 2,
    y = (y0 + y1) / 2;
  const radii = radiiAbout(ink, { x, y, inner: (x1 - x0 + y1 - y0) / 4 });
  if (radii.length < FOUND * DIRECTIONS) return undefined;
  const radius = radii[radii.length >> 1];
  const near = radii.filter((each) => Math.abs(each - radius) <= OFF[0] + OFF[1] * radius).length;
  return near >= FOUND * DIRECTIONS ? { x, y, radius } : undefined;
}

/** How far from a place the ink about it is in each direction in which it is near a radius, ascending. */
function radiiAbout(
  { bits, width, height }: Bitmap,
  { x, y, inner }: { readonly x: number; readonly y: number; readonly inner: number },
): number[] {
  const slack = SMALLER + OFF[0] + OFF[1] * inner;
  const radii: number[] = [];
  for (let i = 0; i < DIRECTIONS; i++) {
    const cos = Math.cos((2 * Math.PI * i) / DIRECTIONS),
      sin = Math.sin((2 * Math.PI * i) / DIRECTIONS);
    // From outside: letters inside may be as near.
    for (let radius = inner + slack; radius >= inner - slack; radius -= 0.5) {
      const u = Math.floor(x + radius * cos),
        v = Math.floor(y + radius * sin);
      if (u < 0 || v < 0 || u >= width || v >= height || bits[v * width + u] === 0) continue;
      radii.push(radius);
      break;
    }
  }
  return radii.sort((a, b) => a - b);
}

/** The left and the right side of a truncated cone that lies on its side; none for other holes. */
function sidesOf({ bits, width }: Bitmap, { x0, y0, x1, y1 }: PixelBox): InkLine[] {
  const y = (y0 + y1) / 2;
  const sideAt = (x: number, out: number): InkLine => {
    let upper = Math.floor(y),
      lower = upper;
    while (upper > y0 - 4 && bits[upper * width + x] === 0) upper--;
    while (lower < y1 + 4 && bits[lower * width + x] === 0) lower++;
    return { x0: x + out, y0: upper, x1: x + out, y1: lower, thickness: 1 };
  };
  const sides = [sideAt(x0 + 3, -4), sideAt(x1 - 4, 4)];
  const [short, long] = sides.map((side) => side.y1 - side.y0).sort((a, b) => a - b);
  return short > CONE[0] * long && short < CONE[1] * long && long > 0.8 * (y1 - y0) ? sides : [];
}
