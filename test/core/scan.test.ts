import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { clusteredVectors, distanceBetween, naiveSearch, randomOf } from '../vectors/vectors.ts';
import { Core, VectorTable } from '../../dist/core-entry.js';

let core: Core;
beforeAll(async () => {
  core = await Core.load();
});

describe('VectorTable', () => {
  test.each([4, 12, 16, 20, 64, 100])('finds what a plain loop finds in %i dimensions', async (dimension) => {
    const rows = new Map(clusteredVectors(3000, dimension, dimension).map(({ label, vector }) => [label, vector]));
    const table = await filled(dimension, rows);
    const random = randomOf(5);
    for (const k of [1, 7, 200, 5000]) {
      const query = Float32Array.from({ length: dimension }, () => random() - 0.5);
      const found = table.search(query, k);
      const expected = naiveSearch(rows, query, k);
      expect(found.labels.length).toBe(Math.min(k, 3000));
      // Single precision may order near-equal distances otherwise than double: compare the distances, then each label's
      // own.
      found.labels.forEach((label, i) => {
        expect(found.distances[i]).toBeCloseTo(expected[i].distance, 5);
        expect(found.distances[i]).toBeCloseTo(distanceBetween(query, rows.get(label)!), 5);
      });
      expect(new Set(found.labels).size).toBe(found.labels.length);
    }
  });

  test('puts equal distances in the order of labels, also when k cuts through them and rows have moved', async () => {
    const table = await VectorTable.open(core, 4);
    const corners = [
      [1, 0, 0, 0],
      [0, -1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, -1],
    ];
    for (let label = 99; label >= 0; label--) table.put(label, Float32Array.from(corners[label % 4]));
    for (const label of [0, 50, 98]) table.remove(label);
    expect([...table.search(new Float32Array(4), 10).labels]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('two sums of squares with one root are equal distances', async () => {
    const table = await VectorTable.open(core, 4);
    // 1 + 2^-23 and 1 + 2^-22 are neighbours whose roots both round to 1 + 2^-23 or below: find such a pair, then tie
    // it.
    const near = Math.fround(1 + 2 ** -23);
    const nearer = 1;
    expect(Math.fround(Math.sqrt(near))).toBe(Math.fround(Math.sqrt(nearer)));
    // 1² + (2^-11.5)² = 1 + 2^-23.
    const small = Math.fround(2 ** -11.5);
    expect(Math.fround(1 + Math.fround(small * small))).toBe(near);
    table.put(1, Float32Array.of(1, small, 0, 0));
    table.put(2, Float32Array.of(1, 0, 0, 0));
    const { labels, distances } = table.search(new Float32Array(4), 2);
    expect([...labels]).toEqual([1, 2]);
    expect([...distances]).toEqual([1, 1]);
  });

  test('no row is left out for its codes: the first of all rows are the nearest k, to the bit', async () => {
    const random = randomOf(11);
    for (const dimension of [64, 20]) {
      const rows = new Map<number, Float32Array>();
      const unit = (): number[] => {
        const v = Array.from({ length: dimension }, () => random() - 0.5);
        return v.map((x) => x / Math.hypot(...v));
      };
      const centres = Array.from({ length: 5 }, unit);
      for (let label = 1; label <= 4_000; label++) {
        const centre = centres[label % 5];
        const noise = 10 ** -(1 + (label % 6));
        // Some lie far outside what codes reach, some are equal.
        const scale = label % 97 === 0 ? 10 ** (label % 30) : 1;
        rows.set(
          label,
          label % 50 === 0
            ? Float32Array.from(centre)
            : Float32Array.from(centre, (x) => scale * (x + noise * (random() - 0.5))),
        );
      }
      const table = await filled(dimension, rows);
      const queries = [...centres, unit(), centres[0].map((x) => 5 * x), [1e30, ...centres[1].slice(1)]];
      for (const query of queries.map((one) => Float32Array.from(one))) {
        const all = table.search(query, rows.size); // Reads every row.
        for (const k of [1, 20, 257]) {
          const { labels, distances } = table.search(query, k);
          expect([...labels]).toEqual([...all.labels.subarray(0, k)]);
          expect([...distances]).toEqual([...all.distances.subarray(0, k)]);
        }
      }
    }
  });

  test('a distance does not depend on the rows around it nor on the way it is read', async () => {
    const vectors = clusteredVectors(500, 64, 9);
    const whole = await filled(64, new Map(vectors.map(({ label, vector }) => [label, vector])));
    const query = vectors[17].vector.map((value) => value + 0.01);
    const { labels, distances } = whole.search(query, 500);
    const alone = await VectorTable.open(core, 64);
    labels.forEach((label, i) => {
      expect(whole.search(query, 1, Uint32Array.of(label)).distances[0]).toBe(distances[i]);
      alone.put(7, vectors[(label - 1) / 3].vector);
      expect(alone.search(query, 1).distances[0]).toBe(distances[i]);
    });
  });

  test('behaves as a map under any sequence of changes', async () => {
    // Around the ends of a page of labels and of the u32.
    const label = fc.oneof(
      fc.integer({ min: 240, max: 270 }),
      fc.integer({ min: 2 ** 32 - 4, max: 2 ** 32 - 1 }),
      fc.integer({ min: 2 ** 31 - 2, max: 2 ** 31 + 2 }),
    );
    const vector = fc
      .array(fc.integer({ min: -2, max: 2 }), { minLength: 4, maxLength: 4 })
      .map((v) => Float32Array.from(v));
    const step = fc.oneof(
      fc.record({ put: label, vector }),
      fc.record({ remove: label }),
      fc.record({
        search: vector,
        k: fc.integer({ min: 1, max: 50 }),
        allow: fc.option(fc.array(label), { nil: undefined }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
        const table = await VectorTable.open(core, 4);
        const model = new Map<number, Float32Array>();
        for (const s of steps) {
          if ('put' in s) {
            table.put(s.put, s.vector);
            model.set(s.put, s.vector);
          } else if ('remove' in s) {
            expect(table.remove(s.remove)).toBe(model.delete(s.remove));
          } else {
            const found = table.search(s.search, s.k, s.allow && Uint32Array.from(s.allow));
            const expected = naiveSearch(model, s.search, s.k, s.allow && new Set(s.allow));
            expect([...found.labels]).toEqual(expected.map((e) => e.label));
            expect([...found.distances]).toEqual(expected.map((e) => Math.fround(e.distance)));
          }
          expect(table.size).toBe(model.size);
        }
      }),
    );
  });

  test('many rows that are put at once are those that are put singly', async () => {
    const rows = clusteredVectors(3000, 8, 4);
    const single = await filled(8, new Map(rows.map(({ label, vector }) => [label, vector])));
    const table = await filled(8, new Map(rows.slice(0, 10).map(({ label, vector }) => [label, vector])));
    const labels = Uint32Array.from(rows.slice(10), ({ label }) => label),
      vectors = Float32Array.from(rows.slice(10).flatMap(({ vector }) => [...vector]));
    expect(() => table.putAll(labels, vectors.with(9, Infinity))).toThrow('vectors[9]');
    expect(() => table.putAll(labels, vectors.slice(1))).toThrow(RangeError);
    expect(table.size).toBe(10);
    table.putAll(labels, vectors);
    expect(table.rowHashes()).toEqual(single.rowHashes());
    table.remove(labels[5]);
    single.remove(labels[5]);
    expect(table.search(rows[20].vector, 30)).toEqual(single.search(rows[20].vector, 30));
  });

  test('grows past its first room and keeps every row', async () => {
    const rows = new Map(clusteredVectors(5000, 8, 3).map(({ label, vector }) => [label, vector]));
    const table = await filled(8, rows);
    expect(table.byteLength).toBeLessThan(1.13 * 5000 * (9 * 4 + 24)); // 16 codes and 8 bytes of facts.
    const { labels } = table.rowHashes();
    expect([...labels]).toEqual([...rows.keys()].sort((a, b) => a - b));
    expect(table.vectorsOf(labels)).toEqual(
      Float32Array.from([...rows].sort(([a], [b]) => a - b).flatMap(([, v]) => [...v])),
    );
  });

  test('row hashes tell vectors, the order of numbers and the sign of zero, and are the same under any label', async () => {
    const hashOf = async (label: number, vector: number[]): Promise<bigint> => {
      const table = await filled(4, new Map([[label, Float32Array.from(vector)]]));
      return table.rowHashes().hashes[0];
    };
    const hashes = await Promise.all([
      hashOf(1, [1, 2, 3, 4]),
      hashOf(1, [2, 1, 3, 4]),
      hashOf(1, [3, 4, 1, 2]),
      hashOf(1, [1, 2, 3, 4.0000005]),
      hashOf(1, [0, 0, 0, 0]),
      hashOf(1, [0, 0, 0, -0]),
    ]);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(await hashOf(2, [1, 2, 3, 4])).toBe(hashes[0]);
  });

  test('refuses what it cannot hold, and says what it was', async () => {
    await expect(VectorTable.open(core, 6)).rejects.toThrow(
      new RangeError('dimension must be a positive multiple of 4, received 6'),
    );
    const table = await VectorTable.open(core, 4);
    expect(() => table.put(1, new Float32Array(8))).toThrow(
      new RangeError('vector must be a Float32Array of 4 numbers, received 8 numbers'),
    );
    expect(() => table.put(1, Float32Array.of(1, NaN, 0, 0))).toThrow(
      new RangeError('vector[1] must be finite, received NaN'),
    );
    expect(() => table.put(1, Float32Array.of(1, 0, 0, -Infinity))).toThrow(RangeError);
    for (const label of [-1, 0.5, 2 ** 32, NaN])
      expect(() => table.put(label, new Float32Array(4))).toThrow(RangeError);
    for (const k of [0, -1, 1.5, NaN]) expect(() => table.search(new Float32Array(4), k)).toThrow(RangeError);
    expect(table.size).toBe(0);
    table.put(2 ** 32 - 1, new Float32Array(4));
    expect([...table.search(new Float32Array(4), 1).labels]).toEqual([2 ** 32 - 1]);
  });
});

async function filled(dimension: number, rows: ReadonlyMap<number, Float32Array>): Promise<VectorTable> {
  const table = await VectorTable.open(core, dimension);
  for (const [label, vector] of rows) table.put(label, vector);
  return table;
}
