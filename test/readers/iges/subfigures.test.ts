import { expect, test } from 'vitest';
import { solidBombs } from '../../../bench/campaigns/bombs/solids.mjs';
import { readContent } from '../../../dist/readers/read.js';
import { options } from '../helpers.js';

// Only the counting before the kernel ends these soon: the kernel would build each place.
test.each(['iges-subfigures-30-of-2.igs', 'iges-array-1e9-by-1e9.igs'])(
  '%s is refused before the kernel reads it',
  async (name) => {
    const [, make] = solidBombs().find((bomb) => bomb[0] === name)!;
    await expect(readContent(new Uint8Array(make()), name, options())).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'components' },
    });
  },
);

test('a subfigure inside itself is left to the kernel', async () => {
  const [name, make] = solidBombs().find((bomb) => bomb[0] === 'iges-subfigure-in-itself.igs')!;
  await expect(readContent(new Uint8Array(make()), name, options())).rejects.toMatchObject({ code: 'FILE_MALFORMED' });
});
