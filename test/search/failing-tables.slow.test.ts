import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { EngineError, type Company, type Engine } from '../../dist/index.js';
import { OLDEST_COMPARED_VIEWS } from '../../dist/descriptors/views.js';
import { CompactTable } from '../../dist/store/database/compact-table.js';
import { ViewTable } from '../../dist/store/database/view-table.js';
import { dxfOf } from '../fixtures/drawing-of-body.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { dozen } from '../fixtures/parts.js';
import { box } from '../fixtures/shapes.js';
import { answer, fill, libraries, uidOf } from './library.js';

/**
 * Tables of derived data that are damaged or that the disk refuses: searches of a company that does not fit in memory
 * find what they find with them.
 */
const { fresh, open } = libraries();
/** Nothing fits, and few views are enough for a table. */
const BOUNDED = { searchMemoryMiB: 1, exactLimit: 10 } as const;
const DRAWING = 12;
/** A bound on a hang. */
const HANG_MS = 600_000;
const TABLES = ['compact.sqlite', 'views.sqlite'];

afterEach(() => vi.restoreAllMocks());

async function answers(acme: Company): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const like of [{ uid: uidOf(2) }, { uid: uidOf(DRAWING) }]) {
    found.push(await answer(acme, { like, limit: 40 }));
    found.push(await answer(acme, { like, kinds: ['ThreeD'], limit: 4 }));
  }
  return found;
}

/** A library, and what its searches give from memory. */
const filled = fresh();
let wanted: unknown[];
beforeAll(async () => {
  const engine = await open(filled, { exactLimit: 10 });
  const acme = await engine.company('acme');
  await fill(acme, [
    ...dozen().map((body) => [`${body.name}.stl`, writeStlBinary(body)] as const),
    ['a.dxf', dxfOf(dozen()[3])] as const,
  ]);
  wanted = await answers(acme);
  await engine.close();
}, HANG_MS);

function copyOfFilled(): string {
  const library = fresh();
  cpSync(filled, library, { recursive: true });
  return library;
}

/** What a search of a library gives with tables that are made where they are missing. */
async function bounded(library: string): Promise<unknown[]> {
  const engine = await open(library, BOUNDED);
  try {
    return await answers(await engine.company('acme'));
  } finally {
    await engine.close();
  }
}

function tablesIn(library: string): string[] {
  return readdirSync(library, { recursive: true, encoding: 'utf8' })
    .filter((name) => TABLES.some((table) => name.endsWith(table)))
    .map((name) => join(library, name));
}

/** The vectors of one of the files that a table holds. */
async function bytesWithin(table: string): Promise<Uint8Array> {
  const folder = join(table, '..');
  if (table.endsWith('compact.sqlite')) {
    const opened = CompactTable.open(folder);
    const block = (await opened.read(0))!;
    opened.close();
    return block.vectors.subarray(0, 256);
  }
  const opened = ViewTable.open(folder, OLDEST_COMPARED_VIEWS);
  const [{ fileId }] = await opened.facts(0);
  const { rows } = await opened.read(Uint32Array.of(fileId));
  opened.close();
  return rows;
}

async function warningsOf(engine: Engine): Promise<readonly string[]> {
  return (await engine.stats()).warnings ?? [];
}

test(
  'flipped bits in the tables change no hit, and the tables are made anew',
  async () => {
    const library = copyOfFilled();
    expect(await bounded(library)).toEqual(wanted);
    const tables = tablesIn(library);
    expect(tables).toHaveLength(2);
    for (const table of tables) {
      // Within a vector: nothing that SQLite would see.
      const stored = await bytesWithin(table);
      const bytes = readFileSync(table);
      expect(bytes.indexOf(stored)).toBeGreaterThan(0);
      bytes[bytes.indexOf(stored) + stored.length - 1] ^= 4;
      writeFileSync(table, bytes);
    }
    const damage = vi.spyOn(CompactTable.prototype, 'read');
    expect(await bounded(library)).toEqual(wanted);
    await expect(damage.mock.results[0].value).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    damage.mockClear();
    expect(await bounded(library)).toEqual(wanted);
    for (const { value } of damage.mock.results) await expect(value).resolves.toBeDefined();
  },
  HANG_MS,
);

