import { describe, expect, it, vi } from 'vitest';
import type { Component, Mesh, Model } from '../../../dist/content/model.js';
import { disposeOcct, readOcctModel } from '../../../dist/readers/brep/occt-model.js';
import { brepBox } from '../../fixtures/brep-writer.js';
import { igesBox } from '../../fixtures/iges-writer.js';
import { areaOf, volumeOf } from '../../fixtures/shapes.js';
import { placedMeshes } from '../../fixtures/placed-meshes.js';
import { stepFile, type StepFile, type StepShape } from '../../fixtures/step-writer.js';
import { codeOf, expectSound, options, text, warningsOf } from '../helpers.js';

const BOX: StepShape = { kind: 'box', x: 10, y: 20, z: 30 };
const CYLINDER: StepShape = { kind: 'cylinder', radius: 10, height: 10 };

function read(file: StepFile): Promise<Model> {
  return readOcctModel(stepFile(file), 'step', options());
}

async function meshOf(shape: StepShape, unit: StepFile['unit'] = 'mm'): Promise<Mesh> {
  const { meshes } = await read({ unit, parts: [{ name: 'part', shape }] });
  expect(meshes).toHaveLength(1);
  expectSound(meshes[0]);
  return meshes[0];
}

/** Edges that do not have one triangle on each side. */
function openEdges({ indices }: Mesh): number {
  const sides = new Map<string, number>();
  for (let i = 0; i < indices.length; i++) {
    const a = indices[i],
      b = indices[i % 3 === 2 ? i - 2 : i + 1];
    sides.set(
      a < b ? `${a} ${b}` : `${b} ${a}`,
      (sides.get(a < b ? `${a} ${b}` : `${b} ${a}`) ?? 0) + (a < b ? 1 : -1),
    );
  }
  return [...sides.values()].filter((sum) => sum !== 0).length;
}

/** Lowest and highest coordinate along each axis. */
function bounds({ positions }: Mesh): number[][] {
  return [0, 1, 2].map((axis) => {
    const values = positions.filter((_, i) => i % 3 === axis);
    return [Math.min(...values), Math.max(...values)];
  });
}

function names(component: Component): unknown {
  return component.children.length === 0 ? component.name : [component.name, ...component.children.map(names)];
}

/** Error as a part of the exact value. */
function errorOf(value: number, exact: number): number {
  return Math.abs(value / exact - 1);
}

