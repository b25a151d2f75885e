import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeShape } from '../../dist/core/shape.js';
import { backgroundOfFine } from '../../dist/descriptors/fine.js';
import { compactOf } from '../../dist/descriptors/describe.js';
import type { ShapeDescription } from '../../dist/descriptors/description.js';
import { decodeSurface, encodeSurface } from '../../dist/descriptors/surface.js';
import { EngineError } from '../../dist/errors.js';
import { comparePart } from '../../dist/search/shapes/same-part/compare-part.js';
import { PartSurface } from '../../dist/search/shapes/same-part/part-surface.js';
import { scaled } from '../fixtures/parts.js';
import { box, lBracket, moved, triangulated } from '../fixtures/shapes.js';
import { apart, core, describeBody, describer, modelOf } from './describing.js';

/** Whatever the mesh: no number that is none goes into the catalogue or the vector index. */
function expectSound({ descriptors, ...facts }: ShapeDescription): void {
  expect(compactOf(descriptors.compact).every(Number.isFinite)).toBe(true);
  const { mean, deviation } = backgroundOfFine(descriptors.fine);
  expect(Number.isFinite(mean) && deviation > 0).toBe(true);
  for (const size of [facts.volumeMm3, facts.surfaceAreaMm2, facts.bboxVolumeMm3, ...facts.bboxSizeMm]) {
    expect(Number.isFinite(size) && size >= 0).toBe(true);
  }
  const surface = new PartSurface(decodeSurface(descriptors.surface));
  expect(comparePart(core, surface, surface).matchClass).not.toBe('mirrored');
}

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

const TRIANGLE = [0, 0, 0, 10, 0, 0, 0, 5, 0];
const bracket = describeBody(lBracket(40, 5, 30));

describe('a part', () => {
  test.each([[1e-12], [1e-9], [1e-3], [1e6], [1e9], [1e15]])('of %s times the size has the same shape', (factor) => {
    const part = describeBody(scaled(lBracket(40, 5, 30), factor));
    expectSound(part);
    expect(apart(part, bracket).compact).toBeLessThan(0.05);
    expect(part.volumeMm3 / factor ** 3).toBeCloseTo(11_250, 0);
  });

  test.each([[1e-45], [1e-40], [1e-30], [1e20], [1e30], [3e38], [1e39], [1e300]])(
    'of %s times the size is described or refused',
    (factor) => {
      let part: ShapeDescription | undefined;
      const code = codeOf(() => {
        part = describeBody(scaled(box(1, 0.7, 0.5), factor));
      });
      if (part !== undefined) expectSound(part);
      else expect(['NO_GEOMETRY', 'FILE_MALFORMED']).toContain(code);
    },
  );

  test.each([[1e6], [1e9], [-1e12]])('%s mm from the origin is the same to the bit', (away) => {
    // 2⁻¹² mm is exact up to there in the doubles that readers hand over.
    const { descriptors } = describeBody(moved(lBracket(40, 5, 30), away, away / 2, -away));
    expect(Buffer.from(descriptors.fine).equals(bracket.descriptors.fine)).toBe(true);
    expect(Buffer.from(descriptors.compact).equals(bracket.descriptors.compact)).toBe(true);
  });

  test.each([
    ['one triangle', TRIANGLE, [0, 1, 2], 25],
    ['a sheet', [0, 0, 0, 10, 0, 0, 10, 5, 0, 0, 5, 0], [0, 1, 2, 0, 2, 3], 50],
    ['two triangles far apart', [...TRIANGLE, 1e6, 0, 0, 1e6, 10, 0, 1e6, 0, 5], [0, 1, 2, 3, 4, 5], 50],
    ['one triangle twice, back to back', TRIANGLE, [0, 1, 2, 0, 2, 1], 50],
  ])('that is %s has a shape', (_name, positions, indices, areaMm2) => {
    const part = describer.describe(modelOf(positions, indices));
    expectSound(part);
    expect(part.surfaceAreaMm2).toBeCloseTo(areaMm2, 4);
  });

  test.each([[1e3], [1e5], [1e6], [1e9]])('that is a needle of 1 : %s has a shape', (length) => {
    const needle = describeBody(box(length, 1, 1));
    expectSound(needle);
    expect(needle.bboxSizeMm[0] / length).toBeCloseTo(1, 5);
    expect(apart(needle, bracket).compact).toBeGreaterThan(0.5);
  });
});

