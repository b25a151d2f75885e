import { expect, test } from 'vitest';
import { bitmapOf, drawLine, type Bitmap } from '../../dist/bitmap/bitmap.js';
import type { Sheet } from '../../dist/content/sheet.js';
import { finishSymbols } from '../../dist/pmi/drawn-symbols.js';
import { LineIndex } from '../../dist/pmi/line-index.js';
import { finishMarks } from '../../dist/pmi/pictures/finish-marks.js';
import { isRingAt } from '../../dist/pmi/pictures/ink-rings.js';
import { sizesOfTexts } from '../../dist/pmi/sizes/sizes-of-texts.js';
import { withLevelLetter } from '../../dist/pmi/frames/level-letters.js';
import type { TextLine } from '../../dist/pmi/text-lines.js';

type Row = readonly [x0: number, y0: number, x1: number, y1: number];

/** Straight lines of a page of pixels, and circles of 24 corners. */
function indexOf(lines: readonly Row[], circles: readonly (readonly [x: number, y: number, radius: number])[] = []) {
  const strokes: number[][] = [
    ...lines.map((line) => [...line]),
    ...circles.map(([x, y, radius]) =>
      Array.from({ length: 25 }, (_, i) => (Math.PI * i) / 12).flatMap((rad) => [
        ...[x + radius * Math.cos(rad), y + radius * Math.sin(rad)],
      ]),
    ),
  ];
  const starts = [0];
  for (const stroke of strokes) starts.push(starts[starts.length - 1] + stroke.length / 2);
  const sheet = {
    ...{ number: 1, width: 2400, height: 1700, unitMm: null, space: 'paper', texts: [], annotations: [], pictures: [] },
    ...{ arcs: [], styles: [{ layer: '', width: 0, dash: [], color: 0, isFill: false }] },
    strokes: {
      count: strokes.length,
      points: Float32Array.from(strokes.flat()),
      starts: Uint32Array.from(starts),
      styles: new Uint16Array(strokes.length),
      groups: Uint32Array.from(strokes, (_, i) => i),
      annotations: new Int32Array(strokes.length).fill(-1),
    },
  };
  return new LineIndex(sheet as unknown as Sheet);
}

const textAt = (text: string, start: number, end: number, t: number): TextLine => ({
  ...{ text, start, end, t, height: 28, angleRad: 0, pieces: [] },
});

/** Lines as they are found on a picture: the surface, and the long leg of a mark that stands on it at 284, 464. */
const SURFACE: Row = [185, 464, 349, 464];
const LEG: Row = [320, 402, 284, 464];
const ABOVE_BAR: Row = [320, 402, 301, 435];

test('a value beside the long leg of a mark on a surface is one of texture, with the box of the whole mark', () => {
  const value = textAt('12.5', 223, 274, 429);
  const [open] = finishMarks([value], indexOf([SURFACE, LEG]));
  expect([open.finding.type, open.lines]).toEqual([16, [value]]);
  const { x, y, width, height } = open.finding.box;
  expect(x).toBeLessThan(230);
  expect([y, x + width, y + height].map(Math.round)).toEqual([402, 320, 464]);
  // The bar that closes the mark cuts its leg.
  const [closed] = finishMarks([value], indexOf([SURFACE, ABOVE_BAR, [265, 436, 301, 436]]));
  expect(closed.finding.type).toBe(17);
  expect(closed.finding.box.y + closed.finding.box.height).toBeCloseTo(462.5, 0);
  const [round] = finishMarks([value], indexOf([SURFACE, LEG], [[284, 445, 9]]));
  expect(round.finding.type).toBe(38);
});

test('a mark without its value is none on pages of pixels, where grain and corners look like one', () => {
  const sheet = { width: 2400, height: 1700 } as Sheet;
  const index = indexOf([[320, 402, 284, 464], [268, 436, 284, 464], [268, 436, 300, 436]]); // biome-ignore format: a row
  expect(finishSymbols(sheet, [], index).map(({ finding }) => finding.type)).toEqual([17]);
  expect(finishSymbols(sheet, [], index, true)).toEqual([]);
  const value = textAt('12.5', 223, 274, 429);
  expect(finishSymbols(sheet, [value], index, true).map(({ lines }) => lines)).toEqual([[value]]);
});

test('a small circle that touches both legs of a mark is found in the ink, and a mark without one has none', () => {
  const value = textAt('12.5', 223, 274, 429);
  const [high, radius] = [62, 9];
  const foot = [100, 150] as const;
  const ink = (parts: { readonly ring?: boolean; readonly bar?: boolean }): Bitmap => {
    const map = bitmapOf(200, 200);
    const stroke = (x0: number, y0: number, x1: number, y1: number): void => {
      for (const dx of [0, 1]) drawLine(map, x0 + dx, y0, x1 + dx, y1);
    };
    stroke(...foot, foot[0] + 36, foot[1] - high);
    stroke(...foot, foot[0] - 16, foot[1] - 28);
    if (parts.bar === true) stroke(foot[0] - 16, foot[1] - 28, foot[0] + 16, foot[1] - 28);
    const at = (i: number): readonly [number, number] => [
      Math.round(foot[0] + radius * Math.cos((i * Math.PI) / 24)),
      Math.round(foot[1] - 2 * radius + radius * Math.sin((i * Math.PI) / 24)),
    ];
    if (parts.ring === true) for (let i = 0; i < 48; i++) stroke(...at(i), ...at(i + 1));
    return map;
  };
  // The foot of the mark is at 284, 464 there.
  const read = (map: Bitmap): unknown =>
    finishMarks([value], indexOf([SURFACE, LEG]), undefined, (x, y, r) =>
      isRingAt(map, x - 284 + foot[0], y - 464 + foot[1], r),
    )[0].finding.type;
  expect([read(ink({ ring: true })), read(ink({})), read(ink({ bar: true }))]).toEqual([38, 16, 16]);
});

