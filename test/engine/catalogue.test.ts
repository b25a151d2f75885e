import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Engine, type Company, type CompanyListOptions } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();
let libraries = 0;

async function withCompany(body: (company: Company, engine: Engine) => Promise<void>): Promise<void> {
  const engine = await Engine.open(join(folder, `library-${libraries++}`), { workers: 1 });
  try {
    await body(await engine.company('acme'), engine);
  } finally {
    await engine.close();
  }
}

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const put = (acme: Company, path: string, options: object = {}) =>
  acme.put(path, boxStl(1, 2, 3), { wait: false, ...options });
const paths = async (acme: Company, options?: CompanyListOptions): Promise<string[]> =>
  (await acme.list(options)).map(({ path }) => path);

test('the company says what becomes of a path that is taken, a put can say otherwise', () =>
  withCompany(async (acme, engine) => {
    expect(await acme.settings.get()).toEqual({
      overwriteFiles: true,
      useNumericTextSearch: true,
      usesFileTextForSearch: true,
    });
    await put(acme, 'Gear.jpg');
    await put(acme, 'Gear.jpg');
    expect(await paths(acme)).toEqual(['Gear.jpg']);
    expect(await acme.settings.set({ overwriteFiles: false })).toEqual({
      overwriteFiles: false,
      useNumericTextSearch: true,
      usesFileTextForSearch: true,
    });
    await put(acme, 'Gear.jpg');
    await put(acme, 'Gear.jpg');
    await put(acme, 'Gear.jpg', { overwrite: true });
    expect(await paths(acme)).toEqual(['Gear(2).jpg', 'Gear(3).jpg', 'Gear.jpg']);
    expect(await (await engine.company('other')).settings.get()).toEqual({
      overwriteFiles: true,
      useNumericTextSearch: true,
      usesFileTextForSearch: true,
    });
    await expect(acme.settings.set({ overwriteFiles: 'no' as never })).rejects.toThrow(/settings.overwriteFiles/);
    await expect(acme.settings.set({ color: 1 } as never)).rejects.toThrow(/settings.color/);
  }));

test('without overwriting, a put under its own UID replaces the file where it is', () =>
  withCompany(async (acme) => {
    await acme.settings.set({ overwriteFiles: false });
    const first = await put(acme, 'd/Gear.txt');
    const numbered = await put(acme, 'd/Gear.txt');
    expect([first.path, numbered.path]).toEqual(['d/Gear.txt', 'd/Gear(2).txt']);
    for (const { uid, path } of [first, numbered]) {
      const again = await acme.put('d/Gear.txt', boxStl(4, 5, 6), { wait: false, uid });
      expect(again).toMatchObject({ uid, path });
      expect(await acme.put('d/Gear.txt', boxStl(4, 5, 6), { wait: false, uid, overwrite: false })).toMatchObject({
        uid,
        path,
      });
    }
    expect(await paths(acme)).toEqual(['d/Gear(2).txt', 'd/Gear.txt']);
    // Under another path that is taken it gets a number there; a UID that is new as well.
    await put(acme, 'Other.txt');
    expect(await put(acme, 'Other.txt', { uid: first.uid })).toMatchObject({ uid: first.uid, path: 'Other(2).txt' });
    expect(await put(acme, 'd/Gear.txt', { uid: numbered.uid })).toMatchObject({
      uid: numbered.uid,
      path: 'd/Gear.txt',
    });
    expect(await put(acme, 'd/Gear.txt', { uid: UNKNOWN })).toMatchObject({ uid: UNKNOWN, path: 'd/Gear(2).txt' });
    expect(await paths(acme)).toEqual(['Other(2).txt', 'Other.txt', 'd/Gear(2).txt', 'd/Gear.txt']);
  }));

test('many files of one name get rising numbers; a path that a number makes too long is refused', () =>
  withCompany(async (acme) => {
    const records = [];
    for (let i = 0; i < 40; i++) records.push(await put(acme, 'n/Gear.stl', { overwrite: false }));
    expect(records.map(({ path }) => path)).toEqual([
      'n/Gear.stl',
      ...Array.from({ length: 39 }, (_, i) => `n/Gear(${i + 2}).stl`),
    ]);
    await acme.delete(records[39].uid);
    expect((await put(acme, 'n/Gear.stl', { overwrite: false })).path).toBe('n/Gear(40).stl');
    const long = `${'x'.repeat(1_018)}.stl`;
    await put(acme, long);
    await expect(put(acme, long, { overwrite: false })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { allowed: 1_024, found: 1_025 },
    });
    await expect(put(acme, long)).resolves.toMatchObject({ path: long });
    expect((await acme.list({ limit: 100 })).filter(({ path }) => path.startsWith('x'))).toHaveLength(1);
  }));

test('find answers with the record at a full path', () =>
  withCompany(async (acme) => {
    const { uid } = await put(acme, 'a/é.stl');
    expect((await acme.find('\\a\\e\u0301.stl'))?.uid).toBe(uid);
    expect(await acme.find('a')).toBeUndefined();
    await expect(acme.find('')).rejects.toThrow(RangeError);
  }));

test('a put with a UID replaces the file that has it, path, attributes and category with it', () =>
  withCompany(async (acme) => {
    const { id } = await acme.categories.add('Gears');
    const first = await put(acme, 'a.stl', { attributes: ['x=1'], categoryId: id });
    const second = await acme.put('b.stl', boxStl(2, 2, 2), { uid: first.uid, wait: false });
    expect(second).toMatchObject({ uid: first.uid, path: 'b.stl', attributes: ['x=1'], categoryId: id });
    expect(second.arrival).toBeGreaterThan(first.arrival);
    expect(await paths(acme)).toEqual(['b.stl']);
    expect(await acme.put('b.stl', boxStl(3, 3, 3), { attributes: [], categoryId: -1, wait: false })).toMatchObject({
      uid: first.uid,
      attributes: [],
      categoryId: null,
    });
  }));

