import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { describeViews } from '../../dist/descriptors/views.js';
import { ViewIndex } from '../../dist/search/views/view-index.js';
import type { Store } from '../../dist/store/store.js';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();
const core = await Core.load();
const SIDE = 64;
const MODELS = 40;
const VIEWS = 20;
const CAMERA = { kind: 'camera', direction: [0, 0, 1], up: [0, 1, 0], scaleMmPerPixel: 1 } as const;
const PAGE = { kind: 'page', page: 1, box: { x: 0.2, y: 0.2, width: 0.3, height: 0.3 } } as const;

/** Views of a model, and the same on a page: frames of sizes of their own, each with two crossing lines. */
function viewsOf(model: number, place: typeof CAMERA | typeof PAGE, count: number): Uint8Array {
  const shapelets = Array.from({ length: count }, (_, view) => {
    const mask = new Uint8Array(SIDE * SIDE),
      lines = new Uint8Array(SIDE * SIDE);
    const left = 4 + ((7 * model + 3 * view) % 20),
      top = 4 + ((11 * model + 5 * view) % 20),
      across = 12 + ((13 * model + 7 * view) % 28),
      down = 12 + ((5 * model + 13 * view) % 28);
    for (let y = top; y < Math.min(SIDE - 2, top + down); y++)
      for (let x = left; x < Math.min(SIDE - 2, left + across); x++) {
        mask[SIDE * y + x] = 255;
        const isLine = x === left || y === top || x - left === (model % 9) + 2 || y - top === (view % 7) + 2;
        if (isLine) lines[SIDE * y + x] = 255;
      }
    return { place, mask, lines, hiddenLines: new Uint8Array(), size: [0.3, 0.3] as const, isToScale: false };
  });
  return describeViews(core, shapelets);
}

const ALL = Array.from({ length: MODELS }, (_, i) => viewsOf(i + 1, CAMERA, VIEWS));
const PAGES = Array.from({ length: MODELS }, (_, i) => viewsOf(i + 1, PAGE, 4));

async function indexOf(exactLimit: number): Promise<ViewIndex> {
  const cache = join(folder, `cache-${exactLimit}`);
  mkdirSync(cache);
  const views = { after: async () => [], modelsAfter: async () => [], some: async () => [] };
  const store = { views, cacheFolder: () => cache } as unknown as Store;
  const index = await ViewIndex.open({ core, companyId: 1, exactLimit, store });
  for (let model = 1; model <= MODELS; model++)
    index.add(model, `${model}`.padStart(32, '0'), { bytes: ALL[model - 1] });
  await index.settle();
  return index;
}

test('few views are read as long vectors, more as short ones, many by lists; all find the part', async () => {
  const found: Record<number, number[]> = {};
  for (const exactLimit of [1_000, 300, 0]) {
    const index = await indexOf(exactLimit);
    // 800 views: at most the limit; more, but at most four times as many; more than that.
    expect(index.isListed, `${exactLimit}`).toBe(exactLimit === 0);
    found[exactLimit] = await Promise.all(PAGES.map(async (page) => (await index.nearest(page, 3, index.ids))[0]));
    index.remove(7);
    expect(await index.nearest(PAGES[6], MODELS, index.ids)).not.toContain(7);
    await index.close();
  }
  for (const exactLimit of [300, 0]) expect(found[exactLimit]).toEqual(found[1_000]);
  expect(found[1_000]).toEqual(Array.from({ length: MODELS }, (_, i) => i + 1));
});
