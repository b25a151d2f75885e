import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { DESCRIPTORS } from '../../dist/descriptors/description.js';
import { openLibrary } from '../../dist/library.js';
import { packViews, unpackViews } from '../../dist/store/catalog/packed-views.js';
import { TERM_MAKER } from '../../dist/words/file-terms.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { seeded } from '../fixtures/random.js';

const STRIDE = 656;
const OPTIONS = { fileBytesLimit: 1e6, crashLimit: 3, terms: TERM_MAKER };

const PLACE = {
  place: { kind: 'camera', direction: [0, 0, 1], up: [0, 1, 0], scaleMmPerPixel: 0.5025696754455566 },
  size: [30.1541805267334, 21.811792373657227],
  isToScale: true,
} as const;

function viewsOf(count: number, seed: number): Uint8Array {
  const random = seeded(seed);
  return Uint8Array.from({ length: count * STRIDE }, () => (random() < 0.6 ? 0 : Math.floor(20 * random())));
}

/** Two of the first views are equal. */
function doubledOf(count: number, seed: number): Uint8Array {
  const views = viewsOf(count, seed);
  return count > 8 ? views.copyWithin(STRIDE, 0, STRIDE) : views;
}

/** As packed by engines of version 21 and 22. */
function packedBefore(views: Uint8Array, first: number): Uint8Array {
  const [end, others] = [first * STRIDE, deflateRawSync(views.subarray(first * STRIDE))];
  const sizes = [views.length, 28 + end + others.length, end].map((value) => `${value}`.padStart(8, '0'));
  return Buffer.concat([Buffer.from(`SXVP${sizes.join('')}`), views.subarray(0, end), others]);
}

test('views are unpacked as they were, their first part alone too, and damaged ones are empty', () => {
  for (const [count, first] of [
    [80, 30],
    [12, 0],
    [3, 3],
  ]) {
    const views = viewsOf(count, count);
    const stored = packViews(views, count, first);
    expect(Buffer.from(unpackViews(stored)).equals(views)).toBe(true);
    if (count < 8) expect(stored).toBe(views);
    else expect(stored.length).toBeLessThan((first + 0.7 * (count - first) + 1) * STRIDE);
    const part = unpackViews(stored, 'first');
    const length = count < 8 || first === 0 ? count : first;
    expect(Buffer.from(part).equals(views.subarray(0, length * STRIDE))).toBe(true);
  }
  const packed = packViews(viewsOf(40, 1), 40, 30);
  const damaged = packed.slice();
  damaged.fill(255, packed.length - 90, packed.length - 40);
  expect(unpackViews(damaged)).toHaveLength(0);
  expect(unpackViews(damaged, 'first')).toHaveLength(30 * STRIDE);
  // Equal ones of the first part are stored once.
  const some = viewsOf(40, 2);
  const doubled = some.slice();
  for (const [view, as] of [
    [3, 0],
    [7, 3],
    [29, 12],
  ])
    doubled.copyWithin(view * STRIDE, as * STRIDE, (as + 1) * STRIDE);
  const once = packViews(doubled, 40, 30);
  // Three views less, and a head with two numbers more and one of 2 bytes for each view.
  expect(packViews(some, 40, 30).length - once.length).toBe(3 * STRIDE - 16 - 60);
  expect(Buffer.from(unpackViews(once)).equals(doubled)).toBe(true);
  expect(Buffer.from(unpackViews(once, 'first')).equals(doubled.subarray(0, 30 * STRIDE))).toBe(true);
  const torn = once.slice();
  torn[28 + 16 + 4] = 200;
  expect(unpackViews(torn)).toHaveLength(0);
  expect(unpackViews(torn, 'first')).toHaveLength(0);
  expect(unpackViews(once.subarray(0, 200))).toHaveLength(200);
  // What cannot be packed smaller is stored as it is.
  const random = seeded(5);
  const noise = Uint8Array.from({ length: 20 * STRIDE }, () => Math.floor(256 * random()));
  expect(packViews(noise, 20, 10)).toBe(noise);
});

/** What is read of a drawing without anything but views. */
const READ = {
  kind: 'TwoD',
  warnings: [],
  contentVersion: 1,
  faceCount: null,
  pageCount: null,
  pages: [],
  extracted: [],
} as const;

