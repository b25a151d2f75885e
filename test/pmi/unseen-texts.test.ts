import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';

const wordsOf = ({ text, tolerance = [] }: { readonly text: string; readonly tolerance?: readonly string[] }): string =>
  [text, ...tolerance].join(' ');

/** The sizes of a page with so much line work that it is a drawing, and what is said about what is not read. */
async function read(content: string): Promise<{ sizes: string[]; said: string[] }> {
  const bytes = pdf([{ content: `${lineWork(400)}0 0 0 rg\n${textAt('25 H7', 100, 700)}${content}` }]);
  const found = await readContent(bytes, 'a.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (found.kind !== 'drawing') throw new Error(`a ${found.kind}`);
  const { pages, leftOut } = readPmi(found);
  const sizes = pages.flatMap(({ objects }) => objects.map(({ parts }) => parts.map(wordsOf).join(' ')));
  return { sizes, said: [...found.warnings.map(({ message }) => message), ...leftOut] };
}
const unseen = (count: number): string =>
  `${count} texts that are not seen, because they are white or drawn without ink, are no part of the PMI`;

test.each([
  ['neither filled nor stroked', `3 Tr\n${textAt('31 H7', 200, 700)}0 Tr\n`],
  ['a clip alone', `q 7 Tr\n${textAt('31 H7', 200, 700)}Q\n`],
  ['white', `1 1 1 rg\n${textAt('31 H7', 200, 700)}0 0 0 rg\n`],
  ['nearly white', `q .99 .99 1 rg\n${textAt('31 H7', 200, 700)}Q\n`],
])('a text that is %s is no size, and is told', async (_, content) => {
  expect(await read(`${content}${textAt('44 H7', 300, 700)}`)).toEqual({
    sizes: ['25 H7', '44 H7'],
    said: [unseen(1)],
  });
});

test.each([
  ['yellow', `q 1 1 0 rg\n${textAt('31 H7', 200, 700)}Q\n`],
  ['white on a dark area', `q 0 0 .4 rg 190 690 80 30 re f 1 1 1 rg\n${textAt('31 H7', 200, 700)}Q\n`],
  ['stroked in black and not filled', `q 1 Tr 1 1 1 rg\n${textAt('31 H7', 200, 700)}Q\n`],
])('a text that is %s is seen', async (_, content) => {
  expect(await read(content)).toEqual({ sizes: ['25 H7', '31 H7'], said: [] });
});

test('a text without ink over its letters as areas says what is seen there', async () => {
  const areas = [0, 7, 14, 21].map((x) => `${200 + x} 700 5 8 re f`).join('\n');
  expect(await read(`${areas}\n3 Tr\n${textAt('31 H7', 200, 700)}0 Tr\n`)).toEqual({
    sizes: ['25 H7', '31 H7'],
    said: [],
  });
});

test('texts that are too small to be read are told; on a page whose letters are all small they are read', async () => {
  const usual = textAt('44 H7', 300, 700) + textAt('NOTE', 400, 700);
  expect(await read(`${usual}${textAt('31 H7', 200, 700, 1)}`)).toEqual({
    sizes: ['25 H7', '44 H7'],
    said: ['1 texts with figures are too small to be read on paper, and were left out'],
  });
  // Letters of 5 points are small beside those of 12, and can be read.
  expect((await read(`${usual}${textAt('31 H7', 200, 700, 5)}`)).said).toEqual([]);
  const small = Array.from({ length: 20 }, (_, i) => textAt('31 H7', 200, 100 + 30 * i, 1)).join('');
  expect((await read(small)).sizes).toHaveLength(21);
});
