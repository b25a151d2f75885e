import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EngineError } from '../../dist/index.js';
import { TERM_MAKER } from '../../dist/words/file-terms.js';
import { encodePlaces } from '../../dist/words/text-places.js';
import { placesOnPage } from '../../dist/words/text-highlights.js';
import { TextIndex } from '../../dist/words/tables/text-index.js';
import { keyOf } from '../../dist/words/terms.js';
import { QUERY_TERMS_LIMIT, QUERY_TEXT_LIMIT, readTextClause } from '../../dist/words/text-query.js';
import { parseAttributes } from '../../dist/attributes/attribute.js';
import type { Library } from '../../dist/library.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { NaiveTexts } from './naive-texts.ts';
import { complete, index, openStore, put, query, type TextFile } from './text-library.ts';
import { runs } from '../fixtures/runs.js';

const folder = temporaryFolder();
let libraries = 0;
const newLibrary = (): string => join(folder, `library-${libraries++}`);
const RULES = { versions: { compact: 1, fine: 1, surface: 1, faces: 1, faceWords: 1 }, lengths: {}, contentVersion: 1 };
const codeOf = (run: () => unknown): string => {
  try {
    run();
    return 'no error';
  } catch (error) {
    return error instanceof EngineError ? error.code : `${String(error)}`;
  }
};