describe('STEP shapes', () => {
  it('gives a box exactly: 8 vertices, 12 triangles, 6 faces, outside out', async () => {
    const mesh = await meshOf(BOX);
    expect(mesh.positions).toHaveLength(24);
    expect(mesh.faces?.map(({ first, count }) => [first, count])).toEqual([
      [0, 2],
      [2, 2],
      [4, 2],
      [6, 2],
      [8, 2],
      [10, 2],
    ]);
    expect(volumeOf(mesh.positions, mesh.indices)).toBeCloseTo(6000, 8);
    expect(areaOf(mesh.positions, mesh.indices)).toBeCloseTo(2200, 8);
    expect(openEdges(mesh)).toBe(0);
  });

  it.each([
    ['as wide as high', 10, 10],
    ['a wire', 1, 1000],
    ['a disc', 50, 1],
  ])('gives a cylinder, %s, within 0.2 %, and its box', async (_, radius, height) => {
    const mesh = await meshOf({ kind: 'cylinder', radius, height });
    expect(errorOf(volumeOf(mesh.positions, mesh.indices), Math.PI * radius ** 2 * height)).toBeLessThan(0.002);
    expect(errorOf(areaOf(mesh.positions, mesh.indices), 2 * Math.PI * radius * (radius + height))).toBeLessThan(0.002);
    expect(openEdges(mesh)).toBe(0);
    expect(mesh.faces).toHaveLength(3);
    // Where the angular bound holds, circles have 64 segments and reach all four sides; else the linear bound holds.
    const mean = (4 * radius + height) / 3;
    const tolerance = height > 100 * radius ? 1e-9 : 0.001 * mean;
    for (const [axis, [low, high]] of bounds(mesh).entries()) {
      expect(Math.abs(low - (axis === 2 ? 0 : -radius))).toBeLessThan(tolerance);
      expect(Math.abs(high - (axis === 2 ? height : radius))).toBeLessThan(tolerance);
    }
  });

  it.each([
    [20, 5],
    [20, 0.5],
  ])('gives a torus of %d and %d within 0.3 %', async (radius, tube) => {
    const mesh = await meshOf({ kind: 'torus', radius, tube });
    expect(errorOf(volumeOf(mesh.positions, mesh.indices), 2 * Math.PI ** 2 * radius * tube ** 2)).toBeLessThan(0.003);
    expect(errorOf(areaOf(mesh.positions, mesh.indices), 4 * Math.PI ** 2 * radius * tube)).toBeLessThan(0.003);
    expect(openEdges(mesh)).toBe(0);
  });

  it.each([
    ['mm', 'mm', 10],
    ['in', 'in', 10 / 25.4],
    ['m', 'm', 0.01],
  ] as const)('honours %s', async (unit, expected, side) => {
    const model = await read({ unit, parts: [{ name: 'cube', shape: { kind: 'box', x: side, y: side, z: side } }] });
    expect(model.unit).toBe(expected);
    expect(model.warnings).toEqual([]);
    const [mesh] = model.meshes;
    expect(volumeOf(mesh.positions, mesh.indices)).toBeCloseTo(1000, 6);
  });
});

describe('STEP structure', () => {
  it('keeps names of any script, and colours in sRGB', async () => {
    const model = await read({ parts: [{ name: "Müller's 板 'A'", shape: BOX, color: [0.5, 0.25, 1] }] });
    expect(model.root.name).toBe("Müller's 板 'A'");
    expect(model.root.meshes).toEqual([0]);
    expect(model.meshes[0].name).toBe(model.root.name);
    expect(model.meshes[0].color).toEqual([0.5, 0.25, 1]);
  });

  it('places parts of an assembly, turned and moved', async () => {
    const model = await read({
      parts: [
        { name: 'plate', shape: { kind: 'box', x: 40, y: 20, z: 2 }, color: [1, 0, 0] },
        { name: 'pin', shape: { kind: 'cylinder', radius: 2, height: 9 } },
      ],
      assembly: {
        name: 'unit',
        placements: [
          { part: 0, at: [0, 0, 0] },
          { part: 1, at: [5, 5, 2] },
          { part: 1, at: [40, 10, 1], z: [1, 0, 0], x: [0, 1, 0] },
        ],
      },
    });
    expect(names(model.root)).toEqual(['unit', 'plate', 'pin', 'pin']);
    expect(model.root.children.map(({ meshes }) => meshes)).toEqual([[0], [1], [1]]);
    expect(model.meshes.map(({ color }) => color)).toEqual([[1, 0, 0], undefined]);
    const [plate, upright, lying] = placedMeshes(model).map(({ mesh }) =>
      bounds(mesh).map((range) => range.map((value) => Math.round(100 * value) / 100)),
    );
    expect(plate).toEqual([
      [0, 40],
      [0, 20],
      [0, 2],
    ]);
    expect(upright).toEqual([
      [3, 7],
      [3, 7],
      [2, 11],
    ]);
    expect(lying).toEqual([
      [40, 49],
      [8, 12],
      [-1, 3],
    ]);
  });

  it('warns of parts in other files, and refuses an assembly of nothing else', async () => {
    const own = { name: 'own', shape: BOX };
    const assembly = {
      name: 'unit',
      placements: [
        { part: 0, at: [0, 0, 0] },
        { part: 1, at: [5, 5, 1] },
      ] as const,
    };
    const model = await read({ parts: [own, { name: 'bolt' }], externalFiles: ['bolt.stp'], assembly });
    expect(model.meshes).toHaveLength(1);
    expect(model.warnings).toEqual([{ code: 'REFERENCE_MISSING', message: expect.stringContaining('bolt.stp') }]);

    const empty = read({
      parts: [{ name: 'nut' }, { name: 'bolt' }],
      externalFiles: ['nut.stp', 'bolt.stp'],
      assembly,
    });
    await expect(empty).rejects.toMatchObject({
      code: 'REFERENCE_MISSING',
      details: { references: ['nut.stp', 'bolt.stp'] },
    });
  });
});

