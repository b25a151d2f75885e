import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ATTRIBUTE_FORMS } from '../../dist/words/attribute-forms.js';
import type { AttributeCondition, StoredQuantity } from '../../dist/attributes/attribute-condition.js';
import { parseAttributes } from '../../dist/attributes/attribute.js';
import { openLibrary, type Library } from '../../dist/library.js';
import { runs } from '../fixtures/runs.js';

const { key, terms, quantity } = ATTRIBUTE_FORMS;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'attributes-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file as the naive model holds it. */
interface Known {
  id: number;
  company: number;
  uid: string;
  indexed: boolean;
  given: Fact[];
  extracted: Fact[];
}
interface Fact {
  name: string;
  unit: string;
  values: string[];
}

const COMPANIES = 2;
const NAMES = ['Length', 'length', 'LENGTH', 'Größe', 'Date', 'Part no'];
const UNITS = ['', '', '', 'mm', 'mm', 'in', 'pcs'];
const VALUES = [
  '1',
  '25.4',
  '25,4',
  '1in',
  '3 in',
  '76.2',
  '76.2mm',
  '-5',
  '1e3',
  '1000',
  '20',
  '2kg',
  'red',
  'Red',
  'RED',
  'dark red',
  'AB-123/4',
  'ab 123',
  'ab12',
  'Müller',
  'muller',
  '鋼板材',
  '',
  ' ',
  'a|b',
  'a\\',
  '2024-05-31',
  '2024-06-01',
  'x=y&z',
  '"q"',
  '😀',
  'مرحبا',
  'two\nlines',
];
const place = { company: fc.nat(COMPANIES - 1), path: fc.constantFrom('a', 'b', 'c', 'd') };

type Step =
  | { kind: 'put'; company: number; path: string; bytes: number; attributes: string[] | undefined }
  | { kind: 'index'; facts: { name: string; unit: string; value: string }[] }
  | { kind: 'set'; company: number; path: string; attributes: string[]; replace: boolean }
  | { kind: 'fail' | 'remove'; company: number; path: string }
  | { kind: 'rebuild' };

/** Few names and values in one run, so that files share them. */
const steps: fc.Arbitrary<Step[]> = fc
  .record({
    names: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }),
    values: fc.uniqueArray(fc.constantFrom(...VALUES), { minLength: 1, maxLength: 6 }),
  })
  .chain(({ names, values }) => {
    const head = { name: fc.constantFrom(...names), unit: fc.constantFrom(...UNITS) };
    const value = fc.constantFrom(...values);
    const texts = fc
      .array(fc.record({ ...head, values: fc.uniqueArray(value, { minLength: 1, maxLength: 3 }) }), { maxLength: 4 })
      .map((all) =>
        all.map(
          ({ name, unit, values: own }) =>
            `${name}${unit === '' ? '' : `(${unit})`}=${own.map((text) => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|')).join('|')}`,
        ),
      );
    const facts = fc.array(fc.record({ ...head, value }), { maxLength: 4 });
    const step: fc.Arbitrary<Step> = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('put' as const),
          ...place,
          bytes: fc.nat(2),
          attributes: fc.option(texts, { nil: undefined, freq: 6 }),
        }),
      },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('index' as const), facts }) },
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant('set' as const), ...place, attributes: texts, replace: fc.boolean() }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const), ...place }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), ...place }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'rebuild' as const }) },
    );
    return fc.array(step, { minLength: 1, maxLength: 40, size: 'max' });
  });

