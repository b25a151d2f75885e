import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { becauseText, Engine, type Because, type Company } from '../../dist/index.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { circle as outlineOf, handedBracket, mirrored, scaled, turned } from '../fixtures/parts.js';
import { box, prism, type Body } from '../fixtures/shapes.js';
import { plate, type Hole } from './plates.js';

// What hits say of themselves: true for parts of which the figures are known, and not said where it is wrong.

function bodyOf({ positions, indices }: ReturnType<typeof plate>): Body {
  const threes = (values: ArrayLike<number>): [number, number, number][] =>
    Array.from({ length: values.length / 3 }, (_, i) => [values[3 * i], values[3 * i + 1], values[3 * i + 2]]);
  return { name: 'plate', vertices: threes(positions), faces: threes(indices) };
}

/** A rectangular plate with holes of one diameter near its corners, `count` of them, and a bore in the middle. */
function drilled([x, y, z]: readonly number[], diameter: number, count: number, bore?: number): Body {
  const places = [
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
    [0, 1],
    [0, -1],
  ].slice(0, count);
  const holes: Hole[] = places.map(([sx, sy]) => ({ x: sx * (x / 2 - 9), y: sy * (y / 2 - 9), diameter }));
  if (bore !== undefined) holes.push({ x: 0, y: 0, diameter: bore });
  const outline = [
    [-x / 2, -y / 2],
    [x / 2, -y / 2],
    [x / 2, y / 2],
    [-x / 2, y / 2],
  ] as const;
  return bodyOf(plate(outline, z, holes));
}

const rod = (diameter: number, length: number, segments = 48): Body =>
  turned(
    [
      [0, 0],
      [diameter / 2, 0],
      [diameter / 2, length],
      [0, length],
    ],
    segments,
  );

/** A hexagonal bar. */
const bolt = (length: number): Body => ({ ...prism(outlineOf(7, 6), length), name: 'bolt' });

const BODIES: Readonly<Record<string, Body>> = {
  'plate.stl': drilled([80, 60, 6], 6.5, 4, 20),
  'longer.stl': drilled([104, 60, 6], 6.5, 4, 20),
  'thick.stl': drilled([80, 60, 9], 6.5, 4, 20),
  'wide-holes.stl': drilled([80, 60, 6], 8, 4),
  'six-holes.stl': drilled([90, 66, 6], 6.5, 6),
  'bare.stl': drilled([80, 60, 6], 6.5, 0),
  'double.stl': drilled([160, 120, 12], 6.5, 4),
  'rod.stl': rod(10, 80),
  'thin-rod.stl': rod(6, 150),
  'octagon.stl': rod(10, 80, 8),
  'bolt.stl': bolt(80),
  'box.stl': box(80, 10, 10),
  'hand.stl': handedBracket(),
};

let engine: Engine;
let company: Company;
const uids = new Map<string, string>();
beforeAll(async () => {
  engine = await Engine.open(temporaryFolder(), { workers: 2 });
  company = await engine.company('acme');
  for (const [path, body] of Object.entries(BODIES))
    uids.set(path, (await company.put(path, writeStlBinary(body))).uid);
});
afterAll(() => engine.close());

/** What the hit `to` says in a search with `from`, a stored file or a body. */
async function said(from: string | Body, to: string): Promise<readonly Because[]> {
  const like = typeof from === 'string' ? { uid: uids.get(from)! } : { bytes: writeStlBinary(from), extension: '.stl' };
  const { hits } = await company.search({ like, limit: 100 });
  return hits.find(({ path }) => path === to)!.because;
}
const codes = (because: readonly Because[]): string[] => because.map(({ code }) => code);
async function reason<Code extends Because['code']>(
  from: string | Body,
  to: string,
  code: Code,
): Promise<Extract<Because, { code: Code }> | undefined> {
  return (await said(from, to)).find((one): one is Extract<Because, { code: Code }> => one.code === code);
}

describe('the same part', () => {
  test('the same bytes, another export, the mirror image, another size', async () => {
    expect(await said('plate.stl', 'plate.stl')).toEqual([{ code: 'same-bytes' }]);
    const lying: Body = {
      ...BODIES['hand.stl'],
      vertices: BODIES['hand.stl'].vertices.map(([x, y, z]) => [y, z, x] as const),
    };
    const [same] = await said(lying, 'hand.stl');
    expect(same.code).toBe('same-part');
    expect(codes(await said(mirrored(BODIES['hand.stl']), 'hand.stl'))).toEqual(['mirrored']);
    const [inches, ...rest] = await said(scaled(BODIES['hand.stl'], 25.4), 'hand.stl');
    expect(rest).toEqual([]);
    expect(inches).toMatchObject({ code: 'same-shape', isMirrored: false });
    expect((inches as Extract<Because, { code: 'same-shape' }>).factor).toBeCloseTo(1 / 25.4, 4);
    expect(becauseText(inches)).toBe('same shape, ×25.4 smaller, as if inches were millimetres');
  });
});

