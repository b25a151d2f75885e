import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { zipSync } from 'fflate';
import { Engine } from '../../dist/index.js';
import { dxfOf } from '../fixtures/drawing-of-body.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { bossedPlate, screw } from '../fixtures/parts.js';
import { pdf, textAt } from '../fixtures/pdf-writer.js';
import { stepFile } from '../fixtures/step-writer.js';

/** The password of the user in the library. */
export const PASSWORD = createHash('sha1').update('long ago').digest();
export const EMAIL = 'ada@acme.example';

/** The files of the library: one of each kind that is read in a way of its own. */
export const FILES: Readonly<Record<string, { readonly bytes: () => Uint8Array; readonly attributes?: string[] }>> = {
  'fasteners/screw.stl': {
    bytes: () => writeStlBinary(screw(5, 16)),
    attributes: ['Material=Steel', 'Mass(g)=12.5'],
  },
  'assemblies/plate-with-pins.step': {
    bytes: () =>
      stepFile({
        parts: [
          { name: 'plate', shape: { kind: 'box', x: 60, y: 40, z: 5 } },
          { name: 'pin', shape: { kind: 'cylinder', radius: 4, height: 30 } },
        ],
        assembly: {
          name: 'plate with pins',
          placements: [
            { part: 0, at: [0, 0, 0] },
            { part: 1, at: [15, 20, 5] },
            { part: 1, at: [45, 20, 5] },
          ],
        },
      }),
  },
  'drawings/plate.dxf': { bytes: () => dxfOf(bossedPlate(60, 20, 3)), attributes: ['Material=Brass'] },
  'orders/4711.pdf': {
    bytes: () => pdf([{ content: textAt('Order 4711: twenty flanges of stainless steel', 60, 760, 14) }]),
  },
  'notes/flange.txt': { bytes: () => new TextEncoder().encode('The flange AB-123 is turned from stainless steel.\n') },
  'broken/cut-off.step': { bytes: () => new TextEncoder().encode('ISO-10303-21;\nHEADER;') },
};

/** Makes the library in a folder with the engine of today. */
export async function makeLibrary(folder: string): Promise<void> {
  const engine = await Engine.open(folder, { workers: 2, accounts: { scryptCost: 1024 } });
  const company = await engine.company('acme');
  for (const [path, { bytes, attributes }] of Object.entries(FILES)) {
    const indexAssemblyComponents = path.startsWith('assemblies/');
    await company.put(path, bytes(), { attributes, indexAssemblyComponents });
  }
  await engine.idle();
  const { id } = await company.categories.add('Fasteners');
  await company.categories.assign((await company.find('fasteners/screw.stl'))!.uid, id);
  const user = await engine.accounts.addUser({
    ...{ email: EMAIL, firstName: 'Ada', lastName: 'L', company: 'acme', role: 'admin' as const },
    passwordDigest: PASSWORD,
  });
  await engine.accounts.saveSearch(user.uid, { name: 'steel', query: 'text=steel' });
  await engine.accounts.setProfile('acme', { overwriteFiles: true });
  await engine.close();
}

/** A folder with what is below it as a ZIP; lock and sockets are left out. */
export function zipOf(folder: string): Uint8Array {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/lock|\.sock/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return zipSync(
    Object.fromEntries(
      entries.map((path) => [
        relative(folder, path),
        [new Uint8Array(readFileSync(path)), { mtime: new Date(1980, 0, 1), level: 9 }],
      ]),
    ),
  );
}
