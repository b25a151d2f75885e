import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodeSurface, encodeSurface, readSurfaceFacts, SURFACE_TRIANGLES } from '../../dist/descriptors/surface.js';
import { EngineError } from '../../dist/index.js';
import type { TriangleMesh } from '../../dist/core-entry.js';
import {
  box,
  bracket,
  cylinder,
  gear,
  insideOut,
  meshOf,
  motion,
  randomOf,
  shuffled,
  sphere,
  torus,
  transformed,
} from '../core/shapes.js';

const encode = (mesh: TriangleMesh): Uint8Array => encodeSurface({ ...mesh, origin: [1, 2, 3] }, [30, 20, 10]);
const SHAPES: Record<string, TriangleMesh> = {
  box: box(30, 20, 10),
  bracket: bracket(30, 20, 3, 10),
  cylinder: cylinder(5, 40, 100),
  gear: gear(17, 20, 6),
  sphere: sphere(10, 40, 60),
  torus: torus(20, 6, 60, 40),
};

describe('surface', () => {
  test.each(Object.keys(SHAPES))('of a %s comes back true to the grid', (name) => {
    const mesh = SHAPES[name];
    const { positions, indices } = decodeSurface(encode(mesh));
    expect(corners(positions, indices)).toEqual(corners(snapped(mesh), mesh.indices));
  });

  test.each(Object.keys(SHAPES))('of a %s has the same bytes in whatever order the triangles come', (name) => {
    expect(encode(shuffled(SHAPES[name], 3))).toEqual(encode(SHAPES[name]));
  });

  test('has the facts of a box', () => {
    const facts = readSurfaceFacts(encode(box(30, 20, 10)));
    expect(facts.surfaceAreaMm2).toBeCloseTo(2200, 2);
    expect(facts.volumeMm3).toBeCloseTo(6000, 1);
    expect(facts.isClosed).toBe(true);
    expect(facts.centroidMm.map((x) => Math.round(x * 1e4) / 1e4)).toEqual([15, 10, 5]);
    expect(facts.reachMm).toBeCloseTo(Math.hypot(15, 10, 5), 3);
    expect(facts.originMm).toEqual([1, 2, 3]);
    expect(facts.boxSizeMm).toEqual([30, 20, 10]);
    expect(facts.simplifiedByMm).toBe(0);
    // ∫ x² dA over a box's surface by faces: 2 bc (a/2)² + 2 (ab + ac) a² / 12.
    expect(facts.radiiMm[0]).toBeCloseTo(Math.sqrt((2 * 200 * 225 + 2 * (600 + 300) * 75) / 2200), 3);
  });

  test('has the invariants of a sphere and of a cube', () => {
    // E (n · m)⁴ is 1/5 on a sphere; on a cube one face in three looks along any other.
    const expected = {
      sphere: [5 ** -0.25, 1, 3 ** -0.25, 0, 3 ** -0.5],
      cube: [3 ** -0.25, 0.5 / Math.sqrt(0.25 + 1 / 6), undefined, 0, 3 ** -0.5],
    };
    for (const [shape, mesh] of [
      ['sphere', sphere(10, 60, 120)],
      ['cube', box(20, 20, 20)],
    ] as const) {
      const { invariants, meanArcMm } = readSurfaceFacts(encode(mesh));
      expected[shape].forEach((value, i) => {
        if (value !== undefined) expect(invariants[i], `${shape} ${i}`).toBeCloseTo(value, 2);
      });
      if (shape === 'cube') expect(meanArcMm).toBeLessThan(1e-3);
      else expect(meanArcMm).toBeLessThan(0.05);
    }
  });

  test.each(Object.keys(SHAPES))(
    'of a %s has the same invariants when turned, mirrored, scaled or cut finer',
    (name) => {
      const { invariants } = readSurfaceFacts(encode(SHAPES[name]));
      expect(invariants.every((value) => value >= 0 && value < 3)).toBe(true);
      for (const other of [
        transformed(SHAPES[name], motion([0.7, -0.3, 0.5, 0.4], [12, -30, 7])),
        transformed(SHAPES[name], [-25.4, 0, 0, 0, 0, 25.4, 0, 0, 0, 0, 25.4, 0]),
        cutFiner(SHAPES[name]),
      ]) {
        readSurfaceFacts(encode(other)).invariants.forEach((value, i) => {
          expect(Math.abs(value - invariants[i])).toBeLessThan(3e-4);
        });
      }
    },
  );

  test('has the mean arc of a cylinder, and less of it when cut finer', () => {
    // A facet of a cylinder of n lies r (1 − cos (π / n)) below the surface; the caps lie beside such facets.
    for (const n of [12, 24, 48]) {
      const { meanArcMm } = readSurfaceFacts(encode(cylinder(5, 40, n)));
      const sagitta = 5 * (1 - Math.cos(Math.PI / n));
      expect(meanArcMm / sagitta).toBeGreaterThan(0.9);
      expect(meanArcMm / sagitta).toBeLessThan(2.2);
    }
  });

  test('knows open from closed, and the volume of what is inside out', () => {
    const { positions, indices } = box(30, 20, 10);
    expect(readSurfaceFacts(encode(meshOf(positions, indices.subarray(3)))).isClosed).toBe(false);
    expect(readSurfaceFacts(encode(insideOut(box(30, 20, 10)))).volumeMm3).toBeCloseTo(6000, 1);
  });

  test('takes at most 8 bytes a triangle', () => {
    for (const mesh of [SHAPES.sphere, SHAPES.torus])
      expect((encode(mesh).length - 240) / (mesh.indices.length / 3)).toBeLessThan(8);
  });

  test('has equal bits on every machine', () => {
    const hash = createHash('sha256');
    for (const mesh of [box(30, 20, 10), roughSurface(40)]) hash.update(encode(mesh));
    expect(hash.digest('hex')).toBe(GOLDEN);
  });

  test('of a mesh too fine is simplified, and says by how much', () => {
    const { facts, positions, indices } = decodeSurface(encode(roughSurface(200)));
    expect(facts.triangleCount).toBe(indices.length / 3);
    expect(facts.triangleCount).toBeLessThanOrEqual(SURFACE_TRIANGLES);
    expect(facts.triangleCount).toBeGreaterThan(SURFACE_TRIANGLES / 2);
    expect(facts.simplifiedByMm).toBeGreaterThan(0);
    expect(facts.simplifiedByMm).toBeLessThan(0.02 * Math.max(...positions));
  });

  test('that is damaged is refused with a code', () => {
    const bytes = encode(SHAPES.torus);
    const random = randomOf(4);
    for (let i = 0; i < 300; i++) {
      const copy = i % 2 === 0 ? bytes.slice(0, Math.floor(random() * bytes.length)) : bytes.slice();
      if (i % 2 === 1) copy[Math.floor(random() * copy.length)] ^= 1 << Math.floor(8 * random());
      let failure: unknown;
      try {
        decodeSurface(copy);
      } catch (error) {
        failure = error;
      }
      if (i % 2 === 0) expect(failure).toBeInstanceOf(EngineError);
      if (failure !== undefined) expect(failure).toMatchObject({ code: 'LIBRARY_DAMAGED' });
    }
  });

  test('needs area', () => {
    expect(() => encode(meshOf([0, 0, 0, 1, 0, 0, 2, 0, 0], [0, 1, 2]))).toThrow(/no triangle of positive area/);
    expect(() => encode(meshOf([], []))).toThrow(/no triangles/);
  });
});

