import { describe, expect, it } from 'vitest';
import { readPart21Properties } from '../../dist/readers/brep/step/part21-header.js';
import { decodePart21 } from '../../dist/readers/brep/step/part21-instances.js';
import { readContent } from '../../dist/readers/read.js';
import { damaged } from '../fixtures/damage.js';
import { glb, gltfOf } from '../fixtures/gltf-writer.js';
import { igesBox } from '../fixtures/iges-writer.js';
import { writeAmf } from '../fixtures/mesh-writers.js';
import { box } from '../fixtures/shapes.js';
import { stepFile } from '../fixtures/step-writer.js';
import { meshObject, modelPart, threeMfPackage } from '../fixtures/three-mf-writer.js';
import { options, text } from './helpers.js';
import { stopwatch } from '../fixtures/stopwatch.js';

async function propertiesOf(bytes: Uint8Array, name: string): Promise<string[]> {
  const content = await readContent(bytes, name, options());
  return (content.properties ?? []).map(({ name: property, value }) => `${property}=${value}`);
}

describe('STEP', () => {
  it('gives its header and its products', async () => {
    const file = Buffer.from(stepFile({ parts: [{ name: 'Größe 山', shape: { kind: 'box', x: 1, y: 2, z: 3 } }] }))
      .toString('latin1')
      .replace("FILE_DESCRIPTION((''),'2;1')", "FILE_DESCRIPTION(('a shaft','for a gear'),'2;1')")
      .replace(
        "FILE_NAME('','2026-01-01T00:00:00',(''),(''),'','','')",
        "FILE_NAME('it''s.stp','2026-01-01T00:00:00',('Anna','Bert (B.)'),('ACME'),'Pre 1.0' /* by */ ,'CAD 7','unknown')",
      );
    expect(await propertiesOf(Buffer.from(file, 'latin1'), 'a.step')).toEqual([
      "File name=it's.stp",
      'Description=a shaft; for a gear',
      'Author=Anna; Bert (B.)',
      'Organization=ACME',
      'Preprocessor=Pre 1.0',
      'Originating system=CAD 7',
      'Time stamp=2026-01-01T00:00:00',
      'Schema=AP214 (AUTOMOTIVE_DESIGN)',
      'Product id=Größe 山',
      'Product name=Größe 山',
    ]);
  });

  it.each([
    ['plain', 'plain'],
    ["it''s", "it's"],
    ['\\X2\\00D8\\X0\\25', 'Ø25'],
    ['\\X2\\5C71D83DDE00\\X0\\', '山😀'],
    ['\\X4\\0001F600\\X0\\', '😀'],
    ['\\X\\E9t\\X\\E9', 'été'],
    ['\\S\\d\\S\\v', 'äö'],
    ['\\PE\\\\S\\1', 'Б'],
    ['C:\\\\a\\\\X2', 'C:\\a\\X2'],
    ['\\X2\\12', '\\X2\\12'],
    [Buffer.from('Größe').toString('latin1'), 'Größe'],
    ['Gr\xf6\xdfe', 'Größe'],
  ])('%j is read as %j', (coded, plain) => {
    expect(decodePart21(coded)).toBe(plain);
  });

  it('names a product once, and not more products than make sense', () => {
    const products = Array.from(
      { length: 3_000 },
      (_, i) => `#${i + 1}=PRODUCT('P${i % 1_000}','part ${i % 1_000}','',(#9));`,
    ).join('\n');
    const found = readPart21Properties(
      text(`ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\n#5=PRODUCT_DEFINITION('no','',#1,#2);\n${products}\nENDSEC;\n`),
    );
    expect(found).toHaveLength(40);
    expect(found.slice(0, 3).map(({ name, value }) => `${name}=${value}`)).toEqual([
      'Product id=P0',
      'Product name=part 0',
      'Product id=P1',
    ]);
  });

  it('broken headers give what they give, at once', () => {
    const whole = stepFile({ parts: [{ name: 'a', shape: { kind: 'box', x: 1, y: 2, z: 3 } }] });
    const took = stopwatch();
    for (const bytes of damaged(whole, 200, 9)) expect(readPart21Properties(bytes).length).toBeLessThan(50);
    readPart21Properties(text(`HEADER;FILE_NAME(${'('.repeat(200_000)}`));
    readPart21Properties(text(`HEADER;FILE_NAME('${"''".repeat(100_000)}`));
    expect(took()).toBeLessThan(2_000);
  });
});

describe('other models', () => {
  it('IGES gives its global section', async () => {
    expect(await propertiesOf(igesBox(1, 2, 3), 'a.igs')).toEqual([
      'Product id=test',
      'File name=test.igs',
      'Originating system=test',
      'Preprocessor=test',
      'Time stamp=2026-01-01T00:00:00',
      'Author=test',
      'Organization=test',
      'Modified=2026-01-01T00:00:00',
    ]);
  });

  it('3MF, AMF and glTF give their metadata', async () => {
    const part = modelPart(meshObject(1, box(1, 2, 3)), '<item objectid="1"/>').replace(
      '<resources>',
      '<metadata name="Title">Größe</metadata><metadata name="Designer">Anna</metadata><resources>',
    );
    expect(await propertiesOf(threeMfPackage({ '3D/3dmodel.model': part }), 'a.3mf')).toEqual([
      'Title=Größe',
      'Author=Anna',
    ]);
    expect(
      await propertiesOf(writeAmf([box(1, 2, 3)], { more: '<metadata type="author">Anna</metadata>' }), 'a.amf'),
    ).toEqual(['Author=Anna']);
    const { json, chunk } = gltfOf(box(1, 2, 3));
    const asset = { version: '2.0', generator: 'Exporter 1', copyright: 'ACME', extras: { title: 'Gear', parts: [1] } };
    expect(await propertiesOf(glb({ ...json, asset }, chunk), 'a.glb')).toEqual([
      'Originating system=Exporter 1',
      'Copyright=ACME',
      'Title=Gear',
    ]);
  });
});
