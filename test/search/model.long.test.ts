import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AttributeFilter, Company, Engine, FileKind, SearchQuery } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { libraries, uidOf } from './library.js';
import { runs } from '../fixtures/runs.js';

/**
 * Filters against a plain loop over records in memory: the same files, the same counts, whatever is asked and whatever
 * changed before. Words and numbers come from short lists, so that questions meet answers; what a word is, is tested
 * elsewhere.
 */
const { fresh, open } = libraries();

const WORDS = ['steel', 'plate', 'flange', 'bolt', 'Möbel', '鋼板'];
const NUMBERS = ['1', '73', '20', '25.4', '73,0', '254'];
const UNITS: Readonly<Record<string, number>> = { mm: 1, cm: 10, in: 25.4 };
const NAMES = ['Material', 'Reach', 'Part no'];

/** A file as the naive loop knows it. */
interface Naive {
  readonly uid: string;
  readonly path: string;
  readonly kind: FileKind;
  readonly text: string;
  attributes: readonly NaiveAttribute[];
}
interface NaiveAttribute {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly string[];
}
interface NaiveNumber {
  readonly measures: 'length' | '';
  readonly base: number;
  readonly written: number;
}

let engine: Engine;
let count = 0;
beforeAll(async () => {
  engine = await open(fresh());
});
afterAll(() => engine.close());

const value = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
  fc.tuple(fc.constantFrom(...NUMBERS), fc.constantFrom('', ' mm', 'in')).map(([number, unit]) => number + unit),
  fc.constantFrom('AB-73/4', 'AB-7', 'b', '---'),
);
const attribute: fc.Arbitrary<NaiveAttribute> = fc.record({
  name: fc.constantFrom(...NAMES, 'MATERIAL'),
  unit: fc.constantFrom('', '', 'mm', 'in'),
  values: fc.array(value, { minLength: 1, maxLength: 2 }),
});
const file = fc.record({
  isPart: fc.boolean(),
  words: fc.array(fc.constantFrom(...WORDS, ...NUMBERS.slice(0, 3)), { maxLength: 6 }),
  name: fc.constantFrom('', '', 'bolt ', 'plate '),
  attributes: fc.array(attribute, { maxLength: 3 }),
  size: fc.integer({ min: 1, max: 4 }),
});
const change = fc.record({
  place: fc.nat(30),
  what: fc.constantFrom('remove', 'attributes', 'again'),
  attributes: fc.array(attribute, { maxLength: 2 }),
});
const question: fc.Arbitrary<AttributeFilter> = fc
  .record({ name: fc.constantFrom(...NAMES, 'reach', 'Colour'), unit: fc.constantFrom('', '', 'mm') })
  .chain((base) =>
    fc.oneof(
      value.map((contains) => ({ ...base, contains })),
      value.map((equals) => ({ ...base, equals })),
      fc.constantFrom('ste', 'AB-7', 'b', 'mö').map((prefix) => ({ ...base, prefix })),
      fc
        .constantFrom(...NUMBERS.slice(0, 4))
        .chain((number) =>
          fc
            .constantFrom('below', 'above', 'least', 'most')
            .map((operator) => ({ ...base, [operator]: Number(number) }) as AttributeFilter),
        ),
    ),
  );
const words = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }).map((list) => list.join(' ')),
  fc.constantFrom('ste*', 'fl*', '73', '25.4', '"steel plate"', 'ab73', 'AB-73', 'mobel'),
);
const query = fc.record(
  {
    text: fc.array(words, { minLength: 1, maxLength: 2 }),
    attributes: fc.array(question, { minLength: 1, maxLength: 3 }),
    kinds: fc.subarray<FileKind>(['Text', 'ThreeD', 'Image']),
    like: fc.nat(30),
    within: fc.array(fc.nat(30)),
    asText: fc.boolean(),
  },
  { requiredKeys: ['asText'] },
);

describe('filters find what a loop over all records finds', () => {
  test('by text, attributes, kind, UID and shape, after every change', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(file, { minLength: 1, maxLength: 24 }),
        fc.array(change, { maxLength: 6 }),
        fc.array(query, { minLength: 8, maxLength: 16 }),
        async (files, changes, queries) => {
          const company = await engine.company(`model ${count++}`);
          const model = await fill(company, files);
          await ask(company, model, queries.slice(0, 4));
          for (const one of changes) await apply(company, model, one);
          await ask(company, model, queries);
        },
      ),
      { numRuns: runs(25) },
    );
  }, 600_000);

  test('several comparisons of one attribute, in whatever units, ask for one value within all of them', async () => {
    const company = await engine.company(`model ${count++}`);
    const lengths: Readonly<Record<string, string>> = {
      both: 'Reach(mm)=5|50',
      one: 'Reach(mm)=15',
      inch: 'Reach(in)=0.5|5',
      own: 'Reach=15 mm|3',
      bare: 'Reach=15',
      kilo: 'Reach(kg)=15',
    };
    for (const [path, attribute] of Object.entries(lengths))
      await company.put(`${path}.txt`, Buffer.from('nothing'), { attributes: [attribute] });
    const paths = async (...text: string[]): Promise<string> =>
      (await company.search({ text })).hits.map(({ path }) => path.slice(0, -4)).join(' ');
    expect(await paths('Reach>=10mm', 'Reach<1in')).toBe('inch one own');
    expect(await paths('Reach>=10', 'Reach<1in')).toBe('one own');
    expect(await paths('Reach<1in', 'Reach>=10', 'Reach<=15', 'Reach>1cm')).toBe('one own');
    expect(await paths('Reach>=10', 'Reach<20')).toBe('bare kilo one own');
    expect(await paths('Reach>=10', 'Reach<1kg')).toBe('');
    expect(await paths('Reach>=10', 'Reach<20kg')).toBe('kilo');
    expect(await paths('Reach>1mm', 'Reach<20kg')).toBe('');
    expect(await paths('Reach>=10mm', 'Reach<1in', 'Reach=15')).toBe('one own');
  });
});

