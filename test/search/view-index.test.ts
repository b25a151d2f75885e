import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { ViewLists } from '../../dist/core/view-lists.js';
import { describeViews } from '../../dist/descriptors/views.js';
import { EngineError } from '../../dist/errors.js';
import { PageLayouts } from '../../dist/search/views/page-layouts.js';
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

async function indexOf(exactLimit: number, name = `${exactLimit}`): Promise<ViewIndex> {
  const cache = join(folder, `cache-${name}`);
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
    expect(index.compared, `${exactLimit}`).toBe(exactLimit === 1_000 ? 96 : 192);
    found[exactLimit] = await Promise.all(PAGES.map(async (page) => (await index.nearest(page, 3, index.ids))[0]));
    index.remove(7);
    expect(await index.nearest(PAGES[6], MODELS, index.ids)).not.toContain(7);
    await index.close();
  }
  for (const exactLimit of [300, 0]) expect(found[exactLimit]).toEqual(found[1_000]);
  expect(found[1_000]).toEqual(Array.from({ length: MODELS }, (_, i) => i + 1));
});

test('of some equally near files the first by UID are found, and the lists are asked once', async () => {
  const index = await indexOf(0, 'equal');
  for (let copy = 1; copy <= 10; copy++) index.add(MODELS + copy, `${100 - copy}`.padStart(32, '0'), { bytes: ALL[4] });
  await index.settle();
  const asked = vi.spyOn(ViewLists.prototype, 'measured');
  // The part itself has the least UID; of its copies the last one.
  expect(await index.nearest(PAGES[4], 3, index.ids)).toEqual([5, MODELS + 10, MODELS + 9]);
  expect(asked).toHaveBeenCalledTimes(1);
  asked.mockRestore();
  await index.close();
});

/** A store of views that are read in pages of ten files, and of models that are asked for. */
function storeOf(rows: ReadonlyMap<number, Uint8Array>, models: ReadonlyMap<number, number>, cache: string): Store {
  mkdirSync(cache, { recursive: true });
  const rowOf = (fileId: number) => ({ fileId, uid: `${fileId}`.padStart(32, '0'), bytes: rows.get(fileId)! });
  const views = {
    after: async (_: number, last: number, { models: ofModels }: { models: boolean }) =>
      [...rows.keys()]
        .filter((fileId) => fileId > last && models.has(fileId) === ofModels)
        .slice(0, 10)
        .map(rowOf),
    modelsAfter: async (_: number, last: number) =>
      [...models].filter(([id]) => id > last).map(([id, indexedAt]) => ({ ...rowOf(id), indexedAt })),
    some: async (_: number, fileIds: readonly number[]) => fileIds.filter((id) => rows.has(id)).map(rowOf),
  };
  return { views, cacheFolder: () => cache } as unknown as Store;
}

test('views of drawings that do not fit are read from a table, however many the first pages have', async () => {
  const rows = new Map(PAGES.map((bytes, i) => [i + 1, bytes]));
  // 160 views: room for 100 as short vectors, and the first 50 are read as long ones.
  const room = 40 * 100;
  const store = storeOf(rows, new Map(), join(folder, 'drawings'));
  const index = await ViewIndex.open({ core, companyId: 1, exactLimit: 50, store, room: () => room });
  expect(index.heldBytes).toBeLessThanOrEqual(room);
  for (const i of [0, 9, 39]) expect((await index.nearest(PAGES[i], 3, index.ids))[0]).toBe(i + 1);
  await index.close();
});

test('a model that was indexed anew and has no views now is found by none', async () => {
  const rows = new Map(ALL.slice(0, 10).map((bytes, i) => [i + 1, bytes]));
  const models = new Map([...rows.keys()].map((fileId) => [fileId, 100]));
  const store = storeOf(rows, models, join(folder, 'models'));
  const open = async (): Promise<ViewIndex> => {
    const index = await ViewIndex.open({ core, companyId: 1, exactLimit: 50, store, room: () => 0 });
    await index.loadModels();
    return index;
  };
  const before = await open();
  expect(await before.nearest(PAGES[3], 10, before.ids)).toContain(4);
  await before.close();
  models.set(4, 200);
  rows.delete(4);
  const after = await open();
  expect([...after.ids]).not.toContain(4);
  expect(await after.nearest(PAGES[3], 10, after.ids)).not.toContain(4);
  await after.close();
});

test('more views than a core holds lie in a table, which finds the same', async () => {
  const rows = new Map([...ALL.slice(0, 20), ...PAGES.slice(20)].map((bytes, i) => [i + 1, bytes]));
  const models = new Map(Array.from({ length: 20 }, (_, i) => [i + 1, 100]));
  const open = async (name: string, mostListed: number): Promise<ViewIndex> => {
    const store = storeOf(rows, models, join(folder, name));
    const index = await ViewIndex.open({ core, companyId: 1, exactLimit: 50, store, mostListed });
    await index.loadModels();
    return index;
  };
  // 80 views of pages and 400 of models.
  const listed = await open('core-holds', 480);
  const tabled = await open('core-full', 479);
  expect(listed.heldBytes).toBe(40 * 480);
  expect(tabled.heldBytes).toBe(0);
  const found = (index: ViewIndex): Promise<number[][]> =>
    Promise.all([...PAGES, ...ALL].map((views) => index.nearest(views, 3, index.ids)));
  expect(await found(tabled)).toEqual(await found(listed));
  // One more file than the core holds: the lists, kept and new, become a table.
  listed.add(41, '41'.padStart(32, '0'), { bytes: ALL[30] });
  rows.set(41, ALL[30]);
  await listed.settle();
  expect(listed.heldBytes).toBe(0);
  expect((await listed.nearest(PAGES[30], 3, listed.ids)).slice(0, 2)).toContain(41);
  await Promise.all([listed.close(), tabled.close()]);
});

test('a file that the memory of a core cannot take is not entered, and can be added later', async () => {
  const index = await indexOf(0, 'full');
  const full = vi.spyOn(ViewLists.prototype, 'add').mockImplementationOnce(() => {
    throw new EngineError('LIMIT_EXCEEDED', 'full');
  });
  const add = (): void => index.add(50, '50'.padStart(32, '0'), { bytes: ALL[4] });
  expect(add).toThrow('full');
  full.mockRestore();
  expect(index.has(50)).toBe(false);
  expect([...index.ids]).toHaveLength(MODELS);
  // A layout is refused after the views were taken: these go again.
  const layouts = vi.spyOn(PageLayouts.prototype, 'add').mockImplementationOnce(() => {
    throw new EngineError('LIMIT_EXCEEDED', 'full');
  });
  expect(add).toThrow('full');
  layouts.mockRestore();
  expect(await index.nearest(PAGES[4], MODELS + 1, index.ids)).not.toContain(50);
  add();
  expect(await index.nearest(PAGES[4], 3, index.ids)).toContain(50);
  await index.close();
});
