import { TurnedFrame, type Point } from '../../content/geometry.js';
import type { Picture } from '../../content/sheet.js';
import { boxInFrame, type TextBox } from '../page-frame.js';

/** How far pictures of paper are turned at most, and the steps of the two searches, degrees. */
const MOST_DEG = 4;
const COARSE_DEG = 0.1;
const FINE_DEG = 0.02;
/** Less is left as it is, degrees. */
const LEAST_DEG = 0.08;
/** An edge is a step of so many grey levels within two pixels, that goes on so far to both sides. */
const STEP = 30;
const BESIDE = 8;
/** Each so many rows or columns are looked at; fewest and most edges. */
const EVERY = 4;
const FEW_EDGES = 300;
const MOST_EDGES = 30_000;
/** The rows of edges are sharper by this factor when the page is straight. */
const SHARPER = 1.12;

/** A picture turned so that the page in it is straight, about its middle; its size is the same. */
export interface Straightened {
  readonly picture: Picture;
  /** How far the page was turned clockwise; 0: the picture is as it was. */
  readonly angleRad: number;
}

/**
 * Turns a picture of paper so that the long lines of the page are level and upright, where most of them are off by one
 * angle of up to 4 degrees. Scanners turn pages by up to a degree, cameras by more: a line of 400 pixels then ends rows
 * away, and is neither found nor told from the letters that it touches.
 */
export function straightened(picture: Picture): Straightened {
  const angleRad = skewOf(picture);
  if (angleRad === 0) return { picture, angleRad };
  const { fine } = picture;
  return {
    picture: { ...turnedBack(picture, angleRad), ...(fine !== undefined && { fine: turnedBack(fine, angleRad) }) },
    angleRad,
  };
}

/** How a page is turned clockwise about a place, for a sheet that is straight; 0 for one that was. */
export interface SheetTurn {
  readonly angleRad: number;
  readonly middle: Point;
}

/** Where a box of a straight sheet is on the page as it was. */
export function turnedBox(box: TextBox, { angleRad, middle }: SheetTurn): TextBox {
  if (angleRad === 0) return box;
  const own = box.turned ?? {
    angleRad: 0,
    s: [box.x, box.x + box.width] as const,
    t: [box.y, box.y + box.height] as const,
  };
  const at = new TurnedFrame(own.angleRad).point((own.s[0] + own.s[1]) / 2, (own.t[0] + own.t[1]) / 2);
  const { x, y } = turnedPoint(at, middle, angleRad);
  const frame = new TurnedFrame(own.angleRad + angleRad);
  const about = (value: number, [from, to]: readonly [number, number]): readonly [number, number] => [
    value - (to - from) / 2,
    value + (to - from) / 2,
  ];
  return boxInFrame({
    angleRad: own.angleRad + angleRad,
    s: about(frame.s(x, y), own.s),
    t: about(frame.t(x, y), own.t),
  });
}

/** Where a place of a straight sheet is on the page as it was. */
export function turnedPoint({ x, y }: Point, middle: Point, angleRad: number): Point {
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad);
  const dx = x - middle.x,
    dy = y - middle.y;
  return { x: middle.x + dx * cos - dy * sin, y: middle.y + dx * sin + dy * cos };
}

