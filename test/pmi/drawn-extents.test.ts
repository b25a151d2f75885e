import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';

/** Sizes of a page with the left ends of their boxes, in points. */
async function placesOf(content: string): Promise<[text: string, x: number][]> {
  const bytes = pdf([{ content: `${lineWork(400)}0 0 0 rg\n${content}` }]);
  const found = await readContent(bytes, 'a.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (found.kind !== 'drawing') throw new Error(`a ${found.kind}`);
  const [page] = readPmi(found).pages;
  const scale = found.sheets[0].width / page.widthPx;
  return page.objects.map(({ parts, box }) => [parts[0]?.text ?? '', Math.round(scale * box[0])]);
}

/** Values between extension lines at these places, which end in dots of two areas each. */
function chain(walls: readonly number[], y: number): string {
  return walls.map((x) => `${x} ${y - 4} m ${x} ${y + 25} l S ${`${x - 1} ${y - 4} 2 2 re f `.repeat(2)}\n`).join('');
}

test('joined values of a chain are parted at their walls, and dots of dimension lines are no letters', async () => {
  const walls = [200, 230, 262, 296, 340];
  // Wide gaps, as between strings that a program of files joins.
  const found = await placesOf(`${chain(walls, 500)}${textAt('11.1  12.2  13.3  14.4', 203, 500, 12)}`);
  expect(found.map(([text]) => text)).toEqual(['11.1', '12.2', '13.3', '14.4']);
  for (const [i, [, x]] of found.entries()) {
    expect(x).toBeGreaterThanOrEqual(walls[i]);
    expect(x).toBeLessThan(walls[i + 1]);
  }
});

test('a number in a flag close behind a size is none of its figures', async () => {
  const flag = '287 494 m 297 494 l 303 504 l 297 514 l 287 514 l h S\n';
  const found = await placesOf(`${textAt('\xd82.5 \xb10.15', 230, 500, 12)}${flag}${textAt('4', 290, 500, 12)}`);
  expect(found.map(([text]) => text)).toEqual(['⌀2.5']);
});