describe('what is found', () => {
  const files: Record<string, TextFile> = {
    bracket: {
      path: 'Baugruppe 7/Bügel Müller.pdf',
      pages: ['Bracket AB-123/4 made of stainless steel plate, 12.0 mm', 'Second page: Ø 8,5 tapped M8x1.25'],
    },
    shaft: {
      path: 'parts/KX-900.step',
      attributes: ['Material=Steel 42CrMo4', 'Note=quoted "text", a=b|c'],
      extracted: [{ name: 'Title', unit: '', value: 'Drive shaft' }],
    },
    chinese: { path: '图纸/鋼板.txt', pages: ['不锈鋼板材料 SUS304鋼 カメラ ｽﾃﾝﾚｽ', '한국어 도면 ภาษาไทย'] },
    written: { path: 'x1.txt', pages: ['AB1234 and 0.5 and .5 and 12.05.2024', 'steel the plate'] },
    bidi: { path: 'עברית.txt', pages: ['שלום עולם part 12', 'السلام عليكم 👩‍🔧🙂'] },
    number: { path: 'n.txt', pages: ['width 12,00 thickness 12.5'] },
  };
  let store: Library;
  let texts: TextIndex;
  const names = new Map<number, string>();
  beforeAll(async () => {
    store = await openStore(newLibrary());
    for (const [name, file] of Object.entries(files)) {
      const { fileId, companyId } = await index(store, 'acme', file);
      names.set(fileId, name);
      texts ??= new TextIndex(store.rooms.words, companyId);
    }
  });
  afterAll(() => store.close());
  const found = (text: string | readonly string[], numeric = false): string[] =>
    Array.from(texts.matching(query(text, numeric)), (id) => names.get(id)!);

  test.each([
    // Part numbers as people write them.
    ['ab123', ['bracket']],
    ['AB 123', ['bracket']],
    ['ab-123/4', ['bracket', 'written']],
    ['AB1234', ['bracket', 'written']],
    ['ab-1234', ['bracket', 'written']],
    ['AB12*', ['bracket', 'written']],
    ['kx900', ['shaft']],
    ['KX-900.step', ['shaft']],
    ['m8', ['bracket']],
    ['M8x1,25', ['bracket']],
    ['"ab 4"', []],
    // Words in any order and any field; phrases; prefixes; case and diacritics.
    ['steel plate', ['bracket', 'written']],
    ['plate steel', ['bracket', 'written']],
    ['"steel plate"', ['bracket']],
    ['“steel plate”', ['bracket']],
    ['"plate steel"', []],
    ['kx steel shaft', ['shaft']],
    ['muller', ['bracket']],
    ['MÜLLER buegel', []],
    ['bugel', ['bracket']],
    ['stain*', ['bracket']],
    ['"stain"', []],
    ['s*', ['bracket', 'shaft', 'chinese', 'written']],
    ['dri* sha*', ['shaft']],
    ['42crmo4', ['shaft']],
    ['parts', ['shaft']],
    ['baugruppe 7', ['bracket']],
    ['"page mm"', []],
    ['"mm second"', []],
    // Scripts without spaces: any part of a run, from one character on.
    ['鋼', ['chinese']],
    ['板材', ['chinese']],
    ['不锈鋼板材料', ['chinese']],
    ['鋼材', []],
    ['sus304', ['chinese']],
    ['SUS304鋼', ['chinese']],
    ['ステンレス', ['chinese']],
    ['ﾒﾗ', ['chinese']],
    ['한국', ['chinese']],
    ['국어', ['chinese']],
    ['ไทย', ['chinese']],
    ['图纸', ['chinese']],
    ['שלום', ['bidi']],
    ['עברית', ['bidi']],
    ['السَّلام', ['bidi']],
    ['part 🙂', ['bidi']],
    // What other languages would take for syntax is text.
    ['quoted "text"', ['shaft']],
    ['NOT steel', []],
    ['steel OR nothing', []],
    ['NEAR(steel plate)', []],
    ['name:steel', []],
    ['text : bracket', []],
    ['a=b', ['shaft']],
    ['^bracket', ['bracket']],
    ['steel* plate*', ['bracket', 'written']],
    ['{steel}', ['bracket', 'shaft', 'written']],
    ['st*el', []],
    ['"steel', ['bracket', 'shaft', 'written']],
    ["o'; DROP TABLE file; --", []],
  ] as const)('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
    expect(texts.estimate(query(text))).toBe(expected.length);
    expect(Array.from(texts.those(Uint32Array.from(names.keys()), query(text)), (id) => names.get(id)!)).toEqual(
      expected,
    );
    expect(texts.ranked(query(text), { limit: 10, offset: 0 })).toMatchObject({ total: expected.length });
  });

  test.each([['12'], ['12.0'], ['12,0'], ['+12'], ['012'], ['12.000']])('%s by its value', (text) => {
    expect(found(text, true)).toEqual(['bracket', 'written', 'bidi', 'number']);
  });

  test('numbers by their digits, as long as they are not searched by value', () => {
    expect(found('12.0')).toEqual(['bracket']);
    expect(found('12,00')).toEqual(['number']);
    expect(found('12')).toEqual(['bracket', 'written', 'bidi', 'number']);
    expect(found('12.5', true)).toEqual(['number']);
    expect(found('0,50', true)).toEqual(['written']);
    expect(found('8.5 tapped', true)).toEqual(['bracket']);
    expect(found('M8', true)).toEqual(['bracket']);
  });

  test('all clauses must hold', () => {
    expect(found(['steel', 'plate'])).toEqual(['bracket', 'written']);
    expect(found(['steel', '"steel plate"', 'ab1234'])).toEqual(['bracket']);
    expect(found(['steel', 'עברית'])).toEqual([]);
  });

  test('what nobody can find is said so', () => {
    for (const text of ['', ' ', '*', '"', '""', '-', '"*()^:', '🙂', '\u0301'])
      expect(
        codeOf(() => readTextClause(text)),
        text,
      ).toBe('QUERY_INVALID');
    expect(codeOf(() => readTextClause('x'.repeat(QUERY_TEXT_LIMIT + 1)))).toBe('QUERY_INVALID');
    expect(codeOf(() => readTextClause('a '.repeat(QUERY_TERMS_LIMIT + 1)))).toBe('QUERY_INVALID');
    expect(codeOf(() => texts.matching(query(Array.from({ length: 40 }, (_, i) => `a${i}`))))).toBe('QUERY_INVALID');
    const longest = query(Array.from({ length: QUERY_TERMS_LIMIT }, (_, i) => `w${'x'.repeat(i)}`).join(' '));
    expect(texts.ranked(longest, { limit: 5, offset: 0 }).total).toBe(0);
  });

  test('property: no text makes the database complain', () => {
    const piece = fc.constantFrom(
      '"',
      '*',
      'steel',
      'AND',
      'OR',
      'NOT',
      'NEAR(',
      ')',
      '{name}:',
      'text:',
      '^',
      '+',
      '-',
      "'",
      '\\',
      '\0',
      '鋼',
      '12,0',
      '@3steel',
      '~ab1234',
      '=12',
      '|',
      ';',
      ' ',
      '\n',
      '\ud800',
      '🙂',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        fc.boolean(),
        (text, numeric) => {
          const code = codeOf(() => {
            const asked = query(text, numeric);
            const ids = texts.matching(asked);
            const { fileIds, total } = texts.ranked(asked, { limit: 100, offset: 0 });
            expect([...fileIds].sort((a, b) => a - b)).toEqual([...ids]);
            expect(total).toBe(ids.length);
            for (const id of ids) expect(texts.highlights(id, asked).highlights.length).toBeGreaterThan(0);
          });
          expect(code).toMatch(/^(no error|QUERY_INVALID)$/);
        },
      ),
      { numRuns: runs(1_000) },
    );
  });
});

