import { ACadVersion, BlockRecord, CadDocument, Circle, DwgWriter, Insert, Line, XYZ } from '@node-projects/acad-ts';
import { describe, expect, it } from 'vitest';
import type { Drawing } from '../../../dist/content/drawing.js';
import type { Sheet } from '../../../dist/content/sheet.js';
import { EngineError } from '../../../dist/errors.js';
import { readContent } from '../../../dist/readers/read.js';
import { damaged } from '../../fixtures/damage.js';
import {
  attribute,
  circle,
  dxf,
  entity,
  insert,
  line,
  mtext,
  polyline,
  SEQUENCE_END,
  tables,
  text,
  viewport,
  type DxfParts,
  type Groups,
} from '../../fixtures/dxf-writer.js';
import { options } from '../helpers.js';
import { expectSound, points } from './sound-sheet.js';
import { stopwatch } from '../../fixtures/stopwatch.js';

async function read(bytes: Uint8Array, name = 'a.dxf', limits: Parameters<typeof options>[0] = {}): Promise<Drawing> {
  const content = await readContent(bytes, name, options(limits));
  if (content.kind !== 'drawing') throw new Error(`${name} became a ${content.kind}`);
  return content;
}

async function sheetOf(parts: DxfParts): Promise<Sheet> {
  const { sheets } = await read(dxf(parts));
  return sheets[0];
}

const rounded = (sheet: Sheet, stroke: number): number[][] =>
  points(sheet, stroke).map((point) => point.map((value) => Math.round(10 * value) / 10 + 0));
/** A dimension whose strokes and text are in a block; kind 0: a length, 2: an angle, 3: a diameter. */
const angleOrLength = (block: string, kind: 0 | 2 | 3): Groups => [
  [0, 'DIMENSION'],
  [100, 'AcDbEntity'],
  [8, '0'],
  [100, 'AcDbDimension'],
  [2, block],
  [10, 10],
  [20, 5],
  [30, 0],
  [11, 35],
  [21, 5],
  [31, 0],
  [70, 32 + kind],
  [1, ''],
  [100, ['AcDbAlignedDimension', '', 'AcDb2LineAngularDimension', 'AcDbDiametricDimension'][kind]],
  [13, 10],
  [23, 10],
  [33, 0],
  [14, 60],
  [24, 12],
  [34, 0],
  [15, 5],
  [25, 5],
  [35, 0],
  [16, 30],
  [26, 40],
  [36, 0],
];
/** From 0, 0 to 400, 200: page and drawing have the same size, y turned. */
const frame = [line(0, 0, 400, 0), line(400, 0, 400, 200), line(400, 200, 0, 200), line(0, 200, 0, 0)];
const FRAME = frame.length;