test(
  'rows that a damaged table lost are read from the catalogue',
  async () => {
    const library = copyOfFilled();
    const engine = await open(library, BOUNDED);
    const acme = await engine.company('acme');
    expect(await answers(acme)).toEqual(wanted);
    vi.spyOn(CompactTable.prototype, 'read').mockResolvedValueOnce(undefined);
    vi.spyOn(ViewTable.prototype, 'read').mockResolvedValueOnce({ files: [], rows: new Uint8Array() });
    expect(await answers(acme)).toEqual(wanted);
    expect(await answers(acme)).toEqual(wanted);
    expect(await warningsOf(engine)).toEqual([]);
    await engine.close();
  },
  HANG_MS,
);

test(
  'where the tables cannot be made, searches read the catalogue, and that is told once',
  async () => {
    const library = copyOfFilled();
    expect(await bounded(library)).toEqual(wanted);
    const folders = tablesIn(library).map((table) => join(table, '..'));
    for (const folder of folders) {
      rmSync(folder, { recursive: true });
      writeFileSync(folder, 'no folder');
    }
    const engine = await open(library, BOUNDED);
    const acme = await engine.company('acme');
    expect(await answers(acme)).toEqual(wanted);
    await acme.put('new.stl', writeStlBinary(box(31, 8, 8)), { uid: uidOf(90) });
    await acme.delete(uidOf(4));
    const changed = await answers(acme);
    expect(changed).not.toEqual(wanted);
    const warnings = await warningsOf(engine);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('read the catalogue');
    await engine.close();
    for (const folder of folders) rmSync(folder);
    const again = await open(library, BOUNDED);
    expect(await answers(await again.company('acme'))).toEqual(changed);
    expect(await warningsOf(again)).toEqual([]);
    await again.close();
  },
  HANG_MS,
);

test(
  'a disk that fills up while the tables are in use costs no hit, and they are tried again later',
  async () => {
    const library = copyOfFilled();
    const engine = await open(library, BOUNDED);
    const acme = await engine.company('acme');
    await answers(acme);
    const full = new EngineError('STORAGE_FAILED', 'no room', { details: { errno: 'ENOSPC' } });
    const spies = [CompactTable, ViewTable].map(({ prototype }) =>
      vi.spyOn(prototype, 'change').mockRejectedValue(full),
    );
    await acme.put('new.stl', writeStlBinary(box(31, 8, 8)), { uid: uidOf(90) });
    await acme.delete(uidOf(4));
    const changed = await answers(acme);
    for (const spy of spies) expect(spy).toHaveBeenCalled();
    expect(await warningsOf(engine)).toHaveLength(1);
    for (const spy of spies) spy.mockRestore();
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
    expect(await answers(acme)).toEqual(changed);
    expect(await answers(acme)).toEqual(changed);
    expect(await warningsOf(engine)).toEqual([]);
    await engine.close();
    const held = await open(library, { exactLimit: 10 });
    expect(await answers(await held.company('acme'))).toEqual(changed);
    await held.close();
  },
  HANG_MS,
);

test(
  'on a medium that stays bad a table is made anew once, and then not before a minute; that is told',
  async () => {
    const library = copyOfFilled();
    expect(await bounded(library)).toEqual(wanted);
    const engine = await open(library, BOUNDED);
    const acme = await engine.company('acme');
    const details = { errno: 'SQLITE_CORRUPT', path: 'compact.sqlite' };
    const bad = new EngineError('STORAGE_FAILED', 'damaged', { details });
    const read = vi.spyOn(CompactTable.prototype, 'read').mockRejectedValue(bad);
    const opened = vi.spyOn(CompactTable, 'open');
    for (let i = 0; i < 4; i++) expect(await answers(acme)).toEqual(wanted);
    expect(opened.mock.calls.length).toBeLessThanOrEqual(2);
    expect(await warningsOf(engine)).toEqual([expect.stringContaining('searches of 1 company that does')]);
    read.mockRestore();
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
    expect(await answers(acme)).toEqual(wanted);
    expect(await answers(acme)).toEqual(wanted);
    expect(await warningsOf(engine)).toEqual([]);
    await engine.close();
  },
  HANG_MS,
);
