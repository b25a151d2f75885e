import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine, type Company } from '../../dist/index.js';
import { tableShapes, type TableShape } from '../../dist/store/shared/table-shapes.js';
import { noteStatements, type Asked, type LocalStatement } from '../fixtures/asked-statements.js';
import { boxStl } from '../fixtures/box.mjs';
import { dxfOf, threeViews } from '../fixtures/drawing-of-body.js';
import { drawnPicture } from '../fixtures/drawn-picture.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { hasPostgres, HOW, inDatabase, startPostgres, type TestServer } from '../fixtures/postgres.mjs';
import { lBracket } from '../fixtures/shapes.js';
import { stepFile, type StepFile } from '../fixtures/step-writer.js';

// No query crosses companies: every statement that public calls send to the catalogue and to PostgreSQL is looked at.

const take = noteStatements();
const folder = temporaryFolder();
let server: TestServer;

/** Files of each company get ids from here on, so that they are told from all other numbers. */
const IDS = { acme: { file: 710_000_000, company: 310_000_000 }, globex: { file: 820_000_000, company: 420_000_000 } };
type Name = keyof typeof IDS;

const WHOLE: StepFile = {
  parts: [
    { name: 'block', shape: { kind: 'box', x: 10, y: 20, z: 32 } },
    { name: 'pin', shape: { kind: 'cylinder', radius: 2, height: 9 } },
  ],
  assembly: {
    name: 'whole',
    placements: [
      { part: 0, at: [0, 0, 0] },
      { part: 1, at: [0, 30, 0] },
    ],
  },
};

/** The key of a company, or of what was found by it; beside these the key of the table itself. */
const KEYS = /^(company_id|file_id|second_id|assembly_id|category_id|parent_id|name_id|value_id)$/;

