import { beforeAll, expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { ShapeDescriber } from '../../dist/descriptors/describe.js';
import { holeGroups, type PartFeatures } from '../../dist/descriptors/features/part-features.js';
import {
  bar,
  box,
  cutAll,
  cylinder,
  drill,
  grid,
  hexagon,
  loadModeller,
  onCircle,
  polygon,
  prism,
  slot,
  turned,
  type Point2,
} from '../../dist/parts/sample/solids.js';
import { stepFile } from '../../dist/parts/sample/step-file.js';
import { igesDrilledPlate } from '../fixtures/iges-solids.js';
import { stepFile as writtenStep } from '../fixtures/step-writer.js';
import { readModel } from '../readers/helpers.js';

// Features of exact surfaces; holes and turned parts of meshes are in test/search/because.test.ts.

let describer: ShapeDescriber;
beforeAll(async () => {
  describer = await ShapeDescriber.load(await Core.load());
  await loadModeller();
}, 60_000);

async function featuresOf(bytes: Uint8Array, name = 'part.step'): Promise<PartFeatures | null> {
  return describer.describe(await readModel(bytes, name)).features;
}
const ofSolid = async (solid: Parameters<typeof stepFile>[0], unit?: 'INCH'): Promise<PartFeatures> =>
  (await featuresOf(await stepFile(solid, 'part', unit)))!;

const CORNERS: readonly Point2[] = [
  [30, 20],
  [-30, 20],
  [-30, -20],
  [30, -20],
];

test('holes through a plate, in millimetres and inches, and the faces that are their walls', async () => {
  const solid = drill(drill(box(80, 60, 6), 6.5, CORNERS, 0, 6), 20, [[0, 0]], 0, 6);
  for (const unit of [undefined, 'INCH'] as const) {
    const { shape, features, faceCount } = await ofSolid(solid, unit);
    expect(shape).toBe('milled');
    expect(faceCount).toBe(11);
    expect(features).toMatchObject([
      { kind: 'hole', count: 4, diameterMm: 6.5, depthMm: 6, isThrough: true, pattern: { kind: 'grid' } },
      { kind: 'hole', count: 1, diameterMm: 20, depthMm: 6, isThrough: true },
    ]);
    expect(features!.map(({ faces }) => faces.length)).toEqual([4, 1]);
    expect(new Set(features!.flatMap(({ faces }) => faces)).size).toBe(5);
  }
});

test('a flange has a bolt circle; a square of holes is one only about something round', async () => {
  const disc = turned([
    [10, 0],
    [40, 0],
    [40, 10],
    [10, 10],
  ]);
  const flange = await ofSolid(drill(disc, 6.6, onCircle(60, 4, 15), 0, 10));
  expect(flange.shape).toBe('turned');
  expect(flange.features).toMatchObject([
    { count: 4, diameterMm: 6.6, pattern: { kind: 'circle', diameterMm: 60 } },
    { count: 1, diameterMm: 20 },
  ]);
  const plate = await ofSolid(drill(box(80, 80, 10), 6.6, grid(2, 2, 40), 0, 10));
  expect(plate.features).toMatchObject([{ pattern: { kind: 'grid', columns: 2, rows: 2, pitchMm: [40, 40] } }]);
});

test('stepped, countersunk and blind holes; a cross hole meets a bore', async () => {
  const stepped = drill(drill(box(80, 60, 12), 6.5, CORNERS, 0, 12), 11, CORNERS, 6, 14);
  expect((await ofSolid(stepped)).features).toMatchObject([
    {
      count: 4,
      diameterMm: 6.5,
      depthMm: 12,
      isThrough: true,
      sunk: 'counterbored',
      sunkDiameterMm: 11,
      sunkDepthMm: 7,
    },
  ]);
  // Mouths of two depths are two kinds of holes; of a hole with unlike mouths none is said.
  const [left, right] = [CORNERS.slice(0, 2), CORNERS.slice(2)];
  const unlike = drill(drill(drill(box(80, 60, 12), 6.5, CORNERS, 0, 12), 11, left, 6, 14), 11, right, 8, 14);
  expect((await ofSolid(unlike)).features).toMatchObject([
    { count: 2, diameterMm: 6.5, sunkDiameterMm: 11 },
    { count: 2, diameterMm: 6.5, sunkDiameterMm: 11 },
  ]);
  expect((await ofSolid(unlike)).features!.map(({ sunkDepthMm }) => sunkDepthMm).sort()).toEqual([5, 7]);
  const both = drill(drill(drill(box(80, 60, 12), 6.5, CORNERS, 0, 12), 11, CORNERS, 9, 14), 11, CORNERS, -1, 2);
  expect((await ofSolid(both)).features!.map(({ sunkDepthMm }) => sunkDepthMm)).toEqual([undefined]);
  const cone = turned([
    [0, 8],
    [3, 8],
    [6, 11],
    [0, 11],
  ]);
  const sunk = box(80, 60, 11)
    .cut(cylinder(6, 11))
    .cut(cone)
    .cut(cylinder(5, 8, [20, 0, 4]));
  expect((await ofSolid(sunk)).features).toMatchObject([
    { count: 1, diameterMm: 6, depthMm: 11, isThrough: true, sunk: 'countersunk', sunkDiameterMm: 12, sunkDepthMm: 3 },
    { count: 1, diameterMm: 5, depthMm: 7, isThrough: false },
  ]);
  const tube = turned([
    [8, 0],
    [12, 0],
    [12, 50],
    [8, 50],
  ]);
  const crossed = await ofSolid(cutAll(tube, [cylinder(4, 60, [-30, 0, 25], [1, 0, 0])]));
  expect(crossed.shape).toBe('turned');
  expect(holeGroups(crossed)).toEqual([
    { count: 2, diameterMm: 4 },
    { count: 1, diameterMm: 16 },
  ]);
});

test('slots, pins and rounded pockets are no holes', async () => {
  const slotted = await ofSolid(box(80, 60, 6).cut(prism(slot(20, 8), 10, -2)));
  expect(slotted.features).toMatchObject([{ kind: 'slot', form: 'round', count: 1, widthMm: 8 }]);
  const pinned = await ofSolid(box(40, 40, 5).fuse(cylinder(8, 20, [0, 0, 4])));
  expect(pinned.features).toMatchObject([{ kind: 'boss', count: 1, diameterMm: 8, depthMm: 19 }]);
  const recess = box(30, 20, 9, 6).fillet(4, (edges) => edges.inDirection('Z'));
  const pocket = await ofSolid(box(80, 60, 12).cut(recess));
  expect(pocket.features).toMatchObject([{ kind: 'pocket', form: 'rectangular', count: 1, depthMm: 6, widthMm: 20 }]);
});

test('slots and steps run through or end in the block', async () => {
  const cut = box(60, 60, 20)
    .cut(box(70, 10, 10, 14))
    .cut(box(20, 70, 10, 16).translate([30, 0, 0]));
  expect((await ofSolid(cut)).features).toMatchObject([
    { kind: 'slot', form: 'rectangular', count: 1, isThrough: true, widthMm: 10, depthMm: 6 },
    { kind: 'step', form: 'rectangular', count: 1, isThrough: true, depthMm: 4 },
  ]);
  const corner = await ofSolid(box(60, 60, 20).cut(box(20, 20, 10, 12).translate([30, 30, 0])));
  expect(corner.features).toMatchObject([{ kind: 'step', form: 'rectangular', isThrough: false, depthMm: 8 }]);
});

test('fillets and chamfers by their sizes', async () => {
  const rounded = await ofSolid(box(60, 40, 20).fillet(5, (edges) => edges.inDirection('Z')));
  expect(rounded.features).toMatchObject([{ kind: 'fillet', count: 4, radiusMm: 5 }]);
  const broken = await ofSolid(box(60, 40, 20).chamfer(2, (edges) => edges.inDirection('Z')));
  expect(broken.features).toMatchObject([{ kind: 'chamfer', count: 4 }]);
});

test('sheets have a thickness and bends, tubes a wall', async () => {
  const angle = polygon([
    [0, 0],
    [50, 0],
    [50, 2],
    [2, 2],
    [2, 40],
    [0, 40],
  ]);
  const bent = bar(angle, 60)
    .fillet(5, (edges) => edges.inDirection('X').containsPoint([30, 0, 0]))
    .fillet(3, (edges) => edges.inDirection('X').containsPoint([30, 2, 2]));
  const sheet = await ofSolid(drill(bent, 5, [[30, 25]], -1, 3));
  expect(sheet).toMatchObject({ shape: 'sheet metal', wallMm: 2 });
  expect(sheet.features).toMatchObject([
    { kind: 'hole', count: 1, diameterMm: 5, depthMm: 2 },
    { kind: 'bend', count: 1, radiusMm: 3 },
  ]);
  const tube = await ofSolid(cylinder(30, 200).cut(cylinder(26, 200)));
  expect(tube).toMatchObject({ shape: 'tube', wallMm: 2 });
  expect(await ofSolid(box(40, 30, 200).cut(box(36, 26, 200)))).toMatchObject({ shape: 'tube', wallMm: 2 });
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
  expect((await ofSolid(shaft)).shape).toBe('turned');
  expect((await ofSolid(shaft.cut(box(6, 24, 8).translate([0, 10, 60])))).shape).toBe('turned');
  for (const length of [20, 120]) {
    const screw = prism(hexagon(13), 5.3).fuse(cylinder(8, length + 1, [0, 0, 4.3]));
    expect((await ofSolid(screw)).shape, `${length}`).not.toBe('turned');
  }
});

test('keyways of a shaft, below the round in which they lie and not below its collar', async () => {
  const shaft = turned([
    [0, 0],
    [10, 0],
    [10, 40],
    [15, 40],
    [15, 60],
    [0, 60],
  ]);
  // A floor at 6.5 of ⌀20: 3.5 deep, 6 wide.
  const square = (from: number, to: number) => box(6, 10, to - from).translate([0, 11.5, from]);
  const round = prism(slot(18, 6), 10)
    .rotate(90, [0, 0, 0], [0, 1, 0])
    .rotate(90, [0, 0, 0], [0, 0, 1])
    .translate([0, 6.5, 20]);
  const keyway = { kind: 'keyway', count: 1, widthMm: 6, depthMm: 3.5 };
  const cuts = { square: [square(10, 30), 20], open: [square(-1, 25), 25], round: [round, 18] } as const;
  for (const [name, [cut, lengthMm]] of Object.entries(cuts)) {
    const { shape, features } = await ofSolid(shaft.cut(cut));
    expect(shape, name).toBe('turned');
    expect(features, name).toMatchObject([keyway]);
    expect(features![0].lengthMm, name).toBeCloseTo(lengthMm, 1);
  }
  // On both sides; a flat, and a slot beside the middle, are none.
  const two = await ofSolid(shaft.cut(square(10, 30)).cut(square(10, 30).rotate(180, [0, 0, 0], [0, 0, 1])));
  expect(two.features!.filter(({ kind }) => kind === 'keyway')).toMatchObject([{ ...keyway, count: 2 }]);
  expect(two.shape).toBe('turned');
  for (const cut of [box(40, 10, 20).translate([0, 13, 10]), square(10, 30).translate([2, 0, 0])]) {
    const { features } = await ofSolid(shaft.cut(cut));
    expect(features!.filter(({ kind }) => kind === 'keyway')).toEqual([]);
  }
});

test('keyways of a hub and of a Woodruff key', async () => {
  // A bore of ⌀20 with a keyway to 12.3 from the axis: 2.3 deep, 6 wide, through or from one end.
  const hub = cylinder(50, 40)
    .fuse(cylinder(90, 12))
    .cut(cylinder(20, 60, [0, 0, -10]));
  const inside = { kind: 'keyway', count: 1, widthMm: 6, depthMm: 2.3, isInternal: true };
  for (const from of [-10, 15]) {
    const { shape, features } = await ofSolid(hub.cut(box(6, 12.3, 60).translate([0, 6.15, from])));
    expect(shape, `${from}`).toBe('turned');
    expect(
      features!.filter(({ kind }) => kind === 'keyway'),
      `${from}`,
    ).toMatchObject([inside]);
    // The bore goes through beside its keyway.
    expect(
      features!.filter(({ kind }) => kind === 'hole'),
      `${from}`,
    ).toMatchObject([{ count: 1, diameterMm: 20, depthMm: 40, isThrough: true }]);
  }
  // A cutter of ⌀16, 5 wide, whose middle is 12 from the axis of a shaft of ⌀25: its floor is 4 from it.
  const cutter = cylinder(16, 5, [0, 0, -2.5]).rotate(90, [0, 0, 0], [0, 1, 0]).translate([0, 12, 30]);
  const { shape, features } = await ofSolid(cylinder(25, 60).cut(cutter));
  expect(shape).toBe('turned');
  expect(features).toMatchObject([{ kind: 'keyway', count: 1, widthMm: 5, depthMm: 8.5 }]);
  expect(features![0].isInternal).toBeUndefined();
});

test('of each part of an assembly instead of the whole, and no holes of an open surface', async () => {
  const iges = igesDrilledPlate([40, 30, 5], { x: 20, y: 15, radius: 4 }).bytes();
  expect((await featuresOf(iges, 'plate.igs'))!.features).toBeNull();
  const parts = [{ name: 'pin', shape: { kind: 'cylinder', radius: 4, height: 20 } as const }];
  expect(await featuresOf(writtenStep({ parts }))).toMatchObject({ shape: 'turned', wallMm: null, features: [] });
  const placements = [
    { part: 0, at: [0, 0, 0] as const },
    { part: 0, at: [20, 0, 0] as const },
  ];
  expect(await featuresOf(writtenStep({ parts, assembly: { name: 'two', placements } }))).toBeNull();
});
