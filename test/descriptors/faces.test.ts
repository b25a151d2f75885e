import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Mesh } from '../../dist/content/model.js';
import { decodeFaces, encodeFaces } from '../../dist/descriptors/faces/encode-faces.js';
import { faceWords } from '../../dist/descriptors/faces/face-words.js';
import { findFaces } from '../../dist/descriptors/faces/find-faces.js';
import type { BodyFaces, FaceTable } from '../../dist/descriptors/faces/part-face.js';
import { covers, pointsOf } from '../../dist/descriptors/faces/region.js';
import { EngineError } from '../../dist/errors.js';
import { turned } from '../fixtures/parts.js';
import { plate } from '../search/plates.js';
import { box, cylinder, sphere, torus, triangulated, type Body } from '../fixtures/shapes.js';

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

/** A mesh without faces of its own. */
function meshOf(body: Body): Mesh {
  const { vertices, faces } = triangulated(body);
  return { name: '', positions: Float64Array.from(vertices.flat()), indices: Uint32Array.from(faces.flat()) };
}

const facesOf = (body: Body): BodyFaces => findFaces(meshOf(body), 1_000);
const tableOf = (body: Body): FaceTable => ({ bodies: [facesOf(body)], places: [{ body: 0, matrix: IDENTITY }] });

/** Cone from radius 12 to 6 over 20 mm, then a pin of radius 3. */
const nozzle = turned(
  [
    [0, 0],
    [12, 0],
    [6, 20],
    [3, 20],
    [3, 35],
    [0, 35],
  ],
  64,
);

describe('faces of meshes whose surfaces are known', () => {
  test('a box has six planes that meet at ridges of a right angle', () => {
    const { faces, edges } = facesOf(box(10, 20, 30));
    expect(faces.map(({ kind }) => kind)).toEqual(new Array(6).fill('plane'));
    expect(faces.map(({ areaMm2 }) => Math.round(areaMm2)).sort((a, b) => a - b)).toEqual([
      200, 200, 300, 300, 600, 600,
    ]);
    expect(edges).toHaveLength(12);
    for (const { kind, turnRad } of edges) {
      expect(kind).toBe('convex');
      expect(turnRad).toBeCloseTo(Math.PI / 2, 6);
    }
  });

  test('a cylinder has its radius, its axis and the area of the round surface', () => {
    const { faces } = facesOf(cylinder(5, 40, 64));
    const [wall] = faces.filter(({ kind }) => kind === 'cylinder');
    expect(wall).toMatchObject({ isHollow: false, second: 0 });
    expect(wall.radiusMm).toBeCloseTo(5, 6);
    expect(Math.abs(wall.axis[2])).toBeCloseTo(1, 9);
    expect(wall.areaMm2 / (2 * Math.PI * 5 * 40)).toBeCloseTo(1, 3);
    expect(wall.region.to[1] - wall.region.from[1]).toBeCloseTo(40, 6);
    expect(faces.filter(({ kind }) => kind === 'plane')).toHaveLength(2);
  });

  test('a cone opens away from its apex, and a pin stands on it with a groove around', () => {
    const { faces, edges } = facesOf(nozzle);
    const cone = faces.find(({ kind }) => kind === 'cone')!;
    expect(cone.second).toBeCloseTo(Math.atan(6 / 20), 5);
    expect(cone.origin.map((value) => Math.round(1e4 * value) / 1e4 + 0)).toEqual([0, 0, 40]);
    expect(cone.axis[2]).toBeCloseTo(-1, 9);
    const pin = faces.find(({ kind }) => kind === 'cylinder')!;
    expect(pin).toMatchObject({ isHollow: false });
    expect(pin.radiusMm).toBeCloseTo(3, 6);
    expect(edges.map(({ kind }) => kind).sort()).toEqual(['concave', 'convex', 'convex', 'convex']);
  });

  test('the wall of a hole is hollow, and meets the sides of the plate at ridges', () => {
    const square = [
      [-20, -20],
      [20, -20],
      [20, 20],
      [-20, 20],
    ] as const;
    const { positions, indices } = plate(square, 5, [{ x: 4, y: 3, diameter: 8 }]);
    const { faces, edges } = findFaces({ name: '', positions: Float64Array.from(positions), indices }, 1_000);
    const [wall, ...others] = faces.filter(({ kind }) => kind === 'cylinder');
    expect(others).toEqual([]);
    expect(wall).toMatchObject({ isHollow: true });
    expect(wall.radiusMm).toBeCloseTo(4, 5);
    const ofWall = edges.filter((edge) => edge.faces.includes(faces.indexOf(wall)));
    expect(ofWall.map(({ kind }) => kind)).toEqual(['convex', 'convex']);
  });

  test('a ball is one sphere, a ring one torus', () => {
    const [ball, ...none] = facesOf(sphere(7, 48)).faces;
    expect(none).toEqual([]);
    expect(ball.kind).toBe('sphere');
    expect(ball.radiusMm).toBeCloseTo(7, 5);
    const [ring, ...others] = facesOf(torus(20, 4, 64, 48)).faces;
    expect(others).toEqual([]);
    expect(ring.kind).toBe('torus');
    expect(ring.radiusMm).toBeCloseTo(20, 4);
    expect(ring.second).toBeCloseTo(4, 4);
  });
});

