import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../fixtures/folder.js';
import { damage, makeLibrary, useDamaged } from './damaged-library.js';

const folder = temporaryFolder();
const FIRST = 1_000;
const CASES = 20;

test('however a library is damaged, it opens or not, and every call ends with a value or an EngineError', {
  timeout: 600_000,
}, async () => {
  const sound = join(folder, 'sound');
  const files = await makeLibrary(sound);
  const wrong: string[] = [];
  for (let seed = FIRST; seed < FIRST + CASES; seed++) {
    const library = join(folder, 'damaged');
    const what = damage(sound, library, seed);
    for (const found of await useDamaged(library, files, seed)) wrong.push(`${what}: ${found}`);
  }
  expect(wrong).toEqual([]);
});