test('property: files that match and their ranking are those of a loop over all files', {
  timeout: 600_000,
}, async () => {
  const word = fc.constantFrom(
    'steel',
    'plate',
    'the',
    'AB-12/3',
    'AB123',
    'ab 12',
    'M8x1.25',
    '12.0',
    '12,0',
    '12',
    '鋼板材',
    '鋼',
    'Müller',
    'mull',
    'Straße',
    'x',
    'stainless',
  );
  const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
  const file = fc.record({
    path: fc
      .tuple(fc.constantFrom('a', 'b', 'steel'), fc.nat(5), fc.constantFrom('.txt', '.pdf', ''))
      .map(([folderName, n, extension]) => `${folderName}/AB-${n}${extension}`),
    pages: fc.array(text, { maxLength: 3 }),
    attributes: fc.array(text, { maxLength: 2 }).map((values) => values.map((value, i) => `n${i}=${value}`)),
    extracted: fc
      .array(text, { maxLength: 1 })
      .map((values) => values.map((value) => ({ name: 'e', unit: '', value }))),
  });
  const asked = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: word },
      word.map((w) => `"${w} the"`),
      word.map((w) => `${w}*`),
      fc.constantFrom('s*', 'AB*', '"12 12"', '"the steel"'),
    ),
    { minLength: 1, maxLength: 3 },
  );
  const step = fc.oneof(
    { weight: 5, arbitrary: file.map((given) => ({ kind: 'index' as const, given })) },
    file.map((given) => ({ kind: 'put' as const, given })),
    fc.nat().map((which) => ({ kind: 'remove' as const, which })),
    fc.nat().map((which) => ({ kind: 'fail' as const, which })),
    fc.record({ kind: fc.constant('attributes' as const), which: fc.nat(), values: fc.array(text, { maxLength: 2 }) }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 25 }),
      fc.array(fc.tuple(asked, fc.boolean()), { minLength: 8, maxLength: 8 }),
      async (steps, queries) => {
        const store = await openStore(newLibrary());
        try {
          const companyId = await store.company('acme'),
            other = await store.company('other');
          const texts = new TextIndex(store.rooms.words, companyId);
          const naive = new NaiveTexts();
          for (const action of steps) {
            const known = naive.known();
            if (action.kind === 'index') {
              const { fileId } = await index(store, 'acme', action.given);
              naive.put(fileId, action.given, { indexed: true });
            } else if (action.kind === 'put') {
              const { fileId } = await put(store, 'acme', action.given);
              naive.put(fileId, action.given, { indexed: false });
            } else if (known.length > 0) {
              const fileId = known[action.which! % known.length];
              const { uid, path } = (await store.files.recordById(fileId))!;
              if (action.kind === 'remove') {
                await store.remove(companyId, uid);
                naive.remove(fileId);
              } else if (action.kind === 'fail') {
                await store.jobs.reindexAll(companyId);
                await store.jobs.fail(fileId, { code: 'FILE_MALFORMED', message: 'no more' });
                naive.fail(fileId);
              } else {
                // The same bytes with other attributes.
                const attributes = action.values.map((value, i) => `n${i}=${value}`);
                await store.put({
                  companyId,
                  path,
                  overwrite: true,
                  textOnly: true,
                  kind: 'Text',
                  priority: 3,
                  attributes: parseAttributes(attributes, keyOf),
                  source: await store.bytes(await store.files.row(companyId, uid)),
                });
                naive.setAttributes(fileId, attributes);
              }
            }
          }
          for (const [words, numeric] of queries) {
            const uids = new Map<number, string>();
            for (const fileId of naive.known()) uids.set(fileId, (await store.files.recordById(fileId))!.uid);
            const uidOf = ({ fileId }: { fileId: number }): string => uids.get(fileId)!;
            const expected = naive
              .ranked(words, numeric)
              .sort((a, b) => a.score - b.score || (uidOf(a) < uidOf(b) ? -1 : 1));
            const given = query(words, numeric);
            expect([...texts.matching(given)]).toEqual(expected.map(({ fileId }) => fileId).sort((a, b) => a - b));
            expect([...new TextIndex(store.rooms.words, other).matching(given)]).toEqual([]);
            const { fileIds, scores, total } = texts.ranked(given, { limit: 100, offset: 0 });
            expect(total).toBe(expected.length);
            expect(fileIds).toEqual(expected.map(({ fileId }) => fileId));
            scores.forEach((score, i) => expect(score).toBeCloseTo(expected[i].score, 10));
            expect(texts.ranked(given, { limit: 2, offset: 1 }).fileIds).toEqual(fileIds.slice(1, 3));
            const allow = Uint32Array.from(naive.known().filter((id) => id % 2 === 0)).sort();
            const allowed = texts.ranked(given, { limit: 100, offset: 0, allow });
            expect(allowed.fileIds).toEqual(fileIds.filter((id) => id % 2 === 0));
            expect(allowed.total).toBe(allowed.fileIds.length);
          }
          expect((await store.verify(RULES, { repair: false })).problems).toEqual([]);
        } finally {
          await store.close();
        }
      },
    ),
    { numRuns: runs(25) },
  );
});

