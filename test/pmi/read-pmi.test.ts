import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS, Engine, PMI_TYPE, type Company, type PmiObject } from '../../dist/index.js';
import { PMI_VERSION } from '../../dist/pmi/pmi.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { dxf, entity, insert, line, mtext, tables, text as plainText, type Groups } from '../fixtures/dxf-writer.js';
import { pdf, textAt } from '../fixtures/pdf-writer.js';
import { saidBy } from '../fixtures/said-pmi.js';
import { stopwatch } from '../fixtures/stopwatch.js';

async function pmiOf(bytes: Uint8Array, name: string): Promise<ReturnType<typeof readPmi>> {
  const content = await readContent(bytes, name, { limits: DEFAULT_LIMITS, defaultUnit: 'mm', ocr: false } as never);
  if (content.kind !== 'drawing') throw new Error(`${name} is a ${content.kind}`);
  return readPmi(content);
}
const said = (objects: readonly PmiObject[]): unknown[] => objects.map((object) => [object.typeId, ...saidBy(object)]);

const FRAME = [line(0, 0, 400, 0), line(400, 0, 400, 200), line(400, 200, 0, 200), line(0, 200, 0, 0)];
const APPID: Groups = [
  [0, 'TABLE'],
  [2, 'APPID'],
  [5, '9'],
  [100, 'AcDbSymbolTable'],
  [70, 1],
  [0, 'APPID'],
  [5, 'A'],
  [100, 'AcDbSymbolTableRecord'],
  [100, 'AcDbRegAppTableRecord'],
  [2, 'ACAD'],
  [70, 0],
  [0, 'ENDTAB'],
];
const STYLE_TOLERANCE: Groups = [
  [1001, 'ACAD'],
  [1000, 'DSTYLE'],
  [1002, '{'],
  [1070, 71],
  [1070, 1],
  [1070, 47],
  [1040, 0.2],
  [1070, 48],
  [1040, 0.1],
  [1002, '}'],
];

function dimension(
  block: string,
  kind: number,
  points: Groups,
  subclasses: readonly Groups[],
  text = '',
  more: Groups = [],
): Groups {
  return [
    [0, 'DIMENSION'],
    [100, 'AcDbEntity'],
    [8, '0'],
    [100, 'AcDbDimension'],
    [2, block],
    ...points,
    [11, 100],
    [21, 82],
    [31, 0],
    [70, kind],
    [1, text],
    [3, 'Standard'],
    ...subclasses.flat(),
    ...more,
  ];
}
/** From (50, 50) to (150, 60), its line at y = 80. */
const linear = (block: string, text = '', more: Groups = []): Groups =>
  dimension(
    block,
    32,
    [
      [10, 150],
      [20, 80],
      [30, 0],
    ],
    [
      [
        [100, 'AcDbAlignedDimension'],
        [13, 50],
        [23, 50],
        [33, 0],
        [14, 150],
        [24, 60],
        [34, 0],
        [50, 0],
        [100, 'AcDbRotatedDimension'],
      ],
    ],
    text,
    more,
  );
const arrow = (x: number, y: number, length: number): Groups =>
  entity('SOLID', 'AcDbTrace', [
    [10, x],
    [20, y],
    [30, 0],
    [11, x + length],
    [21, y + 0.6],
    [31, 0],
    [12, x + length],
    [22, y - 0.6],
    [32, 0],
    [13, x + length],
    [23, y - 0.6],
    [33, 0],
  ]);
const solidArrows = (first: number, second: number): Groups[] => [arrow(50, 80, first), arrow(150, 80, second)];

