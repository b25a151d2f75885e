import { beforeAll, describe, expect, test } from 'vitest';
import { Core, type EngineError, sampleSurface, type TriangleMesh } from './api.js';
import { distanceReference } from './reference.js';
import { box, bracket, gear, meshOf, sphere, torus } from './shapes.js';

let core: Core;
beforeAll(async () => {
  core = await Core.load();
});

describe('samples', () => {
  test.each<[string, TriangleMesh]>([
    ['bracket', bracket(30, 20, 3, 10)],
    ['gear', gear(9, 20, 6)],
    ['torus', torus(20, 6, 24, 12)],
  ])('lie on the surface of a %s, with unit normals', (_, mesh) => {
    const { positions, normals } = sampleSurface(core, mesh, 200, 1);
    for (let i = 0; i < 600; i += 3) {
      expect(distanceReference(mesh, Array.from(positions.subarray(i, i + 3)))).toBeLessThan(1e-5);
      expect(Math.hypot(...normals.subarray(i, i + 3))).toBeCloseTo(1, 6);
    }
  });

  test('each face of a box gets its share to one sample, with its outward normal', () => {
    const count = 9_400;
    const { positions, normals } = sampleSurface(core, box(3, 4, 5), count, 7);
    const perFace = new Map<string, number>();
    for (let i = 0; i < 3 * count; i += 3) {
      const normal = Array.from(normals.subarray(i, i + 3), (x) => Math.round(x) + 0);
      const axis = normal.findIndex((x) => x !== 0);
      expect(positions[i + axis]).toBeCloseTo(normal[axis] > 0 ? [3, 4, 5][axis] : 0, 5);
      perFace.set(normal.join(), (perFace.get(normal.join()) ?? 0) + 1);
    }
    expect(perFace.size).toBe(6);
    for (const [face, found] of perFace) {
      const area = [20, 15, 12][face.split(',').findIndex((x) => x !== '0')];
      expect(Math.abs(found - (count * area) / 94)).toBeLessThan(3);
    }
  });

  test('on a sphere: mean in the middle, second moments r²/3, radii that of the surface', () => {
    const count = 20_000;
    const { positions } = sampleSurface(core, sphere(10, 64, 128), count, 3);
    for (let axis = 0; axis < 3; axis++) {
      let sum = 0,
        squares = 0;
      for (let i = axis; i < 3 * count; i += 3) {
        sum += positions[i];
        squares += positions[i] ** 2;
      }
      expect(Math.abs(sum / count)).toBeLessThan(0.1);
      expect(squares / count / (100 / 3)).toBeCloseTo(1, 1);
    }
  });

  test('within a triangle they are even: each quarter of it gets a quarter', () => {
    const count = 8_000;
    const { positions } = sampleSurface(core, meshOf([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2]), count, 5);
    const quarters = [0, 0, 0, 0];
    for (let i = 0; i < 3 * count; i += 3) {
      const x = positions[i],
        y = positions[i + 1];
      quarters[x > 0.5 ? 0 : y > 0.5 ? 1 : x + y < 0.5 ? 2 : 3]++;
    }
    for (const found of quarters) expect(Math.abs(found - count / 4)).toBeLessThan(150);
  });

  test('the seed decides all: the same gives the same bits, another gives others', () => {
    const mesh = gear(9, 20, 6);
    expect(sampleSurface(core, mesh, 500, 1)).toEqual(sampleSurface(core, mesh, 500, 1));
    expect(sampleSurface(core, mesh, 500, 1).positions).not.toEqual(sampleSurface(core, mesh, 500, 2).positions);
  });

  test('triangles without area get none', () => {
    const mesh = meshOf([0, 0, 0, 1, 0, 0, 0, 1, 0, 7, 7, 7], [3, 3, 3, 0, 1, 2, 0, 3, 0]);
    const { positions } = sampleSurface(core, mesh, 100, 1);
    for (const value of positions) expect(value).toBeLessThanOrEqual(1);
  });
});

test.each<[string, TriangleMesh, string]>([
  ['no triangle', meshOf([], []), 'NO_GEOMETRY'],
  ['no area', meshOf([0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 2]), 'NO_GEOMETRY'],
  ['a bad index', meshOf([0, 0, 0], [0, 0, 1]), 'FILE_MALFORMED'],
  ['not a number', meshOf([0, 0, NaN, 1, 0, 0, 0, 1, 0], [0, 1, 2]), 'FILE_MALFORMED'],
])('%s', (_, mesh, code) => {
  expect(() => sampleSurface(core, mesh, 10, 1)).toThrow(expect.objectContaining({ code }) as EngineError);
});

test.each([
  [0, 1, /count/],
  [1.5, 1, /count/],
  [1e9, 1, /count/],
  [10, -1, /seed/],
  [10, 2 ** 32, /seed/],
])('count %s with seed %s is a RangeError', (count, seed, message) => {
  expect(() => sampleSurface(core, box(1, 1, 1), count, seed)).toThrow(message);
  expect(() => sampleSurface(core, box(1, 1, 1), count, seed)).toThrow(RangeError);
});
