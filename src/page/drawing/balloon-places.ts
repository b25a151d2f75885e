import type { Spot } from './pages.js';
import type { Size } from './placement.js';

/** Radius of a balloon, page units. */
export const BALLOON = 11;

type Point = readonly [x: number, y: number];

/** On a page of more annotations than this each balloon stands at the beginning of its text: some 0.1 s of looking. */
const MANY = 400;

/** A rectangle along its text: its centre, half of its sides, and the direction of its text. */
interface Area {
  readonly centre: Point;
  readonly half: Point;
  readonly along: Point;
}

/**
 * Ends and sides of a text at which its balloon may stand, as shares of half of its sides: at its beginning, above it,
 * at its end, below it.
 */
const PLACES: readonly { readonly at: Point; readonly beside: Point }[] = [
  { at: [-1, 0], beside: [-1, 0] },
  { at: [-1, -1], beside: [-1, -1] },
  { at: [-1, -1], beside: [0, -1] },
  { at: [1, 0], beside: [1, 0] },
  { at: [1, -1], beside: [1, -1] },
  { at: [1, -1], beside: [0, -1] },
  { at: [-1, 1], beside: [-1, 1] },
  { at: [-1, 1], beside: [0, 1] },
  { at: [1, 1], beside: [1, 1] },
  { at: [1, 1], beside: [0, 1] },
];

/**
 * Where the balloons of a page stand: beside their annotation, in the first of ten places that covers no other
 * annotation and no other balloon, or in the one that covers least; on very full pages in the first. In the order of
 * the numbers, so that the same page
 * gives the same places.
 * @param spots all annotations of the page. @param numbers of those that have a balloon, by their ids.
 * @returns centres in page units, by the ids of the annotations.
 */
export function balloonPlaces(
  spots: readonly Spot[],
  numbers: ReadonlyMap<string, string>,
  size: Size,
): Map<string, Point> {
  const areas = new Map(spots.filter(({ kind }) => kind === 'pmi').map((spot) => [spot.id, areaOf(spot, size)]));
  const placed = new Map<string, Point>();
  const ordered = [...areas].filter(([id]) => numbers.has(id));
  const firstOf = (id: string): number => Number.parseInt(numbers.get(id)!, 10);
  ordered.sort(([a], [b]) => firstOf(a) - firstOf(b));
  for (const [id, area] of ordered) {
    let best: { readonly at: Point; readonly covered: number } | undefined;
    for (const place of areas.size > MANY ? PLACES.slice(0, 1) : PLACES) {
      const at = onPage(pointOf(area, place), size);
      let covered = 0;
      for (const other of areas.values()) covered += depthIn(other, at);
      for (const other of placed.values())
        covered += Math.max(0, 2 * BALLOON - Math.hypot(at[0] - other[0], at[1] - other[1]));
      if (best === undefined || covered < best.covered) best = { at, covered };
      if (covered === 0) break;
    }
    placed.set(id, best!.at);
  }
  return placed;
}

function areaOf({ box, turned }: Spot, { width, height }: Size): Area {
  if (turned === undefined)
    return {
      centre: [(box.x + box.width / 2) * width, (box.y + box.height / 2) * height],
      half: [(box.width / 2) * width, (box.height / 2) * height],
      along: [1, 0],
    };
  const side = Math.max(width, height);
  const angle = (turned.angleDeg * Math.PI) / 180;
  return {
    centre: [turned.x * side, turned.y * side],
    half: [(turned.width / 2) * side, (turned.height / 2) * side],
    along: [Math.cos(angle), Math.sin(angle)],
  };
}

/** The centre of a balloon that touches its annotation. */
function pointOf({ centre, half, along: [cos, sin] }: Area, { at, beside }: (typeof PLACES)[number]): Point {
  const along = at[0] * half[0] + (beside[0] === 0 ? -at[0] : beside[0]) * BALLOON;
  const across = at[1] * half[1] + beside[1] * BALLOON;
  return [centre[0] + along * cos - across * sin, centre[1] + along * sin + across * cos];
}

function onPage([x, y]: Point, { width, height }: Size): Point {
  return [Math.min(Math.max(x, BALLOON), width - BALLOON), Math.min(Math.max(y, BALLOON), height - BALLOON)];
}

/** How far a balloon reaches into an area, page units; less than a unit is a touch. */
function depthIn({ centre, half, along: [cos, sin] }: Area, [x, y]: Point): number {
  const dx = x - centre[0],
    dy = y - centre[1];
  const reach = half[0] + half[1] + BALLOON;
  if (Math.abs(dx) > reach || Math.abs(dy) > reach) return 0;
  const beyond = Math.hypot(
    Math.max(0, Math.abs(dx * cos + dy * sin) - half[0]),
    Math.max(0, Math.abs(dy * cos - dx * sin) - half[1]),
  );
  return beyond > BALLOON - 1 ? 0 : BALLOON - beyond;
}
