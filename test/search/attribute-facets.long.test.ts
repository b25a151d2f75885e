import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Company, Engine, FileRecord, SearchQuery } from '../../dist/index.js';
import { stepFile } from '../fixtures/step-writer.js';
import { libraries } from './library.js';

const { fresh, open } = libraries();
const FILES = 510;
let engine: Engine;
let company: Company;
let records: FileRecord[];

beforeAll(async () => {
  engine = await open(fresh());
  company = await engine.company('acme');
  const puts = Array.from({ length: FILES }, (_, i) =>
    company.put(`${i}.txt`, Buffer.from(`note ${i % 5 === 0 ? 'rare' : 'common'} ${i}`), {
      wait: false,
      attributes: [
        `Material=${i % 3 === 0 ? 'Steel' : i % 3 === 1 ? 'steel|Brass' : 'Aluminium'}`,
        `Number=${i}`,
        ...(i % 7 === 0 ? ['Length(mm)=20', 'Length(in)=1'] : []),
      ],
    }),
  );
  await Promise.all(puts);
  await engine.idle();
  records = await company.list({ limit: 2 * FILES });
});
afterAll(() => engine.close());

async function countsOf(query: SearchQuery): Promise<Record<string, number>> {
  const { facets } = await company.search({ ...query, facets: true, attributeFacets: true, limit: 1 });
  return Object.fromEntries(
    (facets?.attributes ?? []).flatMap(({ name, unit, values }) =>
      values.map(({ value, count }) => [`${name}(${unit})=${value.toLowerCase()}`, count]),
    ),
  );
}

/** Counted file by file. */
function naive(files: readonly FileRecord[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { attributes } of files) {
    for (const attribute of attributes) {
      const [, name, unit = '', values] = /^(\w+)(?:\((\w+)\))?=(.*)$/.exec(attribute)!;
      if (name === 'Number') continue; // All different: it groups nothing.
      for (const value of new Set(values.toLowerCase().split('|')))
        counts[`${name}(${unit})=${value}`] = (counts[`${name}(${unit})=${value}`] ?? 0) + 1;
    }
  }
  return counts;
}

test('values of attributes are counted exactly, among many files and among few', async () => {
  expect(records.length).toBe(FILES);
  const ofText = await countsOf({ kinds: ['Text'] });
  expect(ofText).toMatchObject(naive(records));
  expect(Object.keys(ofText).filter((name) => name.startsWith('Number'))).toEqual([]);
  const rare = records.filter(({ path }) => parseInt(path, 10) % 5 === 0);
  expect(rare.length).toBeLessThan(500);
  expect(await countsOf({ text: 'rare' })).toMatchObject(naive(rare));
  expect(await countsOf({ text: 'rare', attributes: [{ name: 'Material', equals: 'Brass' }] })).toMatchObject(
    naive(rare.filter(({ attributes }) => attributes[0].includes('Brass'))),
  );
});

test('many numbers are told as a range, of few files and of many, and both bounds narrow a search', async () => {
  const rangeOf = async (query: SearchQuery) => {
    const { facets } = await company.search({ ...query, facets: true, attributeFacets: true, limit: 1 });
    return facets?.attributes?.find(({ name }) => name === 'Number');
  };
  expect(await rangeOf({ text: 'rare' })).toEqual({
    name: 'Number',
    unit: '',
    values: [],
    range: { least: 0, most: 505 },
  });
  expect(await rangeOf({ kinds: ['Text'] })).toEqual({
    name: 'Number',
    unit: '',
    values: [],
    range: { least: 0, most: 509 },
  });
  const bounded: SearchQuery = {
    kinds: ['Text'],
    attributes: [
      { name: 'Number', least: 100 },
      { name: 'Number', most: 119.5 },
    ],
  };
  expect((await company.search(bounded)).total).toBe(20);
  expect(await rangeOf(bounded)).toMatchObject({ range: { least: 100, most: 119 } });
});

test('they are counted where they are asked for alone', async () => {
  expect((await company.search({ kinds: ['Text'], facets: true })).facets).not.toHaveProperty('attributes');
  expect((await company.search({ kinds: ['Text'], attributeFacets: true })).facets).toBeUndefined();
  await expect(company.search({ kinds: ['Text'], attributeFacets: 'yes' as unknown as boolean })).rejects.toThrow(
    'query.attributeFacets must be true or false, received yes',
  );
});

test('what programs wrote of themselves comes after what tells of the part, and numbers rise', async () => {
  const beta = await engine.company('beta');
  for (let i = 0; i < 4; i++)
    await beta.put(
      `${i}.step`,
      stepFile({ parts: [{ name: 'Block', shape: { kind: 'box', x: 20, y: 20, z: 20 + i } }] }),
      {
        attributes: [`Teeth=${[9, 9, 10, 10][i]}`],
      },
    );
  const { facets } = await beta.search({ kinds: ['ThreeD'], facets: true, attributeFacets: true });
  const names = facets!.attributes!.map(({ name }) => name);
  const isOfProgram = (name: string): boolean =>
    ['Author', 'Preprocessor', 'Schema', 'Originating system', 'Time stamp'].includes(name);
  const first = names.findIndex(isOfProgram);
  expect(first).toBeGreaterThan(0);
  expect(names.slice(first).filter((name) => !isOfProgram(name))).toEqual([]);
  expect(names.slice(0, first)).toEqual(expect.arrayContaining(['Teeth', 'Product name']));
  expect(facets!.attributes!.find(({ name }) => name === 'Teeth')!.values.map(({ value }) => value)).toEqual([
    '9',
    '10',
  ]);
});
