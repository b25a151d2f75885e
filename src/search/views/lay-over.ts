/** Width and height of the pictures, pixels. */
const SIDE = 64;
const PIXELS = SIDE * SIDE;

/**
 * Transforms one picture onto another: rotated and scaled about its middle, then moved; pixels, x to the right, y
 * downwards.
 */
export interface Laid {
  readonly x: number;
  readonly y: number;
  /** Positive from x to y. -π to π. */
  readonly rotationRad: number;
  readonly scale: number;
}

/** Standard deviations of the blur, pixels: coarse to converge from afar, fine to settle. */
const COARSE_BLUR = 2.5;
const FINE_BLUR = 1;
/**
 * Number of tried rotations; of the best ones and the quarter turns that are refined coarsely; and of the best that are
 * refined finely.
 */
const TURNS = 72;
const IMPROVED = 4;
const SETTLED = 2;
const COARSE_STEPS = 8;
const FINE_STEPS = 12;
/** Most points compared when rotations are tried, refined coarsely and refined finely. */
const TRIED_POINTS = 256;
const COARSE_POINTS = 500;
const FINE_POINTS = 1_500;
/** Refinement ends with a step that improves by less than this share. */
const SETTLED_GAIN = 1e-3;
/** Pixels count if the blurred lines have at least this share of their maximum. */
const LEAST_SHARE = 0.08;
/** Largest scale: both pictures fill their frames, so a larger one cannot be the same view. */
const MOST_SCALE = 3;

interface Blurred {
  readonly values: Float64Array;
  /** x, y and value of each pixel that counts; positions from the middle. */
  readonly points: Float64Array;
}

/** A picture prepared for alignment. */
export interface LayPicture {
  readonly moments: { readonly x: number; readonly y: number; readonly spread: number };
  readonly coarse: Blurred;
  readonly fine: Blurred;
}

/** Prepares a picture for alignment. lines: u8[64²]. Undefined for an empty picture. */
export function layPicture(lines: Uint8Array): LayPicture | undefined {
  const moments = momentsOf(lines);
  return moments && { moments, coarse: blurred(lines, COARSE_BLUR), fine: blurred(lines, FINE_BLUR) };
}

/**
 * Aligns the lines of `from` with those of `onto`: the similarity transform (no mirror) with the least squared
 * differences. Rotations are tried about the centres of the lines, the best ones refined by Gauss-Newton steps on
 * blurred pictures (Lucas and Kanade 1981). Copies are aligned to a few hundredths of a pixel.
 */
export function layOver(onto: LayPicture, from: LayPicture): Laid {
  const ontoFacts = onto.moments,
    fromFacts = from.moments;
  const coarse = { onto: onto.coarse, from: from.coarse },
    fine = { onto: onto.fine, from: from.fine };
  const scale = Math.min(MOST_SCALE, Math.max(1 / MOST_SCALE, ontoFacts.spread / fromFacts.spread));
  const triedPoints = thinned(coarse.from.points, TRIED_POINTS);
  const tried = Array.from({ length: TURNS }, (_, i): Laid & { difference: number } => {
    const rotationRad = (2 * Math.PI * i) / TURNS;
    const cos = scale * Math.cos(rotationRad),
      sin = scale * Math.sin(rotationRad);
    const laid = {
      x: ontoFacts.x - (cos * fromFacts.x - sin * fromFacts.y),
      y: ontoFacts.y - (sin * fromFacts.x + cos * fromFacts.y),
      rotationRad,
      scale,
    };
    return { ...laid, difference: differenceOf(coarse.onto.values, triedPoints, laid) };
  });
  const turned = tried
    .filter(
      ({ difference }, i) =>
        difference <= tried[(i + TURNS - 1) % TURNS].difference && difference <= tried[(i + 1) % TURNS].difference,
    )
    .sort((a, b) => a.difference - b.difference)
    .slice(0, IMPROVED);
  // Similar views with some different lines fill their frames equally, while the centres of their lines differ.
  const framed = [0, 1, 2, 3].map(
    (quarters): Laid => ({ x: 0, y: 0, rotationRad: (quarters * Math.PI) / 2, scale: 1 }),
  );
  const coarsePoints = thinned(coarse.from.points, COARSE_POINTS),
    finePoints = thinned(fine.from.points, FINE_POINTS);
  const near = [...turned, ...framed]
    .map((start) => improved(coarse.onto.values, coarsePoints, start, COARSE_STEPS))
    .map((laid) => ({ laid, difference: bothDifferences(coarse.onto, coarse.from, laid, COARSE_POINTS) }))
    .sort((a, b) => a.difference - b.difference)
    .slice(0, SETTLED);
  let best: Laid = near[0].laid;
  let least = Infinity;
  for (const { laid: start } of near) {
    const laid = improved(fine.onto.values, finePoints, start, FINE_STEPS);
    // Among equally good rotations a later one wins only by more than rounding, so that the result is the same on every
    // machine.
    const difference = bothDifferences(fine.onto, fine.from, laid, FINE_POINTS);
    if (difference < least * (1 - 1e-6)) [best, least] = [laid, difference];
  }
  return { ...best, rotationRad: Math.atan2(Math.sin(best.rotationRad), Math.cos(best.rotationRad)) };
}

