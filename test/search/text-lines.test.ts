import { expect, test } from 'vitest';
import { statedRuns } from '../../dist/search/views/inks/text-lines.js';
import { writtenOn } from '../../dist/search/views/same-drawing.js';

const at = (text: string, part: string, x: number, y: number, width: number, height: number) => {
  const start = text.lastIndexOf(part);
  return { start, end: start + part.length, box: { x, y, width, height } };
};

test('what was read from pieces of a page is no piece of it, what was added is', () => {
  const text = 'WELD\nALL SIDES\n40\nWELD ALL SIDES';
  const pieces = [
    { start: 0, end: 4, box: { x: 0.1, y: 0.1, width: 0.1, height: 0.02 } },
    { start: 5, end: 14, box: { x: 0.1, y: 0.13, width: 0.2, height: 0.02 } },
    { start: 15, end: 17, box: { x: 0.5, y: 0.5, width: 0.02, height: 0.02 } },
  ];
  const runs = [...pieces, at(text, 'WELD ALL SIDES', 0.1, 0.1, 0.2, 0.05)];
  expect(statedRuns({ text, runs })).toEqual(pieces);
  expect(writtenOn([{ text, runs }])).toBe(writtenOn([{ text: text.slice(0, 17), runs: pieces }]));
  // Elsewhere it is a note of its own, and with one more sign it is another one.
  const elsewhere = [...pieces, at(text, 'WELD ALL SIDES', 0.6, 0.6, 0.2, 0.05)];
  expect(statedRuns({ text, runs: elsewhere })).toEqual(elsewhere);
  const more = `${text} 2`;
  const other = [...pieces, at(more, 'WELD ALL SIDES 2', 0.1, 0.1, 0.2, 0.05)];
  expect(statedRuns({ text: more, runs: other })).toEqual(other);
});