const GOLDEN = '60ff6badd708a793792c526f268f95d3445377d789d8fb48797b345e7e60f9bb';

/** A bumpy sheet of 2 n² triangles, made with + − × only. */
function roughSurface(n: number): TriangleMesh {
  const random = randomOf(8);
  const positions: number[] = [],
    indices: number[] = [];
  for (let y = 0; y <= n; y++) for (let x = 0; x <= n; x++) positions.push(x, y, random());
  for (let y = 0; y < n; y++) {
    for (let x = 0; x < n; x++) {
      const a = y * (n + 1) + x;
      indices.push(a, a + 1, a + n + 2, a, a + n + 2, a + n + 1);
    }
  }
  return meshOf(positions, indices);
}

/** Each triangle as three, about its centroid. */
function cutFiner({ positions, indices }: TriangleMesh): TriangleMesh {
  const points = Array.from(positions),
    corners: number[] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = indices.subarray(t, t + 3),
      middle = points.length / 3;
    for (let k = 0; k < 3; k++) points.push((positions[3 * a + k] + positions[3 * b + k] + positions[3 * c + k]) / 3);
    corners.push(a, b, middle, b, c, middle, c, a, middle);
  }
  return meshOf(points, corners);
}

/** Coordinates on the grid of the mesh's own box, as stored. */
function snapped({ positions }: TriangleMesh): Float32Array {
  const low = [0, 1, 2].map((k) => Math.min(...positions.filter((_, i) => i % 3 === k)));
  const high = [0, 1, 2].map((k) => Math.max(...positions.filter((_, i) => i % 3 === k)));
  return positions.map((value, i) => {
    const step = (high[i % 3] - low[i % 3]) / 65535;
    return low[i % 3] + Math.floor((value - low[i % 3]) * (65535 / (high[i % 3] - low[i % 3])) + 0.5) * step;
  });
}

/**
 * Triangles by their corners' coordinates, turned to begin with the lowest, sorted: what a mesh is, whatever its order.
 */
function corners(positions: Float32Array, indices: Uint32Array): string[] {
  const triangles: string[] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const points = [0, 1, 2].map((k) =>
      Array.from(positions.subarray(3 * indices[t + k], 3 * indices[t + k] + 3), (x) => x.toFixed(4)).join(' '),
    );
    const first = points.indexOf([...points].sort()[0]);
    triangles.push([0, 1, 2].map((k) => points[(first + k) % 3]).join(' | '));
  }
  return triangles.sort();
}
