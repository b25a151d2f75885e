import { describe, expect, it } from 'vitest';
import type { Sheet } from '../../dist/content/sheet.js';
import { splitSheet } from '../../dist/shapelets/sheet/split-sheet.js';
import { SheetMaker, TWO_WIDTHS, type Pens } from '../fixtures/sheet-maker.js';

type Point = readonly [x: number, y: number];
type Box = readonly [x: number, y: number, width: number, height: number];

const THIN_ALL: Pens = { outline: 0.35, thin: 0.35, frame: 0.35 };

function arc(x: number, y: number, r: number, from: number, to: number, count = 12): Point[] {
  return Array.from({ length: count + 1 }, (_, i) => {
    const angle = ((from + ((to - from) * i) / count) * Math.PI) / 180;
    return [x + r * Math.cos(angle), y + r * Math.sin(angle)];
  });
}

/** Edges and fillets of a rounded rectangle as strokes of their own; each fillet has the arrow of its radius. */
function plate(maker: SheetMaker, [x, y, width, height]: Box, r: number): void {
  const corners: [Point, number][] = [
    [[x + width - r, y + r], 270],
    [[x + width - r, y + height - r], 0],
    [[x + r, y + height - r], 90],
    [[x + r, y + r], 180],
  ];
  const arcs = corners.map(([[cx, cy], from]) => arc(cx, cy, r, from, from + 90));
  arcs.forEach((points, i) => {
    maker.outline(...points).outline(points[12], arcs[(i + 1) % 4][0]);
    const [cx, cy] = corners[i][0];
    const [dx, dy] = [points[6][0] - cx, points[6][1] - cy].map((part) => part / r);
    maker.thin([cx - 10 * dx, cy - 10 * dy], points[6]).arrow(points[6][0], points[6][1], dx, dy);
    maker.text('R', points[6][0] + 6 * dx, points[6][1] + 6 * dy, 14);
  });
}

function boxesOf(sheet: Sheet): Box[] {
  return splitSheet(sheet).map(({ box: { x, y, width, height } }) => [x, y, width, height]);
}

function expectBoxes(sheet: Sheet, expected: readonly Box[]): void {
  const found = boxesOf(sheet);
  expect(found).toHaveLength(expected.length);
  for (const box of expected)
    expect(
      found.some((other) => other.every((part, i) => Math.abs(part - box[i]) <= 1)),
      `${JSON.stringify(box)} in ${JSON.stringify(found)}`,
    ).toBe(true);
}

describe('curves of views', () => {
  it.each([
    ['two widths', TWO_WIDTHS],
    ['one width', THIN_ALL],
  ])('are outlines although arrows of radii point at them and letters stand beside them: %s', (_, pens) => {
    const maker = new SheetMaker(842, 595, pens);
    plate(maker, [200, 150, 300, 200], 9);
    maker.rectangle(600, 150, 40, 200).outline([600, 200], [640, 200]);
    expectBoxes(maker.sheet(), [
      [200, 150, 300, 200],
      [600, 150, 40, 200],
    ]);
  });

  it('are outlines although the arrows of a cutting plane touch a circle, whole or in quarters', () => {
    const maker = new SheetMaker(842, 595, THIN_ALL);
    for (const x of [180, 320]) maker.thin([x, 220], [x, 208]).arrow(x, 200, 0, -1);
    maker.circle(250, 200, 70).circle(250, 200, 30);
    for (const x of [460, 580]) maker.thin([x, 220], [x, 208]).arrow(x, 200, 0, -1);
    for (const from of [0, 90, 180, 270]) maker.outline(...arc(520, 200, 60, from, from + 90));
    expectBoxes(maker.sheet(), [
      [180, 130, 140, 140],
      [460, 140, 120, 120],
    ]);
  });

  it('are views by themselves where they are closed and hold no text', () => {
    const maker = new SheetMaker(842, 595).circle(200, 200, 20).rectangle(300, 180, 300, 40);
    maker.rectangle(300, 400, 120, 60).text('ALL EDGES', 310, 435);
    expectBoxes(maker.sheet(), [
      [180, 180, 40, 40],
      [300, 180, 300, 40],
    ]);
  });

  it('may be the thin border of a detail, which closes what it cuts off', () => {
    const maker = new SheetMaker(842, 595).rectangle(100, 100, 200, 100).outline([150, 100], [150, 200]);
    // On the view a thin circle says what the detail shows.
    maker.thin(...arc(150, 100, 20, 0, 360, 72)).text('B', 172, 90);
    maker.outline([490, 200], [550, 200]).outline([550, 200], [550, 260]);
    maker.thin(...arc(550, 200, 60, 0, 360, 72)).text('DETAIL B', 530, 280);
    expectBoxes(maker.sheet(), [
      [100, 100, 200, 100],
      [490, 140, 120, 120],
    ]);
  });
});
