import { multiply } from '../../content/matrix.js';
import type { FittedSurface } from '../../descriptors/faces/fitted-surface.js';
import type { FaceEdge, FaceTable, PartFace } from '../../descriptors/faces/part-face.js';
import { SAMPLE } from '../../descriptors/faces/free-samples.js';
import { GRID, pointsOf, type FaceRegion } from '../../descriptors/faces/region.js';
import { lengthOf, minus, movedPoint, turned, unit, type Vector } from '../../descriptors/faces/vector.js';

/** A shape whose faces are all in the frame of its file. */
export interface PlacedShape {
  readonly faces: readonly PartFace[];
  /** Between faces of one body, by their positions in `faces`. */
  readonly edges: readonly FaceEdge[];
}

/** Most faces that are placed of one file; what is beyond is left out. */
const MOST_PLACED = 60_000;
/** x to -x. */
const MIRROR = Float64Array.of(-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

/** All faces of a file in its frame. mirrored: of its mirror image, x to -x. */
export function placedShape({ bodies, places }: FaceTable, { mirrored = false } = {}): PlacedShape {
  const faces: PartFace[] = [];
  const edges: FaceEdge[] = [];
  for (const { body, matrix } of places) {
    const first = faces.length;
    if (first + bodies[body].faces.length > MOST_PLACED) break;
    const moved = mirrored ? multiply(MIRROR, matrix) : matrix;
    const mirrors = isMirror(moved);
    for (const face of bodies[body].faces) faces.push(isIdentity(moved) ? face : movedFace(face, moved, mirrors));
    for (const edge of bodies[body].edges)
      edges.push(first === 0 ? edge : { ...edge, faces: [first + edge.faces[0], first + edge.faces[1]] });
  }
  return { faces, edges };
}

/** The faces of a shape at these positions, with the edges between them. */
export function partOf({ faces, edges }: PlacedShape, positions: readonly number[]): PlacedShape {
  const placeOf = new Map(positions.map((position, i) => [position, i]));
  return {
    faces: positions.map((position) => faces[position]),
    edges: edges.flatMap((edge) => {
      const [a, b] = edge.faces.map((face) => placeOf.get(face));
      return a === undefined || b === undefined ? [] : [{ ...edge, faces: [a, b] as const }];
    }),
  };
}

/** Largest extent of faces along the axes and diagonals of their frame, mm: of their points. */
export function sizeOf(faces: readonly PartFace[]): number {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (const face of faces)
    for (const point of pointsOf(face, face.region))
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], point[k]);
        high[k] = Math.max(high[k], point[k]);
      }
  return faces.length === 0 ? 0 : lengthOf(minus(high as unknown as Vector, low as unknown as Vector));
}

function isMirror(m: ArrayLike<number>): boolean {
  const x = m[5] * m[10] - m[6] * m[9],
    y = m[6] * m[8] - m[4] * m[10],
    z = m[4] * m[9] - m[5] * m[8];
  return m[0] * x + m[1] * y + m[2] * z < 0;
}

function isIdentity(m: ArrayLike<number>): boolean {
  for (let i = 0; i < 16; i++) if (m[i] !== (i % 5 === 0 ? 1 : 0)) return false;
  return true;
}

/** A face moved by a matrix, which may also scale evenly and mirror. */
function movedFace(face: PartFace, matrix: Float64Array, mirrors: boolean): PartFace {
  const scale = lengthOf(turned(matrix, [1, 0, 0]));
  const { kind, second } = face;
  const surface: FittedSurface = {
    kind,
    axis: unit(turned(matrix, face.axis)),
    origin: movedPoint(matrix, face.origin),
    radiusMm: scale * face.radiusMm,
    second: kind === 'torus' ? scale * second : second,
  };
  return {
    ...face,
    ...surface,
    areaMm2: scale * scale * face.areaMm2,
    middle: movedPoint(matrix, face.middle),
    region: movedRegion(face, matrix, scale, mirrors),
    samples: movedSamples(face.samples, matrix, scale),
  };
}

function movedSamples(samples: Float64Array, matrix: Float64Array, scale: number): Float64Array {
  const found = new Float64Array(samples.length);
  for (let at = 0; at < samples.length; at += SAMPLE) {
    found.set(movedPoint(matrix, [samples[at], samples[at + 1], samples[at + 2]]), at);
    const normal = turned(matrix, [samples[at + 3], samples[at + 4], samples[at + 5]]);
    for (let k = 0; k < 3; k++) found[at + 3 + k] = normal[k] / scale;
  }
  return found;
}

/** The region on the moved surface; a mirror reverses the direction about the axis. */
function movedRegion({ kind, region }: PartFace, matrix: Float64Array, scale: number, mirrors: boolean): FaceRegion {
  const isFlat = kind === 'plane' || kind === 'free';
  const factors = isFlat ? [scale, scale] : kind === 'cylinder' || kind === 'cone' ? [1, scale] : [1, 1];
  // Along `axis × x`: v of planes and spheres, u of the others.
  const reversed = isFlat || kind === 'sphere' ? 1 : 0;
  const from = [factors[0] * region.from[0], factors[1] * region.from[1]],
    to = [factors[0] * region.to[0], factors[1] * region.to[1]];
  if (mirrors) [from[reversed], to[reversed]] = [-to[reversed], -from[reversed]];
  return {
    x: unit(turned(matrix, region.x)),
    from: [from[0], from[1]],
    to: [to[0], to[1]],
    cells: mirrors ? reversedCells(region.cells, reversed) : region.cells,
  };
}

function reversedCells(cells: readonly [number, number], along: number): [number, number] {
  const found: [number, number] = [0, 0];
  for (let bit = 0; bit < GRID * GRID; bit++) {
    if (((cells[bit >> 5] >>> (bit & 31)) & 1) === 0) continue;
    const u = bit % GRID,
      v = Math.floor(bit / GRID);
    const other = along === 0 ? v * GRID + (GRID - 1 - u) : (GRID - 1 - v) * GRID + u;
    found[other >> 5] |= 1 << (other & 31);
  }
  return [found[0] >>> 0, found[1] >>> 0];
}
