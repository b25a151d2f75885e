import type { Core } from '../../../core/core.js';
import { describeViews, viewFacts } from '../../../descriptors/views.js';

/** Width and height of the pictures of lines, and of the bits of a silhouette, pixels. */
const SIDE = 64;
const BITS_SIDE = 32;
/**
 * Proportions in which a drawn view is compared as well: width over height, as a multiple of what was drawn, and how
 * far that is from it, log units. Who sketches a part from memory keeps its corners, not its proportions.
 */
const OTHERS = [
  { ratio: 0.55, stretch: 0.6 },
  { ratio: 0.74, stretch: 0.3 },
  { ratio: 1.35, stretch: 0.3 },
  { ratio: 1.82, stretch: 0.6 },
] as const;

/** A drawn view as it is, or in other proportions. */
export interface StretchedView {
  /** From `describeViews`. */
  readonly view: Uint8Array;
  /** u8[64²]: its lines. */
  readonly lines: Uint8Array;
  /** Logarithm of the ratio of its proportions to those that were drawn, without its sign: 0 as drawn. */
  readonly stretch: number;
}

/**
 * A drawn view as it is, then in other proportions. Its silhouette is taken from its description.
 * @param view from `describeViews`. @param lines u8[64²], coverage of each pixel
 * @param laid the same of the lines that are returned, if they are others than those that are described
 */
export function stretchedViews(core: Core, view: Uint8Array, lines: Uint8Array, laid = lines): StretchedView[] {
  const { width, height, page } = viewFacts(view, 0);
  const mask = maskOf(view);
  const others = OTHERS.map(({ ratio, stretch }) => {
    const wide = width * ratio;
    // The longer side takes as many pixels as before.
    const longer = Math.max(wide, height) / Math.max(width, height);
    const across = ratio / longer,
      down = 1 / longer;
    return { size: [wide, height] as const, stretch, across, down, lines: stretched(lines, across, down) };
  });
  const views = describeViews(
    core,
    others.map(({ size, across, down, lines: own }) => ({
      place: { kind: 'page', page, box: { x: 0, y: 0, width: 1, height: 1 } },
      mask: stretched(mask, across, down),
      lines: own,
      hiddenLines: new Uint8Array(),
      size,
      isToScale: false,
    })),
  );
  return [
    { view, lines: laid, stretch: 0 },
    ...others.map(({ lines: own, across, down, stretch }, i) => ({
      view: views.slice(i * view.length, (i + 1) * view.length),
      lines: laid === lines ? own : stretched(laid, across, down),
      stretch,
    })),
  ];
}

/** u8[64²], 255 within the silhouette of a view. */
export function maskOf(view: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: SIDE * SIDE }, (_, i) => {
    const bit = BITS_SIDE * (i >> 7) + ((i & (SIDE - 1)) >> 1);
    return ((view[bit >> 3] >> (bit & 7)) & 1) * 255;
  });
}

/**
 * A picture stretched about its middle. Each pixel takes the largest of those that it covers, so that thin lines stay.
 */
function stretched(picture: Uint8Array, across: number, down: number): Uint8Array {
  const columns = spansOf(across),
    rows = spansOf(down);
  // Along the rows, then along the columns: the largest of the largest.
  const wide = new Uint8Array(SIDE * SIDE),
    found = new Uint8Array(SIDE * SIDE);
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) {
      const [left, right] = columns[x];
      let most = 0;
      for (let from = left; from < right; from++) most = Math.max(most, picture[SIDE * y + from]);
      wide[SIDE * y + x] = most;
    }
  for (let y = 0; y < SIDE; y++) {
    const [top, bottom] = rows[y];
    for (let from = top; from < bottom; from++)
      for (let x = 0; x < SIDE; x++) found[SIDE * y + x] = Math.max(found[SIDE * y + x], wide[SIDE * from + x]);
  }
  return found;
}

/** Of each pixel along one axis, the first of those that it covers and the one behind them, within the picture. */
function spansOf(factor: number): (readonly [from: number, to: number])[] {
  const middle = SIDE / 2;
  return Array.from({ length: SIDE }, (_, at) => {
    const from = Math.floor((at - middle) / factor + middle),
      to = Math.ceil((at + 1 - middle) / factor + middle - 1e-9);
    return [Math.max(0, from), Math.min(SIDE, Math.max(from + 1, to))] as const;
  });
}