test('the region of a face covers the points of the face and none beside it', () => {
  for (const body of [box(10, 20, 30), cylinder(5, 40, 64), nozzle])
    for (const face of facesOf(body).faces) {
      const points = pointsOf(face, face.region);
      expect(points.length).toBeGreaterThan(3);
      for (const point of points) expect(covers(face, face.region, point), face.kind).toBe(true);
    }
  const wall = facesOf(cylinder(5, 40, 64)).faces.find(({ kind }) => kind === 'cylinder')!;
  const [low, high] = [wall.origin[2] - 20, wall.origin[2] + 20];
  expect(covers(wall, wall.region, [5, 0, high - 1])).toBe(true);
  expect(covers(wall, wall.region, [5, 0, high + 3])).toBe(false);
  expect(covers(wall, wall.region, [-5, 0, low - 3])).toBe(false);
});

test('the words of a part are the same in every pose and in the mirror image', () => {
  const words = [...faceWords(tableOf(nozzle))];
  expect(words.length).toBeGreaterThan(3);
  fc.assert(
    fc.property(fc.double({ min: -3, max: 3, noNaN: true }), fc.double({ min: -3, max: 3, noNaN: true }), (a, b) => {
      const moved = mapVertices(nozzle, ([x, y, z]) => {
        const [p, q] = [x * Math.cos(a) - y * Math.sin(a), x * Math.sin(a) + y * Math.cos(a)];
        return [p * Math.cos(b) - z * Math.sin(b) + 100, q - 30, p * Math.sin(b) + z * Math.cos(b)];
      });
      expect([...faceWords(tableOf(moved))]).toEqual(words);
    }),
    { numRuns: 20, seed: 3 },
  );
  const mirrored = mapVertices(nozzle, ([x, y, z]) => [-x, y, z]);
  const turnedOver = { ...mirrored, faces: mirrored.faces.map((face) => [...face].reverse()) };
  expect([...faceWords(tableOf(turnedOver))]).toEqual(words);
});

function mapVertices(body: Body, map: (point: readonly number[]) => readonly number[]): Body {
  return { ...body, vertices: body.vertices.map((point) => map(point) as [number, number, number]) };
}

test('stored faces come back, and damaged ones are refused with a code', () => {
  const table = tableOf(nozzle);
  const bytes = encodeFaces(table);
  const back = decodeFaces(bytes);
  expect(back.places).toEqual(table.places);
  const [before, after] = [table.bodies[0], back.bodies[0]];
  expect(after.edges).toHaveLength(before.edges.length);
  for (const [i, face] of after.faces.entries()) {
    const { kind, number, isHollow, radiusMm, origin, region } = before.faces[i];
    expect(face).toMatchObject({ kind, number, isHollow });
    expect(face.radiusMm).toBeCloseTo(radiusMm, 5);
    expect(face.region.cells).toEqual(region.cells);
    origin.forEach((value, axis) => expect(face.origin[axis]).toBeCloseTo(value, 4));
  }
  fc.assert(
    fc.property(fc.nat({ max: bytes.length - 1 }), (length) => {
      expect(() => decodeFaces(bytes.subarray(0, length))).toThrow(EngineError);
    }),
    { numRuns: 50, seed: 1 },
  );
  fc.assert(
    fc.property(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 7 }), (at, bit) => {
      const damaged = bytes.slice();
      damaged[at] ^= 1 << bit;
      try {
        decodeFaces(damaged);
      } catch (error) {
        expect(error).toBeInstanceOf(EngineError);
      }
    }),
    { numRuns: 200, seed: 2 },
  );
});
