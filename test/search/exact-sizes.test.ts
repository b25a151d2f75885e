import { expect, test } from 'vitest';
import { Engine } from '../../dist/index.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { stepFile } from '../fixtures/step-writer.js';

const shaft = (radius: number): Uint8Array =>
  stepFile({ parts: [{ name: 'shaft', shape: { kind: 'cylinder', radius, height: 63 } }] });

test('a shaft of a STEP file is found by its diameter, and not one of other size', async () => {
  const engine = await Engine.open(temporaryFolder(), { workers: 1 });
  try {
    const acme = await engine.company('acme');
    const { bboxSizeMm } = await acme.put('eight.step', shaft(4));
    await acme.put('nearly.step', shaft(4.005));
    [63, 8, 8].forEach((size, k) => expect(bboxSizeMm![k]).toBeCloseTo(size, 4));
    for (const text of ['Width=8mm', 'Height=8mm']) {
      const { hits } = await acme.search({ text: [text] });
      expect(
        hits.map(({ path }) => path),
        text,
      ).toEqual(['eight.step']);
    }
  } finally {
    await engine.close();
  }
});