describe('geometry of a DXF drawing', () => {
  it('lines and polylines with arcs lie where they are, y downwards', async () => {
    const sheet = await sheetOf({
      header: [
        [9, '$INSUNITS'],
        [70, 4],
      ],
      entities: [
        ...frame,
        polyline(
          [
            [100, 50],
            [150, 50, 1],
            [150, 90],
            [100, 90],
          ],
          true,
        ),
      ],
    });
    expectSound(sheet);
    expect([sheet.number, sheet.width, sheet.height, sheet.unitMm, sheet.space]).toEqual([1, 400, 200, 1, 'model']);
    expect(rounded(sheet, 0)).toEqual([
      [0, 200],
      [400, 200],
    ]);
    const slot = rounded(sheet, FRAME);
    expect([slot[0], slot[1], slot.at(-2), slot.at(-1)]).toEqual([
      [100, 150],
      [150, 150],
      [100, 110],
      [100, 150],
    ]);
    // A bulge of 1 is half a circle to the right of the way.
    expect(Math.max(...slot.map(([x]) => x))).toBe(170);
  });

  it('circles, arcs and closed pairs of half circles are arcs; ellipses are none', async () => {
    const arc: Groups = [
      ...entity('ARC', 'AcDbCircle', [
        [10, 200],
        [20, 100],
        [30, 0],
        [40, 10],
      ]),
      [100, 'AcDbArc'],
      [50, 0],
      [51, 90],
    ];
    const ellipse = entity('ELLIPSE', 'AcDbEllipse', [
      [10, 300],
      [20, 100],
      [30, 0],
      [11, 40],
      [21, 0],
      [31, 0],
      [40, 0.5],
      [41, 0],
      [42, 2 * Math.PI],
    ]);
    const sheet = await sheetOf({
      entities: [
        ...frame,
        circle(50, 50, 20),
        arc,
        polyline(
          [
            [100, 100, 1],
            [120, 100, 1],
          ],
          true,
        ),
        ellipse,
      ],
    });
    expectSound(sheet);
    expect(
      sheet.arcs.map(({ x, y, radius, sweepRad }) => [x, y, radius, Math.round(1_000 * sweepRad) / 1_000]),
    ).toEqual([
      [50, 150, 20, -6.283],
      [200, 100, 10, -1.571],
      [110, 100, 10, -6.283],
    ]);
    expect(rounded(sheet, FRAME + 1)[0]).toEqual([210, 100]);
    const oval = points(sheet, FRAME + 3);
    expect([Math.max(...oval.map(([x]) => x)), Math.max(...oval.map(([, y]) => y))].map(Math.round)).toEqual([
      340, 120,
    ]);
  });

  it('splines go through their ends and stay within their control points', async () => {
    const spline = entity('SPLINE', 'AcDbSpline', [
      [70, 8],
      [71, 3],
      [72, 8],
      [73, 4],
      [74, 0],
      ...[0, 0, 0, 0, 1, 1, 1, 1].map((knot) => [40, knot] as const),
      ...[
        [10, 10],
        [20, 110],
        [80, 110],
        [90, 10],
      ].flatMap(
        ([x, y]): Groups => [
          [10, x],
          [20, y],
          [30, 0],
        ],
      ),
    ]);
    const sheet = await sheetOf({ entities: [...frame, spline] });
    const curve = points(sheet, FRAME);
    expect([rounded(sheet, FRAME)[0], rounded(sheet, FRAME).at(-1)]).toEqual([
      [10, 190],
      [90, 190],
    ]);
    // Bézier at its middle: (10 + 3 × 20 + 3 × 80 + 90) / 8, (10 + 3 × 110 + 3 × 110 + 10) / 8.
    expect(Math.min(...curve.map(([, y]) => y))).toBeCloseTo(200 - 85, 0);
    expect(curve.length).toBeGreaterThan(20);
  });

  it.each([
    [3, 30_000, 6],
    [3, 60_000, 3],
    [25, 500, 11],
  ])(
    'a spline of degree %d with %d points that turn all the time has %d chords a span',
    async (degree, count, chords) => {
      const x = (i: number): number => 5 + (90 * i) / (count - 1);
      const spline = entity('SPLINE', 'AcDbSpline', [
        ...[[70, 8] as const, [71, degree] as const, [72, count + degree + 1] as const, [73, count] as const],
        ...Array.from(
          { length: count + degree + 1 },
          (_, i) => [40, Math.max(0, Math.min(count - degree, i - degree))] as const,
        ),
        ...Array.from(
          { length: count },
          (_, i): Groups => [
            [10, x(i)],
            [20, 50 + 20 * (i % 2)],
            [30, 0],
          ],
        ).flat(),
      ]);
      const curve = points(await sheetOf({ entities: [...frame, spline] }), FRAME);
      expect(curve).toHaveLength(1 + chords * (count - degree));
      expect([curve[0][0], curve.at(-1)![0]].map(Math.round)).toEqual([5, 95]);
      // Away from the ends a uniform B-spline of high degree does not follow a zigzag.
      if (degree > 3) expect(curve[curve.length >> 1][1]).toBeCloseTo(200 - 60, 1);
    },
  );

  it('tilted circles are seen as ellipses, entities from behind are mirrored', async () => {
    const tilted = [...circle(100, -100, 10), [210, 1], [220, 0], [230, 1]] as Groups,
      behind = [
        ...entity('ARC', 'AcDbCircle', [
          [10, -100],
          [20, 50],
          [30, 0],
          [40, 10],
          [210, 0],
          [220, 0],
          [230, -1],
        ]),
        [100, 'AcDbArc'],
        [50, 0],
        [51, 90],
      ] as Groups;
    const sheet = await sheetOf({ entities: [...frame, tilted, behind] });
    const oval = points(sheet, FRAME);
    const spread = (axis: 0 | 1): number =>
      Math.max(...oval.map((point) => point[axis])) - Math.min(...oval.map((point) => point[axis]));
    expect([spread(0), spread(1)].map((value) => Math.round(10 * value)).sort()).toEqual([141, 200]);
    expect(sheet.arcs.map(({ x, y, sweepRad }) => [x, y, Math.sign(sweepRad)])).toEqual([[100, 150, 1]]);
    expect(rounded(sheet, FRAME + 1)[0]).toEqual([90, 150]);
  });

  it('blocks are drawn where they are placed: arrays, scales, mirrors, turns', async () => {
    const blocks = { b: [line(0, 0, 10, 0), circle(0, 0, 2)], outer: [insert('b', 5, 5, { scale: 2 })] };
    const array: Groups = [...insert('b', 100, 100), [70, 3], [71, 2], [44, 20], [45, 30]];
    const sheet = await sheetOf({ blocks, entities: [...frame, array, insert('outer', 300, 50, { degrees: 90 })] });
    expectSound(sheet);
    const ends = Array.from({ length: 6 }, (_, i) => rounded(sheet, FRAME + 2 * i)[0]);
    expect(ends).toEqual([
      [100, 100],
      [120, 100],
      [140, 100],
      [100, 70],
      [120, 70],
      [140, 70],
    ]);
    expect(rounded(sheet, FRAME + 12)).toEqual([
      [295, 145],
      [295, 125],
    ]);
    expect(sheet.arcs.at(-1)!.radius).toBeCloseTo(4, 5);
  });

  it('a stray entity far out is no part of the drawing, NaN and infinity are dropped', async () => {
    const many = Array.from({ length: 40 }, (_, i) => line(i, i, i + 1, i));
    const sheet = await sheetOf({
      entities: [
        ...frame,
        ...many,
        line(5e14, 5e14, 5.1e14, 5e14),
        line(1e20, 0, 0, 0),
        circle(10, 10, 1e300),
        line(1e12, 1, 2, 1e12),
        text('far', 1e14, 0),
      ],
    });
    expect([sheet.width, sheet.height]).toEqual([400, 200]);
    expectSound(sheet);
    const odd = await sheetOf({
      entities: [
        ...frame,
        entity('LINE', 'AcDbLine', [
          [10, 'nan'],
          [20, 0],
          [11, 'x'],
          [21, 1],
        ]),
      ],
    });
    expect([odd.width, odd.height]).toEqual([400, 200]);
    expectSound(odd);
  });

  it('lines thirty times as far out as all others leave the page, and are told; a dimension there keeps it', async () => {
    const many = Array.from({ length: 100 }, (_, i) => line(i, i, i + 1, i));
    const strays = [line(40_000, 40_000, 41_000, 40_000), text('far', -30_000, 0)];
    const drawing = await read(dxf({ entities: [...frame, ...many, ...strays] }));
    expect([drawing.sheets[0].width, drawing.sheets[0].height]).toEqual([400, 200]);
    expectSound(drawing.sheets[0]);
    expect(drawing.warnings.map(({ message }) => message)).toEqual([
      '2 lines and texts far outside the drawing are no part of its page',
    ]);
    const near = await sheetOf({ entities: [...frame, ...many, line(4_000, 100, 4_000, 110)] });
    expect(near.width).toBe(4_000);
    const farDimension = await sheetOf({
      blocks: { '*D1': [line(40_000, 10, 40_050, 10), text('50', 40_020, 12)] },
      entities: [...frame, ...many, angleOrLength('*D1', 0)],
    });
    expect(farDimension.width).toBeGreaterThan(40_000);
  });

  it('what lies farthest out belongs to the drawing, however coordinates are rounded', async () => {
    for (let i = 0; i < 60; i++) {
      const left = -7.8 + 0.37 * i,
        low = 1.1 - 0.53 * i;
      const sides = [line(left, low, left + 61.8, low), line(left, low, left, low + 21.6)];
      const inside = Array.from({ length: 9 }, (_, k) => line(left + 30 + k, low + 3, left + 30 + k, low + 9.1));
      const sheet = await sheetOf({ entities: [...sides, ...inside] });
      expect([sheet.width, sheet.height]).toEqual([expect.closeTo(61.8, 6), expect.closeTo(21.6, 6)]);
    }
  });

  it('R12: polylines are closed, meshes have edges, dimensions their kind', async () => {
    const old = (kind: string, groups: Groups): Groups => [[0, kind], [8, '0'], ...groups];
    const vertex = (x: number, y: number, more: Groups = []): Groups =>
      old('VERTEX', [[10, x], [20, y], [30, 0], ...more]);
    const end = old('SEQEND', []);
    const {
      sheets: [sheet],
    } = await read(
      dxf({
        version: 'AC1009',
        entities: [
          ...frame,
          old('POLYLINE', [
            [66, 1],
            [10, 0],
            [20, 0],
            [30, 0],
            [70, 1],
          ]),
          vertex(10, 10),
          vertex(60, 10, [[42, 1]]),
          vertex(60, 40),
          vertex(10, 40),
          end,
          old('POLYLINE', [
            [66, 1],
            [70, 8],
          ]),
          vertex(100, 10, [[70, 32]]),
          vertex(120, 30, [[70, 32]]),
          end,
          old('DIMENSION', [
            [2, '*D1'],
            [10, 10],
            [20, 5],
            [30, 0],
            [11, 35],
            [21, 5],
            [31, 0],
            [70, 32],
            [1, ''],
            [13, 10],
            [23, 10],
            [33, 0],
            [14, 60],
            [24, 12],
            [34, 0],
          ]),
        ],
      }),
    );
    const closed = rounded(sheet, FRAME);
    expect([closed[0], closed.at(-1)]).toEqual([
      [10, 190],
      [10, 190],
    ]);
    expect(Math.max(...closed.map(([x]) => x))).toBe(75);
    expect(rounded(sheet, FRAME + 1)).toEqual([
      [100, 190],
      [120, 170],
    ]);
    expect(sheet.annotations.map(({ kind, dimension }) => [kind, dimension?.type, dimension?.measurement])).toEqual([
      ['dimension', 'linear', 50],
    ]);
  });
});

