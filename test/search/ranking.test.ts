import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Company, Engine, SearchHit } from '../../dist/index.js';
import { writeObj, writeStlAscii, writeStlBinary } from '../fixtures/mesh-writers.js';
import {
  brick,
  circle,
  disc,
  gear,
  handedBracket,
  mirrored,
  nut,
  ring,
  rotated,
  scaled,
  screw,
  washer,
} from '../fixtures/parts.js';
import { box, cylinder, lBracket, torus } from '../fixtures/shapes.js';
import { stepFile, type StepShape } from '../fixtures/step-writer.js';
import { fill, libraries } from './library.js';
import { plate } from './plates.js';

// What an engineer expects of a small library.

const { fresh, open } = libraries();
let engine: Engine;
beforeAll(async () => {
  engine = await open(fresh());
});
afterAll(() => engine.close());

let companies = 0;
async function libraryOf(files: Record<string, Uint8Array>): Promise<Company> {
  const company = await engine.company(`company ${companies++}`);
  await fill(company, Object.entries(files));
  return company;
}

async function ranked(company: Company, bytes: Uint8Array, extension = 'stl'): Promise<SearchHit[]> {
  return [...(await company.search({ like: { bytes, extension }, limit: 100 })).hits];
}

const names = (hits: readonly SearchHit[]): string[] => hits.map(({ path }) => path);
const tilt = [0.3, -0.5, 0.7, 0.2];

describe('families', () => {
  let company: Company;
  beforeAll(async () => {
    const bodies = {
      ...Object.fromEntries(
        [
          [5, 10],
          [5, 16],
          [5, 22],
          [5, 35],
          [6, 24],
          [8, 50],
        ].map(([d, l]) => [`screw M${d}x${l}`, screw(d, l)]),
      ),
      ...Object.fromEntries([4, 5, 6, 8].map((d) => [`nut M${d}`, nut(d)])),
      ...Object.fromEntries([4, 5, 6, 8].map((d) => [`washer M${d}`, washer(d)])),
      ...Object.fromEntries(
        [
          [40, 5, 30],
          [60, 6, 30],
          [35, 4, 20],
          [50, 8, 50],
        ].map(([l, t, w]) => [`bracket ${l}`, lBracket(l, t, w)]),
      ),
      ...Object.fromEntries(
        [
          [60, 40, 5],
          [80, 30, 4],
          [50, 50, 6],
        ].map(([x, y, z]) => [`plate ${x}`, box(x, y, z)]),
      ),
      ...Object.fromEntries([14, 18, 24].map((teeth) => [`gear ${teeth}`, gear(teeth, 1.2 * teeth, 6, 4)])),
      ...Object.fromEntries([18, 22, 30].map((radius) => [`disc ${radius}`, disc(radius, 6, 4)])),
    };
    company = await libraryOf(
      Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, writeStlBinary(rotated(body, tilt))])),
    );
  });
  const kind = (name: string): string => name.split(' ')[0];

  test('a screw finds screws, the nearest in size first', async () => {
    const found = names(await ranked(company, writeStlBinary(screw(5, 20))));
    expect(found.slice(0, 6).map(kind)).toEqual(Array(6).fill('screw'));
    expect(found[0]).toMatch(/M5x(22|16)|M6x24/);
    expect(found.indexOf('screw M5x22')).toBeLessThan(found.indexOf('screw M5x35'));
    expect(found.indexOf('screw M6x24')).toBeLessThan(found.indexOf('screw M8x50'));
    expect(found.indexOf('screw M5x16')).toBeLessThan(found.indexOf('screw M5x10'));
  });

  test('with ignoreSize the order of screws of one proportion does not depend on the size asked for', async () => {
    const order = async (body: ReturnType<typeof box>, ignoreSize: boolean): Promise<string[]> => {
      const { hits } = await company.search({
        like: { bytes: writeStlBinary(body), extension: '.stl' },
        ignoreSize,
        limit: 100,
      });
      return hits.filter(({ matchClass }) => matchClass === 'similar').map(({ path }) => path);
    };
    const large = scaled(screw(5, 21), 8);
    expect((await order(large, true)).slice(0, 5)).toEqual((await order(screw(5, 21), true)).slice(0, 5));
    expect(await order(large, false)).not.toEqual(await order(large, true));
    await expect(
      company.search({ like: { bytes: writeStlBinary(large), extension: '.stl' }, ignoreSize: 1 as never }),
    ).rejects.toThrow(/query\.ignoreSize/);
  });

  test.each([
    ['nut', nut(5.5), 4],
    ['washer', washer(7), 4],
    ['bracket', lBracket(45, 5, 32), 4],
    ['plate', box(70, 42, 5), 3],
    ['gear', gear(20, 23, 6, 4), 3],
    ['disc', disc(25, 6, 4), 3],
  ])('a %s finds all of its kind first', async (name, body, count) => {
    const found = names(await ranked(company, writeStlBinary(body)));
    expect(found.slice(0, count).map(kind)).toEqual(Array(count).fill(name));
  });
});

