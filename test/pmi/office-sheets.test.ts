// Sheets as programs for diagrams draw them (bench/drawings/office.mjs): values in tight gaps of broken lines.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { generatedDrawings } from '../../bench/support/pmi/generated.mjs';
import { compared } from '../../bench/support/pmi/score.mjs';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';

/** The page `1/2` among the fields, of outlines: left. */
const PAGE = '112';

test.each([
  // Dashes before values, letters crossed by extension lines, heads with a hollow back at their letters.
  { seed: 91_202, kinds: ['pdf-outlines', 'svg', 'dxf-text'] },
  // Single figures that are read upwards, others upside down: 6, 9, 86.
  { seed: 91_203, kinds: ['pdf-outlines', 'svg', 'dxf-text'] },
  { seed: 91_205, kinds: ['pdf-outlines', 'svg', 'dxf-text'] },
])(
  'sizes in broken lines of sheet $seed, and their types',
  async ({ seed, kinds }) => {
    for await (const { name, path, casesOf } of generatedDrawings({ seed, count: 1, kinds, isOffice: true })) {
      const content = await readContent(new Uint8Array(await readFile(path)), path, {
        limits: DEFAULT_LIMITS,
        defaultUnit: 'mm',
      });
      if (content.kind !== 'drawing') throw new Error(`read as ${content.kind}`);
      const { wanted, found } = casesOf(readPmi(content));
      const { pairs, missed, invented } = compared(wanted, found, { isPlaced: true });
      const said = ({ text }: { readonly text: string }): string => text;
      expect([name, missed.map(said), invented.map(said).filter((text) => text !== PAGE)]).toEqual([name, [], []]);
      const isTyped = ({ item, each }: (typeof pairs)[number]): boolean => item.typeId === each.object.typeId;
      expect([name, pairs.filter(isTyped).length / pairs.length > 0.9]).toEqual([name, true]);
    }
  },
  30_000,
);
