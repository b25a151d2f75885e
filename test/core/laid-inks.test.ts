import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { Core } from '../../dist/core-entry.js';
import {
  inkDistance,
  inkMeasures,
  layInk,
  prepareHalf,
  prepareInk,
  promisesOfInks,
  type InkBits,
  type InkPlace,
} from '../../dist/core/laid-inks.js';

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

function packed({ bits, width, height }: Ink): InkBits {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [i, bit] of bits.entries()) bytes[i >> 3] |= bit << (i & 7);
  return { packed: bytes, width, height };
}

const prepared = (ink: Ink): ReturnType<typeof prepareInk> => prepareInk(core, packed(ink));

/** The promise of a page for a part at some places. */
function promise(part: Ink, page: Ink, places: readonly InkPlace[], least: number): number | undefined {
  let found: number | undefined;
  promisesOfInks(core, prepareHalf(core, packed(part)), (promiseOf) => {
    found = promiseOf([packed(page)], { least, placesOn: () => numbers(places) });
  });
  return found;
}

const numbers = (places: readonly InkPlace[]): Float64Array =>
  Float64Array.from(places.flatMap(({ a, b, x, y }) => [a, b, x, y]));

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
  expect(x).toBeCloseTo(
    middleOf((i) => (i % width) + 0.5),
    9,
  );
  expect(y).toBeCloseTo(
    middleOf((i) => Math.floor(i / width) + 0.5),
    9,
  );
  expect(box.x).toBe(Math.min(...own.map((i) => i % width)));
  expect(box.y + box.height).toBe(1 + Math.max(...own.map((i) => Math.floor(i / width))));
});