describe('the same part', () => {
  const shapes: Record<string, { step: StepShape; mesh: ReturnType<typeof box> }> = {
    block: { step: { kind: 'box', x: 30, y: 20, z: 12 }, mesh: box(30, 20, 12) },
    rod: { step: { kind: 'cylinder', radius: 6, height: 40 }, mesh: cylinder(6, 40, 64) },
    ring: { step: { kind: 'torus', radius: 20, tube: 4 }, mesh: torus(20, 4, 64, 32) },
  };

  test.each(Object.entries(shapes))(
    'as STEP, STL and OBJ, turned and moved, is found first: %s',
    async (name, { step, mesh }) => {
      const twins = {
        'a.step': stepFile({ parts: [{ name, shape: step }] }),
        'inch.step': stepFile({ unit: 'in', parts: [{ name, shape: inInches(step) }] }),
        'b.stl': writeStlBinary(rotated(mesh, tilt)),
        'c.obj': writeObj(rotated(mesh, [1, 0, 1, 0])),
        'd.stl': writeStlAscii(mesh),
      };
      const others = {
        'block.stl': writeStlBinary(box(30, 20, 13)),
        'rod.stl': writeStlBinary(cylinder(6, 42)),
        'ring.stl': writeStlBinary(torus(20, 4.4)),
        'plate.stl': writeStlBinary(box(30, 30, 4)),
      };
      const company = await libraryOf({ ...twins, ...others });
      for (const [path, bytes] of Object.entries(twins)) {
        const hits = await ranked(company, bytes, path.split('.')[1]);
        expect(names(hits.slice(0, 5)).sort(), path).toEqual(Object.keys(twins).sort());
        // A twin that becomes the very same mesh may be at 0 too, and come first by its UID.
        expect(hits[0].score).toBe(0);
        expect(hits.find((hit) => hit.path === path)).toMatchObject({ score: 0 });
        for (const hit of hits.slice(0, 5)) {
          expect(hit, `${path} → ${hit.path}`).toMatchObject({ matchClass: 'identical' });
          expect(hit.score).toBeLessThanOrEqual(0.01);
        }
        for (const hit of hits.slice(5)) expect(hit, `${path} → ${hit.path}`).toMatchObject({ matchClass: 'similar' });
      }
    },
  );

  test('is told from its mirror image and from other sizes', async () => {
    const part = handedBracket();
    const company = await libraryOf({
      'same.obj': writeObj(rotated(part, tilt)),
      'mirrored.stl': writeStlBinary(rotated(mirrored(part), tilt)),
      'inch.stl': writeStlBinary(scaled(part, 25.4)),
      'tenth.obj': writeObj(rotated(scaled(part, 0.1), tilt)),
      'half-mirrored.stl': writeStlBinary(rotated(scaled(mirrored(part), 0.5), tilt)),
      'longer.stl': writeStlBinary(handedBracket(41)),
      'plain.stl': writeStlBinary(lBracket(40, 5, 30)),
    });
    const hits = await ranked(company, writeStlBinary(part));
    const by = Object.fromEntries(hits.map((hit) => [hit.path, hit]));
    expect(names(hits.slice(0, 2))).toEqual(['same.obj', 'mirrored.stl']);
    expect(by['same.obj']).toMatchObject({ matchClass: 'identical' });
    expect(by['mirrored.stl']).toMatchObject({ matchClass: 'mirrored', score: 0.02 });
    expect(by['inch.stl']).toMatchObject({ matchClass: 'scaled', scale: 25.4 });
    expect(by['tenth.obj']).toMatchObject({ matchClass: 'scaled', scale: 0.1 });
    expect(by['half-mirrored.stl'].matchClass).toBe('scaled');
    expect(by['half-mirrored.stl'].scale).toBeCloseTo(0.5, 5);
    expect(by['half-mirrored.stl'].score).toBeGreaterThan(by['inch.stl'].score);
    expect(by['longer.stl']).toMatchObject({ matchClass: 'similar' });
    expect(by['plain.stl']).toMatchObject({ matchClass: 'similar' });
    expect(by['half-mirrored.stl'].score).toBeLessThan(by['longer.stl'].score);
  });

  test('a little larger or smaller is the same part in another size, the nearer in size the nearer', async () => {
    const part = handedBracket();
    const sizes = [1, 1.0002, 1.0006, 0.999, 1.002, 0.996, 1.007, 1.02, 25.4];
    const company = await libraryOf({
      ...Object.fromEntries(sizes.map((scale) => [`${scale}`, writeStlBinary(rotated(scaled(part, scale), tilt))])),
      'longer.stl': writeStlBinary(handedBracket(40.1)),
    });
    const hits = await ranked(company, writeStlBinary(part));
    expect(names(hits)).toEqual([...sizes.map(String), 'longer.stl']);
    const classes = sizes.map((_, i) => (i < 2 ? 'identical' : 'scaled'));
    expect(hits.map(({ matchClass }) => matchClass)).toEqual([...classes, 'similar']);
    for (const [i, hit] of hits.slice(2, -1).entries()) {
      expect(hit.score).toBeGreaterThan(0.03);
      expect(hit.score).toBeLessThanOrEqual(0.04);
      expect(hit.scale! / sizes[i + 2]).toBeCloseTo(1, 3);
    }
  });

  test('of sheet, with no thickness at all, is found however it is turned', async () => {
    const sheet = {
      name: 'sheet',
      vertices: [
        [0, 0, 0],
        [40, 0, 0],
        [40, 25, 0],
        [10, 30, 0],
      ] as const,
      faces: [[0, 1, 2, 3]],
    };
    const company = await libraryOf({
      'flat.stl': writeStlBinary(sheet),
      'turned.stl': writeStlBinary(rotated(sheet, tilt)),
      'block.stl': writeStlBinary(box(40, 25, 5)),
    });
    const hits = await ranked(company, writeObj(sheet), 'obj');
    expect(hits.slice(0, 2).map(({ matchClass }) => matchClass)).toEqual(['identical', 'identical']);
    expect(hits[2]).toMatchObject({ path: 'block.stl', matchClass: 'similar' });
  });
});

