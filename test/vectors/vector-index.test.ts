import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Core } from '../../dist/core-entry.js';
import { VectorIndex, type VectorIndexOptions } from '../../dist/vectors/vector-index.js';
import { CacheFile } from '../../dist/store/disk/cache-file.js';
import { clusteredVectors, distanceBetween, naiveSearch } from './vectors.ts';

let core: Core;
let folder: string;
beforeAll(async () => {
  core = await Core.load();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shapedex-index-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Model = Map<number, Float32Array>;

const open = (rows: Model, options: Partial<VectorIndexOptions> = {}): Promise<VectorIndex> =>
  VectorIndex.open(core, {
    dimension: 4,
    vectors: [Array.from(rows, ([label, vector]) => ({ label, vector }))],
    cacheFile: new CacheFile(folder),
    ...options,
  });

const label = fc.integer({ min: 0, max: 60 });
// Few values a component: many equal distances and equal vectors.
const vector = fc
  .array(fc.integer({ min: -2, max: 2 }), { minLength: 4, maxLength: 4 })
  .map((v) => Float32Array.from(v));
const rows = fc.array(fc.tuple(label, vector), { minLength: 40, maxLength: 80 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ add: label, vector }) },
  { weight: 3, arbitrary: fc.record({ remove: label }) },
  {
    weight: 8,
    arbitrary: fc.record({
      search: vector,
      k: fc.integer({ min: 1, max: 70 }),
      exact: fc.boolean(),
      allow: fc.option(fc.array(label), { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.constant('flush' as const) },
  { weight: 1, arbitrary: fc.constant('reopen' as const) },
);

describe('VectorIndex against a plain loop, under any sequence of changes', () => {
  test('below the limit every search is the exact list', () => checkAgainstModel(1000, 60));

  test('above the limit every distance is exact, and so are searches that ask for it', async () => {
    // Some 100 on average; how many depends on the sequences that were drawn.
    expect(await checkAgainstModel(10, 12)).toBeGreaterThan(10);
  });

  /** Returns how many searches were answered by a graph. */
  async function checkAgainstModel(exactLimit: number, numRuns: number): Promise<number> {
    let byGraph = 0;
    await fc.assert(
      fc.asyncProperty(rows, fc.array(step, { minLength: 20, maxLength: 100 }), async (first, steps) => {
        const model: Model = new Map(first);
        await new CacheFile(folder).remove();
        let index = await open(model, { exactLimit });
        await index.flush();
        for (const s of steps) {
          if (s === 'flush') {
            await index.flush();
            expect(index.method).toBe(model.size > exactLimit ? 'graph' : 'scan');
          } else if (s === 'reopen') {
            await index.close();
            index = await open(model, { exactLimit });
          } else if ('add' in s) {
            index.add(s.add, s.vector);
            model.set(s.add, s.vector);
          } else if ('remove' in s) {
            expect(index.remove(s.remove)).toBe(model.delete(s.remove));
          } else {
            if (index.method === 'graph' && !s.exact) byGraph++;
            const allow = s.allow && new Set(s.allow);
            const { labels, distances } = index.search(s.search, s.k, {
              exact: s.exact,
              allow: s.allow && Uint32Array.from(s.allow),
            });
            const expected = naiveSearch(model, s.search, s.k, allow);
            expect(labels.length).toBe(expected.length);
            if (s.exact || exactLimit >= model.size) {
              expect([...labels]).toEqual(expected.map((e) => e.label));
            }
            labels.forEach((found, i) => {
              expect(allow === undefined || allow.has(found)).toBe(true);
              expect(distances[i]).toBe(Math.fround(distanceBetween(s.search, model.get(found)!)));
              if (i > 0)
                expect(
                  distances[i - 1] < distances[i] || (distances[i - 1] === distances[i] && labels[i - 1] < found),
                ).toBe(true);
            });
          }
          expect(index.size).toBe(model.size);
        }
        await index.close();
      }),
      { numRuns },
    );
    return byGraph;
  }
});

describe('recall', () => {
  test('the graph finds at least 0.99 of the nearest ten and 0.98 of the nearest 200', async () => {
    const vectors = clusteredVectors(6000, 32, 1);
    const index = await open(new Map(), { dimension: 32, vectors: [vectors], exactLimit: 1000 });
    await index.flush();
    expect(index.method).toBe('graph');
    expect(recallOf(index, clusteredVectors(40, 32, 1), 10)).toBeGreaterThanOrEqual(0.99);
    expect(recallOf(index, clusteredVectors(40, 32, 1), 200)).toBeGreaterThanOrEqual(0.98);
    await index.close();
  });

  // A cost of 0 is that of a graph that is always cheaper.
  test.each([
    [0.02, undefined],
    [0.02, 0],
    [0.5, undefined],
    [0.5, 0],
    [0.9, 0],
  ])('a filter that lets %f through costs no recall', async (share, graphCost) => {
    const vectors = clusteredVectors(4000, 16, 2);
    const index = await open(new Map(), { dimension: 16, vectors: [vectors], exactLimit: 50, graphCost });
    await index.flush();
    const allow = Uint32Array.from(
      vectors.filter((_, i) => (i * 7919) % 1000 < 1000 * share),
      (v) => v.label,
    );
    expect(recallOf(index, clusteredVectors(30, 16, 2), 50, allow)).toBeGreaterThanOrEqual(0.98);
    // The order of the list says nothing.
    const query = vectors[5].vector;
    expect(index.search(query, 20, { allow: allow.slice().reverse() })).toEqual(index.search(query, 20, { allow }));
    await index.close();
  });

  test('rows added, replaced and removed after the graph was built are seen at once', async () => {
    const vectors = clusteredVectors(2000, 16, 3);
    const index = await open(new Map(), { dimension: 16, vectors: [vectors], exactLimit: 1000 });
    await index.flush();
    const [first, second, third] = vectors;
    const far = new Float32Array(16).fill(50);
    index.add(100_000, far);
    index.add(second.label, far);
    index.remove(third.label);
    expect(index.method).toBe('graph');
    expect([...index.search(far, 3).labels.subarray(0, 2)]).toEqual([second.label, 100_000]);
    expect([...index.search(second.vector, 2000).labels.subarray(-2)]).toEqual([second.label, 100_000]);
    expect(index.search(third.vector, 500).labels).not.toContain(third.label);
    expect(index.search(first.vector, 1).labels[0]).toBe(first.label);
    await index.close();
  });

  test('a thousand copies of one part hide none of its other neighbours', async () => {
    const vectors = clusteredVectors(3000, 16, 4);
    const copies = Array.from({ length: 1000 }, (_, i) => ({ label: 50_000 + i, vector: vectors[0].vector }));
    const index = await open(new Map(), { dimension: 16, vectors: [[...vectors, ...copies]], exactLimit: 1000 });
    await index.flush();
    const found = index.search(vectors[0].vector, 1010);
    const exact = index.search(vectors[0].vector, 1010, { exact: true });
    expect([...found.distances]).toEqual([...exact.distances]);
    await index.close();
  });

  test('nor do they hide what is nearer than they are', async () => {
    const vectors = clusteredVectors(3000, 16, 4);
    const part = vectors[0].vector;
    // A query beside 600 copies of a part, with fifty others between: from 0.02 to 1.0 of the way.
    const query = part.map((value, d) => value + (d === 0 ? 0.4 : 0));
    const between = Array.from({ length: 50 }, (_, i) =>
      part.map((value, d) => value + (d === 0 ? 0.4 : d === 1 + (i % 15) ? 0.008 * i : 0)),
    );
    const added = [...Array.from({ length: 600 }, () => part), ...between];
    const rows = [...vectors, ...added.map((vector, i) => ({ label: 50_000 + ((i * 7919) % 10_007), vector }))];
    const index = await open(new Map(), { dimension: 16, vectors: [rows], exactLimit: 500 });
    await index.flush();
    expect(index.method).toBe('graph');
    for (const k of [10, 60, 200]) {
      expect([...index.search(query, k).distances]).toEqual([...index.search(query, k, { exact: true }).distances]);
    }
    await index.close();
  });

  function recallOf(
    index: VectorIndex,
    queries: readonly { vector: Float32Array }[],
    k: number,
    allow?: Uint32Array,
  ): number {
    let hits = 0;
    for (const { vector: query } of queries) {
      const { distances: exact } = index.search(query, k, { exact: true, allow });
      const { distances: found } = index.search(query, k, { allow });
      expect(found.length).toBe(k);
      hits += found.filter((distance) => distance <= exact[k - 1]).length / k;
    }
    return hits / queries.length;
  }
});

describe('misuse', () => {
  test('is a RangeError that names what was received, and changes nothing', async () => {
    await expect(open(new Map(), { dimension: 6 })).rejects.toThrow(RangeError);
    await expect(open(new Map(), { exactLimit: -1 })).rejects.toThrow(RangeError);
    await expect(open(new Map(), { hnsw: { m: 1 } })).rejects.toThrow(
      new RangeError('hnsw.m must be a whole number from 2 to 256, received 1'),
    );
    await expect(open(new Map(), { hnsw: { ef: 1 } as object })).rejects.toThrow(TypeError);
    const rows: Model = new Map(clusteredVectors(40, 4, 1).map((v) => [v.label, v.vector]));
    for (const exactLimit of [1000, 10]) {
      const index = await open(rows, { exactLimit });
      await index.flush();
      for (const bad of [new Float32Array(8), Float32Array.of(0, NaN, 0, 0), Float32Array.of(0, 0, Infinity, 0)]) {
        expect(() => index.add(5, bad)).toThrow(RangeError);
        expect(() => index.search(bad, 1)).toThrow(RangeError);
      }
      expect(() => index.add(2 ** 32, new Float32Array(4))).toThrow(RangeError);
      expect(() => index.search(new Float32Array(4), 0)).toThrow(RangeError);
      expect(index.size).toBe(40);
      await index.close();
      expect(() => index.search(new Float32Array(4), 1)).toThrow(expect.objectContaining({ code: 'ENGINE_CLOSED' }));
    }
  });
});
