import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COMPACT_DIMENSION } from '../../dist/descriptors/description.js';
import { dozen, mapped, rotated, scaled } from '../fixtures/parts.js';
import { seeded } from '../fixtures/random.js';
import { moved, type Body } from '../fixtures/shapes.js';
import { apart, describeBody, describer, meshOfBody, modelOf, type Apart } from './describing.js';

// A part that is turned, moved, scaled, written in another order or inside out stays about what it was. Not exactly:
// points are drawn along the order of triangles, and a round or regular part has no frame of its own in the plane where
// it is round.

/** Most that changes may matter, 1 being unrelated parts (0.5 to 1.6 for the compact vectors). */
const BOUNDS: Apart = { compact: 0.15, views: 0.1, spread: 0.6, family: 0.25, plainPairs: 0.25 };

const parts = dozen();
const described = parts.map(describeBody);

const unit = fc.double({ min: -1, max: 1, noNaN: true });
const turning = fc.tuple(unit, unit, unit, unit).filter((q) => Math.hypot(...q) > 0.1);
const any = fc.record({
  turning,
  scale: fc.double({ min: -4, max: 4, noNaN: true }).map((power) => 10 ** power),
  shift: fc.tuple(unit, unit, unit),
  flip: fc.boolean(),
  order: fc.integer(),
});

/** The same faces in another order, each from another of its corners, over vertices in another order. */
function reordered(body: Body, seed: number): Body {
  const random = seeded(seed);
  const shuffle = <T>(values: readonly T[]): T[] =>
    values
      .map((value) => ({ value, key: random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ value }) => value);
  const from = shuffle(body.vertices.map((_, i) => i));
  const to = new Map(from.map((old, i) => [old, i]));
  const faces = shuffle(body.faces).map((face) => {
    const start = Math.floor(random() * face.length);
    return [...face.slice(start), ...face.slice(0, start)].map((corner) => to.get(corner)!);
  });
  return { ...body, vertices: from.map((old) => body.vertices[old]), faces };
}

function expectNear(found: Apart, bounds: Apart): void {
  for (const term of Object.keys(bounds) as (keyof Apart)[])
    expect(found[term], term).toBeLessThanOrEqual(bounds[term]);
}

describe.each(parts.map((part, i) => [part.name, i] as const))('%s', (_name, i) => {
  const part = parts[i];

  test('moved or scaled by a power of two is the same to the bit', () => {
    // Fixture coordinates are multiples of 2⁻²⁰ below 2⁶: sums with small whole numbers, and halves, are exact.
    const [compact, fine] = [described[i].descriptors.compact, described[i].descriptors.fine];
    for (const other of [moved(part, 8, -16, 4), scaled(part, 0.25), scaled(part, 1024)]) {
      const { descriptors } = describeBody(other);
      expect(Buffer.from(descriptors.compact).equals(compact)).toBe(true);
      expect(Buffer.from(descriptors.fine).equals(fine)).toBe(true);
    }
  });

  test('with its triangles turned round is the same to the bit, with a warning', () => {
    const { positions, indices } = meshOfBody(part);
    const turned = indices.map((_, k) => indices[k % 3 === 0 ? k : k % 3 === 1 ? k + 1 : k - 1]);
    const { descriptors, warnings } = describer.describe(modelOf(positions, turned));
    const whole = describer.describe(modelOf(positions, indices));
    for (const name of ['compact', 'fine', 'surface'] as const)
      expect(Buffer.from(descriptors[name]).equals(whole.descriptors[name]), name).toBe(true);
    expect(warnings.map(({ code }) => code)).toContain('MESH_INSIDE_OUT');
  });

  test('changed in any way that keeps its shape stays near', () => {
    fc.assert(
      fc.property(any, ({ turning, scale, shift, flip, order }) => {
        const turned = moved(
          scaled(rotated(part, turning), scale),
          ...(shift.map((s) => 1000 * scale * s) as [number, number, number]),
        );
        const changed = describeBody(mapped(reordered(turned, order), (...place) => place, { flip }));
        expect(changed.descriptors.compact).toHaveLength(4 * COMPACT_DIMENSION);
        expect(changed.descriptors.fine).toHaveLength(described[i].descriptors.fine.length);
        expectNear(apart(described[i], changed), BOUNDS);
        expect(changed.volumeMm3 / described[i].volumeMm3 / scale ** 3).toBeCloseTo(1, 2);
        expect(changed.surfaceAreaMm2 / described[i].surfaceAreaMm2 / scale ** 2).toBeCloseTo(1, 3);
      }),
      { numRuns: 8, seed: 20_26 + i },
    );
  });

  test('is far from every other part', () => {
    described.forEach((other, k) => {
      if (k === i) return;
      const { compact, views } = apart(described[i], other);
      expect(compact).toBeGreaterThan(2 * BOUNDS.compact);
      expect(views).toBeGreaterThan(2 * BOUNDS.views);
    });
  });
});
