import { describe, expect, test } from 'vitest';
import { comparePmi, PMI_TYPE, pmiComparisonCsv, type PmiObject } from '../../dist/index.js';
import type { ComparedSide } from '../../dist/pmi/lists/compared-items.js';

type Written = readonly [text: string, ...tolerance: string[]];

const MM = { name: 'Units', value: 'mm' };
const INCH = { name: 'Units', value: 'in' };

function size(...parts: Written[]): Partial<PmiObject> {
  return { parts: parts.map(([text, ...tolerance]) => (tolerance.length === 0 ? { text } : { text, tolerance })) };
}
const frame = (...rows: string[]): Partial<PmiObject> => ({
  typeId: PMI_TYPE.controlFrame,
  group: 'GD&T',
  parts: rows.map((text) => ({ text })),
});
const datum = (letter: string): Partial<PmiObject> => ({
  typeId: PMI_TYPE.datum,
  group: 'Datum',
  parts: [{ text: letter }],
});
const finish = (text: string): Partial<PmiObject> => ({
  typeId: PMI_TYPE.finishMachining,
  group: 'SurfaceFinish',
  parts: [{ text }],
});

function side(
  objects: readonly Partial<PmiObject>[],
  attributes: ComparedSide['attributes'] = [MM],
  isPage = false,
): ComparedSide {
  const all = objects.map((object, i) => ({
    typeId: PMI_TYPE.arrows,
    id: i + 1,
    group: 'Measurement',
    box: [0, 0, 0, 0],
    parts: [],
    ...object,
  })) as PmiObject[];
  const side = isPage ? 3000 : 0;
  return { pmi: { version: 1, pages: [{ page: 1, widthPx: side, heightPx: side, objects: all }] }, attributes };
}

function said(first: ComparedSide, second: ComparedSide): string[] {
  return comparePmi(first, second).rows.map(({ status, first: a, second: b, differences }) =>
    [
      status,
      a?.reading ?? '-',
      b?.reading ?? '-',
      ...differences.map((each) => `${each.what} ${each.first}/${each.second}`),
    ].join(' # '),
  );
}