describe('entities of CAD drawings', () => {
  test('each kind of dimension has its type, text and tolerance', async () => {
    const blocks = {
      '*D1': [line(50, 80, 150, 80), ...solidArrows(4, -4), mtext('100 {\\H0.7x;\\S+0.2^-0.1;}', 90, 85, 3)],
      '*D2': [line(200, 50, 240, 50), mtext('%%c40 H7', 210, 55, 3)],
      '*D3': [line(200, 100, 220, 100), mtext('R20', 210, 105, 3)],
      '*D4': [line(300, 100, 320, 120), mtext('45%%d', 310, 105, 3)],
      '*D5': [line(300, 20, 330, 20), mtext('75.5', 332, 22, 3)],
    };
    const bytes = dxf({
      blocks,
      tables: APPID,
      entities: [
        ...FRAME,
        linear('*D1', '', STYLE_TOLERANCE),
        dimension(
          '*D2',
          35,
          [
            [10, 200],
            [20, 50],
            [30, 0],
          ],
          [
            [
              [100, 'AcDbDiametricDimension'],
              [15, 240],
              [25, 50],
              [35, 0],
              [40, 0],
            ],
          ],
        ),
        dimension(
          '*D3',
          36,
          [
            [10, 200],
            [20, 100],
            [30, 0],
          ],
          [
            [
              [100, 'AcDbRadialDimension'],
              [15, 220],
              [25, 100],
              [35, 0],
              [40, 0],
            ],
          ],
        ),
        dimension(
          '*D4',
          37,
          [
            [10, 310],
            [20, 110],
            [30, 0],
          ],
          [
            [
              [100, 'AcDb3PointAngularDimension'],
              [13, 320],
              [23, 100],
              [33, 0],
              [14, 320],
              [24, 120],
              [34, 0],
              [15, 300],
              [25, 100],
              [35, 0],
            ],
          ],
        ),
        dimension(
          '*D5',
          38,
          [
            [10, 0],
            [20, 0],
            [30, 0],
          ],
          [
            [
              [100, 'AcDbOrdinateDimension'],
              [13, 300],
              [23, 75.5],
              [33, 0],
              [14, 330],
              [24, 20],
              [34, 0],
            ],
          ],
        ),
      ],
    });
    const {
      version,
      pages: [page],
    } = await pmiOf(bytes, 'dimensions.dxf');
    expect(version).toBe(PMI_VERSION);
    expect(said(page.objects)).toEqual([
      [PMI_TYPE.arrowsInsideValueInside, '100', ['+0.2', '-0.1']],
      [PMI_TYPE.diameter, '⌀40', ['H7']],
      [PMI_TYPE.radius, 'R20'],
      [PMI_TYPE.arrows, '45°'],
      [PMI_TYPE.ascending, '75.5'],
    ]);
    expect(page.objects.every(({ group }) => group === 'Measurement')).toBe(true);
    const { widthPx: width, heightPx: height } = page;
    expect([Math.max(width, height)]).toEqual([3000]);
    // The text of the first stands left of the middle of a page that is 400 wide, in its upper half.
    const [x, y, w, h] = page.objects[0].box;
    const middle = [(x + w / 2) / width, (y + h / 2) / height];
    expect(middle[0]).toBeGreaterThan(0.22);
    expect(middle[0]).toBeLessThan(0.36);
    expect(middle[1]).toBeCloseTo((200 - 83.5 + 8) / 216, 1);
  });

  test('arrows and value stand inside or outside, with and without a line between', async () => {
    const cases: [number, Groups[], number][] = [
      [PMI_TYPE.arrowsInsideValueInside, [line(50, 80, 150, 80), ...solidArrows(4, -4)], 90],
      [PMI_TYPE.arrowsInsideValueOutside, [line(50, 80, 200, 80), ...solidArrows(4, -4)], 170],
      [PMI_TYPE.arrowsOutsideValueOutside, [line(30, 80, 200, 80), ...solidArrows(-4, 4)], 170],
      [PMI_TYPE.gapValueOutside, [line(30, 80, 50, 80), line(150, 80, 200, 80), ...solidArrows(-4, 4)], 170],
      [PMI_TYPE.gapValueInside, [line(30, 80, 50, 80), line(150, 80, 170, 80), ...solidArrows(-4, 4)], 90],
      [PMI_TYPE.arrows, [line(50, 80, 150, 80)], 90],
    ];
    for (const [type, drawn, textX] of cases) {
      const {
        pages: [page],
      } = await pmiOf(
        dxf({ blocks: { '*D1': [...drawn, mtext('100', textX, 86, 3)] }, entities: [...FRAME, linear('*D1')] }),
        'arrows.dxf',
      );
      expect(said(page.objects)).toEqual([[type, '100']]);
    }
  });

  test('the tolerance of the style holds where the text has none, equal deviations are one', async () => {
    const equal: Groups = [
      [1001, 'ACAD'],
      [1000, 'DSTYLE'],
      [1002, '{'],
      [1070, 71],
      [1070, 1],
      [1070, 47],
      [1040, 0.05],
      [1070, 48],
      [1040, 0.05],
      [1002, '}'],
    ];
    const bytes = dxf({
      tables: APPID,
      blocks: { '*D1': [line(50, 80, 150, 80), mtext('100', 90, 90, 3)] },
      entities: [...FRAME, linear('*D1', '', equal), linear('*D1', '', STYLE_TOLERANCE)],
    });
    expect((await pmiOf(bytes, 'style.dxf')).pages[0].objects.map(saidBy)).toEqual([
      ['100', ['±0.05']],
      ['100', ['+0.2', '-0.1']],
    ]);
  });

  test('exact sizes by the frame of their style, and limits above each other', async () => {
    const framed: Groups = [
      [1001, 'ACAD'],
      [1000, 'DSTYLE'],
      [1002, '{'],
      [1070, 147],
      [1040, -1],
      [1002, '}'],
    ];
    const bytes = dxf({
      tables: APPID,
      blocks: {
        '*D1': [line(50, 80, 150, 80), mtext('100', 90, 90, 3)],
        '*D2': [line(50, 80, 150, 80), mtext('%%c\\S16.05^15.95;', 90, 90, 3)],
      },
      entities: [...FRAME, linear('*D1', '', framed), linear('*D2'), mtext('R\\S16,05^15,95;', 300, 90, 3)],
    });
    expect((await pmiOf(bytes, 'framed.dxf')).pages[0].objects.map(saidBy)).toEqual([
      ['100', ['basic']],
      ['⌀16.05/15.95'],
      ['R16,05/15,95'],
    ]);
  });

  test('control frames with their signs, datums, leaders, and notes that hold a dimension', async () => {
    const tolerance = (text: string, x: number): Groups =>
      entity('TOLERANCE', 'AcDbFcf', [
        [3, 'Standard'],
        [10, x],
        [20, 50],
        [30, 0],
        [1, text],
        [210, 0],
        [220, 0],
        [230, 1],
        [11, 1],
        [21, 0],
        [31, 0],
      ]);
    const leader = entity('LEADER', 'AcDbLeader', [
      [3, 'Standard'],
      [71, 1],
      [72, 0],
      [73, 3],
      [76, 3],
      [10, 20],
      [20, 20],
      [30, 0],
      [10, 60],
      [20, 60],
      [30, 0],
      [10, 80],
      [20, 60],
      [30, 0],
    ]);
    const {
      pages: [page],
      attributes,
    } = await pmiOf(
      dxf({
        entities: [
          ...FRAME,
          tolerance('{\\Fgdt;j}%%v{\\Fgdt;n}0.2{\\Fgdt;m}%%vA%%vB', 100),
          tolerance('C', 200),
          leader,
          mtext('4x M6-6H', 10, 190),
          mtext('Ra 3.2', 10, 170),
          mtext('SEE SHEET 2', 10, 150),
          mtext('General tolerances ISO 2768-mK', 10, 130),
          mtext('BREAK EDGES 100', 10, 110),
        ],
      }),
      'frames.dxf',
    );
    expect(said(page.objects)).toEqual([
      [PMI_TYPE.controlFrame, '⌖ | ⌀0.2Ⓜ | A | B'],
      [PMI_TYPE.position, '⌖'],
      [PMI_TYPE.datum, 'C'],
      [PMI_TYPE.leader, ''],
      [PMI_TYPE.leader, '4x M6-6H'],
      [PMI_TYPE.finishMachining, 'Ra 3.2'],
      [PMI_TYPE.plusMinus, 'General tolerances ISO 2768-mK'],
    ]);
    expect(page.objects.map(({ group }) => group)).toEqual([
      'GD&T',
      'GD&T',
      'Datum',
      '',
      '',
      'SurfaceFinish',
      'GeneralTolerance',
    ]);
    expect(attributes).toContainEqual({ name: 'Thread', unit: '', value: 'M6-6H' });
    expect(attributes).toContainEqual({ name: 'General tolerance', unit: '', value: 'ISO 2768-mK' });
  });

  test('lines of a dimension that have tolerances of their own are told apart', async () => {
    const bytes = dxf({
      blocks: { '*D1': [line(50, 80, 150, 80), mtext('%%c8 H7\\P%%c12 %%p0.1', 90, 90, 3)] },
      entities: [...FRAME, linear('*D1')],
    });
    expect(said((await pmiOf(bytes, 'lines.dxf')).pages[0].objects)).toEqual([
      [
        PMI_TYPE.diameter,
        [
          { text: '⌀8', tolerance: ['H7'] },
          { text: '⌀12', tolerance: ['±0.1'] },
        ],
      ],
    ]);
  });
});