const quantities = ['1', '20', '25.4', '1in', '76.2mm', '3in', '1kg', '2024-06-01', '1000', '-5', '0'].map(
  (text) => quantity(text, '')!,
);
const words = ['red', 'dark', 'ab', '123', '4', 'muller', '鋼板', '1', '25', 'nothing', 'in', 'two', 'lines'];
const MATCHES: AttributeCondition['match'][] = [
  { kind: 'terms', terms: [] },
  { kind: 'prefix', terms: [''] },
  { kind: 'prefix', terms: [] },
  ...words.map((word) => ({ kind: 'terms' as const, terms: [word] })),
  ...words.map((word) => ({ kind: 'prefix' as const, terms: [word.slice(0, 2)] })),
  { kind: 'terms', terms: ['red', 'dark'] },
  { kind: 'terms', terms: ['ab', '123', '4'] },
  { kind: 'terms', terms: ['ab', 'red'] },
  { kind: 'prefix', terms: ['ab', '1'] },
  { kind: 'prefix', terms: ['dark', 're'] },
  { kind: 'prefix', terms: ['two', 'l'] },
  { kind: 'prefix', terms: ['red', ''] },
  ...VALUES.map((value) => ({ kind: 'equals' as const, key: key(value) })),
  ...VALUES.map((value) => ({ kind: 'equals' as const, key: key(value), quantity: quantity(value, '') })),
  ...quantities.flatMap((one) =>
    (['<', '<=', '>', '>='] as const).map((operator) => ({ kind: 'compare' as const, operator, quantity: one })),
  ),
  ...quantities.flatMap((one) =>
    quantities.map((other) => ({
      kind: 'compare' as const,
      operator: '>=' as const,
      quantity: one,
      and: [{ operator: '<' as const, quantity: other }],
    })),
  ),
  {
    kind: 'compare',
    operator: '>',
    quantity: quantity('0', '')!,
    and: [
      { operator: '<', quantity: quantity('1000', '')! },
      { operator: '>', quantity: quantity('1in', '')! },
      { operator: '<=', quantity: quantity('76.2mm', '')! },
    ],
  },
];
const CONDITIONS = ['length', 'grosse', 'date', 'part no', 'volume', 'unknown'].flatMap((nameKey) =>
  MATCHES.map((match) => ({ nameKey, match })),
);

test('lists, counts and conditions are as a naive model has them, whatever happens to the files', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const store = await open(join(folder, String(run++)));
      try {
        const companies = await Promise.all(Array.from({ length: COMPANIES }, (_, i) => store.company(`company ${i}`)));
        const files = new Map<string, Known & { bytes: number }>();
        for (const one of given) {
          await apply(store, companies, files, one);
          await checkLists(store, companies, [...files.values()]);
        }
        await checkConditions(store, companies, [...files.values()]);
        expect(await store.rooms.attributes.damaged()).toEqual([]);
      } finally {
        await store.close();
      }
    }),
    { numRuns: runs(20) },
  );
});

