import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { generatedDrawings } from '../../bench/support/pmi/generated.mjs';
import { compared } from '../../bench/support/pmi/score.mjs';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';

test.each(['picture', 'scan', 'pdf-text'])(
  '%s: of what is said with .9 and more, nine in ten are right',
  async (kind) => {
    let said = 0,
      right = 0,
      unsure = 0;
    for await (const { path, casesOf } of generatedDrawings({ seed: 4711, count: 3, kinds: [kind] })) {
      const content = await readContent(new Uint8Array(await readFile(path)), path, {
        limits: DEFAULT_LIMITS,
        defaultUnit: 'mm',
      });
      if (content.kind !== 'image' && content.kind !== 'drawing') throw new Error(`read as ${content.kind}`);
      const { wanted, found } = casesOf(readPmi(content));
      const { pairs } = compared(wanted, found, { isPlaced: true });
      const isSure = ({ object }: { object: { confidence?: number } }): boolean => (object.confidence ?? 0) >= 0.9;
      said += found.filter(isSure).length;
      unsure += found.filter((each) => !isSure(each)).length;
      right += pairs.filter(({ item, each }) => isSure(each) && item.tolerance === each.tolerance).length;
    }
    expect(said).toBeGreaterThan(40);
    expect(right / said, `${right} of ${said}, ${unsure} with less`).toBeGreaterThanOrEqual(0.9);
  },
  120_000,
);