test('many files of one score are paged in the order of their UIDs, each once', async () => {
  const store = await openStore(newLibrary());
  const files = Array.from({ length: 1_500 }, (_, i) => ({
    path: `${String.fromCharCode(97 + (i % 26))}.txt/${i}`,
    pages: ['steel plate'],
  }));
  const entered = await Promise.all(files.map((file) => put(store, 'acme', file)));
  await Promise.all(entered.map(({ fileId }, i) => complete(store, fileId, files[i])));
  const texts = new TextIndex(store.rooms.words, entered[0].companyId);
  for (const allow of [
    entered.map(({ fileId }) => fileId).sort((a, b) => a - b),
    entered
      .slice(0, 700)
      .map(({ fileId }) => fileId)
      .sort((a, b) => a - b),
  ]) {
    const allowed = new Set(allow);
    const wanted = entered
      .filter(({ fileId }) => allowed.has(fileId))
      .sort((a, b) => (a.uid < b.uid ? -1 : 1))
      .map(({ fileId }) => fileId);
    const pages = Array.from({ length: 12 }, (_, page) =>
      texts.ranked(query('steel'), { limit: 20, offset: 20 * page, allow: Uint32Array.from(allow) }),
    );
    expect(new Set(pages.flatMap(({ scores }) => scores)).size).toBe(1);
    expect(pages.flatMap(({ fileIds }) => fileIds)).toEqual(wanted.slice(0, 240));
    expect(
      texts.ranked(query('steel'), { limit: 20, offset: allow.length - 5, allow: Uint32Array.from(allow) }).fileIds,
    ).toEqual(wanted.slice(-5));
  }
  await store.close();
});