describe('of a damaged library', () => {
  const RULES = {
    versions: { compact: 1, fine: 1, surface: 1, faces: 1, faceWords: 1 },
    lengths: {},
    contentVersion: 1,
  };
  const RED = { nameKey: 'color', match: { kind: 'terms', terms: ['red'] } } as const;
  const THICK = {
    nameKey: 'thickness',
    match: { kind: 'compare', operator: '>', quantity: quantity('1mm', '')! },
  } as const;

  /** Three indexed files: two share a colour, each has a thickness and facts of its own. */
  async function fill(
    library: string,
    damage: string,
  ): Promise<{ store: Library; companyId: number; ids: number[]; uids: string[] }> {
    let store = await open(library);
    const companyId = await store.company('acme');
    const uids: string[] = [];
    const ids: number[] = [];
    for (const [i, color] of ['red', 'red', 'blue'].entries()) {
      const { fileId, uid } = await store.put({
        companyId,
        path: `${i}.txt`,
        textOnly: false,
        kind: 'Text',
        priority: 3,
        source: Uint8Array.of(i),
        attributes: parseAttributes([`Color=${color}`, `Thickness=${i + 2}mm`], key),
      });
      await store.jobs.complete(fileId, {
        kind: 'Text',
        warnings: [],
        contentVersion: 1,
        faceCount: null,
        pageCount: 1,
        pages: [],
        extracted: [{ name: 'Title', unit: '', value: `part ${i}` }],
      });
      uids.push(uid);
      ids.push(fileId);
    }
    await store.close();
    const database = new Database(join(library, 'catalog.sqlite'));
    database.pragma('foreign_keys = OFF');
    database.exec(damage);
    database.close();
    store = await open(library);
    return { store, companyId, ids, uids };
  }

  const DAMAGES: [string, string][] = [
    ['without names', 'DELETE FROM attribute_name'],
    ['without one name', `DELETE FROM attribute_name WHERE key = 'color'`],
    ['without values', 'DELETE FROM attribute_value'],
    ['without terms', 'DELETE FROM attribute_term'],
    ['without uses', 'DELETE FROM attribute_use'],
    ['with a count too many', 'UPDATE attribute_name SET files = files + 1'],
    ['with a count too few', 'UPDATE attribute_name SET files = files - 1'],
    ['with values counted wrongly', 'UPDATE attribute_value SET files = 1'],
    ['with types counted wrongly', 'UPDATE attribute_name SET numbers = 0'],
    ['with a wrong number', 'UPDATE attribute_value SET value = 7 WHERE value IS NOT NULL'],
    ['with a wrong form', `UPDATE attribute_value SET key = 'x' WHERE text = 'blue'`],
    ['with another file', 'UPDATE attribute_value SET file_id = 2 WHERE file_id = 1'],
    [
      'with a term too many',
      `INSERT INTO attribute_term SELECT name_id, 'stray', id, file_id FROM attribute_value WHERE text = 'blue'`,
    ],
    ['with a use too many', 'INSERT INTO attribute_use SELECT id, 3 FROM attribute_value'],
    [
      'with a value of nothing',
      `INSERT INTO attribute_value (name_id, text, key, files, file_id) VALUES (99, 'a', 'a', 1, 1)`,
    ],
  ];

  test.each(DAMAGES)('%s, verify says so and makes the index again', async (name, damage) => {
    const { store, companyId, ids } = await fill(join(folder, `damaged ${name}`), damage);
    const codes = async (repair: boolean) =>
      (await store.verify(RULES, { repair })).problems.map(({ code, repaired }) => [code, repaired]);
    expect(new Set((await codes(false)).map(String))).toEqual(new Set(['ATTRIBUTES_DAMAGED,false']));
    expect(new Set((await codes(true)).map(String))).toEqual(new Set(['ATTRIBUTES_DAMAGED,true']));
    expect((await store.verify(RULES, { repair: false })).problems).toEqual([]);
    expect([...(await store.rooms.attributes.door.filesWith(companyId, RED))]).toEqual(ids.slice(0, 2));
    expect([...(await store.rooms.attributes.door.filesWith(companyId, THICK))]).toEqual(ids);
    expect(await store.rooms.attributes.door.names(companyId, { extracted: false })).toEqual([
      { name: 'Color', unit: '', count: 3, type: 'text' },
      { name: 'Thickness', unit: '', count: 3, type: 'number' },
    ]);
    await store.close();
  });

  test.each(DAMAGES)('%s, files can be changed all the same', async (name, damage) => {
    const { store, companyId, ids, uids } = await fill(join(folder, `changed ${name}`), damage);
    const given = async (uid: string, texts: string[], replace: boolean) =>
      (await store.setAttributes(companyId, uid, parseAttributes(texts, key), { replace })).attributes;
    expect(await given(uids[0], ['Color=red|blue', 'Thickness=3mm', 'New=1'], true)).toEqual([
      'Color=red|blue',
      'Thickness=3mm',
      'New=1',
    ]);
    expect(await given(uids[1], ['Color=blue|green', 'New=2'], false)).toEqual([
      'Color=red|blue|green',
      'Thickness=3mm',
      'New=2',
    ]);
    await store.put({
      companyId,
      path: '2.txt',
      textOnly: false,
      kind: 'Text',
      priority: 3,
      source: Uint8Array.of(9),
      attributes: parseAttributes(['Color=red'], key),
    });
    await store.remove(companyId, uids[1]);
    await given(uids[0], [], true);
    expect(await given(uids[0], ['Color=red', 'Thickness=2mm'], true)).toEqual(['Color=red', 'Thickness=2mm']);
    await store.verify(RULES, { repair: true });
    expect(await store.rooms.attributes.damaged()).toEqual([]);
    expect([...(await store.rooms.attributes.door.filesWith(companyId, THICK))]).toEqual([ids[0]]);
    await store.close();
  });
});

const open = (library: string): Promise<Library> => openLibrary(library, { fileBytesLimit: 1e6, crashLimit: 10 });

