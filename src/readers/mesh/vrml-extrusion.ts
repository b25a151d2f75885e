import type { MeshBuilder } from './mesh-builder.js';
import type { VrmlNode } from './vrml-parser.js';
import { rotation } from '../geometry/transforms.js';
import { cross, dot, minus, type Vector } from '../geometry/vectors.js';

/** The geometry of an Extrusion. */
interface Extrusion {
  /** Points x, z of the cross-section. */
  readonly section: readonly (readonly [number, number])[];
  readonly spine: readonly Vector[];
  readonly isClosed: boolean;
}

/**
 * Adds the faces of an Extrusion (ISO/IEC 14772-1, 6.18): a cross-section, scaled and rotated at each point of a spine.
 * A closed spine has no caps. Adds nothing when section or spine has fewer than two points.
 */
export function addExtrusion(builder: MeshBuilder, node: VrmlNode): void {
  const section = pairs(numbers(node, 'crossSection', [1, 1, 1, -1, -1, -1, -1, 1, 1, 1]));
  const spine = triples(numbers(node, 'spine', [0, 0, 0, 0, 1, 0]));
  if (section.length < 2 || spine.length < 2) return;
  const isClosed = length(minus(spine[0], spine[spine.length - 1])) === 0;
  placeSections(builder, node, { section, spine, isClosed });
  const isClockwise = node.fields.get('ccw')?.words[0] === 'FALSE';
  const at = (ring: number, point: number): number => ring * section.length + point;
  const polygon = (...corners: number[]): void => {
    for (const corner of isClockwise ? corners.reverse() : corners) builder.corner(corner);
    builder.endPolygon();
  };
  for (let ring = 0; ring + 1 < spine.length; ring++) {
    for (let point = 0; point + 1 < section.length; point++) {
      polygon(at(ring, point), at(ring, point + 1), at(ring + 1, point + 1));
      polygon(at(ring, point), at(ring + 1, point + 1), at(ring + 1, point));
    }
  }
  const [first, last] = [section[0], section[section.length - 1]];
  const corners = Array.from(
    { length: section.length - (first[0] === last[0] && first[1] === last[1] ? 1 : 0) },
    (_, i) => i,
  );
  const hasCap = (field: string): boolean => !isClosed && node.fields.get(field)?.words[0] !== 'FALSE';
  if (hasCap('beginCap')) polygon(...corners.map((point) => at(0, point)).reverse());
  if (hasCap('endCap')) polygon(...corners.map((point) => at(spine.length - 1, point)));
}

/** Adds the faces of an ElevationGrid (ISO/IEC 14772-1, 6.17): heights over a grid, seen from above. */
export function addElevationGrid(builder: MeshBuilder, node: VrmlNode): void {
  const [columns] = numbers(node, 'xDimension', [0]),
    [rows] = numbers(node, 'zDimension', [0]);
  const [dx] = numbers(node, 'xSpacing', [1]),
    [dz] = numbers(node, 'zSpacing', [1]);
  const heights = numbers(node, 'height', []);
  if (
    !Number.isInteger(columns) ||
    !Number.isInteger(rows) ||
    columns < 2 ||
    rows < 2 ||
    heights.length < columns * rows
  )
    return;
  const isClockwise = node.fields.get('ccw')?.words[0] === 'FALSE';
  for (let i = 0; i < columns * rows; i++) builder.vertex((i % columns) * dx, heights[i], Math.floor(i / columns) * dz);
  for (let i = 0; i + columns < columns * rows; i++) {
    if (i % columns === columns - 1) continue;
    const [one, other] = isClockwise ? [i + 1, i + columns] : [i + columns, i + 1];
    builder.triangle(i, one, i + columns + 1);
    builder.triangle(i, i + columns + 1, other);
  }
}

