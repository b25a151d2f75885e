import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { becauseText, Engine, type Because, type Company } from '../../dist/index.js';
import { roundSize, type ComparedModel } from '../../dist/search/hits/like-sizes.js';
import { threeViews } from '../fixtures/drawing-of-body.js';
import { dxf, line, text } from '../fixtures/dxf-writer.js';
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

const tube = (diameter: number, wall: number, length: number): Body =>
  bodyOf(plate(outlineOf(diameter / 2, 48), length, [{ x: 0, y: 0, diameter: diameter - 2 * wall, segments: 48 }]));

/** A square flange with six holes on a circle. */
function flange(side: number, circle: number): Body {
  const holes = Array.from({ length: 6 }, (_, i): Hole => {
    const angle = (i * Math.PI) / 3;
    return { x: (circle / 2) * Math.cos(angle), y: (circle / 2) * Math.sin(angle), diameter: 6.5 };
  });
  const outline = [
    [-side / 2, -side / 2],
    [side / 2, -side / 2],
    [side / 2, side / 2],
    [-side / 2, side / 2],
  ] as const;
  return bodyOf(plate(outline, 12, holes));
}

const ring = (outer: number, inner: number, height: number): Body =>
  bodyOf(plate(outlineOf(outer / 2, 48), height, [{ x: 0, y: 0, diameter: inner, segments: 48 }]));

