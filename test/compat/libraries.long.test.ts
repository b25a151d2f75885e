import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { Engine } from '../../dist/index.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { EMAIL, FILES, makeLibrary, PASSWORD, zipOf } from './library-contents.js';

const folder = temporaryFolder();
/** Released formats, each with a library that was written when it was the newest. */
const VERSIONS = ['0.1.0'];
const zipAt = (version: string): string => fileURLToPath(new URL(`library-${version}.zip`, import.meta.url));

/** Writes the library of a version that is about to be released: `SHAPEDEX_KEEP_LIBRARY=0.2.0`; see README.md. */
const kept = process.env['SHAPEDEX_KEEP_LIBRARY'];
test.runIf(kept !== undefined)('the library of the present version is kept', async () => {
  await makeLibrary(join(folder, 'kept'));
  expect(existsSync(zipAt(kept!)), 'a kept library is never written again').toBe(false);
  writeFileSync(zipAt(kept!), zipOf(join(folder, 'kept')));
});

describe.each(VERSIONS)('a library of version %s', (version) => {
  const opened = async (name: string): Promise<Engine> => {
    const library = join(folder, `${version}-${name}`);
    for (const [path, bytes] of Object.entries(unzipSync(readFileSync(zipAt(version))))) {
      mkdirSync(dirname(join(library, path)), { recursive: true });
      writeFileSync(join(library, path), bytes);
    }
    return Engine.open(library, { workers: 1, accounts: { scryptCost: 1024 } });
  };

  test('opens with all files, found by shape, words, attributes and as parts of an assembly', async () => {
    const engine = await opened('files');
    const company = await engine.company('acme');
    const records = await company.list();
    expect(records.map(({ path }) => path)).toEqual(Object.keys(FILES).sort());
    await engine.idle();
    const states = await Promise.all(records.map(async ({ uid, path }) => [path, (await company.status(uid)).state]));
    expect(states).toEqual(records.map(({ path }) => [path, path.startsWith('broken/') ? 'failed' : 'indexed']));
    const uid = async (path: string): Promise<string> => (await company.find(path))!.uid;
    for (const { path, uid: stored } of records)
      expect(Buffer.from(await company.bytes(stored)).equals(FILES[path].bytes()), path).toBe(true);

    const bytes = FILES['fasteners/screw.stl'].bytes();
    const [same] = (await company.search({ like: { bytes, extension: '.stl' } })).hits;
    expect([same.path, same.matchClass]).toEqual(['fasteners/screw.stl', 'identical']);
    const words = await company.search({ text: 'stainless' });
    expect(words.hits.map(({ path }) => path).sort()).toEqual(['notes/flange.txt', 'orders/4711.pdf']);
    const brass = await company.search({ attributes: [{ name: 'Material', equals: 'Brass' }] });
    expect(brass.hits.map(({ path }) => path)).toEqual(['drawings/plate.dxf']);
    const assembly = await uid('assemblies/plate-with-pins.step');
    const bill = (await company.assemblies.billOfMaterials(assembly))!;
    expect(bill.map(({ name, total }) => [name, total])).toEqual([
      ['plate', 1],
      ['pin', 2],
    ]);
    expect(await company.components(assembly)).toHaveLength(2);
    expect((await company.pmi(await uid('drawings/plate.dxf')))?.pages).toHaveLength(1);
    const [{ id, name }] = await company.categories.list();
    expect(name).toBe('Fasteners');
    expect((await company.get(await uid('fasteners/screw.stl'))).categoryId).toBe(id);
    await engine.close();
  });

  test('its user signs in, with what was saved and set; new files are stored, and it verifies', async () => {
    const engine = await opened('users');
    const { accounts } = engine;
    const { accessToken } = await accounts.grantPassword({ email: EMAIL, passwordDigest: PASSWORD });
    const principal = await accounts.principalOf(accessToken);
    expect(principal).toMatchObject({ email: EMAIL, role: 'admin', companyName: 'acme' });
    expect((await accounts.savedSearches(principal!.userUid!)).map(({ name }) => name)).toEqual(['steel']);
    expect((await accounts.profile('acme')).overwriteFiles).toBe(true);
    const company = await engine.company('acme');
    const { uid } = await company.put('notes/new.txt', new TextEncoder().encode('A word of today: kaleidoscope.'));
    await engine.idle();
    expect((await company.search({ text: 'kaleidoscope' })).hits.map((hit) => hit.uid)).toEqual([uid]);
    const report = await engine.verify();
    expect(report.problems).toEqual([]);
    await engine.close();
  });
});
