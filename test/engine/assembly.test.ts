import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Engine, type AssemblyComponent } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { stepFile, type StepFile } from '../fixtures/step-writer.js';

const folder = temporaryFolder();
const FILE: StepFile = {
  parts: [
    { name: 'block', shape: { kind: 'box', x: 10, y: 20, z: 30 } },
    { name: 'cube', shape: { kind: 'box', x: 5, y: 5, z: 5 } },
  ],
  assemblies: [
    {
      name: 'pair',
      places: [
        { of: { part: 0 }, at: [0, 0, 0], occurrence: 'left' },
        { of: { part: 0 }, at: [20, 0, 0], occurrence: 'right' },
      ],
    },
    {
      name: 'whole',
      places: [
        { of: { assembly: 0 }, at: [0, 0, 0] },
        { of: { assembly: 0 }, at: [0, 0, 50] },
        { of: { part: 1 }, at: [-9, 0, 0] },
      ],
    },
  ],
};

function outline({ name, volumeMm3, children }: AssemblyComponent): unknown {
  return [name, Math.round(volumeMm3 * 1e6) / 1e6, ...children.map(outline)];
}

test('an assembly has a tree that lasts, and goes with its file', async () => {
  const library = join(folder, 'library');
  let engine = await Engine.open(library, { workers: 1 });
  let acme = await engine.company('acme');
  const { uid, componentCount, volumeMm3 } = await acme.put('whole.step', stepFile(FILE));
  expect(componentCount).toBe(5);
  expect(volumeMm3).toBeCloseTo(24_125, 1);
  const tree = await acme.assembly(uid);
  const pair = ['pair', 12_000, ['block', 6_000], ['block', 6_000]];
  expect(outline(tree!)).toEqual(['whole', 24_125, pair, pair, ['cube', 125]]);
  const [left, right] = tree!.children[1].children;
  expect([left.occurrence, right.occurrence]).toEqual(['left', 'right']);
  expect([left.bodies, right.bodies, tree!.children[2].bodies]).toEqual([[0], [0], [1]]);
  expect([left.transform, right.transform?.slice(12)]).toEqual([null, [20, 0, 0, 1]]);
  expect(tree!.children[1].transform?.slice(12)).toEqual([0, 0, 50, 1]);

  await engine.close();
  engine = await Engine.open(library, { workers: 1 });
  acme = await engine.company('acme');
  expect(await acme.assembly(uid)).toEqual(tree);
  // Other bytes under its UID: the tree is that of the bytes.
  await acme.put('whole.stl', boxStl(1, 2, 3), { uid });
  expect(await acme.assembly(uid)).toBeUndefined();
  await acme.delete(uid);
  await expect(acme.assembly(uid)).rejects.toMatchObject({ code: 'FILE_UNKNOWN' });
  await engine.close();
});
