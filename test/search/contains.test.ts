import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine, type Company, type SearchHit } from '../../dist/index.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { handedBracket, joined, mirrored, rotated, scaled } from '../fixtures/parts.js';
import { box, moved, type Body } from '../fixtures/shapes.js';
import { stepFile } from '../fixtures/step-writer.js';
import { codeOf, fill } from './library.js';
import { plateBody, type Hole } from './plates.js';

// A pattern of holes that no turn carries onto itself, in plates of other outlines, sizes and poses.

const PATTERN: readonly Hole[] = [
  { x: 0, y: 0, diameter: 12 },
  { x: 20, y: 0, diameter: 6 },
  { x: -14, y: 15, diameter: 6 },
  { x: -8, y: -17, diameter: 4 },
];

/** A rectangular plate with holes through it. */
function drilled([x, y, z]: readonly number[], holes: readonly Hole[], [dx, dy] = [0, 0]): Body {
  const outline = [
    [-x / 2, -y / 2],
    [x / 2, -y / 2],
    [x / 2, y / 2],
    [-x / 2, y / 2],
  ] as const;
  return plateBody(
    outline,
    z,
    holes.map((hole) => ({ ...hole, x: hole.x + dx, y: hole.y + dy })),
  );
}

const SLAB = drilled([70, 60, 8], PATTERN);
const TURN = [0.6, 0.3, -0.5, 0.5477] as const;
const movedHole = PATTERN.map((hole, i) => (i === 2 ? { ...hole, x: hole.x + 3 } : hole));

const BODIES: Readonly<Record<string, Body>> = {
  'slab.stl': SLAB,
  'host.stl': moved(
    rotated(drilled([160, 90, 8], [...PATTERN, { x: 60, y: 20, diameter: 9 }], [-20, 5]), TURN),
    30,
    -70,
    12,
  ),
  'twice.stl': rotated(
    drilled([200, 80, 8], [...PATTERN, ...PATTERN.map((hole) => ({ ...hole, x: hole.x + 80 }))], [-45, 0]),
    TURN,
  ),
  'moved-hole.stl': rotated(drilled([120, 90, 8], movedHole), TURN),
  'other-diameter.stl': drilled(
    [120, 90, 8],
    PATTERN.map((hole, i) => (i === 1 ? { ...hole, diameter: 7 } : hole)),
  ),
  'mirrored.stl': mirrored(drilled([120, 100, 8], PATTERN)),
  'scaled.stl': scaled(drilled([90, 80, 8], PATTERN), 2),
  'bare.stl': box(80, 60, 8),
};

let engine: Engine;
let company: Company;
const uids = new Map<string, string>();
beforeAll(async () => {
  engine = await Engine.open(temporaryFolder(), { workers: 2 });
  company = await engine.company('plates');
  const files = Object.entries(BODIES).map(([path, body]) => [path, writeStlBinary(body)] as const);
  for (const { path, uid } of await fill(company, files)) uids.set(path, uid);
}, 60_000);
afterAll(() => engine.close());

const uid = (path: string): string => uids.get(path)!;
/** The walls of the holes: the faces behind both sides and the four rims, in the order of the triangles. */
const WALLS = [6, 7, 8, 9];
const named = (hits: readonly SearchHit[]): string[] => hits.map(({ path }) => path);

test('a bore is covered by one with a keyway but for the width of that, whatever its depth', async () => {
  const bore = [{ x: 0, y: 0, diameter: 12 }];
  const other = await engine.company('bores');
  const files = {
    'plain.stl': drilled([50, 40, 8], bore),
    'as-deep.stl': drilled([60, 50, 8], [{ x: 3, y: 2, diameter: 12, keyway: 4 }]),
    'deeper.stl': drilled([60, 50, 15], [{ x: 3, y: 2, diameter: 12, keyway: 4 }]),
    'round.stl': drilled([60, 50, 15], [{ x: 3, y: 2, diameter: 12 }]),
  };
  const records = await fill(
    other,
    Object.entries(files).map(([path, body]) => [path, writeStlBinary(body)] as const),
  );
  const { hits } = await other.search({ contains: { uid: records[0].uid, faces: [6] } });
  const coverage = new Map(hits.map(({ path, coverage: own }) => [path, own!]));
  const left = 1 - Math.asin(4 / 12) / Math.PI;
  expect(coverage.get('plain.stl')).toBeCloseTo(1, 3);
  expect(coverage.get('round.stl')).toBeCloseTo(1, 3);
  expect(coverage.get('as-deep.stl')).toBeCloseTo(left, 1);
  expect(coverage.get('as-deep.stl')).toBeLessThan(left + 0.02);
  expect(coverage.get('deeper.stl')).toBeCloseTo(left, 1);
  expect(coverage.get('deeper.stl')).toBeLessThan(left + 0.02);
});

