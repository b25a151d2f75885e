import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ATTRIBUTE_FORMS } from '../../dist/words/attribute-forms.js';
import { AttributePairs, PAIRS_STEP, type Bound } from '../../dist/attributes/tables/attribute-pairs.js';
import { parseAttributes, type Attribute } from '../../dist/attributes/attribute.js';
import { openLibrary, type Library } from '../../dist/library.js';
import { seeded } from '../fixtures/random.js';
import { runs } from '../fixtures/runs.js';

const { key, quantity } = ATTRIBUTE_FORMS;
const LIST = { nameId: 1, list: 'length' };
const OTHERS = [
  { nameId: 1, list: '=' },
  { nameId: 1, list: 'area' },
  { nameId: 2, list: 'length' },
];
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pairs-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const number = fc.integer({ min: -12, max: 12 }).map((half) => half / 2);
const change = fc.record({
  from: number,
  count: fc.integer({ min: 1, max: 120 }),
  step: fc.constantFrom(0, 0.5, 3),
  file: fc.integer({ min: 1, max: 50 }),
  gone: fc.boolean(),
});
const bound = fc.record({
  operator: fc.constantFrom('<', '<=', '>', '>=') as fc.Arbitrary<Bound['operator']>,
  value: number,
});

test('files by ranges of numbers are those of a plain list, as rows grow, part and empty', () => {
  fc.assert(
    fc.property(
      fc.array(change, { minLength: 1, maxLength: 40, size: 'max' }),
      fc.array(fc.array(bound, { maxLength: 3 }), { minLength: 8, maxLength: 8 }),
      (changes, asked) => {
        const database = new Database(':memory:');
        database.exec(
          `${PAIRS_STEP}; CREATE TABLE attribute_value (id, name_id, dimension, value, number, file_id); CREATE TABLE attribute_use (value_id, file_id)`,
        );
        const pairs = new AttributePairs(database);
        const known = new Map<string, [number, number]>();
        for (const other of OTHERS) pairs.add(other, 1, 77);
        for (const { from, count, step, file, gone } of changes) {
          for (let i = 0; i < count; i++) {
            const pair: [number, number] = [from + step * i, file + (step === 0 ? i : 0)];
            if (gone) known.delete(String(pair));
            else known.set(String(pair), pair);
            if (gone) pairs.remove(LIST, ...pair);
            else pairs.add(LIST, ...pair);
          }
        }
        for (const bounds of asked) {
          const wanted = [...known.values()].filter(([own]) =>
            bounds.every(({ operator, value }) =>
              operator === '<'
                ? own < value
                : operator === '<='
                  ? own <= value
                  : operator === '>'
                    ? own > value
                    : own >= value,
            ),
          );
          expect([...pairs.within(LIST, bounds)].sort((a, b) => a - b)).toEqual(
            wanted.map(([, file]) => file).sort((a, b) => a - b),
          );
        }
        for (const other of OTHERS) expect([...pairs.within(other, [])]).toEqual([77]);
        for (const pair of known.values()) pairs.remove(LIST, ...pair);
        expect(database.prepare('SELECT count(*) FROM attribute_pairs').pluck().get()).toBe(OTHERS.length);
        database.close();
      },
    ),
    { numRuns: runs(40) },
  );
});

const open = (library: string): Promise<Library> => openLibrary(library, { fileBytesLimit: 1e6, crashLimit: 10 });
const RED = { nameKey: 'color', match: { kind: 'equals' as const, key: 'red' } };
const WORD = { nameKey: 'color', match: { kind: 'terms' as const, terms: ['red'] } };
const THICK = {
  nameKey: 'thickness',
  match: { kind: 'compare' as const, operator: '>=' as const, quantity: quantity('5mm', '')! },
};

const attributesOf = (i: number): Attribute[] =>
  parseAttributes([`Color=${i % 2 === 0 ? 'red' : 'blue'}`, `Thickness=${i % 10}mm`], key);

