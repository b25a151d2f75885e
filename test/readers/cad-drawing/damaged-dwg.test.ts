import { expect, test } from 'vitest';
import { dwg } from '../../../bench/campaigns/support/dwg.mjs';
import { EngineError } from '../../../dist/errors.js';
import { processorTimeMs } from '../../../dist/processor-time.js';
import { readContent } from '../../../dist/readers/read.js';
import { damaged } from '../../fixtures/damage.js';
import { options } from '../helpers.js';

/** A sound one takes some 10 ms; before, one damaged file in twenty took minutes. */
const MOST_MS = 4_000;

test.each(['AC1015', 'AC1018', 'AC1024', 'AC1032'])(
  'damaged copies of a DWG %s end soon',
  async (version) => {
    const whole = new Uint8Array(await dwg(version));
    expect((await readContent(whole, 'a.dwg', options())).kind).toBe('drawing');
    for (const bytes of damaged(whole, 60, 12)) {
      const begun = processorTimeMs();
      try {
        await readContent(bytes, 'a.dwg', options());
      } catch (cause) {
        expect(cause).toBeInstanceOf(EngineError);
      }
      expect(processorTimeMs() - begun).toBeLessThan(MOST_MS);
    }
  },
  60_000,
);

test('a table of blocks that names an object of another kind is read without it', async () => {
  const bytes = new Uint8Array(await dwg('AC1015'));
  // The low bits of a handle: what it names is a dictionary then.
  bytes[771] = 0x42;
  expect((await readContent(bytes, 'a.dwg', options())).kind).toBe('drawing');
});