describe('a hole pattern', () => {
  const faces = WALLS;
  let hits: readonly SearchHit[];
  beforeAll(async () => {
    ({ hits } = await company.search({ contains: { uid: uid('slab.stl'), faces } }));
  });

  test('is found whole in every host, in any pose, turned over too, and only there', () => {
    const whole = hits.filter(({ coverage }) => coverage! > 0.995);
    expect(named(whole).sort()).toEqual(['host.stl', 'mirrored.stl', 'slab.stl', 'twice.stl']);
    for (const { matchClass, score, faces: on } of whole) {
      expect(matchClass).toBe('contains');
      expect(score).toBeLessThan(0.005);
      expect(on!.length % 4).toBe(0);
    }
  });

  test('comes with the transform that lays it there', () => {
    const { transform: m } = hits.find(({ path }) => path === 'host.stl')!;
    const at = ([x, y, z]: readonly number[]): number[] =>
      [0, 1, 2].map((i) => m![i] * x + m![4 + i] * y + m![8 + i] * z + m![12 + i]);
    const [w, i, j, k] = TURN.map((value) => value / Math.hypot(...TURN));
    for (const { x, y } of PATTERN) {
      const [a, b, c] = [x - 20, y + 5, 4];
      // The host's own way: turned by the quaternion, then moved.
      const [px, py, pz] = [
        a * (1 - 2 * (j * j + k * k)) + b * 2 * (i * j - k * w) + c * 2 * (i * k + j * w),
        a * 2 * (i * j + k * w) + b * (1 - 2 * (i * i + k * k)) + c * 2 * (j * k - i * w),
        a * 2 * (i * k - j * w) + b * 2 * (j * k + i * w) + c * (1 - 2 * (i * i + j * j)),
      ];
      const expected = [px + 30, py - 70, pz + 12];
      at([x, y, 4]).forEach((value, axis) => expect(value).toBeCloseTo(expected[axis], 1));
    }
  });

  test('is told to be there twice', () => {
    const { occurrences, faces: on, occurrenceFaces } = hits.find(({ path }) => path === 'twice.stl')!;
    expect(occurrences).toBe(2);
    // Each place with its own faces, the best of them first.
    expect(occurrenceFaces).toHaveLength(2);
    expect(occurrenceFaces![0]).toEqual(on);
    expect(new Set(occurrenceFaces!.flat()).size).toBe(8);
    const once = hits.find(({ path }) => path === 'host.stl')!;
    expect([once.occurrences, once.occurrenceFaces]).toEqual([1, undefined]);
  });

  test('near misses hold a part of it', () => {
    for (const path of ['moved-hole.stl', 'other-diameter.stl']) {
      const hit = hits.find((one) => one.path === path)!;
      expect(hit.coverage).toBeGreaterThan(0.5);
      expect(hit.coverage).toBeLessThan(0.95);
      expect(hit.mirrored).toBeUndefined();
    }
  });

  test('filters, limit and offset hold for it', async () => {
    const query = { contains: { uid: uid('slab.stl'), faces } };
    const some = await company.search({ ...query, within: [uid('host.stl'), uid('bare.stl')] });
    expect(named(some.hits)).toEqual(['host.stl']);
    const first = await company.search({ ...query, limit: 2 });
    const second = await company.search({ ...query, limit: 2, offset: 2 });
    expect([...named(first.hits), ...named(second.hits)]).toEqual(named(hits).slice(0, 4));
  });

  test('one hole is found in any size where any size is asked for', async () => {
    const query = { contains: { uid: uid('slab.stl'), faces: faces.slice(0, 1) } };
    const any = await company.search({ ...query, sizes: 'any' });
    expect(named(any.hits)).toContain('scaled.stl');
    expect(any.hits.every(({ transform }) => transform === undefined)).toBe(true);
    expect(named(any.hits)).not.toContain('bare.stl');
    const exact = await company.search({ contains: { uid: uid('slab.stl'), faces } });
    expect(named(exact.hits.filter(({ coverage }) => coverage! > 0.9))).not.toContain('scaled.stl');
  });
});

