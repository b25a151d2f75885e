import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS, Engine, PMI_TYPE } from '../../dist/index.js';
import { readOcctModel } from '../../dist/readers/brep/occt-model.js';
import { readStepAnnotations } from '../../dist/readers/brep/step/annotations.js';
import { modelPmi } from '../../dist/pmi/model-pmi.js';
import { annotated, INCH, length, MM, shown, sized } from '../fixtures/annotated-step.js';
import { saidBy } from '../fixtures/said-pmi.js';
import { stepFile, type StepShape } from '../fixtures/step-writer.js';

const CYLINDER: StepShape = { kind: 'cylinder', radius: 5, height: 20 };
const BOX: StepShape = { kind: 'box', x: 10, y: 20, z: 30 };

function pmiOf(bytes: Uint8Array): ReturnType<typeof modelPmi> {
  return modelPmi(readStepAnnotations(bytes) ?? []);
}
const said = ({ pages: [page] }: ReturnType<typeof modelPmi>): unknown[] =>
  page.objects.map((object) => [object.typeId, ...saidBy(object)]);

describe('annotations that a STEP model carries as data', () => {
  test('dimensions have their sign, tolerance and face', () => {
    const bytes = annotated(CYLINDER, [
      MM,
      shown(9010, 10),
      ...sized(9100, 'diameter', '@cylinder', '#9010'),
      length(9020, -0.02),
      length(9021, 0.05),
      '#9022=TOLERANCE_VALUE(#9020,#9021);',
      '#9023=PLUS_MINUS_TOLERANCE(#9022,#9102);',
      ...sized(9200, 'radius', '@cylinder', '#9010,#9210'),
      "#9210=COMPOUND_REPRESENTATION_ITEM('dimensional note',SET_REPRESENTATION_ITEM((#9211)));",
      "#9211=DESCRIPTIVE_REPRESENTATION_ITEM('dimensional note','auxiliary');",
      ...sized(9300, 'spherical diameter', '@0', '#9010'),
      "#9310=LIMITS_AND_FITS('H','hole','7','');",
      '#9311=PLUS_MINUS_TOLERANCE(#9310,#9302);',
      shown(9410, 10.1, 'upper limit'),
      shown(9411, 9.9, 'lower limit'),
      ...sized(9400, 'diameter', '@cylinder', '#9010,#9410,#9411'),
      ...sized(9500, 'curve length', '@0', '#9010,#9510'),
      "#9510=DESCRIPTIVE_REPRESENTATION_ITEM('dimensional note','theoretical');",
    ]);
    const pmi = pmiOf(bytes);
    expect(said(pmi)).toEqual([
      [PMI_TYPE.diameter, '⌀10', ['+0.05', '-0.02']],
      [PMI_TYPE.radius, '(R10)'],
      [PMI_TYPE.diameter, 'S⌀10', ['H7']],
      [PMI_TYPE.diameter, '⌀10.1 - 9.9'],
      [PMI_TYPE.arrows, '⌒10', ['basic']],
    ]);
    const [first] = pmi.pages[0].objects;
    expect(first).toMatchObject({ group: 'Measurement', box: [0, 0, 0, 0], faces: [{ surface: 'cylinder' }] });
    expect(pmi.attributes).toEqual(
      expect.arrayContaining([
        { name: 'Units', unit: '', value: 'mm' },
        { name: 'Fit', unit: '', value: 'H7' },
      ]),
    );
  });

  test.each([
    ['mm', MM, 1],
    ['in', INCH, 25.4],
  ] as const)('the faces that they stand on are told in the triangles, in %s', async (unit, unitText, millimetres) => {
    const dimensions = [0, 1, 3, 5].flatMap((face, i) => sized(9100 + 100 * i, 'length', `@${face}`, '#9010'));
    const bytes = annotated(BOX, [unitText, shown(9010, 10), ...dimensions], unit);
    const {
      meshes: [{ positions, indices, faces = [] }],
    } = await readOcctModel(bytes, 'step', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
    const text = Buffer.from(bytes).toString('latin1');
    const argumentsOf = (id: string): string => new RegExp(`#${id}\\s*=\\s*\\w+\\(([^;]*)\\);`).exec(text)![1];
    const named = faces.filter(({ id }) => id !== undefined);
    expect(new Set(named.map(({ id }) => id)).size).toBe(4);
    for (const { id, first, count } of named) {
      // The face's plane: a point of it and its normal.
      const [, plane] = /#(\d+)\s*,\s*\.[TF]\.$/.exec(argumentsOf(String(id)))!;
      const [, axes] = /#(\d+)$/.exec(argumentsOf(plane))!;
      const [point, normal] = [...argumentsOf(axes).matchAll(/#(\d+)/g)].map(([, at]) =>
        /\(([^()]*)\)/.exec(argumentsOf(at))![1].split(',').map(Number),
      );
      for (const vertex of indices.subarray(3 * first, 3 * (first + count))) {
        expect(
          normal.reduce(
            (sum, value, axis) => sum + value * (positions[3 * vertex + axis] - millimetres * point[axis]),
            0,
          ),
        ).toBeCloseTo(0, 6);
      }
    }
  });

  test('inches are shown with as many places as the file says, without a zero before the point where it wants none', () => {
    const bytes = annotated(BOX, [
      INCH,
      "#9005=VALUE_FORMAT_TYPE_QUALIFIER('NR2 0.3');",
      shown(9010, 0.5, 'nominal value', '9005'),
      length(9020, -0.01),
      length(9021, 0.01),
      '#9022=TOLERANCE_VALUE(#9020,#9021);',
      "#9030=SHAPE_ASPECT('a','',#1,.T.);",
      "#9031=SHAPE_ASPECT('b','',#1,.T.);",
      "#9032=GEOMETRIC_ITEM_SPECIFIC_USAGE('','',#9030,#1,@0);",
      "#9033=GEOMETRIC_ITEM_SPECIFIC_USAGE('','',#9031,#1,@1);",
      "#9034=DIMENSIONAL_LOCATION('linear distance','',#9030,#9031);",
      "#9035=SHAPE_DIMENSION_REPRESENTATION('',(#9010),#1);",
      '#9036=DIMENSIONAL_CHARACTERISTIC_REPRESENTATION(#9034,#9035);',
      '#9037=PLUS_MINUS_TOLERANCE(#9022,#9034);',
    ]);
    const pmi = pmiOf(bytes);
    expect(said(pmi)).toEqual([[PMI_TYPE.arrows, '.500', ['±.010']]]);
    expect(pmi.pages[0].objects[0].faces).toHaveLength(2);
  });

  test('control frames have their rows, zones, modifiers and datums, and are followed by their signs', () => {
    const bytes = annotated(BOX, [
      MM,
      length(9010, 0.2),
      length(9011, 0.05),
      "#9020=SHAPE_ASPECT('hole','',#1,.T.);",
      "#9021=GEOMETRIC_ITEM_SPECIFIC_USAGE('','',#9020,#1,@2);",
      ...['A', 'B', 'E', 'F'].map((letter, i) => `#${9030 + i}=DATUM('datum ${letter}',$,#1,.F.,'${letter}');`),
      "#9040=DATUM_REFERENCE_COMPARTMENT('',$,#1,.F.,#9030,$);",
      "#9041=DATUM_REFERENCE_COMPARTMENT('',$,#1,.F.,#9031,(SIMPLE_DATUM_REFERENCE_MODIFIER(.MAXIMUM_MATERIAL_REQUIREMENT.)));",
      "#9042=DATUM_REFERENCE_ELEMENT('',$,#1,.F.,#9032,$);",
      "#9043=DATUM_REFERENCE_ELEMENT('',$,#1,.F.,#9033,$);",
      "#9044=DATUM_REFERENCE_COMPARTMENT('',$,#1,.F.,COMMON_DATUM_LIST((#9042,#9043)),$);",
      "#9045=DATUM_SYSTEM('',$,#1,.F.,(#9040,#9041,#9044));",
      "#9046=DATUM_SYSTEM('',$,#1,.F.,(#9040));",
      "#9050=(GEOMETRIC_TOLERANCE('upper','',#9010,#9020)GEOMETRIC_TOLERANCE_WITH_DATUM_REFERENCE((#9045))GEOMETRIC_TOLERANCE_WITH_MODIFIERS((.MAXIMUM_MATERIAL_REQUIREMENT.))POSITION_TOLERANCE());",
      "#9051=(GEOMETRIC_TOLERANCE('lower','',#9011,#9020)GEOMETRIC_TOLERANCE_WITH_DATUM_REFERENCE((#9046))POSITION_TOLERANCE());",
      "#9052=GEOMETRIC_TOLERANCE_RELATIONSHIP('composite','',#9050,#9051);",
      "#9053=TOLERANCE_ZONE_FORM('cylindrical or circular');",
      "#9054=TOLERANCE_ZONE('',$,#1,.F.,(#9050,#9051),#9053);",
      "#9060=FLATNESS_TOLERANCE('flat','',#9011,#9020);",
      "#9061=PARALLELISM_TOLERANCE('parallel','',#9010,#9020,(#9046));",
      "#9070=DATUM_FEATURE('feature A',$,#1,.T.);",
      "#9071=SHAPE_ASPECT_RELATIONSHIP('','',#9070,#9030);",
      "#9072=GEOMETRIC_ITEM_SPECIFIC_USAGE('','',#9070,#1,@0);",
      "#9080=PLACED_DATUM_TARGET_FEATURE('target','point',#1,.T.,'2');",
      "#9081=SHAPE_ASPECT_RELATIONSHIP('','',#9080,#9031);",
    ]);
    const pmi = pmiOf(bytes);
    expect(said(pmi)).toEqual([
      [PMI_TYPE.controlFrame, ['⌖ | ⌀0.2Ⓜ | A | BⓂ | E-F', '⌖ | ⌀0.05 | A']],
      [PMI_TYPE.position, '⌖'],
      [PMI_TYPE.position, '⌖'],
      [PMI_TYPE.controlFrame, '⏥ | 0.05'],
      [PMI_TYPE.flat, '⏥'],
      [PMI_TYPE.controlFrame, '∥ | 0.2 | A'],
      [PMI_TYPE.parallel, '∥'],
      [PMI_TYPE.datum, 'A'],
      [PMI_TYPE.datum, 'B2'],
    ]);
    expect(pmi.pages[0].objects.map(({ group }) => group)).toEqual([
      ...Array<string>(7).fill('GD&T'),
      'Datum',
      'Datum',
    ]);
    expect(
      pmi.attributes
        .filter(({ name, unit }) => name === 'Geometric tolerance' && unit === '')
        .map(({ value }) => value),
    ).toEqual(['position', 'flatness', 'parallelism']);
  });

  test('aspects that are made of each other, and broken references, end', () => {
    const bytes = annotated(BOX, [
      MM,
      length(9010, 0.2),
      "#9020=SHAPE_ASPECT('a','',#1,.T.);",
      "#9021=SHAPE_ASPECT_RELATIONSHIP('','',#9020,#9020);",
      "#9022=SHAPE_ASPECT_RELATIONSHIP('','',#9020,#9025);",
      "#9023=SHAPE_ASPECT_RELATIONSHIP('','',#9025,#9020);",
      "#9060=FLATNESS_TOLERANCE('','',#9010,#9020);",
      "#9061=FLATNESS_TOLERANCE('','',#9999,#9020);",
      '#9062=FLATNESS_TOLERANCE();',
      "#9070=(GEOMETRIC_TOLERANCE('','',#9010,#9020)POSITION_TOLERANCE());",
      "#9071=GEOMETRIC_TOLERANCE_RELATIONSHIP('composite','',#9070,#9070);",
    ]);
    expect(said(pmiOf(bytes))).toEqual([
      [PMI_TYPE.controlFrame, '⏥ | 0.2'],
      [PMI_TYPE.flat, '⏥'],
      [PMI_TYPE.controlFrame, '⌖ | 0.2'],
      [PMI_TYPE.position, '⌖'],
    ]);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, byte) => {
        const damaged = Uint8Array.from(bytes);
        damaged[at] = byte;
        expect(() => pmiOf(damaged)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  test('a model without them has none, one with them is found by what they say', async () => {
    expect(readStepAnnotations(stepFile({ parts: [{ name: 'plain', shape: BOX }] }))).toBeUndefined();
    const folder = await mkdtemp(join(tmpdir(), 'shapedex-model-pmi-'));
    const engine = await Engine.open(folder, { workers: 1 });
    try {
      const acme = await engine.company('acme');
      const plain = await acme.put('plain.step', stepFile({ parts: [{ name: 'plain', shape: BOX }] }));
      const bytes = annotated(CYLINDER, [
        MM,
        shown(9010, 10),
        ...sized(9100, 'diameter', '@cylinder', '#9010'),
        "#9310=LIMITS_AND_FITS('g','shaft','6','');",
        '#9311=PLUS_MINUS_TOLERANCE(#9310,#9102);',
      ]);
      const { uid, state } = await acme.put('pin.step', bytes);
      expect(state).toBe('indexed');
      expect(await acme.pmi(plain.uid)).toBeUndefined();
      expect((await acme.pmi(uid))?.pages).toMatchObject([
        {
          page: 1,
          widthPx: 0,
          heightPx: 0,
          objects: [{ typeId: PMI_TYPE.diameter, parts: [{ text: '⌀10', tolerance: ['g6'] }] }],
        },
      ]);
      expect((await acme.search({ text: 'Fit=[g6]' })).hits.map(({ path }) => path)).toEqual(['pin.step']);
      expect((await acme.search({ text: 'g6' })).hits.map(({ path }) => path)).toEqual(['pin.step']);
      await expect(acme.pictures.pmi(uid)).rejects.toMatchObject({ code: 'NO_GEOMETRY' });
    } finally {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
