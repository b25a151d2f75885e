import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Library, openLibrary } from '../../dist/library.js';
import { TERM_MAKER } from '../../dist/words/file-terms.js';
import { Texts } from '../../dist/words/tables/texts.js';
import { index, query } from './text-library.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'shapedex-kept-words-'));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/** Room for all words that a few of these files have. */
const FREQUENT = { leastFiles: 3, bytes: 1e6, sampled: 8, share: 1 / 8 };

const openStore = (library: string): Promise<Library> =>
  openLibrary(library, { fileBytesLimit: 1e6, crashLimit: 1_000, terms: TERM_MAKER, frequentWords: FREQUENT });

/** A library of 40 files: steel is in all, brass in every second, tin in every tenth. */
async function filled(name: string): Promise<{ library: string; cache: string; ids: number[]; uids: string[] }> {
  const library = join(FOLDER, name);
  const store = await openStore(library);
  const files: { fileId: number; uid: string }[] = [];
  for (let i = 0; i < 40; i++) files.push(await index(store, 'acme', { path: `${i}.txt`, pages: [textOf(i)] }));
  await store.rooms.words.make();
  await listAll(store);
  await store.close();
  return {
    library,
    cache: join(library, 'cache', 'words-1'),
    ids: files.map(({ fileId }) => fileId),
    uids: files.map(({ uid }) => uid),
  };
}

const textOf = (i: number): string => `steel${i % 2 === 0 ? ' brass' : ''}${i % 10 === 0 ? ' tin' : ''}`;

async function listAll(store: Library): Promise<void> {
  while (await store.rooms.words.listFrequent(1_000));
}

/** The files of a word, and whether they were known without asking the index. */
async function asked(store: Library, word: string): Promise<{ isKept: boolean; ids: number[] }> {
  const { door } = store.rooms.words;
  const isKept = await door.isKept(1, query(word));
  return { isKept, ids: [...(await door.matching(1, query(word)))] };
}

/** The body by its name, and when it was written. */
function bodyOf(cache: string): { name: string; at: number } {
  const [name] = readdirSync(cache).filter((one) => one.startsWith('body-'));
  return { name, at: statSync(join(cache, name)).mtimeMs };
}

test('the next process knows the files of frequent words without listing them', async () => {
  const { library, cache, ids } = await filled('known');
  for (let round = 0; round < 2; round++) {
    const body = bodyOf(cache);
    const store = await openStore(library);
    const odd = ids.filter((_, i) => i % 2 === 0);
    expect(await asked(store, 'steel')).toEqual({ isKept: true, ids });
    expect(await asked(store, 'brass')).toEqual({ isKept: true, ids: odd });
    expect(await store.rooms.words.door.isKept(1, query('steel brass'))).toBe(true);
    expect(await store.rooms.words.door.isKept(1, query('steel absent'))).toBe(false);
    await store.close();
    // Nothing changed: only the head says that it is true for the catalogue of now.
    expect(bodyOf(cache)).toEqual(body);
  }
  // Opened and closed without a question, it stays as well.
  await (await openStore(library)).close();
  const store = await openStore(library);
  expect(await asked(store, 'steel')).toEqual({ isKept: true, ids });
  await store.close();
});

test('what changed meanwhile is kept as it is now, whoever asked', async () => {
  const { library, ids, uids } = await filled('changed');
  const store = await openStore(library);
  const added = await index(store, 'acme', { path: 'new.txt', pages: ['brass alone'] });
  await store.rename(1, uids[3], 'brass.txt');
  await store.remove(1, uids[0]);
  await store.close();
  const again = await openStore(library);
  const steel = ids.filter((_, i) => i !== 0);
  const brass = [...ids.filter((_, i) => (i % 2 === 0 && i !== 0) || i === 3), added.fileId];
  expect(await asked(again, 'steel')).toEqual({ isKept: true, ids: steel });
  expect(await asked(again, 'brass')).toEqual({ isKept: true, ids: brass });
  await again.close();
});

