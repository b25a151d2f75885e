/** Cubes of 10 mm with two to six cuts by flat walls, and which cut each of their faces comes from. */
import Module from 'manifold-3d';
import { seeded } from './random.mjs';

/** Kinds of cuts and the numbers that MFCAD labels them by; 15 is what is left of the cube. */
export const LABELS = [
  'chamfer',
  'triangular passage',
  'rectangular passage',
  'hexagonal passage',
  'triangular through slot',
  'rectangular through slot',
  'rectangular through step',
  'two-sided through step',
  'slanted through step',
  'triangular pocket',
  'rectangular pocket',
  'hexagonal pocket',
  'rectangular blind slot',
  'triangular blind step',
  'rectangular blind step',
  'stock',
];
export const STOCK = 15;

/** Half the side of a cube, mm, and a place outside it. */
const H = 5;
const OUT = 6;
const NEAR = 1e-4;
/** Least volume that a cut takes, mm³. */
const LEAST = 1;

/**
 * @param {number} count
 * @param {number} seed
 * @returns {Promise<{ mesh: object, labelOf: (face: object, points: number[][]) => number }[]>} meshes as `Mesh` of the
 *   engine; labels of faces by a plane and points on them.
 */
export async function cutCubes(count, seed) {
  const wasm = await Module();
  wasm.setup();
  const { Manifold } = wasm;
  const random = seeded(seed);
  return Array.from({ length: count }, () => {
    let solid = Manifold.cube([2 * H, 2 * H, 2 * H], true);
    const cuts = [];
    const wanted = 2 + Math.floor(random() * 5);
    for (let tries = 0; cuts.length < wanted && tries < 40; tries++) {
      const label = Math.floor(random() * STOCK);
      const turn = turnOf(random);
      const tool = Manifold.hull(toolPoints(label, random).map(turn));
      const left = solid.subtract(tool);
      const pieces = left.decompose().length;
      if (pieces !== 1 || solid.volume() - left.volume() < LEAST) continue;
      solid = left;
      cuts.push({ label, planes: planesOf(tool) });
    }
    const { vertProperties, triVerts, numProp } = solid.getMesh();
    const positions = new Float64Array((vertProperties.length / numProp) * 3);
    for (let i = 0; i < positions.length; i++) positions[i] = vertProperties[Math.floor(i / 3) * numProp + (i % 3)];
    const mesh = { name: 'cube', positions, indices: Uint32Array.from(triVerts) };
    return { mesh, labelOf: (face, points) => labelAmong(cuts, face, points) };
  });
}

/** One of the 24 turns of a cube. */
function turnOf(random) {
  const order = [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
  ][Math.floor(random() * 3)];
  const [a, b] = [random() < 0.5 ? -1 : 1, random() < 0.5 ? -1 : 1];
  return (p) => [a * p[order[0]], b * p[order[1]], a * b * p[order[2]]];
}

