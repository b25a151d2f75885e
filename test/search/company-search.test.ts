import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Company, Engine, SearchQuery } from '../../dist/index.js';
import { parseFilter } from '../../dist/http/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { codeOf, libraries, uidOf } from './library.js';

const { fresh, open } = libraries();
let engine: Engine;
let company: Company;
let screws: number;
let plates: number;
const library = fresh();

/** Paths of the hits. */
async function found(query: SearchQuery, of: Company = company): Promise<string[]> {
  return (await of.search(query)).hits.map(({ path }) => path);
}

beforeAll(async () => {
  engine = await open(library);
  company = await engine.company('acme');
  screws = (await company.categories.add('Screws')).id;
  plates = (await company.categories.add('Plates', { parentId: screws })).id;
  const puts: [string, Uint8Array, string[], number | null, boolean?][] = [
    ['a/long.stl', boxStl(10, 10, 40), ['Material=Stainless steel|Brass', 'Grip(in)=1'], screws],
    ['a/cube.stl', boxStl(20, 20, 20), ['Material=Steel', 'Grip(mm)=73,0', 'Note=weight=3 & "more"'], plates],
    ['b/flat.stl', boxStl(2, 60, 60), ['Material=Aluminium', 'Grip(mm)=25.4'], plates],
    ['b/words only.stl', boxStl(20, 20, 20), ['Material=Steel'], null, true],
    [
      'c/order.txt',
      Buffer.from('Order of 73.0 flanges AB-123/4 in stainless steel\nand a Möbel'),
      ['Customer=Ünal'],
      null,
    ],
    ['c/note.txt', Buffer.from('73,0 bolts; steel steel steel steel'), [], screws],
  ];
  for (const [i, [path, bytes, attributes, categoryId, textOnly]] of puts.entries()) {
    const { state, error } = await company.put(path, bytes, {
      attributes,
      uid: uidOf(i),
      categoryId,
      textOnly: textOnly ?? false,
    });
    expect([state, error]).toEqual(['indexed', null]);
  }
});
afterAll(() => engine.close());