/** Centre of the lines relative to the picture's middle, and their root mean square distance from it. */
function momentsOf(picture: Uint8Array): { x: number; y: number; spread: number } | undefined {
  let sum = 0,
    sumX = 0,
    sumY = 0,
    squares = 0;
  for (let i = 0; i < PIXELS; i++) {
    const weight = picture[i];
    if (weight === 0) continue;
    const x = (i % SIDE) - (SIDE - 1) / 2,
      y = Math.floor(i / SIDE) - (SIDE - 1) / 2;
    sum += weight;
    sumX += weight * x;
    sumY += weight * y;
    squares += weight * (x * x + y * y);
  }
  if (sum === 0) return undefined;
  const x = sumX / sum,
    y = sumY / sum;
  return { x, y, spread: Math.sqrt(Math.max(squares / sum - x * x - y * y, 1)) };
}

function blurred(picture: Uint8Array, sigma: number): Blurred {
  const radius = Math.ceil(3 * sigma);
  const kernel = Array.from({ length: 2 * radius + 1 }, (_, i) => Math.exp(-0.5 * ((i - radius) / sigma) ** 2));
  const total = kernel.reduce((sum, value) => sum + value, 0);
  // Rows, then columns, starting only from pixels with ink: most of a picture is empty.
  const across = new Float64Array(PIXELS),
    values = new Float64Array(PIXELS);
  for (let i = 0; i < PIXELS; i++) if (picture[i] > 0) spread(across, i, 1, picture[i] / total, kernel);
  for (let i = 0; i < PIXELS; i++) if (across[i] > 0) spread(values, i, SIDE, across[i] / total, kernel);
  const least = LEAST_SHARE * values.reduce((most, value) => Math.max(most, value), 0);
  const points: number[] = [];
  for (let i = 0; i < PIXELS; i++) {
    if (values[i] >= least) points.push((i % SIDE) - (SIDE - 1) / 2, Math.floor(i / SIDE) - (SIDE - 1) / 2, values[i]);
  }
  return { values, points: Float64Array.from(points) };
}

/** Spreads ink over the pixels of a row (step 1) or a column (step {@link SIDE}) around pixel `i`. */
function spread(values: Float64Array, i: number, step: 1 | typeof SIDE, ink: number, kernel: readonly number[]): void {
  const radius = (kernel.length - 1) / 2;
  const at = step === 1 ? i % SIDE : Math.floor(i / SIDE);
  for (let k = Math.max(-radius, -at); k <= Math.min(radius, SIDE - 1 - at); k++)
    values[i + k * step] += ink * kernel[k + radius];
}

/** At most this many of the points, evenly chosen. */
function thinned(points: Float64Array, most: number): Float64Array {
  const every = Math.ceil(points.length / 3 / most);
  if (every <= 1) return points;
  const kept = new Float64Array(3 * Math.ceil(points.length / 3 / every));
  for (let i = 0; 3 * i < kept.length; i++) for (let k = 0; k < 3; k++) kept[3 * i + k] = points[3 * i * every + k];
  return kept;
}

/** Sum of the differences in both directions, so that lines of only one picture count too. */
function bothDifferences(onto: Blurred, from: Blurred, laid: Laid, most: number): number {
  const cos = Math.cos(laid.rotationRad) / laid.scale,
    sin = Math.sin(laid.rotationRad) / laid.scale;
  const back = {
    x: -(cos * laid.x + sin * laid.y),
    y: sin * laid.x - cos * laid.y,
    rotationRad: -laid.rotationRad,
    scale: 1 / laid.scale,
  };
  return (
    differenceOf(onto.values, thinned(from.points, most), laid) +
    differenceOf(from.values, thinned(onto.points, most), back)
  );
}

/** Mean square of the differences at the points. */
function differenceOf(onto: Float64Array, points: Float64Array, { x, y, rotationRad, scale }: Laid): number {
  const cos = scale * Math.cos(rotationRad),
    sin = scale * Math.sin(rotationRad);
  let sum = 0;
  for (let i = 0; i < points.length; i += 3) {
    const dx = cos * points[i] - sin * points[i + 1],
      dy = sin * points[i] + cos * points[i + 1];
    sum += (sample(onto, x + dx, y + dy) - points[i + 2]) ** 2;
  }
  return (3 * sum) / points.length;
}

