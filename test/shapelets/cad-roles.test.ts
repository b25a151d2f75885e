import { expect, it } from 'vitest';
import type { Sheet } from '../../dist/content/sheet.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readContent } from '../../dist/readers/read.js';
import { SheetBudget, SheetWriter } from '../../dist/readers/sheet/sheet-writer.js';
import { classifyStrokes, STROKE_ROLES } from '../../dist/shapelets/sheet/stroke-roles.js';
import { splitSheet } from '../../dist/shapelets/sheet/split-sheet.js';
import { circle, dxf, entity, mtext, polyline, type Groups } from '../fixtures/dxf-writer.js';
import { options } from '../readers/helpers.js';

const { geometry, annotation, hatch } = STROKE_ROLES;

async function sheetOf(blocks: Record<string, Groups[]>, entities: Groups[]): Promise<Sheet> {
  const content = await readContent(dxf({ blocks, entities }), 'a.dxf', options());
  if (content.kind !== 'drawing') throw new Error(`a DXF became a ${content.kind}`);
  return content.sheets[0];
}

const dimension = (x1: number, x2: number, y: number): Groups => [
  [0, 'DIMENSION'],
  [100, 'AcDbEntity'],
  [8, '0'],
  [100, 'AcDbDimension'],
  [10, x2],
  [20, y],
  [30, 0],
  [11, (x1 + x2) / 2],
  [21, y + 2],
  [31, 0],
  [70, 32],
  [1, ''],
  [100, 'AcDbAlignedDimension'],
  [13, x1],
  [23, 0],
  [33, 0],
  [14, x2],
  [24, 0],
  [34, 0],
  [50, 0],
  [100, 'AcDbRotatedDimension'],
];

it('entities tell dimensions and hatches, so thin lines stay edges', async () => {
  const wide = [
      [8, '0'],
      [370, 70],
    ] as const,
    thin = [
      [8, '0'],
      [370, 13],
    ] as const;
  const edges = [
    polyline(
      [
        [0, 0],
        [100, 0],
        [100, 60],
        [0, 60],
      ],
      true,
      wide,
    ),
    circle(30, 30, 12, wide),
    circle(70, 30, 12, thin),
    circle(70, 30, 8, thin),
  ];
  const border = polyline(
    [
      [10, 5],
      [20, 5],
      [20, 10],
    ],
    false,
    [[8, 'hatch_border']],
  );
  const sheet = await sheetOf({}, [
    ...edges,
    border,
    entity(
      'LINE',
      'AcDbLine',
      [
        [10, 10],
        [20, 5],
        [11, 20],
        [21, 10],
      ],
      [[8, 'hatch']],
    ),
    dimension(0, 100, -30),
    mtext('NOTE', 0, -60, 4),
  ]);
  const roles = classifyStrokes(sheet);
  expect([...roles.subarray(0, 6)]).toEqual([geometry, geometry, geometry, geometry, geometry, hatch]);
  expect(new Set(roles.subarray(6))).toEqual(new Set([annotation]));
  const views = splitSheet(sheet);
  expect(views).toHaveLength(1);
  expect([views[0].box.width, views[0].box.height]).toEqual([100, 60]);
});

it('signs with a value in them are no parts; parts with a number are', () => {
  const writer = new SheetWriter(new SheetBudget('DXF', DEFAULT_LIMITS));
  writer.style({ layer: '0', width: 0.5, dash: [], color: 0, isFill: false });
  writer.annotate('attribute', '7');
  writer.arc(300, 50, 8, 0, 2 * Math.PI);
  writer.text({ text: '7', x: 298, y: 52, angleRad: 0, height: 5, width: 4 });
  writer.annotate('attribute', 'A-1');
  for (const [i, [x, y]] of [
    [20, 20],
    [120, 20],
    [120, 80],
    [20, 80],
  ].entries())
    i === 0 ? writer.move(x, y) : writer.line(x, y);
  writer.close();
  writer.arc(70, 50, 20, 0, 2 * Math.PI);
  writer.text({ text: 'A-1', x: 60, y: 95, angleRad: 0, height: 5, width: 12 });
  const sheet = writer.finish({ number: 1, width: 400, height: 200, unitMm: 1, space: 'model' });
  expect([...classifyStrokes(sheet)]).toEqual([annotation, geometry, geometry]);
  expect(splitSheet(sheet).map(({ box }) => [box.x, box.y, box.width, box.height])).toEqual([[20, 20, 100, 60]]);
});