describe('words', () => {
  test('rank by how much of a file they are, with a score from 0 on and where they stand', async () => {
    const { hits, total, inputs } = await company.search({ text: 'steel' });
    expect(total).toBe(5);
    expect(hits.map(({ path }) => path).sort()).toEqual([
      'a/cube.stl',
      'a/long.stl',
      'b/words only.stl',
      'c/note.txt',
      'c/order.txt',
    ]);
    expect(inputs).toEqual([]);
    for (const hit of hits) {
      expect(hit.score).toBeGreaterThan(0);
      expect(hit).toMatchObject({ similarity: null, matchClass: null });
      expect(hit.transform).toBeUndefined();
      const [{ snippet, ranges, field }] = hit.textHighlights;
      expect(field).toBe(hit.kind === 'Text' ? 'text' : 'attribute');
      expect(snippet.slice(ranges[0].start, ranges[0].end).toLowerCase()).toBe('steel');
    }
    expect(hits.findIndex(({ path }) => path === 'c/note.txt')).toBeLessThan(
      hits.findIndex(({ path }) => path === 'c/order.txt'),
    );
    expect(hits.find(({ path }) => path === 'c/note.txt')).toMatchObject({
      kind: 'Text',
      volumeMm3: null,
      bboxVolumeMm3: null,
      bboxSizeMm: null,
      surfaceAreaMm2: null,
      categoryId: screws,
    });
    expect(hits.find(({ path }) => path === 'a/cube.stl')).toMatchObject({ kind: 'ThreeD', categoryId: plates });
  });

  test('are found in pages that never overlap, and narrowed by all other filters', async () => {
    const all = await found({ text: 'steel' });
    expect([
      ...(await found({ text: 'steel', limit: 2 })),
      ...(await found({ text: 'steel', limit: 3, offset: 2 })),
    ]).toEqual(all);
    expect((await found({ text: 'steel', kinds: ['Text'] })).sort()).toEqual(['c/note.txt', 'c/order.txt']);
    expect(await found({ text: 'steel', categories: [screws], kinds: ['ThreeD'] })).toEqual(['a/long.stl']);
    expect(await found({ text: 'steel', within: [uidOf(4), uidOf(99), uidOf(2).toUpperCase()] })).toEqual([
      'c/order.txt',
    ]);
    expect(await found({ text: ['ab123', 'mobel', '"stainless steel"'] })).toEqual(['c/order.txt']);
    expect(await found({ text: 'ab123 bolts' })).toEqual([]);
  });

  test('of which several files have as many come by UID, page by page', async () => {
    const ties = await engine.company('ties');
    for (let i = 39; i >= 0; i--)
      await ties.put(`${(7 * i) % 40}.txt`, Buffer.from(`twin ${i % 2 === 0 ? 'even' : 'odd odd odd'}`), {
        uid: uidOf(i),
      });
    const uidsOf = async (query: SearchQuery): Promise<string[]> =>
      (await ties.search(query)).hits.map(({ uid }) => uid);
    const even = Array.from({ length: 20 }, (_, i) => uidOf(2 * i)),
      odd = Array.from({ length: 20 }, (_, i) => uidOf(2 * i + 1));
    for (const query of [{ text: 'twin' }, { text: 'twin', kinds: ['Text'] }] satisfies SearchQuery[]) {
      expect(await uidsOf({ ...query, limit: 100 })).toEqual([...even, ...odd]);
      const pages = await Promise.all([0, 7, 14, 21, 28, 35].map((offset) => uidsOf({ ...query, limit: 7, offset })));
      expect(pages.flat()).toEqual([...even, ...odd]);
    }
  });

  test('that are numbers match in all their forms unless the company wants it otherwise', async () => {
    expect((await found({ text: '73' })).sort()).toEqual(['a/cube.stl', 'c/note.txt', 'c/order.txt']);
    expect((await found({ text: '73.00' })).sort()).toEqual(['a/cube.stl', 'c/note.txt', 'c/order.txt']);
    await company.settings.set({ useNumericTextSearch: false });
    expect((await found({ text: '73.0' })).sort()).toEqual(['a/cube.stl', 'c/note.txt', 'c/order.txt']);
    expect(await found({ text: '73.00' })).toEqual([]);
    expect(await found({ text: 'Grip=73.00' })).toEqual(['a/cube.stl']);
    await company.settings.set({ useNumericTextSearch: true });
  });

  test('are looked for in names and attributes alone where the company wants it so', async () => {
    await company.settings.set({ usesFileTextForSearch: false });
    try {
      const { hits } = await company.search({ text: 'steel' });
      expect(hits.map(({ path }) => path).sort()).toEqual(['a/cube.stl', 'a/long.stl', 'b/words only.stl']);
      expect(
        hits
          .flatMap(({ textHighlights }) => textHighlights.map(({ field }) => field))
          .filter((field) => field === 'text'),
      ).toEqual([]);
      expect(await found({ text: 'note' })).toEqual(['c/note.txt']);
      expect(await found({ text: 'words*' })).toEqual(['b/words only.stl']);
      expect(await found({ text: '73.0' })).toEqual(['a/cube.stl']);
    } finally {
      await company.settings.set({ usesFileTextForSearch: true });
    }
  });
});

