import { expect, test } from 'vitest';
import { Similarity } from '../../dist/search/views/inks/similarity.js';
import { areSameTexts, statedRuns, type TextLine } from '../../dist/search/views/inks/text-lines.js';
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

/** A level line of text. x: its middle. */
const line = (text: string, x: number, length: number, y = 0.5): TextLine => {
  return { text, x, y, length, height: 0.01, isLevel: true };
};
const UNMOVED = Similarity.shift(0, 0);

test('cells of a table that one program makes wide enough to be one line are the same texts', () => {
  const joined = [line('TITLE36DATE87CHECKED45', 0.922, 0.135), line('40', 0.3, 0.02, 0.2)];
  const cells = [line('40', 0.3, 0.02, 0.2), line('CHECKED45', 0.961, 0.039), line('TITLE36', 0.874, 0.031)];
  const date = line('DATE87', 0.914, 0.027);
  expect(areSameTexts(joined, [...cells, date], UNMOVED)).toBe(true);
  expect(areSameTexts([...cells, date], joined, UNMOVED)).toBe(true);
  // One is missing, two change places, one stands in another row, all stand elsewhere, or they are upright.
  expect(areSameTexts(joined, cells, UNMOVED)).toBe(false);
  const swapped = [cells[0], { ...cells[1], x: cells[2].x }, { ...cells[2], x: cells[1].x }, date];
  expect(areSameTexts(joined, swapped, UNMOVED)).toBe(false);
  expect(areSameTexts(joined, [...cells, { ...date, y: 0.52 }], UNMOVED)).toBe(false);
  const elsewhere = [cells[0], ...[...cells.slice(1), date].map((cell) => ({ ...cell, x: cell.x - 0.05 }))];
  expect(areSameTexts(joined, elsewhere, UNMOVED)).toBe(false);
  const turned = Similarity.of({ scale: 1, rotationRad: Math.PI / 2, x: 1, y: 0 });
  expect(areSameTexts(joined, [...cells, date], turned)).toBe(false);
});

test('a text that is gone, came or stands elsewhere is told', () => {
  const lines = [line('40', 0.3, 0.02), line('H7', 0.5, 0.02)];
  expect(areSameTexts(lines, [...lines].reverse(), UNMOVED)).toBe(true);
  expect(areSameTexts(lines, [lines[0]], UNMOVED)).toBe(false);
  expect(areSameTexts([lines[0]], lines, UNMOVED)).toBe(false);
  expect(areSameTexts(lines, [line('40', 0.5, 0.02), line('H7', 0.3, 0.02)], UNMOVED)).toBe(false);
  expect(areSameTexts(lines, [lines[0], line('h7', 0.5, 0.02)], UNMOVED)).toBe(false);
});
