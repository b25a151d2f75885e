import { describe, expect, it } from 'vitest';
import type { Component, Model } from '../../../dist/content/model.js';
import { EngineError } from '../../../dist/errors.js';
import { DEFAULT_LIMITS } from '../../../dist/options.js';
import { readOcctModel } from '../../../dist/readers/brep/occt-model.js';
import { readStepStructure } from '../../../dist/readers/brep/step/product-structure.js';
import { damaged } from '../../fixtures/damage.js';
import { placedMeshes } from '../../fixtures/placed-meshes.js';
import { volumeOf } from '../../fixtures/shapes.js';
import { stepFile, type StepAssembly, type StepFile, type StepPlace } from '../../fixtures/step-writer.js';
import { options, text } from '../helpers.js';

const PARTS: StepFile['parts'] = [
  { name: 'block', shape: { kind: 'box', x: 10, y: 20, z: 30 } },
  { name: 'pin', shape: { kind: 'cylinder', radius: 2, height: 9 } },
];
/** Two blocks and a pin, one block turned; in the whole three times, once turned, beside a pin. */
const NESTED: readonly StepAssembly[] = [
  {
    name: 'pair',
    places: [
      { of: { part: 0 }, at: [0, 0, 0], occurrence: 'block_1' },
      { of: { part: 0 }, at: [50, 0, 0], z: [1, 0, 0], x: [0, 1, 0], occurrence: 'block_2' },
      { of: { part: 1 }, at: [5, 5, 30] },
    ],
  },
  {
    name: 'row',
    places: [
      { of: { assembly: 0 }, at: [0, 0, 0] },
      { of: { assembly: 0 }, at: [0, 100, 0] },
    ],
  },
  {
    name: 'whole',
    places: [
      { of: { assembly: 1 }, at: [0, 0, 0] },
      { of: { assembly: 0 }, at: [200, 0, 0], z: [0, 1, 0], x: [0, 0, 1] },
      { of: { part: 1 }, at: [-20, 0, 0] },
    ],
  },
];

function read(file: StepFile): Promise<Model> {
  return readOcctModel(stepFile(file), 'step', options());
}

function tree({ name, meshes, children }: Component): unknown {
  return children.length === 0 ? `${name} ${meshes.join(' ')}` : [name, ...children.map(tree)];
}

/** Lowest and highest corner of every placed mesh, rounded. */
function boxes(model: Model, scale = 1): number[][] {
  return placedMeshes(model).map(({ mesh }) =>
    [Math.min, Math.max].flatMap((pick) =>
      [0, 1, 2].map(
        (axis) => Math.round((1e6 * pick(...mesh.positions.filter((_, i) => i % 3 === axis))) / scale) / 1e6 + 0,
      ),
    ),
  );
}

function volume(model: Model): number {
  return placedMeshes(model).reduce((sum, { mesh }) => sum + volumeOf(mesh.positions, mesh.indices), 0);
}

