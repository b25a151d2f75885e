import { join } from 'node:path';
import { WebIO, type Node } from '@gltf-transform/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine, type Company } from '../../dist/index.js';
import { box as boxBody, sphere } from '../fixtures/shapes.js';
import { mirrored, handedBracket, joined, rotated } from '../fixtures/parts.js';
import { moved } from '../fixtures/shapes.js';
import { writeObj, writeStlBinary } from '../fixtures/mesh-writers.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { stepFile } from '../fixtures/step-writer.js';
import { modelPart, meshObject, threeMfPackage } from '../fixtures/three-mf-writer.js';

const folder = temporaryFolder();
let engine: Engine;
let acme: Company;

beforeAll(async () => {
  engine = await Engine.open(join(folder, 'library'), { workers: 1 });
  acme = await engine.company('acme');
});
afterAll(() => engine.close());

type Vector = [number, number, number];

/** An assembly in an assembly: a frame of two walls, and a red wheel that stands in it twice. */
const MACHINE = stepFile({
  parts: [
    { name: 'Wall', shape: { kind: 'box', x: 100, y: 4, z: 40 } },
    { name: 'Wheel', shape: { kind: 'cylinder', radius: 10, height: 6 }, color: [1, 0, 0] },
  ],
  assemblies: [
    {
      name: 'Frame',
      places: [
        { of: { part: 0 }, at: [0, 0, 0] },
        { of: { part: 0 }, at: [0, 60, 0], occurrence: 'back' },
      ],
    },
    {
      name: 'Machine',
      places: [
        { of: { assembly: 0 }, at: [1000, 0, 0] },
        { of: { part: 1 }, at: [20, 0, 0], z: [0, 1, 0], x: [1, 0, 0] },
        { of: { part: 1 }, at: [80, 0, 0] },
      ],
    },
  ],
});