describe('STEP files that give no shape', () => {
  const whole = new TextDecoder().decode(stepFile({ parts: [{ name: 'part', shape: BOX }] }));

  it('tells a file without faces by its schema', async () => {
    const reading = read({ schema: 'AP209_MULTIDISCIPLINARY_ANALYSIS', parts: [{ name: 'nothing' }] });
    await expect(reading).rejects.toMatchObject({
      code: 'NO_GEOMETRY',
      message: expect.stringContaining('AP209_MULTIDISCIPLINARY_ANALYSIS'),
    });
  });

  it.each([
    ['no text of Part 21', 'solid nothing\nendsolid\n'],
    ['nothing', ''],
    ['a header without data', whole.slice(0, whole.indexOf('DATA;'))],
    ['half the data', whole.slice(0, whole.length / 2)],
    [
      'a frame around nonsense',
      `${whole.slice(0, whole.indexOf('DATA;'))}DATA;\n#1=ADVANCED_FACE(((;\nENDSEC;\nEND-ISO-10303-21;\n`,
    ],
  ])('refuses %s', async (_, content) => {
    expect(await codeOf(readOcctModel(text(content), 'step', options()))).toBe('FILE_MALFORMED');
  });

  it('keeps what was read of a file without its last lines', async () => {
    const model = await readOcctModel(text(whole.slice(0, whole.indexOf('END-ISO'))), 'step', options());
    expect(warningsOf(model)).toContain('FILE_TRUNCATED');
    expect(volumeOf(model.meshes[0].positions, model.meshes[0].indices)).toBeCloseTo(6000, 8);
  });
});

describe('IGES and BREP', () => {
  it.each([
    ['in', 25.4],
    ['mm', 1],
    ['m', 1000],
  ] as const)('reads IGES surfaces in %s as one body', async (unit, scale) => {
    const model = await readOcctModel(igesBox(1, 2, 3, unit), 'iges', options());
    expect(model.unit).toBe(unit);
    expect(model.meshes).toHaveLength(1);
    const [mesh] = model.meshes;
    expectSound(mesh);
    expect(mesh.positions).toHaveLength(24);
    expect(mesh.faces).toHaveLength(6);
    expect(areaOf(mesh.positions, mesh.indices)).toBeCloseTo(22 * scale ** 2, 4);
  });

  it('a BREP of a meshed shape, whose polygons have words among their numbers', async () => {
    const plain = Buffer.from(brepBox(1, 2, 3)).toString();
    const polygons = 'PolygonOnTriangulations 2\n2 1 2 \np 0.05 1 0 30 \n3 1 2 3 \np 0.05 0\n';
    const meshed = plain.replace('PolygonOnTriangulations 0\n', polygons);
    expect(meshed).not.toBe(plain);
    const [model, unmeshed] = await Promise.all(
      [meshed, plain].map((own) => readOcctModel(Buffer.from(own), 'brep', options())),
    );
    expect(model.meshes).toEqual(unmeshed.meshes);
    expect(await codeOf(readOcctModel(Buffer.from(plain.replace('Curves ', 'p\nCurves ')), 'brep', options()))).toBe(
      'FILE_MALFORMED',
    );
  });

  it('reads BREP in the unit assumed, and says so', async () => {
    const model = await readOcctModel(brepBox(1, 2, 3), 'brep', options({}, 'in'));
    expect(model.unit).toBe('in');
    expect(warningsOf(model)).toEqual(['UNIT_ASSUMED']);
    const [mesh] = model.meshes;
    expectSound(mesh);
    expect(volumeOf(mesh.positions, mesh.indices)).toBeCloseTo(6 * 25.4 ** 3, 6);
    expect(openEdges(mesh)).toBe(0);
  });

  it('refuses what is neither', async () => {
    expect(await codeOf(readOcctModel(text('nothing of that kind'), 'iges', options()))).toBe('FILE_MALFORMED');
    expect(await codeOf(readOcctModel(text('nothing of that kind'), 'brep', options()))).toBe('FILE_MALFORMED');
    expect(await codeOf(readOcctModel(brepBox(1, 2, 3).slice(0, 300), 'brep', options()))).toMatch(
      /^(FILE_MALFORMED|NO_GEOMETRY)$/,
    );
  });
});