test('the best of many are found although not all are weighed', async () => {
  const store = await openStore(newLibrary());
  const naive = new NaiveTexts();
  let seed = 1;
  const random = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const files = Array.from({ length: 2_500 }, (_, i) => ({
    path: `${i}.txt`,
    pages: [
      Array.from({ length: 5 + Math.floor(60 * random()) }, () =>
        random() < 0.05 ? 'steel' : random() < 0.05 ? 'plate' : `w${'abcdefgh'[Math.floor(8 * random())]}`,
      ).join(' '),
    ],
  }));
  let companyId = 0;
  for (let first = 0; first < files.length; first += 250) {
    const entered = await Promise.all(files.slice(first, first + 250).map((file) => put(store, 'acme', file)));
    await Promise.all(entered.map(({ fileId }, i) => complete(store, fileId, files[first + i])));
    entered.forEach(({ fileId }, i) => naive.put(fileId, files[first + i], { indexed: true }));
    companyId = entered[0].companyId;
  }
  const texts = new TextIndex(store.rooms.words, companyId);
  for (const words of [
    ['steel'],
    ['plate', 'steel'],
    ['wa', 'steel'],
    ['w*'],
    ['"steel plate"'],
    ['wa', 'wb', 'plate'],
    ['wa', 'wb'],
    ['wc', 'wd', 'we'],
    ['wa'],
    ['2499'],
    ['plate', '"steel wa"'],
    ['wa', '"plate steel plate"'],
    ['steel', 'pl*'],
  ]) {
    const expected = naive.ranked(words, false);
    const { scores, total, fileIds } = texts.ranked(query(words), { limit: 50, offset: 0 });
    expect(total).toBe(expected.length);
    expect(new Set(fileIds).size).toBe(Math.min(50, total));
    // Each place holds a file as good as the one that belongs there; about as good where many files hold several words.
    const isExact = words.length === 1 || total <= 600;
    scores.forEach((score, i) => expect(score / expected[i].score).toBeLessThan(isExact ? 1 + 1e-9 : 1.01));
    const pages = [0, 10, 20, 30, 40].flatMap((offset) => texts.ranked(query(words), { limit: 10, offset }).fileIds);
    expect(pages).toEqual(fileIds);
    // Of all that are allowed, too, which are gone through.
    const allowed = texts.ranked(query(words), { limit: 50, offset: 0, allow: Uint32Array.from(naive.known()).sort() });
    expect(allowed.total).toBe(total);
    allowed.scores.forEach((score, i) =>
      expect(score / expected[i].score).toBeLessThan(total <= 600 ? 1 + 1e-9 : 1.01),
    );
    const allow = Uint32Array.from(naive.known()).sort();
    expect(
      [0, 10, 20, 30, 40].flatMap((offset) => texts.ranked(query(words), { limit: 10, offset, allow }).fileIds),
    ).toEqual(allowed.fileIds);
    // Those of equal score in the order of their UIDs.
    const uids = await Promise.all(allowed.fileIds.map(async (fileId) => (await store.files.rowById(fileId))!.uid));
    allowed.scores.forEach(
      (score, i) => i > 0 && score === allowed.scores[i - 1] && expect(uids[i - 1] < uids[i]).toBe(true),
    );
  }
  await store.close();
});

describe('companies', () => {
  test('find only their own files, and the texts of one do not move the scores of another', async () => {
    const store = await openStore(newLibrary());
    const acme = await index(store, 'acme', { path: 'a.txt', pages: ['steel plate'] });
    await index(store, 'acme', { path: 'b.txt', pages: ['brass plate with a hole'] });
    const own = new TextIndex(store.rooms.words, acme.companyId);
    const before = own.ranked(query('plate'), { limit: 10, offset: 0 });
    for (let i = 0; i < 5; i++)
      await index(store, 'other', { path: `${i}.txt`, pages: ['steel plate and a long text of plate'] });
    const other = new TextIndex(store.rooms.words, await store.company('other'));
    expect(own.ranked(query('plate'), { limit: 10, offset: 0 })).toEqual(before);
    expect(own.matching(query('plate')).length).toBe(2);
    expect(other.matching(query('plate')).length).toBe(5);
    expect(other.matching(query('brass')).length).toBe(0);
    expect([...other.those(Uint32Array.of(acme.fileId), query('steel'))]).toEqual([]);
    await store.close();
  });
});

