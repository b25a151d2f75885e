// Broad sheets made by code, as DXF of lines and texts: sizes in pictorial views, and signs that are drawn beside them.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { generatedDrawings } from '../../bench/support/pmi/generated.mjs';
import { compared } from '../../bench/support/pmi/score.mjs';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';

test.each([
  ['a box that is sheared with its axis', 95_008],
  ['deviations behind a size whose width is guessed too wide', 95_014],
  ['a sheared ⌀, whose stroke is long', 95_015],
  ['↧ whose shaft ends at the back of its head', 96_002],
  ['extension lines and an edge about a size, which are no box', 96_003],
  ['a control frame that an edge of a view crosses', 96_010],
  ['a ⌀ that touches its number', 98_518],
])('%s', async (_, seed) => {
  for await (const { path, casesOf } of generatedDrawings({ seed, count: 1, kinds: ['dxf-text'], isBroad: true })) {
    const bytes = new Uint8Array(await readFile(path));
    const content = await readContent(bytes, path, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
    if (content.kind !== 'drawing') throw new Error(`read as ${content.kind}`);
    const { wanted, found } = casesOf(readPmi(content));
    const { pairs, missed, invented } = compared(wanted, found, { isPlaced: true });
    expect([missed, invented]).toEqual([[], []]);
    for (const { item, each } of pairs) expect([each.text, each.tolerance]).toEqual([item.text, item.tolerance]);
  }
});
