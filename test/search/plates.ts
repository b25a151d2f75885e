import type { TriangleMesh } from '../../dist/core-entry.js';
import { meshOf } from '../core/shapes.js';
import type { Body } from '../fixtures/shapes.js';

type Point = readonly [x: number, y: number];

/** A round hole, mm. */
export interface Hole {
  readonly x: number;
  readonly y: number;
  readonly diameter: number;
  readonly segments?: number;
  /** Of a keyway of a through hole towards +x: its width, as deep below the round wall as half of that. */
  readonly keyway?: number;
  /** From the upper side, of a blind hole with a flat floor. Absent: it goes through. */
  readonly depth?: number;
}

/** A plate from z = 0 over an outline (counter-clockwise), with round holes through it or into it. */
export function plate(outline: readonly Point[], thickness: number, holes: readonly Hole[] = []): TriangleMesh {
  const rings = [outline, ...holes.map(ring)];
  const flat = rings.flat();
  const n = flat.length;
  const depths = [undefined, ...holes.map(({ depth }) => depth)];
  const lows = rings.flatMap((points, k) => points.map(() => (depths[k] === undefined ? 0 : thickness - depths[k])));
  const positions = [...flat.flatMap(([x, y], i) => [x, y, lows[i]]), ...flat.flatMap(([x, y]) => [x, y, thickness])];
  const indices: number[] = [];
  for (const [a, b, c] of triangulate(rings)) indices.push(n + a, n + b, n + c);
  const isOpen = rings.map((_, k) => depths[k] === undefined);
  const below = rings.flatMap((points, k) => points.map((_, i) => (isOpen[k] ? startOf(rings, k) + i : -1)));
  const through = below.filter((at) => at >= 0);
  for (const [a, b, c] of triangulate(rings.filter((_, k) => isOpen[k])))
    indices.push(through[a], through[c], through[b]);
  let first = 0;
  for (const [k, points] of rings.entries()) {
    // The floor of a blind hole, whose ring runs clockwise.
    if (!isOpen[k]) for (let i = 1; i + 1 < points.length; i++) indices.push(first, first + i + 1, first + i);
    points.forEach((_, i) => {
      const a = first + i,
        b = first + ((i + 1) % points.length);
      indices.push(a, b, n + b, a, n + b, n + a);
    });
    first += points.length;
  }
  return meshOf(positions, indices);
}

function startOf(rings: readonly (readonly Point[])[], k: number): number {
  return rings.slice(0, k).reduce((sum, points) => sum + points.length, 0);
}

/** The same as a body. */
export function plateBody(outline: readonly Point[], thickness: number, holes: readonly Hole[] = []): Body {
  const { positions, indices } = plate(outline, thickness, holes);
  const threes = (values: ArrayLike<number>): [number, number, number][] =>
    Array.from({ length: values.length / 3 }, (_, i) => [values[3 * i], values[3 * i + 1], values[3 * i + 2]]);
  return { name: 'plate', vertices: threes(positions), faces: threes(indices) };
}

/** A counter-clockwise circle around the origin. */
export function circle(diameter: number, segments = 48): Point[] {
  return ring({ x: 0, y: 0, diameter, segments }).reverse();
}

/** Clockwise, as holes are. */
function ring({ x, y, diameter, segments = 32, keyway = 0 }: Hole): Point[] {
  if (keyway > 0) return keyed(x, y, diameter / 2, keyway / 2);
  return Array.from({ length: segments }, (_, i) => {
    const angle = (-2 * Math.PI * i) / segments;
    return [x + (diameter / 2) * Math.cos(angle), y + (diameter / 2) * Math.sin(angle)] as const;
  });
}

/** A circle of 1° steps beside its keyway, clockwise from that. */
function keyed(x: number, y: number, radius: number, half: number): Point[] {
  const from = Math.asin(half / radius);
  const floor = radius + half;
  const round = Array.from({ length: 321 }, (_, i) => -from - ((2 * Math.PI - 2 * from) * i) / 320);
  return [
    [x + floor, y + half],
    [x + floor, y - half],
    ...round.map((angle) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)] as const),
  ];
}

/** Joins each hole to the outline by the shortest cut that crosses nothing, then cuts off ears. */
function triangulate(rings: readonly (readonly Point[])[]): [number, number, number][] {
  const points = rings.flat();
  const numbers: number[][] = [];
  let first = 0;
  for (const one of rings) {
    numbers.push(one.map((_, i) => first + i));
    first += one.length;
  }
  let loop = numbers[0];
  const rest = numbers.slice(1);
  while (rest.length > 0) {
    const edges = [loop, ...rest].flatMap((one) => one.map((a, i) => [a, one[(i + 1) % one.length]] as const));
    let best = { length: Infinity, at: 0, hole: 0, from: 0 };
    loop.forEach((a, at) =>
      rest.forEach((hole, h) =>
        hole.forEach((b, from) => {
          const length = Math.hypot(points[a][0] - points[b][0], points[a][1] - points[b][1]);
          if (length < best.length && !edges.some(([c, d]) => crosses(points, a, b, c, d)))
            best = { length, at, hole: h, from };
        }),
      ),
    );
    const [hole] = rest.splice(best.hole, 1);
    const turned = [...hole.slice(best.from), ...hole.slice(0, best.from + 1)];
    loop = [...loop.slice(0, best.at + 1), ...turned, ...loop.slice(best.at)];
  }
  const triangles: [number, number, number][] = [];
  while (loop.length > 2) {
    const ear = loop.findIndex((b, i) => {
      const a = loop[(i + loop.length - 1) % loop.length],
        c = loop[(i + 1) % loop.length];
      return cross(points, a, b, c) > 1e-12 && !loop.some((p) => isInside(points, a, b, c, p));
    });
    if (ear < 0) throw new Error('the outline crosses itself');
    triangles.push([loop[(ear + loop.length - 1) % loop.length], loop[ear], loop[(ear + 1) % loop.length]]);
    loop = loop.filter((_, i) => i !== ear);
  }
  return triangles;
}

function cross(points: readonly Point[], a: number, b: number, c: number): number {
  return (
    (points[b][0] - points[a][0]) * (points[c][1] - points[a][1]) -
    (points[b][1] - points[a][1]) * (points[c][0] - points[a][0])
  );
}

function crosses(points: readonly Point[], a: number, b: number, c: number, d: number): boolean {
  if (a === c || a === d || b === c || b === d) return false;
  return cross(points, a, b, c) * cross(points, a, b, d) <= 0 && cross(points, c, d, a) * cross(points, c, d, b) <= 0;
}

function isInside(points: readonly Point[], a: number, b: number, c: number, p: number): boolean {
  const same = (q: number): boolean => points[p][0] === points[q][0] && points[p][1] === points[q][1];
  if (same(a) || same(b) || same(c)) return false;
  return cross(points, a, b, p) >= 0 && cross(points, b, c, p) >= 0 && cross(points, c, a, p) >= 0;
}