test('the mirror image of a handed part holds a part of it, and is told as such', async () => {
  const bracket = writeStlBinary(handedBracket());
  await company.put('other-hand.stl', writeStlBinary(mirrored(handedBracket())));
  const { hits } = await company.search({ contains: { bytes: bracket, extension: '.stl' } });
  const hit = hits.find(({ path }) => path === 'other-hand.stl')!;
  expect(hit.coverage).toBeLessThan(0.95);
  expect(hit.mirrored).toBe(true);
});

test('a body is found in an assembly whose components are not indexed, as often as it is there', async () => {
  const pin = { name: 'pin', shape: { kind: 'box', x: 7, y: 11, z: 13 } } as const;
  const base = { name: 'base', shape: { kind: 'box', x: 90, y: 70, z: 5 } } as const;
  const placements = [
    { part: 0, at: [5, 5, 5], z: [1, 0, 0], x: [0, 0, 1] },
    { part: 0, at: [50, 40, 5] },
    { part: 1, at: [0, 0, 0] },
  ] as const;
  const assembly = stepFile({ parts: [pin, base], assembly: { name: 'whole', placements } });
  await company.put('whole.step', assembly);
  const bytes = stepFile({ parts: [pin] });
  const { hits } = await company.search({ contains: { bytes, extension: '.step' }, text: 'whole' });
  expect(hits[0]).toMatchObject({ path: 'whole.step', coverage: 1, occurrences: 2 });
});

test('wrong questions are refused with what was found and expected', async () => {
  const slab = uid('slab.stl');
  await expect(company.search({ contains: { uid: slab }, like: { uid: slab } })).rejects.toThrow(/exclude each other/);
  await expect(company.search({ contains: { uid: slab, faces: [] } })).rejects.toThrow(/1 to 10000 numbers/);
  await expect(company.search({ contains: { uid: slab }, sizes: 'all' as 'any' })).rejects.toThrow(/'exact' or 'any'/);
  await expect(company.search({ contains: { uid: slab }, toleranceMm: 0 })).rejects.toThrow(/above 0/);
  expect(await codeOf(company.search({ contains: { uid: slab, faces: [99] } }))).toBe('QUERY_INVALID');
  const text = { bytes: Buffer.from('a letter'), extension: '.txt' };
  expect(await codeOf(company.search({ contains: text }))).toBe('NO_GEOMETRY');
});

test('flat faces that do not meet find nothing, and it is said why', async () => {
  const contains = { uid: uid('slab.stl'), faces: [0] };
  const { total, warnings } = await company.search({ contains });
  expect([total, warnings]).toEqual([0, [expect.stringContaining('pick a round face as well')]]);
  expect((await company.search({ contains, sizes: 'any' })).total).toBeGreaterThan(0);
});

test('what was joined of two plates is found by either', async () => {
  const both = joined('both', SLAB, moved(drilled([50, 40, 5], [{ x: 3, y: 4, diameter: 10 }]), 0, 0, 40));
  await company.put('both.stl', writeStlBinary(both));
  const { hits } = await company.search({ contains: { uid: uid('slab.stl') } });
  expect(hits.find(({ path }) => path === 'both.stl')).toMatchObject({ coverage: 1, occurrences: 1 });
  await company.delete((await company.list()).find(({ path }) => path === 'both.stl')!.uid);
  const after = await company.search({ contains: { uid: uid('slab.stl') } });
  expect(named(after.hits)).not.toContain('both.stl');
});
