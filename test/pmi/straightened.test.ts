import sharp from 'sharp';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { likeliestOf, type KnownText } from '../../dist/pmi/pictures/labels/known-words.js';
import { LABEL_WORDS } from '../../dist/pmi/pictures/labels/label-words.js';
import { labelOf, labelsLeft } from '../../dist/pmi/pictures/labels/labels-of-rows.js';
import { LINE_CHARACTERS } from '../../dist/pmi/pictures/line-characters.js';
import { LINE_OUTPUTS } from '../../dist/pmi/pictures/line-net.js';
import { straightened } from '../../dist/pmi/pictures/straightened.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { LABELS } from '../../dist/pmi/title/title-labels.js';
import { readContent } from '../../dist/readers/read.js';
import { drawnPicture, levelDimension, textWidth } from '../fixtures/drawn-picture.js';

const PAGE = { width: 1200, height: 1000 };

/** A part with a dimension, turned clockwise about the middle of the page. */
async function pageTurned(deg: number): Promise<Uint8Array> {
  const { lines, areas } = levelDimension(200, 1000, 250);
  const page = await drawnPicture({
    ...PAGE,
    lines: ['M200 350H1000V850H200Z', 'M350 450H850V750H350Z', 'M60 60H1140V940H60Z', ...lines],
    areas,
    texts: [{ text: '820.5', x: 600 - textWidth('820.5') / 2, y: 238 }],
  });
  const { data, info } = await sharp(page)
    .rotate(deg, { background: 'white' })
    .png()
    .toBuffer({ resolveWithObject: true });
  const [left, top] = [Math.floor((info.width - PAGE.width) / 2), Math.floor((info.height - PAGE.height) / 2)];
  return new Uint8Array(
    await sharp(data)
      .extract({ left, top, ...PAGE })
      .png()
      .toBuffer(),
  );
}

async function imageOf(bytes: Uint8Array) {
  const content = await readContent(bytes, 'page.png', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
  if (content.kind !== 'image') throw new Error(`read as ${content.kind}`);
  return content;
}

test.each([1.6, -0.7, 3])('a page that is turned by %d degrees is straightened to a tenth of a degree', async (deg) => {
  const { pictures } = await imageOf(await pageTurned(deg));
  const { angleRad, picture } = straightened(pictures[0]);
  expect(Math.abs((angleRad * 180) / Math.PI - deg)).toBeLessThan(0.1);
  expect([picture.widthPx, picture.heightPx]).toEqual([pictures[0].widthPx, pictures[0].heightPx]);
});

test('a straight page stays as it is', async () => {
  const { pictures } = await imageOf(await pageTurned(0));
  expect(straightened(pictures[0])).toEqual({ picture: pictures[0], angleRad: 0 });
});

test('what is read on a turned page has its place on the page as it is', async () => {
  const deg = -1.8;
  const { pages } = readPmi(await imageOf(await pageTurned(deg)));
  const size = pages[0].objects.find(({ parts }) => parts[0]?.text === '820.5');
  const rad = (deg * Math.PI) / 180;
  const [dx, dy] = [0, 238 - 15 - 500];
  const middle = [600 + dx * Math.cos(rad) - dy * Math.sin(rad), 500 + dx * Math.sin(rad) + dy * Math.cos(rad)];
  const [x, y, width, height] = size?.box ?? [0, 0, 0, 0];
  expect(Math.hypot(x + width / 2 - middle[0], y + height / 2 - middle[1])).toBeLessThan(12);
  expect(size?.orientedBox?.angleDeg).toBeCloseTo(deg, 0);
});

/** What a network would say of a line: at every second place a letter with its probability, nothing between. */
function scoresOf(letters: readonly Readonly<Record<string, number>>[]) {
  const places = 2 * letters.length + 1;
  const values = new Float32Array(places * LINE_OUTPUTS).fill(Math.log(1e-6));
  for (let place = 0; place < places; place++) {
    if (place % 2 === 0) values[place * LINE_OUTPUTS] = 0;
    else
      for (const [letter, probability] of Object.entries(letters[place >> 1]))
        values[place * LINE_OUTPUTS + 1 + LINE_CHARACTERS.indexOf(letter)] = Math.log(probability);
  }
  return { values, places };
}

test('a label is known by what its letters may be, and a value that is like one is not', () => {
  const read = scoresOf([{ T: 0.9 }, { '6': 0.7, i: 0.2 }, { t: 0.6, r: 0.3 }, { l: 0.8 }, { e: 0.9 }, { ':': 0.9 }]);
  const label = likeliestOf(read, 5, LABEL_WORDS);
  expect(label?.known.label).toBe('TITLE');
  expect(label?.less).toBeGreaterThan(-0.5);
  const texts: readonly KnownText[] = [{ name: 'Name', label: 'NAME', letters: 'NAME' }];
  const value = likeliestOf(scoresOf([{ N: 0.99 }, { O: 0.99 }, { N: 0.99 }, { E: 0.99 }]), 4, texts);
  expect(value?.less).toBeLessThan(-5);
});

test('a line that may be several labels is the one that no other line of the page is', () => {
  const lineOf = (letters: Parameters<typeof scoresOf>[0], confidence: number) => {
    const text = letters.map((each) => Object.entries(each).sort((a, b) => b[1] - a[1])[0][0]).join('');
    return { whole: { text, confidence, letters: [], scores: scoresOf(letters) }, count: text.length };
  };
  const sure = (text: string) =>
    lineOf(
      [...text].map((letter) => ({ [letter]: 0.99 })),
      -0.01,
    );
  // `Mas` may be MASS and MATL, `Tee` REV, TITRE and TITLE.
  const mas = lineOf([{ M: 0.9 }, { a: 0.9 }, { s: 0.5, t: 0.3 }, { s: 0.1, l: 0.1 }], -0.5);
  const page = [sure('TITLE'), sure('SCALE'), mas];
  expect(labelOf(mas)).toBeUndefined();
  expect(labelsLeft([...page, sure('WEIGHT')]).get(mas)).toBe('MATL');
  expect(labelsLeft([...page, sure('WERKSTOFF')]).get(mas)).toBe('MASS');
  expect(labelsLeft(page).get(mas)).toBeUndefined();
  // Without a title block nothing is a label, nor what is read surely.
  expect(labelsLeft([sure('WEIGHT'), mas]).size).toBe(0);
  const value = { ...mas, whole: { ...mas.whole, confidence: -0.05 } };
  expect(labelsLeft([sure('TITLE'), sure('SCALE'), sure('WEIGHT'), value]).size).toBe(0);
});

test('each of these labels is a label of title blocks that asks for the same', () => {
  for (const { name, label } of LABEL_WORDS)
    expect([label, LABELS.find(({ pattern }) => pattern.test(label))?.name]).toEqual([label, name]);
});
