import type { Core } from '../../../core/core.js';
import { cross, type Vector3 } from '../../../core/mass.js';
import type { TriangleMesh } from '../../../core/mesh.js';
import { USUAL_NEARNESS, follow, measured, type FittedPose, type Pose } from './pose-fit.js';
import type { Photo } from './photo.js';

/**
 * Lengths of rods and discs in diameters, sides of blocks beside their longest one, hole and height of rings in
 * diameters: with a cone and a ball 28 parts (`bench/findings/views.md`).
 */
const RODS = [0.05, 0.12, 0.25, 0.5, 1, 2, 4, 8, 16] as const;
const BLOCKS = [
  [1, 1],
  [1, 0.5],
  [1, 0.2],
  [1, 0.06],
  [0.5, 0.5],
  [0.5, 0.2],
  [0.5, 0.06],
  [0.25, 0.25],
  [0.25, 0.1],
  [0.25, 0.03],
  [0.1, 0.1],
  [0.1, 0.03],
  [0.05, 0.05],
] as const;
const RINGS = [
  [0.5, 0.1],
  [0.5, 0.4],
  [0.75, 0.2],
  [0.75, 1],
] as const;
/** Sides of a round part, and of half an outline of a ball. */
const SIDES = 32;
const ARCS = 12;
/** Directions from which round parts and blocks are seen; each is also tried turned by 90°. */
const ROUND_SEEN: readonly Vector3[] = [
  [1, 0, 0],
  [0.9, 0, 0.4],
  [0.6, 0, 0.8],
  [0, 0, 1],
];
const BLOCK_SEEN: readonly Vector3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [0.7, 0.7, 0],
  [0.7, 0, 0.7],
  [0, 0.7, 0.7],
  [0.58, 0.58, 0.58],
  [-0.58, 0.58, 0.58],
];
/** Poses that follow the outline of a photo, by their cost, and rounds; poses that then follow that of the fine one. */
const FOLLOWED = { poses: 48, rounds: 4 } as const;
const FINE = { poses: 4, rounds: 2 } as const;

interface PlainPart {
  readonly mesh: TriangleMesh;
  /** Where the camera is, in the part's frame: right along the longest axis that is seen, up, towards the camera. */
  readonly cameras: readonly (readonly [Vector3, Vector3, Vector3])[];
}

/** A plain part in a pose. */
interface Placed {
  readonly mesh: TriangleMesh;
  readonly pose: FittedPose;
}

let made: readonly PlainPart[] | undefined;

/**
 * What the best of some rods, discs, blocks, rings, a cone and a ball leaves unexplained of a photo: 0 to 1, as the
 * cost of a pose. What a plain part explains as well says little of any model.
 */
export function plainCost(core: Core, photo: Photo): number {
  const parts = (made ??= plainParts());
  const starts = parts.flatMap(({ mesh, cameras }) => {
    const poses = cameras.flatMap(([right, up, toward]) =>
      [0, Math.PI / 2].map((turn): Pose => {
        const cos = Math.cos(turn - photo.laidRad),
          sin = Math.sin(turn - photo.laidRad);
        const rows = [
          ...right.map((value, i) => cos * value - sin * up[i]),
          ...right.map((value, i) => sin * value + cos * up[i]),
          ...toward,
        ];
        return { rows, nearness: USUAL_NEARNESS };
      }),
    );
    return measured(core, mesh, photo.coarse, poses).map((pose): Placed => ({ mesh, pose }));
  });
  const coarse = cheapest(starts, FOLLOWED.poses).map((one) => moved(core, one, photo.coarse, FOLLOWED.rounds));
  const fine = cheapest(coarse, FINE.poses).map((one) => moved(core, one, photo.fine, FINE.rounds));
  return Math.min(...fine.map(({ pose }) => pose.cost));
}

function moved(core: Core, { mesh, pose }: Placed, picture: Photo['fine'], rounds: number): Placed {
  return { mesh, pose: follow(core, mesh, picture, { poses: [pose], rounds })[0] };
}

