import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { likelierSize } from '../../dist/pmi/pictures/likelier-size.js';
import { LINE_CHARACTERS } from '../../dist/pmi/pictures/line-characters.js';
import { LINE_OUTPUTS } from '../../dist/pmi/pictures/line-net.js';
import { scoreOfWhole } from '../../dist/pmi/pictures/surer-line.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { drawnPicture, levelDimension, textWidth, type DrawnText } from '../fixtures/drawn-picture.js';
import { SheetMaker } from '../fixtures/sheet-maker.js';
import { textLinesOf } from '../../dist/pmi/text-lines.js';
import { LineIndex } from '../../dist/pmi/line-index.js';

/** The texts of what is found on a drawing of a part, with further lines and texts on it. */
async function textsOn(lines: readonly string[], texts: readonly DrawnText[]): Promise<(string | undefined)[]> {
  const size = levelDimension(200, 1000, 250);
  const bytes = await drawnPicture({
    width: 1200,
    height: 1000,
    lines: ['M200 350H1000V850H200Z', 'M60 60H1140V940H60Z', ...size.lines, ...lines],
    areas: size.areas,
    texts: [{ text: '820.5', x: 600 - textWidth('820.5') / 2, y: 238 }, ...texts],
  });
  const content = await readContent(bytes, 'page.png', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
  if (content.kind !== 'image') throw new Error(`read as ${content.kind}`);
  return readPmi(content).pages[0].objects.map(({ parts }) => parts.map(({ text }) => text).join(' '));
}

test('a thread stands beside the end of its leader, whose stroke is larger than a letter', async () => {
  const found = await textsOn(['M520 690L592 622'], [{ text: 'M8', x: 600, y: 610 }]);
  expect(found).toContain('M8');
});

test('a datum target is read within its circle', async () => {
  const found = await textsOn(
    ['M455 600a45 45 0 1 0 90 0a45 45 0 1 0 -90 0', 'M455 600H545', 'M468 632L400 700'],
    [{ text: 'C4', x: 478, y: 634, height: 25 }],
  );
  expect(found).toContain('C4');
});

/** What a network would say of a line: at every second place a letter with its probability, nothing between. */
function scoresOf(letters: readonly Readonly<Record<string, number>>[]) {
  const places = 2 * letters.length + 1;
  const values = new Float32Array(places * LINE_OUTPUTS).fill(Math.log(1e-6));
  for (let place = 0; place < places; place++) {
    if (place % 2 === 0) values[place * LINE_OUTPUTS] = Math.log(0.9);
    else
      for (const [letter, probability] of Object.entries(letters[place >> 1]))
        values[place * LINE_OUTPUTS + (letter === '' ? 0 : 1 + LINE_CHARACTERS.indexOf(letter))] =
          Math.log(probability);
  }
  return { values, places };
}

test('of the texts that a line may be, the likeliest that is a size counts, if it is hardly less likely', () => {
  const rest: readonly Readonly<Record<string, number>>[] = [{ '.': 0.9 }, { '2': 0.9 }];
  expect(likelierSize(scoresOf([{ '±': 0.9 }, { '0': 0.9 }, { '.': 0.6, '': 0.4 }, ...rest]))?.text).toBe('±0.2');
  expect(likelierSize(scoresOf([{ '±': 0.9 }, { '0': 0.9 }, { '.': 0.95, '': 0.05 }, ...rest]))).toBeUndefined();
  // What is a size already stays.
  expect(likelierSize(scoresOf([{ '±': 0.9 }, { '0': 0.9 }, ...rest]))).toBeUndefined();
});

test('a number that begins with a zero is no size, so no 01 stands in the list', () => {
  const scoreOf = (text: string): number | undefined =>
    scoreOfWhole({
      text,
      confidence: -0.1,
      letters: [...text].map((letter, at) => ({ text: letter, at, place: at, sure: -0.1 })),
      scores: scoresOf([]),
    });
  for (const [misread, right] of [
    ['01', '10'],
    ['00.50', '0.500'],
  ] as const)
    expect(scoreOf(misread)).toBeLessThan(scoreOf(right) ?? Number.NaN);
  expect(scoreOf('100.05')).toBe(scoreOf('0.05'));
});

test('the gap before a standard that was not seen is there again in what was read from shapes', () => {
  const sheet = new SheetMaker(400, 300).text('Tolérances généralesISO 2768-mK', 50, 50).sheet();
  const asShapes = { ...sheet, texts: sheet.texts.map((text) => ({ ...text, confidence: 0.9 })) };
  const said = (of: typeof asShapes | typeof sheet) => textLinesOf(of, new LineIndex(of)).map(({ text }) => text);
  expect(said(asShapes)).toEqual(['Tolérances générales ISO 2768-mK']);
  expect(said(sheet)).toEqual(['Tolérances généralesISO 2768-mK']);
});
