import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bitmapOf, componentsOf, dilate, erode, type Bitmap } from '../../dist/bitmap/bitmap.js';

/** Small pictures, mostly clear or mostly set. */
const pictures = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }), fc.constantFrom(0.15, 0.5, 0.9))
  .chain(([width, height, share]) =>
    fc
      .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: width * height, maxLength: width * height })
      .map((values) =>
        bitmapOf(
          width,
          height,
          Uint8Array.from(values, (value) => (value < share ? 1 : 0)),
        ),
      ),
  );

/** The square window about a pixel, as far as it is in the picture. */
function windowAt({ width, height, bits }: Bitmap, x: number, y: number, radius: number): number[] {
  const all: number[] = [];
  for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++)
    for (let u = Math.max(0, x - radius); u <= Math.min(width - 1, x + radius); u++) all.push(bits[v * width + u]);
  return all;
}

test('dilation and erosion are what any and all of a window say', () => {
  fc.assert(
    fc.property(pictures, fc.integer({ min: 1, max: 14 }), (map, radius) => {
      const { width } = map;
      const wanted = (isSet: (all: readonly number[]) => boolean): number[] =>
        Array.from(map.bits, (_, i) => Number(isSet(windowAt(map, i % width, Math.floor(i / width), radius))));
      expect([...dilate(map, radius).bits]).toEqual(wanted((all) => all.includes(1)));
      expect([...erode(map, radius).bits]).toEqual(wanted((all) => !all.includes(0)));
    }),
    { numRuns: 400 },
  );
});

test('components are numbered by their first pixels, with their boxes and areas', () => {
  fc.assert(
    fc.property(pictures, fc.constantFrom(4 as const, 8 as const), (map, neighbours) => {
      const { width, height, bits } = map;
      const labels = new Array<number>(bits.length).fill(0);
      let count = 0;
      const flood = (x: number, y: number): void => {
        if (x < 0 || y < 0 || x >= width || y >= height || bits[y * width + x] === 0 || labels[y * width + x] !== 0)
          return;
        labels[y * width + x] = count;
        for (const [u, v] of [
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
        ])
          flood(x + u, y + v);
        if (neighbours === 8)
          for (const [u, v] of [
            [1, 1],
            [-1, 1],
            [1, -1],
            [-1, -1],
          ])
            flood(x + u, y + v);
      };
      for (let i = 0; i < bits.length; i++)
        if (bits[i] !== 0 && labels[i] === 0) {
          count++;
          flood(i % width, Math.floor(i / width));
        }
      const { labels: found, list } = componentsOf(map, neighbours);
      expect([...found]).toEqual(labels);
      expect(list).toHaveLength(count + 1);
      list.slice(1).forEach(({ box, area }, i) => {
        const own = labels.flatMap((label, at) => (label === i + 1 ? [at] : []));
        const [xs, ys] = [own.map((at) => at % width), own.map((at) => Math.floor(at / width))];
        expect(area).toBe(own.length);
        expect(box).toEqual({
          x0: Math.min(...xs),
          y0: Math.min(...ys),
          x1: Math.max(...xs) + 1,
          y1: Math.max(...ys) + 1,
        });
      });
    }),
    { numRuns: 400 },
  );
});
