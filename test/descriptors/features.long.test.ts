import { beforeAll, expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { ShapeDescriber } from '../../dist/descriptors/describe.js';
import type { PartFeatures } from '../../dist/descriptors/features/part-features.js';
import {
  box,
  cutAll,
  cylinder,
  drill,
  hexagon,
  loadModeller,
  prism,
  slot,
  turned,
  type Point2,
} from '../../dist/parts/sample/solids.js';
import { stepFile } from '../../dist/parts/sample/step-file.js';
import { igesDrilledPlate } from '../fixtures/iges-solids.js';
import { stepFile as writtenStep } from '../fixtures/step-writer.js';
import { readModel } from '../readers/helpers.js';

// Holes and turned parts of exact surfaces; those of meshes are in test/search/because.test.ts.

let describer: ShapeDescriber;
beforeAll(async () => {
  describer = await ShapeDescriber.load(await Core.load());
  await loadModeller();
}, 60_000);

async function featuresOf(bytes: Uint8Array, name = 'part.step'): Promise<PartFeatures | null> {
  return describer.describe(await readModel(bytes, name)).features;
}
const ofSolid = async (solid: Parameters<typeof stepFile>[0], unit?: 'INCH'): Promise<PartFeatures | null> =>
  featuresOf(await stepFile(solid, 'part', unit));

const CORNERS: readonly Point2[] = [
  [30, 20],
  [-30, 20],
  [-30, -20],
  [30, -20],
];

test('holes through a plate, in millimetres and inches', async () => {
  const solid = drill(drill(box(80, 60, 6), 6.5, CORNERS, 0, 6), 20, [[0, 0]], 0, 6);
  const holes = [
    { count: 4, diameterMm: 6.5 },
    { count: 1, diameterMm: 20 },
  ];
  expect(await ofSolid(solid)).toEqual({ isTurned: false, holes });
  expect(await ofSolid(solid, 'INCH')).toEqual({ isTurned: false, holes });
});

test('a stepped hole is one, as wide as its narrowest part; a cross hole meets a bore', async () => {
  const stepped = drill(drill(box(80, 60, 12), 6.5, CORNERS, 0, 12), 11, CORNERS, 6, 14);
  expect((await ofSolid(stepped))!.holes).toEqual([{ count: 4, diameterMm: 6.5 }]);
  const tube = turned([
    [8, 0],
    [12, 0],
    [12, 50],
    [8, 50],
  ]);
  const crossed = cutAll(tube, [cylinder(4, 60, [-30, 0, 25], [1, 0, 0])]);
  expect(await ofSolid(crossed)).toEqual({
    isTurned: true,
    holes: [
      { count: 2, diameterMm: 4 },
      { count: 1, diameterMm: 16 },
    ],
  });
});

test('slots, pins and rounded pockets are no holes', async () => {
  const slotted = box(80, 60, 6).cut(prism(slot(20, 8), 10, -2));
  expect(await ofSolid(slotted)).toEqual({ isTurned: false, holes: [] });
  const pinned = box(40, 40, 5).fuse(cylinder(8, 20, [0, 0, 4]));
  expect(await ofSolid(pinned)).toEqual({ isTurned: false, holes: [] });
});

test('a shaft with a keyway is turned, a screw with a hexagon head is not', async () => {
  const shaft = turned([
    [0, 0],
    [10, 0],
    [10, 40],
    [15, 40],
    [15, 120],
    [0, 120],
  ]);
  expect((await ofSolid(shaft))!.isTurned).toBe(true);
  expect((await ofSolid(shaft.cut(box(6, 24, 8).translate([0, 10, 60]))))!.isTurned).toBe(true);
  for (const length of [20, 120]) {
    const screw = prism(hexagon(13), 5.3).fuse(cylinder(8, length + 1, [0, 0, 4.3]));
    expect((await ofSolid(screw))!.isTurned, `${length}`).toBe(false);
  }
});

test('of each part of an assembly instead of the whole, and no holes of an open surface', async () => {
  const iges = igesDrilledPlate([40, 30, 5], { x: 20, y: 15, radius: 4 }).bytes();
  expect((await featuresOf(iges, 'plate.igs'))!.holes).toBeNull();
  const parts = [{ name: 'pin', shape: { kind: 'cylinder', radius: 4, height: 20 } as const }];
  expect(await featuresOf(writtenStep({ parts }))).toEqual({ isTurned: true, holes: [] });
  const placements = [
    { part: 0, at: [0, 0, 0] as const },
    { part: 0, at: [20, 0, 0] as const },
  ];
  expect(await featuresOf(writtenStep({ parts, assembly: { name: 'two', placements } }))).toBeNull();
});