async function filled(
  library: string,
  files: number,
): Promise<{ store: Library; companyId: number; uids: string[]; ids: number[] }> {
  const store = await open(library);
  const companyId = await store.company('acme');
  const put = await Promise.all(
    Array.from({ length: files }, (_, i) =>
      store.put({
        companyId,
        path: `${i}.txt`,
        textOnly: false,
        kind: 'Text',
        priority: 3,
        source: Uint8Array.of(i % 7, i >> 8, i),
        attributes: attributesOf(i),
      }),
    ),
  );
  put.sort((a, b) => a.fileId - b.fileId); // They arrive in any order.
  await Promise.all(
    put.map(({ fileId }) =>
      store.jobs.complete(fileId, {
        kind: 'Text',
        warnings: [],
        contentVersion: 1,
        faceCount: null,
        pageCount: 1,
        pages: [],
        extracted: [],
      }),
    ),
  );
  for (const [i, { uid }] of put.entries())
    await store.setAttributes(companyId, uid, attributesOf(i), { replace: true });
  return { store, companyId, uids: put.map(({ uid }) => uid), ids: put.map(({ fileId }) => fileId) };
}

test('values are found as they become common and rare again', async () => {
  const { store, companyId, uids, ids } = await filled(join(folder, 'common'), 150);
  const colors: string[] = ids.map((_, i) => (i % 2 === 0 ? 'red' : 'blue')),
    thick = ids.map((_, i) => i % 10);
  const random = seeded(5);
  // 75 red ones at first, some 20 in the middle, 130 in the end: past 64 and back.
  for (const share of [0.5, 0.1, 0.4, 0.9, 0.45, 0.9]) {
    for (let i = 0; i < ids.length; i++) {
      if (random() < 0.3) continue;
      colors[i] = random() < share ? (random() < 0.2 ? 'Red|dark red' : 'red') : 'blue';
      thick[i] = Math.floor(10 * random());
      await store.setAttributes(
        companyId,
        uids[i],
        parseAttributes([`Color=${colors[i]}`, `Thickness=${thick[i]}mm|${thick[i]} mm|0.1cm`], key),
        { replace: true },
      );
    }
    const red = ids.filter((_, i) => colors[i] !== 'blue');
    expect([...(await store.rooms.attributes.door.filesWith(companyId, RED))]).toEqual(red);
    expect([...(await store.rooms.attributes.door.filesWith(companyId, WORD))]).toEqual(red);
    expect([...(await store.rooms.attributes.door.filesWith(companyId, THICK))]).toEqual(
      ids.filter((_, i) => thick[i] >= 5),
    );
    expect(await store.rooms.attributes.damaged()).toEqual([]);
  }
  for (const uid of uids) await store.remove(companyId, uid);
  expect(await store.rooms.attributes.door.filesWith(companyId, RED)).toHaveLength(0);
  await store.close();
});

test.each([
  ['without lists', 'DELETE FROM attribute_pairs', ''],
  ['without the list of a color', `DELETE FROM attribute_pairs WHERE list = '#'`, ''],
  ['with another file', 'UPDATE attribute_pairs SET file_id = file_id + 1', ''],
  [
    'with a list of nothing',
    `INSERT INTO attribute_pairs (name_id, list, number, file_id, pairs) VALUES (999, '#', 1, 1, zeroblob(12))`,
    '',
  ],
  [
    'of the version before',
    `DELETE FROM attribute_pairs; DELETE FROM setting WHERE name = 'attribute pairs'`,
    'made when it is opened',
  ],
])('%s, a library gives all files when it is mended', async (name, damage, atOnce) => {
  const library = join(folder, name);
  const first = await filled(library, 140);
  await first.store.close();
  const database = new Database(join(library, 'catalog.sqlite'));
  database.exec(damage);
  database.close();
  const store = await open(library);
  expect((await store.rooms.attributes.damaged()).length > 0).toBe(atOnce === '');
  if (atOnce === '') store.rooms.attributes.remakeIndex();
  expect(await store.rooms.attributes.damaged()).toEqual([]);
  expect([...(await store.rooms.attributes.door.filesWith(first.companyId, RED))]).toEqual(
    first.ids.filter((_, i) => i % 2 === 0),
  );
  expect([...(await store.rooms.attributes.door.filesWith(first.companyId, THICK))]).toEqual(
    first.ids.filter((_, i) => i % 10 >= 5),
  );
  await store.close();
});