/** Corners of the convex space that a cut takes, at the top of the cube. */
function toolPoints(label, random) {
  const within = (low, high) => low + random() * (high - low);
  const along = (profile) => profile.flatMap(([x, z]) => [-OUT, OUT].map((y) => [x, y, z]));
  const down = (outline, depth) => outline.flatMap(([x, y]) => [H - depth, OUT].map((z) => [x, y, z]));
  const depth = within(1, 7);
  const x = within(-3.5, 1),
    width = within(1, 3);
  const sides = { triangular: 3, rectangular: 4, hexagonal: 6 }[LABELS[label].split(' ')[0]];
  const outline = () => polygon(sides, random);
  switch (LABELS[label]) {
    case 'chamfer': {
      const [a, b] = [within(1, 3), within(1, 3)];
      return along([extended([H - a, H], [H, H - b], 3), extended([H, H - b], [H - a, H], 3), [OUT + 9, OUT + 9]]);
    }
    case 'triangular passage':
    case 'rectangular passage':
    case 'hexagonal passage':
      return down(outline(), H + OUT);
    case 'triangular pocket':
    case 'rectangular pocket':
    case 'hexagonal pocket':
      return down(outline(), depth);
    case 'triangular through slot': {
      const apex = [x + width / 2, H - within(1, 4)];
      return along([apex, extended(apex, [x, H], 3), extended(apex, [x + width, H], 3)]);
    }
    case 'rectangular through slot':
      return along(rectangle([x, H - depth], [x + width, OUT]));
    case 'rectangular through step':
      return along(rectangle([H - width, H - depth], [OUT, OUT]));
    case 'slanted through step': {
      const [a, b] = [within(1, 2), within(2.5, 4)];
      return down(
        [extended([H - a, -H], [H - b, H], 0.1), extended([H - b, H], [H - a, -H], 0.1), [9, -9], [9, 9]],
        depth,
      );
    }
    case 'two-sided through step': {
      const [a, b, c] = [within(1, 2), within(3, 4), within(1, 2)];
      const middle = [H - b, within(-3, 3)];
      return down(
        [extended(middle, [H - a, -H], 0.1), middle, extended(middle, [H - c, H], 0.1), [9, -9], [9, 9]],
        depth,
      );
    }
    case 'rectangular blind slot':
      return down(rectangle([x, within(-2, 2)], [x + width, OUT]), depth);
    case 'triangular blind step': {
      const [a, b] = [within(1.5, 5), within(1.5, 5)];
      return down(
        [extended([H - a, H], [H, H - b], 3), extended([H, H - b], [H - a, H], 3), [OUT + 9, OUT + 9]],
        depth,
      );
    }
    default: {
      return down(rectangle([within(0, 4), within(0, 4)], [OUT, OUT]), depth);
    }
  }
}

/** The place behind `to` as seen from `from`, by a share of their distance. */
function extended(from, to, share) {
  return to.map((value, k) => value + share * (value - from[k]));
}

function rectangle([x0, y0], [x1, y1]) {
  return [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ];
}

function polygon(sides, random) {
  const radius = 1 + random() * 1.4;
  const middle = [0, 1].map(() => (random() - 0.5) * 2 * (H - 0.6 - radius));
  if (sides === 4) {
    const [w, h] = [0.6 + random() * 0.4, 0.6 + random() * 0.4].map((share) => share * radius);
    return rectangle([middle[0] - w, middle[1] - h], [middle[0] + w, middle[1] + h]);
  }
  const start = random() * Math.PI;
  return Array.from({ length: sides }, (_, i) => {
    const angle = start + ((i + (random() - 0.5) * 0.3) * 2 * Math.PI) / sides;
    return [middle[0] + radius * Math.cos(angle), middle[1] + radius * Math.sin(angle)];
  });
}

/** Planes of a convex solid, by normals outwards. */
function planesOf(solid) {
  const { vertProperties: p, triVerts, numProp } = solid.getMesh();
  const planes = [];
  for (let t = 0; t < triVerts.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) =>
      Array.from(p.subarray(triVerts[t + k] * numProp, triVerts[t + k] * numProp + 3)),
    );
    const [u, v] = [b, c].map((q) => q.map((value, k) => value - a[k]));
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...n);
    if (!(length > 1e-9)) continue;
    const normal = n.map((value) => value / length);
    planes.push({ normal, offset: normal.reduce((sum, value, k) => sum + value * a[k], 0) });
  }
  return planes;
}

/** The last cut on one of whose walls a face lies. */
function labelAmong(cuts, { axis, origin }, points) {
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const isOf = ({ planes }) =>
    planes.some(
      ({ normal, offset }) => dot(normal, axis) < -0.99999 && Math.abs(dot(normal, origin) - offset) < 1e-3,
    ) && points.every((point) => planes.every(({ normal, offset }) => dot(normal, point) <= offset + NEAR + 0.05));
  return cuts.findLast(isOf)?.label ?? STOCK;
}
