import { describe, expect, test } from 'vitest';
import { distanceOfModels, distanceOfViews, SIMILAR_LEAST, similarityOf } from '../../dist/search/query/likeness.js';
import { LIKENESS_OF_VIEWS, type SeenKind, type ViewedKind } from '../../dist/search/query/likeness-tables.js';

/** Distance in log extents. */
const sizes = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((edge, i) => Math.log(edge / b[i])));
const said = (shape: number, apart: number): number => similarityOf(SIMILAR_LEAST + distanceOfModels(shape, apart));

describe('the likeness of models', () => {
  test('is 100 % for the same shape in the same size, and 50 % at the half of the curve', () => {
    expect(distanceOfModels(0, 0)).toBe(0);
    expect(said(0, 0)).toBe(99.4); // That it is the same part is another finding, with a lower score.
    expect(said(0.3, 0)).toBeCloseTo(50, 9);
    expect(similarityOf(0)).toBe(100);
  });

  test('counts sizes and proportions: rods of one shape and other lengths', () => {
    const rod = [1273, 4, 4];
    expect(said(0, sizes(rod, [348, 8, 8]))).toBeLessThan(60);
    expect(said(0, sizes(rod, [1273, 8, 8]))).toBeLessThan(75);
    expect(said(0, sizes(rod, [1200, 4, 4]))).toBeGreaterThan(95);
  });

  test('falls with the distance of shapes and with that of sizes', () => {
    const shapes = [0, 0.05, 0.2, 0.3, 0.6, 1.1, 2];
    for (const apart of [0, 0.01, 0.7, 3]) {
      const distances = shapes.map((shape) => distanceOfModels(shape, apart));
      expect(distances).toEqual([...distances].sort((a, b) => a - b));
      expect(new Set(distances).size).toBe(shapes.length);
      expect(distanceOfModels(0.2, apart + 0.1)).toBeGreaterThan(distanceOfModels(0.2, apart));
    }
    expect(said(1.1, 0)).toBeLessThan(1);
  });
});

describe('the likeness of views', () => {
  const ways = (Object.keys(LIKENESS_OF_VIEWS) as SeenKind[]).flatMap((asked) =>
    (['model', 'page', 'photo'] as ViewedKind[]).map((found) => [asked, found] as const),
  );

  test.each(ways)('rises with the score, from 0 to 2 at most: %s, %s', (asked, found) => {
    const distances = [0, 0.01, 0.1, 0.5, 1, 2, 10, 1e6].map((score) => distanceOfViews(asked, found, score));
    expect(distances[0]).toBe(0);
    for (let i = 1; i < distances.length; i++) expect(distances[i]).toBeGreaterThan(distances[i - 1]);
    expect(distanceOfViews(asked, found, Infinity)).toBe(2);
  });

  test.each(ways)('is said to be 50 %% where the curve has its half: %s, %s', (asked, found) => {
    const { half } = LIKENESS_OF_VIEWS[asked][found];
    expect(similarityOf(SIMILAR_LEAST + distanceOfViews(asked, found, half))).toBeCloseTo(50, 9);
  });
});
