import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { EngineError } from '../../dist/index.js';
import { AskedShapes } from '../../dist/search/shapes/asked-shapes.js';
import { CompactTable } from '../../dist/store/database/compact-table.js';
import type { Store } from '../../dist/store/store.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { dozen } from '../fixtures/parts.js';
import { answer, fill, libraries, uidOf } from './library.js';

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
  const opened = await AskedShapes.open(parts, {
    fileIds,
    indexedAt: new Float64Array(fileIds.length).fill(1),
  } as never);
  await opened.shapes.close();
  return opened.ids;
}

test('a table of which nearly all files were deleted since is opened with those that are left', async () => {
  expect(await idsOf(Uint32Array.from({ length: FILES }, (_, i) => i + 1))).toHaveLength(FILES);
  expect([...(await idsOf(Uint32Array.of(7)))]).toEqual([7]);
}, 60_000);

test('a full disk when a search is closed is no failure: what was not written is read again', async () => {
  const listed = { fileIds: Uint32Array.of(7), indexedAt: Float64Array.of(1) } as never;
  const { shapes: asked } = await AskedShapes.open(parts, listed);
  asked.remove(7);
  const full = vi.spyOn(CompactTable.prototype, 'change').mockRejectedValue(new EngineError('STORAGE_FAILED', 'full'));
  await asked.close();
  expect(full).toHaveBeenCalled();
  full.mockRestore();
});

const { fresh, open } = libraries();

test('a table of vectors that is damaged keeps nobody from opening a company and finding all', async () => {
  const library = fresh();
  const query = { like: { uid: uidOf(2) }, limit: 20 } as const;
  const first = await open(library, { searchMemoryMiB: 1 });
  const acme = await first.company('acme');
  await fill(
    acme,
    dozen().map((body) => [`${body.name}.stl`, writeStlBinary(body)] as const),
  );
  // What was opened without files holds them until it is opened anew.
  await answer(acme, query);
  const before = await answer(acme, query);
  expect(before.hits).toHaveLength(12);
  await first.close();
  let damaged = 0;
  for (const name of readdirSync(library, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('compact.sqlite')) {
      writeFileSync(join(library, name), readFileSync(join(library, name)).fill(0xff, 4_096));
      damaged++;
    }
  expect(damaged).toBe(1);
  const second = await open(library, { searchMemoryMiB: 1 });
  const again = await second.company('acme');
  expect(await answer(again, query)).toEqual(before);
  await second.close();
});