describe('a model as GLB', () => {
  test('keeps names, placements, colors and edges; each geometry is there once; its volume read back is the same', async () => {
    const { uid, volumeMm3 } = await acme.put('machine.step', MACHINE);
    const glb = await acme.model(uid);
    const document = await new WebIO().readBinary(glb);
    const [root] = document.getRoot().getDefaultScene()!.listChildren();
    const { sides, ...extras } = root.getExtras() as { sides: { toward: number[]; up: number[] }[] };
    expect(extras).toEqual({ unit: 'mm', up: 'z' });
    // From the eight corners of its box, first as in its picture: above the side that lies, which is square to `up`.
    expect(sides).toHaveLength(8);
    for (const { toward, up } of sides) {
      expect([Math.hypot(...toward), Math.hypot(...up)].map((length) => length.toFixed(6))).toEqual([
        '1.000000',
        '1.000000',
      ]);
      expect(toward.reduce((sum, value, i) => sum + value * up[i], 0)).toBeCloseTo(Math.sin((33 * Math.PI) / 180), 5);
    }
    const nodes = document.getRoot().listNodes();
    const components = nodes.filter((node) => 'component' in node.getExtras());
    expect(components.map((node) => [node.getExtras()['component'], node.getExtras()['name']])).toEqual([
      ['', 'Machine'],
      ['0', 'Frame'],
      ['0.0', 'Wall'],
      ['0.1', 'Wall'],
      ['1', 'Wheel'],
      ['2', 'Wheel'],
    ]);
    expect(components[3].getName()).toBe('back');
    // The same way as in the tree that the catalogue keeps.
    const tree = (await acme.assembly(uid))!;
    expect(tree.children[0].children[1].occurrence).toBe('back');
    expect(document.getRoot().listMeshes()).toHaveLength(2);
    const [wall, wheel] = [components[2], components[4]].map((node) => node.listChildren()[0].getMesh()!);
    expect(components[3].listChildren()[0].getMesh()).toBe(wall);
    expect(wheel.listPrimitives()[0].getMaterial()!.getBaseColorFactor()).toEqual([1, 0, 0, 1]);
    // A box has twelve edges, of which each is one line.
    const lines = wall.listPrimitives().find((primitive) => primitive.getMode() === 1)!;
    expect(lines.getIndices()!.getCount()).toBe(24);
    // A cylinder has two round edges, and no lines along its side: as many lines as triangles meet its ends.
    const rims = wheel.listPrimitives().find((primitive) => primitive.getMode() === 1)!;
    expect(heights(rims.getAttribute('POSITION')!.getArray()!, rims.getIndices()!.getArray()!)).toEqual([0]);
    const back = await acme.put('machine.glb', glb);
    // Its triangles lie within the round surfaces, whose own volume is that of the record.
    expect(back.volumeMm3! / volumeMm3!).toBeGreaterThan(0.9997);
    expect(back.volumeMm3! / volumeMm3!).toBeLessThan(1);
    expect(back.triangleCount).toBe((await acme.get(uid)).triangleCount);
    expect(worldOf(components[3])).toEqual([1, 0, -0.06].map((value) => expect.closeTo(value, 9)));
  });

  test.each([
    ['cylinder.step', () => stepFile({ parts: [{ name: 'Pin', shape: { kind: 'cylinder', radius: 4, height: 30 } }] })],
    ['bracket.stl', () => writeStlBinary(handedBracket())],
  ])('tells of %s which triangles belong to which face, by the numbers of company.faces', async (name, bytes) => {
    const { uid, triangleCount } = await acme.put(name, bytes());
    const faces = (await acme.faces(uid))!;
    const document = await new WebIO().readBinary(await acme.model(uid));
    let told = 0;
    const areas = new Map<number, number>();
    for (const node of document.getRoot().listNodes()) {
      for (const primitive of node.getMesh()?.listPrimitives() ?? []) {
        if (primitive.getMode() !== 4) continue;
        const pairs = primitive.getExtras()['faces'] as number[];
        const positions = primitive.getAttribute('POSITION')!.getArray()!,
          indices = primitive.getIndices()!.getArray()!;
        const at = (corner: number): Vector =>
          [0, 1, 2].map((k) => positions[3 * indices[corner] + k] + node.getTranslation()[k]) as Vector;
        let triangle = 0;
        for (let i = 0; i < pairs.length; i += 2) {
          const face = faces.find(({ number }) => number === pairs[i])!;
          for (let n = 0; n < pairs[i + 1]; n++, triangle++) {
            const corners = [at(3 * triangle), at(3 * triangle + 1), at(3 * triangle + 2)];
            for (const corner of corners) expect(distance(face, corner)).toBeLessThan(1e-3);
            areas.set(pairs[i], (areas.get(pairs[i]) ?? 0) + areaOf(corners));
          }
        }
        expect(3 * triangle).toBe(indices.length);
        told += triangle;
      }
    }
    expect(told).toBe(triangleCount);
    expect([...areas.keys()].sort((a, b) => a - b)).toEqual(faces.map(({ number }) => number).sort((a, b) => a - b));
    for (const { number, areaMm2 } of faces) expect(areas.get(number)! / areaMm2).toBeCloseTo(1, 2);
  });

  test('is shaded round where the surface is round, and sharp at its edges', async () => {
    const { uid } = await acme.put(
      'wheel.step',
      stepFile({ parts: [{ name: 'Wheel', shape: { kind: 'cylinder', radius: 10, height: 6 } }] }),
    );
    const document = await new WebIO().readBinary(await acme.model(uid));
    const [primitive] = document.getRoot().listMeshes()[0].listPrimitives();
    const positions = primitive.getAttribute('POSITION')!.getArray()!,
      normals = primitive.getAttribute('NORMAL')!.getArray()!;
    for (let i = 0; i < positions.length; i += 3) {
      const [x, y] = positions.slice(i, i + 2),
        [nx, ny, nz] = normals.slice(i, i + 3);
      if (Math.abs(nz) > 0.5) expect(Math.abs(nz)).toBeCloseTo(1, 5);
      else expect((x * nx + y * ny) / 10, `${x} ${y}`).toBeCloseTo(1, 1);
    }
  });

  test('keeps the volume of a part far from its origin, of a mirrored placement and of a shearing one', async () => {
    const shear = '<component objectid="1" transform="1 0 0 0.5 1 0 0 0 1 0 0 0"/>';
    const mirror = '<component objectid="1" transform="-1 0 0 0 2 0 0 0 1 90 0 0"/>';
    const file = threeMfPackage({
      '3D/3dmodel.model': modelPart(
        `${meshObject(1, boxBody(2, 3, 4))}<object id="2"><components>${shear}${mirror}</components></object>`,
        '<item objectid="2"/>',
      ),
    });
    const sheared = await acme.put('sheared.3mf', file);
    expect(sheared.volumeMm3).toBeCloseTo(24 + 48, 4);
    expect((await acme.put('sheared.glb', await acme.model(sheared.uid))).volumeMm3).toBeCloseTo(72, 3);
    const far = await acme.put('far.obj', writeObj(moved(boxBody(1, 1, 1), 3e5, -7e5, 2e5)));
    expect((await acme.put('far.glb', await acme.model(far.uid))).volumeMm3).toBeCloseTo(1, 5);
  });

  test('is the same bytes again, and refused for what is no model or has too many triangles', async () => {
    const { uid } = await acme.put('machine.step', MACHINE);
    expect(Buffer.from(await acme.model(uid)).equals(await acme.model(uid, { triangles: 1_999_999 }))).toBe(true);
    await expect(acme.model(uid, { triangles: 20 })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'triangles', allowed: 20 },
    });
    const text = await acme.put('note.txt', new TextEncoder().encode('a note'));
    await expect(acme.model(text.uid)).rejects.toMatchObject({ code: 'NO_GEOMETRY' });
    await expect(acme.model('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({ code: 'FILE_UNKNOWN' });
    await expect(acme.model(uid, { triangle: 1 } as never)).rejects.toThrow(TypeError);
  });
});

