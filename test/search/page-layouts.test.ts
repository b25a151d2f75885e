import { describe, expect, test } from 'vitest';
import { LAYOUT_BYTES, LAYOUT_SIDE } from '../../dist/shapelets/page-layout.js';
import { PageLayouts } from '../../dist/search/views/page-layouts.js';
import { seeded } from '../fixtures/random.js';

/** Ink in a few boxes. */
function layoutOf(seed: number): Uint8Array {
  const random = seeded(seed);
  const layout = new Uint8Array(LAYOUT_BYTES);
  for (let box = 0; box < 6; box++) {
    const x = Math.floor(26 * random()),
      y = Math.floor(26 * random()),
      width = 2 + Math.floor(8 * random()),
      height = 2 + Math.floor(8 * random());
    for (let row = y; row < Math.min(LAYOUT_SIDE, y + height); row++)
      layout.fill(20 + 60 * random(), row * LAYOUT_SIDE + x, row * LAYOUT_SIDE + Math.min(LAYOUT_SIDE, x + width));
  }
  return layout;
}

describe('the layout of a page', () => {
  const pages = new PageLayouts();
  for (let file = 0; file < 40; file++)
    pages.add(file, Uint8Array.from([...layoutOf(1_000 + file), ...layoutOf(file)]));

  test('finds that page of a file', () => {
    for (const file of [0, 7, 39]) {
      const found = pages.nearest(layoutOf(file), () => true);
      const [first, share] = [...found][0];
      expect(first).toBe(file);
      expect(share).toBeLessThan(0.05);
      expect([...found.values()]).toEqual([...found.values()].sort((a, b) => a - b));
    }
  });

  test('finds only files that count', () => {
    expect([...pages.nearest(layoutOf(7), (file) => file !== 7).keys()]).not.toContain(7);
    pages.remove(7);
    expect([...pages.nearest(layoutOf(7), () => true).keys()]).not.toContain(7);
    expect(pages.nearest(new Uint8Array(), () => true).size).toBe(0);
  });
});
