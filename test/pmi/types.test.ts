import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS, PMI_TYPE, type PmiObject } from '../../dist/index.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { splitSheet } from '../../dist/shapelets/sheet/split-sheet.js';
import { saidBy } from '../fixtures/said-pmi.js';
import { LETTERS, pathsOf } from '../../bench/glyphs/stroke-font.mjs';

/** A drawing as SVG; y downwards. */
async function objectsOf(...drawn: readonly string[]): Promise<readonly PmiObject[]> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="420mm" height="297mm" viewBox="0 0 420 297"><g fill="none" stroke="#000" stroke-width="0.3">${box(5, 5, 410, 287)}${drawn.join('')}</g></svg>`;
  const content = await readContent(new TextEncoder().encode(svg), 'drawing.svg', {
    limits: DEFAULT_LIMITS,
    defaultUnit: 'mm',
    ocr: false,
  } as never);
  if (content.kind !== 'drawing') throw new Error(`it is a ${content.kind}`);
  return readPmi(content, splitSheet).pages[0].objects;
}
const path = (...points: readonly number[]): string => `<path d="M${points.join(' ')}"/>`;
const circle = (x: number, y: number, r: number): string => `<circle cx="${x}" cy="${y}" r="${r}"/>`;
const text = (x: number, y: number, said: string, size = 4): string =>
  `<text x="${x}" y="${y}" font-size="${size}" font-family="Arial" fill="#000" stroke="none">${said}</text>`;
const box = (x: number, y: number, width: number, height: number): string =>
  path(x, y, x + width, y, x + width, y + height, x, y + height, x, y);
const arrow = (x: number, y: number, turn: number): string =>
  `<path fill="#000" stroke="none" d="M${x} ${y}L${x - 3 * turn} ${y - 0.5}L${x - 3 * turn} ${y + 0.5}Z"/>`;
const typesOf = (objects: readonly PmiObject[]): number[] => objects.map(({ typeId }) => typeId).sort((a, b) => a - b);

/** A dimension from x 100 to x 140 at y 100. */
const dimension = (lines: readonly string[], turn: number, textX: number): string[] => [
  path(100, 90, 100, 110),
  path(140, 90, 140, 110),
  ...lines,
  arrow(100, 100, -turn),
  arrow(140, 100, turn),
  text(textX, 99, '40.5'),
];
const INSIDE = [path(100, 100, 140, 100)];
const OUTSIDE = [path(90, 100, 100, 100), path(140, 100, 165, 100)];
const LINEAR: readonly (readonly [type: number, drawn: readonly string[]])[] = [
  [PMI_TYPE.arrowsInsideValueInside, dimension(INSIDE, 1, 116)],
  [PMI_TYPE.arrowsInsideValueOutside, dimension([path(100, 100, 160, 100)], 1, 148)],
  [PMI_TYPE.arrowsOutsideValueOutside, dimension([path(90, 100, 165, 100)], -1, 150)],
  [PMI_TYPE.gapValueOutside, dimension(OUTSIDE, -1, 150)],
  [PMI_TYPE.gapValueInside, dimension(OUTSIDE, -1, 116)],
  [PMI_TYPE.arrows, [text(116, 99, '40.5')]],
];

/** A mark of a surface, its vertex at x 100, y 200. */
const MARK = path(97.1, 195, 100, 200, 105.8, 190);
const BAR = path(97.1, 195, 102.9, 195),
  RING = circle(100, 196.9, 1.6),
  LONG = path(105.8, 190, 120, 190);
const MARKS: readonly (readonly [type: number, drawn: readonly string[]])[] = [
  [PMI_TYPE.finishAny, [MARK, text(95, 193, '3.2')]],
  [PMI_TYPE.finishMachining, [MARK, BAR, text(95, 193, '3.2')]],
  [PMI_TYPE.finishProhibited, [MARK, RING, text(95, 193, '3.2')]],
  [PMI_TYPE.textureAny, [MARK, LONG, text(107, 195, 'Ra 3.2')]],
  [PMI_TYPE.textureRequired, [MARK, BAR, LONG, text(107, 195, 'Ra 3.2')]],
  [PMI_TYPE.textureProhibited, [MARK, RING, LONG, text(107, 195, 'Ra 3.2')]],
];

const cone = (large: number, small: number): string => path(large, 46, small, 48, small, 52, large, 54, large, 46);
const PROJECTIONS: readonly (readonly [type: number, drawn: readonly string[]])[] = [
  [PMI_TYPE.firstAngle, [circle(60, 50, 4), circle(60, 50, 2), cone(50, 40)]],
  [PMI_TYPE.thirdAngle, [circle(40, 50, 4), circle(40, 50, 2), cone(60, 50)]],
];
const EDGES: readonly (readonly [type: number, drawn: readonly string[]])[] = [
  [PMI_TYPE.outerEdge, [path(300, 258, 300, 250, 312, 250), text(302, 256, '-0.3')]],
  [PMI_TYPE.innerEdge, [path(300, 250, 300, 258, 312, 258), text(302, 256, '+0.3')]],
];

const SIGNS: readonly (readonly [type: number, sign: string])[] = [
  [PMI_TYPE.parallel, '∥'],
  [PMI_TYPE.flat, '⏥'],
  [PMI_TYPE.perpendicular, '⊥'],
  [PMI_TYPE.straight, '⏤'],
  [PMI_TYPE.lineProfile, '⌒'],
  [PMI_TYPE.surfaceProfile, '⌓'],
  [PMI_TYPE.angular, '∠'],
  [PMI_TYPE.cylindrical, '⌭'],
  [PMI_TYPE.circular, '○'],
  [PMI_TYPE.circularRunout, '↗'],
  [PMI_TYPE.symmetry, '⌯'],
  [PMI_TYPE.concentric, '◎'],
  [PMI_TYPE.totalRunout, '⌰'],
  [PMI_TYPE.position, '⌖'],
];
const frame = (sign: string): string[] => [
  box(50, 50, 10, 8),
  box(60, 50, 20, 8),
  box(80, 50, 10, 8),
  text(52, 56, sign, 5.2),
  text(62, 56, '⌀0.1', 5.2),
  text(83, 56, 'A', 5.2),
];
const WRITTEN: readonly (readonly [type: number, said: string])[] = [
  [PMI_TYPE.diameter, '⌀12 H7'],
  [PMI_TYPE.radius, 'R5'],
  [PMI_TYPE.depth, '↧8'],
  [PMI_TYPE.counterbore, '⌴⌀9'],
  [PMI_TYPE.leader, 'M6x1'],
  [PMI_TYPE.plusMinus, 'General tolerances ISO 2768-mK'],
  [PMI_TYPE.diameterSymbol, '⌀'],
];

describe('types of annotations on drawings without entities', () => {
  test.each(LINEAR)('a length is of type %i by its arrows and value', async (type, drawn) => {
    expect(typesOf(await objectsOf(...drawn)).filter((each) => each !== PMI_TYPE.view)).toEqual([type]);
  });

  // Programs for diagrams draw heads with a hollow back, and dimension lines in dashes that end in their heads.
  const hollow = (x: number, turn: number): string =>
    `<path fill="#000" stroke="none" ` +
    `d="M${x} 100L${x - 3 * turn} 99L${x - 2.2 * turn} 100L${x - 3 * turn} 101Z"/>`;
  const dashes = [103, 108, 113, 123, 128, 133].map((x) => path(x, 100, x + 2.6, 100));
  const chain = (from: number, said: string): string[] => [
    path(from, 90, from, 110),
    hollow(from, -1),
    hollow(from + 40, 1),
    ...dashes.map((dash) => `<g transform="translate(${from - 100} 0)">${dash}</g>`),
    text(from + 16, 101.4, said),
  ];
  const around = (said: readonly string[]): string[] => [
    ...chain(100, said[0]),
    ...chain(140, said[1]),
    path(180, 90, 180, 110),
  ];

  test('heads with a hollow back hold their values, also on broken lines', async () => {
    const objects = await objectsOf(...around(['40.5', '41.5']));
    expect(typesOf(objects)).toEqual([PMI_TYPE.arrowsInsideValueInside, PMI_TYPE.arrowsInsideValueInside]);
  });

  test('single figures of a chain at the edge of the sheet are sizes, held by such heads', async () => {
    // Numbers that follow each other in a row at the edge name zones, unless arrows hold them.
    const drawn = [4, 5, 6, 7].flatMap((figure, i) => chain(100 + 40 * i, String(figure)));
    const objects = await objectsOf(`<g transform="translate(0 -85)">${drawn.join('')}${path(260, 90, 260, 110)}</g>`);
    expect(objects.map(({ typeId, parts }) => [typeId, parts[0].text])).toEqual(
      [4, 5, 6, 7].map((figure) => [PMI_TYPE.arrowsInsideValueInside, String(figure)]),
    );
  });

  test.each([
    ['a diamond', '0,0 -3,1 -6,0 -3,-1'],
    ['a kite whose corner lies beside its axis', '0,0 -3,1 -2,0.9 -3,-1'],
    ['a square', '0,0 -2,0 -2,2 0,2'],
  ])('%s is no head', async (_, points) => {
    const shape = (x: number, turn: number): string =>
      `<polygon fill="#000" stroke="none" points="${points}" transform="translate(${x} 100) scale(${turn} 1)"/>`;
    const objects = await objectsOf(...INSIDE, shape(100, -1), shape(140, 1), text(116, 99, '40.5'));
    expect(objects.filter(({ group }) => group === 'Measurement').map(({ typeId }) => typeId)).toEqual([
      PMI_TYPE.arrows,
    ]);
  });

  test.each(MARKS)('a mark of a surface is of type %i and has its value', async (type, drawn) => {
    const objects = await objectsOf(...drawn);
    expect(objects.map(({ typeId, parts, group }) => [typeId, parts.map(({ text }) => text).join(), group])).toEqual([
      [type, drawn.join('').includes('Ra') ? 'Ra 3.2' : '3.2', 'SurfaceFinish'],
    ]);
  });

  test.each(PROJECTIONS)('the sign of a projection is of type %i, whichever way it stands', async (type, drawn) => {
    expect(typesOf(await objectsOf(...drawn)).filter((each) => each !== PMI_TYPE.view)).toEqual([type]);
    const upright = `<g transform="rotate(90 50 50)">${drawn.join('')}</g>`;
    expect(typesOf(await objectsOf(upright)).filter((each) => each !== PMI_TYPE.view)).toEqual([type]);
  });

  test.each(EDGES)('a value in a corner is of type %i', async (type, drawn) => {
    expect((await objectsOf(...drawn)).map(({ typeId, group }) => [typeId, group])).toEqual([
      [type, 'GeneralTolerance'],
    ]);
  });

  test.each(SIGNS)('a control frame has the sign of type %i', async (type, sign) => {
    const objects = await objectsOf(...frame(sign));
    expect(typesOf(objects)).toEqual([PMI_TYPE.controlFrame, PMI_TYPE.diameterSymbol, type].sort((a, b) => a - b));
    expect(objects[0].parts[0].text).toBe(`${sign} | ⌀0.1 | A`);
  });

  test.each(WRITTEN)('type %i is read from %s', async (type, said) => {
    expect(typesOf(await objectsOf(text(100, 100, said)))).toEqual([type]);
  });

  test('a boxed letter is a datum, cells are a table', async () => {
    expect(typesOf(await objectsOf(box(50, 50, 8, 8), text(52.4, 55.8, 'A', 5.2)))).toEqual([PMI_TYPE.datum]);
    const cells = [0, 1, 2].flatMap((row) =>
      [0, 1, 2].flatMap((column) => [
        box(100 + 30 * column, 200 + 8 * row, 30, 8),
        text(103 + 30 * column, 205.5 + 8 * row, ['Item', 'Bolt', '12'][column] + String(row)),
      ]),
    );
    const objects = await objectsOf(...cells);
    expect(typesOf(objects)).toEqual([PMI_TYPE.table]);
    expect(objects[0].parts).toHaveLength(9);
  });

  test('a circle that a pictorial view makes an ellipse is that of a target or of a modifier', async () => {
    const ellipse = (x: number, y: number, rx: number, ry: number): string =>
      `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}"/>`;
    const target = [ellipse(100, 100, 11, 7.5), path(89, 100, 111, 100), text(97.5, 105.5, 'J1')];
    const read = async (...drawn: readonly string[]): Promise<unknown[]> =>
      (await objectsOf(...drawn))
        .filter(({ typeId }) => typeId !== PMI_TYPE.view && typeId !== PMI_TYPE.view3d)
        .map(({ typeId, parts }) => [typeId, parts.map((part) => part.text).join()]);
    expect(await read(...target)).toEqual([[PMI_TYPE.datum, 'J1']]);
    // Without the bar it is a hole.
    expect(await read(target[0], target[2])).toEqual([]);
    // A movable target: the bar goes on to the tip of two lines about the circle. One that goes on alone is an axis.
    const tip = [path(108, 95, 128, 100, 108, 105)];
    const long = [ellipse(100, 100, 11, 7.5), path(89, 100, 128, 100), text(97.5, 105.5, 'L1')];
    expect(await read(...long, ...tip)).toEqual([[PMI_TYPE.datum, 'L1']]);
    expect(await read(...long)).toEqual([]);
    const cells = [
      box(50, 50, 10, 8),
      box(60, 50, 28, 8),
      box(88, 50, 10, 8),
      text(52, 56, '⌖', 5.2),
      text(62, 56, '⌀0.1', 5.2),
      text(80, 56, 'M', 5.2),
      text(91, 56, 'A', 5.2),
    ];
    const [frame] = await read(...cells, ellipse(82.1, 54.2, 4.4, 2.9));
    expect(frame).toEqual([PMI_TYPE.controlFrame, '⌖ | ⌀0.1Ⓜ | A']);
  });

  test('a word below a slanted size is a part of it', async () => {
    const slanted = (...said: readonly string[]): string =>
      `<g transform="rotate(30 100 100)">${said.map((each, i) => text(100, 100 + 6 * i, each)).join('')}</g>`;
    const sizes = async (...said: readonly string[]): Promise<string[]> =>
      (await objectsOf(slanted(...said), path(60, 90, 98, 98))).map(({ parts }) =>
        parts.map((part) => part.text).join(),
      );
    expect(await sizes('4X R0.2', 'MAX')).toEqual(['4X R0.2 MAX']);
    expect(await sizes('4X R0.2', 'MAXIMUM SPEED')).toEqual(['4X R0.2']);
  });

  test('views are of types 4 and 42', async () => {
    const front = ['<g stroke-width="0.7">', box(60, 60, 80, 50), box(80, 70, 20, 20), circle(120, 85, 10), '</g>'];
    const [a, b] = [40 * Math.cos(Math.PI / 6), 20];
    const corner = (x: number, y: number): string =>
      [
        '<g stroke-width="0.7">',
        path(x, y, x + a, y - b, x + a, y - b - 30, x, y - 30, x, y),
        path(x, y, x - a, y - b, x - a, y - b - 30, x, y - 30),
        path(x - a, y - b - 30, x, y - 2 * b - 30, x + a, y - b - 30),
        '</g>',
      ].join('');
    expect(typesOf(await objectsOf(...front, corner(300, 150)))).toEqual([PMI_TYPE.view, PMI_TYPE.view3d]);
    // A round part has no line at 30 degrees, and a hexagon from above has no other.
    const ellipse = (y: number): string => `<ellipse cx="300" cy="${y}" rx="40" ry="${40 / Math.sqrt(3)}"/>`;
    const round = [
      '<g stroke-width="0.7">',
      ellipse(100),
      ellipse(140),
      path(260, 100, 260, 140),
      path(340, 100, 340, 140),
      '</g>',
    ];
    const corners = [0, 1, 2, 3, 4, 5, 6].flatMap((i) =>
      [100, 85].map((at, axis) => at + 30 * [Math.sin, Math.cos][axis]((i * Math.PI) / 3)),
    );
    const nut = ['<g stroke-width="0.7">', path(...corners), circle(100, 85, 15), circle(100, 85, 24), '</g>'];
    expect(typesOf(await objectsOf(...nut, ...round))).toEqual([PMI_TYPE.view, PMI_TYPE.view3d]);
  });

  test.each([
    ['a wedge', path(100, 100, 100, 60, 140, 100, 100, 100)],
    ['a plate on its corner', path(120, 60, 150, 90, 120, 120, 90, 90, 120, 60)],
    ['a roof', path(100, 100, 100, 80, 120, 60, 140, 80, 140, 100, 100, 100)],
    ['a hexagonal rod', path(120, 60, 145.98, 75, 145.98, 105, 120, 120, 94.02, 105, 94.02, 75, 120, 60)],
    ['a shaft that is cut off', path(100, 100, 100, 95, 130, 65, 130, 100, 100, 100)],
  ])('%s, seen along an axis, is no 3D view', async (_, outline) => {
    const drawn = `<g stroke-width="0.7">${outline}</g>`;
    expect(typesOf(await objectsOf(drawn))).toEqual([PMI_TYPE.view]);
  });

  test('numbers that grow from a zero at the ends of lines are of type 19, others in a row are not', async () => {
    const row = (values: readonly string[], lines: (y: number) => readonly string[]): string[] =>
      values.flatMap((value, i) => [...lines(100 + 12 * i), text(152, 101.5 + 12 * i, value)]);
    const left = (y: number): string[] => [path(120, y, 150, y)];
    const read = async (drawn: readonly string[]): Promise<unknown[]> =>
      (await objectsOf(...drawn)).map(({ typeId, parts }) => [typeId, parts.map((part) => part.text).join()]);
    const all = (type: number, values: readonly string[]): unknown[] => values.map((value) => [type, value]);
    expect(await read(row(['0', '12.5', '30', '41.5'], left))).toEqual(all(PMI_TYPE.ascending, ['12.5', '30', '41.5']));
    expect(await read(row(['20', '0', '8.5', '30'], left))).toEqual(all(PMI_TYPE.ascending, ['20', '8.5', '30']));
    // Not in order, and in the gap of a line.
    expect(await read(row(['12.5', '41.5', '30'], left))).toEqual(all(PMI_TYPE.arrows, ['12.5', '41.5', '30']));
    const both = (y: number): string[] => [path(120, y, 150, y), path(163, y, 190, y)];
    expect(await read(row(['12.5', '30.5', '41.5'], both))).toEqual(all(PMI_TYPE.arrows, ['12.5', '30.5', '41.5']));
  });
});

