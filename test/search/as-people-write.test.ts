import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Company, Engine, SearchQuery } from '../../dist/index.js';
import { pdf, textAt } from '../fixtures/pdf-writer.js';
import { codeOf, libraries } from './library.js';

const { fresh, open } = libraries();
let engine: Engine;
let company: Company;

beforeAll(async () => {
  engine = await open(fresh());
  company = await engine.company('acme');
  const noise = Uint8Array.from({ length: 2_000 }, (_, i) => (i * 7919) % 256);
  const lines = ['The lubri-', 'cation of the gear-', 'box; an over-', 'Loaded one.', 'SAFE-', 'TY first'];
  const files: [string, Uint8Array, string[]?][] = [
    [
      'broken.txt',
      Buffer.from(
        'Die Verbin-\r\ndungs-\nleitung und die Müller-\nLüdenscheid AG, see page-  \n ten; a well-known trans\u00ad\nmission. 10-\n20',
      ),
    ],
    ['broken.pdf', pdf([{ content: lines.map((line, i) => textAt(line, 60, 700 - 14 * i)).join('') }])],
    ['marks.txt', Buffer.from('Größe Straße Ångström œuvre Łódź Ærø naïve')],
    ['signs.txt', Buffer.from('part AB-123/4 of the list')],
    ['blank.txt', Buffer.from('part AB 1234 of the list')],
    ['piece.txt', Buffer.from('part ab1234 of the list')],
    ['dots.txt', Buffer.from('part AB.12_34 of the list')],
    [
      'sized.txt',
      Buffer.from('sized'),
      ['Length(mm)=25.4', 'Weight=2 kg', 'Material=Steel', 'Made=2024-05-31', 'Pieces=12'],
    ],
    ['noise.xyz', noise],
    ['noise', noise],
    ['noise.stl', noise],
    ['noise.dxf', noise],
    ['noise.png', noise],
  ];
  for (const [path, bytes, attributes = []] of files) await company.put(path, bytes, { attributes });
});
afterAll(() => engine.close());

async function found(query: SearchQuery): Promise<string[]> {
  return (await company.search(query)).hits.map(({ path }) => path).sort();
}

describe('words that a hyphen breaks at the end of a line', () => {
  test.each([
    'Verbindungsleitung',
    'verbindungsl*',
    'verbi*',
    'Verbin',
    'dungs',
    'leitung',
    'pageten',
    'page',
    'ten',
    'transmission',
    'trans',
    'mission',
    'well-known',
    'known',
    'Müller-Lüdenscheid',
  ])('%s is found', async (text) => {
    expect(await found({ text })).toContain('broken.txt');
  });

  test.each(['lubrication', 'gearbox', 'cation', 'gear', 'box', 'over', 'loaded', 'safety'])(
    '%s is found in a PDF',
    async (text) => {
      expect(await found({ text })).toContain('broken.pdf');
    },
  );

  test.each(['MüllerLüdenscheid', 'wellknown', 'overloaded', '1020', 'dungsleitung', 'Verbindungs'])(
    '%s is none',
    async (text) => {
      expect(await found({ text })).toEqual([]);
    },
  );

  test('are shown from their beginning to their end', async () => {
    const [
      {
        textHighlights: [{ snippet, ranges, boxes }],
      },
    ] = (await company.search({ text: 'lubrication' })).hits;
    expect(ranges.map(({ start, end }) => snippet.slice(start, end))).toEqual(['lubri- cation']);
    expect(boxes).toHaveLength(2);
  });
});

test.each([
  ['größe', true],
  ['GRÖSSE', true],
  ['grosse', true],
  ['große', true],
  ['groesse', false],
  ['strasse', true],
  ['angstrom', true],
  ['oeuvre', true],
  ['lodz', true],
  ['aero', true],
  ['aro', false],
  ['naive', true],
])('%s: of a letter with a mark the mark is left out, nothing is put in its place', async (text, isFound) => {
  expect(await found({ text })).toEqual(isFound ? ['marks.txt'] : []);
});