describe('the product structure of a STEP file', () => {
  it('has no name where the file only says that there is none', async () => {
    const parts = PARTS.map((part) => ({ ...part, name: 'NONE' }));
    const { root } = await read({
      parts,
      assembly: { name: 'whole', placements: [0, 1].map((part) => ({ part, at: [0, 0, 0] as const })) },
    });
    expect(root.children.map(({ name }) => name)).toEqual(['', '']);
  });

  it.each([
    ['mm', 1],
    ['in', 25.4],
  ] as const)('has sub-assemblies, placements and shared meshes, in %s', async (unit, scale) => {
    const model = await read({ unit, parts: PARTS, assemblies: NESTED });
    const pair = ['pair', 'block 0', 'block 0', 'pin 1'];
    expect(model.warnings).toEqual([]);
    expect(tree(model.root)).toEqual(['whole', ['row', pair, pair], pair, 'pin 1']);
    expect(model.meshes.map(({ name }) => name)).toEqual(['block', 'pin']);
    expect(model.root.children[0].children[0].children.map(({ occurrence }) => occurrence)).toEqual([
      'block_1',
      'block_2',
      undefined,
    ]);
    const found = boxes(model, scale);
    expect(found[0]).toEqual([0, 0, 0, 10, 20, 30]);
    // x of the part is y of the pair, y is z, z is x.
    expect(found[1]).toEqual([50, 0, 0, 80, 10, 20]);
    expect(found[4]).toEqual([50, 100, 0, 80, 110, 20]);
    // x of the pair is z of the whole, y is x, z is y.
    expect(found[7]).toEqual([200, 0, 50, 210, 20, 80]);
    expect(found).toHaveLength(10);
    expect(Math.abs(volume(model) / scale ** 3 / (6 * 6000 + 4 * Math.PI * 36) - 1)).toBeLessThan(1e-3);
  });

  it.each(['turned', 'mapped'] as const)('is the same when uses are written %s', async (form) => {
    const assemblies = NESTED.map(({ name, places }) => ({
      name,
      places: places.map((place): StepPlace => ({ ...place, form })),
    }));
    const [usual, other] = await Promise.all([
      read({ parts: PARTS, assemblies: NESTED }),
      read({ parts: PARTS, assemblies }),
    ]);
    expect(tree(other.root)).toEqual(tree(usual.root));
    expect(boxes(other)).toEqual(boxes(usual));
    expect(other.warnings).toEqual([]);
  });

  it('has mirrored parts that look the same mirrored, outside out', async () => {
    const places: StepPlace[] = [
      { of: { part: 0 }, at: [0, 0, 0], form: 'mapped' },
      { of: { part: 0 }, at: [0, -5, 0], form: 'mirrored' },
    ];
    const model = await read({ parts: PARTS.slice(1), assemblies: [{ name: 'both hands', places }] });
    expect(boxes(model)).toEqual([
      [-2, -2, 0, 2, 2, 9],
      [-2, -7, 0, 2, -3, 9],
    ]);
    expect(Math.abs(volume(model) / (2 * Math.PI * 36) - 1)).toBeLessThan(2e-3);
    for (const { positions, indices } of model.meshes) expect(volumeOf(positions, indices)).toBeGreaterThan(0);
  });

  it('says so when the kernel does not mirror what the text mirrors', async () => {
    const places: StepPlace[] = [
      { of: { part: 0 }, at: [0, 0, 0], form: 'mapped' },
      { of: { part: 0 }, at: [0, -5, 0], form: 'mirrored' },
    ];
    const model = await read({ parts: PARTS.slice(0, 1), assemblies: [{ name: 'both hands', places }] });
    expect(model.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('gave no triangles'),
      expect.stringContaining('no place in the product structure'),
    ]);
    expect(placedMeshes(model)).toHaveLength(2);
  });

  it('keeps a part in another file in the tree', async () => {
    const assemblies: StepAssembly[] = [
      {
        name: 'whole',
        places: [
          { of: { part: 0 }, at: [0, 0, 0] },
          { of: { part: 1 }, at: [1, 2, 3] },
        ],
      },
    ];
    const model = await read({ parts: [PARTS[0], { name: 'bolt' }], assemblies, externalFiles: ['bolt.stp'] });
    expect(model.root.children.map(({ name, meshes }) => [name, meshes])).toEqual([
      ['block', [0]],
      ['bolt', []],
    ]);
    expect(model.warnings).toEqual([{ code: 'REFERENCE_MISSING', message: expect.stringContaining('bolt.stp') }]);
  });

  it('is none for a file without uses', () => {
    expect(readStepStructure(stepFile({ parts: PARTS }), DEFAULT_LIMITS)).toBeUndefined();
  });

  it('gives parts with bodies of equal vertices to the right ones', async () => {
    // A ring and a disc share their only vertex.
    const model = await read({
      parts: [
        { name: 'disc', shape: { kind: 'cylinder', radius: 5, height: 1 } },
        { name: 'rod', shape: { kind: 'cylinder', radius: 5, height: 90 } },
      ],
      assemblies: [
        {
          name: 'whole',
          places: [
            { of: { part: 1 }, at: [0, 0, 0] },
            { of: { part: 0 }, at: [0, 0, 0] },
          ],
        },
      ],
    });
    expect(
      placedMeshes(model).map(({ path, mesh }) => [
        path.at(-1),
        Math.max(...mesh.positions.filter((_, i) => i % 3 === 2)),
      ]),
    ).toEqual([
      ['rod', 90],
      ['disc', 1],
    ]);
  });
});