describe('signs of a DXF drawing', () => {
  const said = async (value: string, kind: 0 | 2 | 3): Promise<string[]> => {
    const sheet = await sheetOf({
      blocks: { '*D1': [line(0, 0, 50, 0), text(value, 20, 2)] },
      entities: [...frame, angleOrLength('*D1', kind)],
    });
    return sheet.annotations.map((annotation) => annotation.text);
  };

  it('that a converter replaced by a question mark come back where the kind of the dimension says which', async () => {
    expect(await said('108?', 2)).toEqual(['108°']);
    expect(await said('4x ?20 H7', 3)).toEqual(['4x ⌀20 H7']);
    expect(await said('50?', 0)).toEqual(['50?']);
    expect(await said('SEE NOTE?', 2)).toEqual(['SEE NOTE?']);
  });

  it.each([
    ['AC1009', [], 'latin1', '45°'],
    ['AC1009', [], 'utf8', '45°'],
    [
      'AC1015',
      [
        [9, '$DWGCODEPAGE'],
        [3, 'ANSI_1252'],
      ],
      'utf8',
      '45°',
    ],
    [
      'AC1015',
      [
        [9, '$DWGCODEPAGE'],
        [3, 'ANSI_1252'],
      ],
      'latin1',
      '45°',
    ],
    // The two bytes are one letter there.
    [
      'AC1015',
      [
        [9, '$DWGCODEPAGE'],
        [3, 'ANSI_936'],
      ],
      'utf8',
      '45掳',
    ],
  ] as const)('of %s, %j, written as %s are read', async (version, header, encoding, expected) => {
    const written = new TextDecoder().decode(
      dxf({ version, header: header as Groups, entities: [...frame, text('45°', 20, 20)] }),
    );
    const { pages } = await read(Buffer.from(written, encoding));
    expect(pages[0].text).toBe(expected);
  });
});

