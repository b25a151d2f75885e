import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Engine } from '../../../dist/index.js';
import { temporaryFolder } from '../../fixtures/folder.js';
import { seeded } from '../../fixtures/random.js';
import { stepFile } from '../../fixtures/step-writer.js';

/** Files of three parts with one to four places copied over others, of 60 or 2 000 bytes in turns. */
function spliced(count: number): Uint8Array[] {
  const sound = stepFile({
    parts: [
      { name: 'a', shape: { kind: 'torus', radius: 20, tube: 5 }, color: [1, 0.5, 0] },
      { name: 'b', shape: { kind: 'box', x: 3, y: 4, z: 5 } },
      { name: 'c', shape: { kind: 'cylinder', radius: 3, height: 4 } },
    ],
    assembly: {
      name: 'w',
      placements: [0, 1, 2].map((part) => ({
        part,
        at: [[0, 0, 0] as const, [30, 0, 0] as const, [50, 0, 0] as const][part],
      })),
    },
  });
  const random = seeded(7);
  return Array.from({ length: count }, (_, i) => {
    const copy = sound.slice();
    for (let places = 1 + (i % 4); places > 0; places--) {
      const from = Math.floor(random() * copy.length);
      const to = Math.floor(random() * copy.length);
      copy.copyWithin(to, from, from + 1 + Math.floor((i % 2 === 1 ? 2_000 : 60) * random()));
    }
    return copy;
  });
}

// The kernel reads memory that it never wrote where a file is damaged. With what the file before left there, it ran
// for ever on the last of these.
test('a damaged file is read as in a kernel that has read nothing before', async () => {
  const [before, file] = spliced(148).slice(-2);
  const engine = await Engine.open(join(temporaryFolder(), 'library'), { workers: 1, limits: { timeoutMs: 10_000 } });
  try {
    const company = await engine.company('acme');
    await company.put('before.step', before);
    const { state, error } = await company.put('file.step', file);
    expect([state, error?.code]).toEqual(['failed', 'FILE_MALFORMED']);
  } finally {
    await engine.close();
  }
}, 60_000);