describe('deviations', () => {
  test('of two spheres are the difference of their radii, both ways', async () => {
    const small = await acme.put('small.stl', writeStlBinary(sphere(20, 128)));
    const large = await acme.put('large.stl', writeStlBinary(sphere(20.5, 128)));
    const { first, second, maxMm, alignedBy, matchClass } = await acme.deviations(small.uid, large.uid, {
      transform: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
    });
    expect([alignedBy, matchClass]).toEqual(['given', null]);
    // Chords of the finer mesh lie up to 0.007 mm inside of their circle.
    for (const { maxMm: most, meanMm, rmsMm, p95Mm } of [first, second])
      for (const value of [most, meanMm, rmsMm, p95Mm]) expect(Math.abs(value - 0.5)).toBeLessThan(0.008);
    expect(first).toMatchObject({ outsideMm: 0, insideMm: first.maxMm });
    expect(second).toMatchObject({ outsideMm: second.maxMm, insideMm: 0 });
    expect(maxMm).toBe(Math.max(first.maxMm, second.maxMm));
  });

  test('of a part and its turned copy are none, and of its mirror image in the way that mirrors', async () => {
    const part = handedBracket();
    const one = await acme.put('one.stl', writeStlBinary(part));
    const turned = await acme.put(
      'turned.stl',
      writeStlBinary(moved(rotated(part, [0.8, 0.2, -0.5, 0.3]), 70, -20, 9)),
    );
    const found = await acme.deviations(one.uid, turned.uid);
    expect(found).toMatchObject({ alignedBy: 'match', matchClass: 'identical' });
    expect(found.maxMm).toBeLessThan(0.01);
    const hand = await acme.put('hand.stl', writeStlBinary(mirrored(part)));
    const other = await acme.deviations(one.uid, hand.uid);
    expect(other).toMatchObject({ alignedBy: 'match', matchClass: 'mirrored' });
    expect(other.maxMm).toBeLessThan(0.01);
  });

  test('show what was added to a part, wherever it stands: a boss of 5 mm', async () => {
    const plate = boxBody(80, 50, 8);
    const bossed = joined('bossed', plate, moved(boxBody(10, 10, 5), 60, 30, 8));
    const before = await acme.put('plate.stl', writeStlBinary(plate));
    const after = await acme.put('bossed.stl', writeStlBinary(bossed));
    const found = await acme.deviations(before.uid, after.uid);
    expect(found).toMatchObject({ alignedBy: 'place', matchClass: 'similar' });
    expect(found.second.maxMm).toBeCloseTo(5, 3);
    expect(found.first.maxMm).toBeLessThan(1e-3);
    expect(found.second.outsideMm).toBe(found.second.maxMm);
    expect(found.second.insideMm).toBeLessThan(1e-3);
    // In another place it is fitted: of the plates' large faces nothing remains between them.
    const elsewhere = await acme.put(
      'elsewhere.stl',
      writeStlBinary(moved(rotated(bossed, [0.9, 0.1, 0.4, -0.2]), 300, 10, -40)),
    );
    const fitted = await acme.deviations(before.uid, elsewhere.uid);
    expect(fitted.alignedBy).toBe('fit');
    expect(fitted.second.maxMm).toBeCloseTo(5, 1);
    expect(fitted.first.p95Mm).toBeLessThan(0.1);
    expect(await acme.deviations(before.uid, elsewhere.uid)).toEqual(fitted);
  });

  test('come with both surfaces, each vertex with its distance, and flat faces are divided', async () => {
    const [before, after] = [
      await acme.put('plate.stl', writeStlBinary(boxBody(80, 50, 8))),
      await acme.put('thicker.stl', writeStlBinary(boxBody(80, 50, 8.25))),
    ];
    const { glb, second } = await acme.deviations(before.uid, after.uid, { withModel: true });
    const document = await new WebIO().readBinary(glb!);
    const nodes = document
      .getRoot()
      .listNodes()
      .filter((node) => node.getMesh() !== null);
    expect(nodes.map((node) => node.getName())).toEqual(['first', 'second']);
    const [primitive] = nodes[1].getMesh()!.listPrimitives();
    const values = primitive.getAttribute('_DEVIATION')!.getArray()!;
    expect(values.length).toBeGreaterThan(1_000);
    expect(Math.max(...values)).toBeCloseTo(second.maxMm, 5);
    expect(second.maxMm).toBeCloseTo(0.25, 3);
    const back = await acme.put('thicker.glb', glb!);
    expect(back.volumeMm3).toBeCloseTo(80 * 50 * 16.25, 0);
  });

  test('have a side where the other surface is closed, and none where it is not', async () => {
    const block = await acme.put('block.stl', writeStlBinary(boxBody(40, 30, 10)));
    const lower = await acme.put('lower.stl', writeStlBinary(boxBody(40, 30, 7)));
    const found = await acme.deviations(block.uid, lower.uid, {
      transform: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
    });
    expect(found.first.outsideMm).toBeCloseTo(3, 3);
    expect(found.first.insideMm).toBeLessThan(1e-3);
    expect(found.second.insideMm).toBeCloseTo(3, 3);
    const box = boxBody(40, 30, 7);
    const open = await acme.put('open.stl', writeStlBinary({ ...box, faces: box.faces.slice(1) }));
    expect((await acme.deviations(block.uid, open.uid)).first).toMatchObject({ outsideMm: null, insideMm: null });
    expect((await acme.deviations(block.uid, open.uid)).second.insideMm).not.toBeNull();
  });

  test('are refused for what is no model and for wrong options', async () => {
    const { uid } = await acme.put('plate.stl', writeStlBinary(boxBody(80, 50, 8)));
    const text = await acme.put('note.txt', new TextEncoder().encode('a note'));
    await expect(acme.deviations(uid, text.uid)).rejects.toMatchObject({ code: 'NO_GEOMETRY' });
    await expect(acme.deviations(uid, uid, { transform: [1, 2, 3] })).rejects.toThrow(RangeError);
    await expect(acme.deviations(uid, uid, { samples: 3 })).rejects.toThrow(
      'deviations options.samples must be a whole number from 100',
    );
  });
});

/** The middles of all lines along z, once each. */
function heights(positions: ArrayLike<number>, indices: ArrayLike<number>): number[] {
  const found = new Set<number>();
  for (let i = 0; i < indices.length; i += 2) {
    found.add(Math.abs(Math.round(1e3 * (positions[3 * indices[i] + 2] - positions[3 * indices[i + 1] + 2]))));
  }
  return [...found];
}

/** How far a point is from a plane or a cylinder, mm. */
type ModelFace = NonNullable<Awaited<ReturnType<Company['faces']>>>[number];

function distance({ kind, axis, origin, radiusMm }: ModelFace, point: Vector): number {
  const from = point.map((value, k) => value - origin[k]);
  const along = from.reduce((sum, value, k) => sum + value * axis[k], 0);
  if (kind === 'plane') return Math.abs(along);
  return Math.abs(Math.hypot(...from.map((value, k) => value - along * axis[k])) - radiusMm);
}

function areaOf([a, b, c]: readonly Vector[]): number {
  const u = b.map((value, k) => value - a[k]),
    v = c.map((value, k) => value - a[k]);
  return Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
}

/** Where a node's origin lies in the scene, m. */
function worldOf(node: Node): number[] {
  return node.getWorldTranslation();
}
