// Signs of control frames that TEXT draws in a font of symbols, whose style is not in the file.
import { expect, test } from 'vitest';
import { line, text, type Groups } from '../fixtures/dxf-writer.js';
import { pmiOfDxf, readingsOf, realDimension } from '../fixtures/dxf-pmi.js';

function frame(y: number, cells: readonly string[]): Groups[] {
  const bars = [50, 60, 80, 90].slice(0, cells.length + 1);
  const last = bars[bars.length - 1];
  return [
    ...[line(50, y, last, y), line(50, y + 8, last, y + 8), ...bars.map((x) => line(x, y, x, y + 8))],
    ...cells.map((said, i) => text(said, bars[i] + 2, y + 2, 4)),
  ];
}

test('letters of a font of symbols are the signs of control frames, beside dimensions too', async () => {
  const frames = [...frame(80, ['j', 'n0.1', 'A']), ...frame(60, ['b', '0.05', 'A']), ...frame(40, ['c', '0.02'])];
  for (const beside of [[], [realDimension]]) {
    const read = readingsOf(await pmiOfDxf([...beside, ...frames]));
    expect(read.filter((said) => said.includes('|'))).toEqual(['⌖ | ⌀0.1 | A', '⊥ | 0.05 | A', '⏥ | 0.02']);
  }
  expect(readingsOf(await pmiOfDxf(frame(80, ['d', '25'])))).not.toContain('⌓ | 25');
});