describe('attributes', () => {
  test.each<[string, string[]]>([
    ['Material=steel', ['a/cube.stl', 'a/long.stl', 'b/words only.stl']],
    ['material=[STEEL]', ['a/cube.stl', 'b/words only.stl']],
    ['Material=[brass]', ['a/long.stl']],
    ['Material=steel brass', []],
    ['Material=stain*', ['a/long.stl']],
    ['Material=*', ['a/cube.stl', 'a/long.stl', 'b/flat.stl', 'b/words only.stl']],
    ['Grip=1in', ['a/long.stl', 'b/flat.stl']],
    ['Grip=[25.4mm]', ['a/long.stl', 'b/flat.stl']],
    ['Grip(mm)=25.4', ['a/long.stl', 'b/flat.stl']],
    ['Grip(cm)=2,54', ['a/long.stl', 'b/flat.stl']],
    ['Grip=73', ['a/cube.stl']],
    ['Grip=[73.00]', ['a/cube.stl']],
    ['Grip=1', ['a/long.stl']],
    ['Grip>20', ['a/cube.stl', 'b/flat.stl']],
    ['Grip<30mm', ['a/long.stl', 'b/flat.stl']],
    ['Grip>=73mm', ['a/cube.stl']],
    ['Grip>1in', ['a/cube.stl']],
    ['Grip<=25.4mm', ['a/long.stl', 'b/flat.stl']],
    ['Note="weight=3"', ['a/cube.stl']],
    ['Note=[weight=3 & "more"]', ['a/cube.stl']],
    ['Customer=unal', ['c/order.txt']],
    ['Colour=red', []],
  ])('%s finds %j, by path', async (text, paths) => {
    const { hits, total } = await company.search({ text });
    expect(hits.map(({ path }) => path)).toEqual(paths);
    expect(total).toBe(paths.length);
    for (const hit of hits) {
      expect(hit).toMatchObject({ score: 0, similarity: null, matchClass: null });
      const name = text.split(/[(=<>]/)[0];
      expect(
        hit.textHighlights.map(({ field, snippet }) => [field, snippet.slice(0, name.length).toLowerCase()]),
      ).toContainEqual(['attribute', name.toLowerCase()]);
    }
  });

  test('are highlighted where they are what was asked for, beside words and by themselves', async () => {
    const marked = async (query: SearchQuery): Promise<string[][]> =>
      (await company.search(query)).hits.map(({ textHighlights }) =>
        textHighlights.map(
          ({ field, snippet, ranges }) =>
            `${field} ${[...ranges].reverse().reduce((whole, { start, end }) => `${whole.slice(0, start)}<${whole.slice(start, end)}>${whole.slice(end)}`, snippet)}`,
        ),
      );
    expect(await marked({ text: 'material=STAIN*' })).toEqual([['attribute Material=<Stainless> steel']]);
    expect(await marked({ text: 'Material=[stainless steel|brass]' })).toEqual([
      ['attribute Material=<Stainless steel>', 'attribute Material=<Brass>'],
    ]);
    expect(await marked({ text: 'Grip<30mm' })).toEqual([['attribute Grip(in)=<1>'], ['attribute Grip(mm)=<25.4>']]);
    expect(
      await marked({
        attributes: [
          { name: 'grip', equals: '1in' },
          { name: 'Material', exists: true },
        ],
      }),
    ).toEqual([
      ['attribute Material=<Stainless steel>', 'attribute Material=<Brass>', 'attribute Grip(in)=<1>'],
      ['attribute Material=<Aluminium>', 'attribute Grip(mm)=<25.4>'],
    ]);
    expect(await marked({ text: ['long', 'Material=steel'] })).toEqual([
      ['text <long>', 'attribute Material=Stainless <steel>', 'name a/<long>.stl'],
    ]);
    expect(await marked({ text: ['steel', 'Note=weight'] })).toEqual([
      ['attribute Material=<Steel>', 'attribute Note=<weight>=3 & "more"'],
    ]);
    expect(await marked({ text: 'Material=brass', highlights: false })).toEqual([[]]);
    expect(await marked({ like: { uid: uidOf(1) }, text: 'Grip=73' })).toEqual([['attribute Grip(mm)=<73,0>']]);
    expect(await marked({ kinds: ['Text'] })).toEqual([[], []]);
    const parts = await engine.company('marked parts');
    await parts.put('p.txt', Buffer.from('nothing'), { attributes: ['Part=rev AB-123/4', 'Note='] });
    const [hit] = (await parts.search({ text: ['Part=ab1234', 'Note=[]'] })).hits;
    expect(hit.textHighlights).toMatchObject([
      { field: 'attribute', page: null, snippet: 'Part=rev AB-123/4', ranges: [{ start: 9, end: 17 }], boxes: [] },
    ]);
  });

  test('with several values are found by any of them, by all of them in any order, and never by one that is missing', async () => {
    const colors = await engine.company('colors');
    const values = ['red', 'red|blue', 'blue|green|red', 'red\\|blue', 'light red|blue'];
    for (const [i, value] of values.entries())
      await colors.put(`${i}.txt`, Buffer.from('nothing'), { attributes: [`Color=${value}`] });
    const places = async (text: string): Promise<string> =>
      (await found({ text }, colors)).map((path) => path[0]).join('');
    expect(await places('Color=[red]')).toBe('012');
    for (const text of ['Color=[red|blue]', 'color=[BLUE|Red]', 'Color=[red|blue|red]'])
      expect(await places(text), text).toBe('12');
    expect(await places('Color=[red|green|blue]')).toBe('2');
    expect(await places('Color=[red|blue|yellow]')).toBe('');
    expect(await places('Color=red|blue')).toBe('1234');
    expect(await places('Color=light|blue')).toBe('4');
    expect(await places('Color=gr*|[red]')).toBe('2');
    // A bar that belongs to the value is written as in the attribute; an object holds one value as it is.
    expect(await places('Color=[red\\|blue]')).toBe('3');
    expect(await places('Color="red|blue"')).toBe('3');
    expect(await found({ attributes: [{ name: 'Color', equals: 'red|blue' }] }, colors)).toEqual(['3.txt']);
    expect(
      await found(
        {
          attributes: [
            { name: 'Color', equals: 'red' },
            { name: 'Color', equals: 'blue' },
          ],
        },
        colors,
      ),
    ).toEqual(['1.txt', '2.txt']);
    // What a record shows finds the file again.
    for (const [i] of values.entries()) {
      const [attribute] = (await colors.find(`${i}.txt`))!.attributes;
      expect(await places(`${attribute.replace('=', '=[')}]`)).toContain(String(i));
    }
    const many = Array.from({ length: 129 }, (_, i) => `v${i}`).join('|');
    expect(await codeOf(colors.search({ text: `Color=[${many}]` }))).toBe('QUERY_INVALID');
  });

  test('are found by part numbers however they are divided, as free text is', async () => {
    const parts = await engine.company('parts');
    const values = ['AB-123/4', 'ab1234 rev 2', 'AB-12/34', 'AB-124', '12.5', '1.25', 'steel'];
    for (const [i, value] of values.entries())
      await parts.put(`${i}.txt`, Buffer.from('nothing'), { attributes: [`Part=${value}`] });
    const same = ['0.txt', '1.txt', '2.txt'];
    for (const text of ['Part=ab1234', 'Part=AB-123/4', 'Part=ab.1234', 'Part=ab123*', 'Part=AB-1-2-3*'])
      expect(await found({ text }, parts), text).toEqual(same);
    expect(await found({ text: 'Part=[ab1234]' }, parts)).toEqual([]);
    expect(await found({ text: 'Part=rev AB-123/4' }, parts)).toEqual(['1.txt']);
    expect(await found({ text: 'Part=ab12*' }, parts)).toEqual([...same, '3.txt']);
    expect(await found({ text: 'Part=AB-12' }, parts)).toEqual(['2.txt']);
    expect(await found({ text: 'Part=12,5' }, parts)).toEqual(['4.txt']);
    expect(await found({ text: 'Part=125' }, parts)).toEqual([]);
    expect((await found({ text: 'ab1234' }, parts)).sort()).toEqual(same);
    // One of few is checked by itself.
    expect(await found({ text: ['Part=ab1234', 'Part=rev'] }, parts)).toEqual(['1.txt']);
    expect((await parts.attributeValues('Part')).map(({ value }) => value).sort()).toEqual([...values].sort());
  });

  test('are asked for as objects as well as in words', async () => {
    const dated = await engine.company('dated');
    for (const [i, attributes] of [
      ['Drawn=2023-12-31', 'Grip(mm)=20'],
      ['Drawn=2024-05-31', 'Grip(mm)=30'],
      ['Grip=1 in'],
    ].entries())
      await dated.put(`${i}.txt`, Buffer.from('nothing'), { attributes });
    const ask = (attributes: SearchQuery['attributes']): Promise<string[]> => found({ attributes }, dated);
    expect(await ask([{ name: 'drawn', exists: true }])).toEqual(['0.txt', '1.txt']);
    expect(await ask([{ name: 'Drawn', above: '2024-01-01' }])).toEqual(['1.txt']);
    expect(await ask([{ name: 'Grip', most: '1in' }])).toEqual(['0.txt', '2.txt']);
    expect(
      await ask([
        { name: 'Grip', least: '1', unit: 'in' },
        { name: 'Grip', below: 30 },
      ]),
    ).toEqual(['2.txt']);
  });

  test('that a file states about itself are found too', async () => {
    const { extractedAttributes } = await company.get(uidOf(1));
    expect(extractedAttributes.length).toBeGreaterThan(0);
    const [name, value] = [
      extractedAttributes[0].slice(0, extractedAttributes[0].indexOf('=')),
      extractedAttributes[0].slice(extractedAttributes[0].indexOf('=') + 1),
    ];
    expect(await found({ text: `${name}=[${value}]` })).toContain('a/cube.stl');
  });

  test('are found as they are after a change', async () => {
    await company.setAttributes(uidOf(2), ['Material=Titanium']);
    expect(await found({ text: 'Material=titanium' })).toEqual(['b/flat.stl']);
    expect(await found({ text: 'titanium' })).toEqual(['b/flat.stl']);
    expect(await found({ text: 'Grip<30' })).toEqual(['a/long.stl']);
    await company.setAttributes(uidOf(2), ['Material=Aluminium', 'Grip(mm)=25.4']);
    expect(await found({ text: 'titanium' })).toEqual([]);
    expect(await found({ text: 'Grip<30' })).toEqual(['a/long.stl', 'b/flat.stl']);
  });
});

describe('a shape', () => {
  const like = { uid: uidOf(1) };

  test('ranks what words, attributes, kinds and categories let through', async () => {
    const all = await company.search({ like });
    expect(all.hits.map(({ path }) => path)[0]).toBe('a/cube.stl');
    expect(all.total).toBe(3);
    expect(await found({ like, text: 'steel' })).toEqual(['a/cube.stl', 'a/long.stl']);
    expect(await found({ like, text: ['Grip<30mm'] })).toEqual(
      all.hits.map(({ path }) => path).filter((path) => path !== 'a/cube.stl'),
    );
    expect(await found({ like, attributes: [{ name: 'Grip', most: 3, unit: 'cm' }], categories: [plates] })).toEqual([
      'b/flat.stl',
    ]);
    expect(await found({ like, kinds: ['Text'] })).toEqual([]);
    expect((await found({ like, kinds: ['ThreeD', 'Text'] })).length).toBe(3);
    const {
      hits: [hit],
    } = await company.search({ like, text: 'steel' });
    expect(hit).toMatchObject({ matchClass: 'identical', score: 0, similarity: 100 });
    expect(hit.textHighlights[0].snippet).toContain('Steel');
  });

  test('takes a filter text as its query', async () => {
    expect(await found(parseFilter(`fileUID=${like.uid}&FT=Material%3Dsteel&resultFileType=threed&v=.1`))).toEqual([
      'a/cube.stl',
    ]);
    expect(await found(parseFilter('FT=Material%3Dsteel&resultFileType=threed'))).toEqual([
      'a/cube.stl',
      'a/long.stl',
      'b/words only.stl',
    ]);
  });

  test('is what size tolerances are about: without one they say nothing', async () => {
    expect(await found({ text: 'Material=steel', volume: '0' })).toEqual([
      'a/cube.stl',
      'a/long.stl',
      'b/words only.stl',
    ]);
  });

  test('is missing where it was not wanted', async () => {
    expect(await codeOf(company.search({ like: { uid: uidOf(3) } }))).toBe('NO_GEOMETRY');
    expect(await codeOf(company.search({ like: { uid: uidOf(4) } }))).toBe('NO_GEOMETRY');
  });
});

describe('counts of what was found', () => {
  test('by kind and category, whatever the limit', async () => {
    expect((await company.search({ text: 'steel' })).facets).toBeUndefined();
    expect((await company.search({ text: 'steel', facets: true, limit: 1 })).facets).toEqual({
      kinds: { Image: 0, ThreeD: 3, TwoD: 0, Text: 2 },
      categories: [
        { categoryId: screws, count: 2 },
        { categoryId: plates, count: 1 },
        { categoryId: null, count: 2 },
      ],
    });
    expect((await company.search({ kinds: ['ThreeD'], facets: true, offset: 9 })).facets).toEqual({
      kinds: { Image: 0, ThreeD: 4, TwoD: 0, Text: 0 },
      categories: [
        { categoryId: screws, count: 1 },
        { categoryId: plates, count: 2 },
        { categoryId: null, count: 1 },
      ],
    });
    expect((await company.search({ like: { uid: uidOf(1) }, facets: true })).facets).toEqual({
      kinds: { Image: 0, ThreeD: 3, TwoD: 0, Text: 0 },
      categories: [
        { categoryId: screws, count: 1 },
        { categoryId: plates, count: 2 },
      ],
    });
    expect((await company.search({ text: 'nowhere', facets: true })).facets).toEqual({
      kinds: { Image: 0, ThreeD: 0, TwoD: 0, Text: 0 },
      categories: [],
    });
  });

  test('categories are asked for by id, or by having none', async () => {
    expect(await found({ categories: [screws] })).toEqual(['a/long.stl', 'c/note.txt']);
    expect(await found({ categories: [null] })).toEqual(['b/words only.stl', 'c/order.txt']);
    expect(await found({ categories: [plates, -1], kinds: ['ThreeD'] })).toEqual([
      'a/cube.stl',
      'b/flat.stl',
      'b/words only.stl',
    ]);
    expect(await found({ categories: [99] })).toEqual([]);
    expect(await found({ categories: [] })).toEqual([]);
  });
});

test('one company finds nothing of another', async () => {
  const other = await engine.company('other');
  await other.put('theirs.txt', Buffer.from('stainless steel of others'), { attributes: ['Material=Steel'] });
  expect(await found({ text: 'steel' }, other)).toEqual(['theirs.txt']);
  expect(await found({ text: 'Material=steel' }, other)).toEqual(['theirs.txt']);
  expect(await found({ categories: [screws] }, other)).toEqual([]);
  expect(await found({ categories: [null] }, other)).toEqual(['theirs.txt']);
  expect(await found({ text: 'Material=steel' })).not.toContain('theirs.txt');
  expect((await company.search({ categories: [null], facets: true })).total).toBe(2);
});

test('a few files are checked one by one against what most have, many are listed: with the same outcome', async () => {
  const many = await engine.company('many');
  await Promise.all(
    Array.from({ length: 120 }, (_, i) =>
      many.put(`${i % 4}/f${i}.txt`, Buffer.from(`common words${i % 2 === 0 ? ' even' : ''} and number${i}`), {
        attributes: ['Material=Steel', `Size(mm)=${i}`, ...(i % 60 === 0 ? ['Rare=yes'] : [])],
      }),
    ),
  );
  const rare = ['0/f0.txt', '0/f60.txt'];
  expect(await found({ text: ['Rare=yes', 'Material=steel'] }, many)).toEqual(rare);
  expect((await found({ text: ['Rare=yes', 'Material=steel', 'common even'] }, many)).sort()).toEqual(rare);
  expect(await found({ text: ['Size=60mm', 'Material=[steel]', 'Size>=0'], kinds: ['Text'] }, many)).toEqual([
    '0/f60.txt',
  ]);
  expect((await many.search({ text: ['Material=steel', 'Size<100'], limit: 1, facets: true })).facets?.kinds.Text).toBe(
    100,
  );
  const expected = Array.from({ length: 120 }, (_, i) => `${i % 4}/f${i}.txt`).sort();
  expect(await found({ text: 'Material=steel', limit: 200 }, many)).toEqual(expected);
  // Of many files a page is met on a walk by path, at the end they are sorted.
  expect(await found({ text: 'Material=steel', limit: 7, offset: 3 }, many)).toEqual(expected.slice(3, 10));
  expect(await found({ text: 'Material=steel', limit: 7, offset: 117 }, many)).toEqual(expected.slice(117));
});

test('after the library was opened again everything is found as before', async () => {
  const queries: SearchQuery[] = [
    { text: 'steel', facets: true },
    { text: 'Material=steel', facets: true },
    { like: { uid: uidOf(1) }, text: 'steel' },
    { kinds: ['Text'], categories: [null] },
  ];
  const answers = async (): Promise<unknown[]> =>
    Promise.all(queries.map(async (query) => ({ ...(await company.search(query)), elapsedMs: 0 })));
  const before = await answers();
  await engine.close();
  engine = await open(library);
  company = await engine.company('acme');
  expect(await answers()).toEqual(before);
});

test('a deleted file, and one that was replaced by what cannot be read, are found no more', async () => {
  await company.put('c/gone.txt', Buffer.from('ephemeral steel'), {
    uid: uidOf(50),
    attributes: ['Material=Ephemeral'],
  });
  await company.put('c/broken.txt', Buffer.from('ephemeral text'), { uid: uidOf(51) });
  expect((await found({ text: 'ephemeral' })).sort()).toEqual(['c/broken.txt', 'c/gone.txt']);
  await company.delete(uidOf(50));
  await company.put('c/broken.txt', Uint8Array.of(0, 1, 2, 3, 255, 254, 0, 9), { uid: uidOf(51) });
  expect((await company.get(uidOf(51))).state).toBe('failed');
  expect(await found({ text: 'ephemeral' })).toEqual([]);
  expect(await found({ text: 'Material=ephemeral' })).toEqual([]);
  expect((await found({ kinds: ['Text'] })).sort()).toEqual(['c/note.txt', 'c/order.txt']);
});
