import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { ViewLists } from '../../dist/core/view-lists.js';
import { VIEW_BYTES, describeViews, pickViews } from '../../dist/descriptors/views.js';
import { keepViews, readKeptViews } from '../../dist/search/views/kept-views.js';
import { renderModelViews } from '../../dist/shapelets/model/model-views.js';
import { CacheFile } from '../../dist/store/disk/cache-file.js';
import { box, bracket, gear } from '../core/shapes.js';
import { temporaryFolder } from '../fixtures/folder.js';

test('views that were kept are found as those that were described, and damage is refused', async () => {
  const core = await Core.load();
  const open = (): Promise<ViewLists> => ViewLists.open(core, VIEW_BYTES, { exactViews: 0, read: 500 });
  const parts = [bracket(40, 25, 4, 8), gear(12, 20, 6), box(30, 20, 10)].map((mesh) =>
    describeViews(core, renderModelViews(core, mesh)),
  );
  const described = await open(),
    kept = await open();
  // Upright views and those turned to their longest axis, of some cameras each.
  for (let file = 1; file <= 60; file++)
    described.add(
      file,
      pickViews(
        parts[file % 3],
        [...Array(80).keys()].filter((view) => (view + file) % 7 < 2),
      ),
    );
  described.remove(9);
  const fileIds = [...Array(60).keys()].map((i) => i + 1);
  const listed = described.listed(fileIds);
  expect(listed.fileIds).toHaveLength(59);
  const cacheFile = new CacheFile(join(temporaryFolder(), 'views-1'));
  await keepViews(cacheFile, { ...listed, indexedAt: Float64Array.from(listed.fileIds, (id) => 1e12 + id) });
  const read = (await readKeptViews(cacheFile))!;
  expect([...read.indexedAt]).toEqual([...read.fileIds].map((id) => 1e12 + id));
  let first = 0;
  for (const [file, count] of read.counts.entries()) {
    kept.putListed(read, file, first);
    first += count;
  }
  expect(kept.viewCount).toBe(described.viewCount);
  for (const part of parts) {
    const query = pickViews(part, [0, 8]).map((byte, i) => (i % VIEW_BYTES === 648 ? 0 : byte));
    expect(kept.nearest(query, 10)).toEqual(described.nearest(query, 10));
  }
  // It can be changed as if it had been described.
  for (const way of [kept, described]) {
    way.remove(3);
    way.add(3, parts[1]);
  }
  expect(kept.nearest(parts[1].slice(0, VIEW_BYTES), 5)).toEqual(described.nearest(parts[1].slice(0, VIEW_BYTES), 5));

  const body = join(cacheFile.folder, readdirSync(cacheFile.folder).find((name) => name.startsWith('body'))!);
  const bytes = readFileSync(body);
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(body, bytes);
  expect(await readKeptViews(cacheFile)).toBeUndefined();
});