function cheapest(placed: readonly Placed[], most: number): Placed[] {
  return placed.toSorted((a, b) => a.pose.cost - b.pose.cost).slice(0, most);
}

function plainParts(): PlainPart[] {
  const ball = Array.from({ length: ARCS + 1 }, (_, i): [number, number] => [
    Math.sin((Math.PI * i) / ARCS),
    -Math.cos((Math.PI * i) / ARCS),
  ]);
  return [
    ...RODS.map((length) =>
      round([
        [0, 0],
        [1, 0],
        [1, 2 * length],
        [0, 2 * length],
      ]),
    ),
    ...RINGS.map(([hole, height]) =>
      round([
        [hole, 0],
        [1, 0],
        [1, 2 * height],
        [hole, 2 * height],
      ]),
    ),
    round([
      [0, 0],
      [1, 0],
      [0, 1.6],
    ]),
    round(ball),
    ...BLOCKS.map(([width, height]) => seen(blockOf(width, height), BLOCK_SEEN)),
  ];
}

/** The body of a closed outline, radius and height of each corner, about an axis. */
function round(outline: readonly (readonly [radius: number, height: number])[]): PlainPart {
  const corners = outline.length;
  const positions = Array.from({ length: SIDES }, (_, side) => {
    const angle = (2 * Math.PI * side) / SIDES;
    return outline.flatMap(([radius, height]) => [radius * Math.cos(angle), radius * Math.sin(angle), height]);
  });
  const indices = Array.from({ length: SIDES * corners }, (_, i) => {
    const next = (i % corners) + 1 === corners ? i + 1 - corners : i + 1;
    const [beside, besideNext] = [i, next].map((at) => (at + corners) % (SIDES * corners));
    return [i, beside, besideNext, i, besideNext, next];
  });
  const mesh = { positions: Float32Array.from(positions.flat()), indices: Uint32Array.from(indices.flat()) };
  return seen(mesh, ROUND_SEEN);
}

/** A block of length 1. */
function blockOf(width: number, height: number): TriangleMesh {
  const positions = [0, height].flatMap((z) => [0, width].flatMap((y) => [0, 1].flatMap((x) => [x, y, z])));
  const sides = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  const indices = sides.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

function seen(mesh: TriangleMesh, directions: readonly Vector3[]): PlainPart {
  return { mesh, cameras: directions.map((direction) => laidCamera(mesh, direction)) };
}

/** The camera at which the corners of a mesh spread most from left to right. */
function laidCamera({ positions }: TriangleMesh, direction: Vector3): readonly [Vector3, Vector3, Vector3] {
  const toward = scaled(direction, 1 / Math.hypot(...direction));
  const across = cross(Math.abs(toward[2]) < 0.9 ? [0, 0, 1] : [0, 1, 0], toward);
  const right = scaled(across, 1 / Math.hypot(...across)),
    up = cross(toward, right);
  const points = Array.from({ length: positions.length / 3 }, (_, i) => {
    const point = positions.subarray(3 * i, 3 * i + 3);
    return [right, up].map((axis) => axis.reduce((sum, value, k) => sum + value * point[k], 0));
  });
  const [x, y] = [0, 1].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
  const sumOf = (term: (u: number, v: number) => number): number =>
    points.reduce((sum, [u, v]) => sum + term(u - x, v - y), 0);
  const angle =
    0.5 *
    Math.atan2(
      2 * sumOf((u, v) => u * v),
      sumOf((u, v) => u * u - v * v),
    );
  const cos = Math.cos(angle),
    sin = Math.sin(angle);
  const laid = right.map((value, i) => cos * value + sin * up[i]) as unknown as Vector3;
  return [laid, cross(toward, laid), toward];
}

function scaled(vector: Vector3, factor: number): Vector3 {
  return vector.map((value) => factor * value) as unknown as Vector3;
}
