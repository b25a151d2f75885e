import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { FINE_BYTES } from '../../dist/core/compare.js';
import { DESCRIPTORS } from '../../dist/descriptors/description.js';
import { openLibrary, type Library } from '../../dist/library.js';
import { UidTable } from '../../dist/search/filters/uid-table.js';
import { ShapeSearch } from '../../dist/search/shapes/shape-search.js';
import { TERM_MAKER } from '../../dist/words/file-terms.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { uidOf } from './library.js';

const FILES = 1_100;
const BATCH = 64;
const OPTIONS = { fileBytesLimit: 1e6, crashLimit: 3, terms: TERM_MAKER };

function vectorOf(seed: number): Float32Array {
  return Float32Array.from({ length: 64 }, (_, i) => Math.sin(seed * (i + 1.3)) / 8);
}

function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer);
}

/** What a worker would store of a file; seed 0: a file without a shape. */
function described(seed: number): Parameters<Library['jobs']['complete']>[1] {
  const descriptors = {
    compact: bytesOf(vectorOf(seed)),
    fine: new Uint8Array(FINE_BYTES).fill(seed % 11),
    surface: new Uint8Array(8),
    faces: new Uint8Array(),
    faceWords: new Uint8Array(),
  };
  return {
    kind: seed === 0 ? 'Text' : 'ThreeD',
    warnings: [],
    contentVersion: 1,
    faceCount: null,
    pageCount: null,
    pages: [],
    extracted: [],
    ...(seed === 0
      ? {}
      : {
          shape: {
            triangleCount: 12,
            componentCount: 1,
            volumeMm3: seed,
            bboxVolumeMm3: 2 * seed,
            bboxSizeMm: [seed, seed / 2, seed / 3] as const,
            surfaceAreaMm2: 7 * seed,
            descriptors: Object.fromEntries(
              Object.entries(descriptors).map(([name, bytes]) => [
                name,
                { version: DESCRIPTORS[name as keyof typeof DESCRIPTORS], bytes },
              ]),
            ) as never,
          },
        }),
  };
}

async function put(store: Library, companyId: number, number: number, seed: number): Promise<number> {
  const { fileId } = await store.put({
    companyId,
    uid: uidOf(number),
    path: `${number}.stl`,
    kind: 'ThreeD',
    overwrite: true,
    textOnly: false,
    priority: 3,
    source: Buffer.from(`bytes ${seed}`),
  });
  await store.jobs.complete(fileId, described(seed));
  return fileId;
}

/** What a search over these shapes knows, and how often it read all shapes, or single ones, from the catalogue. */
async function opened(store: Library, companyId: number, core: Core) {
  const read = { pages: 0, single: 0 };
  const shapes = new Proxy(store.shapes, {
    get(target, name) {
      if (name === 'after') read.pages++;
      if (name === 'one') read.single++;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const seen = new Proxy(store, {
    get(target, name) {
      const value: unknown = name === 'shapes' ? shapes : Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const search = await ShapeSearch.open({ store: seen, companyId, core, exactLimit: 1e6, fineBytesKept: 1e7 });
  const { ids } = search;
  const query = { ...described(40.5).shape!, fine: new Uint8Array(FINE_BYTES), compact: vectorOf(40.5) };
  const among = await search.passing([query as never], { volume: { below: 0.5, above: 0.5 } } as never, undefined);
  const alike = [];
  for (const fileId of [ids[3], ids[ids.length >> 1], ids[ids.length - 1]])
    alike.push(await search.alike(fileId, { most: 1e9, copies: new Set() }));
  await search.close();
  return { known: { ids: [...ids], among: [...(among ?? [])], alike }, read };
}

test('an opening reads what was kept of shapes, and the catalogue for what has changed since', async () => {
  const folder = join(temporaryFolder(), 'library');
  const core = await Core.load();
  let store = await openLibrary(folder, OPTIONS);
  const companyId = await store.company('acme');
  const fileIds: number[] = [];
  for (let first = 0; first < FILES; first += BATCH)
    fileIds.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(BATCH, FILES - first) }, (_, i) =>
          put(store, companyId, first + i, (first + i) % 100 === 7 ? 0 : first + i + 1),
        ),
      )),
    );
  const cache = store.cacheFolder(`shapes-${companyId}`);

  const first = await opened(store, companyId, core);
  expect(first.read.pages).toBeGreaterThan(0);
  expect(first.known.ids).toHaveLength(FILES - 11);
  expect(first.known.among.length).toBeGreaterThan(0);
  const again = await opened(store, companyId, core);
  expect(again.read).toEqual({ pages: 0, single: 0 });
  expect(again.known).toEqual(first.known);

  // Other bytes, gone, come, without a shape from now on, and one described anew under the same id.
  await put(store, companyId, 3, 5_000);
  await store.remove(companyId, uidOf(10));
  await put(store, companyId, FILES, 41);
  await put(store, companyId, 20, 0);
  await store.close();
  const catalogue = new Database(join(folder, 'catalog.sqlite'));
  catalogue.prepare('UPDATE compact SET bytes = ? WHERE file_id = ?').run(bytesOf(vectorOf(7_000)), fileIds[30]);
  catalogue.prepare('UPDATE file SET indexed_at = indexed_at + 1 WHERE id = ?').run(fileIds[30]);
  catalogue.close();
  store = await openLibrary(folder, OPTIONS);
  const changed = await opened(store, companyId, core);
  expect(changed.read.pages).toBe(0);
  expect(changed.read.single).toBe(4);
  rmSync(cache, { recursive: true });
  const anew = await opened(store, companyId, core);
  expect(anew.read.pages).toBeGreaterThan(0);
  expect(changed.known).toEqual(anew.known);
  expect(changed.known).not.toEqual(first.known);

  const body = join(cache, readdirSync(cache).find((name) => name.startsWith('body'))!);
  const bytes = readFileSync(body);
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(body, bytes);
  const damaged = await opened(store, companyId, core);
  expect(damaged.read.pages).toBeGreaterThan(0);
  expect(damaged.known).toEqual(anew.known);
  await store.close();
});

test('a table of UIDs gives back what it was given, whatever comes and goes', () => {
  const table = new UidTable();
  const model = new Map<number, string>();
  let state = 1;
  const random = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  for (let step = 0; step < 5_000; step++) {
    const fileId = 1 + random(900);
    if (random(3) === 0) expect(table.delete(fileId) >= 0).toBe(model.delete(fileId));
    else {
      const uid = random(9) === 0 ? `PART-${step}` : uidOf(random(2 ** 30)).replace('8', random(2) === 0 ? 'f' : '8');
      table.set(fileId, uid);
      model.set(fileId, uid);
    }
  }
  expect(table.size).toBe(model.size);
  expect([...table.ids()]).toEqual([...model.keys()].sort((a, b) => a - b));
  for (let fileId = 1; fileId <= 900; fileId++) expect(table.get(fileId)).toBe(model.get(fileId));
  const rows = [...model.keys()].map((fileId) => table.rowOf(fileId)).sort((a, b) => a - b);
  expect(rows).toEqual([...rows.keys()]);
});
