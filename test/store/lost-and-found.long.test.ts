import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../fixtures/folder.js';
import { catalog, inStore, listOf, stored, verified, withOlderCatalogue } from './library-with-lost-files.js';

const folder = temporaryFolder();

test('killed before any one step of moving and of bringing back, a library loses nothing', {
  timeout: 300_000,
}, async () => {
  const { library, newer } = await withOlderCatalogue(join(folder, 'library'));
  const script = fileURLToPath(new URL('lost-and-found-steps.mjs', import.meta.url));
  const copy = `${library}-killed`;
  const begin = (from: string): void => {
    rmSync(copy, { recursive: true, force: true });
    cpSync(from, copy, { recursive: true });
  };
  /** The steps of an opening; before step `kill` (0: never) the process kills itself. */
  const steps = (kill: number): string[] => {
    try {
      const out = execFileSync(process.execPath, [script, copy, String(kill)], { encoding: 'utf8' });
      return out.trim().split('\n');
    } catch (cause) {
      expect((cause as { signal: string }).signal).toBe('SIGKILL');
      return [];
    }
  };
  const moved = `${library}-moved`;
  cpSync(library, moved, { recursive: true });
  await inStore(moved);
  cpSync(newer, catalog(moved));
  for (const [from, lost] of [
    [library, 4],
    [moved, 0],
  ] as const) {
    begin(from);
    const all = steps(0);
    const own = all.flatMap((step, at) => (/lost\+found|rename/.test(step) ? [at + 1] : []));
    expect(own.length).toBeGreaterThanOrEqual(4);
    for (const kill of own) {
      begin(from);
      expect(steps(kill)).toEqual([]);
      const { blobs, lost: left } = stored(copy);
      expect(new Set([...blobs, ...left]).size, all[kill - 1]).toBe(10);
      await inStore(copy, async (store) => expect((await verified(store)).problems).toEqual([]));
      expect(stored(copy), all[kill - 1]).toMatchObject({ blobs: { length: 10 - lost }, lost: { length: lost } });
      if (lost > 0) expect(listOf(copy)).toHaveLength(lost);
    }
  }
});