async function apply(
  store: Library,
  companies: number[],
  files: Map<string, Known & { bytes: number }>,
  step: Step,
): Promise<void> {
  if (step.kind === 'rebuild') return store.rooms.attributes.rebuild();
  if (step.kind === 'index') {
    await store.jobs.claim(100, { idle: true });
    for (const file of files.values()) {
      // An indexed file has no job, and without a job nothing comes of this.
      const done = await store.jobs.complete(file.id, {
        kind: 'Text',
        warnings: [],
        contentVersion: 1,
        faceCount: null,
        pageCount: 1,
        pages: [],
        extracted: step.facts,
      });
      if (!done) continue;
      file.extracted = step.facts.map(({ name, unit, value }) => ({ name, unit, values: [value] }));
      file.indexed = true;
    }
    return;
  }
  const at = `${step.company}/${step.path}`;
  const known = files.get(at);
  const company = companies[step.company];
  if (step.kind === 'put') {
    const { fileId, uid } = await store.put({
      companyId: company,
      path: step.path,
      textOnly: false,
      kind: 'Text',
      priority: 3,
      source: Uint8Array.of(step.bytes),
      attributes: step.attributes && parseAttributes(step.attributes, key),
    });
    const given = step.attributes === undefined ? (known?.given ?? []) : merged(step.attributes);
    if (known !== undefined && known.bytes === step.bytes) known.given = given;
    else
      files.set(at, {
        id: fileId,
        company: step.company,
        uid,
        indexed: false,
        given,
        extracted: [],
        bytes: step.bytes,
      });
    expect(files.get(at)!.id).toBe(fileId);
    return;
  }
  if (known === undefined) return;
  if (step.kind === 'remove') {
    await store.remove(company, known.uid);
    files.delete(at);
  } else if (step.kind === 'set') {
    const given = merged(step.attributes);
    await store.setAttributes(company, known.uid, parseAttributes(step.attributes, key), { replace: step.replace });
    known.given = step.replace ? given : joined(known.given, given);
  } else {
    await store.jobs.claim(100, { idle: true });
    // A failed file keeps its given attributes and loses the others; it is not found.
    if (await store.jobs.fail(known.id, { code: 'FILE_MALFORMED', message: 'a test' }))
      Object.assign(known, { extracted: [], indexed: false });
  }
}

function joined(given: readonly Fact[], more: readonly Fact[]): Fact[] {
  const all = given.map((fact) => ({ ...fact, values: [...fact.values] }));
  for (const { name, unit, values } of more) {
    const known = all.find((fact) => key(fact.name) === key(name) && fact.unit === unit);
    if (known === undefined) all.push({ name, unit, values: [...values] });
    else known.values.push(...values.filter((value) => !known.values.includes(value)));
  }
  return all;
}

function merged(texts: readonly string[]): Fact[] {
  return parseAttributes(texts, key).map(({ name, unit, values }) => ({ name, unit, values: [...values] }));
}

async function checkConditions(store: Library, companies: number[], files: Known[]): Promise<void> {
  for (const [number, companyId] of companies.entries()) {
    const own = files.filter(({ company }) => company === number).sort((a, b) => a.id - b.id);
    for (const condition of CONDITIONS) {
      const wanted = own.filter(({ given, extracted }) =>
        [...given, ...extracted].some((fact) => meets(fact, condition)),
      );
      const label = JSON.stringify(condition);
      expect([...(await store.rooms.attributes.door.filesWith(companyId, condition))], label).toEqual(
        wanted.filter(({ indexed }) => indexed).map(({ id }) => id),
      );
      expect(await store.rooms.attributes.door.countWith(companyId, condition), label).toBeGreaterThanOrEqual(
        wanted.length,
      );
      const ids = Uint32Array.from(own, ({ id }) => id);
      expect([...(await store.rooms.attributes.door.those(ids, condition))], label).toEqual(wanted.map(({ id }) => id));
    }
  }
}

async function checkLists(store: Library, companies: number[], files: Known[]): Promise<void> {
  for (const [number, companyId] of companies.entries()) {
    const own = files.filter(({ company }) => company === number);
    for (const file of own) expect(store.rooms.attributes.given(file.id)).toEqual(file.given);
    await checkNames(store, companyId, own);
    for (const name of ['LENGTH', 'größe', 'Volume']) await checkValues(store, companyId, own, name);
  }
}

