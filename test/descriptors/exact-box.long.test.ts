import { drawCircle, makeSphere, type Shape3D } from 'replicad';
import { beforeAll, describe, expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { ShapeDescriber } from '../../dist/descriptors/describe.js';
import { box, cylinder, drill, hexagon, loadModeller, prism, turned } from '../../dist/parts/sample/solids.js';
import { stepFile as stepOf } from '../../dist/parts/sample/step-file.js';
import { stepFile } from '../fixtures/step-writer.js';
import { readModel } from '../readers/helpers.js';

// Sizes of a record are those of the exact surfaces of a STEP file: a shaft of 8 mm is not 7.99 mm thick.

let describer: ShapeDescriber;
beforeAll(async () => {
  describer = await ShapeDescriber.load(await Core.load());
  await loadModeller();
});

/** Largest difference, mm. Facets of a full circle lose 1.2e-3 of its diameter. */
const LEAST = 1e-4;

async function sizesOf(bytes: Uint8Array): Promise<readonly [number, number, number]> {
  const { bboxSizeMm, bboxVolumeMm3 } = describer.describe(await readModel(bytes, 'part.step'));
  expect(bboxVolumeMm3 / (bboxSizeMm[0] * bboxSizeMm[1] * bboxSizeMm[2])).toBeCloseTo(1, 9);
  return bboxSizeMm;
}

function expectSizes(found: readonly number[], expected: readonly number[]): void {
  found.forEach((size, k) =>
    expect(Math.abs(size - expected[k]), `${found.join(' ')}, expected ${expected.join(' ')}`).toBeLessThan(LEAST),
  );
}

/** Somewhere in space, and turned about no axis of the frame. */
function away(solid: Shape3D): Shape3D {
  return solid.rotate(33, [1, 2, 3], [1, 0.3, -0.7]).rotate(71, [0, 0, 0], [0.2, -1, 0.4]).translate([12, -40, 7]);
}

function ball(radius: number): Shape3D {
  return makeSphere(radius) as Shape3D;
}

function points(...numbers: number[]): [number, number][] {
  return numbers.flatMap((x, i) => (i % 2 === 0 ? [[x, numbers[i + 1]] as [number, number]] : []));
}

/** A ring of the revolved circle. */
function ring(radius: number, tube: number): Shape3D {
  return drawCircle(tube).translate(radius, 0).sketchOnPlane('XZ').revolve() as Shape3D;
}

describe('the smallest box of exact surfaces', () => {
  test.each<[string, () => Shape3D, readonly [number, number, number]]>([
    ['a shaft', () => cylinder(8, 63), [63, 8, 8]],
    ['a long wire', () => cylinder(4, 1273), [1273, 4, 4]],
    ['a ball', () => ball(12.5), [25, 25, 25]],
    ['a ring with a round section', () => ring(20, 3), [46, 46, 6]],
    ['a truncated cone', () => turned(points(0, 0, 20, 0, 8, 30, 0, 30)), [40, 40, 30]],
    ['a cone', () => turned(points(0, 0, 20, 0, 0, 15)), [40, 40, 15]],
    ['a block', () => box(50, 30, 20), [50, 30, 20]],
    ['a block with all edges rounded', () => box(50, 30, 20).fillet(4), [50, 30, 20]],
    [
      'a block with its upper edges rounded',
      () => box(50, 30, 20).fillet(6, (edge) => edge.inPlane('XY', 20)),
      [50, 30, 20],
    ],
    ['a pin with round ends', () => cylinder(6, 20).fuse(ball(3)).fuse(ball(3).translateZ(20)), [26, 6, 6]],
    [
      'a stepped shaft with a hole across',
      () =>
        cylinder(16, 40)
          .fuse(cylinder(9, 70))
          .cut(cylinder(5, 60, [-30, 0, 20], [1, 0, 0])),
      [70, 16, 16],
    ],
    [
      'a cap screw',
      () =>
        cylinder(8.5, 5)
          .fuse(cylinder(5, 20, [0, 0, 5]))
          .cut(prism(hexagon(4), 2.5)),
      [25, 8.5, 8.5],
    ],
    ['a washer with two holes', () => drill(cylinder(30, 3), 4, points(9, 0, -9, 0), 0, 3), [30, 30, 3]],
  ])('is that of %s, however it is turned', async (_, made, expected) => {
    for (const solid of [made(), away(made())]) expectSizes(await sizesOf(await stepOf(solid, 'part')), expected);
  });

  test('counts each placement of an assembly, mirrored ones too', async () => {
    const places = ([0, 100, 200] as const).map((x, i) => ({
      of: { part: 0 },
      at: [x, 0, 0] as const,
      ...(i === 2 ? { form: 'mirrored' as const } : {}),
    }));
    for (const [shape, sizes] of [
      [{ kind: 'cylinder', radius: 10, height: 40 }, [220, 40, 20]],
      [{ kind: 'torus', radius: 20, tube: 5 }, [250, 50, 10]],
    ] as const) {
      const parts = [{ name: 'part', shape }];
      expectSizes(await sizesOf(stepFile({ parts, assemblies: [{ name: 'three', places }] })), sizes);
    }
  });

  test('is that of the triangles where a file has no exact surfaces', async () => {
    const model = await readModel(await stepOf(cylinder(8, 63), 'part'), 'part.step');
    const [{ positions, indices }] = model.meshes;
    const mesh = { positions, indices, name: '' };
    const { bboxSizeMm } = describer.describe({ ...model, meshes: [mesh] });
    expect(bboxSizeMm[1]).toBeGreaterThan(7.98);
    expect(bboxSizeMm[1]).toBeLessThan(7.995);
  });
});