/** How far the page is turned clockwise, radians; 0 where it is straight or does not tell. */
function skewOf(picture: Picture): number {
  const level = edgesOf(picture, 'level'),
    upright = edgesOf(picture, 'upright');
  if (level.length + upright.length < 2 * FEW_EDGES) return 0;
  const longest = picture.widthPx + picture.heightPx;
  const counts = new Int32Array(2 * longest);
  const sharpness = (deg: number): number => {
    const tan = Math.tan((deg * Math.PI) / 180);
    let sum = 0;
    for (const [edges, slope] of [
      [level, -tan],
      [upright, tan],
    ] as const) {
      counts.fill(0);
      for (let i = 0; i < edges.length; i += 2) counts[Math.round(edges[i + 1] + edges[i] * slope) + (longest >> 1)]++;
      for (const count of counts) sum += count * count;
    }
    return sum;
  };
  const straight = sharpness(0);
  let best = 0,
    most = straight;
  const search = (from: number, to: number, step: number): void => {
    for (let i = Math.ceil(from / step); i <= Math.floor(to / step); i++) {
      const found = sharpness(i * step);
      if (found > most) [best, most] = [i * step, found];
    }
  };
  search(-MOST_DEG, MOST_DEG, COARSE_DEG);
  search(best - COARSE_DEG, best + COARSE_DEG, FINE_DEG);
  return Math.abs(best) < LEAST_DEG || most < SHARPER * straight ? 0 : (best * Math.PI) / 180;
}

/** Places along and across long level, or upright, lines where paper ends and the ink of a line begins. */
function edgesOf({ widthPx, heightPx, gray }: Picture, lines: 'level' | 'upright'): Int32Array {
  const [length, rows, along, across] =
    lines === 'level' ? [widthPx, heightPx, 1, widthPx] : [heightPx, widthPx, widthPx, 1];
  const found: number[] = [];
  const isEdge = (at: number): boolean => gray[at - across] - gray[at + across] > STEP;
  const isNear = (at: number): boolean => isEdge(at) || isEdge(at - across) || isEdge(at + across);
  for (let i = BESIDE; i < length - BESIDE; i += EVERY)
    for (let row = 2; row < rows - 2; row++) {
      const at = row * across + i * along;
      if (isEdge(at) && !isEdge(at - across) && isNear(at - BESIDE * along) && isNear(at + BESIDE * along))
        found.push(i, row);
    }
  const step = 2 * Math.ceil(found.length / 2 / MOST_EDGES);
  if (step <= 2) return Int32Array.from(found);
  const kept: number[] = [];
  for (let i = 0; i < found.length; i += step) kept.push(found[i], found[i + 1]);
  return Int32Array.from(kept);
}

/** A picture turned counterclockwise about its middle; what comes from outside is as bright as the nearest edge. */
function turnedBack({ widthPx, heightPx, gray }: Omit<Picture, 'fine'>, angleRad: number): Omit<Picture, 'fine'> {
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad);
  const turned = new Uint8Array(widthPx * heightPx);
  const [lastX, lastY] = [widthPx - 1.001, heightPx - 1.001];
  const [halfX, halfY] = [widthPx / 2, heightPx / 2];
  // What all rows have in common.
  const alongX = new Float64Array(widthPx),
    alongY = new Float64Array(widthPx);
  for (let x = 0; x < widthPx; x++) {
    const dx = x + 0.5 - halfX;
    alongX[x] = dx * cos;
    alongY[x] = dx * sin;
  }
  for (let y = 0, i = 0; y < heightPx; y++) {
    const dy = y + 0.5 - halfY;
    const acrossX = dy * sin,
      acrossY = dy * cos;
    for (let x = 0; x < widthPx; x++, i++) {
      let fromX = alongX[x] - acrossX + halfX - 0.5,
        fromY = alongY[x] + acrossY + halfY - 0.5;
      if (!(fromX > 0)) fromX = 0;
      else if (fromX > lastX) fromX = lastX;
      if (!(fromY > 0)) fromY = 0;
      else if (fromY > lastY) fromY = lastY;
      // Places are positive.
      const left = fromX | 0,
        upper = fromY | 0;
      const u = fromX - left,
        v = fromY - upper,
        at = upper * widthPx + left;
      turned[i] =
        (1 - v) * ((1 - u) * gray[at] + u * gray[at + 1]) +
        v * ((1 - u) * gray[at + widthPx] + u * gray[at + widthPx + 1]) +
        0.5;
    }
  }
  return { widthPx, heightPx, gray: turned };
}
