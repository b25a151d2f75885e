import { describe, expect, test } from 'vitest';
import { inspectionList, type InspectionRow } from '../../dist/index.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { sizesIn, withTolerance } from '../../dist/pmi/sizes/callouts.js';
import { readContent } from '../../dist/readers/read.js';
import { dxf, line, mtext, text, type Groups } from '../fixtures/dxf-writer.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';

async function listOf(bytes: Uint8Array, name: string): Promise<InspectionRow[]> {
  const content = await readContent(bytes, name, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (content.kind !== 'drawing') throw new Error(`a ${content.kind}`);
  return inspectionList(readPmi(content), content.properties);
}
const said = ({ kind, count, nominal }: InspectionRow): unknown[] => [kind, count, nominal];
/** Extension lines far from the texts. */
const strokes = (y: number): Groups[] =>
  Array.from({ length: 60 }, (_, i) => line(300 + i, y, 300 + i, y + 10 + (i % 7)));

describe('callouts of holes', () => {
  test.each([
    ['⌀6.5 THRU CBORE ⌀11 DEEP 6.4', ['diameter 6.5', 'counterbore 11 + depth 6.4']],
    ["⌀6.5 THRU ALL C'BORE ⌀11 X 6.4 DEEP", ['diameter 6.5', 'counterbore 11 + depth 6.4']],
    ['4X ⌀6.5 THRU ALL ⌴⌀11↧6.4', ['diameter 6.5', 'counterbore 11', 'depth 6.4']],
    ['⌀6.6 THRU, CSK ⌀12 X 90°', ['diameter 6.6', 'countersink 12 + angle 90']],
    ['⌀.25 THRU 82° CSK TO ⌀.50', ['diameter 0.25', 'countersink 0.5 + angle 82']],
    ['6.5 DIA THRU CBORE 11 DIA DEEP 6.4', ['diameter 6.5', 'counterbore 11 + depth 6.4']],
    ['⌀6,5 DURCH ⌴⌀11 x 6,4 TIEF', ['diameter 6.5', 'counterbore 11 + depth 6.4']],
    ['⌀10 SPOTFACE ⌀20 X 1 DEEP', ['diameter 10', 'counterbore 20 + depth 1']],
    ['SF ⌀20 DP 1', ['counterbore 20 + depth 1']],
    ['⌀5.0 ↧ 15.0 M6X1.0 - 6H ↧ 12.0', ['diameter 5', 'depth 15', 'thread 6', 'depth 12']],
    ['⌀.201 ↧.75 1/4-20 UNC-2B ↧.50', ['diameter 0.201', 'depth 0.75', 'thread 0.25', 'depth 0.5']],
    ['⌀5 ±0.1 DEEP 12 ±0.5', ['diameter 5 ±0.1', 'depth 12 ±0.5']],
    ['⌀10 ±0.05 DEEP 20', ['diameter 10 ±0.05', 'depth 20']],
    ['⌀10 +0.1/0 DEEP 20', ['diameter 10 +0.1 0', 'depth 20']],
    ['⌀10 DEEP 20 ±0.5', ['diameter 10', 'depth 20 ±0.5']],
    ['⌀10 H7 DEEP 20', ['diameter 10 H7 + depth 20']],
    ['⌀10 ±0.05 20 tief', ['diameter 10 ±0.05', 'length 20']],
    ['⌀6.5 THRU SF ⌀14', ['diameter 6.5', 'counterbore 14']],
    ['20 ±0.1 x 30 ±0.2', ['length 20 ±0.1', 'length 30 ±0.2']],
    ['6x⌀9 auf TK ⌀80', ['diameter 9 + diameter 80']],
    ['M6 DP 12, ⌀5 DP 15', ['thread 6 + depth 12', 'diameter 5 + depth 15']],
    ['⌀6.5 THRU CBORE', ['diameter 6.5']],
    ['20 x 30 x 5', ['length 20 + length 30 + length 5']],
    ['M8 DEEP 20 M10 DEEP 30', ['thread 8 + depth 20', 'thread 10 + depth 30']],
    ['⌀3.3 DRILL M4 TAP DEEP 8', ['diameter 3.3', 'thread 4 + depth 8']],
    ['⌀3.3 DRILL M4x0.7 TAP', ['diameter 3.3', 'thread 4']],
    ['⌀5 ↧12 M6 ↧10', ['diameter 5', 'depth 12', 'thread 6', 'depth 10']],
    ['⌀5 M6', ['diameter 5', 'thread 6']],
    ['⌀20 M6', ['diameter 20 M6']],
    ['⌀52 M6 DEEP 15', ['diameter 52 M6 + depth 15']],
    ['⌀20 M7 DEEP 12', ['diameter 20 M7 + depth 12']],
    ['⌀10 H7 DEEP 12', ['diameter 10 H7 + depth 12']],
    ['⌀25 x 60', ['diameter 25 + length 60']],
    ['⌀8 x 20 DEEP', ['diameter 8 + depth 20']],
    ['4x ⌀8 x 20', ['diameter 8 + depth 20']],
    ['12 Tiefe 4 ±0.1', ['length 12', 'depth 4 ±0.1']],
    ['12 (0/-0.05)', ['length 12 0 -0.05']],
    ['12 (0 -0.05)', ['length 12 0 -0.05']],
    ['12x30°', ['angle 30']],
    ['4x90°', ['angle 90']],
    ['2x90°', ['angle 90']],
    ['1x30°', ['chamfer 1']],
    ['2x60°', ['chamfer 2']],
    ['3x120°', ['angle 120']],
    ['6x60°', ['angle 60']],
    ['8x45°', ['chamfer 8']],
    ['10 (+0.1/-0.05)', ['length 10 +0.1 -0.05']],
    ['⌀10 (±0.1) THRU', ['diameter 10 ±0.1']],
  ])('%s', (written, wanted) => {
    const found = sizesIn(written).map(({ kind, nominal, toleranceTexts, further = [] }) =>
      [`${kind} ${nominal}`, ...toleranceTexts, ...further.map((each) => `+ ${each.kind} ${each.nominal}`)].join(' '),
    );
    expect(found).toEqual(wanted);
  });

  test.each([
    'THRU', 'CBORE', 'DRILL AND TAP', 'DEPTH 2019', 'DP 1234', 'BOTH SIDES', '4 BOTH SIDES', 'SF 20', 'M8 THRU BOLT',
    '⌀5 PIN ⌀6', '0815', '007', '05', 'DURCH 3', 'CSK SCREW M6', '3 x 120', 'PART 10 ⌀5', 'DEEP 7 LEARNING',
    'DEEP 6.4', 'DP 10', 'Prof. 12', 'Tiefe 5 mm', '10 (0-5)', '12 (0-1)', '20 (0 - 5)',
    '⌀6.5 BOLT CBORE ⌀11', '10 (+0.1/-0.05', 'THRU 5 CBORE 3 SCREWS',
  ])('%s holds none', (written) => {
    expect(sizesIn(written).filter(({ text: whole }) => whole !== '3 x 120')).toEqual([]);
  }); // biome-ignore format: a list

  test('a depth by its word alone goes on from a hole', async () => {
    expect(sizesIn('DEEP 6.4', { isBelowHole: true }).map(({ kind }) => kind)).toEqual(['depth']);
    const rowsOf = async (...lines: readonly string[]): Promise<unknown[]> => {
      const placed = lines.map((each, i) => text(each.replaceAll('⌀', '%%c'), 20, 100 - 8 * i));
      return (await listOf(dxf({ entities: [...strokes(0), ...placed] }), 'a.dxf')).map(said);
    };
    expect(await rowsOf('GEAR', 'DP 10', 'Prof. 12')).toEqual([]);
    expect(await rowsOf('25.5', 'DP 10')).toEqual([['dimension', 1, 25.5]]);
    expect(await rowsOf('⌀6', 'DP 10')).toEqual([
      ['diameter', 1, 6],
      ['depth', 1, 10],
    ]);
  });

  test('what follows a shaft is its length and has none of its deviations', async () => {
    const rows = await listOf(dxf({ entities: [...strokes(0), text('%%c25 h6 x 60', 20, 100)] }), 'a.dxf');
    expect(rows.map(({ kind, reading, upper }) => [kind, reading, upper])).toEqual([
      ['diameter', '⌀25 x 60 h6', 0],
      ['dimension', '60', undefined],
    ]);
  });

  test.each([
    // The tolerance of a dimension's style is that of its size.
    ['⌀10 DEEP 20', ['±0.05'], '⌀10 ±0.05 DEEP 20'],
    ['⌀8 THRU', ['H7'], '⌀8 H7 THRU'],
    ['⌀8 x 20 DEEP', ['H7'], '⌀8 x 20 DEEP H7'],
    ['DEEP 20', ['±0.5'], 'DEEP 20 ±0.5'],
    ['⌀10 DEEP 20', [], '⌀10 DEEP 20'],
  ])('%s with %j', (size, tolerance, wanted) => expect(withTolerance(size, tolerance)).toBe(wanted));

  const callout = '4X ⌀6.5 THRU CBORE ⌀11 DEEP 6.4';
  const wanted = [
    ['diameter', 4, 6.5],
    ['counterbore', 4, 11],
    ['depth', 4, 6.4],
  ];

  test('on one line of a PDF, an SVG and a DXF', async () => {
    const inPdf = textAt(callout.replaceAll('⌀', '\xd8'), 100, 700);
    expect((await listOf(pdf([{ content: `${lineWork(400)}${inPdf}` }]), 'a.pdf')).map(said)).toEqual(wanted);
    const lines = Array.from({ length: 80 }, (_, i) => `M${150 + i} 100L${150 + i} ${110 + (i % 7)}`).join('');
    const svg =
      `<svg xmlns="http://www.w3.org/2000/svg" width="420mm" height="297mm" viewBox="0 0 420 297">` +
      `<path fill="none" stroke="#000" d="M5 5L415 5L415 292L5 292L5 5${lines}"/>` +
      `<text x="40" y="60" font-size="5">${callout}</text></svg>`;
    expect((await listOf(Buffer.from(svg), 'a.svg')).map(said)).toEqual(wanted);
    const entities = [...strokes(0), text(callout.replaceAll('⌀', '%%c'), 20, 100)];
    expect((await listOf(dxf({ entities }), 'a.dxf')).map(said)).toEqual(wanted);
  });

  test('on lines below each other, where the first one has the count', async () => {
    const lines = ['4X ⌀6.5 THRU', 'CBORE ⌀11', 'DEEP 6.4', '⌀3'];
    const placed = lines.map((each, i) => text(each.replaceAll('⌀', '%%c'), 20, 100 - 8 * i - (i === 3 ? 40 : 0)));
    const rows = await listOf(dxf({ entities: [...strokes(0), ...placed] }), 'a.dxf');
    expect(rows.map(said)).toEqual([...wanted, ['diameter', 1, 3]]);
  });
});

describe('counts of holes go on', () => {
  const rowsOf = async (lines: readonly string[]): Promise<unknown[]> => {
    const placed = lines.map((each, i) => text(each.replaceAll('⌀', '%%c'), 20, 100 - 8 * i));
    return (await listOf(dxf({ entities: [...strokes(0), ...placed] }), 'a.dxf')).map(said);
  };

  test('to the drill of a thread and to the thread of a drill, and to no circle of holes', async () => {
    expect(await rowsOf(['4x M6 ↧12', '⌀5 ↧15'])).toEqual([
      ['leader note', 4, 6],
      ['depth', 4, 12],
      ['diameter', 4, 5],
      ['depth', 4, 15],
    ]);
    expect(await rowsOf(['4x ⌀5 ↧15', 'M6 ↧12'])).toEqual([
      ['diameter', 4, 5],
      ['depth', 4, 15],
      ['leader note', 4, 6],
      ['depth', 4, 12],
    ]);
    expect(await rowsOf(['4x M6', '⌀9'])).toEqual([
      ['leader note', 4, 6],
      ['diameter', 1, 9],
    ]);
    expect(await rowsOf(['4x ⌀5 EQ SP ON ⌀50 BC'])).toEqual([
      ['diameter', 4, 5],
      ['diameter', 1, 50],
    ]);
  });

  test('a depth has the tolerance behind it, the hole the one before it', async () => {
    const values = async (written: string): Promise<unknown[]> =>
      (await listOf(dxf({ entities: [...strokes(0), text(written.replaceAll('⌀', '%%c'), 20, 100)] }), 'a.dxf')).map(
        ({ kind, reading, nominal, upper, lower }) => [kind, reading, nominal, upper, lower],
      );
    const none = undefined;
    expect(await values('⌀10 ±0.05 DEEP 20')).toEqual([
      ['diameter', '⌀10 ±0.05', 10, 0.05, -0.05],
      ['depth', 'DEEP 20', 20, none, none],
    ]);
    expect(await values('⌀10 DEEP 20 ±0.5')).toEqual([
      ['diameter', '⌀10', 10, none, none],
      ['depth', 'DEEP 20 ±0.5', 20, 0.5, -0.5],
    ]);
  });
});

describe('dimensions of a DXF that are exploded', () => {
  test('texts are read beside notes, with the lines that are drawn about them', async () => {
    const arrow = (x: number, way: number): Groups => [
      [0, 'SOLID'], [100, 'AcDbEntity'], [8, '0'], [100, 'AcDbTrace'], [10, x], [20, 48], [30, 0],
      [11, x + way], [21, 48.5],
      [31, 0], [12, x + way], [22, 47.5], [32, 0], [13, x + way], [23, 47.5], [33, 0],
    ]; // biome-ignore format: points
    const drawn = [line(20, 48, 60, 48), line(20, 40, 20, 50), line(60, 40, 60, 50), arrow(20, 3), arrow(60, -3)];
    const size = text('42.5', 35, 49, 3.5);
    const rows = await listOf(dxf({ entities: [...strokes(0), ...drawn, size, mtext('SEE NOTE', 20, 150)] }), 'a.dxf');
    expect(rows.map(({ reading }) => reading)).toEqual(['42.5']);
    // Beside a real frame too.
    const frame: Groups = [
      [0, 'TOLERANCE'], [100, 'AcDbEntity'], [8, '0'], [100, 'AcDbFcf'], [3, 'Standard'], [10, 20], [20, 200], [30, 0],
      [1, '{\\Fgdt;j}%%v0.1%%vA'], [11, 1], [21, 0], [31, 0],
    ]; // biome-ignore format: groups
    const both = await listOf(dxf({ entities: [...strokes(0), ...drawn, size, frame] }), 'a.dxf');
    expect(both.map(({ reading }) => reading).sort()).toEqual(['42.5', '⌖ | 0.1 | A']);
  });

  test('a drawing of texts alone says that nothing is read from it', async () => {
    const entities = [text('42.5', 35, 49), text('%%c10', 35, 99)];
    const content = await readContent(dxf({ entities }), 'a.dxf', {
      limits: DEFAULT_LIMITS,
      defaultUnit: 'mm',
    } as never);
    expect(content.warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/2 texts and no line: it is no drawing/),
    ]);
  });

  test('what is beyond a bound is told with its number', async () => {
    const entities = [
      ...strokes(-400),
      ...Array.from({ length: 6_100 }, (_, i) => text(`${i % 90}.5`, (i % 80) * 60, 20 * Math.floor(i / 80))),
    ];
    const content = await readContent(dxf({ entities }), 'a.dxf', {
      limits: DEFAULT_LIMITS,
      defaultUnit: 'mm',
    } as never);
    if (content.kind !== 'drawing') throw new Error('no drawing');
    expect(readPmi(content).leftOut).toContain(
      '100 texts beyond 20000 of a page, and beyond 6000 that may be sizes, were not read',
    );
  });
});

