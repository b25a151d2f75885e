import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draw, sketchHelix, type Shape3D, type Sketch } from 'replicad';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { becauseText, Engine, type Company, type FileFeatures } from '../../dist/index.js';
import { gearOutline } from '../../dist/parts/sample/gears.js';
import {
  bar,
  box,
  circle,
  cylinder,
  hexagon,
  loadModeller,
  onCircle,
  polygon,
  prism,
} from '../../dist/parts/sample/solids.js';
import { stepFile } from '../../dist/parts/sample/step-file.js';

// What is asked here is what a machinist counts; sizes of many drawn parts are measured by `npm run bench -- features`.

let folder: string, engine: Engine, company: Company;
beforeAll(async () => {
  await loadModeller();
  folder = await mkdtemp(join(tmpdir(), 'shapedex-test-'));
  engine = await Engine.open(join(folder, 'library'), { workers: 1 });
  company = await engine.company('acme');
}, 60_000);
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

let count = 0;
const put = async (solid: Shape3D, name = `part-${++count}.step`) =>
  company.put(name, await stepFile(solid, 'part'), { wait: true });
const WANTED = ['teeth', 'rib', 'thread'];
const wanted = (found: FileFeatures | undefined) => (found?.features ?? []).filter(({ kind }) => WANTED.includes(kind));
const featuresOf = async (solid: Shape3D) => wanted(await company.features((await put(solid)).uid));

const gear = (module: number, teeth: number): Shape3D =>
  prism(gearOutline(module, teeth), 10).cut(cylinder(8, 20, [0, 0, -1]));

describe('teeth', () => {
  test('of a gear: how many, of which module, on which diameter, and the faces that are theirs', async () => {
    const [teeth, ...others] = await featuresOf(gear(2, 24));
    expect(others).toEqual([]);
    expect(teeth).toMatchObject({ kind: 'teeth', count: 24, moduleMm: 2 });
    expect(teeth.isInternal).toBeUndefined();
    expect(teeth.diameterMm).toBeCloseTo(52, 0);
    expect(teeth.depthMm).toBeCloseTo(4.5, 0);
    expect(teeth.faces.length).toBeGreaterThanOrEqual(4 * 24);
  });

  test('of a ring are inside', async () => {
    const ring = prism(circle(80), 10).cut(prism(gearOutline(2, 30), 12, -1));
    expect(await featuresOf(ring)).toMatchObject([{ kind: 'teeth', count: 30, isInternal: true }]);
  });

  test('of a wheel and a pinion on it are counted apart', async () => {
    const both = prism(gearOutline(2, 30), 8).fuse(prism(gearOutline(2, 14), 12, 7));
    const found = await featuresOf(both.cut(cylinder(8, 40, [0, 0, -5])));
    expect(found.map((each) => each.count).sort((a, b) => a - b)).toEqual([14, 30]);
  });

  test('are none of a hexagon, of lobes, of pins around a flange, of blades', async () => {
    const nut = prism(hexagon(20), 8).cut(cylinder(10, 20, [0, 0, -1]));
    let knob = cylinder(50, 15);
    for (const [x, y] of onCircle(55, 6)) knob = knob.cut(cylinder(20, 20, [x, y, -1]));
    knob = knob.fillet(2, (edges) => edges.inDirection('Z'));
    let flange = cylinder(60, 8);
    for (const [x, y] of onCircle(45, 8)) flange = flange.fuse(cylinder(5, 8, [x, y, 7]));
    let fan = cylinder(18, 12);
    for (let k = 0; k < 9; k++)
      fan = fan.fuse(
        box(30, 1.2, 10, 1)
          .translate([15, 0, 0])
          .rotate(40 * k),
      );
    for (const [name, solid] of Object.entries({ nut, knob, flange, fan }))
      expect(await featuresOf(solid), name).toEqual([]);
  });
});

