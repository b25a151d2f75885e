import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { becauseText, Engine, type Company, type SearchHit, type SearchQuery } from '../../dist/index.js';
import type { Feature } from '../../dist/descriptors/features/feature.js';
import { reasonsOf } from '../../dist/search/hits/reasons.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { dxfOf } from '../fixtures/drawing-of-body.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { box, type Body } from '../fixtures/shapes.js';
import { meshObject, modelPart, threeMfPackage } from '../fixtures/three-mf-writer.js';
import { plateBody, type Hole } from './plates.js';

// Parts that differ in their holes: hits say so, and before what is alike.

type Outline = readonly (readonly [number, number])[];

function stl(outline: Outline, height: number, holes: Hole[]): Uint8Array {
  return writeStlBinary(plateBody(outline, height, holes));
}

function flange(...sizes: Parameters<typeof flangeBody>): Uint8Array {
  return writeStlBinary(flangeBody(...sizes));
}

/** A square flange of ⌀30 bore, or none. */
function flangeBody(count: number, diameter: number, circleMm: number, bore = 30): Body {
  const holes = Array.from({ length: count }, (_, i): Hole => {
    const angle = (2 * Math.PI * i) / count;
    return { x: (circleMm / 2) * Math.cos(angle), y: (circleMm / 2) * Math.sin(angle), diameter };
  });
  if (bore > 0) holes.push({ x: 0, y: 0, diameter: bore });
  return plateBody(rectangle(100, 100), 10, holes);
}

function rectangle(x: number, y: number): Outline {
  return [
    [-x / 2, -y / 2],
    [x / 2, -y / 2],
    [x / 2, y / 2],
    [-x / 2, y / 2],
  ];
}

/** A plate of 120 × 80 × 12 with four holes of ⌀8, so far apart; blind ones are so deep. */
function corners(x: number, y: number, depth?: number): Uint8Array {
  const places = [-1, 1].flatMap((u) => [-1, 1].map((v) => [(u * x) / 2, (v * y) / 2]));
  return stl(
    rectangle(120, 80),
    12,
    places.map(([u, v]): Hole => ({ x: u, y: v, diameter: 8, depth })),
  );
}

/** The same plate; of the four holes so many go through, and the others are 7 deep. */
function mixed(through: number): Uint8Array {
  const places = [-1, 1].flatMap((u) => [-1, 1].map((v) => [45 * u, 25 * v]));
  return stl(
    rectangle(120, 80),
    12,
    places.map(([u, v], i): Hole => ({ x: u, y: v, diameter: 8, depth: i < through ? undefined : 7 })),
  );
}

/** A bar of 90 × 20 × 12 with two holes of ⌀6. */
function bar(apart: number): Uint8Array {
  return stl(
    rectangle(90, 20),
    12,
    [-1, 1].map((side): Hole => ({ x: (side * apart) / 2, y: 0, diameter: 6 })),
  );
}

/** A plate with a hole near each of its corners, or none. */
function drilled(diameter: number, segments?: number): Uint8Array {
  const places = diameter === 0 ? [] : [-1, 1].flatMap((x) => [-1, 1].map((y) => [x, y]));
  const holes = places.map(([x, y]): Hole => ({ x: 40 * x, y: 20 * y, diameter, segments }));
  return stl(rectangle(100, 60), 8, holes);
}

const FILES: Readonly<Record<string, Uint8Array>> = {
  'eight.stl': flange(8, 9, 80),
  'six.stl': flange(6, 9, 80),
  'wide.stl': flange(6, 11, 80),
  'near.stl': flange(6, 9, 75),
  'unbored.stl': flange(6, 9, 80, 0),
  'plate.stl': drilled(6),
  'bare.stl': drilled(0),
  'through.stl': corners(90, 50),
  'blind.stl': corners(90, 50, 7),
  'shallow.stl': corners(90, 50, 5),
  'closer.stl': corners(80, 50),
  'two-through.stl': mixed(2),
  'three-through.stl': mixed(3),
  'bar-60.stl': bar(60),
  'bar-50.stl': bar(50),
};

