/** Ink of one file that is so far from that of the other counts as its own, pixels of a picture of 1 024. */
const NEAR_PX = 2;
/** Least share of ink of a pixel that is a line's. */
const LEAST_INK = 0.4;
/** Shares by which the colors of `GET Overlay` darken: (214, 30, 36) the blue of a pixel, (24, 84, 214) its red. */
const RED_INK = 1 - 36 / 255;
const BLUE_INK = 1 - 24 / 255;

/**
 * How many pixels of two views that are laid over each other, red and blue, are ink of one that lies on none of the
 * other. rgba: u8[4 × width × height].
 */
export function inkApart(rgba: Uint8ClampedArray, width: number, height: number): number {
  const [first, second] = [2, 0].map((channel) => {
    const full = channel === 2 ? RED_INK : BLUE_INK;
    return Uint8Array.from({ length: width * height }, (_, i) =>
      1 - rgba[4 * i + channel] / 255 >= LEAST_INK * full ? 1 : 0,
    );
  });
  return aloneIn(first, grown(second, width, height)) + aloneIn(second, grown(first, width, height));
}

function aloneIn(ink: Uint8Array, other: Uint8Array): number {
  return ink.reduce((sum, own, i) => sum + (own === 1 && other[i] === 0 ? 1 : 0), 0);
}

/** What is at most {@link NEAR_PX} from ink, along rows and columns. */
function grown(ink: Uint8Array, width: number, height: number): Uint8Array {
  const wide = new Uint8Array(ink.length),
    all = new Uint8Array(ink.length);
  for (let i = ink.indexOf(1); i >= 0; i = ink.indexOf(1, i + 1)) {
    const row = i - (i % width);
    wide.fill(1, Math.max(row, i - NEAR_PX), Math.min(row + width, i + NEAR_PX + 1));
  }
  for (let i = wide.indexOf(1); i >= 0; i = wide.indexOf(1, i + 1))
    for (let y = -NEAR_PX; y <= NEAR_PX; y++) {
      const at = i + y * width;
      if (at >= 0 && at < width * height) all[at] = 1;
    }
  return all;
}
