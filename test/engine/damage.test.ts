import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../fixtures/folder.js';
import { damage, makeLibrary, useDamaged } from './damaged-library.js';

const folder = temporaryFolder();

test('a damaged library opens or says so, verify reports, and every call ends with a value or an EngineError', async () => {
  const sound = join(folder, 'sound');
  const files = await makeLibrary(sound);
  // Zeroed pages, changed text, blobs that are folders and links.
  for (const seed of [40, 43, 46]) {
    const library = join(folder, 'damaged');
    const what = damage(sound, library, seed);
    expect(await useDamaged(library, files, seed), what).toEqual([]);
  }
});