let engine: Engine;
let company: Company;
beforeAll(async () => {
  engine = await Engine.open(temporaryFolder(), { workers: 2 });
  company = await engine.company('acme');
  for (const [path, bytes] of Object.entries(FILES)) await company.put(path, bytes);
});
afterAll(() => engine.close());

async function said(from: string | Uint8Array, to: string): Promise<string[]> {
  const bytes = typeof from === 'string' ? FILES[from] : from;
  const { hits } = await company.search({ like: { bytes, extension: '.stl' }, limit: 100 });
  return hits.find(({ path }) => path === to)!.because.map((one) => becauseText(one));
}

const SIZE = 'same size, 100 × 100 × 10 mm';
const SLAB = 'same size, 120 × 80 × 12 mm';
const BORE = 'both have 1 hole of ⌀30';
const FLAT = 'both have mostly flat faces';
const CIRCLE = 'both have 6 holes on a bolt circle of ⌀80';

describe('the difference is said, and first', () => {
  test.each([
    ['eight.stl', 'six.stl', ['6 instead of 8 holes of ⌀9', SIZE, BORE, FLAT]],
    ['six.stl', 'eight.stl', ['8 instead of 6 holes of ⌀9', SIZE, BORE, FLAT]],
    ['six.stl', 'wide.stl', ['6 holes of ⌀11 instead of ⌀9', SIZE, CIRCLE, BORE]],
    ['eight.stl', 'wide.stl', ['6 holes of ⌀11 each instead of 8 holes of ⌀9 each', SIZE, BORE, FLAT]],
    ['eight.stl', 'unbored.stl', ['6 instead of 8 holes of ⌀9', 'lacks 1 hole of ⌀30', SIZE, FLAT]],
    [
      'eight.stl',
      'near.stl',
      ['6 holes on a bolt circle of ⌀75 instead of ⌀80', '6 instead of 8 holes of ⌀9', SIZE, BORE],
    ],
    ['plate.stl', 'bare.stl', ['lacks 4 holes of ⌀6 each', 'same size, 100 × 60 × 8 mm', FLAT]],
    ['bare.stl', 'plate.stl', ['has 4 holes of ⌀6 each besides', 'same size, 100 × 60 × 8 mm', FLAT]],
    ['through.stl', 'blind.stl', ['4 holes of ⌀8, 7 mm deep instead of through', SLAB, FLAT]],
    ['blind.stl', 'through.stl', ['4 holes of ⌀8, through instead of 7 mm deep', SLAB, FLAT]],
    ['blind.stl', 'shallow.stl', ['4 holes of ⌀8, 5 instead of 7 mm deep', SLAB, FLAT]],
    ['through.stl', 'two-through.stl', ['4 holes of ⌀8, 2 through instead of 4', SLAB, FLAT]],
    ['blind.stl', 'two-through.stl', ['4 holes of ⌀8, 2 through instead of none', SLAB, FLAT]],
    ['two-through.stl', 'three-through.stl', ['4 holes of ⌀8, 3 through instead of 2', SLAB, FLAT]],
    ['two-through.stl', 'through.stl', ['4 holes of ⌀8, all through instead of 2', SLAB, FLAT]],
    [
      'through.stl',
      'closer.stl',
      [
        '4 holes of ⌀8, 80 × 50 instead of 90 × 50 mm apart',
        SLAB,
        'both have 4 holes of ⌀8 each',
        'same volume, 112803 mm³',
      ],
    ],
    [
      'bar-60.stl',
      'bar-50.stl',
      [
        '2 holes of ⌀6, 50 instead of 60 mm apart',
        'same size, 90 × 20 × 12 mm',
        'both have 2 holes of ⌀6 each',
        'same volume, 20926 mm³',
      ],
    ],
  ])('%s, %s', async (from, to, texts) => {
    expect(await said(from, to)).toEqual(texts);
  });

  test('of a plate as a hit of a flange', async () => {
    expect((await said('eight.stl', 'plate.stl'))[0]).toBe('4 holes of ⌀6 each instead of 8 holes of ⌀9 each');
  });

  test('holes that a coarse mesh does not show are not lacking', async () => {
    const texts = await said(drilled(8, 8), 'plate.stl');
    expect(texts).toContain('same size, 100 × 60 × 8 mm');
    expect(texts.filter((one) => one.includes('hole'))).toEqual([]);
  });
});