test('categories lie in one another and count their files', () =>
  withCompany(async (acme, engine) => {
    const parts = await acme.categories.add(' Parts ', { imageUrl: 'https://example.com/p.png' });
    expect(parts).toEqual({
      id: parts.id,
      name: 'Parts',
      parentId: null,
      imageUrl: 'https://example.com/p.png',
      count: 0,
    });
    const gears = await acme.categories.add('Gears', { parentId: parts.id });
    expect(await acme.categories.add('Gears', { parentId: parts.id })).toEqual(gears);
    expect((await acme.categories.add('Gears')).id).not.toBe(gears.id);
    const { uid } = await put(acme, 'a.stl', { categoryId: gears.id });
    await put(acme, 'b.stl', { categoryId: gears.id });
    await put(acme, 'c.stl', { categoryId: null });
    expect((await acme.categories.list()).map(({ name, count }) => [name, count])).toEqual([
      ['Gears', 2],
      ['Gears', 0],
      ['Parts', 0],
    ]);
    expect(await paths(acme, { category: gears.id })).toEqual(['a.stl', 'b.stl']);
    expect(await paths(acme, { category: null })).toEqual(['c.stl']);
    expect((await acme.categories.assign(uid, -1)).categoryId).toBeNull();
    expect((await acme.categories.assign(uid, null)).categoryId).toBeNull();
    await acme.categories.remove(gears.id);
    expect((await acme.find('b.stl'))?.categoryId).toBe(parts.id);
    expect((await acme.categories.list()).find(({ id }) => id === parts.id)?.count).toBe(1);

    for (const wrong of [
      () => put(acme, 'd.stl', { categoryId: 99 }),
      () => acme.categories.assign(uid, gears.id),
      () => acme.categories.remove(gears.id),
      () => acme.categories.add('x', { parentId: 99 }),
    ]) {
      await expect(wrong()).rejects.toMatchObject({ code: 'CATEGORY_UNKNOWN' });
    }
    const other = await engine.company('other');
    await expect(other.categories.remove(parts.id)).rejects.toMatchObject({ code: 'CATEGORY_UNKNOWN' });
    await expect(acme.categories.assign(UNKNOWN, null)).rejects.toMatchObject({ code: 'FILE_UNKNOWN' });
    await expect(acme.categories.add('\n')).rejects.toThrow(RangeError);
    await expect(put(acme, 'd.stl', { categoryId: 'x' })).rejects.toThrow(TypeError);
    expect(await acme.find('d.stl')).toBeUndefined();
  }));

test('counts files of each kind', () =>
  withCompany(async (acme, engine) => {
    for (const path of ['a.stl', 'b.stl']) await put(acme, path);
    // What cannot be read is of the kind that its name says.
    for (const path of ['c.pdf', 'd.png', 'e.txt']) await acme.put(path, Buffer.from('words'), { wait: false });
    await engine.idle();
    const counts = await acme.counts();
    expect(counts.total).toBe(5);
    const kinds = (await acme.list()).map(({ kind }) => kind);
    for (const kind of ['Text', 'Image', 'TwoD', 'ThreeD'] as const)
      expect(counts[kind]).toBe(kinds.filter((one) => one === kind).length);
    expect(await paths(acme, { kind: 'TwoD' })).toEqual(['c.pdf']);
  }));

test('lists by path or arrival, rising or falling; pages neither skip nor repeat while files come and go', () =>
  withCompany(async (acme) => {
    for (const path of ['c', 'a', 'd', 'b']) await put(acme, path);
    expect(await paths(acme)).toEqual(['a', 'b', 'c', 'd']);
    expect(await paths(acme, { direction: 'falling' })).toEqual(['d', 'c', 'b', 'a']);
    expect(await paths(acme, { order: 'addedAt' })).toEqual(['c', 'a', 'd', 'b']);
    expect(await paths(acme, { order: 'addedAt', direction: 'falling', prefix: 'a' })).toEqual(['a']);
    for (const order of ['path', 'addedAt'] as const) {
      for (const direction of ['rising', 'falling'] as const) {
        const before = await paths(acme, { order, direction });
        const seen: string[] = [];
        for (let page = await acme.list({ order, direction, limit: 1 }); page.length > 0; ) {
          seen.push(page[0].path);
          // The record that the page ended with goes, and others come on both sides of it.
          await acme.delete(page[0].uid);
          await put(acme, `0-${order}-${direction}-${seen.length}`);
          await put(acme, `z-${order}-${direction}-${seen.length}`);
          page = await acme.list({
            order,
            direction,
            limit: 1,
            after: order === 'path' ? page[0].path : page[0].arrival,
          });
          if (seen.length > 40) break;
          if (page.length > 0 && !before.includes(page[0].path)) {
            // New ones may be met once those from before are through.
            if (before.every((path) => seen.includes(path))) break;
          }
        }
        expect(seen.filter((path) => before.includes(path))).toEqual(before);
        expect(new Set(seen).size).toBe(seen.length);
        for (const { uid } of await acme.list()) await acme.delete(uid);
        for (const path of ['c', 'a', 'd', 'b']) await put(acme, path);
      }
    }
    await expect(acme.list({ order: 'addedAt', after: 'a' })).rejects.toThrow(/list options.after/);
    await expect(acme.list({ order: 'name' as never })).rejects.toThrow(/list options.order/);
    await expect(acme.list({ kind: 'Model' as never })).rejects.toThrow(/list options.kind/);
  }));
