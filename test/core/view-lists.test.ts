import { describe, expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import type { ViewVectors } from '../../dist/core/view-distances.js';
import { ViewLists } from '../../dist/core/view-lists.js';
import { ViewScan } from '../../dist/core/view-scan.js';
import { VIEW_BYTES, describeViews } from '../../dist/descriptors/views.js';
import { EngineError } from '../../dist/errors.js';
import { renderModelViews } from '../../dist/shapelets/model/model-views.js';
import { bracket, gear } from './shapes.js';
import { seeded } from '../fixtures/random.js';

const core = await Core.load();
const rendered = [bracket(40, 25, 4, 8), gear(12, 20, 6)].map((mesh) => renderModelViews(core, mesh));
const [bracketViews, gearViews] = rendered;
const onPage = (shapelet: (typeof bracketViews)[number]): (typeof bracketViews)[number] => ({
  ...shapelet,
  place: { kind: 'page', page: 1, box: { x: 0, y: 0, width: 1, height: 1 } },
  isToScale: false,
});
const drawing = describeViews(
  core,
  [0, 2, 4].map((i) => onPage(bracketViews[i])),
);
const photo = describeViews(core, [{ ...onPage(gearViews[36]), isFree: true }]);

/** Files near one of the two parts, or anywhere; more than a search measures. */
const FILES = 5_000;
const scan = await ViewScan.open(core, VIEW_BYTES);
rendered.forEach((views, i) => {
  scan.add(i, describeViews(core, views));
});
function fileOf(file: number): ViewVectors {
  const random = seeded(file);
  const from = scan.vectorsOf(file % 2)!;
  const noise = file % 3 === 0 ? 20 + (file % 200) : 127;
  const first = Math.floor(random() * 10),
    count = 4;
  const vectors = new Int8Array(64 * 2 * count);
  // Upright views, then those turned to their longest axis.
  for (const [at, view] of [first, 30 + first].entries())
    vectors.set(from.vectors.subarray(64 * view, 64 * (view + count)), 64 * at * count);
  for (let i = 0; i < vectors.length; i++)
    vectors[i] = Math.max(-127, Math.min(127, Math.round(vectors[i] + noise * (random() - 0.5))));
  return { vectors, weights: new Float32Array(2 * count).fill(1 / (2 * count)), upright: count, isFree: false };
}

const [even, odd] = [fileOf(1), fileOf(2)];
const exact = await ViewLists.open(core, VIEW_BYTES, { exactViews: 1e9 });
const lists = await ViewLists.open(core, VIEW_BYTES, { exactViews: 0, read: 20_000 });
for (let file = 1; file <= FILES; file++) for (const way of [exact, lists]) way.put(file, fileOf(file));

describe('lists of views', () => {
  test('propose nearly all that reading every view finds, for drawings and photos, and less is read', () => {
    for (const query of [drawing, photo]) {
      const wanted = exact.nearest(query, 50);
      const found = lists.nearest(query, 50);
      const shared = [...found.fileIds].filter((id) => wanted.fileIds.includes(id));
      expect(shared.length).toBeGreaterThanOrEqual(48);
      expect([...found.distances]).toEqual([...found.distances].sort((a, b) => a - b));
      // A file that both find has the same distance: it is computed from all of its views.
      expect(found.distances[0]).toBe(wanted.distances[wanted.fileIds.indexOf(found.fileIds[0])]);
    }
  });

  test('what only adds files measures a quarter of them, among these nearly all that are nearest', () => {
    const whole = lists.measured(photo, 24),
      added = lists.measured(photo, 24, undefined, true);
    expect(whole.fileIds).toHaveLength(4_096);
    expect(added.fileIds).toHaveLength(1_024);
    const nearest = exact.nearest(photo, 24).fileIds;
    expect([...nearest].filter((id) => added.fileIds.includes(id)).length).toBeGreaterThanOrEqual(23);
  });

  test('a model finds nearly all drawings that reading every view finds, of those that are present and allowed', async () => {
    const pagesOf = (file: number): ViewVectors => ({ ...fileOf(file), upright: 0, isFree: file % 7 === 0 });
    const every = await ViewLists.open(core, VIEW_BYTES, { exactViews: 1e9 });
    const some = await ViewLists.open(core, VIEW_BYTES, { exactViews: 0 });
    for (let file = 1; file <= 2 * FILES; file++) for (const way of [every, some]) way.put(file, pagesOf(file));
    // Removed, replaced and come again, so that rows of pages move.
    for (let file = 1; file <= FILES; file++) for (const way of [every, some]) way.remove(file);
    for (let file = 1; file <= FILES; file += 2) for (const way of [every, some]) way.put(file, pagesOf(file + 1));
    const model = describeViews(core, bracketViews);
    const wanted = every.nearest(model, 50),
      found = some.nearest(model, 50);
    expect([...found.fileIds].filter((id) => wanted.fileIds.includes(id)).length).toBeGreaterThanOrEqual(48);
    expect(found.distances[0]).toBe(wanted.distances[wanted.fileIds.indexOf(found.fileIds[0])]);
    const few = Uint32Array.from({ length: 900 }, (_, i) => 4_000 + 5 * i);
    expect(some.nearest(model, 20, few)).toEqual(every.nearest(model, 20, few));
  });

  test('find only what is allowed, exactly where that is little', () => {
    const few = Uint32Array.from({ length: 300 }, (_, i) => 10 + 7 * i);
    expect(lists.nearest(drawing, 20, few)).toEqual(exact.nearest(drawing, 20, few));
    const half = Uint32Array.from({ length: FILES / 2 }, (_, i) => 2 * (i + 1));
    const found = lists.nearest(drawing, 20, half).fileIds;
    expect(found).toHaveLength(20);
    expect([...found].every((id) => id % 2 === 0)).toBe(true);
    expect(lists.nearest(drawing, 20, Uint32Array.of(FILES + 5)).fileIds).toHaveLength(0);
  });

  test('depend on the views that are present, not on what was removed and replaced before', async () => {
    const changed = await ViewLists.open(core, VIEW_BYTES, { exactViews: 0, read: 20_000 });
    const fresh = await ViewLists.open(core, VIEW_BYTES, { exactViews: 0, read: 20_000 });
    for (let file = 1; file <= 2 * FILES; file++) changed.put(file, fileOf(file % FILES));
    for (let file = FILES + 1; file <= 2 * FILES; file++) expect(changed.remove(file)).toBe(true);
    for (let file = 1; file <= FILES; file += 5) changed.put(file, fileOf(file + 1));
    for (let file = FILES; file >= 1; file--) fresh.put(file, fileOf(file % 5 === 1 ? file + 1 : file % FILES));
    expect(changed.size).toBe(FILES);
    expect(changed.viewCount).toBe(fresh.viewCount);
    for (const query of [drawing, photo]) expect(changed.nearest(query, 60)).toEqual(fresh.nearest(query, 60));
    expect(changed.remove(2 * FILES)).toBe(false);
  });

  test('find a file by its own views first', async () => {
    const one = await ViewLists.open(core, VIEW_BYTES, { exactViews: 0 });
    for (const [i, views] of rendered.entries()) {
      const pages = describeViews(core, views.slice(0, 20).map(onPage));
      one.add(1 + i, describeViews(core, views));
      one.add(10 + i, pages);
      // Rounding makes the product of some equal rows larger than that of two of length 127.
      const { fileIds, distances } = one.nearest(pages, 4);
      expect(fileIds).toHaveLength(2 + 2 * i);
      expect([...fileIds.subarray(0, 2)].sort()).toEqual([1 + i, 10 + i].sort());
      expect([...distances].every(Number.isFinite)).toBe(true);
    }
  });

  test('a file for which a core has no room is not held, and all others stay as they were', async () => {
    const full = await ViewLists.open(core, VIEW_BYTES, { exactViews: 1e9 });
    const wanted = await ViewLists.open(core, VIEW_BYTES, { exactViews: 1e9 });
    const of = (file: number): ViewVectors => (file % 3 === 0 ? { ...fileOf(file), upright: 0 } : fileOf(file));
    for (let file = 1; file <= 600; file++) for (const way of [full, wanted]) way.put(file, of(file));
    const grow = full.core.grow.bind(full.core);
    full.core.grow = () => {
      throw new EngineError('LIMIT_EXCEEDED', 'full');
    };
    const failed = new Set<number>();
    const kept = full.listed(Array.from({ length: 600 }, (_, i) => i + 1));
    const put = (file: number, enter: () => void): void => {
      try {
        enter();
        wanted.put(file, of(file));
      } catch (cause) {
        expect(cause).toMatchObject({ code: 'LIMIT_EXCEEDED' });
        failed.add(file);
      }
    };
    for (let file = 601; file <= 2_000; file++) put(file, () => full.put(file, of(file)));
    // As they come from what was kept, under other ids.
    for (let i = 0, first = 0; i < kept.fileIds.length; first += kept.counts[i++]) {
      const fileIds = kept.fileIds.map((id) => id + 3_000);
      put(fileIds[i], () => full.putListed({ ...kept, fileIds }, i, first));
      if (!failed.has(fileIds[i])) wanted.put(fileIds[i], fileOf(kept.fileIds[i]));
    }
    expect(failed.size).toBeGreaterThan(100);
    for (const file of failed) {
      expect(full.has(file)).toBe(false);
      expect(full.remove(file)).toBe(false);
    }
    const same = (): void => {
      expect([full.size, full.viewCount]).toEqual([wanted.size, wanted.viewCount]);
      for (const query of [drawing, photo, describeViews(core, bracketViews)])
        expect(full.nearest(query, 700)).toEqual(wanted.nearest(query, 700));
    };
    same();
    for (let file = 1; file <= 600; file += 2) expect(full.remove(file)).toBe(wanted.remove(file));
    same();
    full.core.grow = grow;
    for (const file of failed) for (const way of [full, wanted]) way.put(file, fileOf(file));
    same();
  });

  test('a search for many hits takes little memory that stays, and finds what one for fewer finds', async () => {
    const many = await ViewLists.open(core, VIEW_BYTES, { exactViews: 1e9 });
    for (let file = 1; file <= 4 * FILES; file++) many.put(file, { ...(file % 2 ? even : odd), upright: 4 });
    const bytes = (): number => many.core.keep(({ kernels: { memory } }) => memory.buffer.byteLength);
    many.nearest(
      drawing,
      10,
      Uint32Array.from({ length: 9_000 }, (_, i) => i + 1),
    );
    const before = bytes();
    const all = many.nearest(drawing, 4 * FILES);
    expect(many.viewCount).toBeGreaterThan(150_000);
    expect(bytes() - before).toBeLessThan(2 ** 20);
    expect(many.nearest(drawing, 50).fileIds).toEqual(all.fileIds.subarray(0, 50));
  });

  test('hold a view in at most 40 bytes', () => {
    expect(lists.byteLength / lists.viewCount).toBeLessThan(50);
  });
});
