import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { AskedShapes } from '../../dist/search/shapes/asked-shapes.js';
import type { Store } from '../../dist/store/store.js';
import { temporaryFolder } from '../fixtures/folder.js';

const core = await Core.load();
/** More files than a call of a function may have arguments. */
const FILES = 150_000;

const folder = join(temporaryFolder(), 'rows');
mkdirSync(folder);
const shapes = {
  compacts: async (fileIds: Uint32Array) => ({ fileIds: [...fileIds], bytes: new Uint8Array(256 * fileIds.length) }),
};
const parts = {
  core,
  companyId: 1,
  exactLimit: 1,
  fineBytesKept: 0,
  store: { shapes, cacheFolder: () => folder } as unknown as Store,
};

async function idsOf(fileIds: Uint32Array): Promise<Uint32Array> {
  const opened = await AskedShapes.open(parts, { fileIds, indexedAt: new Float64Array(fileIds.length).fill(1) } as never);
  await opened.shapes.close();
  return opened.ids;
}

test('a table of which nearly all files were deleted since is opened with those that are left', async () => {
  expect(await idsOf(Uint32Array.from({ length: FILES }, (_, i) => i + 1))).toHaveLength(FILES);
  expect([...(await idsOf(Uint32Array.of(7)))]).toEqual([7]);
}, 60_000);
