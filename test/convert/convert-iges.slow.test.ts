import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine, type Company, type ConvertedFile } from '../../dist/index.js';
import { temporaryFolder } from '../fixtures/folder.js';
import {
  igesBoundedSheet,
  igesCylinder,
  igesDrilledPlate,
  igesInstances,
  igesSolidBox,
} from '../fixtures/iges-solids.js';
import { igesBox, type IgesWriter, real } from '../fixtures/iges-writer.js';

const folder = temporaryFolder();
let engine: Engine;
let company: Company;

beforeAll(async () => {
  engine = await Engine.open(join(folder, 'library'), { workers: 1 });
  company = await engine.company('acme');
});
afterAll(() => engine.close());

const toStep = async (bytes: Uint8Array): Promise<ConvertedFile> =>
  (await company.convertFiles([{ name: 'part.igs', bytes }], { to: 'step' }))[0];

describe('IGES becomes STEP with its own surfaces', () => {
  test.each<[string, Uint8Array, { volume: number; area: number; faces: number; kinds: RegExp }]>([
    ['a B-rep box', igesSolidBox(2, 3, 4).bytes(), { volume: 24, area: 52, faces: 6, kinds: /MANIFOLD_SOLID_BREP/ }],
    [
      'a B-rep box in inches',
      igesSolidBox(2, 3, 4).bytes('in'),
      { volume: 24 * 25.4 ** 3, area: 52 * 25.4 ** 2, faces: 6, kinds: /MANIFOLD_SOLID_BREP/ },
    ],
    [
      'a B-rep box with faces that are turned round',
      igesSolidBox(2, 3, 4, [1, 4]).bytes(),
      { volume: 24, area: 52, faces: 6, kinds: /MANIFOLD_SOLID_BREP/ },
    ],
    [
      'six ruled surfaces that form a box',
      igesBox(2, 3, 4),
      { volume: 24, area: 52, faces: 6, kinds: /MANIFOLD_SOLID_BREP/ },
    ],
    [
      'a cylinder of trimmed surfaces',
      igesCylinder(5, 20).bytes(),
      {
        volume: Math.PI * 500,
        area: Math.PI * 250,
        faces: 3,
        kinds: /RATIONAL_B_SPLINE_SURFACE[^]*MANIFOLD|MANIFOLD[^]*RATIONAL_B_SPLINE_SURFACE/,
      },
    ],
    [
      'a cylinder with boundaries in parameters alone',
      igesCylinder(5, 20, { inSpace: false }).bytes(),
      { volume: Math.PI * 500, area: Math.PI * 250, faces: 3, kinds: /RATIONAL_B_SPLINE_SURFACE/ },
    ],
    [
      'a drilled plate',
      igesDrilledPlate([40, 30, 10], { x: 12, y: 13, radius: 6 }).bytes(),
      {
        volume: 12_000 - 360 * Math.PI,
        area: 3_800 + 120 * Math.PI - 72 * Math.PI,
        faces: 7,
        kinds: /CYLINDRICAL_SURFACE/,
      },
    ],
    [
      'two instances of a box',
      igesInstances(3).bytes(),
      { volume: 54, area: 108, faces: 12, kinds: /MANIFOLD_SOLID_BREP[^]*MANIFOLD_SOLID_BREP/ },
    ],
  ])('%s', async (_, bytes, { volume, area, faces, kinds }) => {
    const { faceted, reason, bytes: step } = await toStep(bytes);
    expect({ faceted, reason }).toEqual({ faceted: false, reason: undefined });
    expect(Buffer.from(step).toString('latin1')).toMatch(kinds);
    const before = await company.put('before.igs', bytes),
      after = await company.put('after.step', step);
    expect(after).toMatchObject({ state: 'indexed', faceCount: faces, warnings: [] });
    // Triangles of a cylinder enclose 0.17 % less.
    expect(Math.abs(after.volumeMm3! / volume - 1)).toBeLessThan(2e-3);
    expect(Math.abs(after.surfaceAreaMm2! / area - 1)).toBeLessThan(2e-3);
    expect(Math.abs(after.surfaceAreaMm2! / before.surfaceAreaMm2! - 1)).toBeLessThan(1e-3);
    after.bboxSizeMm!.forEach((value, axis) =>
      expect(Math.abs(value / before.bboxSizeMm![axis] - 1)).toBeLessThan(2e-3),
    );
  });

  test('the same bytes give the same', async () => {
    const bytes = igesCylinder(3, 4).bytes();
    expect(Buffer.compare((await toStep(bytes)).bytes, (await toStep(bytes)).bytes)).toBe(0);
  });

  test('an open sheet stays open', async () => {
    const { faceted, bytes } = await toStep(igesBoundedSheet(6, 7).bytes());
    expect(faceted).toBe(false);
    expect(Buffer.from(bytes).toString('latin1')).not.toContain('MANIFOLD_SOLID_BREP');
    const after = await company.put('sheet.step', bytes);
    expect(after).toMatchObject({ state: 'indexed', faceCount: 1 });
    expect(after.surfaceAreaMm2).toBeCloseTo(42, 6);
  });
});

describe('what is not understood stays faceted and says why', () => {
  const withMore = (add: (writer: IgesWriter) => void): Uint8Array => {
    const writer = igesSolidBox(2, 3, 4);
    add(writer);
    return writer.bytes();
  };
  const withBoundary = (curve: (writer: IgesWriter, plane: number) => number): Uint8Array =>
    withMore((writer) => {
      const plane = writer.add(108, [0, 0, 1, 0].map(real), { dependent: true });
      writer.add(144, [plane, 1, 0, writer.add(142, [0, plane, 0, curve(writer, plane), 2], { dependent: true })]);
    });

  test.each<[string, Uint8Array, RegExp]>([
    ['a primitive', withMore((writer) => writer.add(150, [1, 1, 1].map(real))), /type 150/],
    [
      'a number that is none',
      withMore((writer) => writer.add(144, [writer.add(108, [0, 0, 'NAN', 0], { dependent: true }), 1, 0, 1])),
      /expected a number/,
    ],
    [
      'a boundary with a gap',
      withBoundary((writer) => {
        const lines = [
          [0, 0, 0, 9, 0, 0],
          [9, 1, 0, 9, 9, 0],
          [9, 9, 0, 0, 0, 0],
        ].map((ends) => writer.add(110, ends.map(real), { dependent: true }));
        return writer.add(102, [3, ...lines], { dependent: true });
      }),
      /gap/,
    ],
  ])('%s', async (_, bytes, why) => {
    const converted = await toStep(bytes);
    expect(converted.faceted).toBe(true);
    expect(converted.reason).toMatch(why);
    expect(Buffer.from(converted.bytes).toString('latin1')).toContain("FILE_DESCRIPTION(('faceted");
    const zip = Buffer.from(await company.convert([{ name: 'part.igs', bytes }], { to: 'step' })).toString('latin1');
    expect(zip).toContain(`faceted: ${converted.reason}`);
  });

  test('files that break the kernel which makes triangles, too, fail with a code', async () => {
    const circle = withBoundary((writer, plane) => writer.add(102, [1, plane + 2], { dependent: true }));
    const endless = withMore((writer) =>
      writer.add(144, [writer.add(108, [0, 0, 1, 0].map(real), { dependent: true }), 1, 999_999_999, 1]),
    );
    const whole = igesSolidBox(2, 3, 4).bytes();
    for (const bytes of [circle, endless, whole.slice(0, whole.length / 2)])
      await expect(toStep(bytes)).rejects.toMatchObject({ name: 'EngineError', code: 'FILE_MALFORMED' });
  });
});
