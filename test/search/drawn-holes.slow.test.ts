import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawSheet } from '../../bench/parts/drawings.mjs';
import { referenceParts, type ReferencePart } from '../../bench/parts/reference.mjs';
import { becauseText, type Company, type Engine } from '../../dist/index.js';
import { threeViews } from '../fixtures/drawing-of-body.js';
import { dxf, line, mtext, text, type Groups } from '../fixtures/dxf-writer.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import type { Body } from '../fixtures/shapes.js';
import { libraries } from './library.js';
import { plateBody, type Hole } from './plates.js';

// What a drawing states of its holes beside those of a model and of other drawings, and a sheet with one more view.

/** Parts whose sheets are stored, and the seed of the form that they are all drawn on. */
const FAMILIES = ['bracket', 'flange', 'gusset', 'hinge', 'pulley', 'gear-spur', 'plate', 'crank'];
const SHEET_SEED = 7_002;
const SIZE = [90, 60, 8] as const;

/** A plate with holes on a grid near its corners, and a bore. */
function plateOf(diameter: number, count = 4): Body {
  const [x, y, z] = SIZE;
  const places = [
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
    [0, 1],
    [0, -1],
  ].slice(0, count);
  const holes: Hole[] = places.map(([sx, sy]) => ({ x: sx * (x / 2 - 10), y: sy * (y / 2 - 10), diameter }));
  holes.push({ x: 0, y: 0, diameter: 20 });
  return plateBody(
    [
      [-x / 2, -y / 2],
      [x / 2, -y / 2],
      [x / 2, y / 2],
      [-x / 2, y / 2],
    ],
    z,
    holes,
  );
}

/** A dimension between two points that states a size. */
function dimension(block: string, [x0, y0, x1, y1]: readonly number[], label: string): Groups {
  return [
    [0, 'DIMENSION'],
    [100, 'AcDbEntity'],
    [8, '0'],
    [100, 'AcDbDimension'],
    [2, block],
    [10, x1],
    [20, y1],
    [30, 0],
    [11, (x0 + x1) / 2],
    [21, (y0 + y1) / 2],
    [31, 0],
    [70, 33],
    [1, label],
    [3, 'Standard'],
    [100, 'AcDbAlignedDimension'],
    [13, x0],
    [23, y0],
    [33, 0],
    [14, x1],
    [24, y1],
    [34, 0],
  ];
}

/** The three views of a body on a form, with its sides and what is stated of its holes. */
function drawingOf(body: Body, ...stated: readonly string[]): Uint8Array {
  const [x, y] = [50, 90];
  const [length, width, height] = SIZE;
  const sides: [number, number, number, number, string][] = [
    [x, y - 12, x + length, y - 12, String(length)],
    [x - 12, y, x - 12, y + height, String(height)],
    [x + length + 8, y + 44, x + length + 8, y + 44 + width, String(width)],
    ...stated.map((label, i): [number, number, number, number, string] => {
      const at = y + 120 + 12 * i;
      return [x + 10, at, x + 20, at, label];
    }),
  ];
  return dxf({
    header: [
      [9, '$INSUNITS'],
      [70, 4],
    ],
    blocks: Object.fromEntries(
      sides.map(([a, b, c, d, label], i) => [`*D${i}`, [line(a, b, c, d), mtext(label, (a + c) / 2, (b + d) / 2 + 2)]]),
    ),
    entities: [
      ...threeViews(body).map(([a, b, c, d]) => line(x + a, y + b, x + c, y + d)),
      text('PLATE, STEEL', 200, 20, 4),
      ...sides.map(([a, b, c, d, label], i) => dimension(`*D${i}`, [a, b, c, d], label)),
    ],
  });
}

let engine: Engine;
const { fresh, open } = libraries();
beforeAll(async () => {
  engine = await open(fresh());
});
afterAll(() => engine.close());

interface Said {
  readonly similarity: number;
  readonly because: readonly string[];
  readonly place: number;
}

async function answers(
  company: Company,
  bytes: Uint8Array,
  extension: string,
): Promise<Readonly<Record<string, Said>>> {
  const { hits } = await company.search({ like: { bytes, extension } });
  return Object.fromEntries(
    hits.map(({ path, similarity, because }, place) => [
      path,
      { similarity: similarity ?? 0, because: because.map(becauseText), place },
    ]),
  );
}

