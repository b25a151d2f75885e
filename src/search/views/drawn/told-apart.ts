import type { Core } from '../../../core/core.js';
import { layLines } from '../../../core/laid-lines.js';
import { LINE } from './model-lines.js';

/** Width and height of the pictures, pixels. */
const SIDE = 64;
/** What is left on two pictures at most, px, where a plain outline cannot be laid at all. */
const NOTHING_LIKE = 10;
/** Added to all that is left, px, so that hundredths of a pixel do not count. */
const NOISE = 0.3;
/**
 * Least and most that is taken to be left on a plain outline, px. The least is such that a plain outline which lies
 * exactly on a model is said to be nearly half like it: of the parts that show such an outline few are the one meant.
 * Beyond the most, lines are rich enough.
 */
const PLAIN_LEAST = 0.19;
const PLAIN_MOST = 3;
/** Shifts of ellipses, px: the box of pixels of a circle says where its middle is to half a pixel. */
const ELLIPSE_SHIFTS = [
  [0, 0],
  [-0.5, 0],
  [0, -0.5],
  [-0.5, -0.5],
] as const;

/**
 * What similarity is told by: what is left of some lines on a model over a power of what is left of them on a plain
 * rectangle or ellipse of their size. That a rectangle lies well on a model says little, since it does on most; that
 * many lines do says much. It depends on the lines and the model alone: not on other files, copies, sizes or filters.
 * @param apart what is left on each model, px
 * @param lines u8[64²], coverage of each pixel
 * @returns for each model, rising with what is left
 */
export function toldApart(core: Core, apart: readonly number[], lines: Uint8Array): number[] {
  const plain = NOISE + Math.min(Math.max(plainlyApart(core, lines), PLAIN_LEAST), PLAIN_MOST);
  // To the power of 3/4, by roots, which are equal on every machine.
  const expected = Math.sqrt(plain * Math.sqrt(plain));
  return apart.map((own) => (NOISE + own) / expected);
}

/** What is left of some lines, u8[64²], on a rectangle and on ellipses in their box, px: the least of all. */
function plainlyApart(core: Core, lines: Uint8Array): number {
  let [left, top, right, bottom] = [SIDE, SIDE, 0, 0];
  for (let i = 0; i < lines.length; i++) {
    if (lines[i] < LINE) continue;
    const x = i % SIDE,
      y = Math.floor(i / SIDE);
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
  }
  const rectangle = new Uint8Array(SIDE * SIDE),
    ellipses = ELLIPSE_SHIFTS.map(() => new Uint8Array(SIDE * SIDE));
  const put = (picture: Uint8Array, x: number, y: number): void => {
    picture[SIDE * Math.round(y) + Math.round(x)] = 255;
  };
  const [middleX, middleY, radiusX, radiusY] = [
    (left + right) / 2,
    (top + bottom) / 2,
    (right - left) / 2,
    (bottom - top) / 2,
  ];
  const across = (at: number, middle: number, radius: number): number => {
    const share = (at - middle) / Math.max(radius, 0.5);
    return Math.sqrt(Math.max(0, 1 - share * share));
  };
  for (const side of [-1, 1]) {
    for (let x = left; x <= right; x++) put(rectangle, x, middleY + side * radiusY);
    for (let y = top; y <= bottom; y++) put(rectangle, middleX + side * radiusX, y);
    ELLIPSE_SHIFTS.forEach(([shiftX, shiftY], i) => {
      const [atX, atY] = [middleX + shiftX, middleY + shiftY];
      for (let x = left; x <= right; x++) put(ellipses[i], x, atY + side * radiusY * across(x, atX, radiusX));
      for (let y = top; y <= bottom; y++) put(ellipses[i], atX + side * radiusX * across(y, atY, radiusY), y);
    });
  }
  const plain = [rectangle, ...ellipses];
  const apart = layLines(
    core,
    [lines],
    plain,
    plain.map((_, i) => [0, i] as const),
  );
  return Math.min(...apart.map((distance) => distance ?? NOTHING_LIKE));
}
