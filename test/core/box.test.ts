import { beforeAll, describe, expect, test } from 'vitest';
import { Core, type EngineError, axisAlignedBox, orientedBox, type OrientedBox, type TriangleMesh } from './api.js';
import { cross, dot } from './reference.js';
import {
  box,
  bracket,
  cylinder,
  gear,
  insideOut,
  meshOf,
  motion,
  prism,
  randomMotion,
  randomOf,
  shuffled,
  sphere,
  tetrahedron,
  torus,
  transformed,
} from './shapes.js';

let core: Core;
beforeAll(async () => {
  core = await Core.load();
});

/** Random points, three in a row a triangle: only their hull matters. */
function cloud(count: number, size: readonly number[], seed: number, isRound: boolean): TriangleMesh {
  const random = randomOf(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const positions = Array.from({ length: count }, () => {
    const v = [normal(), normal(), normal()];
    const length = isRound ? Math.hypot(...v) : 1;
    return v.map((x, axis) => (size[axis] * x) / length);
  }).flat();
  return meshOf(positions, Array.from({ length: count - 2 }, (_, i) => [i, i + 1, i + 2]).flat());
}

const regular = (sides: number): [number, number][] =>
  Array.from({ length: sides }, (_, i) => [Math.cos((2 * Math.PI * i) / sides), Math.sin((2 * Math.PI * i) / sides)]);

const SHAPES: Record<string, TriangleMesh> = {
  box: box(3, 4, 5),
  'thin plate': box(100, 80, 0.1),
  bracket: bracket(30, 20, 3, 10),
  'triangular prism': prism(regular(3), 1),
  'pentagonal prism': prism(regular(5), 2),
  'heptagonal prism': prism(regular(7), 3),
  cylinder: cylinder(5, 12, 256),
  disc: cylinder(5, 0.5, 96),
  'gear, 13 teeth': gear(13, 20, 20),
  'gear, 24 teeth': gear(24, 20, 6),
  'coarse sphere': sphere(10, 16, 16),
  'fine sphere': sphere(10, 100, 100),
  torus: torus(20, 6, 64, 32),
  'fine torus': torus(20, 6, 128, 78),
  tetrahedron: tetrahedron(7),
  'hull of 5': cloud(5, [3, 2, 1], 1, false),
  'hull of 8': cloud(8, [3, 2, 1], 2, false),
  'hull of 30': cloud(30, [3, 2, 1], 3, false),
  'hull of 1000': cloud(1000, [3, 2, 1], 4, false),
  ellipsoid: cloud(300, [3, 2, 1], 5, true),
};

describe('closed forms', () => {
  test('a box is its own box', () => {
    const found = orientedBox(core, transformed(box(3, 4, 5), motion([1, 2, 3, 4], [10, 20, 30])));
    found.sizeMm.forEach((length, i) => expect(length).toBeCloseTo(5 - i, 4));
    expect(found.volumeMm3 / 60 - 1).toBeCloseTo(0, 5);
  });

  test('a regular tetrahedron lies in a cube that none of its faces touches', () => {
    const random = randomOf(3);
    for (let turn = 0; turn < 10; turn++) {
      const found = orientedBox(core, transformed(tetrahedron(2), randomMotion(random)));
      expect(found.volumeMm3 / (8 / (2 * Math.SQRT2)) - 1).toBeCloseTo(0, 5);
      for (const length of found.sizeMm) expect(length).toBeCloseTo(Math.SQRT2, 4);
    }
  });

  test('a cylinder: (2r)² h; a torus: (2(R + r))² 2r; a sphere: (2r)³', () => {
    expect(orientedBox(core, cylinder(5, 12, 256)).volumeMm3 / 1200 - 1).toBeCloseTo(0, 3);
    expect(orientedBox(core, torus(20, 6, 128, 64)).volumeMm3 / (52 * 52 * 12) - 1).toBeCloseTo(0, 2);
    expect(orientedBox(core, sphere(10, 100, 100)).volumeMm3 / 8000 - 1).toBeCloseTo(0, 2);
  });

  test('a regular triangular prism: the triangle takes a rectangle of side by height', () => {
    expect(orientedBox(core, prism(regular(3), 1)).volumeMm3).toBeCloseTo(Math.sqrt(3) * 1.5, 5);
  });

  test('flat shapes have a rectangle and no volume', () => {
    const random = randomOf(4);
    const rectangle = meshOf([0, 0, 0, 4, 0, 0, 4, 3, 0, 0, 3, 0], [0, 1, 2, 0, 2, 3]);
    const triangle = meshOf([0, 0, 0, 4, 0, 0, 1, 3, 0], [0, 1, 2]);
    for (let turn = 0; turn < 10; turn++) {
      const matrix = randomMotion(random);
      const flat = orientedBox(core, transformed(rectangle, matrix));
      expect(flat.sizeMm[0]).toBeCloseTo(4, 5);
      expect(flat.sizeMm[1]).toBeCloseTo(3, 5);
      expect(flat.sizeMm[2]).toBe(0);
      expect(flat.volumeMm3).toBe(0);
      // The smallest rectangle around a triangle has twice its area.
      const one = orientedBox(core, transformed(triangle, matrix));
      expect(one.sizeMm[0] * one.sizeMm[1]).toBeCloseTo(12, 4);
      expect(one.volumeMm3).toBe(0);
    }
  });
});

describe('invariants', () => {
  test.each(Object.keys(SHAPES))('%s: the same volume however it is turned, to a thousandth', (name) => {
    const random = randomOf(17);
    const volumes: number[] = [];
    for (let turn = 0; turn < 12; turn++) {
      const mesh = turn === 0 ? SHAPES[name] : transformed(SHAPES[name], randomMotion(random));
      const found = orientedBox(core, mesh);
      volumes.push(found.volumeMm3);
      expectSound(found, mesh);
    }
    expect(Math.max(...volumes) / Math.min(...volumes) - 1).toBeLessThan(1e-3);
  });

  test('a toy brick in 400 orientations: corners that fall together in a shadow once led the calipers astray', () => {
    const positions: number[] = [];
    for (const z of [0, 9.6])
      for (const [x, y] of [
        [-8, -8],
        [8, -8],
        [8, 8],
        [-8, 8],
      ])
        positions.push(x, y, z);
    for (const [x, y] of [
      [-4, -4],
      [4, -4],
      [4, 4],
      [-4, 4],
    ]) {
      for (let k = 0; k < 16; k++)
        positions.push(x + 2.4 * Math.cos((k * Math.PI) / 8), y + 2.4 * Math.sin((k * Math.PI) / 8), 11.2);
    }
    const brick = meshOf(
      positions,
      Array.from({ length: positions.length - 6 }, (_, i) => Math.floor(i / 3) + (i % 3)),
    );
    const random = randomOf(1);
    for (let turn = 0; turn < 400; turn++) {
      expect(orientedBox(core, transformed(brick, randomMotion(random))).volumeMm3 / (16 * 16 * 11.2) - 1).toBeCloseTo(
        0,
        5,
      );
    }
  });

  test('never larger than the box along the axes', () => {
    for (const mesh of Object.values(SHAPES)) {
      const { lowMm, highMm } = axisAlignedBox(core, mesh);
      const along = (highMm[0] - lowMm[0]) * (highMm[1] - lowMm[1]) * (highMm[2] - lowMm[2]);
      expect(orientedBox(core, mesh).volumeMm3).toBeLessThanOrEqual(along * (1 + 1e-3));
    }
  });

  test('no random orientation does better by more than a two-hundredth', () => {
    for (let seed = 0; seed < 12; seed++) {
      const mesh = cloud(6 + 5 * seed, [3, 2, 1], 100 + seed, seed % 2 === 0);
      const found = orientedBox(core, mesh).volumeMm3;
      const random = randomOf(seed);
      for (let turn = 0; turn < 2000; turn++)
        expect(volumeIn(mesh, randomMotion(random))).toBeGreaterThan(found * 0.995);
    }
  });

  test('finer and coarser tessellations agree to half a per cent', () => {
    const pairs: [TriangleMesh, TriangleMesh][] = [
      [cylinder(5, 12, 64), cylinder(5, 12, 500)],
      [torus(20, 6, 64, 48), torus(20, 6, 160, 80)],
      [sphere(10, 64, 64), sphere(10, 120, 120)],
    ];
    for (const [coarse, fine] of pairs) {
      expect(Math.abs(orientedBox(core, coarse).volumeMm3 / orientedBox(core, fine).volumeMm3 - 1)).toBeLessThan(5e-3);
    }
  });

  test('order, orientation of faces, mirroring and scale do not matter', () => {
    for (const name of ['bracket', 'gear, 13 teeth', 'hull of 30', 'cylinder']) {
      const mesh = SHAPES[name];
      const volume = orientedBox(core, mesh).volumeMm3;
      const mirrored = { positions: mesh.positions.map((x, i) => (i % 3 === 0 ? -x : x)), indices: mesh.indices };
      const large = { positions: mesh.positions.map((x) => 1024 * x), indices: mesh.indices };
      expect(orientedBox(core, shuffled(mesh, 5)).volumeMm3 / volume - 1).toBeCloseTo(0, 4);
      expect(orientedBox(core, insideOut(mesh)).volumeMm3).toBe(volume);
      expect(orientedBox(core, mirrored).volumeMm3 / volume - 1).toBeCloseTo(0, 4);
      expect(orientedBox(core, large).volumeMm3).toBeCloseTo(1024 ** 3 * volume, -3);
    }
  });
});

describe('input', () => {
  test('a box along the axes is exact, and vertices without triangles do not count', () => {
    const found = axisAlignedBox(core, meshOf([1, 2, 3, 4, -5, 6, -7, 8, 9, 1e9, NaN, 0], [0, 1, 2]));
    expect(found).toEqual({ lowMm: [-7, -5, 3], highMm: [4, 8, 9] });
  });

  test('points many times over, and thousands of them on one plane or in one place', () => {
    const { positions, indices } = box(3, 4, 5);
    const corners = Array.from(indices).flatMap((i) => Array.from(positions.subarray(3 * i, 3 * i + 3)));
    const unwelded = meshOf(
      corners,
      Array.from(indices, (_, i) => i),
    );
    expect(orientedBox(core, unwelded).volumeMm3).toBeCloseTo(60, 6);
    const grid: number[] = [];
    const random = randomOf(8);
    for (let i = 0; i < 6000; i++)
      grid.push(Math.floor(20 * random()), Math.floor(10 * random()), Math.floor(5 * random()));
    const found = orientedBox(
      core,
      meshOf(
        grid,
        Array.from({ length: 6000 }, (_, i) => i),
      ),
    );
    expect(found.volumeMm3).toBeCloseTo(19 * 9 * 4, 3);
  });

  test.each<[string, TriangleMesh, string]>([
    ['no triangle', meshOf([], []), 'NO_GEOMETRY'],
    ['a point', meshOf([1, 2, 3], [0, 0, 0]), 'NO_GEOMETRY'],
    ['a line', meshOf([0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 2]), 'NO_GEOMETRY'],
    ['a bad index', meshOf([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 3]), 'FILE_MALFORMED'],
    ['not a number', meshOf([0, 0, 0, 1, NaN, 0, 0, 1, 0], [0, 1, 2]), 'FILE_MALFORMED'],
    ['infinite', meshOf([0, 0, 0, Infinity, 0, 0, 0, 1, 0], [0, 1, 2]), 'FILE_MALFORMED'],
  ])('%s', (_, mesh, code) => {
    expect(() => orientedBox(core, mesh)).toThrow(expect.objectContaining({ code }) as EngineError);
  });

  test('a hair of area, and single precision to its ends', () => {
    for (const scale of [1e-18, 1e-6, 1e6, 1e12]) {
      const found = orientedBox(core, {
        positions: box(3, 4, 5).positions.map((x) => x * scale),
        indices: box(3, 4, 5).indices,
      });
      expect(found.volumeMm3 / (60 * scale ** 3) - 1).toBeCloseTo(0, 5);
    }
    const hair = orientedBox(core, meshOf([0, 0, 0, 1, 0, 0, 0.5, 1e-9, 0], [0, 1, 2]));
    expect(hair.sizeMm[0]).toBeCloseTo(1, 6);
    expect(hair.volumeMm3).toBe(0);
  });
});

/** The box holds every vertex, touches some, and its axes are a right-handed orthonormal frame. */
function expectSound(found: OrientedBox, { positions, indices }: TriangleMesh): void {
  const [a, b, c] = found.axes;
  const size = found.sizeMm[0];
  for (const axis of found.axes) expect(Math.hypot(...axis)).toBeCloseTo(1, 12);
  expect(Math.abs(dot(a, b))).toBeLessThan(1e-12);
  cross(a, b).forEach((value, i) => expect(value).toBeCloseTo(c[i], 12));
  expect(found.sizeMm[0]).toBeGreaterThanOrEqual(found.sizeMm[1]);
  expect(found.sizeMm[1]).toBeGreaterThanOrEqual(found.sizeMm[2]);
  expect(found.volumeMm3).toBeCloseTo(found.sizeMm[0] * found.sizeMm[1] * found.sizeMm[2], 6);
  found.axes.forEach((axis, i) => {
    let most = 0;
    for (const vertex of indices) {
      const offset = [0, 1, 2].map((k) => positions[3 * vertex + k] - found.centerMm[k]);
      most = Math.max(most, Math.abs(dot(offset, axis)));
    }
    expect(Math.abs(most - found.sizeMm[i] / 2)).toBeLessThan(1e-6 * size);
  });
}

/** Volume of the box along the axes of the turned mesh. */
function volumeIn(mesh: TriangleMesh, matrix: readonly number[]): number {
  const { positions } = transformed(mesh, matrix);
  let volume = 1;
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity,
      high = -Infinity;
    for (let i = axis; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]);
      high = Math.max(high, positions[i]);
    }
    volume *= high - low;
  }
  return volume;
}