test('numbers of sheets are no fractions of an inch', async () => {
  const page = (texts: readonly string[]): Uint8Array =>
    pdf([{ content: `${lineWork(400)}${texts.map((each, i) => textAt(each, 60 + 130 * i, 700)).join('')}` }]);
  const readings = async (texts: readonly string[]): Promise<string[]> =>
    (await listOf(page(texts), 'a.pdf')).map(({ reading }) => reading);
  expect(await readings(['25.5', '1/2', '3/4'])).toEqual(['25.5']);
  expect(await readings(['1 1/2', '3/4'])).toEqual(['1 1/2', '3/4']);
});

test('a PDF of hardly anything but sizes is a drawing', async () => {
  // Each with a line between two others, which have no arrows.
  const plain = Array.from({ length: 44 }, (_, i) => {
    const [x, y] = [60 + 100 * (i % 5), 100 + 70 * Math.floor(i / 5)];
    const lines = [`${x} ${y - 4} m ${x + 60} ${y - 4} l S\n`, `${x} ${y} m ${x} ${y - 20} l S\n`];
    return textAt(`${10 + i}.5`, x + 15, y) + lines.join('') + `${x + 60} ${y} m ${x + 60} ${y - 20} l S\n`;
  });
  const frame = `20 20 550 750 re S\n${textAt('BRACKET', 400, 30)}`;
  expect(await listOf(pdf([{ content: frame + plain.join('') }]), 'a.pdf')).toHaveLength(44);
  const signed = Array.from({ length: 12 }, (_, i) =>
    textAt(i % 3 === 0 ? `\xd8${10 + i}` : `${20 + i}.5`, 60 + 120 * (i % 4), 100 + 90 * Math.floor(i / 4)),
  );
  expect(await listOf(pdf([{ content: frame + signed.join('') }]), 'a.pdf')).toHaveLength(12);
});