test('parts of one size with other numbers of holes are less like, and come behind those with as many', async () => {
  const { hits } = await company.search({ like: { bytes: FILES['six.stl'], extension: '.stl' }, limit: 100 });
  const like = new Map(hits.map(({ path, similarity }) => [path, similarity!]));
  expect(like.get('near.stl')).toBeGreaterThan(98);
  expect(like.get('eight.stl')).toBeGreaterThan(88);
  expect(like.get('eight.stl')).toBeLessThan(94);
  expect(like.get('unbored.stl')).toBeLessThan(82);
  const places = hits.map(({ path }) => path);
  expect(places.indexOf('wide.stl')).toBeLessThan(places.indexOf('eight.stl'));
  // Whatever is asked for at once.
  const { hits: page } = await company.search({ like: { bytes: FILES['six.stl'], extension: '.stl' }, limit: 2 });
  expect(page).toEqual(hits.slice(0, 2));
});

test('so they are beside a drawing of another part, and as components of an assembly', async () => {
  const bodies = [4, 6].map((count) => flangeBody(count, 9, 80));
  const other = await engine.company('counted');
  const drawing = await other.put('bar.dxf', dxfOf(box(90, 20, 12)));
  const files = await Promise.all(bodies.map((body, i) => other.put(`flange ${i}.stl`, writeStlBinary(body))));
  const objects = bodies.map((body, i) => meshObject(i + 1, body)).join('');
  const build = bodies
    .map((_, i) => `<item objectid="${i + 1}" transform="1 0 0 0 1 0 0 0 1 ${200 * i} 0 0"/>`)
    .join('');
  const assembly = threeMfPackage({ '3D/3dmodel.model': modelPart(objects, build) });
  await other.put('assembly.3mf', assembly, { indexAssemblyComponents: true });
  const like = { uid: files[0].uid };
  const found = async (query: SearchQuery): Promise<SearchHit> => {
    const { hits } = await other.search({ limit: 100, ...query });
    return hits.find(({ path, matchClass }) => matchClass === 'similar' && /flange 1|assembly/.test(path))!;
  };
  const alone = await found({ like, within: files.map(({ uid }) => uid) });
  expect(alone.similarity).toBeLessThan(94);
  const beside = await found({ like: [like, { uid: drawing.uid }], within: files.map(({ uid }) => uid) });
  expect(beside.similarity).toBeCloseTo(alone.similarity!, 0);
  const component = await found({ like, components: 'only' });
  expect(component.component).toBeDefined();
  expect(component.similarity).toBeLessThan(94);
});

