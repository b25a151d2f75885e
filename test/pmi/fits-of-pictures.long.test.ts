import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { generatedDrawings } from '../../bench/support/pmi/generated.mjs';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';

test('on a picture, fits on each other are a pair, and lost letters of them are read again', async () => {
  for await (const { path } of generatedDrawings({ seed: 20, count: 1, kinds: ['picture'], isFits: true })) {
    const content = await readContent(new Uint8Array(await readFile(path)), path, {
      limits: DEFAULT_LIMITS,
      defaultUnit: 'mm',
    });
    if (content.kind !== 'image') throw new Error(`read as ${content.kind}`);
    const found = readPmi(content).pages[0].objects.flatMap(({ parts }) =>
      parts.map(({ text, tolerance = [] }) => [text, ...tolerance].join(' ')),
    );
    // `k6` was `K6`, `js7` without its dots `s7`, and the zero below `JS9 +0.38` a part of the size.
    const wanted = ['⌀26.01 G6/k6', '⌀126.51 G6/js7', '46.30 F8/js7', '165.3 JS9 +0.38 +0', '109.92 h6'];
    expect(found).toEqual(expect.arrayContaining(wanted));
  }
});