test('near relatives are not the same part', async () => {
  const pairs = {
    'plate 1x2': brick(1, 2, 3.2),
    'brick 1x2': brick(1, 2, 9.6),
    'brick 2x2': brick(2, 2, 9.6),
    'screw x10': screw(3, 10),
    'screw x12': screw(3, 12),
    'ring 20': ring(circle(20, 48), circle(10, 48), 5),
    'ring 21': ring(circle(20, 48), circle(10.6, 48), 5),
  };
  const company = await libraryOf(
    Object.fromEntries(Object.entries(pairs).map(([name, body]) => [name, writeStlBinary(rotated(body, tilt))])),
  );
  for (const [name, body] of Object.entries(pairs)) {
    const hits = await ranked(company, writeObj(body), 'obj');
    expect(hits[0], name).toMatchObject({ path: name, matchClass: 'identical' });
    for (const hit of hits.slice(1)) expect(hit, `${name} → ${hit.path}`).toMatchObject({ matchClass: 'similar' });
  }
});

test('a part under a coarser mesh is known among its revisions, whose measures are nearer', async () => {
  const holed = (segments: number, aside = 0): Uint8Array => {
    const holes = [
      [15, 10],
      [65, 10],
      [15, 40],
      [65 + aside, 40],
    ].map(([x, y]) => ({ x, y, diameter: 8, segments }));
    const { positions, indices } = plate(
      [
        [0, 0],
        [80, 0],
        [80, 50],
        [0, 50],
      ],
      6,
      holes,
    );
    const points = Array.from(
      { length: positions.length / 3 },
      (_, i) => [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]] as const,
    );
    return writeStlBinary({
      name: 'plate',
      vertices: points,
      faces: Array.from({ length: indices.length / 3 }, (_, i) => [...indices.subarray(3 * i, 3 * i + 3)]),
    });
  };
  const revisions = Object.fromEntries(
    [0.1, 0.15, 0.2, 0.3, 0.4, -0.1, -0.2, -0.3].map((aside) => [`hole ${aside} mm aside`, holed(64, aside)]),
  );
  const hits = await ranked(await libraryOf({ ...revisions, coarse: holed(32) }), holed(64));
  expect(hits[0]).toMatchObject({ path: 'coarse', matchClass: 'identical' });
  expect(hits[0].score).toBeLessThanOrEqual(0.01);
  expect(hits.slice(1).map(({ matchClass }) => matchClass)).toEqual(hits.slice(1).map(() => 'similar'));
});

function inInches(shape: StepShape): StepShape {
  return Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [key, typeof value === 'number' ? value / 25.4 : value]),
  ) as StepShape;
}

describe('a part that was exported again and again', () => {
  test('is known as such each time', async () => {
    const part = handedBracket(44);
    const seed = (i: number): number[] => [1, Math.sin(i), Math.cos(2 * i), Math.sin(3 * i + 1)];
    const exports = Object.fromEntries([
      ...Array.from({ length: 49 }, (_, i) => [`turned ${i}`, writeStlBinary(rotated(part, seed(i)))] as const),
      ...Array.from(
        { length: 11 },
        (_, i) =>
          [
            `in another order ${i}`,
            writeStlBinary({ ...part, faces: [...part.faces.slice(i), ...part.faces.slice(0, i)] }),
          ] as const,
      ),
    ]);
    const relatives = Object.fromEntries(
      Array.from({ length: 10 }, (_, i) => [`relative ${i}`, writeStlBinary(handedBracket(40 + i * 0.9))] as const),
    );
    expect(new Set(Object.values(exports).map((bytes) => Buffer.from(bytes).toString('base64'))).size).toBe(60);
    const company = await libraryOf({ ...relatives, ...exports });
    const hits = await ranked(company, writeStlBinary(rotated(part, [3, 1, 4, 1])));
    expect(names(hits.slice(0, 60)).sort()).toEqual(Object.keys(exports).sort());
    for (const hit of hits.slice(0, 60)) {
      expect(hit.matchClass).toBe('identical');
      expect(hit.score).toBeLessThanOrEqual(0.01);
    }
    expect(hits.slice(60).every(({ matchClass }) => matchClass === 'similar')).toBe(true);
  });
});