describe('searchable', () => {
  test('is a file from being indexed until it is gone, replaced or unfit', async () => {
    const store = await openStore(newLibrary());
    const file = { path: 'bracket.txt', pages: ['steel'], attributes: ['Material=brass'] };
    const { fileId, uid, companyId } = await put(store, 'acme', file);
    const texts = new TextIndex(store.rooms.words, companyId);
    const found = (text: string): number[] => [...texts.matching(query(text))];
    for (const text of ['bracket', 'brass', 'steel']) expect(found(text)).toEqual([]);
    await complete(store, fileId, file);
    for (const text of ['bracket', 'brass', 'steel', 'bracket brass steel']) expect(found(text)).toEqual([fileId]);

    await store.jobs.reindexAll();
    expect(found('steel')).toEqual([fileId]);
    await complete(store, fileId, { ...file, pages: ['copper'] });
    expect(found('steel')).toEqual([]);
    expect(found('copper brass')).toEqual([fileId]);

    const next = await put(store, 'acme', { path: 'bracket.txt' });
    expect(next.uid).toBe(uid);
    expect(found('bracket')).toEqual([]);
    await complete(store, next.fileId, { path: 'bracket.txt', pages: ['tin'] });
    expect(found('tin brass')).toEqual([next.fileId]);
    await store.remove(companyId, uid);
    for (const text of ['bracket', 'brass', 'tin']) expect(found(text)).toEqual([]);
    expect(texts.ranked(query('tin'), { limit: 1, offset: 0 })).toEqual({ fileIds: [], scores: [], total: 0 });
    await store.close();
  });

  test('is, after the process was killed while it indexed, every indexed file and no other', async () => {
    const library = newLibrary();
    for (let kill = 0; kill < 6; kill++) {
      const child = spawn(process.execPath, [fileURLToPath(new URL('text-writer.mjs', import.meta.url)), library], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await new Promise((resolve) => child.stdout.once('data', resolve));
      await new Promise((resolve) => setTimeout(resolve, 40 * kill));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('close', resolve));
      const store = await openStore(library);
      const companyId = await store.company('acme');
      const records = await store.files.list({ companyId, prefix: '', after: '', limit: 1e6, state: 'indexed' });
      const indexed = await Promise.all(records.map(async ({ uid }) => (await store.files.row(companyId, uid)).id));
      expect(indexed.length).toBeGreaterThan(0);
      expect([...new TextIndex(store.rooms.words, companyId).matching(query('common text'))]).toEqual(
        indexed.sort((a, b) => a - b),
      );
      expect((await store.verify(RULES, { repair: false })).problems).toEqual([]);
      await store.close();
    }
  });
});

test('the words of a change that was undone are not taken for those of the file', async () => {
  const store = await openStore(newLibrary());
  const { fileId, companyId } = await index(store, 'acme', { path: 'a.txt', pages: ['steel'] });
  const texts = new TextIndex(store.rooms.words, companyId);
  expect([...texts.matching(query('steel'))]).toEqual([fileId]);
  store.rooms.accounts.awaitCallback = () => {
    throw new EngineError('CONFLICT', 'undone');
  };
  const again = { companyId, path: 'a.txt', textOnly: true, kind: 'Text', priority: 3 } as const;
  const attributes = parseAttributes(['a=brass'], keyOf);
  await expect(
    store.put({ ...again, attributes, source: new TextEncoder().encode('brass'), callbackParam: '1' }),
  ).rejects.toThrow('undone');
  expect([...texts.matching(query('brass'))]).toEqual([]);
  expect([...texts.matching(query('steel'))]).toEqual([fileId]);
  expect([...texts.those(Uint32Array.of(fileId), query('brass'))]).toEqual([]);
  await store.close();
});