test('a bore is no other size of a hole across', () => {
  const shaft = (diameterMm: number, depthMm: number) => ({
    bboxSizeMm: [100, 20, 20] as const,
    volumeMm3: 100 * 100 * Math.PI - (Math.PI / 4) * diameterMm ** 2 * depthMm,
    extentsMm: [],
    features: {
      shape: 'turned' as const,
      wallMm: null,
      faceCount: 4,
      features: [{ kind: 'hole' as const, count: 1, faces: [3], diameterMm, depthMm, isThrough: true }],
    },
  });
  const between = (asked: ReturnType<typeof shaft>, found: ReturnType<typeof shaft>): string[] => {
    const hit = { matchClass: 'similar', similarity: 90 } as const;
    const reasons = reasonsOf({ hit, hasSameBytes: false, asked, found, statedMm: [], highlights: [] });
    return reasons.map((reason) => becauseText(reason));
  };
  const alike = ['same size, 100 × 20 × 20 mm', 'both are turned parts'];
  const said = between(shaft(6, 20), shaft(10, 100));
  expect(said).toEqual(['has 1 hole of ⌀10 besides', 'lacks 1 hole of ⌀6', ...alike]);
  expect(between(shaft(10, 20), shaft(10, 100))).toEqual([
    'has 1 hole of ⌀10 besides',
    'lacks 1 hole of ⌀10',
    ...alike,
  ]);
  expect(between(shaft(6, 20), shaft(8, 20))).toEqual(['1 hole of ⌀8 instead of ⌀6', ...alike]);
  expect(between(shaft(6, 100), shaft(8, 100))).toEqual(['1 hole of ⌀8 instead of ⌀6', ...alike]);
});

test('another number of keyways is said, unless both have one volume', () => {
  const shaft = (count: number, volumeMm3 = 30_000 - 400 * count, lengthMm = 20) => ({
    bboxSizeMm: [100, 20, 20] as const,
    volumeMm3,
    extentsMm: [],
    features: {
      shape: 'turned' as const,
      wallMm: null,
      faceCount: 9,
      features: count === 0 ? [] : [{ kind: 'keyway' as const, count, faces: [], widthMm: 6, depthMm: 3.5, lengthMm }],
    },
  });
  const first = (asked: ReturnType<typeof shaft>, found: ReturnType<typeof shaft>): string => {
    const hit = { matchClass: 'similar', similarity: 90 } as const;
    return becauseText(reasonsOf({ hit, hasSameBytes: false, asked, found, statedMm: [], highlights: [] })[0]);
  };
  expect(first(shaft(1), shaft(2))).toBe('2 keyways of 6 mm instead of 1');
  expect(first(shaft(1), shaft(0))).toBe('no keyway instead of 1 keyway');
  expect(first(shaft(1), shaft(1, 29_800, 30))).toBe('1 keyway, 30 instead of 20 mm long');
  expect(first(shaft(1), shaft(1, 29_600, 20.05))).toBe('same size, 100 × 20 × 20 mm');
  expect(first(shaft(1, 30_000), shaft(0, 30_000))).toBe('same size, 100 × 20 × 20 mm');
});

test('passages, pockets and ribs that one has besides are said', () => {
  type Own = Feature & { kind: 'passage' | 'rib' };
  const plateWith = (volumeMm3: number, ...features: Own[]) => ({
    bboxSizeMm: [120, 80, 8] as const,
    volumeMm3,
    extentsMm: [],
    features: { shape: 'milled' as const, wallMm: null, faceCount: 10, features },
  });
  const first = (asked: ReturnType<typeof plateWith>, found: ReturnType<typeof plateWith>): string => {
    const hit = { matchClass: 'similar', similarity: 90 } as const;
    return becauseText(reasonsOf({ hit, hasSameBytes: false, asked, found, statedMm: [], highlights: [] })[0]);
  };
  const window: Own = { kind: 'passage', form: 'rectangular', count: 1, faces: [], widthMm: 16 };
  const rib: Own = { kind: 'rib', count: 2, faces: [], widthMm: 4, depthMm: 20 };
  expect(first(plateWith(70_000, window), plateWith(76_000))).toBe('lacks 1 passage with flat walls, 16 mm wide');
  expect(first(plateWith(76_000), plateWith(70_000, window))).toBe(
    'has 1 passage with flat walls, 16 mm wide, besides',
  );
  expect(first(plateWith(70_000, rib), plateWith(72_000, { ...rib, count: 3 }))).toBe('3 instead of 2 ribs');
  // What a mesh shows of a hole, and parts of one volume.
  expect(first(plateWith(76_000), plateWith(70_000, { ...window, form: 'polygonal' }))).toMatch(/^same size/);
  expect(first(plateWith(76_000, window), plateWith(76_000))).toMatch(/^same size/);
});

