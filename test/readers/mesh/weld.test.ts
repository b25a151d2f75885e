import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weld } from '../../../dist/readers/mesh/weld.js';
import { stopwatch } from '../../fixtures/stopwatch.js';

/** A square in the plane z = 0 as two triangles that share no vertex number. */
const SQUARE_SOUP = new Float64Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0]);
const count = (n: number) => Uint32Array.from({ length: n }, (_, i) => i);

describe('weld', () => {
  it('joins vertices in one place and numbers them by first use', () => {
    const welded = weld(SQUARE_SOUP, count(6));
    expect([...welded.positions]).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
    expect([...welded.indices]).toEqual([0, 1, 2, 0, 2, 3]);
    expect(welded.dropped).toBe(0);
    expect(welded.faces).toBeUndefined();
  });

  it('takes −0 and 0 as one place, and gives 0', () => {
    const welded = weld(new Float64Array([-0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -0, 0, 0, 1, 0, -1, 0, -0]), count(6));
    expect(welded.positions.length).toBe(12);
    expect([...welded.positions].some((x) => Object.is(x, -0))).toBe(false);
  });

  it('does not join vertices that differ in the last bit', () => {
    const next = 1 + Number.EPSILON;
    expect(weld(new Float64Array([0, 0, 0, 1, 0, 0, next, 0, 0]), count(3)).positions.length).toBe(9);
  });

  it('leaves out triangles with two corners in one place, numbers that are not finite, and indices out of range', () => {
    const positions = new Float64Array([
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      1,
      0,
      1,
      0,
      0,
      NaN,
      0,
      0,
      0,
      Infinity,
      0,
      0,
      0,
      -Infinity,
    ]);
    const welded = weld(
      positions,
      new Uint32Array([0, 1, 2, 0, 0, 2, 1, 2, 3, 0, 1, 4, 0, 5, 1, 6, 1, 2, 0, 1, 7, 0, 1, 0xffffffff]),
    );
    expect([...welded.indices]).toEqual([0, 1, 2]);
    expect(welded.dropped).toBe(7);
  });

  it('takes out vertices that no triangle uses', () => {
    const welded = weld(new Float64Array([9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0]), new Uint32Array([1, 2, 3]));
    expect([...welded.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect([...welded.indices]).toEqual([0, 1, 2]);
  });

  it('keeps thin triangles with three places', () => {
    expect(weld(new Float64Array([0, 0, 0, 1, 0, 0, 2, 0, 0]), count(3)).dropped).toBe(0);
  });

  it('ends with nothing on nothing', () => {
    const welded = weld(new Float64Array(0), new Uint32Array(0), []);
    expect(welded).toEqual({ positions: new Float64Array(0), indices: new Uint32Array(0), dropped: 0, faces: [] });
  });

  it('keeps face runs right when triangles go, and drops faces that lost all', () => {
    const positions = new Float64Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
    const red = [1, 0, 0] as const;
    const welded = weld(positions, new Uint32Array([0, 0, 1, 0, 2, 1, 0, 1, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]), [
      { first: 0, count: 2, color: red },
      { first: 2, count: 1 },
      { first: 3, count: 3 },
    ]);
    expect(welded.dropped).toBe(2);
    expect(welded.faces).toEqual([
      { first: 0, count: 1, color: red },
      { first: 1, count: 3 },
    ]);
  });

  it('gives what a naive loop over strings gives, on grids where places coincide', () => {
    const place = fc.tuple(
      fc.integer({ min: -2, max: 2 }),
      fc.integer({ min: 0, max: 1 }),
      fc.constantFrom(-0, 0, 0.1, 1e-300, NaN),
    );
    fc.assert(
      fc.property(fc.array(place, { maxLength: 40 }), fc.array(fc.nat(45), { maxLength: 90 }), (places, raw) => {
        const indices = new Uint32Array(raw.slice(0, raw.length - (raw.length % 3)));
        const before = indices.slice();
        const welded = weld(new Float64Array(places.flat()), indices);
        const expected = naive(places, indices);
        expect([...welded.positions]).toEqual(expected.positions);
        expect([...welded.indices]).toEqual(expected.indices);
        expect(welded.dropped).toBe(indices.length / 3 - expected.indices.length / 3);
        expect(indices).toEqual(before);
      }),
    );
  });

  it('welds a million triangles in about a second', () => {
    const side = 708; // 2 · 707² ≈ 1.0 M triangles, each with vertices of its own
    const positions = new Float64Array(18 * (side - 1) ** 2);
    let at = 0;
    for (let y = 0; y < side - 1; y++) {
      for (let x = 0; x < side - 1; x++) {
        for (const [dx, dy] of [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
          [1, 1],
          [0, 1],
        ]) {
          positions[at++] = (x + dx) / 10;
          positions[at++] = (y + dy) / 10;
          positions[at++] = 7;
        }
      }
    }
    const took = stopwatch();
    const welded = weld(positions, count(positions.length / 3));
    const elapsed = took();
    expect(welded.positions.length).toBe(3 * side * side);
    expect(welded.dropped).toBe(0);
    expect(elapsed).toBeLessThan(4000); // wide for a busy machine; alone it takes about 0.3 s
  });
});

function naive(
  places: readonly (readonly number[])[],
  indices: Uint32Array,
): { positions: number[]; indices: number[] } {
  const numbers = new Map<string, number>();
  const kept: number[] = [];
  const positions: number[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [...indices.slice(i, i + 3)].map((index) => places[index]);
    if (corners.some((corner) => corner === undefined || corner.some((x) => !Number.isFinite(x)))) continue;
    const keys = corners.map((corner) => corner.map((x) => x + 0).join(' '));
    if (new Set(keys).size < 3) continue;
    for (const [n, key] of keys.entries()) {
      let number = numbers.get(key);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(key, number);
        positions.push(...corners[n].map((x) => x + 0));
      }
      kept.push(number);
    }
  }
  return { positions, indices: kept };
}
