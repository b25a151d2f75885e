import type { Bitmap, PixelBox } from '../../../bitmap/bitmap.js';

/** The middles of two letters of a slanted text are apart in both directions, by this share of their distance. */
const SLOPE = 0.15;
/** How far from the middles of two boxes a wall is looked for, across their direction, in their shorter sides. */
const LANES = [-0.3, 0, 0.3];

/** Whether a line that was removed passes between two boxes, as between the cells of a frame. */
export function isWalled(a: PixelBox, b: PixelBox, walls: Bitmap): boolean {
  return isWalledBeside(a, b, walls) || isWalledWithin(a, b, walls);
}

function isWalledBeside(a: PixelBox, b: PixelBox, { bits, width }: Bitmap): boolean {
  const [left, right] = a.x0 < b.x0 ? [a, b] : [b, a];
  const [upper, lower] = a.y0 < b.y0 ? [a, b] : [b, a];
  const gapX = right.x0 - left.x1,
    gapY = lower.y0 - upper.y1;
  const isBeside = gapX >= gapY;
  const [from, to] = isBeside ? [left.x1, right.x0] : [upper.y1, lower.y0];
  if (to <= from) return false;
  const [first, last] = isBeside
    ? [Math.max(a.y0, b.y0), Math.min(a.y1, b.y1)]
    : [Math.max(a.x0, b.x0), Math.min(a.x1, b.x1)];
  if (last <= first) return isWalledAcross(left, right, { upper, lower }, bits, width);
  // A wall is passed on each way from one box to the other; the rest of a line beside a letter is not.
  return [0.15, 0.5, 0.85].every((share) => {
    const across = Math.floor(first + share * (last - first));
    for (let along = from; along < to; along++)
      if (bits[isBeside ? across * width + along : along * width + across] !== 0) return true;
    return false;
  });
}

/** The same between the middles of boxes that stand askew, as those of letters of slanted texts. */
function isWalledWithin(a: PixelBox, b: PixelBox, { bits, width }: Bitmap): boolean {
  const [x0, y0] = [(a.x0 + a.x1) / 2, (a.y0 + a.y1) / 2];
  const [dx, dy] = [(b.x0 + b.x1) / 2 - x0, (b.y0 + b.y1) / 2 - y0];
  const long = Math.hypot(dx, dy);
  const size = Math.min(a.x1 - a.x0, a.y1 - a.y0, b.x1 - b.x0, b.y1 - b.y0);
  if (long < 1 || Math.min(Math.abs(dx), Math.abs(dy)) < SLOPE * long) return false;
  return LANES.every((lane) => {
    const [u, v] = [x0 - (lane * size * dy) / long, y0 + (lane * size * dx) / long];
    for (let s = 0; s <= long; s += 0.5)
      if (bits[Math.floor(v + (s * dy) / long) * width + Math.floor(u + (s * dx) / long)] !== 0) return true;
    return false;
  });
}

/** The same of boxes that stand diagonally: between their nearest corners. */
function isWalledAcross(
  left: PixelBox,
  right: PixelBox,
  { upper, lower }: { readonly upper: PixelBox; readonly lower: PixelBox },
  bits: Uint8Array,
  width: number,
): boolean {
  const isDown = left === upper;
  const [x0, x1] = [left.x1 - 1, right.x0];
  const [y0, y1] = isDown ? [upper.y1 - 1, lower.y0] : [lower.y0, upper.y1 - 1];
  const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));
  for (let i = 1; i < steps; i++) {
    const x = Math.round(x0 + ((x1 - x0) * i) / steps),
      y = Math.round(y0 + ((y1 - y0) * i) / steps);
    if (bits[y * width + x] !== 0) return true;
  }
  return false;
}
