import { afterAll, beforeAll, expect, test } from 'vitest';
import { Engine, type Company, type SearchHit, type SearchQuery, type SearchResult } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { openLate } from '../store/late-doors.js';
import { fill, uidOf } from './library.js';

/**
 * A file is deleted, replaced, or gets other attributes or another category while a search waits for the catalogue:
 * once at each call of a door that the search makes. The search ends without an error, and no hit contradicts the query
 * or itself.
 */
const state = { between: async (): Promise<void> => undefined };
openLate(() => state.between());

const folder = temporaryFolder();
const files = Array.from({ length: 8 }, (_, i) => [`${i}.stl`, boxStl(10 + i, 20, 30)] as const);
/** The file that changes. */
const MOVING = uidOf(3);
let engine: Engine;
let company: Company;
let red: number;
let blue: number;

beforeAll(async () => {
  engine = await Engine.open(folder, { workers: 1 });
  company = await engine.company('acme');
  red = (await company.categories.add('red')).id;
  blue = (await company.categories.add('blue')).id;
  await fill(company, files);
  for (let i = 0; i < files.length; i++) await restore(uidOf(i));
});
afterAll(() => engine.close());

/** Gives a file its attributes, its category and its bytes. */
async function restore(uid: string): Promise<void> {
  const [path, bytes] = files[Number.parseInt(uid.slice(0, 8), 16)];
  await company.put(path, bytes, { uid, attributes: ['Color=red', 'Note=round steel'], categoryId: red });
}

/**
 * The changes, and at which of the calls they are made: undoing those that make the file be read again takes longer.
 */
const CHANGES: readonly [name: string, change: () => Promise<unknown>, every: number][] = [
  ['is deleted', () => company.delete(MOVING), 7],
  ['is replaced', () => company.put('3.stl', boxStl(300, 1, 1), { uid: MOVING, attributes: ['Color=blue'] }), 7],
  ['gets other attributes', () => company.setAttributes(MOVING, ['Color=blue', 'Note=square brass']), 3],
  ['gets another category', () => company.categories.assign(MOVING, blue), 3],
];

const queries = (): readonly SearchQuery[] => [
  { like: { uid: uidOf(2) }, limit: 20 },
  { like: { uid: uidOf(2) }, attributes: [{ name: 'Color', equals: 'red' }], facets: true },
  { like: { uid: uidOf(2) }, categories: [red], text: 'steel' },
  { text: 'steel', attributes: [{ name: 'Color', equals: 'red' }], facets: true },
  { text: 'steel', categories: [red] },
  {
    attributes: [{ name: 'Color', equals: 'red' }],
    categories: [red],
    kinds: ['ThreeD'],
    facets: true,
    attributeFacets: true,
  },
  { within: files.map((_, i) => uidOf(i)), limit: 20 },
];

/** Runs a search and makes a change before its door call of this number; returns the hits and whether it was made. */
async function searchWith(
  query: SearchQuery,
  change: () => Promise<unknown>,
  at: number,
): Promise<{ found: SearchResult; made: boolean }> {
  let call = 0;
  state.between = async () => {
    if (call++ !== at) return;
    const own = state.between;
    state.between = async () => undefined;
    await change();
    state.between = own;
  };
  const found = await company.search(query);
  state.between = async () => undefined;
  expect(found.total).toBeGreaterThanOrEqual(found.hits.length);
  return { found, made: call > at };
}

function check(query: SearchQuery, hits: readonly SearchHit[]): void {
  const uids = hits.map(({ uid }) => uid);
  expect(new Set(uids).size).toBe(uids.length);
  expect(uids).toEqual(expect.arrayContaining(files.map((_, i) => uidOf(i)).filter((uid) => uid !== MOVING)));
  for (const hit of hits) {
    if (query.attributes !== undefined) expect(hit.attributes).toContain('Color=red');
    if (query.text !== undefined) expect(hit.attributes).toContain('Note=round steel');
    if (query.categories !== undefined) expect(hit.categoryId).toBe(red);
    expect(hit.volumeMm3).toBeGreaterThan(0);
    // The bytes, the size and the path are of one file.
    const i = Number.parseInt(hit.uid.slice(0, 8), 16);
    const replaced = hit.uid === MOVING && hit.bboxSizeMm?.[0] === 300;
    if (!replaced) expect(hit.bboxSizeMm?.[2]).toBeCloseTo(10 + i);
  }
}

/** Total and facets are of one moment: all that is counted meets the query. */
function checkCounts(query: SearchQuery, { total, facets }: SearchResult, when: string): void {
  if (facets === undefined) return;
  expect(facets.kinds, when).toMatchObject({ ThreeD: total });
  if (query.categories !== undefined) expect(facets.categories, when).toEqual([{ categoryId: red, count: total }]);
  if (query.attributes === undefined || facets.attributes === undefined) return;
  const colors = facets.attributes.filter(({ name }) => name === 'Color');
  expect(colors, when).toMatchObject([{ name: 'Color', values: [{ value: 'red', count: total }] }]);
}

test.each(CHANGES)('a file that %s while a search waits is a whole hit or none', async (_, change, every) => {
  for (const query of queries()) {
    for (let at = 0, made = true; made; at += every) {
      const answer = await searchWith(query, change, at);
      check(query, answer.found.hits);
      checkCounts(query, answer.found, `changed at call ${at}`);
      ({ made } = answer);
      if (!made) continue;
      const now = (await company.search(query)).hits;
      check(query, now);
      await restore(MOVING);
      expect((await company.search(query)).total).toBe(files.length);
    }
  }
});