test('views of a library of before are packed step by step, stay what they were, and are done once', async () => {
  const folder = join(temporaryFolder(), 'library');
  let store = await openLibrary(folder, OPTIONS);
  const companyId = await store.company('acme');
  const fileIds: number[] = [];
  for (let i = 0; i < 20; i++) {
    const { fileId } = await store.put({
      companyId,
      path: `${i}.stl`,
      kind: 'TwoD',
      overwrite: true,
      textOnly: false,
      priority: 3,
      source: Buffer.from(`bytes ${i}`),
    });
    const count = i % 4 === 3 ? 2 : 40;
    await store.jobs.complete(fileId, {
      ...READ,
      views: {
        version: 8,
        bytes: doubledOf(count, i),
        first: 30,
        shapelets: Array(count).fill(PLACE),
        numbersMm: [],
        extentsMm: [],
        pictures: null,
      },
    });
    fileIds.push(fileId);
  }
  await store.close();
  const catalogue = new Database(join(folder, 'catalog.sqlite'));
  const lengths = (): number[] =>
    catalogue.prepare<[], number>('SELECT length(bytes) FROM views ORDER BY file_id').pluck().all();
  const packed = lengths();
  // As an engine of before stored them.
  const placesOf = (): string[] =>
    catalogue.prepare<[], string>('SELECT places FROM views ORDER BY file_id').pluck().all();
  const packedPlaces = placesOf();
  const unpack = catalogue.prepare('UPDATE views SET bytes = ?, places = ? WHERE file_id = ?');
  for (const [i, fileId] of fileIds.entries()) {
    const count = i % 4 === 3 ? 2 : 40;
    const bytes = i % 4 === 1 ? packedBefore(doubledOf(count, i), 30) : doubledOf(count, i);
    unpack.run(bytes, JSON.stringify(Array(count).fill(PLACE)), fileId);
  }
  catalogue.exec(`DELETE FROM setting WHERE name = 'views packed once';
    ALTER TABLE search_input DROP COLUMN kept_by; ALTER TABLE category DROP COLUMN made_by;
    PRAGMA user_version = 20`);

  store = await openLibrary(folder, OPTIONS);
  const rules = { versions: DESCRIPTORS, lengths: {}, contentVersion: 1, views: { version: 8, byteLength: STRIDE } };
  const before = await store.views.some(companyId, fileIds);
  const steps: (number | undefined)[] = [];
  for (let last: number | undefined = 0; last !== undefined; steps.push(last))
    last = await store.packViews(last, (_, count) => Math.min(count, 30));
  expect(steps.length).toBeGreaterThan(2);
  expect(lengths()).toEqual(packed);
  expect(placesOf()).toEqual(packedPlaces);
  expect(packedPlaces[0].length).toBeLessThan(500);
  expect(await store.views.shapelets(fileIds[0])).toEqual(Array(40).fill(PLACE));
  expect(await store.views.shapelets(fileIds[3])).toEqual([PLACE, PLACE]);
  expect(packed.every((length, i) => (i % 4 === 3 ? length === 2 * STRIDE : length < 38 * STRIDE))).toBe(true);
  const after = await store.views.some(companyId, fileIds);
  expect(after.map(({ bytes }) => [...bytes])).toEqual(before.map(({ bytes }) => [...bytes]));
  const [first] = await store.views.some(companyId, [fileIds[0]], { part: 'first' });
  expect([...first.bytes]).toEqual([...doubledOf(40, 0).subarray(0, 30 * STRIDE)]);
  expect(await store.jobs.outdated(rules)).toEqual([]);
  // A row that is cut is told, packed or not.
  catalogue
    .prepare('UPDATE views SET bytes = substr(bytes, 1, length(bytes) - 1) WHERE file_id IN (?, ?)')
    .run(fileIds[0], fileIds[3]);
  expect((await store.jobs.outdated(rules)).map(({ fileId }) => fileId)).toEqual([fileIds[0], fileIds[3]]);
  expect(await store.packViews(0, () => 0)).toBeUndefined();
  catalogue.close();
  await store.close();
});

test('a check tells views that cannot be unpacked, and has them made again', async () => {
  const folder = join(temporaryFolder(), 'library');
  const store = await openLibrary(folder, OPTIONS);
  const companyId = await store.company('acme');
  for (let i = 0; i < 9; i++) {
    const source = Buffer.from(`bytes ${i}`);
    const file = { companyId, path: `${i}.pdf`, kind: 'TwoD', overwrite: true, textOnly: false, priority: 3 } as const;
    const { fileId } = await store.put({ ...file, source });
    const views = { version: 8, bytes: doubledOf(40, i), first: 30, shapelets: Array(40).fill(PLACE) };
    await store.jobs.complete(fileId, {
      ...READ,
      views: { ...views, numbersMm: [], extentsMm: [], pictures: null },
    });
  }
  const rules = { versions: DESCRIPTORS, lengths: {}, contentVersion: 1, views: { version: 8, byteLength: STRIDE } };
  const verified = (repair: boolean) => store.verify(rules, { repair });
  const checked = async (repair: boolean) => (await verified(repair)).problems;
  expect(await checked(false)).toEqual([]);
  const catalogue = new Database(join(folder, 'catalog.sqlite'));
  const stored = catalogue.prepare<[], Buffer>('SELECT bytes FROM views ORDER BY file_id').pluck().all();
  // A number of a stored view that there is none of; compressed views.
  stored[1].writeUInt16LE(0xffff, 28 + 16 + 4);
  stored[2].fill(255, stored[2].length - 90, stored[2].length - 40);
  for (const i of [1, 2]) catalogue.prepare('UPDATE views SET bytes = ? WHERE file_id = ?').run(stored[i], i + 1);
  // What is compressed and no JSON, a list that lacks places, numbers cut off, pictures and inks that are none.
  const zipped = `z${deflateRawSync('[{').toString('base64')}`;
  const others = [`places = '${zipped}'`, `places = '[1]'`, `numbers = '[1,'`, `pictures = x'00ff'`, `inks = x'00ff'`];
  for (const [i, change] of others.entries()) catalogue.exec(`UPDATE views SET ${change} WHERE file_id = ${i + 5}`);
  catalogue.close();
  const told = [1, 2, 4, 5, 6, 7, 8]
    .map((i) => `${i}.pdf`)
    .map((path) => ({ code: 'CONTENT_STALE', company: 'acme', path }));
  expect(await checked(false)).toMatchObject(told.map((problem) => ({ ...problem, repaired: false })));
  expect(await store.jobs.length()).toBe(0);
  const { problems, requeued } = await verified(true);
  expect(problems).toMatchObject(told.map((problem) => ({ ...problem, repaired: true })));
  expect(requeued.map(({ path }) => path)).toEqual(told.map(({ path }) => path));
  expect(await store.jobs.length()).toBe(7);
  await store.close();
});
