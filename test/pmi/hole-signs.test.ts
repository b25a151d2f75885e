import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';

/** What is read on a page beside its line work. */
async function readingsOf(content: string): Promise<string[]> {
  const bytes = pdf([{ content: `${lineWork(400)}${content}` }]);
  const read = await readContent(bytes, 'a.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (read.kind !== 'drawing') throw new Error(`a ${read.kind}`);
  const { pages } = readPmi(read);
  return pages.flatMap(({ objects }) =>
    objects.map(({ parts }) => parts.map(({ text }) => text.replace(/\s/g, '')).join(' / ')),
  );
}
const path = (...points: readonly (readonly [number, number])[]): string =>
  `${points.map(([x, y], i) => `${x} ${y} ${i === 0 ? 'm' : 'l'}`).join(' ')} S\n`;
const [X, Y] = [140, 700];
const DIAMETER = textAt('\xd811', X, Y, 12);

test.each([
  ['⌴⌀11', path([X - 16, Y + 6], [X - 16, Y], [X - 4, Y], [X - 4, Y + 6])],
  ['⌵⌀11', path([X - 14, Y + 8], [X - 9, Y], [X - 4, Y + 8])],
  // A leg alone, a foot with legs of two heights, a ↧'s arrowhead: none of them.
  ['⌀11', path([X - 16, Y], [X - 4, Y], [X - 4, Y + 6])],
  ['⌀11', path([X - 14, Y + 8], [X - 9, Y], [X - 4, Y + 8]) + path([X - 9, Y], [X - 9, Y + 9])],
])('%s where its sign is drawn beside the text', async (said, drawn) => {
  expect(await readingsOf(DIAMETER + drawn)).toContain(said);
});

test('a drawn square before a length', async () => {
  const square = path([X - 12, Y], [X - 12, Y + 8], [X - 4, Y + 8], [X - 4, Y], [X - 12, Y]);
  expect(await readingsOf(textAt('20', X, Y, 12) + square)).toContain('□20');
});

test('a ring of chords with a thread in it is a hole, with its name below a bar a datum target', async () => {
  const ring = path(
    ...Array.from({ length: 33 }, (_, i): [number, number] => [
      150 + 22 * Math.cos((i * Math.PI) / 16),
      700 + 22 * Math.sin((i * Math.PI) / 16),
    ]),
  );
  const thread = ring + textAt('M12', 138, 686, 12);
  expect(await readingsOf(thread)).toContain('M12');
  const types = async (content: string): Promise<number[]> => {
    const bytes = pdf([{ content: `${lineWork(400)}${content}` }]);
    const read = await readContent(bytes, 'a.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
    return read.kind === 'drawing' ? readPmi(read).pages.flatMap(({ objects }) => objects.map((o) => o.typeId)) : [];
  };
  expect(await types(thread)).toEqual([40]);
  expect(await types(thread + path([128, 700], [172, 700]))).toEqual([34]);
});