async function checkNames(store: Library, companyId: number, own: Known[]): Promise<void> {
  const listed = await store.rooms.attributes.door.names(companyId, { extracted: false });
  const names = new Set(own.flatMap(({ given }) => given.map(({ name, unit }) => JSON.stringify([key(name), unit]))));
  expect(listed.map(({ name, unit }) => JSON.stringify([key(name), unit])).sort()).toEqual([...names].sort());
  for (const { name, unit, type, count } of listed) {
    const having = own.flatMap(({ given }) =>
      given.filter((fact) => key(fact.name) === key(name) && fact.unit === unit),
    );
    expect(count).toBe(having.length);
    const values = having.flatMap((fact) => fact.values).filter((value) => value.trim() !== '');
    const dates = values.filter((value) => quantity(value, unit)?.dimension === 'date').length;
    const numbers = values.filter((value) => quantity(value, unit) !== undefined).length - dates;
    expect(type).toBe(
      values.length === 0 ? 'text' : numbers === values.length ? 'number' : dates === values.length ? 'date' : 'text',
    );
  }
}

async function checkValues(store: Library, companyId: number, own: Known[], name: string): Promise<void> {
  const counts = new Map<string, number>();
  for (const { unit, values } of own.flatMap(({ given }) => given.filter((fact) => key(fact.name) === key(name)))) {
    for (const value of values)
      counts.set(JSON.stringify([value, unit]), (counts.get(JSON.stringify([value, unit])) ?? 0) + 1);
  }
  const wanted = [...counts]
    .map(([text, count]) => ({
      value: (JSON.parse(text) as string[])[0],
      unit: (JSON.parse(text) as string[])[1],
      count,
    }))
    .sort(
      (a, b) =>
        b.count - a.count ||
        Buffer.compare(Buffer.from(a.value), Buffer.from(b.value)) ||
        Buffer.compare(Buffer.from(a.unit), Buffer.from(b.unit)),
    );
  expect(
    await store.rooms.attributes.door.values(companyId, name, {
      prefix: '',
      extracted: false,
      limit: 1_000,
      offset: 0,
    }),
  ).toEqual(wanted);
  expect(
    await store.rooms.attributes.door.values(companyId, name, { prefix: '', extracted: false, limit: 2, offset: 1 }),
  ).toEqual(wanted.slice(1, 3));
  expect(
    await store.rooms.attributes.door.values(companyId, name, {
      prefix: 'R',
      extracted: false,
      limit: 1_000,
      offset: 0,
    }),
  ).toEqual(wanted.filter(({ value }) => key(value).startsWith('r')));
}

/** The contract, value by value, written without the store's help. */
function meets({ name, unit, values }: Fact, { nameKey, match }: AttributeCondition): boolean {
  if (key(name) !== nameKey) return false;
  return values.some((value) => {
    const words = terms(value, unit);
    if (match.kind === 'terms') return match.terms.every((term) => words.includes(term));
    if (match.kind === 'prefix') {
      return match.terms.every((term, i) =>
        i === match.terms.length - 1
          ? term === '' || words.some((word) => word.startsWith(term))
          : words.includes(term),
      );
    }
    if (match.kind === 'equals' && key(value) === match.key) return true;
    if (match.quantity === undefined) return false;
    return (
      match.kind === 'equals' ? [{ operator: '=', quantity: match.quantity }] : [match, ...(match.and ?? [])]
    ).every(({ operator, quantity: bound }) => {
      const found = numberBeside(value, unit, bound);
      if (found === undefined) return false;
      const [own, asked] = found;
      const same = Math.abs(own - asked) <= 1e-9 * Math.abs(asked);
      if (operator === '=') return same;
      if (operator === '<' || operator === '>') return !same && (operator === '<' ? own < asked : own > asked);
      return same || (operator === '<=' ? own < asked : own > asked);
    });
  });
}

/** What a value and a quantity are as numbers of the same unit; undefined when they do not compare. */
function numberBeside(value: string, unit: string, asked: StoredQuantity): [number, number] | undefined {
  const own = quantity(value, unit);
  if (own === undefined) return undefined;
  if (asked.dimension !== '') return own.dimension === asked.dimension ? [own.value, asked.value] : undefined;
  if (own.dimension === 'date') return undefined;
  const inUnit = quantity(String(asked.value), unit)!;
  if (inUnit.dimension === '') return [own.number!, asked.value];
  return own.dimension === inUnit.dimension ? [own.value, inUnit.value] : undefined;
}

