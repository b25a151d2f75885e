import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { generatedDrawings } from '../../bench/support/pmi/generated.mjs';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { splitSheet } from '../../dist/shapelets/sheet/split-sheet.js';

type Styles = Omit<Parameters<typeof generatedDrawings>[0], 'seed' | 'count' | 'kinds'>;
const VECTORS = ['dxf', 'dxf-binary', 'dxf-text', 'svg', 'pdf-text', 'pdf-outlines'];
const STYLES: readonly Styles[] = [
  {},
  { isBroad: true },
  { hasForms: true },
  { isOffice: true },
  { isFits: true },
  { hasCallouts: true },
  { hasComposites: true },
  { hasOthers: true },
  { isBroad: true, hasForms: true, hasCallouts: true, hasComposites: true, hasOthers: true, isFits: true },
];

/** Pages that could not be read; what their annotations are is for other tests to say. */
async function faultsOf(seed: number, kinds: readonly string[], styles: Styles): Promise<string[]> {
  const faults: string[] = [];
  for await (const { name, path } of generatedDrawings({ seed, count: 1, kinds, ...styles })) {
    const content = await readContent(new Uint8Array(await readFile(path)), path, {
      limits: DEFAULT_LIMITS,
      defaultUnit: 'mm',
    });
    if (content.kind !== 'drawing' && content.kind !== 'image') continue;
    try {
      readPmi(content, splitSheet);
    } catch (cause) {
      faults.push(`${name}: ${cause instanceof Error ? cause.stack : cause}`);
    }
  }
  return faults;
}

test.each(STYLES.map((styles, i) => ({ styles, seed: 40_000 + i })))(
  'no page of lines of $styles ends in a fault',
  async ({ styles, seed }) => expect(await faultsOf(seed, VECTORS, styles)).toEqual([]),
  60_000,
);

// Scan 21004 has a lower row of a frame without datums, of one cell: its second one was asked for.
test.each([
  { kind: 'scan', seed: 21_004, styles: {} },
  { kind: 'picture', seed: 100, styles: { hasComposites: true } },
  { kind: 'scan', seed: 40_001, styles: { isBroad: true } },
  { kind: 'picture', seed: 40_002, styles: { isOffice: true } },
  { kind: 'photo', seed: 40_003, styles: { hasForms: true, hasCallouts: true } },
  { kind: 'scan', seed: 40_004, styles: { isFits: true, hasComposites: true } },
])(
  'no page of pixels ends in a fault: $kind of $styles',
  async ({ kind, seed, styles }) => expect(await faultsOf(seed, [kind], styles)).toEqual([]),
  60_000,
);
