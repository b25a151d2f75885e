import { expect, test } from 'vitest';
import { printedWithout } from '../fixtures/package-copy.js';

const MODELLER = 'replicad-opencascadejs';
const KIT = new URL('../fixtures/box.mjs', import.meta.url).href;

/** Opens a library and converts a box with the writer of meshes, then a BREP box with the solid modeller. */
const CONVERT = (brep: string): string => `
  import { Engine } from './dist/index.js';
  import { boxStl } from ${JSON.stringify(KIT)};
  const engine = await Engine.open('./library-' + process.pid, { workers: 1 });
  const acme = await engine.company('acme');
  const converted = (name, bytes, to) => acme.convert([{ name, bytes }], { to }).then(
    (zip) => zip.length > 100,
    ({ code, details, message }) => ({ code, package: details.package, message }),
  );
  const brep = Buffer.from(${JSON.stringify(brep)});
  console.log(JSON.stringify([
    await converted('box.stl', boxStl(1, 2, 3), 'step'),
    await converted('box.brep', brep, 'stl'),
    await converted('box.brep', brep, 'step'),
  ]));
  await engine.close();
`;

test('without the solid modeller, what needs it names the package and all else is converted', async () => {
  const { brepBox } = await import('../fixtures/brep-writer.js');
  const module = CONVERT(Buffer.from(brepBox(2, 3, 4)).toString('latin1'));
  expect(await printedWithout([MODELLER, 'replicad'], module)).toEqual([
    true,
    true,
    { code: 'PACKAGE_MISSING', package: MODELLER, message: expect.stringContaining(`npm install ${MODELLER}`) },
  ]);
  expect(await printedWithout([], module)).toEqual([true, true, true]);
});
