import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttributeForms } from '../../dist/attributes/attribute-condition.js';
import { parseAttributes } from '../../dist/attributes/attribute.js';
import { openLibrary, type Library } from '../../dist/library.js';
import { ATTRIBUTE_FORMS } from '../../dist/words/attribute-forms.js';
import { OTHER_FORMS } from './other-forms.mjs';

const FILES = 800;
const COLORS = ['red', 'dark-blue', 'green', 'black'];
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'attribute-remake-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(library: string, attributeForms: AttributeForms): Promise<Library> {
  return openLibrary(library, { fileBytesLimit: 1e6, crashLimit: 1_000, attributeForms });
}

function attributesOf(i: number): string[] {
  return [`Color=${COLORS[i % 4]}`, `part-no=AB-${i}`, `Length(mm)=${i / 8}`, `Batch=b${i % 300}|c${i % 7}`];
}

async function put(store: Library, i: number, attributes = attributesOf(i)): Promise<{ uid: string; fileId: number }> {
  const { fileId, uid } = await store.put({
    companyId: await store.company('acme'),
    path: `${i}.txt`,
    textOnly: false,
    kind: 'Text',
    priority: 3,
    source: Uint8Array.of(i % 64),
    attributes: parseAttributes(attributes, ATTRIBUTE_FORMS.key),
  });
  await store.jobs.complete(fileId, {
    kind: 'Text',
    warnings: [],
    contentVersion: 1,
    faceCount: null,
    pageCount: 1,
    pages: [],
    extracted: [{ name: 'Author', unit: '', value: `author ${i % 90}` }],
  });
  return { uid, fileId };
}

/** A library of the forms of before. */
async function filled(name: string): Promise<{ library: string; files: { uid: string; fileId: number }[] }> {
  const library = join(folder, name);
  const store = await open(library, ATTRIBUTE_FORMS);
  const files: { uid: string; fileId: number }[] = [];
  for (let i = 0; i < FILES; i += 50)
    files.push(...(await Promise.all(Array.from({ length: 50 }, (_, k) => put(store, i + k)))));
  await store.close();
  return { library, files };
}

async function withTerm(store: Library, nameKey: string, term: string): Promise<number[]> {
  const match = { kind: 'terms' as const, terms: [term] };
  return [...(await store.rooms.attributes.door.filesWith(await store.company('acme'), { nameKey, match }))];
}

/** Rising. */
function redOf(files: readonly { readonly fileId: number }[]): number[] {
  return files
    .filter((_, i) => i % 4 === 0)
    .map(({ fileId }) => fileId)
    .sort((a, b) => a - b);
}

function share(store: Library): number {
  return Number(/\((\d+) %\)/.exec(store.rooms.attributes.warning ?? '(100 %)')![1]);
}

/** Names that are not asked, and rows of no name. */
function leftOver(library: string): unknown {
  const database = new Database(join(library, 'catalog.sqlite'), { readonly: true });
  try {
    return database
      .prepare(
        `SELECT (SELECT count(*) FROM attribute_name WHERE extracted > 1)
          + (SELECT count(*) FROM attribute_term WHERE value_id NOT IN (SELECT id FROM attribute_value))
          + (SELECT count(*) FROM attribute_use WHERE value_id NOT IN (SELECT id FROM attribute_value))
          + (SELECT count(*) FROM setting WHERE name = 'attribute sources')`,
      )
      .pluck()
      .get();
  } finally {
    database.close();
  }
}

test('other forms: the library opens as it was, goes on after each end, and is whole in the end', async () => {
  const { library, files } = await filled('ends');
  const red = redOf(files);
  const shares: number[] = [];
  for (;;) {
    const store = await open(library, OTHER_FORMS);
    shares.push(share(store));
    if (share(store) === 100) {
      await store.close();
      break;
    }
    // Nothing was made at opening: it is found by the old forms, and not by the new ones.
    expect(await withTerm(store, 'color', 'red')).toEqual(red);
    expect(await withTerm(store, 'color', 'der')).toEqual([]);
    const companyId = await store.company('acme');
    expect((await store.rooms.attributes.door.names(companyId, { extracted: false })).length).toBe(4);
    await store.rooms.attributes.make(AbortSignal.timeout(60));
    await store.close();
  }
  expect(shares.length).toBeGreaterThan(3);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(shares[0]).toBe(0);
  const store = await open(library, OTHER_FORMS);
  await store.rooms.attributes.make();
  expect(await withTerm(store, 'color', 'der')).toEqual(red);
  expect(await withTerm(store, 'partno', '7')).toEqual([files[7].fileId]);
  expect(await store.rooms.attributes.damaged()).toEqual([]);
  await store.close();
  expect(leftOver(library)).toBe(0);
});

