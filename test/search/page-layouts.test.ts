import { describe, expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
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

/** Layouts in memory and what a catalogue would hold of them. */
class Pages {
  readonly #layouts: PageLayouts;
  readonly #stored = new Map<number, Uint8Array>();

  constructor(layouts: PageLayouts) {
    this.#layouts = layouts;
  }

  add(file: number, layouts: Uint8Array): void {
    this.#layouts.add(file, layouts);
    this.#stored.set(file, layouts);
  }

  remove(file: number): void {
    this.#layouts.remove(file);
    this.#stored.delete(file);
  }

  has(file: number): boolean {
    return this.#layouts.has(file);
  }

  nearest(layout: Uint8Array, allowed?: Uint32Array): Promise<Map<number, number>> {
    const read = async (fileIds: readonly number[]): Promise<ReadonlyMap<number, Uint8Array>> =>
      new Map(fileIds.map((fileId) => [fileId, this.#stored.get(fileId)!]));
    return this.#layouts.nearest(layout, read, allowed);
  }
}

const core = await Core.load();
const pages = new Pages(await PageLayouts.open(core));

describe('the layout of a page', () => {
  for (let file = 1; file <= 40; file++)
    pages.add(file, Uint8Array.from([...layoutOf(1_000 + file), ...layoutOf(file)]));

  test('finds that page of a file', async () => {
    for (const file of [1, 7, 40]) {
      const found = await pages.nearest(layoutOf(file));
      const [first, share] = [...found][0];
      expect(first).toBe(file);
      expect(share).toBeLessThan(0.05);
      expect([...found.values()]).toEqual([...found.values()].sort((a, b) => a - b));
    }
  });

  test('finds only files that count', async () => {
    const others = Uint32Array.from({ length: 39 }, (_, file) => (file < 6 ? file + 1 : file + 2));
    expect([...(await pages.nearest(layoutOf(7), others)).keys()]).not.toContain(7);
    pages.remove(7);
    expect([...(await pages.nearest(layoutOf(7))).keys()]).not.toContain(7);
    expect((await pages.nearest(new Uint8Array())).size).toBe(0);
  });

  test('is found the same whatever was removed and replaced before', async () => {
    const changed = new Pages(await PageLayouts.open(core)),
      fresh = new Pages(await PageLayouts.open(core));
    const pagesOf = (file: number): Uint8Array => Uint8Array.from([...layoutOf(file), ...layoutOf(500 + file)]);
    for (let file = 1; file <= 600; file++) changed.add(file, pagesOf(file));
    for (let file = 1; file <= 600; file++) if (file % 3 !== 0) changed.remove(file);
    for (let file = 3; file <= 90; file += 3) changed.add(file, layoutOf(2 * file));
    for (let file = 600; file >= 3; file -= 3) fresh.add(file, file <= 90 ? layoutOf(2 * file) : pagesOf(file));
    for (const seed of [6, 300, 777]) {
      const found = [...(await changed.nearest(layoutOf(seed)))];
      expect(found.length).toBeGreaterThan(5);
      expect(found).toEqual([...(await fresh.nearest(layoutOf(seed)))]);
    }
    expect(changed.has(4)).toBe(false);
    expect(changed.has(6)).toBe(true);
  });
});
