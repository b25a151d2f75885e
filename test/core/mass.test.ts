import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { Core, type EngineError, massProperties, volumeAndArea, type TriangleMesh } from './api.js';
import { massReference } from './reference.js';
import {
  box,
  bracket,
  cylinder,
  gear,
  insideOut,
  meshOf,
  motion,
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

const SHAPES: Record<string, TriangleMesh> = {
  box: box(3, 4, 5),
  bracket: bracket(30, 20, 3, 10),
  cylinder: cylinder(5, 12, 64),
  gear: gear(17, 20, 6),
  sphere: sphere(10, 16, 32),
  tetrahedron: tetrahedron(7),
  torus: torus(20, 6, 48, 24),
};
const aShape = fc.constantFrom(...Object.keys(SHAPES)).map((name) => SHAPES[name]);
const aNumber = fc.double({ min: -1, max: 1, noNaN: true });
const aMotion = fc
  .tuple(fc.tuple(aNumber, aNumber, aNumber, aNumber), fc.tuple(aNumber, aNumber, aNumber))
  .filter(([q]) => Math.hypot(...q) > 0.1)
  .map(([q, t]) =>
    motion(
      q,
      t.map((x) => 50 * x),
    ),
  );

describe('closed forms', () => {
  test('a box, to rounding', () => {
    const m = massProperties(core, box(3, 4, 5));
    expect(m.signedVolumeMm3).toBeCloseTo(60, 12);
    expect(m.surfaceAreaMm2).toBeCloseTo(94, 12);
    close(m.centroidMm, [1.5, 2, 2.5], 1e-14);
    close(m.areaCentroidMm, [1.5, 2, 2.5], 1e-14);
    close(m.inertiaMm5, [(60 / 12) * (16 + 25), 0, 0, 0, (60 / 12) * (9 + 25), 0, 0, 0, (60 / 12) * (9 + 16)], 1e-12);
    expect(m.isOpen).toBe(false);
  });

  test('a regular tetrahedron', () => {
    const m = massProperties(core, tetrahedron(2));
    expect(m.signedVolumeMm3 / (8 / (6 * Math.SQRT2)) - 1).toBeCloseTo(0, 6);
    expect(m.surfaceAreaMm2 / (4 * Math.sqrt(3)) - 1).toBeCloseTo(0, 6);
  });

  test.each([
    ['cylinder', (n: number) => cylinder(5, 12, n), Math.PI * 25 * 12, 2 * Math.PI * 5 * 17],
    ['sphere', (n: number) => sphere(5, n / 2, n), (4 / 3) * Math.PI * 125, 4 * Math.PI * 25],
    ['torus', (n: number) => torus(20, 6, n, n), 2 * Math.PI ** 2 * 20 * 36, 4 * Math.PI ** 2 * 120],
  ])('a %s converges with the square of the step', (_, make, volume, area) => {
    const errors = [32, 64, 128].map((n) => {
      const found = massProperties(core, make(n));
      return [1 - found.signedVolumeMm3 / volume, 1 - found.surfaceAreaMm2 / area];
    });
    for (const k of [0, 1]) {
      expect(errors[2][k]).toBeLessThan(2e-3);
      expect(errors[0][k] / errors[1][k]).toBeGreaterThan(3.8);
      expect(errors[0][k] / errors[1][k]).toBeLessThan(4.2);
      expect(errors[1][k] / errors[2][k]).toBeGreaterThan(3.8);
    }
  });

  test('the inertia of a sphere, 2/5 m r²', () => {
    const m = massProperties(core, transformed(sphere(5, 128, 256), motion([1, 2, 3, 4], [40, -20, 7])));
    const expected = 0.4 * m.signedVolumeMm3 * 25;
    for (const k of [0, 4, 8]) expect(m.inertiaMm5[k] / expected - 1).toBeCloseTo(0, 3);
    for (const k of [1, 2, 5]) expect(Math.abs(m.inertiaMm5[k]) / expected).toBeLessThan(1e-4);
  });
});

describe('against the plain twin', () => {
  test.each(Object.keys(SHAPES))('%s', (name) => {
    const found = massProperties(core, SHAPES[name]);
    const expected = massReference(SHAPES[name]);
    expect(found.signedVolumeMm3 / expected.volume - 1).toBeCloseTo(0, 12);
    expect(found.surfaceAreaMm2 / expected.area - 1).toBeCloseTo(0, 12);
    close(found.centroidMm, expected.centroid, 1e-10);
    close(found.areaCentroidMm, expected.areaCentroid, 1e-10);
    close(found.inertiaMm5, expected.inertia, 1e-9 * Math.abs(expected.inertia[0]));
    const { signedVolumeMm3, surfaceAreaMm2 } = volumeAndArea(core, SHAPES[name]);
    expect(signedVolumeMm3 / expected.volume - 1).toBeCloseTo(0, 12);
    expect(surfaceAreaMm2 / expected.area - 1).toBeCloseTo(0, 12);
  });

  test('more triangles than a block, odd and even', () => {
    const whole = sphere(10, 40, 41);
    for (const count of [511, 512, 513, 1025, 2048]) {
      const part = { positions: whole.positions, indices: whole.indices.slice(0, 3 * count) };
      expect(volumeAndArea(core, part).surfaceAreaMm2 / massReference(part).area - 1).toBeCloseTo(0, 12);
    }
  });
});

describe('invariants', () => {
  test('a rigid motion changes neither volume nor area, and carries the centroid along', () => {
    fc.assert(
      fc.property(aShape, aMotion, (mesh, matrix) => {
        const before = massProperties(core, mesh);
        const after = massProperties(core, transformed(mesh, matrix));
        expect(after.signedVolumeMm3 / before.signedVolumeMm3 - 1).toBeCloseTo(0, 5);
        expect(after.surfaceAreaMm2 / before.surfaceAreaMm2 - 1).toBeCloseTo(0, 5);
        const c = before.centroidMm;
        close(
          after.centroidMm,
          [0, 4, 8].map((r) => matrix[r] * c[0] + matrix[r + 1] * c[1] + matrix[r + 2] * c[2] + matrix[r + 3]),
          1e-4,
        );
        const trace = (i: readonly number[]): number => i[0] + i[4] + i[8];
        expect(trace(after.inertiaMm5) / trace(before.inertiaMm5) - 1).toBeCloseTo(0, 4);
      }),
      { numRuns: 60 },
    );
  });

  test('the order of triangles, corners and vertices does not matter, of open meshes neither', () => {
    fc.assert(
      fc.property(aShape, fc.integer(), fc.integer({ min: 0, max: 7 }), (mesh, seed, missing) => {
        const part = {
          positions: mesh.positions,
          indices: mesh.indices.slice(0, mesh.indices.length - 3 * Math.min(missing, mesh.indices.length / 3 - 1)),
        };
        const a = volumeAndArea(core, part),
          b = volumeAndArea(core, shuffled(part, seed));
        expect(Math.abs(a.signedVolumeMm3 - b.signedVolumeMm3)).toBeLessThan(1e-10 * a.surfaceAreaMm2 ** 1.5);
        expect(a.surfaceAreaMm2 / b.surfaceAreaMm2 - 1).toBeCloseTo(0, 12);
      }),
      { numRuns: 60 },
    );
  });

  test('an open mesh keeps its volume wherever it lies, and its centroid is that of its area', () => {
    const cup = { ...box(10, 10, 10), indices: box(10, 10, 10).indices.slice(0, 30) };
    const here = massProperties(core, cup);
    const there = massProperties(core, transformed(cup, motion([1, 2, 3, 4], [64, -32, 128])));
    expect(here.isOpen).toBe(true);
    expect(there.signedVolumeMm3 / here.signedVolumeMm3 - 1).toBeCloseTo(0, 5);
    expect(here.centroidMm).toEqual(here.areaCentroidMm);
    expect(volumeAndArea(core, cup).signedVolumeMm3).toBe(here.signedVolumeMm3);
  });

  test('scaling by 2 is exact: 8, 4, 32', () => {
    for (const mesh of Object.values(SHAPES)) {
      const one = massProperties(core, mesh);
      const two = massProperties(core, { positions: mesh.positions.map((x) => 2 * x), indices: mesh.indices });
      expect(two.signedVolumeMm3).toBe(8 * one.signedVolumeMm3);
      expect(two.surfaceAreaMm2).toBe(4 * one.surfaceAreaMm2);
      expect(two.inertiaMm5).toEqual(one.inertiaMm5.map((x) => 32 * x));
    }
  });

  test('mirroring and turning inside out flip the sign alone', () => {
    for (const mesh of Object.values(SHAPES)) {
      const one = massProperties(core, mesh);
      const mirrored = massProperties(core, {
        positions: mesh.positions.map((x, i) => (i % 3 === 0 ? -x : x)),
        indices: mesh.indices,
      });
      const turned = massProperties(core, insideOut(mesh));
      expect(mirrored.signedVolumeMm3 / one.signedVolumeMm3).toBeCloseTo(-1, 12);
      expect(mirrored.surfaceAreaMm2 / one.surfaceAreaMm2).toBeCloseTo(1, 12);
      expect(turned.signedVolumeMm3 / one.signedVolumeMm3).toBeCloseTo(-1, 12);
      close(turned.inertiaMm5, one.inertiaMm5, 1e-9 * Math.abs(one.inertiaMm5[0]));
    }
  });

  test('far from the origin nothing is lost that the vertices had not lost', () => {
    // Corners are whole numbers, exact in single precision even at a million.
    const far = volumeAndArea(core, transformed(box(3, 4, 5), motion([1, 0, 0, 0], [1e6, -2e6, 3e6])));
    expect(far.signedVolumeMm3).toBeCloseTo(60, 6);
    expect(far.surfaceAreaMm2).toBeCloseTo(94, 10);
    const all = massProperties(core, transformed(box(3, 4, 5), motion([1, 0, 0, 0], [1e6, -2e6, 3e6])));
    expect(all.signedVolumeMm3).toBeCloseTo(60, 10);
    close(all.inertiaMm5, massProperties(core, box(3, 4, 5)).inertiaMm5, 1e-8);
  });
});

describe('what cannot be measured', () => {
  const [p, i] = [box(1, 1, 1).positions, box(1, 1, 1).indices];
  test.each<[string, TriangleMesh, string]>([
    ['no triangle', meshOf([], []), 'NO_GEOMETRY'],
    ['no area', meshOf([0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 2]), 'NO_GEOMETRY'],
    ['no vertices', meshOf([], [0, 1, 2]), 'FILE_MALFORMED'],
    ['an index one too far', { positions: p, indices: i.map((x, k) => (k === 20 ? 8 : x)) }, 'FILE_MALFORMED'],
    ['the largest index', { positions: p, indices: i.map((x, k) => (k === 35 ? 0xffffffff : x)) }, 'FILE_MALFORMED'],
    [
      'a coordinate that is not a number',
      { positions: p.map((x, k) => (k === 4 ? NaN : x)), indices: i },
      'FILE_MALFORMED',
    ],
    ['an infinite coordinate', { positions: p.map((x, k) => (k === 4 ? -Infinity : x)), indices: i }, 'FILE_MALFORMED'],
  ])('%s', (_, mesh, code) => {
    for (const kernel of [volumeAndArea, massProperties]) {
      expect(() => kernel(core, mesh)).toThrow(expect.objectContaining({ code }) as EngineError);
    }
    expect(volumeAndArea(core, box(1, 1, 1)).signedVolumeMm3).toBe(1);
  });

  test('a vertex that no triangle uses is not looked at', () => {
    const stray = meshOf([...p, NaN, 1e30, -1e30], i);
    expect(massProperties(core, stray).signedVolumeMm3).toBe(1);
  });

  test('arrays of odd length are a RangeError that names them', () => {
    expect(() => volumeAndArea(core, { positions: new Float32Array(4), indices: new Uint32Array(3) })).toThrow(
      /mesh\.positions/,
    );
    expect(() => volumeAndArea(core, { positions: new Float32Array(9), indices: new Uint32Array(4) })).toThrow(
      /mesh\.indices/,
    );
  });
});

function close(found: readonly number[], expected: readonly number[], within: number): void {
  expect(found.length).toBe(expected.length);
  found.forEach((value, i) => expect(Math.abs(value - expected[i])).toBeLessThanOrEqual(within));
}