test('other forms: what changes meanwhile is found before and after', async () => {
  const { library, files } = await filled('changes');
  const store = await open(library, OTHER_FORMS);
  const companyId = await store.company('acme');
  const before = await store.changes.since();
  const pink = new Set<number>();
  const gone = new Set<number>();
  const made = store.rooms.attributes.make();
  for (let i = 0; store.rooms.attributes.warning !== undefined; i++) {
    // Spread over all, so that some are entered already and others are not.
    const at = (i * 61) % FILES;
    if (gone.has(files[at].fileId)) continue;
    if (i % 5 === 4) {
      await store.remove(companyId, files[at].uid);
      gone.add(files[at].fileId);
      pink.delete(files[at].fileId);
    } else if (i % 5 === 3) pink.add((await put(store, FILES + i, ['Color=pink', 'COLOR=rose'])).fileId);
    else {
      const attributes = parseAttributes(['Color=pink', 'part-no=P-1'], OTHER_FORMS.key);
      await store.setAttributes(companyId, files[at].uid, attributes, { replace: true });
      pink.add(files[at].fileId);
    }
    if (i % 20 === 0) expect(await withTerm(store, 'color', 'pink')).toEqual([...pink].sort((a, b) => a - b));
  }
  expect(pink.size).toBeGreaterThan(5);
  expect(gone.size).toBeGreaterThan(1);
  await made;
  const wanted = [...pink].sort((a, b) => a - b);
  expect(await withTerm(store, 'color', 'pink')).toEqual(wanted);
  expect(await withTerm(store, 'color', 'knip')).toEqual(wanted);
  // Who kept answers of before is told.
  expect((await store.changes.since(before.mark)).fileIds).toBe(undefined);
  expect(await store.rooms.attributes.damaged()).toEqual([]);
  await store.close();
  expect(leftOver(library)).toBe(0);
});

test('other forms: names that are one by them become one', async () => {
  const library = join(folder, 'names');
  const old = await open(library, ATTRIBUTE_FORMS);
  const { fileId } = await put(old, 1, ['Part-No=A-1', 'PartNo=A2', 'Color=red']);
  await old.close();
  const store = await open(library, OTHER_FORMS);
  await store.rooms.attributes.make();
  expect(store.rooms.attributes.texts(fileId)).toEqual(['Part-No=A-1|A2', 'Color=red']);
  expect(await withTerm(store, 'partno', '2')).toEqual([fileId]);
  await store.close();
});

test('other forms: verify finishes first, and finds nothing wrong', async () => {
  const { library } = await filled('verify');
  const store = await open(library, OTHER_FORMS);
  const rules = { versions: {}, contentVersion: 1 } as never;
  expect(store.rooms.attributes.warning).toContain('0 %');
  const { problems } = await store.verify(rules, { repair: false, purge: false } as never);
  expect(problems.filter(({ code }) => code === 'ATTRIBUTES_DAMAGED')).toEqual([]);
  expect(store.rooms.attributes.warning).toBe(undefined);
  await store.close();
});

test('other forms: killed at any moment, nothing is lost and nothing is done twice', async () => {
  const { library, files } = await filled('killed');
  const program = fileURLToPath(new URL('other-forms.mjs', import.meta.url));
  let kills = 0;
  for (let isDone = false; !isDone; ) {
    const child = spawn(process.execPath, [program, library, 'make'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const timer = setTimeout(() => child.kill('SIGKILL'), 60 + 90 * kills);
    isDone = (await ended) === 0;
    clearTimeout(timer);
    if (!isDone) kills++;
  }
  expect(kills).toBeGreaterThan(1);
  const store = await open(library, OTHER_FORMS);
  expect(store.rooms.attributes.warning).toBe(undefined);
  expect(await withTerm(store, 'color', 'der')).toEqual(redOf(files));
  expect(await store.rooms.attributes.damaged()).toEqual([]);
  await store.close();
  expect(leftOver(library)).toBe(0);
});
