import { describe, expect, test } from 'vitest';
import { VIEW_BYTES } from '../../dist/descriptors/views.js';
import { distanceOfDrawings, similarityOf, SIMILAR_LEAST } from '../../dist/search/query/likeness.js';
import { proportionsApart, scaleApart, statedApart } from '../../dist/search/views/drawn-sizes.js';

/** Views of these sides alone, as `describeViews` lays them out. */
function viewsOf(...sides: readonly (readonly [width: number, height: number])[]): Uint8Array {
  const views = new Uint8Array(sides.length * VIEW_BYTES);
  const data = new DataView(views.buffer);
  for (const [i, [width, height]] of sides.entries()) {
    data.setFloat32(i * VIEW_BYTES + 640, width, true);
    data.setFloat32(i * VIEW_BYTES + 644, height, true);
  }
  return views;
}

const THIRDS = [0, 1, 2].map((view) => ({ queryView: view, view, turn: 0, weight: 1 / 3, distance: 0 }));
const said = (drawn: number, sizes: number): number => similarityOf(SIMILAR_LEAST + distanceOfDrawings(drawn, sizes));

describe('sizes of drawings by the proportions of their views', () => {
  const own = viewsOf([80, 50], [80, 20], [50, 20]);

  test('one side that is longer is told by as much, at any scale', () => {
    expect(proportionsApart(own, own, THIRDS)).toBe(0);
    expect(proportionsApart(own, viewsOf([160, 100], [160, 40], [100, 40]), THIRDS)).toBeCloseTo(0, 6);
    const longer = viewsOf([88, 50], [88, 20], [50, 20]);
    expect(proportionsApart(own, longer, THIRDS)).toBeCloseTo(Math.log(1.1), 3);
    expect(proportionsApart(longer, own, THIRDS)).toBeCloseTo(Math.log(1.1), 3);
  });

  test('a view that was turned by a quarter has its sides exchanged', () => {
    const turned = viewsOf([50, 80], [20, 80], [20, 50]);
    const quarter = THIRDS.map((pair) => ({ ...pair, turn: 1 }));
    expect(proportionsApart(own, turned, quarter)).toBeCloseTo(0, 6);
  });

  test('views without an extent, and other things that were compared, say little', () => {
    expect(proportionsApart(viewsOf([80, 0]), viewsOf([80, 50]), [THIRDS[0]])).toBeLessThan(0.5);
    expect(proportionsApart(viewsOf([800, 1]), viewsOf([1, 800]), [THIRDS[0]])).toBeLessThan(0.5);
    expect(proportionsApart(own, own, [])).toBe(0);
  });
});

describe('sizes of drawings by the lengths that they state', () => {
  test('all ×1.25 is a part that is larger in its three sides', () => {
    const own = [100, 80, 40, 10];
    expect(statedApart(own, [125, 100, 50, 12.5])).toBeGreaterThan(0.3);
    expect(
      statedApart(
        [90, 70, 40],
        [90, 70, 40].map((length) => 1.25 * length),
      ),
    ).toBeCloseTo(Math.sqrt(3) * Math.log(1.25), 6);
    expect(statedApart(own, own)).toBe(0);
  });

  test('one of three lengths is one side, two are two', () => {
    expect(statedApart([100, 60, 20], [110, 60, 20])).toBeCloseTo(Math.log(1.1), 6);
    expect(statedApart([110, 60, 20], [100, 60, 20])).toBeCloseTo(Math.log(1.1), 6);
    expect(statedApart([100, 60, 20], [110, 66, 20])).toBeCloseTo(Math.sqrt(2) * Math.log(1.1), 6);
  });

  test('rounding, and lengths that one of both states besides, are no other size', () => {
    expect(statedApart([25.4, 12.7], [25.4, 12.71])).toBe(0);
    expect(statedApart([100, 60, 20], [100, 60, 20, 7, 5])).toBe(0);
    expect(statedApart([], [100, 60])).toBe(0);
    expect(statedApart([100, 60, 2.5], [100, 60, 2])).toBe(0);
    expect(statedApart(undefined, undefined)).toBe(0);
  });

  test('numbers of drawings, chains of dimensions and inches that are not marked are no other sizes', () => {
    expect(statedApart([10452, 100, 50, 10], [88213, 100, 50, 10])).toBe(0);
    expect(statedApart([10452, 100, 50, 10], [10453, 100, 50, 12])).toBeCloseTo(Math.log(1.2), 6);
    expect(statedApart([100, 50, 10], [65, 35, 30, 20, 10])).toBe(0);
    expect(statedApart([65, 35, 30, 20, 10], [100, 50, 10])).toBe(0);
    expect(statedApart([100, 50, 10], [3.937, 1.9685, 0.3937])).toBe(0);
    expect(statedApart([3.937, 1.9685, 0.3937], [120, 50, 10])).toBeGreaterThan(0.15);
    expect(statedApart([100, 50, 20], [120, 50, 20])).toBeCloseTo(Math.log(1.2), 6);
    expect(statedApart([100, 50, 20], [200, 100, 40])).toBeGreaterThan(0.5);
  });

  test('small parts differ by lengths below 3 mm', () => {
    expect(statedApart([2.5, 1.2, 0.8], [2, 1, 0.5])).toBeGreaterThan(0.3);
    expect(statedApart([10452, 2.5, 1.2, 0.8], [10453, 2, 1, 0.5])).toBeGreaterThan(0.3);
  });

  test('drawings that state other things are not told to be more than some sizes apart', () => {
    expect(statedApart([1000, 500, 3], [90, 40, 4])).toBeLessThanOrEqual(Math.sqrt(3) * 0.5);
    expect(statedApart([1000, 500], [90, 40, 4])).toBeLessThanOrEqual(Math.sqrt(3) * 0.5);
  });
});

