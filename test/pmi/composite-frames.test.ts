import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { LineIndex } from '../../dist/pmi/line-index.js';
import { framedTexts } from '../../dist/pmi/frames/framed-texts.js';
import { SheetMaker } from '../fixtures/sheet-maker.js';
import { formatsOf, type Placed } from '../fixtures/texts-in-formats.js';

const HIGH = 10;
const WIDE = 20;
type Line = readonly [x0: number, y0: number, x1: number, y1: number];

/** A frame of rows of cells, 20 wide and 10 high, behind one cell for the symbol. */
function frame(rows: readonly (readonly string[])[]): { readonly texts: Placed[]; readonly lines: Line[] } {
  const [left, top, bottom] = [300, 500, 500 - HIGH * rows.length];
  const box = (x: number, y: number, wide: number, high: number): Line[] => [
    [x, y, x + wide, y],
    [x, y - high, x + wide, y - high],
    [x, y, x, y - high],
    [x + wide, y, x + wide, y - high],
  ];
  return {
    texts: rows.flatMap((row, i) =>
      row.map((said, column): Placed => [said, left + WIDE * (column + 1) + 4, top - HIGH * i - 7.5]),
    ),
    lines: [
      ...box(left, top, WIDE, top - bottom),
      ...rows.flatMap((row, i) =>
        row.flatMap((_, column) => box(left + WIDE * (column + 1), top - HIGH * i, WIDE, HIGH)),
      ),
    ],
  };
}