describe('how strokes look', () => {
  it('layers give color, dashes and width; frozen, off and helping ones are left out', async () => {
    const on = (layer: string, more: Groups = []): Groups => [[8, layer], ...more];
    const sheet = await sheetOf({
      header: [
        [9, '$INSUNITS'],
        [70, 4],
        [9, '$LTSCALE'],
        [40, 2],
      ],
      tables: tables(
        [
          { name: '0' },
          { name: 'cut', color: 1 },
          { name: 'Center', color: 3, lineType: 'CENTER' },
          { name: 'frozen', flags: 1 },
          { name: 'off', color: -7 },
          { name: 'Defpoints' },
        ],
        { CENTER: [10, -2, 1, -2], HIDDEN: [4, -2] },
      ),
      blocks: {
        b: [
          circle(0, 0, 5),
          circle(0, 0, 6, [
            [8, '0'],
            [62, 0],
          ]),
        ],
        gone: [circle(0, 0, 7, [[8, 'cut']])],
      },
      entities: [
        ...frame,
        circle(50, 50, 10, on('cut', [[370, 50]])),
        circle(50, 50, 11, on('Center')),
        circle(
          50,
          50,
          12,
          on('cut', [
            [6, 'HIDDEN'],
            [62, 5],
            [48, 0.5],
          ]),
        ),
        circle(50, 50, 13, on('frozen')),
        circle(50, 50, 14, on('off')),
        circle(50, 50, 15, on('Defpoints')),
        [...insert('b', 200, 100), [8, 'cut']],
        insert('gone', 300, 100).map(([code, value]) =>
          code === 8 ? ([8, 'frozen'] as const) : ([code, value] as const),
        ),
      ],
    });
    const look = (radius: number): unknown => {
      const arc = sheet.arcs.find((one) => Math.abs(one.radius - radius) < 0.01);
      if (arc === undefined) return undefined;
      const { layer, color, dash, width } = sheet.styles[sheet.strokes.styles[arc.stroke]];
      return [layer, color.toString(16), dash, width];
    };
    expect(look(10)).toEqual(['cut', 'ff0000', [], 0.5]);
    // A line type that has the name of a layer is found too.
    expect(look(11)).toEqual(['Center', 'ff00', [20, 4, 2, 4], 0.25]);
    expect(look(12)).toEqual(['cut', 'ff', [4, 2], 0.25]);
    expect([13, 14, 15, 7].map(look)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('filled areas and hatches are told apart from lines', async () => {
    const solid = entity('SOLID', 'AcDbTrace', [
      [10, 10],
      [20, 10],
      [30, 0],
      [11, 20],
      [21, 10],
      [31, 0],
      [12, 10],
      [22, 20],
      [32, 0],
      [13, 20],
      [23, 20],
      [33, 0],
    ]);
    const boundary: Groups = [
      [91, 1],
      [92, 2],
      [72, 0],
      [73, 1],
      [93, 4],
      [10, 100],
      [20, 50],
      [10, 140],
      [20, 50],
      [10, 140],
      [20, 90],
      [10, 100],
      [20, 90],
      [97, 0],
      [75, 0],
      [76, 1],
    ];
    const hatch = entity('HATCH', 'AcDbHatch', [
      [10, 0],
      [20, 0],
      [30, 0],
      [210, 0],
      [220, 0],
      [230, 1],
      [2, 'LEVEL'],
      [70, 0],
      [71, 0],
      ...boundary,
      [52, 0],
      [41, 1],
      [77, 0],
      [78, 1],
      [53, 0],
      [43, 0],
      [44, 0],
      [45, 0],
      [46, 10],
      [79, 0],
      [98, 0],
    ]);
    const sheet = await sheetOf({ entities: [...frame, solid, hatch] });
    expectSound(sheet);
    expect(rounded(sheet, FRAME)).toEqual([
      [10, 190],
      [20, 190],
      [20, 180],
      [10, 180],
      [10, 190],
    ]);
    expect(sheet.styles[sheet.strokes.styles[FRAME]].isFill).toBe(true);
    expect(sheet.annotations.map(({ kind, box }) => [kind, box.x, box.y, box.width, box.height])).toEqual([
      ['hatch', 100, 110, 40, 40],
    ]);
    const lines = Array.from({ length: sheet.strokes.count }, (_, i) => i)
      .filter((i) => sheet.strokes.annotations[i] === 0)
      .map((i) => rounded(sheet, i));
    expect(lines.length).toBeGreaterThanOrEqual(4);
    for (const [[x1, y1], [x2, y2]] of lines) expect([x1, x2, y1 - y2, y1 % 10]).toEqual([100, 140, 0, 0]);
  });
});

describe('annotations', () => {
  it('dimensions state what they measure, with tolerances, and own their block', async () => {
    const dimension: Groups = [
      [0, 'DIMENSION'],
      [100, 'AcDbEntity'],
      [8, '0'],
      [100, 'AcDbDimension'],
      [2, '*D1'],
      [10, 150],
      [20, 80],
      [30, 0],
      [11, 100],
      [21, 82],
      [31, 0],
      [70, 32],
      [1, ''],
      [3, 'Standard'],
      [100, 'AcDbAlignedDimension'],
      [13, 50],
      [23, 50],
      [33, 0],
      [14, 150],
      [24, 60],
      [34, 0],
      [50, 0],
      [100, 'AcDbRotatedDimension'],
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
    const blocks = { '*D1': [line(50, 80, 150, 80), mtext('100 {\\H0.7x;\\S+0.2^-0.1;}', 90, 90, 4)] };
    const sheet = await sheetOf({
      blocks,
      tables: [
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
      ],
      entities: [...frame, dimension],
    });
    expectSound(sheet);
    expect(sheet.annotations).toHaveLength(1);
    const [{ kind, text: words, dimension: facts }] = sheet.annotations;
    expect([kind, words]).toEqual(['dimension', '100  +0.2 -0.1']);
    expect(facts).toEqual({
      type: 'linear',
      measurement: 100,
      tolerance: { upper: 0.2, lower: -0.1, shown: 'deviation' },
      points: [
        { x: 50, y: 150 },
        { x: 150, y: 140 },
        { x: 150, y: 120 },
      ],
    });
    expect([...sheet.strokes.annotations]).toEqual([-1, -1, -1, -1, 0]);
    expect(sheet.texts.map(({ text: run, annotation }) => [run, annotation])).toEqual([['100  +0.2 -0.1', 0]]);
  });

  it('notes, leaders and values of blocks are told; texts stand at their angle', async () => {
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
    const title = ['NUMBER', 'NAME', 'MATERIAL', 'DATE'].map((tag, i) =>
      attribute(tag, `${tag.toLowerCase()} of it`, 305, 5 + 6 * i),
    );
    const sheet = await sheetOf({
      blocks: { title: [line(0, 0, 100, 0)] },
      entities: [
        ...frame,
        leader,
        mtext('ALL EDGES BROKEN', 10, 190),
        text('upright', 200, 100, 10, 90),
        insert('title', 300, 2, { attributes: true }),
        ...title,
        SEQUENCE_END,
      ],
    });
    expectSound(sheet);
    expect(sheet.annotations.map(({ kind, text: words }) => [kind, words.split('\n').length])).toEqual([
      ['leader', 1],
      ['note', 1],
      ['attribute', 1],
      ['attribute', 1],
      ['attribute', 1],
      ['attribute', 1],
    ]);
    const [upright] = sheet.texts.filter(({ text: words }) => words === 'upright');
    expect([
      upright.x,
      upright.y,
      upright.height,
      Math.round((180 * upright.angleRad) / Math.PI),
      upright.annotation,
    ]).toEqual([200, 100, 10, -90, -1]);
    expect(sheet.texts.map(({ annotation }) => annotation)).toEqual([1, -1, 2, 3, 4, 5]);
  });
});

describe('layouts', () => {
  const model = [line(0, 0, 100, 0), circle(50, 25, 20), line(1_000, 0, 1_100, 50), text('of the model', 0, 60)];

  it('show the model through their viewports, cut at their edges', async () => {
    const { pages, sheets } = await read(
      dxf({
        blocks: {
          '*Paper_Space': [
            viewport(1, 150, 100, 300, 200, { x: 150, y: 100, height: 200 }),
            viewport(2, 100, 100, 80, 40, { x: 50, y: 25, height: 80 }),
            viewport(3, 220, 100, 80, 80, { x: -25, y: 50, height: 80, degrees: 90 }),
            ...frame,
            text('of the layout', 10, 10),
          ],
        },
        entities: model,
      }),
    );
    expect(pages.map(({ text: words }) => words)).toEqual(['of the model', 'of the layout']);
    const [, layout] = sheets;
    expectSound(layout);
    expect([layout.number, layout.space, layout.width, layout.height]).toEqual([2, 'paper', 400, 200]);
    expect(layout.annotations.map(({ kind, box: { x, y, width, height } }) => [kind, x, y, width, height])).toEqual([
      ['viewport', 60, 80, 80, 40],
      ['viewport', 180, 60, 80, 80],
    ]);
    const shown = Array.from({ length: layout.strokes.count - FRAME }, (_, i) => rounded(layout, FRAME + i));
    // Half as large; then turned by a quarter.
    expect(shown[0]).toEqual([
      [75, 112.5],
      [125, 112.5],
    ]);
    expect(layout.arcs.map(({ x, y, radius }) => [x, y, radius].map((value) => Math.round(100 * value) / 100))).toEqual(
      [
        [100, 100, 10],
        [220, 100, 20],
      ],
    );
    expect(shown[2]).toEqual(
      [
        [245, 140],
        [245, 60],
      ].map(([x, y]) => [x, y]),
    );
    expect(layout.texts.map(({ text: words }) => words)).toEqual(['of the layout', 'of the model']);
  });

  it('seen from the front show heights', async () => {
    const front = viewport(2, 100, 100, 80, 80, { x: 0, y: 0, height: 80 }).map(
      ([code, value]) =>
        (code === 26 ? [26, -1] : code === 36 ? [36, 0] : [code, value]) as readonly [number, string | number],
    );
    const standing = entity('LINE', 'AcDbLine', [
      [10, 0],
      [20, 5],
      [30, 0],
      [11, 10],
      [21, 500],
      [31, 20],
    ]);
    const { sheets } = await read(
      dxf({
        blocks: { '*Paper_Space': [viewport(1, 150, 100, 300, 200, { x: 150, y: 100, height: 200 }), front, ...frame] },
        entities: [...frame.map((one) => one), standing],
      }),
    );
    expect(rounded(sheets[1], sheets[1].strokes.count - 1)).toEqual([
      [100, 100],
      [110, 80],
    ]);
  });
});

describe('DWG', () => {
  it('gives the same lines', async () => {
    const document = new CadDocument();
    document.header!.version = ACadVersion.AC1018;
    const block = new BlockRecord('part');
    block.entities.add(new Line(new XYZ(0, 0, 0), new XYZ(10, 0, 0)));
    document.blockRecords!.add(block);
    const placed = new Insert(block);
    placed.insertPoint = new XYZ(100, 50, 0);
    placed.rotation = Math.PI / 2;
    document.modelSpace!.entities.add(placed);
    const ring = new Circle();
    ring.center = new XYZ(200, 100, 0);
    ring.radius = 100;
    document.modelSpace!.entities.add(ring);
    document.modelSpace!.entities.add(new Line(new XYZ(0, 0, 0), new XYZ(300, 200, 0)));
    const {
      sheets: [sheet],
    } = await read(new Uint8Array(DwgWriter.writeToBuffer(document)), 'a.dwg');
    expectSound(sheet);
    expect([sheet.width, sheet.height]).toEqual([300, 200]);
    expect(rounded(sheet, 0)).toEqual([
      [100, 150],
      [100, 140],
    ]);
    expect(sheet.arcs).toHaveLength(1);
  });
});

describe('hostile drawings', () => {
  it('arrays in arrays end at limits.entities at once', async () => {
    const array = (block: string, side: number): Groups => [
      ...insert(block, 0, 0),
      [70, side],
      [71, side],
      [44, 1],
      [45, 1],
    ];
    const took = stopwatch();
    for (const blocks of [
      { a: [line(0, 0, 1, 1)], b: [array('a', 1_000)], c: [array('b', 1_000)] },
      { a: [], b: [array('a', 1_000)], c: [array('b', 1_000)] },
      { a: [circle(0, 0, 1)], b: [array('a', 30_000)], c: [array('b', 2)] },
    ]) {
      await expect(
        read(dxf({ blocks, entities: [...frame, array('c', 2)] }), 'a.dxf', { entities: 200_000 }),
      ).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit: 'entities' } });
    }
    await expect(
      read(dxf({ entities: Array.from({ length: 300 }, (_, i) => circle(i, 0, 1)) }), 'a.dxf', { entities: 1_000 }),
    ).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(took()).toBeLessThan(20_000);
  });

  it('viewports beyond the limit are left out with a word', async () => {
    const windows = Array.from({ length: 20 }, (_, i) =>
      viewport(i + 1, 100, 100, 80, 40, { x: 50, y: 25, height: 80 }),
    );
    const { sheets, warnings } = await read(
      dxf({
        blocks: { '*Paper_Space': [...windows, ...frame] },
        entities: Array.from({ length: 50 }, (_, i) => line(i, 0, 100, 50)),
      }),
      'a.dxf',
      { entities: 300 },
    );
    expect(sheets[1].annotations.length).toBeLessThan(10);
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('viewports were left out')]);
  });

  it('damaged 150 ways end in sound sheets or a coded error', async () => {
    const whole = dxf({
      tables: tables([{ name: '0' }, { name: 'x', lineType: 'H' }], { H: [3, -1] }),
      blocks: {
        b: [
          circle(0, 0, 3),
          polyline(
            [
              [0, 0],
              [9, 0, 0.4],
              [9, 9],
            ],
            true,
          ),
        ],
        '*Paper_Space': [
          viewport(1, 9, 9, 9, 9, { x: 0, y: 0, height: 9 }),
          viewport(2, 100, 100, 80, 40, { x: 50, y: 25, height: 80 }),
          line(0, 0, 5, 5),
        ],
      },
      entities: [...frame, insert('b', 50, 50, { scale: 2 }), circle(100, 100, 30, [[8, 'x']]), mtext('a\\Pb', 5, 5)],
    });
    let sound = 0;
    for (const bytes of damaged(whole, 150, 7)) {
      try {
        const { sheets } = await read(bytes);
        sheets.forEach(expectSound);
        sound++;
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
      }
    }
    expect(sound).toBeGreaterThan(30);
  });
});