describe('the kernel', () => {
  it('gives the same bits whatever was read before, and after it was thrown away', async () => {
    const files = [
      stepFile({ unit: 'in', parts: [{ name: 'torus', shape: { kind: 'torus', radius: 3, tube: 1 } }] }),
      stepFile({ parts: [{ name: 'c', shape: CYLINDER }] }),
    ];
    const first = await Promise.all(files.map((file) => readOcctModel(file, 'step', options())));
    await readOcctModel(igesBox(1, 2, 3, 'in'), 'iges', options());
    await codeOf(readOcctModel(text('CASCADE Topology V1\nnothing'), 'brep', options()));
    const again = await Promise.all([...files].reverse().map((file) => readOcctModel(file, 'step', options())));
    disposeOcct();
    const anew = await Promise.all(files.map((file) => readOcctModel(file, 'step', options())));
    expect(again.reverse()).toEqual(first);
    expect(anew).toEqual(first);
  });

  it('numbers the faces of a file whose metres are a converted unit', async () => {
    const metres = new TextDecoder().decode(stepFile({ unit: 'm', parts: [{ name: 'part', shape: BOX }] }));
    const si = '(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT($,.METRE.))';
    const converted = metres
      .replace(si, "(CONVERSION_BASED_UNIT('METRE',#9001)LENGTH_UNIT()NAMED_UNIT(#9003))")
      .replace(
        'DATA;',
        `DATA;\n#9001=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.0),#9002);\n#9002=${si};\n#9003=DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.);`,
      );
    const { unit, meshes } = await readOcctModel(text(converted), 'step', options());
    expect(unit).toBe('m');
    expect(meshes[0].faces?.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('prints nothing', async () => {
    const spies = [
      vi.spyOn(console, 'log'),
      vi.spyOn(console, 'warn'),
      vi.spyOn(console, 'error'),
      vi.spyOn(process.stdout, 'write'),
      vi.spyOn(process.stderr, 'write'),
    ];
    try {
      disposeOcct();
      await readOcctModel(igesBox(1, 2, 3), 'iges', options());
      const dangling = new TextDecoder()
        .decode(stepFile({ parts: [{ name: 'part', shape: BOX }] }))
        .replace(/#1=[^;]*;\n/, '');
      const model = await readOcctModel(text(dangling), 'step', options());
      expect(model.warnings).toContainEqual({
        code: 'CONTENT_SKIPPED',
        message: expect.stringContaining('Unresolved Reference'),
      });
      for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });

  it('keeps the limits on triangles, components and depth', async () => {
    const file = stepFile({
      parts: [{ name: 'c', shape: CYLINDER }],
      assembly: {
        name: 'a',
        placements: [
          { part: 0, at: [0, 0, 0] },
          { part: 0, at: [0, 0, 99] },
        ],
      },
    });
    for (const limit of [{ triangles: 100 }, { components: 2 }, { depth: 1 }]) {
      await expect(readOcctModel(file, 'step', options(limit))).rejects.toMatchObject({
        code: 'LIMIT_EXCEEDED',
        details: { limit: Object.keys(limit)[0] },
      });
    }
  });
});