describe('ribs', () => {
  test('are thin walls on a face: how many, how thick, how high', async () => {
    let plate = box(100, 60, 4);
    for (const y of [-15, 0, 15]) plate = plate.fuse(box(80, 2, 13, 3).translate([0, y, 0]));
    expect(await featuresOf(plate)).toMatchObject([{ kind: 'rib', count: 3, widthMm: 2, depthMm: 12 }]);
  });

  test('a gusset is one, the web of a beam and a thick block are none', async () => {
    const angle = polygon([
      [0, 0],
      [60, 0],
      [60, 5],
      [5, 5],
      [5, 60],
      [0, 60],
    ]);
    const wedge = polygon([
      [4, 4],
      [35, 4],
      [35, 5],
      [5, 35],
      [4, 35],
    ]);
    const gusset = bar(angle, 50).fuse(bar(wedge, 4, 22));
    expect(await featuresOf(gusset)).toMatchObject([{ kind: 'rib', count: 1, widthMm: 4 }]);
    const beam = box(40, 60, 200)
      .cut(box(40, 50, 202, -1).translate([22, 0, 0]))
      .cut(box(40, 50, 202, -1).translate([-22, 0, 0]));
    expect(await featuresOf(beam)).toEqual([]);
    expect(await featuresOf(box(100, 60, 4).fuse(box(20, 20, 20, 3)))).toEqual([]);
  });
});

test('a modelled thread has a diameter and a pitch; a plain pin has none', async () => {
  const ridge = sketchHelix(2, 16, 4.98, [0, 0, 2]).sweepSketch(
    (plane, origin) =>
      draw([0, -0.84])
        .lineTo([1.22, -0.12])
        .lineTo([1.22, 0.12])
        .lineTo([0, 0.84])
        .close()
        .sketchOnPlane(plane as never, origin) as Sketch,
    { frenet: true },
  );
  const [thread, ...others] = await featuresOf(cylinder(10, 20).fuse(ridge as Shape3D));
  expect(others).toEqual([]);
  expect(thread).toMatchObject({ kind: 'thread', count: 1 });
  expect(Math.abs(thread.diameterMm! - 12.4)).toBeLessThan(0.1);
  expect(Math.abs(thread.pitchMm! - 2)).toBeLessThan(0.04);
  expect(await featuresOf(cylinder(10, 20))).toEqual([]);
  // The same thread on a longer pin is a reason; a pin without one gives none.
  const longer = await put(cylinder(10, 35).fuse(ridge as Shape3D), 'threads/longer.step');
  const { hits } = await company.search({ like: { uid: longer.uid }, limit: 100 });
  const threaded = hits.filter(
    ({ uid, because }) => uid !== longer.uid && because.some(({ code }) => code === 'same-thread'),
  );
  expect(threaded).toHaveLength(1);
  const [reason] = threaded[0].because.filter(({ code }) => code === 'same-thread');
  expect(reason).toMatchObject({ isInternal: false });
  expect(becauseText(reason)).toMatch(/^both have a thread of ⌀12\.[34]\d*, pitch (2|2\.0\d*|1\.9\d*) mm$/);
}, 120_000);

test('they are attributes that filters know, and reasons of hits', async () => {
  const wheel = await put(gear(1, 24), 'gears/wheel.step');
  await put(gear(1.5, 24), 'gears/larger.step');
  await put(gear(1, 18), 'gears/other.step');
  const { hits } = await company.search({ text: ['Teeth=24', 'Module=1mm'] });
  expect(hits.map(({ path }) => path)).toEqual(['gears/wheel.step']);
  const similar = await company.search({ like: { uid: wheel.uid } });
  const reasonsOf = (path: string): string[] =>
    similar.hits.find((hit) => hit.path === path)!.because.map((reason) => becauseText(reason));
  expect(reasonsOf('gears/larger.step')).toEqual([
    '⌀38.79 instead of ⌀25.86, same thickness, 10 mm',
    'both have 24 teeth, of module 1.5 instead of 1',
    'both have 1 hole of ⌀8',
  ]);
  expect(reasonsOf('gears/other.step')).toContain('18 instead of 24 teeth of module 1');
});
