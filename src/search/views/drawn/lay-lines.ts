/** Width and height of the pictures, pixels, and the place of their middle. */
const SIDE = 64;
const PIXELS = SIDE * SIDE;
const MIDDLE = (SIDE - 1) / 2;
/** Least coverage of a pixel that counts as line. */
const LINE = 100;
/** No line is farther, px²; the row of none. */
const FAR = 1e9;
const NO_ROW = -10_000;

/**
 * Distances, pixels, beyond which lines have nothing to do with each other: in each step of laying, and when what is
 * left is measured.
 */
const REACHES = [8, 8, 5, 5] as const;
const MOST_AWAY = 5;
/** Weight of points of the model's lines while they are laid: it may have lines that are not drawn. */
const BACK_WEIGHT = 0.7;
/**
 * How much a change of scale or shear, and a shift, cost in units of the points: what a hand distorts is small, and
 * without this, lines of other shapes are bent to fit (first 86 % -> 80 % at a fifteenth of it).
 */
const STIFFNESS = 150;
const STILLNESS = 0.3;

/** A picture of lines, prepared to be laid over others. */
export interface LinePicture {
  /** Numbers of the pixels that are lines, row by row. */
  readonly points: Uint16Array;
  /** For each pixel the number of the nearest line pixel, and the distance to it. */
  readonly nearest: Uint16Array;
  readonly distances: Float64Array;
}

/** Prepares a picture. lines: u8[64²]. Undefined where it has none. */
export function linePicture(lines: Uint8Array): LinePicture | undefined {
  const points = Uint16Array.from(lines.keys()).filter((i) => lines[i] >= LINE);
  return points.length === 0 ? undefined : { points, ...distancesTo(lines) };
}

/** The picture turned clockwise by quarters. lines: u8[64²]. */
export function turnedLines(lines: Uint8Array, quarters: number): Uint8Array {
  if (quarters === 0) return lines;
  const turned = new Uint8Array(PIXELS);
  for (let y = 0; y < SIDE; y++) for (let x = 0; x < SIDE; x++) turned[x * SIDE + SIDE - 1 - y] = lines[y * SIDE + x];
  return turnedLines(turned, quarters - 1);
}

/** Onto x and y: a, b, c with a x + b y + c; from the middle of the pictures. */
type Affine = readonly [number, number, number, number, number, number];

/**
 * What is left between the lines of a drawing and those of a model after the drawing was laid over it: the mean
 * distance from each line to the nearest one of the other, in pixels, both ways added; 0 to 10. It may be stretched,
 * sheared and moved a little, as a hand distorts: iterated closest points (Besl, McKay 1992) with weights that fall with
 * the distance, four steps.
 */
export function apartAfterLaying(drawn: LinePicture, model: LinePicture): number {
  let laid: Affine = [1, 0, 0, 0, 1, 0];
  for (const reach of REACHES) laid = step(drawn, model, laid, reach);
  return meanDistance(drawn, model, laid) + meanDistance(model, drawn, inverse(laid));
}

/** The affine map that carries each line to the nearest one, weighted least squares. */
function step(drawn: LinePicture, model: LinePicture, laid: Affine, reach: number): Affine {
  const sums = new Sums();
  for (const point of drawn.points) {
    const x = (point % SIDE) - MIDDLE,
      y = Math.floor(point / SIDE) - MIDDLE;
    const at = pixelAt(laid, x, y);
    const weight = weightOf(model, at, reach);
    if (weight > 0) sums.add(x, y, model.nearest[at], weight);
  }
  const back = inverse(laid);
  for (const point of model.points) {
    const at = pixelAt(back, (point % SIDE) - MIDDLE, Math.floor(point / SIDE) - MIDDLE);
    const weight = BACK_WEIGHT * weightOf(drawn, at, reach);
    if (weight === 0) continue;
    const from = drawn.nearest[at];
    sums.add((from % SIDE) - MIDDLE, Math.floor(from / SIDE) - MIDDLE, point, weight);
  }
  return sums.solved(drawn.points.length);
}

/** 0 outside the picture. */
function weightOf({ distances }: LinePicture, pixel: number, reach: number): number {
  if (pixel < 0) return 0;
  const share = distances[pixel] / reach;
  return share < 1 ? 1 - share * share : 0;
}

