import { medianOf } from '../../content/groups.js';
import {
  componentBits,
  componentsOf,
  dilate,
  open,
  without,
  type Bitmap,
  type Component,
  type PixelBox,
} from '../../bitmap/bitmap.js';
import { SHAPELET_SIZE, SHAPELET_SPAN } from '../shapelet.js';

/** A strand is narrower than this share of the longest side of the view; what is beside a body belongs to it. */
const NARROW = 1 / 24;
const BESIDE = 1 / 120;
/** Least length of a strand, as a share of that side, and in its own widths. */
const LEAST_LENGTH = 0.25;
const LONG = 10;
/** Largest width of a strand, as a share of the shorter side of the body: the shank of a screw is no strand. */
const THIN = 0.12;
/** Strands that lie side by side are one band, so many times as wide as a strand: tried one after the other. */
const SIDE_BY_SIDE = [1, 2, 4];
/** A band shows more lines beside each other than these, which a shaft of its width has. */
const OF_A_SHAFT = 2;
/** Largest longer side of the body, as a share of that of the view: else it is drawn large enough with its strands. */
const SMALLER = 0.8;

/**
 * The box of the body of a view from which strands go off, as the leads of a motor, pixels; undefined where there are
 * none. The model often lacks them, and a view with them shows the body small.
 * @param view the filled view, whose longest side takes the share of the picture that it takes in a shapelet.
 * @param lines its visible lines, in the same frame.
 */
export function bareBodyOf(view: Bitmap, lines: Bitmap): PixelBox | undefined {
  for (const strands of SIDE_BY_SIDE) {
    const body = bodyWithout(view, lines, strands);
    if (body !== undefined) return body;
  }
  return undefined;
}

/** The body of a view without bands of so many strands. */
function bodyWithout(view: Bitmap, lines: Bitmap, strands: number): PixelBox | undefined {
  const longest = (view.width * SHAPELET_SPAN) / SHAPELET_SIZE;
  const thick = open(view, Math.floor((NARROW * strands * longest) / 2));
  const body = largestOf(thick);
  if (body === undefined) return undefined;
  const thin = componentsOf(without(view, dilate(thick, Math.round(BESIDE * longest))), 8);
  const widest = THIN * strands * Math.min(body.x1 - body.x0, body.y1 - body.y0);
  const isBand = ({ box, area }: Component, number: number): boolean => {
    const length = longerSide(box),
      width = area / length;
    if (length < LEAST_LENGTH * longest || strands * length < LONG * width || width > widest) return false;
    return strands === 1 || linesAcross(lines, box, (at) => thin.labels[at] === number) > OF_A_SHAFT;
  };
  if (!thin.list.some((piece, number) => number > 0 && isBand(piece, number))) return undefined;
  const bare = largestOf(without(view, componentBits(view, thin, isBand)));
  return bare !== undefined && longerSide(bare) <= SMALLER * longest ? bare : undefined;
}

/** How many lines lie beside each other across a band: the median along it. */
function linesAcross({ width, bits }: Bitmap, box: PixelBox, isBand: (at: number) => boolean): number {
  const isLevel = box.x1 - box.x0 >= box.y1 - box.y0;
  const [from, to] = isLevel ? [box.x0, box.x1] : [box.y0, box.y1];
  const [low, high] = isLevel ? [box.y0, box.y1] : [box.x0, box.x1];
  const counts = Array.from({ length: to - from }, (_, i) => {
    let [count, isLine] = [0, false];
    for (let across = low; across < high; across++) {
      const at = isLevel ? across * width + from + i : (from + i) * width + across;
      const isNext = bits[at] === 1 && isBand(at);
      if (isNext && !isLine) count++;
      isLine = isNext;
    }
    return count;
  });
  return medianOf(counts) ?? 0;
}

function largestOf(map: Bitmap): PixelBox | undefined {
  const parts = componentsOf(map, 8);
  const [, ...list] = parts.list;
  const largest = list.reduce<Component | undefined>((a, b) => (a === undefined || b.area > a.area ? b : a), undefined);
  return largest?.box;
}

function longerSide({ x0, y0, x1, y1 }: PixelBox): number {
  return Math.max(x1 - x0, y1 - y0);
}