test('an ink of no or another size is refused, one without ink lies nowhere', () => {
  for (const [bytes, width, height] of [
    [0, 0, 0],
    [49, 385, 1],
    [2, 2, 4],
  ])
    expect(() => prepareInk(core, { packed: new Uint8Array(bytes), width, height })).toThrow(RangeError);
  const nothing = { bits: new Uint8Array(900), width: 30, height: 30 };
  const empty = prepared(nothing),
    page = prepared(drawn({ width: 100, height: 80 }, ASIS));
  expect(layInk(core, empty, page, numbers([ASIS]), SIDES)).toBeUndefined();
  expect(layInk(core, page, empty, numbers([ASIS]), SIDES)).toBeUndefined();
  expect(promise(drawn({ width: 100, height: 80 }, ASIS), nothing, [ASIS], 0)).toBeUndefined();
  expect(promise(drawn({ width: 100, height: 80 }, ASIS), nothing, [ASIS], -1)).toBe(0);
  expect(layInk(core, page, page, numbers([]), SIDES)).toBeUndefined();
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
  const laid = layInk(core, part, page, numbers([{ a: 0.5, b: 0, x: 0, y: 0 }, beside]), SIDES)!;
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

/** An ink of half the size. */
function halved({ bits, width, height }: Ink): Ink {
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
  const cells = new Uint8Array(half.width * half.height);
  for (const [i, bit] of bits.entries()) cells[(Math.floor(i / width) >> 1) * half.width + ((i % width) >> 1)] |= bit;
  return { ...half, bits: cells };
}

/** How well a part lies on a page at a place, by plain loops, both of half the size. */
function plainAgreement(whole: Ink, wholePage: Ink, { a, b, ...at }: InkPlace): number {
  const [part, page] = [halved(whole), halved(wholePage)];
  const [x, y] = [at.x / 2, at.y / 2];
  const [own, other] = [part, page].map((ink) => ({ ...ink, away: Array.from(twelfths(ink), (d) => d / 12) }));
  const distanceAt = ({ away, width, height }: typeof own, u: number, v: number): number => {
    const [column, row] = [Math.floor(u - 0.5), Math.floor(v - 0.5)];
    if (!(column >= 0 && row >= 0 && column < width - 1 && row < height - 1)) return 12;
    const [right, down, at] = [u - 0.5 - column, v - 0.5 - row, row * width + column];
    const above = away[at] * (1 - right) + away[at + 1] * right,
      below = away[at + width] * (1 - right) + away[at + width + 1] * right;
    return above * (1 - down) + below * down;
  };
  const nearness = (distance: number): number => (distance >= 2.5 ? 0 : (1 - (distance / 2.5) ** 2) ** 2);
  const pointsOf = ({ bits, width }: Ink, most: number): [number, number][] => {
    const some = (all: readonly number[], most: number): readonly number[] =>
      all.length <= most ? all : Array.from({ length: most }, (_, i) => all[Math.floor((i * all.length) / most)]);
    const all = Array.from(bits.keys()).filter((i) => bits[i] === 1);
    return some(some(all, 2_000), most).map((i) => [(i % width) + 0.5, Math.floor(i / width) + 0.5]);
  };
  const onto = (u: number, v: number): [number, number] => [a * u - b * v + x, b * u + a * v + y];
  const square = a * a + b * b,
    mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const onPage = mean(pointsOf(part, 160).map(([u, v]) => nearness(distanceAt(other, ...onto(u, v)))));
  const within = pointsOf(page, 480)
    .map(([u, v]) => [(a * (u - x) + b * (v - y)) / square, (a * (v - y) - b * (u - x)) / square])
    .filter(([u, v]) => u >= 0 && v >= 0 && u < part.width && v < part.height);
  const onPart = mean(within.map(([u, v]) => nearness(Math.sqrt(square) * distanceAt(own, u, v))));
  const every = Math.max(1, Math.sqrt((part.width * part.height) / 160)),
    grid: [number, number][] = [];
  for (let v = every / 2; v < part.height; v += every)
    for (let u = every / 2; u < part.width; u += every) grid.push([u, v]);
  const chanceOnPage = mean(grid.map(([u, v]) => nearness(distanceAt(other, ...onto(u, v))))),
    chanceOnPart = mean(grid.map(([u, v]) => nearness(Math.sqrt(square) * distanceAt(own, u, v))));
  const beyond = (share: number, chance: number): number => Math.max(0, (share - chance) / (1 - chance));
  return Math.sqrt(beyond(onPage, chanceOnPage) * beyond(onPart, chanceOnPart));
}

test('an agreement is that of its plain twin, where the part is much larger than the page as well', () => {
  const part = drawn({ width: 97, height: 83 }, ASIS);
  for (const place of [
    { a: 1, b: 0, x: 1.5, y: -2.25 },
    { a: 0.21, b: 0.01, x: 4, y: 3 },
    { a: 1.31, b: -0.2, x: 9, y: 14 },
    { a: 0.1, b: 0.9, x: 60, y: 2 },
  ]) {
    const page = drawn({ width: 131, height: 101 }, { ...place, x: place.x + 1, y: place.y - 0.5 });
    const plain = plainAgreement(part, page, place);
    expect(plain).toBeGreaterThan(0.3);
    expect(promise(part, page, [place], 0)).toBeCloseTo(plain, 4);
  }
});

test('a promise is the largest agreement of all places, and none where it is no more than asked for', () => {
  const part = drawn({ width: 100, height: 80 }, ASIS);
  const places = [{ ...ASIS, x: 30 }, { ...ASIS, x: 2 }, ASIS, { ...ASIS, y: 4 }];
  const all = places.map((place) => promise(part, part, [place], -1)!);
  const most = Math.max(...all);
  expect(most).toBe(all[2]);
  expect(most).toBeCloseTo(1, 6);
  expect(promise(part, part, places, 0)).toBe(most);
  expect(promise(part, part, places, most - 1e-4)).toBe(most);
  expect(promise(part, part, places, most)).toBeUndefined();
});

/** Inks of any size: blots at a few places, or a share of all cells. */
const inks = fc
  .record({
    width: fc.oneof(fc.integer({ min: 1, max: 384 }), fc.integer({ min: 20, max: 80 })),
    height: fc.oneof(fc.integer({ min: 1, max: 384 }), fc.integer({ min: 20, max: 80 })),
    places: fc.array(fc.tuple(fc.nat(383), fc.nat(383)), { maxLength: 40 }),
    every: fc.constantFrom(0, 0, 2, 7, 61),
  })
  .map(({ width, height, places, every }): Ink => {
    const bits = new Uint8Array(width * height);
    for (const [x, y] of places) bits[(y % height) * width + (x % width)] = 1;
    if (every > 0) for (let i = 0; i < bits.length; i++) if ((i * i * 31 + 7 * i) % 1009 < 1009 / every) bits[i] = 1;
    return { bits, width, height };
  });

test('distances, points and boxes of any ink are those that its cells say', () => {
  fc.assert(
    fc.property(inks, fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), (ink, asked) => {
      const { bits, width } = ink,
        cells = prepared(ink),
        own = Array.from(bits.keys()).filter((i) => bits[i] === 1);
      for (const i of [0, width - 1, bits.length - width, bits.length - 1, ...asked.map((at) => at % bits.length)]) {
        // Within a rectangle the steps go straight and along diagonals.
        let least = 144;
        for (const other of own) {
          const across = Math.abs((i % width) - (other % width)),
            down = Math.abs(Math.floor(i / width) - Math.floor(other / width));
          least = Math.min(least, 12 * Math.max(across, down) + 5 * Math.min(across, down));
        }
        expect(12 * inkDistance(cells, i % width, Math.floor(i / width))).toBeCloseTo(least, 9);
      }
      const head = new DataView(cells.buffer, cells.byteOffset),
        kept = Math.min(2_000, own.length);
      expect(head.getUint32(8, true)).toBe(kept);
      const points = Array.from(
        { length: kept },
        (_, i) => head.getUint16(64 + 4 * i, true) + width * head.getUint16(66 + 4 * i, true),
      );
      expect(points).toEqual(points.map((_, i) => own[Math.floor((i * own.length) / kept)]));
      const columns = own.map((i) => i % width),
        left = columns.reduce((least, x) => Math.min(least, x), width),
        top = Math.floor((own[0] ?? 0) / width);
      expect(inkMeasures(cells).box).toEqual(
        own.length === 0
          ? { x: 0, y: 0, width: 0, height: 0 }
          : {
              x: left,
              y: top,
              width: 1 + columns.reduce((most, x) => Math.max(most, x)) - left,
              height: 1 + Math.floor(own[own.length - 1] / width) - top,
            },
      );
    }),
    { numRuns: 60, seed: 17 },
  );
});

test('promises of any two inks are those of their plain twins', () => {
  const small = inks.filter(({ width, height }) => width * height < 6_000);
  // Odd numbers: a point on the very edge of an ink would fall to either side by rounding.
  const odd = (middle: number, most: number): fc.Arbitrary<number> =>
    fc.integer({ min: -1_000, max: 1_000 }).map((k) => middle + ((k + 0.377) / 1_003) * most);
  const place = fc.record({ a: odd(0.6, 1.1), b: odd(0, 0.7), x: odd(10, 40), y: odd(10, 40) });
  fc.assert(
    fc.property(small, small, place, (part, page, at) => {
      fc.pre(Math.hypot(at.a, at.b) > 0.05);
      expect(promise(part, page, [at], -1)).toBeCloseTo(plainAgreement(part, page, at), 3);
    }),
    { numRuns: 120, seed: 18 },
  );
});