async function fill(
  company: Company,
  files: readonly (typeof file extends fc.Arbitrary<infer T> ? T : never)[],
): Promise<Naive[]> {
  const model = files.map(
    ({ isPart, words: list, name, attributes, size }, i): Naive => ({
      uid: uidOf(i),
      path: `${name}f${i}.${isPart ? 'stl' : 'txt'}`,
      kind: isPart ? 'ThreeD' : 'Text',
      text: isPart ? String(size) : list.join(' '),
      attributes,
    }),
  );
  const records = await Promise.all(model.map((one) => put(company, one)));
  for (const { state, error } of records) if (state !== 'indexed') throw new Error(error?.message);
  return model;
}

function put(company: Company, { uid, path, kind, text, attributes }: Naive): ReturnType<Company['put']> {
  const bytes = kind === 'ThreeD' ? boxStl(10 * Number(text), 20, 30) : Buffer.from(`${text}\n`);
  return company.put(path, bytes, { uid, attributes: attributes.map(written) });
}

function written({ name, unit, values }: NaiveAttribute): string {
  return `${name}${unit === '' ? '' : `(${unit})`}=${values.join('|')}`;
}

async function apply(
  company: Company,
  model: Naive[],
  { place, what, attributes }: { place: number; what: string; attributes: NaiveAttribute[] },
): Promise<void> {
  const at = place % model.length;
  const one = model[at];
  if (one === undefined) return;
  if (what === 'attributes') {
    one.attributes = attributes;
    await company.setAttributes(one.uid, attributes.map(written));
  } else if (what === 'remove') {
    if (model.length === 1) return;
    model.splice(at, 1);
    await company.delete(one.uid);
  } else {
    model[at] = { ...one, text: one.kind === 'ThreeD' ? '5' : 'bolt steel' };
    await put(company, model[at]);
  }
}

async function ask(
  company: Company,
  model: readonly Naive[],
  queries: readonly (typeof query extends fc.Arbitrary<infer T> ? T : never)[],
): Promise<void> {
  const parts = model.filter(({ kind }) => kind === 'ThreeD');
  for (const { text, attributes, kinds, like, within, asText } of queries) {
    const input = like === undefined || parts.length === 0 ? undefined : parts[like % parts.length];
    const among = within?.map(uidOf);
    const tests = (attributes ?? []).map(expressionOf);
    const asked: SearchQuery = {
      text: [...(text ?? []), ...(asText ? tests : [])],
      attributes: asText ? [] : (attributes ?? []),
      facets: true,
      limit: 100,
      ...(kinds === undefined ? {} : { kinds }),
      ...(among === undefined ? {} : { within: among }),
      ...(input === undefined ? {} : { like: { uid: input.uid } }),
    };
    const expected = model.filter(
      (one) =>
        (text ?? []).every((expression) => holdsWords(one, expression)) &&
        together(attributes ?? []).every((asked) => holds(one, asked)) &&
        (kinds?.includes(one.kind) ?? true) &&
        (among?.includes(one.uid) ?? true) &&
        (input === undefined || one.kind === 'ThreeD'),
    );
    const { hits, total, facets } = await company.search(asked);
    const said = JSON.stringify({ asked, model }, null, 1);
    expect(hits.map(({ uid }) => uid).sort(), said).toEqual(expected.map(({ uid }) => uid).sort());
    expect(total).toBe(expected.length);
    expect(facets!.kinds).toEqual({
      Image: 0,
      TwoD: 0,
      Text: expected.filter(({ kind }) => kind === 'Text').length,
      ThreeD: expected.filter(({ kind }) => kind === 'ThreeD').length,
    });
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
    if (input === undefined && (text ?? []).length === 0)
      expect(hits.map(({ path }) => path)).toEqual(expected.map(({ path }) => path).sort());
    const pages = [
      await company.search({ ...asked, limit: 2 }),
      await company.search({ ...asked, limit: 5, offset: 2 }),
    ];
    expect(pages.flatMap((page) => page.hits.map(({ uid }) => uid))).toEqual(hits.slice(0, 7).map(({ uid }) => uid));
  }
}

