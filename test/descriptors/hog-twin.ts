import type { TriangleMesh } from '../../dist/core-entry.js';

/**
 * The histograms of oriented gradients of a part's six axis views, written again as plainly as can be, in double
 * precision and without any of the kernels' short cuts: the reference that they are tested against. The mesh is taken
 * as it lies.
 */

const DRAWN = 96;
const SIDE = 32;

/** f64[3 channels][6 views][4][4][8], before the power of 0.4. */
export function hogOf(mesh: TriangleMesh): Float64Array {
  const cube = stretched(mesh);
  const hog = new Float64Array(3 * 6 * 128);
  for (let axis = 0; axis < 3; axis++) {
    const images = draw(cube, mesh.indices, axis);
    for (const side of [0, 1] as const) {
      const { depth, facing } = images.sides[side];
      const view = 2 * axis + side;
      [depth, facing, images.layers].forEach((image, channel) =>
        hog.set(histogram(blurred(shrunk(image))), (6 * channel + view) * 128),
      );
    }
  }
  return hog;
}

/** Coordinates such that the box becomes the cube of half side 0.98. */
function stretched({ positions }: TriangleMesh): number[][] {
  const vertices = Array.from({ length: positions.length / 3 }, (_, i) => [...positions.subarray(3 * i, 3 * i + 3)]);
  const ends = [0, 1, 2].map((axis) => [Math.min, Math.max].map((end) => end(...vertices.map((v) => v[axis]))));
  return vertices.map((v) =>
    v.map((value, axis) => (0.98 * (2 * value - ends[axis][0] - ends[axis][1])) / (ends[axis][1] - ends[axis][0])),
  );
}

interface Images {
  readonly sides: readonly [
    { depth: Float64Array; facing: Float64Array },
    { depth: Float64Array; facing: Float64Array },
  ];
  readonly layers: Float64Array;
}

/** Each pixel centre against each triangle, whose corners are put on a grid of 1 / 256 pixel. */
function draw(vertices: readonly number[][], indices: Uint32Array, axis: number): Images {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const pixels = DRAWN * DRAWN;
  const sides = [0, 1].map(() => ({
    depth: new Float64Array(pixels),
    facing: new Float64Array(pixels),
  })) as unknown as Images['sides'];
  const ends = [new Float64Array(pixels).fill(-Infinity), new Float64Array(pixels).fill(-Infinity)];
  const count = new Float64Array(pixels);
  for (let t = 0; t < indices.length; t += 3) {
    const corners = [0, 1, 2].map((k) => vertices[indices[t + k]]);
    const [a, b, c] = corners.map((p) => [p[u], p[v]].map((value) => Math.round((value + 1) * 0.5 * DRAWN * 256)));
    const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (area === 0) continue;
    const facing = facingOf(corners, axis);
    for (let row = 0; row < DRAWN; row++) {
      for (let column = 0; column < DRAWN; column++) {
        const p = [256 * column + 128, 256 * row + 128];
        const edges = [
          [b, c],
          [c, a],
          [a, b],
        ];
        const weights = edges.map(
          ([from, to]) => ((to[0] - from[0]) * (p[1] - from[1]) - (to[1] - from[1]) * (p[0] - from[0])) / area,
        );
        if (weights.some((weight, k) => weight < 0 || (weight === 0 && !ownsBorder(edges[k], area)))) continue;
        const at = row * DRAWN + column;
        const w = weights.reduce((sum, weight, k) => sum + weight * corners[k][axis], 0);
        count[at]++;
        for (const side of [0, 1]) {
          const towards = side === 0 ? w : -w;
          if (towards <= ends[side][at]) continue;
          ends[side][at] = towards;
          sides[side].depth[at] = 0.05 + 0.475 * (towards + 1);
          sides[side].facing[at] = facing;
        }
      }
    }
  }
  return { sides, layers: count.map((n) => Math.log(1 + n)) };
}

/** The top-left rule: of two triangles that share an edge one has the centres on it. */
function ownsBorder([from, to]: readonly number[][], area: number): boolean {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]].map((step) => Math.sign(area) * step);
  return dy < 0 || (dy === 0 && dx > 0);
}

function facingOf([a, b, c]: readonly number[][], axis: number): number {
  const [p, q] = [b, c].map((corner) => corner.map((value, k) => value - a[k]));
  const normal = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
  return Math.abs(normal[axis]) / Math.hypot(...normal);
}

/** Means of 3 × 3 pixels. */
function shrunk(image: Float64Array): Float64Array {
  return Float64Array.from({ length: SIDE * SIDE }, (_, at) => {
    let sum = 0;
    for (let j = 0; j < 3; j++)
      for (let i = 0; i < 3; i++) sum += image[(3 * Math.floor(at / SIDE) + j) * DRAWN + 3 * (at % SIDE) + i];
    return sum / 9;
  });
}

/** Gaussian of 0.7 pixels, cut off after 3; the border repeats. */
function blurred(image: Float64Array): Float64Array {
  const weight = (d: number): number => Math.exp((-d * d) / (2 * 0.7 * 0.7));
  return image.map((_, at) => {
    let sum = 0,
      total = 0;
    for (let j = -3; j <= 3; j++) {
      for (let i = -3; i <= 3; i++) {
        sum += weight(i) * weight(j) * pixel(image, (at % SIDE) + i, Math.floor(at / SIDE) + j);
        total += weight(i) * weight(j);
      }
    }
    return sum / total;
  });
}

/** [4 rows][4 columns][8 directions], divided by its length plus 0.1. */
function histogram(image: Float64Array): Float64Array {
  const cells = new Float64Array(128);
  const share = (place: number, cell: number): number => Math.exp(-((place - (8 * cell + 3.5)) ** 2) / 32);
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const [gx, gy] = [
        pixel(image, x + 1, y) - pixel(image, x - 1, y),
        pixel(image, x, y + 1) - pixel(image, x, y - 1),
      ];
      const magnitude = Math.hypot(gx, gy);
      if (magnitude < 1e-6) continue;
      const place = (8 * ((Math.atan2(gy, gx) + Math.PI) % Math.PI)) / Math.PI;
      const [lower, part] = [Math.floor(place), place % 1];
      for (let cell = 0; cell < 16; cell++) {
        const weight = magnitude * share(y, Math.floor(cell / 4)) * share(x, cell % 4);
        cells[8 * cell + (lower % 8)] += weight * (1 - part);
        cells[8 * cell + ((lower + 1) % 8)] += weight * part;
      }
    }
  }
  const length = Math.hypot(...cells) + 0.1;
  return cells.map((value) => value / length);
}

function pixel(image: Float64Array, x: number, y: number): number {
  const inside = (place: number): number => Math.min(SIDE - 1, Math.max(0, place));
  return image[inside(y) * SIDE + inside(x)];
}
