import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readDimension } from '../../dist/pmi/dimension-text.js';
import { glyphFeatures } from '../../dist/pmi/outlines/glyph-features.js';
import { recogniseGlyph } from '../../dist/pmi/outlines/recognise-glyph.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { drawnPicture } from '../fixtures/drawn-picture.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';

type Point = readonly [x: number, y: number];

async function pmiOf(content: string): Promise<ReturnType<typeof readPmi>> {
  const bytes = pdf([{ content: `${lineWork(400)}${content}` }]);
  const read = await readContent(bytes, 'a.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm', ocr: false } as never);
  if (read.kind !== 'drawing') throw new Error(`a ${read.kind}`);
  return readPmi(read);
}

/** A line in a stroke of its own. */
function stroke([x0, y0]: Point, [x1, y1]: Point): string {
  return `${x0.toFixed(2)} ${y0.toFixed(2)} m ${x1.toFixed(2)} ${y1.toFixed(2)} l S\n`;
}

/** A control frame of cells 24 high at x, y: what draws its symbol about a middle, then texts. */
function frame(x: number, y: number, symbol: (at: Point) => string, texts: readonly string[]): string {
  const bars = [x, x + 24, ...texts.map((_, i) => x + 24 + 40 * (i + 1))];
  const right = bars[bars.length - 1];
  return [
    stroke([x, y], [right, y]),
    stroke([x, y + 24], [right, y + 24]),
    ...bars.map((bar) => stroke([bar, y], [bar, y + 24])),
    ...texts.map((text, i) => textAt(text, bars[i + 1] + 8, y + 8)),
    symbol([x + 12, y + 12]),
  ].join('');
}

/** An upper half circle of chords, each a stroke of its own. */
function arc([x, y]: Point, chords: number): string {
  const at = (i: number): Point => {
    const turn = (Math.PI * i) / chords;
    return [x + 7 * Math.cos(turn), y - 3 + 7 * Math.sin(turn)];
  };
  return Array.from({ length: chords }, (_, i) => stroke(at(i), at(i + 1))).join('');
}

function base([x, y]: Point): string {
  return stroke([x - 7, y - 3], [x + 7, y - 3]);
}

/** What is written in control frames, and how sure that is. */
async function framesOf(content: string): Promise<[string, number][]> {
  const { objects } = (await pmiOf(content)).pages[0];
  return objects.filter(({ typeId }) => typeId === 5).map(({ parts, confidence = 0 }) => [parts[0].text, confidence]);
}

test.each([6, 12, 36, 72])('an arc of %i chords is the symbol of a profile', async (chords) => {
  const surface = frame(100, 700, (at) => arc(at, chords) + base(at), ['0.5', 'A']);
  const line = frame(100, 600, (at) => arc(at, chords), ['0.3', 'B']);
  expect(await framesOf(surface + line)).toEqual([
    ['⌓ | 0.5 | A', 0.99],
    ['⌒ | 0.3 | B', 0.99],
  ]);
});

test('a tolerance of form before a datum, and a symbol that is not understood, are told', async () => {
  const straight = frame(100, 700, base, ['0.5', 'A']);
  const ladder = ([x, y]: Point): string =>
    stroke([x - 6, y - 7], [x - 6, y + 7]) + stroke([x + 6, y - 7], [x + 6, y + 7]) + stroke([x - 6, y], [x + 6, y]);
  const { pages, leftOut = [] } = await pmiOf(straight + frame(100, 600, ladder, ['0.3', 'A']));
  const frames = pages[0].objects.filter(({ typeId }) => typeId === 5);
  expect(frames.map(({ parts, confidence }) => [parts[0].text, confidence])).toEqual([
    ['⏤ | 0.5 | A', 0.5],
    ['? | 0.3 | A', 0.5],
  ]);
  expect(leftOut.filter((said) => said.startsWith('2 control frames'))).toEqual([
    expect.stringMatching(/⏤ \| 0\.5 \| A \(page 1: \d+, \d+\); \? \| 0\.3 \| A \(page 1: \d+, \d+\)$/),
  ]);
  expect(await framesOf(frame(100, 700, base, ['0.05']))).toEqual([['⏤ | 0.05', 0.99]]);
});

test('a size of 0 with a tolerance is none, and is told', async () => {
  const { pages, leftOut = [] } = await pmiOf(textAt('0 ±0,02', 100, 700).replace('±', '\\261'));
  expect(pages[0].objects.map(({ parts }) => parts)).toEqual([]);
  expect(leftOut.join()).toContain('0 ±0,02');
});

test('a point of a word that is shortened is none of its number', () => {
  expect(readDimension('M12 - 6H prof.20')?.further).toEqual([{ kind: 'depth', text: 'prof.20', nominal: 20 }]);
  expect(readDimension('M12 DEEP .50')?.further?.[0].nominal).toBe(0.5);
});

test('a deviation far behind its size is its tolerance where it is nothing else', async () => {
  const far = textAt('600', 100, 700) + textAt('+2/-1', 130.5, 700);
  const { objects } = (await pmiOf(far)).pages[0];
  expect(objects.map(({ parts }) => parts)).toEqual([[{ text: '600', tolerance: ['+2', '-1'] }]]);
});

test('a low bar behind large figures is no point of theirs, and a point is one', () => {
  // A minus of figures that are .6 as high, on the baseline of the large ones: shares of these.
  const mark = (width: number, height: number): string | undefined => {
    const [wide, high] = [Math.round(100 * width), Math.round(100 * height)];
    const shape = glyphFeatures(new Float32Array(wide * high).fill(1), wide, high)!;
    return recogniseGlyph(shape, { height, bottom: 0.06 })[0]?.text;
  };
  expect([mark(0.2, 0.08), mark(0.1, 0.1)]).toEqual(['_', '.']);
});

test('on pixels the base line of its shafts tells total runout from parallelism', async () => {
  const shafts = (y: number): string => `M122 ${y + 50}L144 ${y + 14}M138 ${y + 50}L160 ${y + 14}`;
  const cells = (y: number): string => `M110 ${y}H370V${y + 64}H110ZM172 ${y}V${y + 64}M306 ${y}V${y + 64}`;
  const heads = (y: number): string => `M144 ${y + 14}l-3 14l-8 -5ZM160 ${y + 14}l-3 14l-8 -5Z`;
  const bytes = await drawnPicture({
    ...{ width: 1_200, height: 700, lineWidth: 2 },
    lines: [
      'M500 450H1000V650H500Z',
      'M500 600H1000',
      cells(100),
      shafts(100),
      cells(300),
      shafts(300),
      'M122 350H138',
    ],
    areas: [heads(300)],
    texts: [100, 300].flatMap((y) => [
      { text: '0.03', x: 186, y: y + 47 },
      { text: 'D', x: 326, y: y + 47 },
    ]),
  });
  const content = await readContent(bytes, 'drawing.png', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
  if (content.kind !== 'image') throw new Error(`read as ${content.kind}`);
  const { objects } = readPmi(content).pages[0];
  expect(objects.filter(({ typeId }) => typeId === 5).map(({ parts }) => parts[0].text)).toEqual([
    '∥ | 0.03 | D',
    '⌰ | 0.03 | D',
  ]);
});