const box = (x: number, y: number, width: number, height: number): string => `${x} ${y} ${width} ${height} re S\n`;
const rule = (x1: number, y1: number, x2: number, y2: number): string => `${x1} ${y1} m ${x2} ${y2} l S\n`;
function ring(x: number, y: number, r: number): string {
  const k = 0.5523 * r;
  return `${x + r} ${y} m ${x + r} ${y + k} ${x + k} ${y + r} ${x} ${y + r} c ${x - k} ${y + r} ${x - r} ${y + k} ${x - r} ${y} c ${x - r} ${y - k} ${x - k} ${y - r} ${x} ${y - r} c ${x + k} ${y - r} ${x + r} ${y - k} ${x + r} ${y} c S\n`;
}
/** Enough lines that the file is a drawing. */
const PART = `${box(100, 300, 300, 200)}${Array.from({ length: 320 }, (_, i) => rule(100 + (i % 80) * 3, 300 + 50 * Math.floor(i / 80), 103 + (i % 80) * 3, 350 + 50 * Math.floor(i / 80))).join('')}`;
async function ofPage(content: string): Promise<unknown[]> {
  const { pages } = await pmiOf(pdf([{ content: `${PART}${content}` }]), 'page.pdf');
  return said(pages[0]?.objects ?? []);
}