describe('text that is drawn as strokes', () => {
  /** Letters of one stroke, a capital `size` high. */
  const strokes = (said: string, size: number): string => {
    let at = 0;
    return [...said]
      .map((letter) => {
        const paths = letter === ' ' ? [] : pathsOf(LETTERS[letter], 2).map(([, ...points]) => points);
        const xs = paths.flatMap((points) => points.filter((_, i) => i % 2 === 0));
        const left = Math.min(...xs, Infinity),
          width = letter === ' ' ? 0.4 : Math.max(...xs) - left;
        const drawn = paths.map((points) =>
          points.every((value, i) => value === points[i % 2])
            ? `<circle cx="${at}" cy="${-points[1] * size - 0.2}" r="0.25" fill="#000"/>`
            : path(...points.map((value, i) => (i % 2 === 0 ? at + (value - left) * size : -value * size))),
        );
        at += (width + 0.2) * size;
        return drawn.join('');
      })
      .join('');
  };
  const SAID = ['R12.5', '2X R4.25', '126.45', '48.9 ±0.2'];

  test.each([
    ['level', ''],
    ['upwards', 'rotate(-90)'],
    ['at an angle', 'rotate(-30)'],
    ['slanted as on a view at an angle', 'rotate(-30) skewX(-30)'],
  ])('%s', async (_, transform) => {
    const objects = await objectsOf(
      ...SAID.map(
        (said, i) =>
          `<g transform="translate(${60 + 80 * i} 180) ${transform}" stroke-width="0.5">${strokes(said, 5)}</g>`,
      ),
    );
    expect(
      objects
        .filter(({ group }) => group === 'Measurement')
        .map((object) => saidBy(object).flat().join(' '))
        .sort(),
    ).toEqual([...SAID].sort());
  });
});
