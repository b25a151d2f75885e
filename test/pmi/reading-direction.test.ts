import { expect, test } from 'vitest';
import type { LineIndex } from '../../dist/pmi/line-index.js';
import { LineIndex as Index } from '../../dist/pmi/line-index.js';
import { areDownwards, inUsualDirection } from '../../dist/pmi/pictures/reading-direction.js';
import { asGeneralTolerance } from '../../dist/pmi/pictures/word-forms.js';
import type { PictureText } from '../../dist/pmi/pictures/picture-text.js';
import { tablesOf } from '../../dist/pmi/drawn-tables.js';
import type { TextLine } from '../../dist/pmi/text-lines.js';

function upright(text: string, x: number, deg: number): PictureText {
  const width = 20 * text.length;
  const words = [{ text, confidence: -0.01, start: 0, width }];
  const place = { x, y: 500, angleRad: (deg * Math.PI) / 180, height: 30, width };
  return { text, confidence: -0.01, ...place, count: text.length, isBars: false, words, fill: 0.2 };
}

test('66 beside a text that reads downwards is no 99, and its place stays', () => {
  const [, turned] = inUsualDirection([upright('73', 100, 90), upright('99', 200, -90)]);
  expect(turned.text).toBe('66');
  expect(turned.words[0].text).toBe('66');
  expect(turned.angleRad).toBeCloseTo(Math.PI / 2);
  // From the start of the baseline, 40 long and 30 high: both cover 170 to 200 across, 460 to 500 down.
  expect([turned.x, turned.y]).toEqual([expect.closeTo(170), expect.closeTo(460)]);
  const kept = [upright('73', 100, -90), upright('99', 200, -90), upright('18', 300, 90)];
  expect(inUsualDirection(kept)).toEqual(kept);
});

test('a page is read downwards where most upright texts that show their direction are', () => {
  const down = [upright('73', 100, 90), upright('24.5', 200, 90)];
  const up = upright('51', 300, -90);
  expect(areDownwards(down)).toBe(true);
  expect(areDownwards([...down, up])).toBe(true);
  expect(areDownwards([...down, up, upright('27', 700, -90)])).toBe(false);
  expect(areDownwards([...down, upright('88', 400, 90), upright('17', 500, 90), upright('42', 600, 90), up])).toBe(
    true,
  );
  expect(areDownwards([down[0], upright('66', 200, 90)])).toBe(false);
  expect(areDownwards([])).toBe(false);
});

test('a general tolerance keeps the words of which a letter was lost', () => {
  expect(asGeneralTolerance('GENEALTOLERANCES ISO 2768-m')).toBe('GENERAL TOLERANCES ISO 2768-m');
  expect(asGeneralTolerance('GENERALTOLERANCESIsO2768t')).toBe('GENERAL TOLERANCES ISO 2768-f');
  expect(asGeneralTolerance('Generai tolerances ISO 2768-m')).toBe('General tolerances ISO 2768-m');
});

/** Level and upright lines of a sheet. */
function indexOf(lines: readonly (readonly [x0: number, y0: number, x1: number, y1: number])[]): LineIndex {
  const count = lines.length;
  return new Index({
    ...{ number: 1, width: 1000, height: 500, unitMm: null, space: 'paper', arcs: [], texts: [] },
    ...{ annotations: [], pictures: [] },
    styles: [{ layer: '', width: 0, dash: [], color: 0, isFill: false }],
    strokes: {
      count,
      points: Float32Array.from(lines.flat()),
      starts: Uint32Array.from({ length: count + 1 }, (_, i) => 2 * i),
      styles: new Uint16Array(count),
      groups: Uint32Array.from({ length: count }, (_, i) => i),
      annotations: new Int32Array(count).fill(-1),
    },
  });
}

const lineAt = (text: string, start: number, t: number): TextLine => ({
  ...{ text, angleRad: 0, height: 20, start, end: start + 14 * text.length, t },
  pieces: [{ text, start, end: start + 14 * text.length }],
});

test('a size between dimension lines beside a table is no cell of it', () => {
  const levels = [100, 130, 160, 190].map((y) => [50, y, 290, y] as const);
  const uprights = [50, 170, 290].map((x) => [x, 100, x, 190] as const);
  const index = indexOf([...levels, ...uprights, [400, 128, 700, 128], [400, 162, 700, 162], [700, 90, 700, 180]]);
  const cells = [0, 1, 2].flatMap((row) => [lineAt('TAG', 60, 122 + 30 * row), lineAt('A1', 180, 122 + 30 * row)]);
  const size = lineAt('118', 500, 152);
  const [table] = tablesOf([...cells, size], index);
  expect(table.lines.map(({ text }) => text)).toEqual(cells.map(({ text }) => text));
});