describe('sizes', () => {
  test('one side is another, or all in proportion', async () => {
    const longer = await reason('plate.stl', 'longer.stl', 'other-side');
    expect(longer).toMatchObject({ side: 'length' });
    expect(longer!.factor).toBeCloseTo(1.3, 3);
    expect([longer!.sideMm, longer!.querySideMm].map(Math.round)).toEqual([104, 80]);
    expect(becauseText(longer!)).toBe('×1.3 longer (104 instead of 80 mm), else the same size');
    expect((await reason('longer.stl', 'plate.stl', 'other-side'))!.factor).toBeCloseTo(1 / 1.3, 3);
    expect(await reason('plate.stl', 'thick.stl', 'other-side')).toMatchObject({ side: 'height' });
    expect((await reason('plate.stl', 'double.stl', 'same-proportions'))!.factor).toBeCloseTo(2, 3);
    expect((await reason('plate.stl', 'wide-holes.stl', 'same-size'))!.sizeMm.map(Math.round)).toEqual([80, 60, 6]);
    expect((await reason('plate.stl', 'six-holes.stl', 'same-thickness'))!.thicknessMm).toBeCloseTo(6, 2);
  });

  test('nothing is said of sizes that differ', async () => {
    const about = ['same-size', 'other-side', 'same-proportions', 'same-volume', 'same-thickness'];
    expect(codes(await said('rod.stl', 'thin-rod.stl')).filter((code) => about.includes(code))).toEqual([]);
    expect(codes(await said('plate.stl', 'rod.stl'))).toEqual([]);
    expect(codes(await said('plate.stl', 'bare.stl'))).not.toContain('same-volume');
  });
});

describe('holes', () => {
  test('their number and diameter are those of the part', async () => {
    const same = await reason('plate.stl', 'longer.stl', 'same-holes');
    expect(same!.holes).toEqual([
      { count: 4, diameterMm: 6.5 },
      { count: 1, diameterMm: 20 },
    ]);
    expect(becauseText(same!)).toBe('both have 4 holes of ⌀6.5 each and 1 hole of ⌀20');
    expect(await reason('plate.stl', 'double.stl', 'same-holes')).toMatchObject({
      holes: [{ count: 4, diameterMm: 6.5 }],
    });
    expect(await reason('plate.stl', 'wide-holes.stl', 'other-hole-size')).toMatchObject({
      count: 4,
      diameterMm: 8,
      queryDiameterMm: 6.5,
    });
    expect(await reason('plate.stl', 'six-holes.stl', 'other-hole-count')).toMatchObject({
      diameterMm: 6.5,
      count: 6,
      queryCount: 4,
    });
  });

  test('pins, corners and eight-sided openings are none', async () => {
    const about = (code: string): boolean => code.includes('hole');
    expect(codes(await said('plate.stl', 'bare.stl')).filter(about)).toEqual([]);
    expect(codes(await said('rod.stl', 'thin-rod.stl')).filter(about)).toEqual([]);
    const octagons = bodyOf(
      plate(
        [
          [-40, -30],
          [40, -30],
          [40, 30],
          [-40, 30],
        ],
        6,
        [
          [31, 21],
          [-31, 21],
          [-31, -21],
          [31, -21],
        ].map(([x, y]) => ({ x, y, diameter: 6.5, segments: 8 })),
      ),
    );
    expect(codes(await said(octagons, 'plate.stl')).filter(about)).toEqual([]);
  });
});

test('turned parts are round: no octagon, bolt or box is', async () => {
  expect(codes(await said('rod.stl', 'thin-rod.stl'))).toContain('both-turned');
  for (const other of ['octagon.stl', 'bolt.stl', 'box.stl', 'plate.stl'])
    expect(codes(await said('rod.stl', other)), other).not.toContain('both-turned');
});

test('words and attributes are those that matched', async () => {
  await company.put('note.txt', Buffer.from('Order 4711: twenty flanges of steel'), { attributes: ['Material=Steel'] });
  const { hits } = await company.search({ text: ['flange*', 'Material=Steel'] });
  expect(hits.map(({ because }) => because)).toEqual([
    [
      { code: 'words', field: 'text', words: ['flanges'] },
      { code: 'attributes', attributes: ['Material=Steel'] },
    ],
  ]);
  expect((await company.search({ kinds: ['Text'] })).hits.map(({ because }) => because)).toEqual([[]]);
});