test('the first casing of a name is listed, until no file has it', async () => {
  const store = await open(join(folder, 'casing'));
  const companyId = await store.company('acme');
  const put = (path: string, attribute: string): Promise<unknown> =>
    store.put({
      companyId,
      path,
      textOnly: false,
      kind: 'Text',
      priority: 3,
      source: Uint8Array.of(1),
      attributes: parseAttributes([attribute], key),
    });
  const names = async (): Promise<string[]> =>
    (await store.rooms.attributes.door.names(companyId, { extracted: false })).map(({ name }) => name);
  await put('a', 'MATERIAL=steel');
  await put('b', 'Material=steel');
  expect(await names()).toEqual(['MATERIAL']);
  expect((await store.files.list({ companyId, limit: 10 })).map(({ attributes }) => attributes)).toEqual([
    ['MATERIAL=steel'],
    ['Material=steel'],
  ]);
  await put('a', 'Color=red');
  expect(await names()).toEqual(['Color', 'MATERIAL']);
  await put('b', 'Color=red');
  await put('b', 'material=steel');
  expect(await names()).toEqual(['Color', 'material']);
  await store.close();
});

test('nothing is left in the index when no file is', async () => {
  const library = join(folder, 'empty');
  const store = await open(library);
  const companyId = await store.company('acme');
  for (const path of ['a', 'b', 'c']) {
    const { fileId } = await store.put({
      companyId,
      path,
      textOnly: false,
      kind: 'Text',
      priority: 3,
      source: Uint8Array.of(1),
      attributes: parseAttributes(['x=1|two', `y=${path}`], key),
    });
    await store.jobs.claim(1, { idle: true });
    await store.jobs.complete(fileId, {
      kind: 'Text',
      warnings: [],
      contentVersion: 1,
      faceCount: null,
      pageCount: 1,
      pages: [],
      extracted: [{ name: 'X', unit: 'mm', value: path }],
    });
  }
  for (const { uid } of await store.files.list({ companyId, limit: 10 })) await store.remove(companyId, uid);
  await store.close();
  const database = new Database(join(library, 'catalog.sqlite'), { readonly: true });
  for (const table of [
    'attribute',
    'extracted',
    'attribute_name',
    'attribute_value',
    'attribute_term',
    'attribute_use',
    'attribute_pairs',
  ]) {
    expect(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), table).toBe(0);
  }
  database.close();
});

test('a library of the version before is brought up to date when it is opened', async () => {
  const library = join(folder, 'old');
  const store = await open(library);
  const companyId = await store.company('acme');
  const { fileId } = await store.put({
    companyId,
    path: 'a',
    textOnly: false,
    kind: 'Text',
    priority: 3,
    source: Uint8Array.of(1),
  });
  await store.jobs.claim(1, { idle: true });
  await store.jobs.complete(fileId, {
    kind: 'Text',
    warnings: [],
    contentVersion: 1,
    faceCount: null,
    pageCount: 1,
    pages: [],
    extracted: [],
  });
  await store.close();
  // As it was written then: texts as they came, no index.
  const database = new Database(join(library, 'catalog.sqlite'));
  database.exec(`DELETE FROM setting WHERE name = 'attribute forms'`);
  const insert = database.prepare(
    'INSERT INTO attribute (file_id, position, text, name, unit, value) VALUES (?, ?, ?, ?, ?, ?)',
  );
  insert.run(fileId, 0, ' Color =red|blue', 'Color', '', 'red|blue');
  insert.run(fileId, 1, 'color=green', 'color', '', 'green');
  insert.run(fileId, 2, 'Length(mm)=25.4', 'Length', 'mm', '25.4');
  database
    .prepare('INSERT INTO extracted (file_id, position, name, unit, value) VALUES (?, 0, ?, ?, ?)')
    .run(fileId, 'Author', '', 'Ada | Bo');
  database.close();
  const again = await open(library);
  expect((await again.files.list({ companyId, limit: 1 }))[0]).toMatchObject({
    attributes: ['Color=red|blue|green', 'Length(mm)=25.4'],
    extractedAttributes: ['Author=Ada \\| Bo'],
  });
  const found = async (nameKey: string, match: AttributeCondition['match']): Promise<number[]> => [
    ...(await again.rooms.attributes.door.filesWith(companyId, { nameKey, match })),
  ];
  expect(await found('color', { kind: 'terms', terms: ['green'] })).toEqual([fileId]);
  expect(await found('length', { kind: 'equals', key: '1in', quantity: quantity('1in', '') })).toEqual([fileId]);
  expect(await found('author', { kind: 'terms', terms: ['bo'] })).toEqual([fileId]);
  await again.close();
});

