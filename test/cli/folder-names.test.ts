import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { namesApart, namesOfFolders } from '../../dist/cli/named.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shapedex-names-'));
  for (const name of ['north/parts', 'south/parts', 'a/north/parts', 'parts', 'drawings'])
    mkdirSync(join(folder, name), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const names = (...below: string[]): Promise<string[]> => namesOfFolders(below.map((name) => join(folder, name)));

test('folders of the same name are called by as much of their paths as tells them apart', async () => {
  expect(await names('drawings', 'parts')).toEqual(['drawings', 'parts']);
  expect(await names('north/parts', 'drawings', 'south/parts')).toEqual(['north/parts', 'drawings', 'south/parts']);
  const [above, beside] = await names('north/parts', 'a/north/parts');
  expect(above).toMatch(/^shapedex-names-.*\/north\/parts$/);
  expect(beside).toBe('a/north/parts');
});

test('a folder that is given twice, or whose files would have paths as those of another, is told', async () => {
  await expect(names('parts', './parts')).rejects.toThrow(/cannot be told apart.*--prefix/);
  // Files of x/north below its own parts would be north/parts/..., as those of south/north/parts are.
  expect(() => namesApart(['x/north', 'south/north/parts', 'z/parts'])).toThrow(/cannot be told apart/);
});