test('a process that died with changes leaves nothing that would be believed', async () => {
  const { library, ids } = await filled('died');
  const store = await openStore(library);
  expect((await asked(store, 'steel')).isKept).toBe(true);
  const added = await index(store, 'acme', { path: 'new.txt', pages: ['steel'] });
  const copy = join(FOLDER, 'died-copy');
  cpSync(library, copy, { recursive: true }); // As kill -9 would leave it.
  await store.close();
  expect(existsSync(join(copy, 'cache', 'words-1', 'head'))).toBe(true);
  const after = await openStore(copy);
  expect(await asked(after, 'steel')).toEqual({ isKept: false, ids: [...ids, added.fileId] });
  await after.close();
});

test('damage is seen, and the words are listed again', async () => {
  const { library, cache, ids } = await filled('damaged');
  for (const nameOf of [() => 'head', () => bodyOf(cache).name]) {
    const file = join(cache, nameOf());
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] ^= 4;
    writeFileSync(file, bytes);
    const store = await openStore(library);
    expect(await asked(store, 'steel')).toEqual({ isKept: false, ids });
    await listAll(store);
    expect((await asked(store, 'brass')).isKept).toBe(true);
    await store.close();
  }
  const store = await openStore(library);
  expect(await asked(store, 'steel')).toEqual({ isKept: true, ids });
  await store.close();
});

test('the beginning of a text is read over its pages, and no more of it', async () => {
  const store = await openStore(join(FOLDER, 'beginning'));
  const { fileId } = await index(store, 'acme', { path: 'a.txt', pages: ['steel', 'x'.repeat(100), 'brass'] });
  const { texts } = store.rooms.words;
  expect(texts).toBeInstanceOf(Texts);
  const read = (characters: number) => texts.beginning(fileId, characters).map(({ text }) => text);
  expect(read(0)).toEqual([]);
  expect(read(3)).toEqual(['ste']);
  expect(read(50)).toEqual(['steel', 'x'.repeat(45)]);
  expect(read(1_000)).toEqual(['steel', 'x'.repeat(100), 'brass']);
  expect(texts.beginning(fileId + 1, 10)).toEqual([]);
  await store.close();
});

test('words of another library are not believed', async () => {
  const first = await filled('first');
  const second = await filled('second');
  rmSync(second.cache, { recursive: true });
  cpSync(first.cache, second.cache, { recursive: true });
  const store = await openStore(second.library);
  expect((await asked(store, 'steel')).isKept).toBe(false);
  await store.close();
});

test('words of what came after a backup are not believed once it was put back', async () => {
  const { library } = await filled('restored');
  const backup = join(FOLDER, 'backup');
  cpSync(library, backup, { recursive: true, filter: (from) => !from.endsWith('cache') });
  const later = await openStore(library);
  await asked(later, 'steel');
  await index(later, 'acme', { path: 'new.txt', pages: ['steel'] });
  await later.close();
  // All but the cache is put back, and goes on by as many commits.
  for (const name of readdirSync(library)) if (name !== 'cache') rmSync(join(library, name), { recursive: true });
  cpSync(backup, library, { recursive: true });
  const again = await openStore(library);
  const { fileId } = await index(again, 'acme', { path: 'new.txt', pages: ['brass'] });
  await again.close();
  const last = await openStore(library);
  expect((await asked(last, 'steel')).ids).not.toContain(fileId);
  await last.close();
});

test('only of a company that changed the words are written again', async () => {
  const { library, cache } = await filled('companies');
  const store = await openStore(library);
  for (let i = 0; i < 10; i++) await index(store, 'other', { path: `${i}.txt`, pages: ['steel tin'] });
  await listAll(store);
  await store.close();
  const other = join(library, 'cache', 'words-2');
  const before = [bodyOf(cache), bodyOf(other)];
  const again = await openStore(library);
  // Both are known to the process, and one changes.
  expect((await asked(again, 'steel')).isKept).toBe(true);
  expect(await again.rooms.words.door.isKept(2, query('tin'))).toBe(true);
  await index(again, 'other', { path: 'more.txt', pages: ['tin'] });
  await again.close();
  expect(bodyOf(cache)).toEqual(before[0]);
  expect(bodyOf(other)).not.toEqual(before[1]);
  const last = await openStore(library);
  expect((await asked(last, 'steel')).ids.length).toBe(40);
  expect(await last.rooms.words.door.isKept(2, query('tin'))).toBe(true);
  expect((await last.rooms.words.door.matching(2, query('tin'))).length).toBe(11);
  await last.close();
});