/** The same question as free text. */
function expressionOf(test: AttributeFilter): string {
  const { name, unit, ...rest } = test;
  const [[operator, asked]] = Object.entries(rest);
  const start = `${name}${unit === undefined || unit === '' ? '' : `(${unit})`}`;
  const form = {
    contains: `="${asked}"`,
    equals: `=[${asked}]`,
    prefix: `=${asked}*`,
    below: `<${asked}`,
    most: `<=${asked}`,
    above: `>${asked}`,
    least: `>=${asked}`,
  }[operator]!;
  return start + form;
}

/** Comparisons of one attribute ask for one value that is within all of them; everything else stands alone. */
function together(tests: readonly AttributeFilter[]): AttributeFilter[][] {
  const groups = new Map<string, AttributeFilter[]>();
  for (const [i, asked] of tests.entries()) {
    const compares = ['below', 'above', 'least', 'most'].some((key) => key in asked);
    const key = compares ? asked.name.toLowerCase() : String(i);
    groups.set(key, [...(groups.get(key) ?? []), asked]);
  }
  return [...groups.values()];
}

function holds({ attributes }: Naive, tests: readonly AttributeFilter[]): boolean {
  return attributes
    .filter(({ name }) => name.toLowerCase() === tests[0].name.toLowerCase())
    .some(({ unit, values }) => values.some((found) => tests.every((asked) => valueHolds(found, unit, asked))));
}

function valueHolds(found: string, unit: string, test: AttributeFilter): boolean {
  const has = numberOf(found, unit);
  const numberHolds = (asked: string, compare: (a: number, b: number) => boolean): boolean => {
    const wanted = numberOf(asked, test.unit ?? '');
    if (has === undefined || wanted === undefined) return false;
    // A number without a unit is in that of the attribute, else in that of the value.
    if (wanted.measures === '')
      return unit === '' ? compare(has.written, wanted.written) : compare(has.base, wanted.written * UNITS[unit]);
    return has.measures === wanted.measures && compare(has.base, wanted.base);
  };
  const same = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
  const asked = 'contains' in test ? test.contains : 'equals' in test ? String(test.equals) : undefined;
  // A number with a unit asks for that quantity, not for its digits.
  const measured =
    asked !== undefined && test.unit !== undefined && test.unit !== '' && numberOf(asked, test.unit) !== undefined;
  if ('contains' in test)
    return (
      numberHolds(test.contains, same) ||
      (!measured &&
        (tokens(test.contains).length === 0 ? fold(found) === fold(test.contains) : hasAll(found, test.contains)))
    );
  if ('equals' in test)
    return numberHolds(String(test.equals), same) || (!measured && fold(found) === fold(String(test.equals)));
  if ('prefix' in test) {
    const wanted = tokens(test.prefix);
    return (
      wanted.slice(0, -1).every((token) => tokens(found).includes(token)) &&
      tokens(found).some((token) => token.startsWith(wanted.at(-1)!))
    );
  }
  if ('exists' in test) return true;
  if ('below' in test) return numberHolds(String(test.below), (a, b) => a < b && !same(a, b));
  if ('above' in test) return numberHolds(String(test.above), (a, b) => a > b && !same(a, b));
  if ('least' in test) return numberHolds(String(test.least), (a, b) => a >= b || same(a, b));
  return numberHolds(String(test.most), (a, b) => a <= b || same(a, b));
}

function holdsWords({ path, text, kind, attributes }: Naive, expression: string): boolean {
  const fields = [path, ...attributes.flatMap(({ values }) => values), ...(kind === 'Text' ? [text] : [])].map(tokens);
  const stands = (run: readonly string[], match: (token: string, wanted: string, last: boolean) => boolean): boolean =>
    fields.some((field) =>
      field.some((_, at) =>
        run.every((wanted, i) => field[at + i] !== undefined && match(field[at + i], wanted, i === run.length - 1)),
      ),
    );
  const equal = (token: string, wanted: string): boolean => token === wanted;
  if (expression.startsWith('"')) return stands(tokens(expression), equal);
  return expression
    .split(' ')
    .every((word) =>
      word.endsWith('*')
        ? stands(tokens(word), (token, wanted, last) => (last ? token.startsWith(wanted) : token === wanted))
        : stands(tokens(word), equal),
    );
}

function hasAll(found: string, asked: string): boolean {
  const all = tokens(found);
  return tokens(asked).every((token) => all.includes(token));
}

function tokens(text: string): string[] {
  return fold(text).match(/[a-z]+|\d+|鋼板/g) ?? [];
}

function fold(text: string): string {
  return text.toLowerCase().replaceAll('ö', 'o');
}

function numberOf(text: string, unit: string): NaiveNumber | undefined {
  const match = /^(\d+(?:[.,]\d+)?) ?(mm|in)?$/.exec(text);
  if (match === null) return undefined;
  const number = Number(match[1].replace(',', '.'));
  const own = match[2] ?? unit;
  return own === ''
    ? { measures: '', base: number, written: number }
    : { measures: 'length', base: number * UNITS[own], written: number };
}
