import { describe, expect, it } from 'vitest';
import type { Picture } from '../../dist/content/sheet.js';
import { splitSheet } from '../../dist/shapelets/sheet/split-sheet.js';
import { ONE_WIDTH, SheetMaker, TWO_WIDTHS, type Pens } from '../fixtures/sheet-maker.js';

type Point = readonly [number, number];

/** A plate of 300 × 200 with a hole and two dimensions, within a frame with a title block. */
function plate(pens: Pens = TWO_WIDTHS): SheetMaker {
  return new SheetMaker(1191, 842, pens)
    .frame()
    .rectangle(150, 150, 300, 200)
    .circle(250, 250, 30)
    .dimension(150, 450, 350, 25, '300')
    .upright(150, 350, 150, -25, '200');
}

/** Half a circle or another part of one. */
function bow(x: number, y: number, r: number, from: number, to: number): Point[] {
  return Array.from({ length: 13 }, (_, i) => {
    const angle = from + ((to - from) * i) / 12;
    return [x + r * Math.cos(angle), y + r * Math.sin(angle)];
  });
}

/** A cone of 40 × 40 and the two circles that show it from its end, in outlines. */
function cone(maker: SheetMaker, x: number, y: number): SheetMaker {
  return maker
    .outline([x, y + 10], [x + 40, y], [x + 40, y + 40], [x, y + 30], [x, y + 10])
    .circle(x + 80, y + 20, 20)
    .circle(x + 80, y + 20, 10)
    .center([x - 8, y + 20], [x + 108, y + 20]);
}

function picture(widthPx: number, heightPx: number, level: (x: number, y: number) => number): Picture {
  const gray = new Uint8Array(widthPx * heightPx);
  for (let y = 0; y < heightPx; y++) for (let x = 0; x < widthPx; x++) gray[y * widthPx + x] = level(x, y);
  return { widthPx, heightPx, gray };
}

const LOGO = picture(80, 40, (x, y) => (Math.hypot(x - 20, y - 20) < 18 || (x > 42 && y > 8 && y < 32) ? 40 : 255));
const SHADED = picture(80, 40, (x, y) => (y < 12 ? 200 : x < 20 ? 150 : x < 50 ? 100 : 60));

function count(maker: SheetMaker): number {
  return splitSheet(maker.sheet()).length;
}

describe('what offices put beside the views', () => {
  it('a sign of the projection method is no view; a cone of the size of its other views is one', () => {
    expect(count(plate())).toBe(1);
    expect(count(cone(plate(), 600, 500))).toBe(1);
    expect(count(cone(new SheetMaker(400, 300), 100, 100))).toBe(2);
  });

  it('a cloud of a revision is no view, as bows or in one stroke; a knob with bows is one', () => {
    const bows: Point[][] = [];
    for (let i = 0; i < 6; i++) bows.push(bow(610 + 20 * i, 500, 10, Math.PI, 2 * Math.PI));
    for (let i = 0; i < 3; i++) bows.push(bow(720, 510 + 20 * i, 10, -Math.PI / 2, Math.PI / 2));
    for (let i = 5; i >= 0; i--) bows.push(bow(610 + 20 * i, 560, 10, 0, Math.PI));
    for (let i = 2; i >= 0; i--) bows.push(bow(600, 510 + 20 * i, 10, Math.PI / 2, 1.5 * Math.PI));
    const apart = plate();
    for (const points of bows) apart.outline(...points);
    expect(count(apart)).toBe(1);
    expect(count(plate().outline(...bows.flat()))).toBe(1);
    const knob = plate();
    for (let i = 0; i < 12; i++) {
      const way = (i * Math.PI) / 6;
      const [away, r] = [80 * Math.cos(Math.PI / 12), 80 * Math.sin(Math.PI / 12)];
      const middle = [700 + away * Math.cos(way), 550 + away * Math.sin(way)] as const;
      knob.outline(...bow(...middle, r, way - Math.PI / 2, way + Math.PI / 2));
    }
    expect(count(knob)).toBe(2);
  });

  it('a small picture of one tone in line with no view is a logo; one with the tones of faces is a view', () => {
    expect(count(plate().picture(700, 520, 80, 40, LOGO))).toBe(1);
    expect(count(plate().picture(700, 520, 80, 40, SHADED))).toBe(2);
    // In line with the plate: its even face from the side.
    expect(count(plate().picture(700, 230, 80, 40, LOGO))).toBe(2);
    expect(count(new SheetMaker(400, 300).picture(100, 100, 80, 40, LOGO))).toBe(1);
  });

  it('a logo does not hide the views of a page whose outlines are as thin as its other lines', () => {
    const maker = plate(ONE_WIDTH).picture(700, 520, 80, 40, LOGO);
    for (let row = 0; row < 4; row++)
      maker.stroke(
        [
          [900, 500 + 20 * row],
          [1100, 500 + 20 * row],
        ],
        { width: 1 },
      );
    expect(splitSheet(maker.sheet()).map(({ box }) => Math.round(box.width))).toEqual([300]);
  });

  it('a balloon is no view where its leader ends at the point at which its circle begins', () => {
    const maker = plate();
    for (const y of [500, 540]) {
      maker.circle(700, y, 13).text('7', 697, y + 4);
      maker.outline([713, y], [760, y + 12]);
    }
    expect(count(maker)).toBe(1);
  });

  it('a table whose cells are rectangles is no view, though no line goes all the way across', () => {
    const table = (maker: SheetMaker): SheetMaker => {
      const sides = (x: number, y: number, w: number, h: number): [Point, Point][] => [
        [[x, y], [x + w, y]], [[x + w, y], [x + w, y + h]], [[x + w, y + h], [x, y + h]], [[x, y + h], [x, y]],
      ]; // biome-ignore format: a list
      for (const side of sides(600, 600, 480, 120)) maker.outline(...side);
      for (const [row, words] of ['DRAWN BY', 'SCALE 1:2', 'MATERIAL', 'A-1042'].entries())
        for (const column of [0, 1]) {
          const [x, y] = [600 + 240 * column, 600 + 30 * row];
          for (const side of sides(x, y, 240, 30)) maker.thin(...side);
          maker.text(words, x + 20, y + 20, 12);
        }
      return maker;
    };
    expect(count(table(plate()))).toBe(1);
  });

  it('frames and tables with letters that were saved as outlines are no views; a plate beside letters is', () => {
    const letters = (maker: SheetMaker, x: number, y: number, many: number): SheetMaker => {
      for (let i = 0; i < many; i++) maker.stroke(bow(x + 9 * i, y, 4, 0, 2 * Math.PI), { isFill: true });
      return maker;
    };
    const sheet = new SheetMaker(1191, 842).rectangle(150, 150, 300, 200).circle(250, 250, 30);
    letters(sheet, 120, 500, 30);
    expect(count(sheet)).toBe(1);
    for (const x of [500, 620, 680]) sheet.rectangle(x, 400, x === 500 ? 120 : 60, 20);
    letters(letters(sheet, 510, 410, 10), 630, 410, 10);
    for (const row of [0, 1, 2, 3]) letters(sheet.rectangle(700, 600 + 24 * row, 300, 24), 710, 612 + 24 * row, 24);
    expect(count(sheet)).toBe(1);
  });
});