test('dimensions and sizes on layers that are not shown, or marked as invisible, are counted in warnings', async () => {
  const on = (layer: string, groups: Groups): Groups =>
    groups.map(([code, value]) => (code === 8 ? ([8, layer] as const) : ([code, value] as const)));
  const invisible = (groups: Groups): Groups =>
    groups.flatMap((group) => (group[0] === 8 ? [group, [60, 1] as const] : [group]));
  const bytes = dxf({
    tables: tables([{ name: '0' }, { name: 'old', color: -7 }, { name: 'cold', flags: 1 }]),
    blocks: { a: [mtext('100', 100, 82)], b: [mtext('90', 100, 82)] },
    entities: [
      ...FRAME,
      linear('a'),
      on('old', linear('b', '90')),
      on('old', linear('b', '91')),
      on('old', plainText('31.5 H7', 40, 40)),
      on('old', plainText('DELETED VIEW', 40, 60)),
      on('cold', mtext('32.5', 40, 80)),
      invisible(plainText('33.5', 40, 100)),
    ],
  });
  const content = await readContent(bytes, 'a.dxf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  expect(content.warnings.map(({ message }) => message)).toEqual([
    '4 dimensions, annotations and texts with figures on layers that are off, frozen or not plotted are no part of ' +
      'the PMI: old (3), cold (1)',
    '1 dimensions, annotations and texts with figures that are marked as invisible are no part of the PMI',
  ]);
  const { pages } = await pmiOf(bytes, 'a.dxf');
  expect(pages.flatMap(({ objects }) => objects.flatMap(({ parts }) => parts.map(({ text }) => text)))).toEqual([
    '100',
  ]);
});

test('a hidden text in a block counts once for all insertions, on the layer that hides it', async () => {
  const on = (layer: string, groups: Groups): Groups =>
    groups.map(([code, value]) => (code === 8 ? ([8, layer] as const) : ([code, value] as const)));
  const bytes = dxf({
    tables: tables([{ name: '0' }, { name: 'NOTES' }, { name: 'old', color: -7 }, { name: 'cold', flags: 1 }]),
    blocks: {
      a: [on('NOTES', plainText('31.5', 10, 10))],
      b: [on('old', plainText('32.5', 10, 20)), on('NOTES', plainText('12', 10, 30))],
      c: [insert('a', 0, 0)],
    },
    entities: [
      ...FRAME,
      on('cold', insert('c', 0, 0)),
      on('cold', insert('a', 50, 0)),
      ...[0, 20, 40, 60].map((x) => insert('b', x, 0)),
    ],
  });
  const content = await readContent(bytes, 'a.dxf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  expect(content.warnings.map(({ message }) => message)).toEqual([
    '2 dimensions, annotations and texts with figures on layers that are off, frozen or not plotted are no part of ' +
      'the PMI: cold (1), old (1)',
  ]);
});

