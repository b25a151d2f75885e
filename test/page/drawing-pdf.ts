import { pdf, textAt } from '../fixtures/pdf-writer.js';

/** A line in points from the lower left. */
const line = (x1: number, y1: number, x2: number, y2: number): string => `${x1} ${y1} m ${x2} ${y2} l S\n`;
const chain = (points: readonly (readonly [number, number])[]): string =>
  points.map(([x, y], i) => line(...points[(i + points.length - 1) % points.length], x, y)).join('');

/** An angle bracket from the front and from above. */
const bracket = (x: number, y: number): string =>
  chain([
    [x, y],
    [x + 200, y],
    [x + 200, y + 20],
    [x + 20, y + 20],
    [x + 20, y + 120],
    [x, y + 120],
  ]) +
  chain([
    [x, y + 200],
    [x + 200, y + 200],
    [x + 200, y + 280],
    [x, y + 280],
  ]) +
  line(x + 20, y + 200, x + 20, y + 280);
/** A plate with a notch. */
const plate = (x: number, y: number): string =>
  chain([
    [x, y],
    [x + 240, y],
    [x + 240, y + 90],
    [x + 140, y + 90],
    [x + 140, y + 60],
    [x + 100, y + 60],
    [x + 100, y + 90],
    [x, y + 90],
  ]);
/** A dimension across: its line with arrows and its words above. */
const across = (words: string, x1: number, x2: number, y: number): string =>
  line(x1, y, x2, y) +
  [
    [x1, 1],
    [x2, -1],
  ]
    .map(([x, way]) => `${x} ${y} m ${x + 8 * way} ${y + 2} l ${x + 8 * way} ${y - 2} l f\n`)
    .join('') +
  line(x1, y - 3, x1, y + 20) +
  line(x2, y - 3, x2, y + 20) +
  textAt(words, (x1 + x2) / 2 - 20, y + 3, 10);

/** A drawing of two sheets with dimensions, a title and words to find. */
export function twoPages(): Uint8Array {
  // A parts list: drawings have many lines.
  const list =
    Array.from({ length: 12 }, (_, i) => line(560, 100 + 8 * i, 800, 100 + 8 * i)).join('') +
    Array.from({ length: 13 }, (_, i) => line(560 + 20 * i, 100, 560 + 20 * i, 188)).join('');
  const frame =
    list +
    chain([
      [20, 20],
      [822, 20],
      [822, 575],
      [20, 575],
    ]);
  return pdf(
    [
      {
        width: 842,
        height: 595,
        content:
          frame +
          bracket(120, 160) +
          across('200 \xb10.1', 120, 320, 130) +
          across('R12', 500, 620, 300) +
          textAt('Material: stainless steel', 500, 60, 12),
      },
      {
        width: 842,
        height: 595,
        content:
          frame + plate(200, 250) + across('240', 200, 440, 220) + textAt('Second sheet, steel as well', 500, 60, 12),
      },
    ],
    { info: { Producer: 'FreeCAD' } },
  );
}
