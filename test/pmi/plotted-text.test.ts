import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/index.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { saidBy } from '../fixtures/said-pmi.js';
import { LETTERS, pathsOf } from '../../bench/glyphs/stroke-font.mjs';

type Place = readonly [x: number, y: number];
/** A text of single strokes, without any font: a point has hardly a size but that of its pen. */
interface Plotted {
  readonly said: string;
  readonly at: Place;
  readonly deg?: number;
  readonly high?: number;
  /** How far letters lean, degrees. */
  readonly lean?: number;
}

/** What is read on a sheet of A3 with these texts and lines; SVG, y downwards, mm. */
async function readOf(texts: readonly Plotted[], lines: readonly string[] = []): Promise<unknown[]> {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="420mm" height="297mm" viewBox="0 0 420 297"><g fill="none" ` +
    `stroke="#000" stroke-width="0.3"><path d="M5 5H415V292H5Z"/>${[...lines, ...texts.map(plotted)].join('')}</g></svg>`;
  const options = { limits: DEFAULT_LIMITS, defaultUnit: 'mm', ocr: false } as never;
  const content = await readContent(new TextEncoder().encode(svg), 'drawing.svg', options);
  if (content.kind !== 'drawing') throw new Error(`it is a ${content.kind}`);
  return readPmi(content).pages[0].objects.map(saidBy);
}

/** Both ends of a point are not quite the same, mm. */
const SPECK = 0.01;

function plotted({ said, at: [x, y], deg = 0, high = 3, lean = 0 }: Plotted): string {
  let along = 0;
  const drawn = [...said].map((letter) => {
    if (letter === ' ') {
      along += 0.5;
      return '';
    }
    const paths = pathsOf(LETTERS[letter], 2).map(([, ...points]) => points);
    const right = Math.max(...paths.flatMap((points) => points.filter((_, i) => i % 2 === 0)));
    const start = along;
    along += Math.max(right, 0.3) + 0.25;
    const d = paths.map((points) =>
      points.map((value, i) =>
        i % 2 === 0 ? `${i === 0 ? 'M' : 'L'}${high * (start + value)}` : `${-high * value - (i > 1 ? SPECK : 0)}`,
      ),
    );
    return `<path d="${d.flat().join(' ')}"/>`;
  });
  return `<g transform="translate(${x} ${y}) rotate(${deg}) skewX(${-lean})" stroke-linecap="round">${drawn.join('')}</g>`;
}

/** Other text of the sheet: a few words among much else would be no text. */
const OTHERS: readonly Plotted[] = [
  { said: '112.5', at: [60, 270] },
  { said: '48.25', at: [100, 270] },
  { said: '63.75', at: [140, 270] },
];
const READ_OTHERS = [['112.5'], ['48.25'], ['63.75']];

test.each<{ title: string; texts: readonly Plotted[]; lines?: readonly string[]; read: unknown[] }>([
  {
    title: 'a point stands in the room of a letter',
    texts: [{ said: '1.328', at: [100, 60] }],
    read: [['1.328']],
  },
  {
    title: 'rows that share a symbol are one frame, whatever crosses their line behind it',
    texts: [
      { said: '.05', at: [113, 64.5] },
      { said: 'D', at: [127, 64.5] },
      { said: '.01', at: [113, 70.5] },
      { said: 'D', at: [127, 70.5] },
    ],
    lines: [
      '<path d="M100 60H134V72H100ZM111 60V72M111 66H134M124 60V72M103 68A4.5 4.5 0 0 1 108 68Z"/>',
      // Edges of a view, which lean.
      '<path d="M141 50L146 80M150 50L155 80"/>',
    ],
    read: [[['⌓ | .05 | D', '.01 | D']], ['⌓']],
  },
  {
    title: 'the bar of a plus-minus sign is a stroke by itself',
    texts: [{ said: '77 ±0.15', at: [100, 60] }],
    read: [['77', ['±0.15']]],
  },
  {
    title: 'deviations above each other keep their signs and points',
    texts: [
      { said: '4.225', at: [100, 60] },
      { said: '+.040', at: [117, 58.3], high: 1.8 },
      { said: '-.015', at: [117, 60.9], high: 1.8 },
    ],
    read: [['4.225', ['+.040', '-.015']]],
  },
  {
    title: 'a long leader before a text is no letter of it',
    texts: [{ said: 'R.226', at: [108, 127.6] }],
    lines: ['<path d="M95 137L104 126L107 126"/>'],
    read: [['R.226']],
  },
  {
    title: 'the short shoulder of a dimension line before a value is no hyphen of it',
    texts: [{ said: '11.5', at: [108, 127.6] }],
    lines: ['<path d="M105 140V126"/>', '<path d="M106.3 126H105"/>'],
    read: [['11.5']],
  },
  {
    title: 'upwards, downwards and at a slant',
    texts: [
      { said: '35.20', at: [60, 60], deg: -90 },
      { said: '70.40', at: [90, 60], deg: 90 },
      { said: '81.60', at: [120, 60], deg: 30 },
    ],
    read: [['35.20'], ['70.40'], ['81.60']],
  },
  {
    title: 'a zero alone is a deviation below another one',
    texts: [
      { said: '4.225', at: [100, 60] },
      { said: '+.040', at: [117, 58.3], high: 1.8 },
      { said: '0', at: [118, 60.9], high: 1.8 },
    ],
    read: [['4.225', ['+.040', '0']]],
  },
  {
    title: 'points and plus-minus signs of leaning letters',
    texts: [
      { said: '1.38', at: [100, 60], lean: 15 },
      { said: '77 ±0.15', at: [100, 80], lean: 15 },
    ],
    read: [['1.38'], ['77', ['±0.15']]],
  },
  {
    title: 'zeros alone above the other deviation, both leaning',
    texts: [
      { said: '73.1', at: [100, 60], lean: 15 },
      { said: '0.00', at: [112.5, 58.3], high: 2.4, lean: 15 },
      { said: '-0.07', at: [112.5, 61.4], high: 2.4, lean: 15 },
    ],
    read: [['73.1', ['0.00', '-0.07']]],
  },
  {
    title: 'pieces of the dimension line on both sides of a value are no signs',
    texts: [{ said: '125.4', at: [100, 60] }],
    lines: [
      '<path d="M88 58.5H98.5M118 58.5H128"/>',
      '<path fill="#000" d="M84 58.5L88 58V59ZM132 58.5L128 58V59Z"/>',
      '<path d="M84 54V66M132 54V66"/>',
    ],
    read: [['125.4']],
  },
  {
    title: 'values of neighbouring dimension lines at different heights',
    texts: [
      { said: '13.60', at: [100, 60] },
      { said: '46.10', at: [117, 60.8] },
    ],
    read: [['13.60'], ['46.10']],
  },
  {
    title: 'the slash between the fits of a hole and its shaft',
    texts: [{ said: '40.25 H8/f7', at: [100, 60] }],
    read: [['40.25', ['H8/f7']]],
  },
  {
    title: 'threads with room around their hyphen',
    texts: [{ said: '1/4-20 UNC-2B', at: [100, 60] }],
    read: [['1/4-20 UNC-2B']],
  },
  {
    title: 'the class of general tolerances is one small letter behind a hyphen',
    texts: [{ said: 'ISO 2768-v', at: [100, 60] }],
    read: [['ISO 2768-v']],
  },
  {
    title: 'and where gaps stand about the hyphen',
    texts: [{ said: 'ISO 2768 - mH', at: [100, 60] }],
    read: [['ISO 2768-mH']],
  },
  {
    title: 'the letter of a datum stands alone in its box',
    texts: [{ said: 'B', at: [102, 60] }],
    lines: ['<path d="M100 55.5H106V61.5H100Z"/>', '<path d="M103 61.5V66"/>'],
    read: [['B']],
  },
  {
    title: 'the letter of a datum that stands upwards, and is a sign as it is read level',
    texts: [{ said: 'L', at: [104.5, 59.4], deg: -90 }],
    lines: ['<path d="M100 55.5H106V61.5H100Z"/>', '<path d="M106 58.5H110"/>'],
    read: [['L']],
  },
  {
    title: 'the letter of a datum leans with its box',
    texts: [{ said: 'B', at: [102.134, 59.5], deg: 30 }],
    lines: ['<g transform="rotate(30 103 60)"><path d="M100 55.5H106V61.5H100Z"/><path d="M103 61.5V66"/></g>'],
    read: [['B']],
  },
])('plotted: $title', async ({ texts, lines, read }) => {
  const found = await readOf([...OTHERS, ...texts], lines);
  expect(found).toHaveLength(read.length + READ_OTHERS.length);
  expect(found).toEqual(expect.arrayContaining([...READ_OTHERS, ...read]));
});
