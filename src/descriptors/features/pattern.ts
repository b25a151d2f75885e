import type { Pattern } from './feature.js';

/** A place in the plane across the axes of holes, mm. */
export type Place = readonly [x: number, y: number];

/**
 * Fewest places of a pattern but a row of two, and of one on a circle without even spacing: any four may lie on one.
 */
const LEAST = 3;
const LEAST_UNEVEN = 5;
/** Largest pattern that is looked at. */
const MOST = 2_000;
/** Largest deviation of a place, as a share of the pitch or of the radius, and of an even angle, rad. */
const OFF = 5e-3;
const OFF_ANGLE = 0.01;

/**
 * How places are laid out: on a circle, in a row or in a grid; undefined if none of these. Two are a row; four in a
 * square are a grid unless something round has its middle there.
 */
export function patternOf(places: readonly Place[], isRoundAt: (middle: Place) => boolean): Pattern | undefined {
  if (places.length === 2) return rowOfTwo(places);
  if (places.length < LEAST || places.length > MOST) return undefined;
  const circle = circleOf(places);
  const grid = gridOf(places);
  if (circle !== undefined && (grid === undefined || isRoundAt(circle.middle)))
    return { kind: 'circle', diameterMm: circle.diameterMm };
  return grid;
}

function rowOfTwo([[ax, ay], [bx, by]]: readonly Place[]): Pattern | undefined {
  const pitchMm = Math.hypot(bx - ax, by - ay);
  return pitchMm > 0 ? { kind: 'row', pitchMm } : undefined;
}

function circleOf(places: readonly Place[]): { diameterMm: number; middle: Place } | undefined {
  const even = evenCircle(places);
  if (even !== undefined || places.length < LEAST_UNEVEN) return even;
  const middle = middleOfCircle(places);
  const radius = middle && radiusAbout(places, middle);
  return radius === undefined ? undefined : { diameterMm: 2 * radius, middle: middle! };
}

function evenCircle(places: readonly Place[]): { diameterMm: number; middle: Place } | undefined {
  const middle: Place = [
    places.reduce((sum, [x]) => sum + x, 0) / places.length,
    places.reduce((sum, [, y]) => sum + y, 0) / places.length,
  ];
  const radius = radiusAbout(places, middle);
  if (radius === undefined) return undefined;
  const angles = places.map(([x, y]) => Math.atan2(y - middle[1], x - middle[0])).sort((a, b) => a - b);
  const step = (2 * Math.PI) / places.length;
  const isEven = angles.every((angle, i) => Math.abs(angle - angles[0] - i * step) <= OFF_ANGLE);
  return isEven ? { diameterMm: 2 * radius, middle } : undefined;
}

/** The mean distance from a place, if all have it. */
function radiusAbout(places: readonly Place[], [mx, my]: Place): number | undefined {
  const radii = places.map(([x, y]) => Math.hypot(x - mx, y - my));
  const mean = radii.reduce((sum, radius) => sum + radius, 0) / radii.length;
  return mean > 0 && radii.every((radius) => Math.abs(radius - mean) <= OFF * mean) ? mean : undefined;
}

/** The centre of the circle through three places far apart. */
function middleOfCircle(places: readonly Place[]): Place | undefined {
  const [ax, ay] = places[0];
  const far = places.toSorted((p, q) => Math.hypot(q[0] - ax, q[1] - ay) - Math.hypot(p[0] - ax, p[1] - ay));
  const [bx, by] = far[0];
  const aside = ([x, y]: Place): number => (bx - ax) * (y - ay) - (by - ay) * (x - ax);
  const [cx, cy] = far.reduce((best, place) => (Math.abs(aside(place)) > Math.abs(aside(best)) ? place : best));
  const twice = 2 * aside([cx, cy]);
  const b2 = (bx - ax) ** 2 + (by - ay) ** 2,
    c2 = (cx - ax) ** 2 + (cy - ay) ** 2;
  if (!(Math.abs(twice) > 1e-6 * b2)) return undefined;
  return [ax + ((cy - ay) * b2 - (by - ay) * c2) / twice, ay + ((bx - ax) * c2 - (cx - ax) * b2) / twice];
}

/** A row or a grid along the line to the nearest neighbour of the first place, or along a side of the places. */
function gridOf(places: readonly Place[]): Pattern | undefined {
  const [ax, ay] = places[0];
  const others = places.slice(1).sort((p, q) => Math.hypot(p[0] - ax, p[1] - ay) - Math.hypot(q[0] - ax, q[1] - ay));
  for (const [x, y] of others.slice(0, 2)) {
    const length = Math.hypot(x - ax, y - ay);
    if (!(length > 0)) return undefined;
    const [ux, uy] = [(x - ax) / length, (y - ay) / length];
    const along = stepsOf(
      places.map((place) => (place[0] - ax) * ux + (place[1] - ay) * uy),
      length,
    );
    const across = stepsOf(
      places.map((place) => (place[1] - ay) * ux - (place[0] - ax) * uy),
      length,
    );
    if (along === undefined || across === undefined || along.count * across.count !== places.length) continue;
    if (across.count === 1) return { kind: 'row', pitchMm: along.pitchMm };
    if (along.count === 1) return { kind: 'row', pitchMm: across.pitchMm };
    const [wide, narrow] = along.count >= across.count ? [along, across] : [across, along];
    return { kind: 'grid', columns: wide.count, rows: narrow.count, pitchMm: [wide.pitchMm, narrow.pitchMm] };
  }
  return undefined;
}

/** How many different values there are, evenly spaced; undefined if they are not. */
function stepsOf(values: readonly number[], scale: number): { count: number; pitchMm: number } | undefined {
  const different: number[] = [];
  for (const value of [...values].sort((a, b) => a - b))
    if (different.length === 0 || value - different[different.length - 1] > 2 * OFF * scale) different.push(value);
  const count = different.length;
  if (count === 1) return { count, pitchMm: 0 };
  const pitchMm = (different[count - 1] - different[0]) / (count - 1);
  const isEven = different.every((value, i) => Math.abs(value - different[0] - i * pitchMm) <= 2 * OFF * pitchMm);
  return isEven ? { count, pitchMm } : undefined;
}