test('a drawing finds the model that has its holes before those that have others, and says which', async () => {
  const company = await engine.company('models');
  await Promise.all([
    company.put('5.5.stl', writeStlBinary(plateOf(5.5))),
    company.put('6.6.stl', writeStlBinary(plateOf(6.6))),
    company.put('six.stl', writeStlBinary(plateOf(5.5, 6))),
  ]);
  const found = await answers(company, drawingOf(plateOf(5.5), '4x %%c5.5', '%%c20'), '.dxf');
  expect(found['5.5.stl'].place).toBe(0);
  expect(found['5.5.stl'].because[0]).toContain('sizes 90, 60 and 8 mm');
  expect(found['6.6.stl'].because[0]).toBe('the drawing states 4 × ⌀5.5, the model has 4 × ⌀6.6');
  expect(found['six.stl'].because[0]).toBe('the drawing states 4 × ⌀5.5, the model has 6 × ⌀5.5');
  for (const other of ['6.6.stl', 'six.stl']) {
    expect(found[other].similarity).toBeLessThan(found['5.5.stl'].similarity - 5);
    expect(found[other].similarity).toBeGreaterThan(80);
  }
});

test.each([
  ['threads, which a model has as holes of their core', plateOf(5.5), ['4x M6', '%%c20']],
  ['what is rounded', plateOf(5.5), ['4x %%c5.56', '%%c20']],
  ['holes that are stated twice', plateOf(5.5), ['4x %%c6.6', '4x %%c6.6', '%%c20']],
  ['one hole, which may be a round outline', plateOf(5.5), ['%%c6.6', '%%c20']],
  ['holes that are not stated', plateOf(5.5), ['%%c20']],
  ['as many of two diameters', plateOf(5.5), ['4x %%c6.6', '4x %%c7.5', '%%c20']],
  ['other features, by far another diameter', plateOf(5.5), ['4x %%c12', '%%c20']],
])('nothing is held against a model by %s', async (what, body, stated) => {
  const company = await engine.company(`doubtful-${what.length}`);
  await company.put('model.stl', writeStlBinary(body));
  const { 'model.stl': model } = await answers(company, drawingOf(body, ...stated), '.dxf');
  expect(model.because.join()).not.toContain('the model has');
  expect(model.similarity).toBe(99.4);
});

test('a model finds the drawing of its holes, and drawings differ by numbers of holes', async () => {
  const company = await engine.company('drawings');
  await Promise.all([
    company.put('5.5.dxf', drawingOf(plateOf(5.5), '4x %%c5.5', '%%c20')),
    company.put('6.6.dxf', drawingOf(plateOf(6.6), '4x %%c6.6', '%%c20')),
    company.put('six.dxf', drawingOf(plateOf(5.5, 6), '6x %%c5.5', '%%c20')),
  ]);
  const byModel = await answers(company, writeStlBinary(plateOf(5.5)), '.stl');
  expect(byModel['5.5.dxf'].place).toBe(0);
  expect(byModel['6.6.dxf'].because[0]).toBe('the drawing states 4 × ⌀6.6, the model has 4 × ⌀5.5');
  expect(byModel['6.6.dxf'].similarity).toBeLessThan(byModel['5.5.dxf'].similarity - 5);
  const byDrawing = await answers(company, drawingOf(plateOf(5.5), '4x %%c5.5', '%%c20', 'R3'), '.dxf');
  expect(byDrawing['5.5.dxf'].place).toBe(0);
  expect(byDrawing['six.dxf'].because[0]).toBe('states 6 × ⌀5.5 instead of 4 × ⌀5.5');
  expect(byDrawing['six.dxf'].similarity).toBeLessThan(byDrawing['5.5.dxf'].similarity - 5);
});

test('an isometric view more on a sheet does not hide the drawing of the part', async () => {
  const company = await engine.company('sheets');
  const style = { file: 'lines', shading: 'none', statesSizes: true, paper: 'a4', isFirstAngle: true };
  const sheet = (part: ReferencePart, hasIsometric: boolean): ReturnType<typeof drawSheet> =>
    drawSheet([part], SHEET_SEED, { ...style, hasIsometric });
  const parts: ReferencePart[] = [];
  for await (const part of referenceParts({ seed: 1_007, count: 60 }))
    if (FAMILIES.some((family) => part.name.startsWith(family))) parts.push(part);
  await Promise.all(
    parts.map(async (part, i) => company.put(`${part.name}.pdf`, (await sheet(part, i % 2 === 0)).bytes)),
  );
  for (const [i, part] of parts.entries()) {
    const { bytes, extension } = await sheet(part, i % 2 !== 0);
    const found = await answers(company, bytes, extension);
    const own = found[`${part.name}.pdf`];
    expect([part.name, own.place]).toEqual([part.name, 0]);
    expect(own.similarity).toBeGreaterThan(80);
  }
});
