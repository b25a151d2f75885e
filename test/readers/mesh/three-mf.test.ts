import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../dist/errors.js';
import { read3mf } from '../../../dist/readers/mesh/three-mf.js';
import { damaged } from '../../fixtures/damage.js';
import { box, tetrahedron, volumeOf } from '../../fixtures/shapes.js';
import { meshObject, modelPart, threeMf, threeMfPackage } from '../../fixtures/three-mf-writer.js';
import { codeOf, expectSound, options, text, warningsOf } from '../helpers.js';

const ROOT = '3D/3dmodel.model';

function read(resources: string, build: string, unit?: string) {
  return read3mf(threeMfPackage({ [ROOT]: modelPart(resources, build, unit) }), options());
}

describe('3MF', () => {
  it('reads a body', async () => {
    const model = await read3mf(threeMf(box(1, 2, 3)), options());
    expect(model).toMatchObject({
      format: '3mf',
      unit: 'mm',
      root: { name: 'box', meshes: [0], children: [] },
      warnings: [],
    });
    expectSound(model.meshes[0]);
    expect(volumeOf(model.meshes[0].positions, model.meshes[0].indices)).toBeCloseTo(6, 12);
  });

  it.each([
    ['micron', 'um', 0.001],
    ['centimeter', 'cm', 10],
    ['inch', 'in', 25.4],
    ['foot', 'ft', 304.8],
    ['meter', 'm', 1000],
  ])('honours %s in places and transforms', async (unit, expected, scale) => {
    const model = await read(
      meshObject(1, tetrahedron(1)),
      '<item objectid="1" transform="1 0 0 0 1 0 0 0 1 2 3 4"/>',
      unit,
    );
    expect(model.unit).toBe(expected);
    expect(Math.max(...model.meshes[0].positions)).toBeCloseTo(scale, 9);
    expect([...model.root.children[0].transform!.subarray(12)]).toEqual([2 * scale, 3 * scale, 4 * scale, 1]);
  });

  it('shares a mesh that is placed many times, in components of components', async () => {
    const resources =
      meshObject(1, box(1, 1, 1)) +
      '<object id="2" name="pair"><components><component objectid="1"/><component objectid="1" transform="0 1 0 -1 0 0 0 0 1 5 0 0"/></components></object>';
    const model = await read(
      resources,
      '<item objectid="2"/><item objectid="2" transform="1 0 0 0 1 0 0 0 1 0 9 0"/><item objectid="1"/>',
    );
    expect(model.meshes).toHaveLength(1);
    expect(model.root.children.map(({ name, children }) => [name, children.map(({ meshes }) => meshes)])).toEqual([
      ['pair', [[0], [0]]],
      ['pair', [[0], [0]]],
      ['box', []],
    ]);
    // Rows of the file are columns here: x goes to y, y to −x.
    expect([...model.root.children[0].children[1].transform!]).toEqual([
      0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1,
    ]);
  });

  it('finds objects in other parts of the package, each in its own unit', async () => {
    const root = modelPart(
      '<object id="7" name="whole"><components><component objectid="1" p:path="/3D/Objects/part%201.model" transform="1 0 0 0 1 0 0 0 1 1 0 0"/></components></object>',
      '<item objectid="7"/><item objectid="1" p:path="/3D/objects/part%201.model"/>',
      'inch',
    );
    const model = await read3mf(
      threeMfPackage({ [ROOT]: root, '3D/Objects/part 1.model': modelPart(meshObject(1, box(1, 1, 1)), '') }),
      options(),
    );
    expect(model.meshes).toHaveLength(1);
    expect(volumeOf(model.meshes[0].positions, model.meshes[0].indices)).toBeCloseTo(1, 12);
    expect(model.root.children[0].children[0].transform![12]).toBeCloseTo(25.4, 12);
  });

  it('takes colours of base materials and colour groups', async () => {
    const colors =
      '<basematerials id="5"><base name="red" displaycolor="#FF0000"/><base name="grey" displaycolor="#80808080"/></basematerials>' +
      '<m:colorgroup id="6"><m:color color="#00FF00FF"/></m:colorgroup>';
    const uniform = meshObject(3, box(1, 1, 1)).replaceAll('<triangle ', '<triangle pid="6" p1="0" ');
    const model = await read(
      colors +
        meshObject(1, box(1, 1, 1), 'pid="5" pindex="1"') +
        meshObject(2, box(2, 2, 2), 'pid="5" pindex="9"') +
        uniform,
      '<item objectid="1"/><item objectid="2"/><item objectid="3"/>',
    );
    expect(model.meshes.map(({ color }) => color)).toEqual([[128 / 255, 128 / 255, 128 / 255], undefined, [0, 1, 0]]);
  });

  it('leaves out triangles of vertices that do not exist or are no numbers, and says so', async () => {
    const object = meshObject(1, box(1, 1, 1)).replace(
      '<triangles>',
      '<triangles><triangle v1="0" v2="1" v3="8"/><triangle v1="-1" v2="1" v3="2"/><triangle v1="x" v2="1" v3="2"/><triangle v1="1" v2="1" v3="2"/>',
    );
    const model = await read(object, '<item objectid="1"/>');
    expect(model.meshes[0].indices).toHaveLength(36);
    expect(model.warnings).toEqual([{ code: 'TRIANGLES_DROPPED', message: expect.stringMatching(/^4 triangles/) }]);
  });

  it('reads the objects when nothing is built, and warns of what is missing', async () => {
    const model = await read(
      `${meshObject(1, box(1, 1, 1))}<object id="2"><components><component objectid="1"/><component objectid="99"/></components></object>`,
      '',
    );
    expect(model.root.children).toHaveLength(1);
    expect(warningsOf(model)).toEqual(['REFERENCE_MISSING']);
  });

  it('refuses what breaks the rules', async () => {
    const solid = meshObject(1, box(1, 1, 1));
    const component = (id: number, of: number) =>
      `<object id="${id}"><components><component objectid="${of}"/></components></object>`;
    expect(await codeOf(read(component(1, 2) + component(2, 1), '<item objectid="1"/>'))).toBe('FILE_MALFORMED');
    expect(await codeOf(read(solid + solid, '<item objectid="1"/>'))).toBe('FILE_MALFORMED');
    expect(await codeOf(read(solid, '<item objectid="1" transform="1 0 0"/>'))).toBe('FILE_MALFORMED');
    expect(await codeOf(read(solid, '<item objectid="1"/>', 'furlong'))).toBe('FILE_MALFORMED');
    expect(await codeOf(read('<object id="1"/>', '<item objectid="1"/>'))).toBe('NO_GEOMETRY');
    expect(await codeOf(read3mf(threeMfPackage({ 'other.txt': 'nothing' }), options()))).toBe('FILE_MALFORMED');
    expect(await codeOf(read3mf(threeMfPackage({ [ROOT]: '<html/>' }), options()))).toBe('FILE_MALFORMED');
    expect(await codeOf(read3mf(text('PK no zip'), options()))).toBe('FILE_MALFORMED');
  });

  it('keeps the limits, also where components multiply', async () => {
    // Each level places the one below ten times: 10⁹ boxes out of a few hundred bytes.
    let resources = meshObject(1, box(1, 1, 1));
    for (let id = 2; id <= 10; id++) {
      resources += `<object id="${id}"><components>${`<component objectid="${id - 1}"/>`.repeat(10)}</components></object>`;
    }
    await expect(read(resources, '<item objectid="10"/>')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    const one = threeMf(box(1, 1, 1));
    for (const limit of [{ triangles: 11 }, { unpackedBytes: 100 }, { archiveEntries: 2 }, { depth: 3 }]) {
      await expect(read3mf(one, options(limit))).rejects.toMatchObject({
        code: 'LIMIT_EXCEEDED',
        details: { limit: Object.keys(limit)[0] },
      });
    }
  });

  it('ends in a sound model or a coded error when damaged, 200 ways, packed and plain', async () => {
    const plain = modelPart(
      `${meshObject(1, box(1, 2, 3))}<object id="2"><components><component objectid="1"/></components></object>`,
      '<item objectid="2"/>',
    );
    let models = 0;
    const end = async (bytes: Uint8Array): Promise<void> => {
      try {
        (await read3mf(bytes, options())).meshes.forEach(expectSound);
        models++;
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
      }
    };
    for (const copy of damaged(threeMf(box(1, 2, 3)), 200, 3)) await end(copy);
    for (const copy of damaged(text(plain), 200, 4))
      await end(threeMfPackage({ [ROOT]: Buffer.from(copy).toString('latin1') }));
    expect(models).toBeGreaterThan(10);
  });
});
