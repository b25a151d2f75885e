import { mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CacheFile } from '../../dist/store/disk/cache-file.js';

let folder: string;
let cache: CacheFile;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'shapedex-cache-')), 'graph');
  cache = new CacheFile(folder);
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

const FACTS = { count: 3, name: 'größe' };
const ATTACHMENT = Uint8Array.of(10, 0, 255, 10, 7);
const writeBody =
  (text: string) =>
  (path: string): Promise<void> =>
    writeFile(path, text);

describe('CacheFile', () => {
  test('gives back what was written; a second write replaces the first and leaves nothing else', async () => {
    expect(await cache.read()).toBeUndefined();
    await cache.write({ facts: FACTS, attachment: ATTACHMENT }, writeBody('first'));
    await writeFile(join(folder, 'draft-left-by-a-crash'), 'x');
    await cache.write({ facts: FACTS, attachment: ATTACHMENT }, writeBody('second'));
    const found = await new CacheFile(folder).read();
    expect(found?.facts).toEqual(FACTS);
    expect(found?.attachment).toEqual(ATTACHMENT);
    expect(await readFile(found!.bodyPath, 'utf8')).toBe('second');
    expect(await readdir(folder)).toHaveLength(2);
    await cache.remove();
    expect(await cache.read()).toBeUndefined();
  });

  test('a write that fails leaves the old cache and no draft', async () => {
    await cache.write({ facts: FACTS, attachment: ATTACHMENT }, writeBody('first'));
    const failing = cache.write({ facts: {}, attachment: ATTACHMENT }, async (path) => {
      await writeFile(path, 'half');
      throw new Error('the builder gave up');
    });
    await expect(failing).rejects.toThrow('the builder gave up');
    await expect(cache.write({ facts: {}, attachment: ATTACHMENT }, async () => {})).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
    });
    expect(await readFile((await cache.read())!.bodyPath, 'utf8')).toBe('first');
    expect(await readdir(folder)).toHaveLength(2);
  });

  test('a body without its head, as a crash between the two leaves it, is as if never written', async () => {
    await cache.write({ facts: FACTS, attachment: ATTACHMENT }, writeBody('first'));
    await writeFile(join(folder, `body-${'0'.repeat(64)}`), 'next');
    expect(await readFile((await cache.read())!.bodyPath, 'utf8')).toBe('first');
    await rm(join(folder, 'head'));
    expect(await cache.read()).toBeUndefined();
  });

  test('every flipped byte and every truncation of head and body is seen', async () => {
    await cache.write({ facts: FACTS, attachment: ATTACHMENT }, writeBody('the body of the cache'));
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const whole = await readFile(path);
      for (let i = 0; i < whole.length; i++) {
        const flipped = Buffer.from(whole);
        flipped[i] ^= 1 << (i % 8);
        await writeFile(path, flipped);
        expect(await cache.read(), `${name}, byte ${i} flipped`).toBeUndefined();
        await writeFile(path, whole);
        await truncate(path, i);
        expect(await cache.read(), `${name}, cut to ${i} bytes`).toBeUndefined();
      }
      await writeFile(path, whole);
      expect(await cache.read()).toBeDefined();
    }
  });
});
