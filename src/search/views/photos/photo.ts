import type { GrayPicture } from '../../../core/poses.js';

/** The object of a photo, prepared for comparison with models. */
export interface Photo {
  /** Its view, from `describeViews`. */
  readonly view: Uint8Array;
  /** Counter-clockwise rotation of the view's picture that aligned its longest axis, rad. */
  readonly laidRad: number;
  readonly fine: GrayPicture;
  /** The picture at half the size, or at full size for a narrow object. */
  readonly coarse: GrayPicture;
}

const SIZE = 64;
/** Below this width-to-length ratio the coarse picture stays at full size. */
const NARROW = 0.45;

/** Prepares a photo. gray: u8[64²] of a shapelet, 0 outside the object. */
export function photoOf(view: Uint8Array, gray: Uint8Array): Photo {
  const fine = Float32Array.from(gray, (value) => (value === 0 ? -1 : value / 255));
  const whole = { size: SIZE, gray: fine };
  const { laidRad, proportion } = layOf(gray);
  return { view, laidRad, fine: whole, coarse: proportion < NARROW ? whole : { size: SIZE / 2, gray: halved(fine) } };
}

/** Means of 2 × 2 pixels, of which at least two must be covered. */
function halved(fine: Float32Array): Float32Array {
  const half = SIZE / 2;
  return Float32Array.from({ length: half * half }, (_, i) => {
    const at = 2 * Math.floor(i / half) * SIZE + 2 * (i % half);
    const there = [at, at + 1, at + SIZE, at + SIZE + 1].map((pixel) => fine[pixel]).filter((value) => value >= 0);
    return there.length < 2 ? -1 : there.reduce((sum, value) => sum + value, 0) / there.length;
  });
}

/**
 * Angle of the longest axis of the filled silhouette, as in `assembly/raster/lay-along.ts`, and its width-to-length
 * ratio, 0 to 1.
 */
function layOf(gray: Uint8Array): { laidRad: number; proportion: number } {
  const isOutside = outsideOf(gray);
  let area = 0,
    x = 0,
    y = 0,
    xx = 0,
    xy = 0,
    yy = 0;
  for (let i = 0; i < SIZE * SIZE; i++) {
    if (isOutside[i] === 1) continue;
    const u = (i % SIZE) - 31.5,
      v = Math.floor(i / SIZE) - 31.5;
    area++;
    x += u;
    y += v;
    xx += u * u;
    xy += u * v;
    yy += v * v;
  }
  if (area === 0) return { laidRad: 0, proportion: 1 };
  const a = xx - (x * x) / area,
    b = xy - (x * y) / area,
    c = yy - (y * y) / area;
  const spread = Math.hypot(a - c, 2 * b);
  return {
    laidRad: 0.5 * Math.atan2(2 * b, a - c),
    proportion: Math.sqrt(Math.max(0, a + c - spread) / (a + c + spread)),
  };
}

function outsideOf(gray: Uint8Array): Uint8Array {
  const isOutside = new Uint8Array(SIZE * SIZE);
  const pending: number[] = [];
  const visit = (at: number): void => {
    if (gray[at] !== 0 || isOutside[at] === 1) return;
    isOutside[at] = 1;
    pending.push(at);
  };
  for (let i = 0; i < SIZE; i++) [i, SIZE * (SIZE - 1) + i, SIZE * i, SIZE * i + SIZE - 1].forEach(visit);
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const x = at % SIZE;
    if (x > 0) visit(at - 1);
    if (x + 1 < SIZE) visit(at + 1);
    if (at >= SIZE) visit(at - SIZE);
    if (at + SIZE < SIZE * SIZE) visit(at + SIZE);
  }
  return isOutside;
}