describe('the index is derived', () => {
  const fill = async (library: string): Promise<number[]> => {
    const store = await openStore(library);
    const ids: number[] = [];
    for (let i = 0; i < 70; i++)
      ids.push(
        (await index(store, 'acme', { path: `${i}.txt`, pages: [`common number ${i}`], attributes: ['a=brass'] }))
          .fileId,
      );
    await store.rooms.words.make();
    await store.close();
    return ids;
  };

  test('of another version it is made again, in slices, going on after an end in between', async () => {
    const library = newLibrary();
    const ids = await fill(library);
    const next = {
      ...TERM_MAKER,
      version: TERM_MAKER.version + 1,
      ofText: (pages: Parameters<typeof TERM_MAKER.ofText>[0]) => TERM_MAKER.ofText([...pages, { text: 'newer' }]),
    };
    let store = await openStore(library, next);
    const companyId = await store.company('acme');
    expect(new TextIndex(store.rooms.words, companyId).matching(query('common')).length).toBe(70);
    const ending = new AbortController();
    const making = store.rooms.words.make(ending.signal);
    setImmediate(() => setImmediate(() => ending.abort()));
    await making;
    const some = new TextIndex(store.rooms.words, companyId).matching(query('newer brass')).length;
    expect(some).toBeLessThan(70);
    await store.close();
    store = await openStore(library, next);
    await store.rooms.words.make();
    expect([...new TextIndex(store.rooms.words, companyId).matching(query('newer brass'))]).toEqual(ids);
    expect(store.rooms.words.terms.pending).toBe('nothing');
    expect((await store.verify(RULES, { repair: false })).problems).toEqual([]);
    await store.close();
  });

  test('of a library without one it is made', async () => {
    const library = newLibrary();
    const ids = await fill(library);
    const database = new Database(join(library, 'catalog.sqlite'));
    database.exec(
      `DROP TABLE words_1; DROP TABLE phrases_1; DELETE FROM term_row; DELETE FROM term_total; DELETE FROM setting WHERE name = 'terms'`,
    );
    database.close();
    const store = await openStore(library);
    await store.rooms.words.make();
    expect([...new TextIndex(store.rooms.words, 1).matching(query('common brass'))]).toEqual(ids);
    await store.close();
  });

  test('terms are made again only of what changed', async () => {
    let made = 0;
    const store = await openStore(newLibrary(), {
      ...TERM_MAKER,
      ofFile: (...given) => {
        made++;
        return TERM_MAKER.ofFile(...given);
      },
    });
    const companyId = await store.company('acme');
    const source = new TextEncoder().encode('the same');
    const putAgain = (attributes?: string[]) =>
      store.put({
        companyId,
        path: 'a.txt',
        uid: '10000000-0000-4000-8000-000000000000',
        overwrite: true,
        textOnly: true,
        kind: 'Text',
        priority: 3,
        source,
        attributes: attributes && parseAttributes(attributes, keyOf),
      });
    const { fileId, uid } = await putAgain(['Material=steel']);
    await complete(store, fileId, { path: 'a.txt', pages: ['common words'] });
    const texts = new TextIndex(store.rooms.words, companyId);
    expect(made).toBe(1);
    await putAgain();
    await putAgain(['Material=steel']);
    await store.setAttributes(companyId, uid, parseAttributes(['Material=steel'], keyOf), { replace: true });
    await store.setAttributes(companyId, uid, parseAttributes(['material=steel'], keyOf), { replace: false });
    expect(made).toBe(1);
    expect(texts.matching(query('common steel'))).toHaveLength(1);
    await putAgain(['Material=brass']);
    expect(made).toBe(2);
    expect([texts.matching(query('steel')).length, texts.matching(query('common brass')).length]).toEqual([0, 1]);
    await store.setAttributes(companyId, uid, parseAttributes(['Material=copper'], keyOf), { replace: false });
    expect(texts.matching(query('brass copper')).length).toBe(1);
    await store.close();
  });

  test.each([
    ['the data of words', `UPDATE words_1_data SET block = zeroblob(50) WHERE id > 100`],
    ['the data of phrases', `UPDATE phrases_1_data SET block = zeroblob(50) WHERE id > 100`],
    ['a row of words', 'DELETE FROM words_1 WHERE rowid = (SELECT row_id FROM term_row WHERE file_id = 5)'],
    ['a row of phrases', 'DELETE FROM phrases_1 WHERE rowid = (SELECT row_id FROM term_row WHERE file_id = 5)'],
    ['what is known of a row', 'DELETE FROM term_row WHERE file_id = 5'],
  ])('damaged in %s, verify says so and makes it again', async (_, damage) => {
    const library = newLibrary();
    const ids = await fill(library);
    const database = new Database(join(library, 'catalog.sqlite'));
    database.unsafeMode(true); // The tables below an FTS5 table are protected.
    database.exec(damage);
    database.close();
    const store = await openStore(library);
    const texts = new TextIndex(store.rooms.words, 1);
    expect(codeOf(() => texts.ranked(query('common brass'), { limit: 100, offset: 0 }))).toMatch(
      /^(no error|LIBRARY_DAMAGED)$/,
    );
    expect((await store.verify(RULES, { repair: false })).problems).toMatchObject([
      { code: 'TERMS_DAMAGED', company: 'acme', repaired: false },
    ]);
    expect((await store.verify(RULES, { repair: true })).problems).toMatchObject([
      { code: 'TERMS_DAMAGED', repaired: true },
    ]);
    expect((await store.verify(RULES, { repair: false })).problems).toEqual([]);
    expect([...texts.matching(query('common brass'))]).toEqual(ids);
    await store.close();
  });
});

