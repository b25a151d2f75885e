import type { Color } from '../../content/model.js';
import type { Limits } from '../../options.js';
import { MeshBuilder, type Piece } from './mesh-builder.js';
import { addElevationGrid, addExtrusion } from './vrml-extrusion.js';
import type { VrmlNode } from './vrml-parser.js';

/** Segments of a full turn of a cylinder, cone or sphere; even, so that both ends of a diameter are vertices. */
const SEGMENTS = 64;

/** Node types of shapes that are not read. */
export const UNREAD_SHAPES: readonly string[] = ['Text', 'AsciiText'];

/** Numbers of a field, or the default when it is missing or too short. */
export function numbersOf(
  node: VrmlNode,
  field: string,
  fallback: readonly number[],
): readonly number[] | Float64Array {
  const numbers = node.fields.get(field)?.numbers;
  return numbers === undefined || numbers.length < fallback.length ? fallback : numbers;
}

function sizeOf(node: VrmlNode, field: string, fallback = 2): number {
  return numbersOf(node, field, [fallback])[0];
}

/** The first node of a field. */
export function nodeOf(node: VrmlNode | undefined, field: string): VrmlNode | undefined {
  return node?.fields.get(field)?.nodes[0];
}

/** The first colour of a material; undefined when it has none. */
export function colorOf(material: VrmlNode | undefined): Color | undefined {
  const numbers = material?.fields.get('diffuseColor')?.numbers;
  if (numbers === undefined || !(numbers.length >= 3 && numbers.every((value) => value >= 0 && value <= 1)))
    return undefined;
  return [numbers[0], numbers[1], numbers[2]];
}

/**
 * The triangles of a geometry node of VRML 1 or 2, in its own frame; undefined when the node is not a supported
 * surface. Round shapes get {@link SEGMENTS} segments per turn. points: the node with the field `point` that an
 * IndexedFaceSet indexes.
 * @throws EngineError `LIMIT_EXCEEDED` beyond `limits.triangles`.
 */
export function pieceOf(
  geometry: VrmlNode,
  context: {
    readonly name: string;
    readonly points?: VrmlNode;
    readonly clockwise?: boolean;
    readonly color?: Color;
    readonly limits: Limits;
  },
): Piece | undefined {
  // Thousands of face sets may share one list of points, so it is not copied.
  const places = geometry.type === 'IndexedFaceSet' ? context.points?.fields.get('point')?.numbers : undefined;
  const builder = new MeshBuilder(context.limits, places?.subarray(0, places.length - (places.length % 3)));
  builder.startPiece(context.name, context.color);
  switch (geometry.type) {
    case 'IndexedFaceSet':
      addFaces(builder, geometry, context.clockwise === true || geometry.fields.get('ccw')?.words[0] === 'FALSE');
      break;
    case 'Box': {
      const [x, y, z] = numbersOf(geometry, 'size', [2, 2, 2]);
      addBox(builder, x, y, z);
      break;
    }
    case 'Cube':
      addBox(builder, sizeOf(geometry, 'width'), sizeOf(geometry, 'height'), sizeOf(geometry, 'depth'));
      break;
    case 'Cylinder':
      addLathe(builder, profile(sizeOf(geometry, 'radius', 1), sizeOf(geometry, 'height'), false));
      break;
    case 'Cone':
      addLathe(builder, profile(sizeOf(geometry, 'bottomRadius', 1), sizeOf(geometry, 'height'), true));
      break;
    case 'Sphere':
      addLathe(builder, halfCircle(sizeOf(geometry, 'radius', 1)));
      break;
    case 'Extrusion':
      addExtrusion(builder, geometry);
      break;
    case 'ElevationGrid':
      addElevationGrid(builder, geometry);
      break;
    default:
      return undefined;
  }
  return builder.pieces()[0];
}

function addFaces(builder: MeshBuilder, geometry: VrmlNode, clockwise: boolean): void {
  const corners = geometry.fields.get('coordIndex')?.numbers ?? new Float64Array(0);
  for (let start = 0; start < corners.length; ) {
    let end = start;
    while (end < corners.length && corners[end] >= 0) end++;
    // The order is reversed from the second corner on, so that both windings are cut into the same triangles.
    for (let i = start; i < end; i++) builder.corner(corners[clockwise && i > start ? start + end - i : i]);
    builder.endPolygon();
    start = end + 1;
  }
}

function addBox(builder: MeshBuilder, x: number, y: number, z: number): void {
  for (let corner = 0; corner < 8; corner++) {
    builder.vertex(corner & 1 ? x / 2 : -x / 2, corner & 2 ? y / 2 : -y / 2, corner & 4 ? z / 2 : -z / 2);
  }
  for (const [a, b, c, d] of [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ]) {
    builder.triangle(a, b, c);
    builder.triangle(a, c, d);
  }
}

/** Radius and height from the centre of the bottom to the centre of the top. */
type Profile = readonly (readonly [radius: number, height: number])[];

function profile(radius: number, height: number, pointed: boolean): Profile {
  const bottom = [
    [0, -height / 2],
    [radius, -height / 2],
  ] as const;
  return pointed ? [...bottom, [0, height / 2]] : [...bottom, [radius, height / 2], [0, height / 2]];
}

function halfCircle(radius: number): Profile {
  const steps = SEGMENTS / 2;
  return Array.from({ length: steps + 1 }, (_, i) => {
    const angle = (Math.PI * i) / steps;
    return [i === 0 || i === steps ? 0 : radius * Math.sin(angle), -radius * Math.cos(angle)] as const;
  });
}

/** Rotates the profile about the y axis. Triangles with two corners on the axis are left out. */
function addLathe(builder: MeshBuilder, outline: Profile): void {
  for (const [radius, height] of outline) {
    for (let i = 0; i < SEGMENTS; i++) {
      const angle = (2 * Math.PI * i) / SEGMENTS;
      builder.vertex(radius * Math.sin(angle), height, radius * Math.cos(angle));
    }
  }
  for (let ring = 0; ring + 1 < outline.length; ring++) {
    for (let i = 0; i < SEGMENTS; i++) {
      const j = (i + 1) % SEGMENTS;
      const a = ring * SEGMENTS + i,
        b = ring * SEGMENTS + j;
      if (outline[ring][0] !== 0) builder.triangle(a, b, b + SEGMENTS);
      if (outline[ring + 1][0] !== 0) builder.triangle(a, b + SEGMENTS, a + SEGMENTS);
    }
  }
}
