import { beforeAll, describe, expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import type { PackedInk } from '../../dist/descriptors/page-inks.js';
import { inkOfViews } from '../../dist/search/views/inks/ink-of-views.js';
import { layInk, type LaidInk } from '../../dist/search/views/inks/laid-ink.js';
import { Similarity } from '../../dist/search/views/inks/similarity.js';

const WIDTH = 300,
  HEIGHT = 200;
type Line = readonly [x0: number, y0: number, x1: number, y1: number];

const rectangle = (x: number, y: number, width: number, height: number): Line[] => [
  [x, y, x + width, y],
  [x, y + height, x + width, y + height],
  [x, y, x, y + height],
  [x + width, y, x + width, y + height],
];
/** A frame, and a title block of many cells. */
const FORM = [
  ...rectangle(4, 4, 290, 190),
  ...Array.from({ length: 15 }, (_, i): Line => [200, 6 * i + 104, 294, 6 * i + 104]),
  ...Array.from({ length: 10 }, (_, i): Line => [200 + 10 * i, 104, 200 + 10 * i, 194]),
];
const VIEW = { x: 40, y: 40, width: 90, height: 60 };
const BRACKET = [...rectangle(40, 40, 90, 60), [60, 40, 60, 100], [60, 70, 130, 70]] as const;
/** As large, but of other lines. */
const COVER = [
  [40, 40, 130, 100],
  [40, 100, 130, 40],
  [85, 40, 85, 100],
  [40, 55, 70, 100],
] as const;

let core: Core;
beforeAll(async () => {
  core = await Core.load();
});

describe('the ink of views', () => {
  test('agrees for the same views alone: what all pages of one form share counts nothing', () => {
    const same = Similarity.shift(0, 0);
    const bracket = page(BRACKET);
    expect(inkOfViews({ part: bracket, page: page(BRACKET), laid: same }, 1, 1)).toBe(1);
    expect(inkOfViews({ part: bracket, page: page(COVER), laid: same }, 1, 1)).toBeLessThan(0.2);
    expect(inkOfViews({ part: bracket, page: page([]), laid: same }, 1, 1)).toBe(0);
  });

  test('tells nothing where hatching is so close that everything lies near ink', () => {
    const laid = Similarity.shift(0, 0);
    const hatched = (step: number): LaidInk =>
      page(Array.from({ length: Math.ceil(60 / step) }, (_, i): Line => [40, 40 + i * step, 130, 40 + i * step]));
    for (const step of [1, 3, 4, 5])
      expect(inkOfViews({ part: hatched(step), page: hatched(step), laid }, 1, 1)).toBeUndefined();
    expect(inkOfViews({ part: hatched(10), page: hatched(10), laid }, 1, 1)).toBe(1);
  });

  test('is found where one page lies turned and shifted on the other', () => {
    const laid = Similarity.of({ scale: 1, rotationRad: Math.PI / 2, x: HEIGHT, y: 0 });
    const turned = page(
      BRACKET.map(([x, y, u, v]): Line => [HEIGHT - y, x, HEIGHT - v, u]),
      {
        box: { x: HEIGHT - 100, y: 40, width: 60, height: 90 },
        width: HEIGHT,
        height: WIDTH,
      },
    );
    expect(inkOfViews({ part: page(BRACKET), page: turned, laid }, 1, 1)).toBeGreaterThan(0.95);
    expect(inkOfViews({ part: page(COVER), page: turned, laid }, 1, 1)).toBeLessThan(0.2);
  });
});

/** The ink of a page with the form, upright alone, and the lines of one view. */
function page(lines: readonly Line[], { box = VIEW, width = WIDTH, height = HEIGHT } = {}): LaidInk {
  const packed = new Uint8Array(Math.ceil((width * height) / 8));
  for (const [x0, y0, x1, y1] of [...(width === WIDTH ? FORM : []), ...lines]) {
    const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));
    for (let i = 0; i <= steps; i++) {
      const x = Math.min(width - 1, Math.round(x0 + ((x1 - x0) * i) / steps)),
        y = Math.min(height - 1, Math.round(y0 + ((y1 - y0) * i) / steps));
      packed[(y * width + x) >> 3] |= 1 << ((y * width + x) & 7);
    }
  }
  const longer = Math.max(width, height);
  const area = { x: 0, y: 0, width: width / longer, height: height / longer };
  const ink: PackedInk = { number: 1, area, page: area, skewRad: 0, width, height, boxes: [box], packed };
  return layInk(core, ink);
}