describe('construction bodies of a part', () => {
  /**
   * A box of 10 × 20 × 30 beside a cylinder in one product; `added` gets the numbers of the cylinder's solid and of a
   * face of the box.
   */
  function beside(added: (cylinder: string, face: string) => string, items: string): Promise<Model> {
    const [box, rod] = [PARTS[0], PARTS[1]].map((part) => new TextDecoder().decode(stepFile({ parts: [part] })));
    const shift = (_: string, digits: string): string => `#${Number(digits) + 50_000}`;
    const lines = rod
      .slice(rod.indexOf('DATA;') + 5, rod.lastIndexOf('ENDSEC;'))
      .replace(/#(\d+)/g, shift)
      .split('\n')
      .filter((line) => !/DEFINITION|CONTEXT|PRODUCT|REPRESENTATION/.test(line));
    const cylinder = /#(\d+)=MANIFOLD_SOLID_BREP/.exec(lines.join('\n'))![1];
    const face = /#(\d+)=ADVANCED_FACE/.exec(box)![1];
    const whole = box
      .replace(
        /(ADVANCED_BREP_SHAPE_REPRESENTATION\('block',\(#\d+,#\d+)/,
        `$1${items.replace('CYLINDER', `#${cylinder}`)}`,
      )
      .replace(/ENDSEC;\s*END-ISO/, `${lines.join('\n')}\n${added(`#${cylinder}`, `#${face}`)}\n$&`);
    return readOcctModel(text(whole), 'step', options());
  }
  const style = (item: string): string => `#90001=STYLED_ITEM('',(),${item});`;

  it.each([
    ['by a styled item', (cylinder: string) => `${style(cylinder)}#90002=INVISIBILITY((#90001));`],
    [
      'by a layer',
      (cylinder: string) =>
        `#90001=PRESENTATION_LAYER_ASSIGNMENT('12','tools',(${cylinder}));#90002=INVISIBILITY((#90001));`,
    ],
    [
      'by a layer of styled items',
      (cylinder: string) =>
        `${style(cylinder)}#90002=PRESENTATION_LAYER_ASSIGNMENT('','',(#90001));#90003=INVISIBILITY((#90002));`,
    ],
  ])('are left out when they are hidden %s', async (_, hide) => {
    const model = await beside(hide, ',CYLINDER');
    expect(tree(model.root)).toBe('block 0');
    expect(volume(model)).toBeCloseTo(6000, 6);
    expect(model.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('1 construction bodies were left out'),
    ]);
  });

  it('are left out when they are open surfaces beside a solid', async () => {
    const model = await beside(
      (_, face) => `#90001=OPEN_SHELL('',(${face}));#90002=SHELL_BASED_SURFACE_MODEL('plane',(#90001));`,
      ',#90002',
    );
    expect(tree(model.root)).toBe('block 0');
    expect(volume(model)).toBeCloseTo(6000, 6);
    expect(model.warnings).toHaveLength(1);
  });

  it('are no visible solids, and no hidden ones where nothing else is left', async () => {
    const both = await beside(() => '', ',CYLINDER');
    expect(volume(both)).toBeGreaterThan(6100);
    expect(both.warnings).toEqual([]);
    const [part] = PARTS;
    const hidden = new TextDecoder()
      .decode(stepFile({ parts: [part] }))
      .replace(/#(\d+)=MANIFOLD_SOLID_BREP.*/, `$&#90001=STYLED_ITEM('',(),#$1);#90002=INVISIBILITY((#90001));`);
    const alone = await readOcctModel(text(hidden), 'step', options());
    expect(volume(alone)).toBeCloseTo(6000, 6);
    expect(alone.warnings).toEqual([]);
  });

  it('do not make a part an assembly when they are curves', async () => {
    const curves = `#90001=CARTESIAN_POINT('',(0.,0.,0.));#90002=CARTESIAN_POINT('',(9.,0.,40.));#90003=POLYLINE('',(#90001,#90002));#90004=GEOMETRIC_CURVE_SET('',(#90003));`;
    const model = await beside(() => curves, ',#90004');
    expect(tree(model.root)).toBe('block 0');
  });
});

describe('a damaged product structure', () => {
  const whole = new TextDecoder().decode(stepFile({ parts: PARTS, assemblies: NESTED }));

  it('does without uses that contain themselves', () => {
    const [, root, child] =
      /NEXT_ASSEMBLY_USAGE_OCCURRENCE\('0','','',(#\d+),(#\d+),\$\);(?![\s\S]*NEXT_ASSEMBLY_USAGE_OCCURRENCE\('0')/.exec(
        whole,
      )!;
    const inside = whole.replace(
      /ENDSEC;\s*END-ISO/,
      `#99999=NEXT_ASSEMBLY_USAGE_OCCURRENCE('x','','',${child},${child},$);\n$&`,
    );
    expect(readStepStructure(text(inside), DEFAULT_LIMITS)?.children).toHaveLength(3);
    const round = whole.replace(
      /ENDSEC;\s*END-ISO/,
      `#99999=NEXT_ASSEMBLY_USAGE_OCCURRENCE('x','','',${child},${root},$);\n$&`,
    );
    expect(readStepStructure(text(round), DEFAULT_LIMITS)).toBeUndefined();
  });

  it('is bounded in components and levels', () => {
    const doubled = Array.from({ length: 60 }, (_, i): StepAssembly => {
      const of = i === 0 ? { part: 0 } : { assembly: i - 1 };
      return {
        name: `level ${i}`,
        places: [
          { of, at: [0, 0, 0] },
          { of, at: [1, 0, 0] },
        ],
      };
    });
    const file = stepFile({ parts: PARTS, assemblies: doubled });
    expect(() => readStepStructure(file, DEFAULT_LIMITS)).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED', details: expect.objectContaining({ limit: 'components' }) }),
    );
    expect(() => readStepStructure(file, { ...DEFAULT_LIMITS, depth: 10 })).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED', details: expect.objectContaining({ limit: 'depth' }) }),
    );
  });

  it('ends in a tree, in none, or in a coded error, 1000 ways', () => {
    for (const bytes of damaged(text(whole), 1_000, 11)) {
      try {
        readStepStructure(bytes, DEFAULT_LIMITS);
      } catch (error) {
        expect(error).toBeInstanceOf(EngineError);
      }
    }
  });
});