test.each([
  ['AB-123/4', ['dots.txt', 'piece.txt', 'signs.txt']],
  ['ab1234', ['blank.txt', 'dots.txt', 'piece.txt', 'signs.txt']],
  ['AB_1234', ['blank.txt', 'dots.txt', 'piece.txt', 'signs.txt']],
  ['AB 1234', ['blank.txt', 'piece.txt']],
  ['"AB 1234"', ['blank.txt', 'piece.txt']],
  ['AB 123', ['signs.txt']],
  ['ab123', ['signs.txt']],
  ['AB-12', ['dots.txt']],
  ['ab12*', ['blank.txt', 'dots.txt', 'piece.txt', 'signs.txt']],
])('the part number %s', async (text, paths) => {
  expect(await found({ text })).toEqual(paths);
});

describe('what is compared in another unit', () => {
  test.each([
    ['Length>2kg', '"Length>2kg" asks for quantities of mass; the values of "Length" are quantities of length.'],
    ['Length(kg)<=2', '"Length(kg)<=2" asks for quantities of mass; the values of "Length" are quantities of length.'],
    ['length=2kg', '"length=2kg" asks for quantities of mass; the values of "length" are quantities of length.'],
    ['Weight<30mm', '"Weight<30mm" asks for quantities of length; the values of "Weight" are quantities of mass.'],
    ['Made>5mm', '"Made>5mm" asks for quantities of length; the values of "Made" are dates.'],
    ['Length>2024-05-31', '"Length>2024-05-31" asks for dates; the values of "Length" are quantities of length.'],
    ['Pieces>5mm', '"Pieces>5mm" asks for quantities of length; the values of "Pieces" are numbers without a unit.'],
    ['Material>5', '"Material>5" asks for numbers without a unit; the values of "Material" are text.'],
    ['Colour=red', 'No file has the attribute "Colour".'],
  ])('%s finds nothing and says why', async (text, reason) => {
    const { hits, total, warnings } = await company.search({ text });
    expect([hits, total, warnings]).toEqual([[], 0, [reason]]);
  });

  test('as an object, too', async () => {
    expect((await company.search({ attributes: [{ name: 'Length', above: 2, unit: 'kg' }] })).warnings).toEqual([
      '"Length(kg)>2" asks for quantities of mass; the values of "Length" are quantities of length.',
    ]);
  });

  test.each([
    ['Length=10..20', 'Length=10..20', 'Length>=10', 'Length<=20'],
    ['Length(mm)=1.5 – 2,5', 'Length(mm)=1.5 – 2,5', 'Length(mm)>=1.5', 'Length(mm)<=2,5'],
    ['Weight=1-2kg', 'Weight=1-2kg', 'Weight>=1', 'Weight<=2kg'],
  ])('%s finds nothing and says how a range is asked for', async (text, ...parts) => {
    const { total, warnings } = await company.search({ text });
    expect(total).toBe(0);
    for (const part of parts) expect(warnings?.join()).toContain(JSON.stringify(part));
    expect((await company.search({ text: parts.slice(1) })).warnings).toBeUndefined();
  });

  test.each(['Length>2in', 'Length>200', 'Material=brass', 'Made<2020-01-01', 'sized nothing'])(
    '%s finds nothing because there is nothing',
    async (text) => {
      const { total, warnings } = await company.search({ text });
      expect([total, warnings]).toEqual([0, undefined]);
    },
  );

  test('nothing is said where something is found', async () => {
    expect(await company.search({ text: 'Length>1in', kinds: ['Text'] })).not.toHaveProperty('warnings');
    expect((await company.search({ text: ['Length>0.5in', 'Weight>1kg'] })).total).toBe(1);
  });

  test('a unit that is not known is named', async () => {
    expect(await codeOf(company.search({ text: 'Length>2 flurbs' }))).toBe('QUERY_INVALID');
    await expect(company.search({ text: 'Length>2 flurbs' })).rejects.toThrow('"flurbs" is not a known unit');
  });
});

test('what cannot be read counts by its extension, else as a document', async () => {
  expect(await company.counts()).toEqual({ Text: 10, Image: 1, TwoD: 1, ThreeD: 1, total: 13 });
  const kinds = Object.fromEntries((await company.list({ state: 'failed' })).map(({ path, kind }) => [path, kind]));
  expect(kinds).toEqual({
    noise: 'Text',
    'noise.xyz': 'Text',
    'noise.stl': 'ThreeD',
    'noise.dxf': 'TwoD',
    'noise.png': 'Image',
  });
});