describe('what two files say about a part', () => {
  test('sizes agree by nominal, count and tolerance, however they are written', () => {
    const drawing = side([
      size(['⌀20', 'H7']),
      size(['4x ⌀6,0']),
      size(['12.0'], ['11.9']),
      size(['50']),
      size(['M8x1.25']),
      size(['30', 'basic']),
    ]);
    const model = side([
      size(['30', 'basic']),
      size(['⌀20', '+0.021', '0']),
      ...Array.from({ length: 4 }, () => size(['⌀6'])),
      size(['12', '0', '-0.1']),
      size(['50']),
      size(['M8']),
    ]);
    const { counts, rows } = comparePmi(drawing, model);
    expect(rows.filter(({ status }) => status !== 'agrees')).toEqual([]);
    expect(counts).toEqual({ agrees: 6, contradicts: 0, first: 0, second: 0, unsure: 0 });
  });

  test('what differs is named: tolerance, count, kind, nominal size, thread', () => {
    expect(said(side([size(['25', '±0.1'])]), side([size(['25', '±0.2'])]))).toEqual([
      'contradicts # 25 ±0.1 # 25 ±0.2 # tolerance ±0.1/±0.2',
    ]);
    expect(said(side([size(['25', 'basic'])]), side([size(['25'])]))).toEqual([
      'contradicts # 25 basic # 25 # tolerance basic/none',
    ]);
    expect(said(side([size(['4x ⌀6'])]), side([size(['3x ⌀6'])]))).toEqual(['contradicts # 4x ⌀6 # 3x ⌀6 # count 4/3']);
    expect(said(side([size(['⌀25', '±0.1'])]), side([size(['25', '±0.1'])]))).toEqual([
      'contradicts # ⌀25 ±0.1 # 25 ±0.1 # kind diameter/length',
    ]);
    expect(said(side([size(['30', '±0.1'])]), side([size(['31', '±0.1'])]))).toEqual([
      'contradicts # 30 ±0.1 # 31 ±0.1 # nominal 30 mm/31 mm',
    ]);
    expect(said(side([size(['M8x1.25'])]), side([size(['M8x1'])]))).toEqual([
      'contradicts # M8x1.25 # M8x1 # thread m8x1.25/m8x1',
    ]);
    // Another pitch, a left hand, an outer pipe thread, the envelope requirement.
    for (const [one, other] of [
      ['4x M8', '4x M8x1'], ['M8', 'M8 LH'], ['M10x1', 'M10x1 LH'], ['G 1/2', 'G 1/2 A'], ['⌀20 H7', '⌀20 H7 Ⓔ'],
    ]) // biome-ignore format: a table
      expect(said(side([size([one])], [MM], true), side([size([other])], [MM], true))).toEqual([
        expect.stringContaining(`contradicts # ${one} # ${other}`),
      ]);
    for (const other of ['M8x1,25', 'M8x1.25-6H', 'M8 RH', 'M8 - 6H'])
      expect(said(side([size(['M8'])]), side([size([other])]))).toEqual([`agrees # M8 # ${other}`]);
    // The class of a nut and of a bolt.
    expect(said(side([size(['M8 - 6H'])]), side([size(['M8-6h'])]))).toEqual([
      'contradicts # M8 - 6H # M8-6h # thread m8-6H/m8-6h',
    ]);
  });

  test('sizes that have nothing in common are in one file alone', () => {
    expect(said(side([size(['10']), size(['70', '±0.5'])]), side([size(['40']), size(['7', '±0.5'])]))).toEqual([
      'first # 10 # -',
      'first # 70 ±0.5 # -',
      'second # - # 40',
      'second # - # 7 ±0.5',
    ]);
    // A length may stand on a drawing twice.
    expect(said(side([size(['10']), size(['10'])]), side([size(['10'])]))).toEqual([
      'first # 10 # -',
      'agrees # 10 # 10',
    ]);
  });

  test('inches and millimetres are the same sizes as far as their digits tell', () => {
    const inches = side([size(['1.000', '±.005']), size(['.512']), frame('⌖ | ⌀.010 | A')], [INCH]);
    const mm = side([size(['25.4', '±0.127']), size(['13']), frame('⌖ | ⌀0.254 | A')]);
    expect(comparePmi(inches, mm).counts).toEqual({ agrees: 3, contradicts: 0, first: 0, second: 0, unsure: 0 });
    expect(comparePmi(inches, side([size(['25.8', '±0.127'])])).counts).toMatchObject({ agrees: 0 });
  });

  test('a general tolerance is a tolerance where the other file writes it, and none where it does not', () => {
    const general = [MM, { name: 'General tolerance', value: 'ISO 2768-mK' }];
    expect(said(side([size(['50'])], general), side([size(['50', '±0.3'])]))).toEqual(['agrees # 50 # 50 ±0.3']);
    expect(said(side([size(['50'])], general), side([size(['50'])]))).toEqual(['agrees # 50 # 50']);
    expect(said(side([size(['50'])], general), side([size(['50', '±0.2'])]))).toEqual([
      'contradicts # 50 # 50 ±0.2 # tolerance ±0.3 general/±0.2',
    ]);
  });

  test('control frames are compared cell by cell, in all their rows', () => {
    const one = frame('⌖ | ⌀0.2 Ⓜ | A | B', '⌀0.1 | A');
    expect(said(side([one]), side([frame('⌖|⌀0.20Ⓜ|A|B', '⌖|⌀0.1|A')]))).toEqual([
      'agrees # ⌖ | ⌀0.2 Ⓜ | A | B / ⌀0.1 | A # ⌖|⌀0.20Ⓜ|A|B / ⌖|⌀0.1|A',
    ]);
    expect(said(side([frame('⏥ | 0.1')]), side([frame('⏥ | 0.2')]))).toEqual([
      'contradicts # ⏥ | 0.1 # ⏥ | 0.2 # value 0.1/0.2',
    ]);
    expect(said(side([frame('⊥ | 0.1 | A')]), side([frame('⊥ | 0.1Ⓜ | B')]))).toEqual([
      'contradicts # ⊥ | 0.1 | A # ⊥ | 0.1Ⓜ | B # modifiers /Ⓜ # datums A/B',
    ]);
    expect(said(side([frame('⊥ | 0.1 | A')]), side([frame('∥ | 0.1 | A')]))).toEqual([
      'first # ⊥ | 0.1 | A # -',
      'second # - # ∥ | 0.1 | A',
    ]);
  });

  test('datums, finishes and fields of title blocks', () => {
    const drawing = side(
      [datum('A'), datum('A'), datum('B'), finish('Ra 1.6')],
      [MM, { name: 'Material', value: '1.4301' }, { name: 'Revision', value: 'B' }, { name: 'Mass', value: '2 kg' }],
    );
    const other = side(
      [datum('A'), finish('N7')],
      [MM, { name: 'Material', value: '1.4301 ' }, { name: 'Revision', value: 'C' }],
    );
    expect(said(drawing, other)).toEqual([
      'contradicts # B # C # text B/C',
      'first # B # -',
      'first # 2 kg # -',
      'agrees # A # A',
      'agrees # Ra 1.6 # N7',
      'agrees # 1.4301 # 1.4301 ',
    ]);
    // A model that has no fields lacks none of them.
    expect(said(drawing, side([datum('A'), datum('B'), finish('N7')], [MM]))).toEqual([
      'agrees # A # A',
      'agrees # B # B',
      'agrees # Ra 1.6 # N7',
    ]);
  });

  test.each([
    ['0,42 kg', '420 g', 'agrees'],
    ['27.86 gram', '27,86 g', 'agrees'],
    ['1.25 kg', '12.5 kg', 'contradicts'],
    ['1 kg', '1 lb', 'contradicts'],
  ])('masses are compared by what they weigh: %s and %s', (mass, other, status) => {
    const [row] = said(side([], [{ name: 'Mass', value: mass }]), side([], [{ name: 'Mass', value: other }]));
    expect(row).toMatch(new RegExp(`^${status} #`));
  });

  test('a sign that a model lacks is stated plainly there: depths as lengths, counterbores as diameters', () => {
    const drawing = side(
      [size(['4x ⌀6.6']), size(['⌴ ⌀11', '±0.1']), size(['↧6.5']), size(['↧9', '±0.2']), size(['2x ↧3'])],
      [MM],
      true,
    );
    const model = side([
      size(['4x ⌀6.6']),
      size(['4x ⌀11', '±0.1']),
      size(['4x 6.5']),
      size(['9', '±0.1']),
      size(['3']),
    ]);
    expect(said(drawing, model)).toEqual([
      'first # ↧9 ±0.2 # -',
      'second # - # 9 ±0.1',
      'agrees # 4x ⌀6.6 # 4x ⌀6.6',
      'agrees # ⌴ ⌀11 ±0.1 # 4x ⌀11 ±0.1',
      'agrees # ↧6.5 # 4x 6.5',
      'agrees # 2x ↧3 # 3',
    ]);
  });

  test('frames: notes are no rows; a missing row is a difference; what is not understood is not agreed to', () => {
    expect(said(side([frame('⌖ | ⌀.02Ⓜ | F', '4X INDIVIDUALLY')]), side([frame('⌖ | ⌀0.02Ⓜ | F')]))).toEqual([
      'agrees # ⌖ | ⌀.02Ⓜ | F / 4X INDIVIDUALLY # ⌖ | ⌀0.02Ⓜ | F',
    ]);
    expect(said(side([frame('⌓ | 0.5 | A | B')]), side([frame('⌓ | 0.5 | A | B', '0.1 | A')]))).toEqual([
      'contradicts # ⌓ | 0.5 | A | B # ⌓ | 0.5 | A | B / 0.1 | A # rows 1/2',
    ]);
    expect(said(side([frame('⌖ | q?8')]), side([frame('⏥ | o.l')]))).toEqual([
      'first # ⌖ | q?8 # -',
      'second # - # ⏥ | o.l',
    ]);
    const garbage = side([frame('⌖ | ⌀0.2 | A', 'lI_')]);
    expect(said(garbage, side([frame('⌖ | ⌀0.2 | A')]))).toEqual([
      'contradicts # ⌖ | ⌀0.2 | A / lI_ # ⌖ | ⌀0.2 | A # text lI_/',
    ]);
    expect(comparePmi(garbage, garbage).counts).toMatchObject({ agrees: 0, unsure: 1 });
  });

  test('datum targets agree only with the same area', () => {
    const target = (...texts: string[]): Partial<PmiObject> => ({
      typeId: PMI_TYPE.datum,
      group: 'Datum',
      parts: texts.map((text) => ({ text })),
    });
    expect(said(side([target('⌀10', 'A1')]), side([target('⌀12', 'A1')]))).toEqual([
      'contradicts # ⌀10 A1 # ⌀12 A1 # value ⌀10/⌀12',
    ]);
    expect(said(side([target('⌀10', 'A1')]), side([target('A1')]))).toEqual(['agrees # ⌀10 A1 # A1']);
    expect(said(side([target('⌀10', 'A1')]), side([target('A2')]))).toEqual(['first # ⌀10 A1 # -', 'second # - # A2']);
  });

  test('what was read with little confidence, or is no size, is not said to agree', () => {
    const [sure, unsure] = [0.9, 0.6].map((confidence) => side([{ ...size(['25', '±0.1']), confidence }]));
    expect(comparePmi(sure, side([size(['25', '±0.1'])])).counts).toMatchObject({ agrees: 1, unsure: 0 });
    // Of several that say the same, each counts, in whatever order they stand.
    const twice = [0.95, 0.2].map((confidence) => ({ ...size(['⌀6']), confidence }));
    for (const other of [side(twice), side(twice.toReversed())])
      expect(comparePmi(side([size(['2x ⌀6'])]), other).counts).toMatchObject({ agrees: 0, unsure: 1 });
    // Nor does it contradict: what differs may be the reading.
    const other = comparePmi(unsure, side([size(['25', '±0.2'])]));
    expect(other.counts).toMatchObject({ contradicts: 0, unsure: 1 });
    expect(other.rows[0].differences).toMatchObject([{ what: 'tolerance' }]);
    const { counts, rows } = comparePmi(unsure, side([size(['25', '±0.1'])]));
    expect(counts).toMatchObject({ agrees: 0, unsure: 1 });
    expect(rows[0].first).toMatchObject({ reading: '25 ±0.1', confidence: 0.6 });
    expect(said(side([size(['2S', '±o.1'])]), side([size(['25', '±0.1'])]))).toEqual([
      'first # 2S ±o.1 # -',
      'second # - # 25 ±0.1',
    ]);
  });

  test('revisions of a drawing: another size on the same place is a change', () => {
    const at = (x: number, ...written: Written): Partial<PmiObject> => ({
      ...size(written),
      box: [x, 100, 60, 30],
    });
    const before = side([at(100, '25'), at(900, '40'), at(1500, '60')], [MM], true);
    const after = side([at(102, '35'), at(900, '40'), at(2500, '61')], [MM], true);
    expect(said(before, after)).toEqual([
      'contradicts # 25 # 35 # nominal 25 mm/35 mm',
      'first # 60 # -',
      'second # - # 61',
      'agrees # 40 # 40',
    ]);
  });

  test('a file agrees with itself, and turned about the answer is the same turned about', () => {
    const a = side([
      size(['4x ⌀6']),
      size(['25', '±0.1']),
      frame('⏥ | 0.1'),
      datum('A'),
      size(['(10)']),
      size(['45°']),
    ]);
    const b = side([size(['⌀6']), size(['25', '±0.2']), frame('⏥ | 0.2'), size(['45°'])]);
    expect(comparePmi(a, a).counts).toEqual({ agrees: 6, contradicts: 0, first: 0, second: 0, unsure: 0 });
    const [one, other] = [comparePmi(a, b).counts, comparePmi(b, a).counts];
    expect(other).toEqual({ ...one, first: one.second, second: one.first });
    expect(one).toEqual({ agrees: 1, contradicts: 3, first: 2, second: 0, unsure: 0 });
  });

  test('as CSV each line has its status and its differences', () => {
    const lines = pmiComparisonCsv(comparePmi(side([size(['25', '±0.1'])]), side([size(['25', '±0.2'])])))
      .slice(1)
      .split('\r\n');
    expect(lines).toEqual([
      'Status,Kind,First,First page,Second,Second page,Differences',
      'contradicts,dimension,25 ±0.1,1,25 ±0.2,1,tolerance: ±0.1 / ±0.2',
      '',
    ]);
  });

  test('a field of a title block that was read with doubt neither agrees nor contradicts', () => {
    const material = (value: string, confidence: number): ComparedSide => {
      const { pmi } = side([]);
      const fields = [{ name: 'Material', value, page: 1, confidence }];
      return { pmi: { ...pmi, fields }, attributes: [MM, { name: 'Material', value }] };
    };
    const steel = material('S235JR', 0.97);
    expect(comparePmi(steel, material('a ter', 0.4)).rows).toMatchObject([
      { status: 'unsure', second: { reading: 'a ter', confidence: 0.4 } },
    ]);
    expect(comparePmi(steel, material('C45', 0.9)).counts).toMatchObject({ contradicts: 1, unsure: 0 });
    expect(comparePmi(steel, material('s235jr', 0.9)).counts).toMatchObject({ agrees: 1, unsure: 0 });
  });
});