describe('text and line work of PDFs', () => {
  test.each([0, 30, 45, 90, -60])('dimensions at %d degrees, in pieces, with stacked deviations', async (degrees) => {
    const cos = Math.cos((degrees * Math.PI) / 180),
      sin = Math.sin((degrees * Math.PI) / 180);
    const at = (text: string, s: number, t: number, size = 12): string =>
      textAt(text, 300 + s * cos - t * sin, 640 + s * sin + t * cos, size, degrees);
    expect(
      await ofPage(`${at('4x', 0, 0)}${at('R6.60', 17, 0)}${at('+0.40', 54, 7, 8)}${at('-0.10', 54, -4, 8)}`),
    ).toEqual([[PMI_TYPE.radius, '4x R6.60', ['+0.40', '-0.10']]]);
    expect(await ofPage(`${at('R3,99 -0,02', 0, 0)}${at('0', 36, 12)}`)).toEqual([
      [PMI_TYPE.radius, 'R3,99', ['0', '-0,02']],
    ]);
    expect(await ofPage(at('25,4 \xb10,1', 0, 0))).toEqual([[PMI_TYPE.arrows, '25,4', ['±0,1']]]);
    expect(await ofPage(`${at('16.00', 0, 0)}${at('15.50', 0, -12.5)}`)).toEqual([
      [PMI_TYPE.arrows, ['16.00', '15.50']],
    ]);
  });

  test('a diameter sign that is drawn stands before its size', async () => {
    expect(await ofPage(`${ring(200, 604, 4)}${rule(197, 598, 203, 610)}${textAt('28 H7', 208, 600)}`)).toEqual([
      [PMI_TYPE.diameter, '⌀28', ['H7']],
    ]);
    expect(await ofPage(`${ring(200, 604, 4)}${textAt('28 H7', 208, 600)}`)).toEqual([[PMI_TYPE.arrows, '28', ['H7']]]);
  });

  test('a plus-minus sign that is drawn joins what it stands between; a datum target is a circle with two lines', async () => {
    const sign = `${rule(216, 604, 223, 604)}${rule(219.5, 600.5, 219.5, 607.5)}${rule(216, 598.5, 223, 598.5)}`;
    expect(await ofPage(`${textAt('25', 200, 600)}${sign}${textAt('0.05', 226, 600)}`)).toEqual([
      [PMI_TYPE.arrows, '25', ['±0.05']],
    ]);
    expect(
      await ofPage(
        `${ring(300, 600, 22)}${rule(278, 600, 322, 600)}${textAt('R10', 291, 605)}${textAt('A3', 293, 586)}`,
      ),
    ).toEqual([[PMI_TYPE.datum, ['R10', 'A3']]]);
  });

  test('boxes tell basic dimensions, datums and control frames with the sign that is drawn in them', async () => {
    expect(await ofPage(`${box(198, 596, 34, 16)}${textAt('7.00', 202, 600)}`)).toEqual([
      [PMI_TYPE.arrows, '7.00', ['basic']],
    ]);
    expect(await ofPage(`${box(196, 594, 18, 20)}${textAt('B', 201, 600)}`)).toEqual([[PMI_TYPE.datum, 'B']]);
    const signs: [string, number, string][] = [
      [`${ring(210, 604, 4)}${rule(203, 604, 217, 604)}${rule(210, 597, 210, 611)}`, PMI_TYPE.position, '⌖'],
      [`${ring(210, 604, 4)}${ring(210, 604, 7)}`, PMI_TYPE.concentric, '◎'],
      [ring(210, 604, 6), PMI_TYPE.circular, '○'],
      [`${rule(203, 598, 217, 598)}${rule(210, 598, 210, 611)}`, PMI_TYPE.perpendicular, '⊥'],
      [`${rule(204, 598, 209, 611)}${rule(210, 598, 215, 611)}`, PMI_TYPE.parallel, '∥'],
      [`${rule(203, 604, 217, 604)}`, PMI_TYPE.straight, '⏤'],
      [
        `${rule(202, 599, 213, 599)}${rule(213, 599, 218, 609)}${rule(218, 609, 207, 609)}${rule(207, 609, 202, 599)}`,
        PMI_TYPE.flat,
        '⏥',
      ],
      [`${rule(203, 598, 217, 598)}${rule(203, 598, 217, 609)}`, PMI_TYPE.angular, '∠'],
      [`${ring(210, 604, 4)}${rule(202, 598, 208, 611)}${rule(212, 598, 218, 611)}`, PMI_TYPE.cylindrical, '⌭'],
      [`${rule(204, 600, 216, 600)}${rule(202, 604, 218, 604)}${rule(204, 608, 216, 608)}`, PMI_TYPE.symmetry, '⌯'],
    ];
    for (const [sign, type, text] of signs) {
      const frame = `${box(200, 594, 20, 20)}${box(220, 594, 40, 20)}${box(260, 594, 20, 20)}${sign}${textAt('0.2', 230, 600)}${textAt('A', 266, 600)}`;
      expect(await ofPage(frame)).toEqual([
        [PMI_TYPE.controlFrame, `${text} | 0.2 | A`],
        [type, text],
      ]);
    }
  });

  test('rows that share the sign of a higher cell are one frame, whichever sides are drawn together', async () => {
    const sign = `${ring(210, 594, 4)}${rule(203, 594, 217, 594)}${rule(210, 587, 210, 601)}`;
    const cells = `${box(220, 594, 40, 20)}${box(260, 594, 20, 20)}${box(280, 594, 20, 20)}${box(220, 574, 40, 20)}${box(260, 574, 20, 20)}${rule(200, 614, 220, 614)}${rule(200, 574, 220, 574)}`;
    const texts = `${textAt('0.5', 230, 600)}${textAt('A', 266, 600)}${textAt('B', 286, 600)}${textAt('0.2', 230, 580)}${textAt('A', 266, 580)}${textAt('2 SURFACES', 222, 562)}`;
    for (const side of [rule(200, 574, 200, 614), `${rule(200, 574, 200, 594)}${rule(200, 594, 200, 614)}`]) {
      expect(await ofPage(`${sign}${cells}${side}${texts}`)).toEqual([
        [PMI_TYPE.controlFrame, ['⌖ | 0.5 | A | B', '0.2 | A', '2 SURFACES']],
        [PMI_TYPE.position, '⌖'],
      ]);
    }
  });

  test('numbers in flags, triangles and circles are of notes and parts, and no digits of the size beside them', async () => {
    const size = textAt('2.5 \xb10.15', 200, 600),
      end = 262;
    const flag = `${end} 596 m ${end + 10} 596 l ${end + 15} 603 l ${end + 10} 611 l ${end} 611 l h S\n`;
    const triangle = `${end - 5} 597 m ${end + 15} 597 l ${end + 5} 616 l h S\n`;
    for (const sign of [flag, triangle, ring(end + 5, 604, 9)]) {
      expect(await ofPage(`${size}${sign}${textAt('4', end + 2, 600)}`)).toEqual([
        [PMI_TYPE.arrows, '2.5', ['\u00b10.15']],
      ]);
      expect(await ofPage(`${sign}${textAt('4', end + 2, 600)}`)).toEqual([]);
    }
  });

  test('values side by side on dimension lines of their own are parted by the extension line between them', async () => {
    const values = `${textAt('20', 200, 600)}${textAt('35 \xb10.1', 219, 600)}`;
    expect(await ofPage(`${values}${rule(216, 590, 216, 630)}`)).toEqual([
      [PMI_TYPE.arrows, '20'],
      [PMI_TYPE.arrows, '35', ['±0.1']],
    ]);
    // Words of one value stay together.
    expect(await ofPage(`${textAt('4x', 200, 600)}${textAt('M8', 217, 600)}`)).toEqual([[PMI_TYPE.leader, '4x M8']]);
  });

  test('fits on each other are a pair, deviations may stand behind a fit, and a sign before both limits', async () => {
    const size = textAt('\xd820', 200, 600);
    expect(await ofPage(`${size}${textAt('H7', 226, 606, 8)}${textAt('k6', 226, 596, 8)}`)).toEqual([
      [PMI_TYPE.diameter, '⌀20', ['H7/k6']],
    ]);
    expect(
      await ofPage(`${textAt('\xd820 H7', 200, 600)}${textAt('+0.021', 246, 606, 8)}${textAt('0', 246, 597, 8)}`),
    ).toEqual([[PMI_TYPE.diameter, '⌀20', ['H7', '+0.021', '0']]]);
    expect(await ofPage(`${textAt('R', 189, 594)}${textAt('11.30', 200, 600)}${textAt('11.20', 200, 587)}`)).toEqual([
      [PMI_TYPE.radius, ['R11.30', '11.20']],
    ]);
  });

  test('a frame whose cells are boxes of their own, and a target with the size of its area', async () => {
    const cells = `${box(200, 594, 20, 20)}${box(220, 594, 40, 20)}${box(260, 594, 20, 20)}${rule(203, 604, 217, 604)}`;
    expect(await ofPage(`${cells}${textAt('0.2', 230, 600)}${textAt('A', 266, 600)}`)).toEqual([
      [PMI_TYPE.controlFrame, '⏤ | 0.2 | A'],
      [PMI_TYPE.straight, '⏤'],
    ]);
    const target = `${ring(300, 600, 22)}${rule(278, 600, 322, 600)}${ring(293, 610, 3)}${rule(290, 605, 296, 615)}`;
    expect(await ofPage(`${target}${textAt('8', 299, 606, 10)}${textAt('A3', 293, 586)}`)).toEqual([
      [PMI_TYPE.datum, ['⌀8', 'A3']],
    ]);
  });

  test('a number with a dash is a size only if what follows can be its deviation', async () => {
    expect(await ofPage(textAt('26-8249', 200, 600))).toEqual([]);
    expect(await ofPage(textAt('26-0.2', 200, 600))).toEqual([[PMI_TYPE.arrows, '26', ['-0.2']]]);
    expect(await ofPage(textAt('4x (R5)', 200, 600))).toEqual([[PMI_TYPE.radius, '4x (R5)']]);
  });

  test('zones, title block and tables are no dimensions, and the title block is read', async () => {
    const zones = ['1', '2', '3', '4']
      .map((mark, i) => textAt(mark, 100 + 120 * i, 825, 8) + textAt(mark, 100 + 120 * i, 12, 8))
      .join('');
    const title = [
      ['DRAWN', 50, 110],
      ['J. Doe', 90, 110],
      ['SCALE:1:2', 300, 60],
      ['MATERIAL:', 200, 90],
      ['EN AW-6060', 215, 80],
      ['DWG NO.', 300, 90],
      ['B1307-2', 340, 80],
      ['WEIGHT:', 200, 60],
      ['0.31', 235, 60],
      ['TITLE:', 300, 120],
      ['Bracket', 330, 112],
      ['REVISION', 450, 120],
      ['C', 455, 108],
      ['DATE:', 50, 90],
      ['2024-05-01', 75, 90],
      ['THIRD ANGLE PROJECTION', 300, 40],
    ] as const;
    const {
      pages: [page],
      attributes,
    } = await pmiOf(
      pdf([
        {
          content: `${PART}${zones}${title.map(([text, x, y]) => textAt(text, x, y, 6)).join('')}${textAt('DIMENSIONS ARE IN MILLIMETERS', 50, 130, 6)}${textAt('42', 250, 700)}`,
        },
      ]),
      'title.pdf',
    );
    expect(said(page.objects)).toEqual([[PMI_TYPE.arrows, '42']]);
    const named = Object.fromEntries(attributes.map(({ name, value }) => [name, value]));
    expect(named).toMatchObject({
      'Part number': 'B1307-2',
      Material: 'EN AW-6060',
      Scale: '1:2',
      Name: 'Bracket',
      Mass: '0.31',
      'Drawn by': 'J. Doe',
      Units: 'mm',
      Revision: 'C',
      Date: '2024-05-01',
      Projection: 'third angle',
      'Largest dimension': '42',
    });
  });

  test('holes are counted behind their size, too, where the diameter sign is drawn', async () => {
    const sign = `${ring(200, 604, 4)}${rule(197, 598, 203, 610)}`;
    const {
      pages: [page],
      attributes,
    } = await pmiOf(pdf([{ content: `${PART}${sign}${textAt('3,1 (4 holes)', 208, 600)}` }]), 'holes.pdf');
    expect(said(page.objects)).toEqual([[PMI_TYPE.diameter, '\u23003,1 (4 holes)']]);
    expect(attributes).toContainEqual({ name: 'Largest dimension', unit: '', value: '3.1' });
  });

  test('values of a title block stand in the cell of their label, and are no labels themselves', async () => {
    // Labels small in the upper left of their cells, values larger and in the middle; a cell is empty, others are
    // filled with dots.
    const cells = `${box(50, 40, 490, 180)}${[175, 130, 85].map((y) => rule(50, y, 540, y)).join('')}${rule(295, 40, 295, 220)}${rule(371, 85, 371, 130)}${rule(295, 115, 540, 115)}${rule(295, 100, 540, 100)}${rule(484, 40, 484, 85)}`;
    const labels = [
      ['name:', 56, 209],
      ['part nr.:', 301, 209],
      ['material:', 56, 164],
      ['weight:', 303, 164],
      ['date:', 56, 119],
      ['made by:', 303, 119],
      ['checked by:', 303, 104],
      ['approved by:', 303, 89],
      ['part of assembly:', 56, 74],
      ['document number:', 303, 74],
      ['rev.nr.:', 496, 74],
    ] as const;
    const values = [
      ['fan bracket', 64, 191, 14],
      ['1329-B2P-C', 389, 191, 16],
      ['...', 410, 145, 14],
      ['4-12-2013', 150, 100, 14],
      ['L. Spruyt', 428, 117, 13],
      ['3300-B2A', 175, 53, 14],
      ['B 1329-B2P-C', 325, 53, 16],
    ] as const;
    const written = (texts: readonly (readonly [string, number, number, number?])[]): string =>
      texts.map(([text, x, y, size = 10]) => textAt(text, x, y, size)).join('');
    const { attributes } = await pmiOf(
      pdf([{ content: `${PART}${cells}${written(labels)}${written(values)}${textAt('42', 250, 700)}` }]),
      'title.pdf',
    );
    const named = Object.fromEntries(attributes.map(({ name, value }) => [name, value]));
    expect(named).toEqual({
      Name: 'fan bracket',
      'Part number': '1329-B2P-C',
      Date: '4-12-2013',
      'Drawn by': 'L. Spruyt',
      'Largest dimension': '42',
    });
  });

  test('any lines and texts end in sound objects, the same each time', async () => {
    const number = fc.integer({ min: -50, max: 900 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(number, number, number, number), { maxLength: 40 }),
        fc.array(
          fc.tuple(
            fc.stringMatching(/^[ -~]{1,20}$/),
            number,
            number,
            fc.integer({ min: 1, max: 60 }),
            fc.integer({ min: -180, max: 180 }),
          ),
          { maxLength: 20 },
        ),
        async (lines, texts) => {
          const bytes = pdf([
            {
              content: `${PART}${lines.map((each) => rule(...each)).join('')}${texts.map((each) => textAt(...each)).join('')}`,
            },
          ]);
          const found = await pmiOf(bytes, 'any.pdf');
          expect(await pmiOf(bytes, 'any.pdf')).toEqual(found);
          for (const { widthPx: width, heightPx: height, objects } of found.pages) {
            for (const {
              box: [x, y, w, h],
              parts,
            } of objects) {
              expect(
                [x, y, w, h].every(Number.isInteger) &&
                  x >= 0 &&
                  y >= 0 &&
                  w > 0 &&
                  h > 0 &&
                  x + w <= width &&
                  y + h <= height,
              ).toBe(true);
              expect(parts.every(({ text }) => typeof text === 'string')).toBe(true);
            }
          }
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('large and hostile drawings', () => {
  const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const took = stopwatch();
    await work();
    return took() / 1_000;
  };

  test('25 000 lines with dimensions among them take at most 5 s, as entities and as strokes', async () => {
    const lines = Array.from(
      { length: 25_000 },
      (_, i) =>
        [
          (i % 250) * 1.6,
          Math.floor(i / 250) * 2,
          (i % 250) * 1.6 + 1.2,
          Math.floor(i / 250) * 2 + (i % 7) * 0.3,
        ] as const,
    );
    const cad = dxf({
      blocks: { '*D1': [line(50, 80, 150, 80), ...solidArrows(4, -4), mtext('100', 90, 85, 3)] },
      entities: [...FRAME, ...lines.map((each) => line(...each)), ...Array.from({ length: 50 }, () => linear('*D1'))],
    });
    let found: unknown[] = [];
    expect(
      await secondsOf(async () => void (found = said((await pmiOf(cad, 'large.dxf')).pages[0].objects))),
    ).toBeLessThan(5);
    expect(found).toHaveLength(50);
    const page = pdf([{ content: `${lines.map((each) => rule(...each)).join('')}${textAt('R7.25', 450, 700)}` }]);
    expect(
      await secondsOf(async () => void (found = said((await pmiOf(page, 'large.pdf')).pages[0].objects))),
    ).toBeLessThan(5);
    expect(found).toEqual([[PMI_TYPE.radius, 'R7.25']]);
  }, 60_000);

  test('circles in circles, boxes upon boxes and texts without end take as long, and are bounded', async () => {
    const rings = Array.from({ length: 3_000 }, (_, i) => ring(300, 400, 1 + i / 20)).join('');
    const boxes = Array.from({ length: 6_000 }, (_, i) => box(100 + (i % 3), 100 + (i % 5), 20 + (i % 11), 10)).join(
      '',
    );
    const texts = Array.from({ length: 3_000 }, (_, i) =>
      textAt(i % 2 === 0 ? '0.2' : 'A', 100 + (i % 9), 104, 8),
    ).join('');
    for (const content of [rings, boxes, rings + boxes + texts]) {
      let found: unknown[] = [];
      expect(
        await secondsOf(
          async () =>
            void (found = (await pmiOf(pdf([{ content: `${PART}${content}` }]), 'hostile.pdf')).pages.flatMap(
              ({ objects }) => objects,
            )),
        ),
      ).toBeLessThan(10);
      expect(found.length).toBeLessThanOrEqual(5_000);
    }
  }, 120_000);
});

describe('through the engine', () => {
  let folder: string, engine: Engine, company: Company;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shapedex-pmi-test-'));
    engine = await Engine.open(join(folder, 'library'), { workers: 1 });
    company = await engine.company('acme');
  });
  afterAll(async () => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('a drawing has PMI that is found by its words, and pictures of it; other files have none', async () => {
    const content = `${PART}${ring(200, 604, 4)}${rule(197, 598, 203, 610)}${textAt('28 H7', 208, 600)}${textAt('4x M6', 250, 700)}`;
    const { uid, extractedAttributes } = await company.put('bracket.pdf', pdf([{ content }]));
    const pmi = await company.pmi(uid);
    expect(said(pmi?.pages[0].objects ?? [])).toEqual([
      [PMI_TYPE.leader, '4x M6'],
      [PMI_TYPE.diameter, '⌀28', ['H7']],
      [PMI_TYPE.view, ''],
    ]);
    expect(extractedAttributes).toContain('Thread=M6');
    // What the page says already is not said twice.
    const [page] = await company.text(uid);
    expect(page.text.match(/4x M6/g)).toHaveLength(1);
    expect(page.text).toContain('⌀28 H7');
    expect(page.runs?.every(({ start, end }) => page.text.slice(start, end).trim() !== '')).toBe(true);
    const png = Buffer.from(await company.pictures.pmi(uid));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([pmi?.pages[0].widthPx, pmi?.pages[0].heightPx]);
    await expect(company.pictures.pmi(uid, { page: 7 })).rejects.toMatchObject({ code: 'NO_GEOMETRY' });
    const paths = async (...text: string[]): Promise<string[]> =>
      (await company.search({ text })).hits.map(({ path }) => path);
    expect(await paths('Thread=M6*')).toEqual(['bracket.pdf']);
    expect(await paths('Fit=[H7]', 'Thread=M6')).toEqual(['bracket.pdf']);
    expect(await paths('Thread=M8*')).toEqual([]);
    const plain = await company.put('plain.txt', Buffer.from('28 H7 is no drawing'));
    expect(await company.pmi(plain.uid)).toBeUndefined();
    await expect(company.pmi('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({ code: 'FILE_UNKNOWN' });
    await company.put('bracket.pdf', pdf([{ content: `${PART}${textAt('12', 250, 700)}` }]));
    expect(said((await company.pmi(uid))?.pages[0].objects ?? [])).toEqual([
      [PMI_TYPE.arrows, '12'],
      [PMI_TYPE.view, ''],
    ]);
  });
});