test('a size of the model that a drawing of two others leaves out is said before these', () => {
  const found = { bboxSizeMm: [100, 60, 12] as const, volumeMm3: 70_000, extentsMm: [], features: undefined };
  const between = (statedMm: readonly number[]): string[] => {
    const hit = { matchClass: 'similar', similarity: 90 } as const;
    return reasonsOf({ hit, hasSameBytes: false, found, statedMm, highlights: [] }).map((reason) =>
      becauseText(reason),
    );
  };
  const both = "the drawing states the model's sizes 100 and 60 mm";
  expect(between([100, 60, 8])).toEqual(["the drawing does not state the model's 12 mm", both]);
  expect(between([100, 60, 12])).toEqual(["the drawing states the model's sizes 100, 60 and 12 mm"]);
  expect(between([100, 8])).toEqual([]);
});

test('mouths of holes and threads that differ are said', () => {
  type Own = Parameters<typeof reasonsOf>[0]['asked'];
  type Found = NonNullable<NonNullable<NonNullable<Own>['features']>['features']>;
  const part = (features: Found): NonNullable<Own> => ({
    bboxSizeMm: [60, 40, 10],
    volumeMm3: 20_000 + features.length,
    extentsMm: [],
    features: { shape: null, wallMm: null, faceCount: 9, features },
  });
  const between = (asked: Found, found: Found): string => {
    const hit = { matchClass: 'similar', similarity: 90 } as const;
    const facts = { hit, hasSameBytes: false, statedMm: [], highlights: [] };
    return becauseText(reasonsOf({ ...facts, asked: part(asked), found: part(found) })[0]);
  };
  const holes = { kind: 'hole', count: 4, faces: [], diameterMm: 6.6, depthMm: 10, isThrough: true } as const;
  const sunk = { ...holes, sunk: 'counterbored', sunkDiameterMm: 11 } as const;
  expect(between([holes], [sunk])).toBe('4 holes of ⌀6.6, counterbored to ⌀11 instead of plain');
  expect(between([sunk], [{ ...sunk, sunk: 'countersunk', sunkDiameterMm: 12.6 }])).toBe(
    '4 holes of ⌀6.6, countersunk to ⌀12.6 instead of counterbored to ⌀11',
  );
  const deep = { ...sunk, sunkDepthMm: 6 };
  expect(between([deep], [{ ...deep, sunkDepthMm: 4 }])).toBe(
    '4 holes of ⌀6.6, counterbored to ⌀11, 4 mm deep instead of counterbored to ⌀11, 6 mm deep',
  );
  expect(between([deep], [{ ...deep, sunkDiameterMm: 12, sunkDepthMm: 4 }])).toBe(
    '4 holes of ⌀6.6, counterbored to ⌀12 instead of counterbored to ⌀11',
  );
  expect(between([sunk], [deep])).not.toContain('counterbored');
  const thread = { kind: 'thread', count: 1, faces: [], diameterMm: 8, pitchMm: 1.25, isInternal: false } as const;
  expect(between([thread], [{ ...thread, pitchMm: 1 }])).toBe('a thread of ⌀8, pitch 1 instead of 1.25 mm');
  expect(between([thread], [{ ...thread, diameterMm: 10, pitchMm: 1.5 }])).toBe(
    'a thread of ⌀10, pitch 1.5 instead of ⌀8, pitch 1.25 mm',
  );
  // A nut is no other thread of a screw, and some holes of an open mesh may go through.
  expect(between([thread], [{ ...thread, isInternal: true, pitchMm: 1 }])).toBe('same size, 60 × 40 × 10 mm');
  expect(between([{ ...holes, isThrough: undefined }], [{ ...holes, isThrough: false, depthMm: 5 }])).toBe(
    'same size, 60 × 40 × 10 mm',
  );
});
