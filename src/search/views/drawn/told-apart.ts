import type { Core } from '../../../core/core.js';
import { layLines } from '../../../core/laid-lines.js';
import { LINE } from './model-lines.js';

/** Width and height of the pictures, pixels. */
const SIDE = 64;
/**
 * Ranks of the models on which together, by their geometric mean, as much is left of a drawn view as on an ordinary
 * model: the nearer one so that a figure is low where several fit as well, the farther one so that sizes of one part do
 * not make each other unlikely. What is left where there are fewer models, px, and what is added to all, so that
 * hundredths of a pixel do not count.
 */
const ORDINARY_RANKS = [4, 16] as const;
const ORDINARY = 2;
const NOISE = 0.3;

/**
 * What similarity is told by, for each model: what is left of some lines over what is left of them on an ordinary model,
 * or on a plain rectangle or ellipse of their size, whichever is less. That a rectangle lies well on a model says nothing,
 * since it does on most; that many lines do, which no other model has, says much.
 * @param apart what is left on each model, px
 * @param lines u8[64²], coverage of each pixel
 */
export function toldApart(core: Core, apart: readonly number[], lines: Uint8Array): number[] {
  const ranked = [...apart].sort((a, b) => a - b);
  const [near, far] = ORDINARY_RANKS.map((rank) => NOISE + (ranked[rank - 1] ?? ORDINARY));
  const ordinary = Math.min(Math.sqrt(near * far), NOISE + plainlyApart(core, lines));
  return apart.map((own) => (NOISE + own) / ordinary);
}

/** What is left of some lines, u8[64²], on a rectangle and on an ellipse in their box, px: the less of both. */
function plainlyApart(core: Core, lines: Uint8Array): number {
  let [left, top, right, bottom] = [SIDE, SIDE, 0, 0];
  for (let i = 0; i < lines.length; i++) {
    if (lines[i] < LINE) continue;
    const x = i % SIDE,
      y = Math.floor(i / SIDE);
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
  }
  const rectangle = new Uint8Array(SIDE * SIDE),
    ellipse = new Uint8Array(SIDE * SIDE);
  const put = (picture: Uint8Array, x: number, y: number): void => {
    picture[SIDE * Math.round(y) + Math.round(x)] = 255;
  };
  const [middleX, middleY, radiusX, radiusY] = [
    (left + right) / 2,
    (top + bottom) / 2,
    (right - left) / 2,
    (bottom - top) / 2,
  ];
  const across = (at: number, middle: number, radius: number): number =>
    Math.sqrt(Math.max(0, 1 - ((at - middle) / Math.max(radius, 0.5)) ** 2));
  for (const side of [-1, 1]) {
    for (let x = left; x <= right; x++) {
      put(rectangle, x, middleY + side * radiusY);
      put(ellipse, x, middleY + side * radiusY * across(x, middleX, radiusX));
    }
    for (let y = top; y <= bottom; y++) {
      put(rectangle, middleX + side * radiusX, y);
      put(ellipse, middleX + side * radiusX * across(y, middleY, radiusY), y);
    }
  }
  const apart = layLines(
    core,
    [lines],
    [rectangle, ellipse],
    [
      [0, 0],
      [0, 1],
    ],
  );
  return Math.min(...apart.map((distance) => distance ?? ORDINARY));
}
