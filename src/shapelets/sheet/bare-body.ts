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
/** Largest longer side of the body, as a share of that of the view: else it is drawn large enough with its strands. */
const SMALLER = 0.8;

/**
 * The box of the body of a view from which strands go off, as the leads of a motor, pixels; undefined where there are
 * none. The model often lacks them, and a view with them shows the body small.
 * view: the filled view, whose longest side takes the share of the picture that it takes in a shapelet.
 */
export function bareBodyOf(view: Bitmap): PixelBox | undefined {
  for (const strands of SIDE_BY_SIDE) {
    const body = bodyWithout(view, strands);
    if (body !== undefined) return body;
  }
  return undefined;
}

/** The body of a view without bands of so many strands. */
function bodyWithout(view: Bitmap, strands: number): PixelBox | undefined {
  const longest = (view.width * SHAPELET_SPAN) / SHAPELET_SIZE;
  const thick = open(view, Math.floor((NARROW * strands * longest) / 2));
  const body = largestOf(thick);
  if (body === undefined) return undefined;
  const thin = componentsOf(without(view, dilate(thick, Math.round(BESIDE * longest))), 8);
  const widest = THIN * strands * Math.min(body.x1 - body.x0, body.y1 - body.y0);
  const isBand = ({ box, area }: Component): boolean => {
    const length = longerSide(box),
      width = area / length;
    return length >= LEAST_LENGTH * longest && strands * length >= LONG * width && width <= widest;
  };
  if (!thin.list.slice(1).some(isBand)) return undefined;
  const bare = largestOf(without(view, componentBits(view, thin, isBand)));
  return bare !== undefined && longerSide(bare) <= SMALLER * longest ? bare : undefined;
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