/** Statements on tables of companies that look for rows otherwise, each with its reason. */
const EXCEPTIONS: readonly (readonly [RegExp, string])[] = [
  [
    /FROM company WHERE (name|guid|inputs_of) = \?|FROM company\s.*WHERE inputs_of = \? AND/s,
    'finds the company itself',
  ],
  [/^INSERT INTO "?company"? /, 'makes a company: its name and GUID are unique'],
  [/FROM company WHERE inputs_of IS NULL/, 'lists the companies, for the operator and for work in quiet moments'],
  [/FROM (file|rfq_chunk) WHERE blob_hash = \? LIMIT 1/, 'whether any row names bytes, which are kept once for all'],
  [/SELECT DISTINCT blob_hash( |$)/m, 'the bytes that any row names: clean-up and verify'],
  [/INDEXED BY file_by_blob .* blob_hash = \? AND company_id = \?/s, "the company's own files with these bytes"],
  [/FROM job( |$)/m, 'the queue of all companies: claims, its length, what others hold'],
  [/FROM search_input JOIN file .* WHERE expires_at <= \?/s, 'clean-up of search inputs whose time is over'],
  [/@companyId IS NULL OR company_id = @companyId/, "the library's reindex and retry; a company's name their company"],
  [/^DELETE FROM (faces|faceWords) WHERE version <> \?/, 'reindex: descriptors of another version'],
  [/FROM company LEFT JOIN file|SELECT coalesce\(sum\((count|length)\)/, 'counts of the library'],
  [/^SELECT id AS fileId, company_id AS companyId FROM file$/, 'verify looks at the files of all companies'],
];

/** What goes on in quiet moments, whoever calls: it takes all companies one by one, or all files. */
const HOUSEKEEPING: readonly (readonly [RegExp, string])[] = [
  [/FROM sqlite_sequence/, 'the last ids of the library'],
  [/FROM company WHERE inputs_of IS NULL/, 'lists the companies'],
  [/FROM term_total WHERE company_id = \?/, 'whether the words of a company are to be merged'],
  [/FROM views WHERE file_id > \?/, 'packs views'],
];

/** Statements of PostgreSQL on tables of companies that do not name `of_company`. */
const FEED = new RegExp(
  '^(DECLARE "page of \\w+" NO SCROLL CURSOR FOR )?SELECT of_company, .* FROM shapedex\\."\\w+" ' +
    'WHERE change > (\\$1|\\d+)(; FETCH \\d+ FROM "page of \\w+")?$',
  's',
);

describe.skipIf(!hasPostgres)(hasPostgres ? 'companies of a library in PostgreSQL' : HOW, () => {
  let url: string;
  let engine: Engine;
  /** The first column of the key of each table with rows of companies. */
  let keyOf: ReadonlyMap<string, string>;
  /** What ran in calls of a company, by the company; and in calls of the library. */
  const ran: Record<Name | 'library', Asked[]> = { acme: [], globex: [], library: [] };
  const uids: Record<string, string> = {};

  const open = (): Promise<Engine> =>
    Engine.open(url, {
      ...{ blobs: join(folder, 'blobs'), replica: join(folder, 'replica'), workers: 1, inputTtlMs: 86_400_000 },
    });

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.database();
    engine = await open();
    await fill('acme');
    await fill('globex');
    await engine.idle();
    await engine.close();
    const shapes = tableShapes(new Database(join(folder, 'replica', 'catalog.sqlite'), { readonly: true }));
    const isOfCompanies = ({ company }: TableShape): boolean => !/^(coalesce\()?0\b/.test(company);
    keyOf = new Map(shapes.filter(isOfCompanies).map(({ name, key }) => [name, key[0]]));
    take();
    engine = await open();
    ran.library.push(take());
    for (const name of ['acme', 'globex'] as const) {
      await callAll(await engine.company(name), name);
      await engine.idle();
      ran[name].push(take());
    }
    await callLibrary();
    ran.library.push(take());
    await engine.close();
    ran.library.push(take());
  });
  afterAll(() => server.stop());

  /** Both companies have files of the same paths and bytes, and one each whose words and bytes are its own. */
  async function fill(name: Name): Promise<void> {
    await engine.close();
    for (const [table, last] of Object.entries(IDS[name]))
      await inDatabase(
        url,
        `INSERT INTO shapedex.sqlite_sequence (of_company, name, seq, change)
         SELECT 0, '${table}', ${last}, number + 1 FROM shapedex.library
         ON CONFLICT (of_company, md5(name)) DO UPDATE SET seq = excluded.seq, change = excluded.change;
         INSERT INTO shapedex.change (number, batch, tables) SELECT number + 1, gen_random_uuid(), '{sqlite_sequence}'
         FROM shapedex.library;
         UPDATE shapedex.library SET number = number + 1`,
      );
    engine = await open();
    const company = await engine.company(name);
    const attributes = ['Material=Steel', 'Length(mm)=3', `Owner=${name}`];
    for (let i = 0; i < 6; i++)
      await company.put(`a/box ${i}.stl`, boxStl(1 + i / 7, 2, 3), { attributes: [...attributes, `Size=${i}`] });
    await company.put('a/copy.stl', boxStl(1, 2, 3), { attributes });
    await company.put('whole.step', stepFile(WHOLE), { indexAssemblyComponents: true });
    await company.put('page.dxf', dxfOf(lBracket(60, 12, 30)));
    const lines = threeViews(lBracket(60, 12, 30)).map(([a, b, c, d]) => `M${a + 90} ${b + 90}L${c + 90} ${d + 90}`);
    await company.put('page.png', await drawnPicture({ width: 400, height: 300, texts: [], lines }));
    await company.put('text.txt', Buffer.from(`steel flange, the ${name} marker`));
    await company.put('broken.step', Buffer.from(`no model of ${name}`));
    for (const record of await company.list()) uids[`${name} ${record.path}`] = record.uid;
  }

  async function callAll(company: Company, name: Name): Promise<void> {
    const uid = (path: string): string => uids[`${name} ${path}`];
    const [box, whole, page, picture, text] = ['a/box 0.stl', 'whole.step', 'page.dxf', 'page.png', 'text.txt'].map(
      uid,
    );
    await company.warmUp({ searches: 2 });
    // Searches of each kind.
    for (const like of [box, whole, page, picture].map((one) => ({ uid: one })))
      for (const more of [
        {},
        { volume: '.3', text: 'steel', facets: true, attributeFacets: true },
        { kinds: ['TwoD', 'Image'] as const, components: true as const, shapelets: true },
        { components: 'only' as const, within: [box, whole] },
      ])
        await company.search({ like, ...more, kinds: more.kinds === undefined ? undefined : [...more.kinds] });
    await company.search({ like: { bytes: boxStl(1, 2, 3.1), extension: '.stl' } });
    await company.search({ like: [{ uid: box }, { uid: page }] });
    await company.search({ contains: { uid: box } });
    await company.search({ contains: { uid: whole }, sizes: 'any' });
    for (const words of ['steel', 'ste*', '"steel flange"', 'Material=Steel', 'Length>=2mm', 'a OR b', 'NOT steel'])
      await company.search({ text: words, facets: true, attributeFacets: true, highlights: true });
    await company.search({ attributes: [], categories: [null], offset: 2, limit: 3 });
    await company.search({ kinds: ['ThreeD'] });
    await company.spellings('stele flnge');
    for (const format of ['csv', 'xlsx'] as const) await company.searchFile({ like: { uid: box } }, { format });
    await company.searchComponents(whole, { limit: 3 });
    // Lists and records.
    await company.list();
    await company.list({ order: 'addedAt', direction: 'falling', limit: 2 });
    for (const state of ['indexed', 'failed', 'queued'] as const)
      await company.list({ state, prefix: 'a/', kind: 'ThreeD' });
    await company.foldersIn('');
    for (const asked of [company.failures(), company.counts(), company.summary(), company.find('text.txt')])
      await asked;
    for (const one of [box, whole, page, text]) {
      await company.get(one);
      await company.status(one);
      await company.bytes(one);
    }
    await company.text(text, { words: 'steel' });
    await company.attributes();
    await company.attributes({ extracted: true });
    await company.attributeValues('Material', { prefix: 'St' });
    await company.attributeValues('Volume', { extracted: true });
    await company.settings.set({ useNumericTextSearch: true });
    await company.settings.get();
    // What was made of files.
    await company.assembly(whole);
    for (const part of await company.components(whole)) {
      await company.assemblies.component(part.uid);
      await company.thumbnail(part.uid);
    }
    await company.assemblies.billOfMaterials(whole);
    await company.assemblies.billFile(whole);
    await company.assemblies.holding({ uid: box });
    await company.assemblies.sharedParts(whole);
    await company.assemblies.indexComponents(whole);
    await company.pmi(page);
    await company.inspection(page);
    await company.comparePmi(page, picture).catch(() => undefined); // A page without dimensions may be refused.
    await company.faces(box);
    await company.features(box);
    await company.model(box);
    await company.deviations(box, uid('a/box 1.stl'), { samples: 100 });
    await company.shapelets(page);
    await company.pictures.shapelet(page, 0);
    await company.thumbnail(box);
    await company.pageImage(page);
    await company.pictures.results({ uid: box }, await company.search({ like: { uid: box }, limit: 3 }));
    // Duplicates and categories.
    const { groups } = await company.duplicates.find();
    expect(groups.length).toBeGreaterThan(0);
    await company.duplicates.picture(groups);
    await company.duplicates.keep(box);
    await company.duplicates.markDifferent([box, uid('a/copy.stl')]);
    const decisions = await company.duplicates.decisions();
    await company.duplicates.undo(decisions.map(({ id }) => id));
    const category = await company.categories.add('boxes', { owner: 'ann', mostOfOwner: 5 });
    const inner = await company.categories.add('small', { parentId: category.id });
    await company.categories.assign(box, inner.id);
    await company.categories.list();
    await company.search({ categories: [category.id], facets: true });
    await company.categories.remove(inner.id);
    // Search inputs.
    const input = await company.putInput(boxStl(2, 2, 3), { extension: '.stl', owner: 'ann' });
    await company.search({ like: { uid: input.uid } });
    await company.input(input.uid);
    await company.keepInput(input.uid, { days: 3, most: 5, mostOfOwner: 5 });
    await company.delete(input.uid);
    // Writes: new, the same, other bytes, another path, attributes, folders, deletion.
    await company.put('new.stl', boxStl(3, 3, 4), { attributes: ['Colour=red'] });
    await company.put('new.stl', boxStl(3, 3, 5));
    await company.put('new.stl', boxStl(3, 3, 5), { overwrite: false });
    await company.rename(uid('a/box 2.stl'), 'b/renamed.stl');
    await company.setAttributes(box, ['Colour=blue'], { replace: false });
    await company.setAttributes(box, ['Material=Steel']);
    const cad = join(folder, `cad-${name}`);
    mkdirSync(cad, { recursive: true });
    writeFileSync(join(cad, 'from-folder.stl'), boxStl(3, 4, 5));
    for await (const { error } of company.putFolder(cad, { resume: true })) expect(error).toBeUndefined();
    writeFileSync(join(cad, 'later.stl'), boxStl(3, 4, 6));
    for await (const _ of company.folders.watch(cad)) break;
    await company.retry();
    await company.retry(uid('broken.step'));
    await company.delete(uid('a/box 3.stl'));
    await company.delete((await company.find('new.stl'))!.uid);
    await company.search({ like: { uid: box }, text: 'steel' });
  }

  async function callLibrary(): Promise<void> {
    await engine.companies();
    await engine.stats();
    // A replica is filled by the feed of changes.
    await (
      await Engine.open(url, { blobs: join(folder, 'blobs'), replica: join(folder, 'other'), workers: 0 })
    ).close();
    await engine.verify();
    await engine.reindex();
    await engine.reindex({ only: 'all' });
    await engine.idle();
    await engine.company('acme');
  }

  test('every statement that looks for rows of a company does so by its key, or by what was found by it', () => {
    const unkeyed = new Map<string, string>();
    const used = new Set<RegExp>();
    let keyed = 0;
    for (const { local } of [...ran.acme, ...ran.globex, ...ran.library])
      for (const { sql, accesses } of local)
        for (const { table, columns, isWalk } of accesses) {
          const key = keyOf.get(table);
          if (key === undefined) continue;
          if (!isWalk && (columns[0] === key || KEYS.test(columns[0]))) keyed++;
          else {
            const exception = EXCEPTIONS.find(([text]) => text.test(sql));
            if (exception !== undefined) used.add(exception[0]);
            else unkeyed.set(sql.replace(/\s+/g, ' ').trim(), `${table} (${columns.join()}) ${isWalk ? 'walked' : ''}`);
          }
        }
    expect(Object.fromEntries(unkeyed)).toEqual({});
    expect(keyed).toBeGreaterThan(100);
    // Each exception is still one.
    expect(EXCEPTIONS.filter(([text]) => !used.has(text)).map(([, reason]) => reason)).toEqual([]);
  });

  /** Ids of a company, and of those that hold its search inputs and components. */
  const companiesOf = (name: Name): string =>
    `SELECT id FROM shapedex.company WHERE name = '${name}' UNION
     SELECT id FROM shapedex.company WHERE inputs_of = (SELECT id FROM shapedex.company WHERE name = '${name}')`;

  const numbers = async (sql: string): Promise<ReadonlySet<number>> =>
    new Set((await inDatabase<{ id: string }>(url, sql)).map(({ id }) => Number(id)));

  test('no statement of a call of a company is given, or returns, what is of another', async () => {
    const idsOf = (name: Name): Promise<ReadonlySet<number>> =>
      numbers(`SELECT id FROM shapedex.file WHERE company_id IN (${companiesOf(name)}) UNION (${companiesOf(name)})`);
    for (const [name, other] of [
      ['acme', 'globex'],
      ['globex', 'acme'],
    ] as const) {
      const ids = await idsOf(other);
      expect(ids.size).toBeGreaterThan(10);
      const foreign = new Set([...ids].map(String));
      const words = [other, ...Object.entries(uids).flatMap(([key, uid]) => (key.startsWith(other) ? [uid] : []))];
      const crossing = ran[name].flatMap(({ local }) =>
        local.filter((one) => !HOUSEKEEPING.some(([text]) => text.test(one.sql)) && crosses(one, foreign, words)),
      );
      expect(
        crossing.map(({ sql }) => sql.replace(/\s+/g, ' ')),
        `${name} sees ${other}`,
      ).toEqual([]);
    }
  });

  test('every statement on a table of companies in PostgreSQL names the company, but the feed of changes', async () => {
    const own = { acme: await numbers(companiesOf('acme')), globex: await numbers(companiesOf('globex')) };
    const fed = new Set<string>();
    let named = 0;
    for (const [name, asked] of Object.entries(ran))
      for (const { server: sent } of asked)
        for (const { text, values } of sent) {
          const of = [...text.matchAll(/shapedex\."?(\w+)"?/g)]
            .map(([, table]) => table)
            .filter((one) => keyOf.has(one));
          if (of.length === 0) continue;
          if (FEED.test(text)) {
            fed.add(text);
            continue;
          }
          const written = [
            ...text.matchAll(/(INSERT INTO|DELETE FROM) shapedex\."(\w+)"[\s\S]*?unnest\(\$(\d+)::bigint\[\]/g),
          ];
          expect(
            written.map(([, , table]) => table).filter((table) => keyOf.has(table)),
            text,
          ).toEqual(of);
          for (const [, , table, at] of written) {
            named++;
            const companies = values[Number(at) - 1] as number[];
            expect(companies.every(Number.isInteger), text).toBe(true);
            if (name === 'library') continue;
            const isOwn = (id: number): boolean => id === 0 || own[name as Name].has(id);
            expect(
              companies.filter((id) => !isOwn(id)),
              `${name}: ${table}`,
            ).toEqual([]);
          }
        }
    expect(named).toBeGreaterThan(100);
    expect(fed.size).toBeGreaterThan(0);
  });
});

/** Whether a statement was given or returned an id or a word of these. */
function crosses({ bound, returned }: LocalStatement, ids: ReadonlySet<string>, words: readonly string[]): boolean {
  const text = JSON.stringify([bound, returned], (_, value: unknown) =>
    value instanceof Uint8Array || (typeof value === 'object' && value !== null && 'type' in value && 'data' in value)
      ? null
      : value,
  );
  return (
    (text.match(/(?<![\d.])\d{9}(?!\d)/g) ?? []).some((id) => ids.has(id)) || words.some((word) => text.includes(word))
  );
}
