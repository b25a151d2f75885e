import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chainedItems,
  NEIGHBOURHOOD_DEFAULTS,
  neighbourhoodDistances,
} from '../../dist/search/shapes/neighbourhood.js';

/**
 * Zhong et al. 2017, equations 1 to 7 and 11, word for word over sets, as their published program reads them: N(p, k)
 * holds k + 1 items, p itself first; R(p, k) those of them whose N(q, k) holds p; R* adds R(q, k / 2) of each q in R(p,
 * k) when more than two thirds of it are in R(p, k); weights exp(−d) over R*, of sum 1; the weights of the nearest
 * items averaged; Jaccard distance.
 */
function literal(d: number[][], { k, expand }: { k: number; expand: number }): number[] {
  const items = d.map((_, i) => i);
  const N = (p: number, count: number): number[] =>
    [p, ...items.filter((q) => q !== p).sort((a, b) => d[p][a] - d[p][b] || a - b)].slice(0, count + 1);
  const R = (p: number, count: number): Set<number> => new Set(N(p, count).filter((q) => N(q, count).includes(p)));
  const half = Math.round(k / 2);
  const V = items.map((p) => {
    const near = R(p, k);
    const star = new Set(near);
    for (const q of near) {
      const wider = R(q, half);
      const shared = [...wider].filter((m) => near.has(m)).length;
      if (shared > (2 / 3) * wider.size + 1e-12) for (const m of wider) star.add(m);
    }
    const weights = items.map((g) => (star.has(g) ? Math.exp(-d[p][g]) : 0));
    const sum = weights.reduce((a, b) => a + b, 0);
    return weights.map((w) => w / sum);
  });
  const expanded = items.map((p) => {
    const near = N(p, expand - 1);
    return items.map((g) => near.reduce((sum, q) => sum + V[q][g], 0) / near.length);
  });
  return items.map((p) => {
    const least = items.reduce((sum, g) => sum + Math.min(expanded[0][g], expanded[p][g]), 0);
    const most = items.reduce((sum, g) => sum + Math.max(expanded[0][g], expanded[p][g]), 0);
    return 1 - least / most;
  });
}

const matrix = (value: fc.Arbitrary<number>, most: number): fc.Arbitrary<number[][]> =>
  fc.integer({ min: 1, max: most }).chain((n) =>
    fc.array(value, { minLength: n * n, maxLength: n * n }).map((values) => {
      const d = Array.from({ length: n }, () => new Array<number>(n).fill(0));
      for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) d[i][j] = d[j][i] = values[i * n + j];
      return d;
    }),
  );

const parameters = fc
  .integer({ min: 1, max: 14 })
  .chain((k) => fc.record({ k: fc.constant(k), expand: fc.integer({ min: 1, max: Math.min(k + 1, 6) }) }));

function expectEqual(d: number[][], options: { k: number; expand: number }): void {
  const found = neighbourhoodDistances(Float64Array.from(d.flat()), d.length, options);
  const expected = literal(d, options);
  expect(found).toHaveLength(d.length);
  found.forEach((value, i) => expect(value).toBeCloseTo(expected[i], 10));
  expect(found[0]).toBeCloseTo(0, 12);
}

describe('neighbourhood distances', () => {
  test('are those of the paper', () => {
    fc.assert(fc.property(matrix(fc.double({ min: 0, max: 3, noNaN: true }), 24), parameters, expectEqual), {
      numRuns: 150,
    });
  });

  test('are those of the paper where distances tie', () => {
    fc.assert(fc.property(matrix(fc.constantFrom(0, 0.5, 1), 20), parameters, expectEqual), { numRuns: 150 });
  });

  test.each([1, 2, 3])('of %i items', (n) => {
    fc.assert(fc.property(matrix(fc.constantFrom(0, 0.2, 1, 1e6), n), parameters, expectEqual), { numRuns: 50 });
    expectEqual(
      Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_v, j) => Math.abs(i - j))),
      NEIGHBOURHOOD_DEFAULTS,
    );
  });

  test('lie from 0 to 1 and tell a group from the rest', () => {
    // Items 0 to 7 are near each other, 8 to 29 are near each other, the groups are far apart; 5 is no nearer to 0 than
    // 20 is.
    const d: number[][] = Array.from({ length: 30 }, (_, i) =>
      Array.from({ length: 30 }, (_v, j) => (i === j ? 0 : i < 8 === j < 8 ? 0.3 : 1)),
    );
    d[0][5] = d[5][0] = d[0][20] = d[20][0] = 0.5;
    const found = neighbourhoodDistances(Float64Array.from(d.flat()), 30, { k: 6, expand: 3 });
    expect(Math.min(...found)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...found)).toBeLessThanOrEqual(1);
    expect(found[5]).toBeLessThan(found[20] - 0.3);
  });
});

test('items are chained that small steps lead to, however far they are', () => {
  const places = [0, 1, 2, 3, 7, 8, 5];
  const d = places.flatMap((a) => places.map((b) => Math.abs(a - b)));
  const chained = (step: number, widest = step, apart = 3): number[] => [
    ...chainedItems(Float64Array.from(d), places.length, { step, widest, apart }),
  ];
  expect(chained(0.5)).toEqual([1, 0, 0, 0, 0, 0, 0]);
  expect(chained(1)).toEqual([1, 1, 1, 1, 0, 0, 0]);
  expect(chained(2)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  // Wider steps lead on where what is left is so many times as far.
  expect(chained(0.5, 1, 2)).toEqual([1, 1, 1, 1, 0, 0, 0]);
  expect(chained(0.5, 1, 2.5)).toEqual([1, 0, 0, 0, 0, 0, 0]);
  expect(chained(0.5, 0.9, 2)).toEqual([1, 0, 0, 0, 0, 0, 0]);
  expect(chained(0.5, 2, 2.5)).toEqual([1, 1, 1, 1, 1, 1, 1]);
});
