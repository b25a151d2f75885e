import { LINE_AXES, LINE_DIRECTIONS, LINE_HEAD, LINE_PLACES, LINE_SUMS } from '../shapelets/sheet/line-sums.js';

/**
 * Share by which what lies at a place and beside it may move from one place to the next: on an A3 page a long line
 * that is moved by some .005 mm, as by coordinates of a hundredth of a point.
 */
const ROUNDED = 6e-4;

/** How the lines of two sheets differ when one is laid over the other. */
export interface SumsApart {
  /** Largest difference of the lengths in any direction, as a share of all. */
  readonly lengths: number;
  /** Largest difference at any place along any axis, as a share of all, beyond what rounded coordinates explain. */
  readonly places: number;
  /** Size of the second sheet's lines over that of the first one's, in units of the longer side of each. */
  readonly scale: number;
  /** Middles of the lines of both, in these units: the first lies on the second. */
  readonly middles: readonly [readonly [x: number, y: number], readonly [x: number, y: number]];
  /** Whether there are pictures on either, of which nothing is summed. */
  readonly arePictured: boolean;
}

/**
 * How two sheets differ by their sums (`lineSums`), the second brought to the place and size of the first, which is
 * turned by so many quarters clockwise. All 0: the same lines. One program writes a circle as such and another as a
 * polygon, so each counts with chords or with arcs, whichever is nearer.
 */
export function lineSumsApart(a: Float32Array, b: Float32Array, quarters: number): SumsApart {
  const ways = [0, LINE_SUMS / 2];
  const all = ways.flatMap((i) =>
    ways.map((j) => apart(a.subarray(i, i + LINE_SUMS / 2), b.subarray(j, j + LINE_SUMS / 2), quarters)),
  );
  const most = ({ lengths, places }: SumsApart): number => Math.max(lengths, places);
  return all.reduce((best, one) => (most(one) < most(best) ? one : best));
}

function apart(a: Float32Array, b: Float32Array, quarters: number): SumsApart {
  const [mean, x, y, pictured] = a.subarray(LINE_DIRECTIONS),
    [otherMean, otherX, otherY, otherPictured] = b.subarray(LINE_DIRECTIONS);
  const total = a.subarray(0, LINE_DIRECTIONS).reduce((sum, length) => sum + length, 0);
  let lengths = 0;
  for (let i = 0; i < LINE_DIRECTIONS; i++) {
    const other = b[(i + (quarters * LINE_DIRECTIONS) / 2) % LINE_DIRECTIONS];
    lengths = Math.max(lengths, Math.abs(a[i] - (mean / otherMean) * other) / total);
  }
  let places = 0;
  for (let axis = 0; axis < LINE_AXES; axis++) {
    // A quarter is half of the axes; beyond half a turn an axis runs the other way.
    const turned = axis + (4 - (quarters % 4)) * (LINE_AXES / 2);
    const isOtherWay = Math.floor(turned / LINE_AXES) % 2 === 1;
    const own = LINE_HEAD + (turned % LINE_AXES) * LINE_PLACES,
      other = LINE_HEAD + axis * LINE_PLACES;
    const near = (i: number): number => Math.max(b[other + i], b[other + Math.max(0, i - 1)]);
    for (let i = 0; i < LINE_PLACES; i++) {
      const off = Math.abs(a[own + (isOtherWay ? LINE_PLACES - 1 - i : i)] - b[other + i]);
      places = Math.max(places, off - ROUNDED * Math.max(near(i), near(Math.min(LINE_PLACES - 1, i + 1))));
    }
  }
  const arePictured = pictured + otherPictured > 0;
  return {
    lengths,
    places,
    scale: otherMean / mean,
    middles: [
      [x, y],
      [otherX, otherY],
    ],
    arePictured,
  };
}