describe('what is said of drawings of other sizes', () => {
  test('of equal views as much as of models whose sides differ so', () => {
    expect(said(0, 0)).toBe(99.4);
    expect(said(0, Math.log(1.1))).toBeCloseTo(95.5, 1);
    expect(said(0, Math.log(1.3))).toBeCloseTo(88.4, 1);
    expect(said(0.01, Math.log(1.1))).toBeCloseTo(95.5, 1);
  });

  test('it falls with either, and what is unlike stays where it was', () => {
    for (const sizes of [0, 0.1, 0.4]) {
      const falling = [0, 0.1, 0.3, 0.6, 0.95, 1, 1.4].map((drawn) => distanceOfDrawings(drawn, sizes));
      expect(falling).toEqual(falling.toSorted((a, b) => a - b));
    }
    expect(distanceOfDrawings(1.4, 0.4)).toBe(1.4);
  });
});

describe('the size of a model beside a drawing that states the sides of its views', () => {
  const page = viewsOf([0.4, 0.25], [0.4, 0.1], [0.25, 0.1]);
  const model = (times: number): Uint8Array =>
    viewsOf([80 * times, 50 * times], [80 * times, 20 * times], [50 * times, 20 * times]);
  const pairs = [0, 1, 2].map((view) => ({ drawn: view, shown: view, weight: 1 / 3 }));

  test('the own model is not apart, one in another size by all three sides', () => {
    expect(scaleApart(page, [80, 50, 20, 8], model(1), pairs)).toBeCloseTo(0, 6);
    expect(scaleApart(page, [80, 50, 20, 8], model(1.25), pairs)).toBeCloseTo(Math.sqrt(3) * Math.log(1.25), 6);
    expect(scaleApart(page, [80, 50, 20, 8], model(100), pairs)).toBeLessThan(0.6);
  });

  test('a side may be left out where nothing else is stated', () => {
    for (const stated of [
      [80, 50],
      [80, 20],
      [50, 20],
    ]) {
      expect(scaleApart(page, stated, model(1), pairs)).toBeCloseTo(0, 6);
      expect(scaleApart(page, stated, model(1.25), pairs)).toBeCloseTo(Math.sqrt(3) * Math.log(1.25), 6);
    }
  });

  test('nothing is told where a side is not stated, all sides are one, or no view was found', () => {
    expect(scaleApart(page, [80, 50, 8], model(1.25), pairs)).toBe(0);
    expect(scaleApart(page, [], model(1.25), pairs)).toBe(0);
    expect(scaleApart(page, [50], model(1.25), pairs)).toBe(0);
    expect(scaleApart(viewsOf([0.3, 0.3]), [80, 30], viewsOf([100, 100]), [{ drawn: 0, shown: 0, weight: 1 }])).toBe(0);
    expect(scaleApart(page, [80, 50, 20], model(1.25), [])).toBe(0);
  });
});