test.each([
  ['2x45°', '2x30°'],
  ['8 MAX', '8 MIN'],
  ['S⌀8', '⌀8'],
])('equal numbers do not agree where they say something else: %s and %s', (first, second) => {
  const pair = (a: string, b: string): string[] => said(side([size([a])], [MM], true), side([size([b])], [MM], true));
  expect(pair(first, second)).toEqual([expect.stringMatching(/^contradicts/)]);
  expect(pair(first, first)).toEqual([expect.stringMatching(/^agrees/)]);
});

test('notes and names of views are compared by their words, whatever their numbers, where both files have text', () => {
  const noted = (...notes: string[]): ComparedSide => {
    const { pmi, attributes } = side([], [MM, { name: 'Scale', value: notes[0] }], true);
    const lines = notes.slice(1).map((text, i) => ({ text, box: [100, 100 + 200 * i, 300, 40] as const }));
    return { pmi: { ...pmi, pages: [{ ...pmi.pages[0], notes: lines }] }, attributes };
  };
  const first = noted('1:2', 'SECTION A-A', '1. PAINT RAL 7016', '2. DEBURR ALL EDGES 0,5', '3. MARK PART NUMBER');
  // The sign of a millionth, and the Greek letter.
  const [micro, letter] = ['\u00b5', '\u03bc'].map((sign) => noted('1:1', `COAT 8 ${sign}m`));
  expect(said(micro, letter)).toEqual([expect.stringMatching(/^agrees/), expect.stringMatching(/^agrees/)]);
  const second = noted('1:1', 'SECTION B-B', 'DEBURR ALL EDGES 0.5', '2. PAINT RAL 9005', '4. NO OIL');
  expect(said(first, second).map((row) => row.replace(/ # text .*/, ''))).toEqual([
    'contradicts # SECTION A-A # SECTION B-B',
    'contradicts # 1. PAINT RAL 7016 # 2. PAINT RAL 9005',
    'contradicts # 3. MARK PART NUMBER # 4. NO OIL',
    'contradicts # 1:2 # 1:1',
    'agrees # 2. DEBURR ALL EDGES 0,5 # DEBURR ALL EDGES 0.5',
  ]);
  expect(said(first, side([], [MM], false)).filter((row) => !row.includes('1:2'))).toEqual([]);
});
