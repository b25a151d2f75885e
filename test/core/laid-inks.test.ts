import { beforeAll, expect, test } from 'vitest';
import { Core } from '../../dist/core-entry.js';
import { inkDistance, inkMeasures, layInk, prepareInk, promiseOfInk, type InkPlace } from '../../dist/core/laid-inks.js';

let core: Core;
beforeAll(async () => {
  core = await Core.load();
});

const SIDES = { least: 16, most: 400 };
const ASIS: InkPlace = { a: 1, b: 0, x: 0, y: 0 };

interface Ink {
  readonly bits: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Cells along the sides of a figure without symmetry, carried to a place. */
function drawn({ width, height }: Pick<Ink, 'width' | 'height'>, { a, b, x, y }: InkPlace): Ink {
  const bits = new Uint8Array(width * height);
  const corners = [
    [10, 10],
    [90, 10],
    [90, 40],
    [50, 40],
    [50, 62],
    [25, 70],
    [10, 70],
    [10, 10],
  ];
  for (let k = 0; k < corners.length - 1; k++)
    for (let t = 0; t < 1; t += 0.002) {
      const u = corners[k][0] + t * (corners[k + 1][0] - corners[k][0]),
        v = corners[k][1] + t * (corners[k + 1][1] - corners[k][1]);
      const column = Math.floor(a * u - b * v + x),
        row = Math.floor(b * u + a * v + y);
      if (column >= 0 && row >= 0 && column < width && row < height) bits[row * width + column] = 1;
    }
  return { bits, width, height };
}

const prepared = ({ bits, width, height }: Ink): ReturnType<typeof prepareInk> =>
  prepareInk(core, bits, width, height);

/** Steps of 12 across and 17 to the diagonal neighbours, until nothing changes. */
function twelfths({ bits, width, height }: Ink): Uint8Array {
  const found = bits.map((bit) => (bit === 1 ? 0 : 144));
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (let at = 0; at < found.length; at++)
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) {
          const x = (at % width) + dx,
            y = Math.floor(at / width) + dy;
          if (x < 0 || y < 0 || x >= width || y >= height) continue;
          const over = found[y * width + x] + (dx !== 0 && dy !== 0 ? 17 : 12);
          if (over >= found[at]) continue;
          found[at] = over;
          isNew = true;
        }
  }
  return found;
}

test.each([
  [40, 30],
  [33, 7],
  [16, 16],
  [1, 9],
  [61, 1],
])('distances and measures of an ink of %i x %i cells are those of its plain twin', (width, height) => {
  const bits = Uint8Array.from({ length: width * height }, (_, i) => ((i * i * 7919 + 31 * i) % 97 < 2 ? 1 : 0));
  const ink = { bits, width, height };
  const cells = prepared(ink);
  const found = Array.from(bits, (_, i) => 12 * inkDistance(cells, i % width, Math.floor(i / width)));
  expect(found).toEqual(Array.from(twelfths(ink)));
  const own = Array.from(bits.keys()).filter((i) => bits[i] === 1);
  const middleOf = (of: (i: number) => number): number => own.reduce((sum, i) => sum + of(i), 0) / own.length;
  const { x, y, box } = inkMeasures(cells);
  expect(x).toBeCloseTo(middleOf((i) => (i % width) + 0.5), 9);
  expect(y).toBeCloseTo(middleOf((i) => Math.floor(i / width) + 0.5), 9);
  expect(box.x).toBe(Math.min(...own.map((i) => i % width)));
  expect(box.y + box.height).toBe(1 + Math.max(...own.map((i) => Math.floor(i / width))));
});

test('an ink of no or another size is refused, one without ink lies nowhere', () => {
  expect(() => prepareInk(core, new Uint8Array(0), 0, 0)).toThrow(RangeError);
  expect(() => prepareInk(core, new Uint8Array(385), 385, 1)).toThrow(RangeError);
  expect(() => prepareInk(core, new Uint8Array(9), 2, 4)).toThrow(RangeError);
  const empty = prepareInk(core, new Uint8Array(900), 30, 30);
  const page = prepared(drawn({ width: 100, height: 80 }, ASIS));
  expect(layInk(core, empty, page, [ASIS], SIDES)).toBeUndefined();
  expect(layInk(core, page, empty, [ASIS], SIDES)).toBeUndefined();
  expect(promiseOfInk(core, page, empty, [ASIS], 0)).toBe(0);
  expect(layInk(core, page, page, [], SIDES)).toBeUndefined();
});

test.each([
  [1, 0, 0, 0],
  [1.5, 0, 40, 22.5],
  [0.8, 0.05, 30, 10],
  [0, 1.2, 250, 40],
  [-1, 0.02, 200, 190],
])('a figure is laid over itself at %f, %f, %f, %f', (a, b, x, y) => {
  const part = prepared(drawn({ width: 100, height: 80 }, ASIS)),
    page = prepared(drawn({ width: 300, height: 240 }, { a, b, x, y }));
  const beside = { a: a * 1.03, b: b * 1.03 + 0.01, x: x + 3, y: y - 2 };
  const laid = layInk(core, part, page, [{ a: 0.5, b: 0, x: 0, y: 0 }, beside], SIDES)!;
  expect(laid.agreement).toBeGreaterThan(0.8);
  expect(laid.covers).toBe(1);
  for (const [u, v] of [
    [10, 10],
    [90, 10],
    [10, 70],
  ]) {
    expect(Math.abs((laid.a - a) * u - (laid.b - b) * v + laid.x - x)).toBeLessThan(1.2);
    expect(Math.abs((laid.b - b) * u + (laid.a - a) * v + laid.y - y)).toBeLessThan(1.2);
  }
});

test('a promise is the largest agreement of all places, and nothing where it is no more than asked for', () => {
  const part = prepared(drawn({ width: 100, height: 80 }, ASIS));
  const places = [{ ...ASIS, x: 30 }, { ...ASIS, x: 2 }, ASIS, { ...ASIS, y: 4 }];
  const all = places.map((place) => promiseOfInk(core, part, part, [place], 0));
  const most = Math.max(...all);
  expect(most).toBe(all[2]);
  expect(most).toBeCloseTo(1, 6);
  expect(promiseOfInk(core, part, part, places, 0)).toBe(most);
  expect(promiseOfInk(core, part, part, places, most - 1e-6)).toBe(most);
  expect(promiseOfInk(core, part, part, places, most)).toBe(0);
});