/** Takes Gauss-Newton steps as long as they reduce the differences. */
function improved(onto: Float64Array, points: Float64Array, start: Laid, steps: number): Laid {
  let laid: Laid = start;
  let least = differenceOf(onto, points, laid);
  for (let step = 0; step < steps; step++) {
    const move = solve(normalEquations(onto, points, laid));
    if (move === undefined) return laid;
    const next = {
      x: laid.x + move[0],
      y: laid.y + move[1],
      rotationRad: laid.rotationRad + move[2],
      scale: laid.scale * Math.exp(move[3]),
    };
    if (!(next.scale < MOST_SCALE && next.scale > 1 / MOST_SCALE)) return laid;
    const difference = differenceOf(onto, points, next);
    if (!(difference < least)) return laid;
    const gain = least - difference;
    [laid, least] = [next, difference];
    if (gain < SETTLED_GAIN * least) return laid;
  }
  return laid;
}

/**
 * f64[4][5]: normal equations for x, y, angle and logarithm of the scale. The sums are plain variables: in arrays they
 * took three times as long, and this is most of what a search by a picture takes.
 */
function normalEquations(onto: Float64Array, points: Float64Array, { x, y, rotationRad, scale }: Laid): number[][] {
  const cos = scale * Math.cos(rotationRad),
    sin = scale * Math.sin(rotationRad);
  let xx = 0,
    xy = 0,
    xa = 0,
    xs = 0,
    yy = 0,
    ya = 0,
    ys = 0,
    aa = 0,
    as = 0,
    ss = 0,
    restX = 0,
    restY = 0,
    restA = 0,
    restS = 0;
  for (let i = 0; i < points.length; i += 3) {
    const dx = cos * points[i] - sin * points[i + 1],
      dy = sin * points[i] + cos * points[i + 1];
    const px = x + dx,
      py = y + dy;
    const slopeX = sample(onto, px + 0.5, py) - sample(onto, px - 0.5, py),
      slopeY = sample(onto, px, py + 0.5) - sample(onto, px, py - 0.5);
    // A point beyond all lines says nothing.
    if (slopeX === 0 && slopeY === 0) continue;
    const slopeA = slopeY * dx - slopeX * dy,
      slopeS = slopeX * dx + slopeY * dy;
    const rest = points[i + 2] - sample(onto, px, py);
    xx += slopeX * slopeX;
    xy += slopeX * slopeY;
    xa += slopeX * slopeA;
    xs += slopeX * slopeS;
    yy += slopeY * slopeY;
    ya += slopeY * slopeA;
    ys += slopeY * slopeS;
    aa += slopeA * slopeA;
    as += slopeA * slopeS;
    ss += slopeS * slopeS;
    restX += slopeX * rest;
    restY += slopeY * rest;
    restA += slopeA * rest;
    restS += slopeS * rest;
  }
  return [
    [xx, xy, xa, xs, restX],
    [xy, yy, ya, ys, restY],
    [xa, ya, aa, as, restA],
    [xs, ys, as, ss, restS],
  ];
}

/** Gaussian elimination with slight damping; undefined when the equations are singular. */
function solve(rows: number[][]): number[] | undefined {
  for (let i = 0; i < 4; i++) rows[i][i] *= 1.000_001;
  for (let i = 0; i < 4; i++) {
    let pivot = i;
    for (let row = i + 1; row < 4; row++) if (Math.abs(rows[row][i]) > Math.abs(rows[pivot][i])) pivot = row;
    if (!(Math.abs(rows[pivot][i]) > 1e-9)) return undefined;
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    for (let row = 0; row < 4; row++) {
      if (row === i) continue;
      const factor = rows[row][i] / rows[i][i];
      for (let column = i; column < 5; column++) rows[row][column] -= factor * rows[i][column];
    }
  }
  return rows.map((row, i) => row[4] / row[i]);
}

/** Bilinear interpolation; 0 outside the picture. x, y: relative to its middle. */
function sample(values: Float64Array, x: number, y: number): number {
  const px = x + (SIDE - 1) / 2,
    py = y + (SIDE - 1) / 2;
  if (!(px >= 0 && py >= 0 && px < SIDE - 1 && py < SIDE - 1)) return 0;
  // The whole part of what is not below 0: quicker than Math.floor.
  const column = px | 0,
    row = py | 0;
  const at = row * SIDE + column,
    right = px - column,
    down = py - row;
  return (
    (values[at] * (1 - right) + values[at + 1] * right) * (1 - down) +
    (values[at + SIDE] * (1 - right) + values[at + SIDE + 1] * right) * down
  );
}