describe('a mesh', () => {
  test.each([
    ['no triangles', [0, 0, 0], [], 'NO_GEOMETRY'],
    ['no area', [0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 2], 'NO_GEOMETRY'],
    ['a NaN', [0, 0, 0, NaN, 0, 0, 0, 5, 0], [0, 1, 2], 'FILE_MALFORMED'],
    ['an infinite coordinate', [0, 0, 0, Infinity, 0, 0, 0, 5, 0], [0, 1, 2], 'FILE_MALFORMED'],
    ['a coordinate beyond single precision', [0, 0, 0, 1e200, 0, 0, 0, 5, 0], [0, 1, 2], 'FILE_MALFORMED'],
    ['an index past the last vertex', TRIANGLE, [0, 1, 3], 'FILE_MALFORMED'],
    ['an index past all memory', TRIANGLE, [0, 1, 0xffffffff], 'FILE_MALFORMED'],
  ])('with %s is refused with a code, by the whole and by the shape kernel', (_name, positions, indices, code) => {
    expect(codeOf(() => describer.describe(modelOf(positions, indices)))).toBe(code);
    const mesh = { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
    expect(codeOf(() => describeShape(core, mesh))).toBe(code);
    expectSound(describeBody(box(1, 2, 3)));
  });

  test.each([
    ['far away', 1e6],
    ['no number', NaN],
  ])('with a vertex %s that no triangle uses has the shape of its triangles', (_name, odd) => {
    const of = (more: number[]): Float32Array =>
      describeShape(core, {
        positions: Float32Array.from([...TRIANGLE, ...more]),
        indices: Uint32Array.from([0, 1, 2]),
      }).hog;
    expect(of([odd, odd, odd])).toEqual(of([]));
  });

  test('of too many triangles in the same places has a stored surface without any, and is only similar', () => {
    // No lattice tells them apart: whichever joins enough vertices joins all.
    const indices = Uint32Array.from({ length: 3 * 70_000 }, (_, i) => [0, 1, 2, 0, 2, 3][i % 6]);
    const bytes = encodeSurface(
      { positions: Float32Array.from([...TRIANGLE, 0, 0, 7]), indices, origin: [0, 0, 0] },
      [12, 7, 3],
    );
    const surface = decodeSurface(bytes);
    expect(surface.facts).toMatchObject({
      triangleCount: 0,
      surfaceAreaMm2: expect.closeTo(70_000 * 21.25, 0) as number,
    });
    expect(comparePart(core, new PartSurface(surface), new PartSurface(surface)).matchClass).toBe('similar');
  });

  test('of any numbers is described or refused', () => {
    const coordinate = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: -3, max: 3 }) },
      { weight: 2, arbitrary: fc.double({ min: -1e3, max: 1e3, noNaN: true }) },
      { weight: 1, arbitrary: fc.double() },
    );
    let sound = 0;
    fc.assert(
      fc.property(
        fc
          .array(coordinate, { minLength: 9, maxLength: 30 })
          .map((list) => list.slice(0, list.length - (list.length % 3))),
        fc.array(fc.tuple(fc.nat(10), fc.nat(10), fc.nat(10)), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 9 }),
        (positions, triangles, wild) => {
          const count = positions.length / 3;
          const indices = triangles.flat().map((index) => (wild === 0 ? index : index % count));
          let part: ShapeDescription | undefined;
          const code = codeOf(() => {
            part = describer.describe(modelOf(positions, indices));
          });
          if (part === undefined) expect(['NO_GEOMETRY', 'FILE_MALFORMED']).toContain(code);
          else {
            expectSound(part);
            sound++;
          }
        },
      ),
      { numRuns: 300, seed: 5 },
    );
    expect(sound).toBeGreaterThan(60);
  });
});

test('a surface that lies over itself thousands of times is refused before it is drawn; a stack of sheets is not', () => {
  const over = (times: number): (() => unknown) => {
    const corners = Array.from({ length: 3 * times }, (_, i) => i % 3);
    return () => describer.describe(modelOf(TRIANGLE, corners));
  };
  // Each time adds a fifth of the square of the box's diagonal.
  expect(over(26_000)).toThrow(
    expect.objectContaining({
      code: 'LIMIT_EXCEEDED',
      details: { limit: "the area of its surface by the square of its box's diagonal", allowed: 5_000, found: 5_200 },
    }),
  );
  expect(codeOf(over(500))).toBeUndefined();
  // A long needle makes its box's diagonal long, but views are drawn of the part stretched to a cube.
  const needle = [0, 0, 0, 0, 1, 0, 0, 0, 1, 1_000, 0, 0];
  const discs = Array.from({ length: 3 * 35_000 }, (_, i) => i % 3);
  expect(codeOf(() => describer.describe(modelOf(needle, [...discs, 0, 1, 3])))).toBe('LIMIT_EXCEEDED');
  expect(codeOf(() => describer.describe(modelOf(needle, [...discs.slice(0, 3_000), 0, 1, 3])))).toBeUndefined();
  const sheets = Array.from({ length: 200 }, (_, i) => moved(box(100, 80, 0.1), 0, 0, 0.2 * i));
  const corners = sheets.map(({ vertices }) => vertices.length).map((length, i) => length * i);
  const faces = sheets.flatMap((sheet, i) =>
    triangulated(sheet)
      .faces.flat()
      .map((corner) => corner + corners[i]),
  );
  expectSound(
    describer.describe(
      modelOf(
        sheets.flatMap(({ vertices }) => vertices.flat()),
        faces,
      ),
    ),
  );
});