function placeSections(builder: MeshBuilder, node: VrmlNode, { section, spine, isClosed }: Extrusion): void {
  const scales = pairs(numbers(node, 'scale', [1, 1]));
  const turns = numbers(node, 'orientation', [0, 0, 1, 0]);
  const frames = framesAlong(spine, isClosed);
  frames.forEach(([x, y, z], i) => {
    // A single value applies to the whole spine; when there are too few, the last one repeats.
    const [sx, sz] = scales[Math.min(i, scales.length - 1)] ?? [1, 1];
    const turn = 4 * Math.min(i, Math.floor(turns.length / 4) - 1);
    const m = turn < 0 ? undefined : rotation(turns[turn], turns[turn + 1], turns[turn + 2], turns[turn + 3]);
    for (const [px, pz] of section) {
      const u = px * sx,
        w = pz * sz;
      const [a, b, c] = m === undefined ? [u, 0, w] : [m[0] * u + m[8] * w, m[1] * u + m[9] * w, m[2] * u + m[10] * w];
      const [ox, oy, oz] = spine[i];
      builder.vertex(
        a * x[0] + b * y[0] + c * z[0] + ox,
        a * x[1] + b * y[1] + c * z[1] + oy,
        a * x[2] + b * y[2] + c * z[2] + oz,
      );
    }
  });
}

/** The axes x, y, z of the cross-section's frame at each point: y along the spine, z perpendicular to its bend. */
function framesAlong(spine: readonly Vector[], isClosed: boolean): (readonly [Vector, Vector, Vector])[] {
  const last = spine.length - 1;
  const around = (i: number): readonly [Vector, Vector] =>
    isClosed && (i === 0 || i === last)
      ? [spine[last - 1], spine[1]]
      : [spine[Math.max(0, i - 1)], spine[Math.min(last, i + 1)]];
  const ys = fill(spine.map((_, i) => unit(minus(around(i)[1], around(i)[0])))) ?? spine.map((): Vector => [0, 1, 0]);
  const bends = spine.map((point, i) => {
    if (!isClosed && (i === 0 || i === last)) return undefined;
    const [before, after] = around(i);
    return unit(cross(minus(after, point), minus(before, point)));
  });
  const zs = fill(bends) ?? ys.map(() => straightZ(ys[0]));
  let before: Vector | undefined;
  return ys.map((y, i): readonly [Vector, Vector, Vector] => {
    let z = zs[i];
    if (before !== undefined && dot(before, z) < 0) z = [-z[0], -z[1], -z[2]];
    before = z;
    return [cross(y, z), y, z];
  });
}

/** The z axis of a straight spine: rotated by the shortest rotation from (0, 1, 0) to the spine. */
function straightZ(y: Vector): Vector {
  const axis = cross([0, 1, 0], y),
    sine = length(axis),
    cosine = y[1];
  if (sine < 1e-12) return [0, 0, cosine < 0 ? -1 : 1];
  const m = rotation(axis[0], axis[1], axis[2], Math.atan2(sine, cosine));
  return [m[8], m[9], m[10]];
}

/** Fills gaps with the value before them, and gaps at the start with the first value; undefined when there is none. */
function fill(list: readonly (Vector | undefined)[]): Vector[] | undefined {
  let value = list.find((one) => one !== undefined);
  if (value === undefined) return undefined;
  return list.map((one): Vector => (value = one ?? value!));
}

function numbers(node: VrmlNode, field: string, fallback: readonly number[]): ArrayLike<number> & Iterable<number> {
  const found = node.fields.get(field)?.numbers;
  return found === undefined || found.length === 0 ? fallback : found;
}

function pairs(list: ArrayLike<number>): [number, number][] {
  return Array.from({ length: Math.floor(list.length / 2) }, (_, i) => [list[2 * i], list[2 * i + 1]]);
}

function triples(list: ArrayLike<number>): Vector[] {
  return Array.from(
    { length: Math.floor(list.length / 3) },
    (_, i): Vector => [list[3 * i], list[3 * i + 1], list[3 * i + 2]],
  );
}

function length(a: Vector): number {
  return Math.hypot(...a);
}

function unit(a: Vector): Vector | undefined {
  const size = length(a);
  return size > 1e-12 ? [a[0] / size, a[1] / size, a[2] / size] : undefined;
}
