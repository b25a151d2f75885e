import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { OLDEST_COMPARED_VIEWS, VIEW_BYTES } from '../../dist/descriptors/views.js';
import type { EngineError } from '../../dist/index.js';
import { AskedShapes } from '../../dist/search/shapes/asked-shapes.js';
import { TabledViews } from '../../dist/search/views/tabled-views.js';
import type { Store } from '../../dist/store/store.js';
import { temporaryFolder } from '../fixtures/folder.js';

/** Tables of derived data that are damaged anywhere: searches open, find the same, and the next opening has a table. */
const core = await Core.load();
const FILES = 120;
/** A bound on a hang. */
const HANG_MS = 600_000;
const SECTOR = 4_096;
/** Of a database, and of its first page with two cells. */
const HEADER = 112;
/** The byte of it from which SQLite takes that it may not write. */
const WRITE_VERSION_AT = 18;
const fileIds = Uint32Array.from({ length: FILES }, (_, i) => 8 * i + 1);
const all = { allowed: fileIds, has: () => true };

/** A number from 0 to 1 of a file and a place. */
const noise = (fileId: number, at: number): number => (Math.imul(fileId * 131 + at, 2_654_435_761) >>> 8) / 2 ** 24;

function vectorOf(fileId: number): Uint8Array {
  return new Uint8Array(Float32Array.from({ length: 64 }, (_, at) => noise(fileId, at)).buffer);
}

function viewsOf(fileId: number): Uint8Array {
  return Uint8Array.from({ length: 2 * VIEW_BYTES }, (_, at) => 256 * noise(fileId, at));
}

/** What is opened, searched and closed; the failures that were told. */
type Search = (folder: string) => Promise<{ readonly found: unknown; readonly told: EngineError[] }>;

const shapes: Search = async (folder) => {
  const told: EngineError[] = [];
  const compacts = async (ids: Uint32Array): Promise<unknown> => ({
    fileIds: [...ids],
    bytes: Buffer.concat([...ids].map(vectorOf)),
  });
  const store = { shapes: { compacts }, cacheFolder: () => folder } as unknown as Store;
  const parts = { core, companyId: 1, exactLimit: 1, fineBytesKept: 0, store };
  const listed = { fileIds, indexedAt: new Float64Array(FILES).fill(1) } as never;
  const opened = await AskedShapes.open({ ...parts, onTableFailed: (failure) => told.push(failure) }, listed);
  const among = { allowed: undefined, all: () => opened.ids, has: () => true, turn: async () => undefined };
  const query = { compact: new Float32Array(vectorOf(fileIds[7]).buffer) };
  const found = await opened.shapes.nearest([query], 20, among);
  await opened.shapes.close();
  return { found, told };
};

const views: Search = async (folder) => {
  const told: EngineError[] = [];
  const some = async (_: number, ids: readonly number[]): Promise<unknown> =>
    ids.map((fileId) => ({ fileId, bytes: viewsOf(fileId), version: OLDEST_COMPARED_VIEWS }));
  const store = { views: { some }, cacheFolder: () => folder } as unknown as Store;
  const parts = { core, store, companyId: 1 };
  const opened = await TabledViews.open({ ...parts, onTableFailed: (failure) => told.push(failure) });
  const held = await opened.times();
  for (const fileId of fileIds) if (!held.has(fileId)) opened.add(fileId, viewsOf(fileId), 1);
  const found = await opened.nearest(viewsOf(fileIds[7]).subarray(0, VIEW_BYTES), 20, all);
  await opened.close();
  return { found, told };
};

/** A bit of every fifth byte of the header and of the schema, every sector, and cuts. */
function* damages(whole: Buffer, page: number): Generator<readonly [string, Buffer]> {
  // The first page: a header, nothing, and what CREATE made.
  const schema = whole.subarray(HEADER, page).findIndex((byte) => byte !== 0) + HEADER;
  for (let at = 0, i = 0; at < page; at = at < HEADER && at + 5 >= HEADER ? schema : at + 5) {
    const bytes = Buffer.from(whole);
    bytes[at] ^= 1 << (i++ % 8);
    yield [`a flipped bit in byte ${at}`, bytes];
  }
  const readAlone = Buffer.from(whole);
  readAlone[WRITE_VERSION_AT] ^= 64;
  yield ['a header that forbids to write', readAlone];
  for (let at = 0; at < whole.length; at += SECTOR)
    yield [`a zeroed sector at ${at}`, Buffer.from(whole).fill(0, at, at + SECTOR)];
  for (let at = SECTOR; at < whole.length; at += 4 * SECTOR) yield [`cut off at ${at}`, whole.subarray(0, at)];
}

test.each([
  { table: 'compact.sqlite', search: shapes, page: 65_536 },
  { table: 'views.sqlite', search: views, page: 16_384 },
])(
  'wherever $table is damaged, searches find the same, and a later opening has a whole one',
  async (of) => {
    const folder = temporaryFolder();
    const file = join(folder, of.table);
    const wanted = (await of.search(folder)).found;
    expect(await of.search(folder)).toEqual({ found: wanted, told: [] });
    const whole = readFileSync(file);
    for (const [what, bytes] of damages(whole, of.page)) {
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
      writeFileSync(file, bytes);
      expect((await of.search(folder)).found, what).toEqual(wanted);
      expect(await of.search(folder), what).toEqual({ found: wanted, told: [] });
      expect(readFileSync(file)[WRITE_VERSION_AT], what).toBe(whole[WRITE_VERSION_AT]);
    }
  },
  HANG_MS,
);