/** A bar with three slots across. */
function comb(length: number, width: number, height: number): Body {
  const step = length / 7;
  const teeth = [6, 5, 4, 3, 2, 1].flatMap((k) => {
    const depth = k % 2 === 0 ? [height, height / 2] : [height / 2, height];
    return depth.map((y) => [k * step, y] as const);
  });
  return bodyOf(plate([[0, 0], [length, 0], [length, height], ...teeth, [0, height]], width));
}

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
  'tube.stl': tube(20, 2, 120),
  'long-tube.stl': tube(30, 2, 200),
  'thick-tube.stl': tube(24, 3, 130),
  'flange.stl': flange(80, 60),
  'wide-flange.stl': flange(96, 60),
  'other-flange.stl': flange(80, 50),
  'flat.stl': box(120, 40, 6),
  'near.stl': drilled([86, 61, 6.2], 6.5, 4, 20),
  'near-larger.stl': drilled([168, 120, 12.6], 6.5, 4, 40),
  'six-wide-holes.stl': drilled([100, 45, 8], 8, 6),
  'washer.stl': ring(20, 10.5, 2),
  'large-washer.stl': ring(30, 17, 4),
  'comb.stl': comb(60, 20, 15),
  'long-comb.stl': comb(90, 24, 40),
  'wide-comb.stl': comb(90, 32, 15),
  'unbored.stl': drilled([80, 60, 6], 6.5, 4),
  'block.stl': drilled([80, 60, 30], 6.5, 4, 20),
  'high-block.stl': drilled([80, 60, 34], 6.5, 4, 20),
  'slightly-larger.stl': drilled([80.6, 60.4, 6.04], 6.5, 4, 20),
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
    const thicker = await reason('plate.stl', 'thick.stl', 'other-side');
    expect(becauseText(thicker!)).toBe('×1.5 thicker (9 instead of 6 mm), else the same size');
    const higher = await reason('block.stl', 'high-block.stl', 'other-side');
    expect(becauseText(higher!)).toBe('×1.13 larger in its smallest side (34 instead of 30 mm), else the same size');
    expect((await reason('plate.stl', 'double.stl', 'same-proportions'))!.factor).toBeCloseTo(2, 3);
    expect((await reason('plate.stl', 'wide-holes.stl', 'same-size'))!.sizeMm.map(Math.round)).toEqual([80, 60, 6]);
    expect((await reason('plate.stl', 'six-holes.stl', 'same-thickness'))!.thicknessMm).toBeCloseTo(6, 2);
  });

  test('nearly all of it, one side, or how they differ where nothing else is known', async () => {
    const near = await reason('plate.stl', 'near.stl', 'near-size');
    expect(near!.sizeMm.map((size) => Number(size.toFixed(1)))).toEqual([86, 61, 6.2]);
    expect(becauseText({ ...near!, sizeMm: [86, 61, 6.2], querySizeMm: [80, 60, 6] })).toBe(
      'nearly the same size, 86 × 61 × 6.2 instead of 80 × 60 × 6 mm',
    );
    const larger = await reason('plate.stl', 'near-larger.stl', 'near-proportions');
    expect(larger!.factor).toBeCloseTo(Math.cbrt(2.1 * 2 * 2.1), 2);
    expect(becauseText({ ...larger!, factor: 2 })).toBe('nearly the same proportions, ×2 larger');
    expect(await reason('long-comb.stl', 'wide-comb.stl', 'same-side')).toMatchObject({ side: 'length' });
    expect(becauseText({ code: 'same-side', side: 'length', sideMm: 90 })).toBe('same length, 90 mm');
    const other = await reason('comb.stl', 'long-comb.stl', 'other-sizes');
    expect(other!.factors.map((factor) => Number(factor.toFixed(2)))).toEqual([1.5, 2, 1.6]);
    expect(becauseText({ code: 'other-sizes', factors: [1.5, 1, 0.5], areFlat: true })).toBe(
      '×1.5 longer and ×2 thinner',
    );
    expect(becauseText({ code: 'other-sizes', factors: [1.5, 1, 0.5], areFlat: false })).toBe(
      '×1.5 longer and ×2 smaller in its smallest side',
    );
  });

  test('a difference of less than a per cent is no equal size', async () => {
    const near = await reason('plate.stl', 'slightly-larger.stl', 'near-size');
    expect(becauseText(near!)).toBe('nearly the same size, 80.6 × 60.4 × 6.04 instead of 80 × 60 × 6 mm');
    const factor = 1.0042;
    expect(becauseText({ code: 'same-shape', factor, isMirrored: false })).toBe('same shape, ×1.0042 larger');
    expect(becauseText({ code: 'other-sizes', factors: [factor, 1.5, 1], areFlat: false })).toBe('×1.5 wider');
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

  test('that only one of two parts has, where all others are the same', async () => {
    const lacking = await reason('plate.stl', 'unbored.stl', 'more-holes');
    expect(lacking).toEqual({ code: 'more-holes', of: 'query', holes: [{ count: 1, diameterMm: 20 }] });
    expect(becauseText(lacking!)).toBe('lacks 1 hole of ⌀20');
    expect(becauseText((await reason('unbored.stl', 'plate.stl', 'more-holes'))!)).toBe('has 1 hole of ⌀20 besides');
    expect(codes(await said('plate.stl', 'longer.stl'))).not.toContain('more-holes');
    // The bore has another diameter: neither has more.
    expect(codes(await said('plate.stl', 'near-larger.stl'))).not.toContain('more-holes');
  });

  test('of another diameter and number, and the hole of a washer', async () => {
    const other = await reason('wide-holes.stl', 'six-holes.stl', 'other-holes');
    expect(other).toMatchObject({ count: 6, diameterMm: 6.5, queryCount: 4, queryDiameterMm: 8 });
    expect(becauseText(other!)).toBe('6 holes of ⌀6.5 each instead of 4 holes of ⌀8 each');
    const washer = await reason('washer.stl', 'large-washer.stl', 'other-hole-size');
    expect(becauseText(washer!)).toBe('1 hole of ⌀17 instead of ⌀10.5');
    // A bore beside other holes says little.
    expect(codes(await said('plate.stl', 'large-washer.stl')).filter((code) => code.includes('hole'))).toEqual([]);
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

test('as many slots, and flat faces', async () => {
  const because = await said('comb.stl', 'long-comb.stl');
  expect(because).toContainEqual({ code: 'same-count', feature: 'slot', count: 3 });
  expect(codes(because)).toContain('both-flat-faced');
  expect(becauseText({ code: 'same-count', feature: 'slot', count: 3 })).toBe('both have 3 slots');
  expect(codes(await said('rod.stl', 'thin-rod.stl'))).not.toContain('both-flat-faced');
});

test('holes on a bolt circle are those of one circle', async () => {
  const same = await reason('flange.stl', 'wide-flange.stl', 'same-bolt-circle');
  expect(same).toMatchObject({ count: 6 });
  expect(same!.diameterMm).toBeCloseTo(60, 1);
  expect(becauseText(same!)).toBe('both have 6 holes on a bolt circle of ⌀60');
  const other = await reason('flange.stl', 'other-flange.stl', 'other-bolt-circle');
  expect(becauseText(other!)).toBe('6 holes on a bolt circle of ⌀50 instead of ⌀60');
  expect(codes(await said('flange.stl', 'other-flange.stl'))).not.toContain('same-bolt-circle');
});

test('tubes have a wall, of the same thickness or of which', async () => {
  const same = await reason('tube.stl', 'long-tube.stl', 'same-wall');
  expect(same).toMatchObject({ shape: 'tube' });
  expect(same!.wallMm).toBeCloseTo(2, 1);
  const other = await reason('tube.stl', 'thick-tube.stl', 'other-wall');
  expect(other!.wallMm).toBeCloseTo(3, 1);
  expect(other!.queryWallMm).toBeCloseTo(2, 1);
  expect(becauseText({ ...other!, wallMm: 3, queryWallMm: 2 })).toBe('both are tubes, the wall 3 instead of 2 mm');
  expect(codes(await said('tube.stl', 'rod.stl')).filter((code) => code.endsWith('-wall'))).toEqual([]);
});

test('the diameter of a gear is that of its tips, between which its smallest box lies', () => {
  const gear = (widthMm: number, tipsMm: number, lengthMm: number): ComparedModel => ({
    bboxSizeMm: [widthMm, widthMm - 0.2, lengthMm],
    volumeMm3: 1,
    extentsMm: [],
    features: {
      shape: null,
      wallMm: null,
      faceCount: 99,
      features: [{ kind: 'teeth', count: 24, faces: [], diameterMm: tipsMm, depthMm: 4.5 }],
    },
  });
  expect(roundSize(gear(51.73, 52, 12), gear(43.67, 44, 12), true)).toEqual([
    { code: 'round-size', diameterMm: 44, queryDiameterMm: 52, lengthMm: 12, queryLengthMm: 12 },
  ]);
});

test('sheets and gears in words', () => {
  expect(becauseText({ code: 'other-bends', count: 3, queryCount: 2 })).toBe('3 instead of 2 bends');
  const teeth = { code: 'other-teeth', count: 24, queryCount: 36 } as const;
  expect(becauseText({ ...teeth, moduleMm: 1, queryModuleMm: 1 })).toBe('24 instead of 36 teeth of module 1');
  expect(becauseText({ ...teeth, moduleMm: 2, queryModuleMm: 1 })).toBe(
    '24 instead of 36 teeth, of module 2 instead of 1',
  );
  expect(becauseText({ ...teeth, moduleMm: null, queryModuleMm: 1 })).toBe('24 instead of 36 teeth');
});

test('plates of one volume and thickness', async () => {
  const volume = await reason('bare.stl', 'flat.stl', 'same-volume');
  expect(volume!.volumeMm3).toBeCloseTo(28_800, 0);
  expect(becauseText(volume!)).toBe('same volume, 28800 mm³');
  expect(becauseText((await reason('bare.stl', 'flat.stl', 'same-thickness'))!)).toBe('same thickness, 6 mm');
});

test('a drawing shows a view of the model and states its sizes, two at least', async () => {
  const drawingOf = (words: readonly string[]): Uint8Array =>
    dxf({
      header: [
        [9, '$INSUNITS'],
        [70, 4],
      ],
      entities: [
        ...threeViews(BODIES['hand.stl']).map((segment) => line(...segment)),
        ...words.map((word, i) => text(word, 10 + 20 * i, -30, 3)),
      ],
    });
  const { bboxSizeMm } = await company.get(uids.get('hand.stl')!);
  const sizes = bboxSizeMm!.map((size) => String(Number(size.toFixed(2))));
  const finds = async (words: readonly string[]): Promise<readonly Because[]> => {
    const { hits } = await company.search({ like: { bytes: drawingOf(words), extension: '.dxf' }, limit: 100 });
    // Of what is hardly alike, no view is.
    const unlike = hits.filter(({ similarity }) => similarity! < 20);
    expect(unlike.length).toBeGreaterThan(0);
    expect(unlike.flatMap(({ because }) => codes(because))).not.toContain('like-view');
    return hits.find(({ path }) => path === 'hand.stl')!.because;
  };
  const stating = await finds([sizes[0], sizes[2], '4711']);
  const stated = stating.find((one): one is Extract<Because, { code: 'stated-sizes' }> => one.code === 'stated-sizes');
  expect(stated!.sizesMm.map((size) => String(Number(size.toFixed(2))))).toEqual([sizes[0], sizes[2]]);
  expect(codes(stating)).toContain('like-view');
  expect(codes(await finds([sizes[0], '4711']))).toEqual(['like-view']);
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

test('a drawing saved anew in another size says so', async () => {
  const { drawnFactor } = await import('../../dist/search/hits/drawn-factor.js');
  const view = (width: number, isToScale = true): any => ({ size: [width, 10], isToScale });
  expect(drawnFactor([view(40), view(20)], [view(40), view(80)])).toBe(2);
  expect(drawnFactor([view(40), view(20)], [view(80), view(20)])).toBeUndefined();
  expect(drawnFactor([view(40, false)], [view(80)])).toBeUndefined();
  expect(becauseText({ code: 'same-drawing' })).toBe('the same drawing, saved anew');
  expect(becauseText({ code: 'same-drawing', factor: 2 })).toBe('the same drawing, saved anew, drawn ×2 larger');
});