test('wide ranges are the same however often they are asked, whatever changed in between', async () => {
  const store = await open(join(folder, 'wide'));
  const companyId = await store.company('acme');
  // Every number twice; with and without a unit of its own.
  const lengthOf = (i: number): number => Math.floor(i / 2) / 4;
  const files = await Promise.all(
    Array.from({ length: 1_300 }, async (_, i) => {
      const { fileId, uid } = await store.put({
        companyId,
        path: `${i}.txt`,
        textOnly: false,
        kind: 'Text',
        priority: 3,
        source: Uint8Array.of(i % 64),
        attributes: parseAttributes([`Length${i % 3 === 0 ? '' : '(mm)'}=${lengthOf(i)}`], key),
      });
      await store.jobs.complete(fileId, {
        kind: 'Text',
        warnings: [],
        contentVersion: 1,
        faceCount: null,
        pageCount: 1,
        pages: [],
        extracted: [],
      });
      return { fileId, uid, length: lengthOf(i) as number | undefined };
    }),
  );
  const check = async (): Promise<void> => {
    for (const [low, high] of [
      [5, 170],
      [10, 160],
      [0, 162.25],
      [0.25, 500],
      [100, 100],
    ] as const) {
      const found = await store.rooms.attributes.door.filesWith(companyId, {
        nameKey: 'length',
        match: {
          kind: 'compare',
          operator: '>=',
          quantity: { dimension: '', value: low },
          and: [{ operator: '<', quantity: { dimension: '', value: high } }],
        },
      });
      const wanted = files
        .filter(({ length }) => length !== undefined && length >= low && length < high)
        .map(({ fileId }) => fileId);
      expect([...found], `${low} to ${high}`).toEqual(wanted.sort((a, b) => a - b));
    }
  };
  for (let round = 0; round < 3; round++) await check();
  await store.setAttributes(companyId, files[40].uid, parseAttributes(['Length(mm)=100'], key), { replace: true });
  files[40].length = 100;
  for (let round = 0; round < 3; round++) await check();
  await store.remove(companyId, files[700].uid);
  await store.setAttributes(companyId, files[701].uid, [], { replace: true });
  files[700].length = files[701].length = undefined;
  for (let round = 0; round < 3; round++) await check();
  // Of another attribute: the numbers are what they were.
  await Promise.all(
    files
      .slice(0, 200)
      .map(({ uid }) => store.setAttributes(companyId, uid, parseAttributes(['Round=1'], key), { replace: false })),
  );
  await check();
  // A few, one by one, the same file twice among them, a value more and a unit; then many at once.
  for (const [i, texts, length] of [
    [3, ['Length(mm)=12'], 12],
    [4, ['length=150.5'], 150.5],
    [3, ['Length(mm)=161'], 161],
    [5, ['Length(in)=1'], 1],
  ] as const) {
    await store.setAttributes(companyId, files[i].uid, parseAttributes([...texts], key), { replace: true });
    files[i].length = length;
    await check();
  }
  const { fileId, uid } = await store.put({
    companyId,
    path: 'late.txt',
    textOnly: false,
    kind: 'Text',
    priority: 3,
    source: Uint8Array.of(1),
    attributes: parseAttributes(['Length=11.5|90'], key),
  });
  await check(); // It is not indexed yet.
  await store.jobs.complete(fileId, {
    kind: 'Text',
    warnings: [],
    contentVersion: 1,
    faceCount: null,
    pageCount: 1,
    pages: [],
    extracted: [{ name: 'length', unit: 'mm', value: '90' }],
  });
  files.push({ fileId, uid, length: 90 });
  await check();
  await Promise.all(
    files
      .slice(100, 400)
      .map(({ uid }, i) =>
        store.setAttributes(companyId, uid, parseAttributes([`Length=${i}`], key), { replace: true }),
      ),
  );
  files.slice(100, 400).forEach((file, i) => {
    file.length = i;
  });
  for (let round = 0; round < 3; round++) await check();
  store.rooms.attributes.remakeIndex();
  for (let round = 0; round < 3; round++) await check();
  await store.close();
});