async function framesOf(bytes: Uint8Array, name: string): Promise<{ frames: string[][]; others: number[] }> {
  const content = await readContent(bytes, name, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (content.kind !== 'drawing') throw new Error(`a ${content.kind}`);
  const objects = readPmi(content).pages.flatMap((page) => page.objects);
  return {
    frames: objects.filter(({ typeId }) => typeId === 5).map(({ parts }) => parts.map(({ text }) => text)),
    others: objects.filter(({ group, typeId }) => group !== 'GD&T' && typeId !== 18).map(({ typeId }) => typeId),
  };
}

const ROWS = [
  [['0.5', 'A', 'B', 'C'], ['0.2']],
  [['0.5', 'A', 'B', 'C'], ['0.2', 'A']],
  [['0.5', 'A'], ['0.2', 'A', 'B']],
  [['0.5', 'A'], ['0.2'], ['0.1']],
  [['0.5'], ['0.2'], ['0.1', 'A']],
  [['0.5', 'A', 'B', 'C'], ['0.2', 'A', 'B', 'C'], ['0.1', 'A', 'B', 'C']],
]; // biome-ignore format: rows of frames

test.each(ROWS.map((rows) => ({ rows })))(
  'a symbol that is drawn in the middle before rows $rows',
  async ({ rows }) => {
    const { texts, lines } = frame(rows);
    const middle = 500 - (HIGH * rows.length) / 2;
    // As near to each other as in small letters: the cell is three times as high as a row.
    const sign: Line[] = [7, 8.3].map((x) => [300 + x, middle - 3, 303 + x, middle + 3]);
    for (const [bytes, name] of formatsOf(texts, [...lines, ...sign])) {
      const said = rows.map((row, i) => [...(i === 0 ? ['∥'] : []), ...row].join(' | '));
      expect([name, await framesOf(bytes, name)]).toEqual([name, { frames: [said], others: [] }]);
    }
  },
);

test.each(ROWS.map((rows) => ({ rows })))(
  'a symbol that is written in the middle before rows $rows',
  async ({ rows }) => {
    for (const sign of ['⌖', '⌓']) {
      const { texts, lines } = frame(rows);
      const written: Placed = [sign, 307, 500 - (HIGH * rows.length) / 2 - 2.5];
      // The font of the PDF has no such signs.
      for (const [bytes, name] of formatsOf([...texts, written], lines).slice(0, 2)) {
        const said = rows.map((row, i) => [...(i === 0 ? [sign] : []), ...row].join(' | '));
        expect([name, await framesOf(bytes, name)]).toEqual([name, { frames: [said], others: [] }]);
      }
    }
  },
);

test('an exact size in a box of its own stays one, and the letter of a datum', async () => {
  const { texts, lines } = frame([['0.5', 'A', 'B']]);
  const sign: Line[] = [7, 11].map((x) => [300 + x, 492, 303 + x, 498]);
  const box = (x: number, y: number): Line[] => [
    [x, y, x + 20, y],
    [x, y - 10, x + 20, y - 10],
    [x, y, x, y - 10],
    [x + 20, y, x + 20, y - 10],
  ];
  const all: Placed[] = [...texts, ['0.2', 324, 452.5], ['25', 507, 452.5]];
  for (const [bytes, name] of formatsOf(all, [...lines, ...sign, ...box(320, 460), ...box(500, 460)])) {
    const { frames, others } = await framesOf(bytes, name);
    expect([name, frames, others]).toEqual([name, [['∥ | 0.5 | A | B']], [6, 6]]);
  }
});

test.each(['', 'rotate(-30)', 'skewX(-30)', 'rotate(30) skewX(-30)', 'rotate(-30) skewX(30)'])(
  'cells of a frame that is drawn %s, as on a view at an angle',
  async (transform) => {
    const { texts, lines } = frame([
      ['⌖', '0.5', 'A', 'B'],
      ['⌓', '0.2', 'A'],
    ]);
    const drawn = [
      ...lines.slice(4).map(([x0, y0, x1, y1]) => `<path d="M${x0 - 300} ${-y0 + 500}L${x1 - 300} ${-y1 + 500}"/>`),
      ...texts.map(
        ([said, x, y]) => `<text x="${x - 300}" y="${500 - y}" font-size="5" stroke="none" fill="#000">${said}</text>`,
      ),
    ];
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="420mm" height="297mm" viewBox="0 0 420 297">
      <g transform="translate(150 150) ${transform}" fill="none" stroke="#000" stroke-width="0.25">
      ${drawn.join('')}</g></svg>`;
    const { frames } = await framesOf(new TextEncoder().encode(svg), 'frame.svg');
    expect(frames.map(([said]) => said).sort()).toEqual(['⌓ | 0.2 | A', '⌖ | 0.5 | A | B']);
  },
);

test('a row of a value and datums behind an unknown symbol is a control frame, and its value no exact size', async () => {
  const signs: readonly (readonly [sign: string, ...said: string[]])[] = [
    ['POS', 'POS | 0.3 | A'],
    ['x', 'x | 0.3 | A'],
    ['', '? | 0.3 | A'],
  ];
  for (const [sign, said] of signs) {
    const { texts, lines } = frame([['0.3', 'A']]);
    const all: Placed[] = sign === '' ? texts : [[sign, 304, 492.5], ...texts];
    for (const [bytes, name] of formatsOf(all, lines))
      expect([name, await framesOf(bytes, name)]).toEqual([name, { frames: [[said]], others: [] }]);
  }
});

test('a value whose letters are narrower than guessed is in its cell', async () => {
  // The 1 of plotter fonts is narrow: the text ends before the cell does, by the guess behind it.
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="420mm" height="297mm" viewBox="0 0 420 297">
    <g fill="none" stroke="#000" stroke-width="0.25"><path d="M5 5L415 5L415 290L5 290Z"/>
    <path d="M92 100L100 100L100 108L92 108Z"/><path d="M100 100L109 100L109 108L100 108Z"/>
    <path d="M94 105.5L95.5 102.5"/><path d="M96 105.5L97.5 102.5"/></g>
    <text x="101" y="106" font-size="5">.011</text></svg>`;
  expect(await framesOf(new TextEncoder().encode(svg), 'a.svg')).toEqual({ frames: [['∥ | .011']], others: [] });
});

test('on a page of pixels the symbol before several rows is read in the middle of its cell, as high as a row', () => {
  const { texts, lines } = frame([['0.5', 'A', 'B'], ['0.2', 'A']]); // biome-ignore format: rows
  const maker = new SheetMaker(1_000, 1_000);
  const high = 1_000;
  for (const [x0, y0, x1, y1] of lines) maker.outline([x0, high - y0], [x1, high - y1]);
  const read = texts.map(([text, start, y]) => ({
    ...{ text, angleRad: 0, height: 7, start, end: start + 4 * text.length, t: high - y },
    pieces: [{ text, start, end: start + 4 * text.length, confidence: 0.9 }],
  }));
  const asked: unknown[] = [];
  const sheet = maker.sheet();
  const { findings } = framedTexts(read, {
    sheet,
    index: new LineIndex(sheet),
    signIn: ({ x, y, width, height }) => {
      asked.push([x, y, width, height].map(Math.round));
      return '⌓';
    },
  });
  expect(findings.filter(({ type }) => type === 5).map(({ parts }) => parts.map(({ text }) => text))).toEqual([
    ['⌓ | 0.5 | A | B', '0.2 | A'],
  ]);
  expect(asked).toContainEqual([310, 510, 20, 10]);
});