describe('highlights', () => {
  test('say where the query holds: page, snippet, ranges, boxes; attributes; name', async () => {
    const store = await openStore(newLibrary());
    const text = 'Title block\nBracket AB-123/4 of steel';
    const runs = [
      { start: 0, end: 11, box: { x: 0.1, y: 0.1, width: 0.2, height: 0.02 } },
      { start: 12, end: 37, box: { x: 0.5, y: 0.9, width: 0.25, height: 0.02 } },
    ];
    const { fileId, companyId } = await index(store, 'acme', {
      path: 'steel parts/AB-123_4.pdf',
      pages: [
        `${'filler '.repeat(200)}no such`,
        { number: 2, name: '', text, places: encodePlaces(runs) },
        `${'filler '.repeat(200)}Stähle, steel and STEEL ${'filler '.repeat(200)}`,
      ],
      attributes: ['Material(grade)=tool steel'],
    });
    const texts = new TextIndex(store.rooms.words, companyId);
    const marked = (words: string): string[] =>
      texts
        .highlights(fileId, query(words))
        .highlights.map(
          ({ field, page, snippet, ranges }) =>
            `${field} ${page}: ${ranges.map(({ start, end }) => snippet.slice(start, end)).join(',')}`,
        );
    expect(marked('steel')).toEqual([
      'text 2: steel',
      'text 3: steel,STEEL',
      'attribute null: steel',
      'name null: steel',
    ]);
    expect(marked('stahl*')).toEqual(['text 3: Stähle']);
    expect(marked('ab1234 "block bracket"')).toEqual(['text 2: block Bracket,AB-123/4', 'name null: AB-123_4']);
    expect(marked('nothing')).toEqual([]);
    const {
      highlights: [first, second, attribute],
      read,
    } = texts.highlights(fileId, query('steel'));
    expect(first.snippet).toBe('Title block Bracket AB-123/4 of steel');
    expect(first.boxes).toEqual([
      { x: expect.closeTo(0.7, 6) as number, y: 0.9, width: expect.closeTo(0.05, 6) as number, height: 0.02 },
    ]);
    // A run of several lines is not parted: nobody knows in which of them a word stands.
    const block = { start: 0, end: text.length, box: { x: 0.1, y: 0.1, width: 0.2, height: 0.2 } };
    expect(placesOnPage(query('steel'), { text, runs: [block] }, 1_000).boxes).toEqual([block.box]);
    expect(second.snippet.length).toBeLessThanOrEqual(200);
    expect(second.boxes).toEqual([]);
    expect(attribute.snippet).toBe('Material(grade)=tool steel');
    expect(read).toBeGreaterThan(3_000);
    expect(texts.highlights(fileId, query('steel'), { characters: 2_000 })).toMatchObject({
      highlights: [{ page: 2 }, { field: 'name' }],
      read: 2_000,
    });
    expect(texts.highlights(fileId, query('steel'), { characters: 0 })).toMatchObject({
      highlights: [{ field: 'name' }],
      read: 0,
    });
    expect(texts.highlights(fileId + 1, query('steel'))).toEqual({ highlights: [], read: 0 });
    await store.close();
  });
});