test('Ra below the bar of a mark is one, with or without the bar that closes it', () => {
  const value = textAt('Ra6.3', 332, 388, 430);
  const bar: Row = [320, 402, 401, 402];
  expect(finishMarks([value], indexOf([SURFACE, LEG, bar])).map(({ finding }) => finding.type)).toEqual([44]);
  expect(
    finishMarks([value], indexOf([SURFACE, ABOVE_BAR, bar, [265, 436, 301, 436]])).map(({ finding }) => finding.type),
  ).toEqual([46]);
  expect(finishMarks([value], indexOf([SURFACE, bar]))).toEqual([]);
});

test('sizes beside slanted lines that are no marks stay sizes', () => {
  const size = textAt('12.5', 223, 274, 429);
  // Nothing that it stands on; a line of another direction; a longer one; a size that no mark has.
  expect(finishMarks([size], indexOf([LEG]))).toEqual([]);
  expect(finishMarks([size], indexOf([SURFACE, [340, 420, 284, 464]]))).toEqual([]);
  expect(finishMarks([size], indexOf([SURFACE, [400, 264, 284, 464]]))).toEqual([]);
  expect(finishMarks([textAt('12.4', 223, 274, 429)], indexOf([SURFACE, LEG]))).toEqual([]);
});

test('what is read upwards in a square box is the letter of a datum, if it is one; a long box has a size', () => {
  const own: readonly Row[] = [
    [100, 100, 124, 100],
    [100, 124, 124, 124],
    [100, 100, 100, 124],
    [124, 100, 124, 124],
  ];
  const box: readonly Row[] = [...own, [112, 124, 112, 146]];
  // `R`, whose middle is at 112, 112, read upwards.
  const across: TextLine = {
    ...{ text: '70', angleRad: -Math.PI / 2, height: 13, start: -117.5, end: -106.5, t: 116.5 },
    pieces: [{ text: '70', start: -117.5, end: -106.5, confidence: 0.5 }],
  };
  const read = withLevelLetter(across, indexOf(box), () => 'R');
  expect([read.text, read.angleRad, read.pieces.map(({ text }) => text)]).toEqual(['R', 0, ['R']]);
  expect([(read.start + read.end) / 2, read.t].map(Math.round)).toEqual([112, 118]);
  expect(withLevelLetter(across, indexOf(box), () => '12')).toBe(across);
  expect(withLevelLetter(across, indexOf(box), undefined)).toBe(across);
  // Without a leader it is a basic size.
  expect(withLevelLetter(across, indexOf(own), () => 'R')).toBe(across);
  const long = box.map(([x0, y0, x1, y1]): Row => [x0, y0 > 110 ? y0 + 30 : y0, x1, y1 > 110 ? y1 + 30 : y1]);
  expect(withLevelLetter(across, indexOf(long), () => 'R')).toBe(across);
});

test('a value whose point was not seen has it where the sheet writes zeros before points, not in inches', () => {
  const index = indexOf([SURFACE, LEG]);
  const read = (text: string, point?: string): string[] =>
    finishMarks([textAt(text, 223, 274, 429)], index, point).flatMap(({ finding }) =>
      finding.parts.map((part) => part.text),
    );
  expect(['16', '32', '63', '125', '08', '25'].flatMap((text) => read(text, '.'))).toEqual([
    ...['1.6', '3.2', '6.3', '12.5', '0.8', '25'],
  ]);
  expect(read('16', ',')).toEqual(['1,6']);
  expect(read('16')).toEqual([]);
  expect(read('17', '.')).toEqual([]);
});

test('sizes of a chain that pixels show as one number are told, not read', () => {
  const sizes = ['138140', '165', '24', '113'].map((text, i) => textAt(text, 100, 150, 200 + 90 * i));
  const around = {
    index: indexOf([]),
    arrows: [],
    labelled: new Set<TextLine>(),
    isBoxed: () => false,
    isHeld: () => false,
  };
  const read = (lines: readonly TextLine[], isRead: boolean): readonly [string[], number] => {
    const { findings, garbled } = sizesOfTexts(lines, { ...around, isInInches: false, isRead });
    return [findings.map(({ parts }) => parts[0].text), garbled.length];
  };
  expect(read(sizes, true)).toEqual([['165', '24', '113'], 1]);
  // What a file says itself is believed, and so is a number among large ones.
  expect(read(sizes, false)).toEqual([['138140', '165', '24', '113'], 0]);
  const large = [...sizes, textAt('2100', 400, 440, 290), textAt('14500', 400, 450, 200)];
  expect(read(large, true)[0]).toContain('14500');
});