/** Number of the pixel onto which a place is carried; -1 outside the picture. */
function pixelAt([a, b, c, d, e, f]: Affine, x: number, y: number): number {
  const u = Math.round(a * x + b * y + c + MIDDLE),
    v = Math.round(d * x + e * y + f + MIDDLE);
  return u < 0 || v < 0 || u >= SIDE || v >= SIDE ? -1 : v * SIDE + u;
}

function meanDistance({ points }: LinePicture, { distances }: LinePicture, laid: Affine): number {
  let sum = 0;
  for (const point of points) {
    const at = pixelAt(laid, (point % SIDE) - MIDDLE, Math.floor(point / SIDE) - MIDDLE);
    sum += at < 0 ? MOST_AWAY : Math.min(MOST_AWAY, distances[at]);
  }
  return sum / points.length;
}

function inverse([a, b, c, d, e, f]: Affine): Affine {
  const det = a * e - b * d;
  return [e / det, -b / det, (b * f - e * c) / det, -d / det, a / det, (d * c - a * f) / det];
}

/** Normal equations of an affine map near the identity. */
class Sums {
  readonly #matrix = new Float64Array(9);
  readonly #u = new Float64Array(3);
  readonly #v = new Float64Array(3);

  /** A point from the middle that should be carried to a pixel. */
  add(x: number, y: number, pixel: number, weight: number): void {
    const u = (pixel % SIDE) - MIDDLE,
      v = Math.floor(pixel / SIDE) - MIDDLE;
    const of = [x, y, 1];
    for (let i = 0; i < 3; i++) {
      for (let k = 0; k < 3; k++) this.#matrix[3 * i + k] += weight * of[i] * of[k];
      this.#u[i] += weight * of[i] * u;
      this.#v[i] += weight * of[i] * v;
    }
  }

  /** count: points of the picture that is laid. */
  solved(count: number): Affine {
    const stiff = count * STIFFNESS;
    this.#matrix[0] += stiff;
    this.#matrix[4] += stiff;
    this.#matrix[8] += count * STILLNESS;
    this.#u[0] += stiff;
    this.#v[1] += stiff;
    return [...solved(this.#matrix, this.#u), ...solved(this.#matrix, this.#v)];
  }
}

/** The solution of a symmetric positive definite system of three equations, by Cramer's rule. */
function solved(m: Float64Array, [u, v, w]: Float64Array): [number, number, number] {
  const [a, b, c, , d, e, , , f] = m;
  const aa = d * f - e * e,
    ab = c * e - b * f,
    ac = b * e - c * d,
    bb = a * f - c * c,
    bc = b * c - a * e,
    cc = a * d - b * b;
  const det = a * aa + b * ab + c * ac;
  return [(aa * u + ab * v + ac * w) / det, (ab * u + bb * v + bc * w) / det, (ac * u + bc * v + cc * w) / det];
}

/** The nearest line pixel of each pixel: along columns first, then along rows. */
function distancesTo(lines: Uint8Array): Pick<LinePicture, 'nearest' | 'distances'> {
  // For each pixel the nearest line above or below it.
  const rows = new Int16Array(PIXELS).fill(NO_ROW);
  for (let x = 0; x < SIDE; x++) {
    for (let y = 0, last = NO_ROW; y < SIDE; y++) {
      if (lines[y * SIDE + x] >= LINE) last = y;
      rows[y * SIDE + x] = last;
    }
    for (let y = SIDE - 1, last = NO_ROW; y >= 0; y--) {
      const at = y * SIDE + x;
      if (lines[at] >= LINE) last = y;
      if (Math.abs(last - y) < Math.abs(y - rows[at])) rows[at] = last;
    }
  }
  const nearest = new Uint16Array(PIXELS),
    distances = new Float64Array(PIXELS);
  for (let y = 0; y < SIDE; y++) {
    const first = y * SIDE;
    for (let x = 0; x < SIDE; x++) {
      let least = FAR,
        found = 0;
      for (let away = 0; away * away < least; away++) {
        const left = x - away,
          right = x + away;
        if (left < 0 && right >= SIDE) break;
        const across = away * away;
        if (left >= 0) {
          const down = rows[first + left] - y,
            square = across + down * down;
          if (square < least) {
            least = square;
            found = left;
          }
        }
        if (right < SIDE) {
          const down = rows[first + right] - y,
            square = across + down * down;
          if (square < least) {
            least = square;
            found = right;
          }
        }
      }
      nearest[first + x] = rows[first + found] * SIDE + found;
      distances[first + x] = Math.sqrt(least);
    }
  }
  return { nearest, distances };
}
