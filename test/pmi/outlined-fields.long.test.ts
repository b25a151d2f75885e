import { expect, test } from 'vitest';
import { pdfOf } from '../../bench/drawings/pdf.mjs';
import { sheetOf } from '../../bench/drawings/sheet.mjs';
import { rasterOf } from '../../bench/drawings/raster.mjs';
import { titleSheetOf } from '../../bench/drawings/title-blocks.mjs';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';

const FIELDS = ['Part number', 'Name', 'Material', 'Finish', 'Mass', 'Scale', 'Revision', 'General tolerance'];
const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, '');

test('fields of title blocks in outlined letters are attributes, though I and l have one form', async () => {
  const wrong: string[] = [];
  let asked = 0;
  for (let seed = 9302; seed < 9314; seed++) {
    const { page } = titleSheetOf(seed);
    const content = await readContent(new Uint8Array(await pdfOf(page, 'outlines')), 'sheet.pdf', {
      limits: DEFAULT_LIMITS,
      defaultUnit: 'mm',
    });
    if (content.kind !== 'drawing') throw new Error(`read as ${content.kind}`);
    const { attributes } = readPmi(content);
    const given = new Map(attributes.map(({ name, value }) => [name, value]));
    for (const { name, value } of page.attributes) {
      if (!FIELDS.includes(name)) continue;
      asked++;
      if (plain(given.get(name) ?? '') !== plain(value))
        wrong.push(`${seed} ${name}: ${value}, read ${given.get(name)}`);
    }
  }
  expect(asked).toBeGreaterThan(60);
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(0.04 * asked);
});

test('fields in letters of strokes, upright and leaning, of two fonts and of broad sheets', async () => {
  const wrong: string[] = [];
  // Leaning letters with colons of two bars; the same upright; narrow letters beside wide ones; short values.
  for (const [seed, isBroad] of [
    [6001, false],
    [833, true],
    [5602, false],
    [5605, false],
  ] as const) {
    const page = sheetOf(seed, { isBroad });
    const content = await readContent(new Uint8Array(await pdfOf(page, 'outlines')), 'sheet.pdf', {
      limits: DEFAULT_LIMITS,
      defaultUnit: 'mm',
    });
    if (content.kind !== 'drawing') throw new Error(`read as ${content.kind}`);
    const { attributes } = readPmi(content);
    for (const { name, value } of page.attributes)
      if (!attributes.some((each) => each.name === name && each.value === value))
        wrong.push(`${seed} ${name}: ${value}, read ${attributes.find((each) => each.name === name)?.value}`);
  }
  expect(wrong).toEqual([]);
}, 120_000);

test('fields of scans whose labels have letters that look like others, or touch each other', async () => {
  const wrong: string[] = [];
  // `Dsgnason:` and a scale without its colon; two labels whose small letters are one band of ink; a scale read as 21.
  for (const [seed, { page }, names] of [
    [9914, titleSheetOf(9914), ['Name', 'Scale', 'Finish', 'Material']],
    [9920, titleSheetOf(9920), ['Name', 'Finish', 'Material']],
    [29006, { page: sheetOf(29006) }, ['Scale', 'Mass']],
  ] as const) {
    const { bytes, extension } = await rasterOf(page, 'scan', seed);
    const content = await readContent(bytes, `sheet${extension}`, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
    if (content.kind !== 'image') throw new Error(`read as ${content.kind}`);
    const { attributes } = readPmi(content);
    for (const { name, value } of page.attributes) {
      const read = attributes.find((attribute) => attribute.name === name)?.value ?? '';
      if ((names as readonly string[]).includes(name) && plain(read) !== plain(value))
        wrong.push(`${seed} ${name}: ${value}, read ${read}`);
    }
  }
  expect(wrong).toEqual([]);
});
