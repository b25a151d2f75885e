import { bitmapOf, componentsOf, open, type Bitmap, type Component, type Components } from '../../bitmap/bitmap.js';
import { longerSide } from '../../content/geometry.js';
import type { TipPlace } from './lines/head-at-tip.js';

/** Sizes of arrowheads, in heights of most letters; smaller ones have no form, pixels. */
const SIZES = [0.35, 2] as const;
const LEAST_PX = 8;
/** Width of an arrowhead as a share of its length. */
const WIDE = [0.16, 1.3] as const;
/** Share of the head that is filled across, and how far its width may be from a straight growth, as a share of it. */
const SOLID = 0.95;
const OFF = 0.09;
/** Widths of neighbouring columns differ by no more: that share of the largest, or pixels. */
const JUMP = 0.2;
const JUMP_PX = 3;
/** The width of its tip, and of the line behind it, as shares of its largest width. */
const TIP = 0.45;
const STEM = 0.42;
/** The share of the length from the tip in which the width grows: a hollow back is left out. */
const GROWS = 0.86;
/** Half the thickness of the lines that heads are told from, in heights of most letters. */
const PEN = 0.075;
/**
 * The line behind a head: where it is looked for, in lengths of the head from its back, and the shares of that which
 * are ink and have paper on both sides.
 */
const STEM_FROM = 0.5;
const STEM_TO = 1.2;
const STEM_INK = 0.4;
const STEM_CLEAR = 0.8;
/** A line goes on so far from the tip, in heights of most letters; the strokes of a 4 and a 1 do not. */
const STEM_LONG = 1.45;
/** The widest form of a letter that looks like a head, in heights of letters. */
const STROKE = 0.55;
/** Where a stroke of a 4 goes on: places about its back, and how far beyond its end, in lengths; its share of ink. */
const ALONG_BACK = [-0.15, 0, 0.15];
const BEYOND = [0.05, 0.3] as const;
const GOES_ON = 0.5;
/** Heads without a line behind them are level or upright, within this sine: the inside of a 4 is slanted. */
const LEVEL = 0.2;
/**
 * A line across the tip of such a head: how far before the tip, pixels, and beyond it, as the tip may be cut off, and
 * how far beside it, in heights of letters; the foot of a 1 is shorter.
 */
const BEFORE_TIP = 2;
const BEYOND_TIP = 0.35;
const BESIDE_TIP = [0.2, 0.35, 0.5] as const;
/** Where a hollow back ends, and the longest piece of line behind it, in lengths of the head; a line across the tip. */
const HOLLOW = 1.34;
const LONGEST = 2.6;
const LINE_PX = 6;
/** How far a tip may be from the place where it is asked for, in heights of letters, and the cosine of their angle. */
const NEAR_TIP = 0.35;
const ALIGNED = 0.9;

/** A filled arrowhead among the pieces of a page. */
export interface Arrowhead {
  readonly number: number;
  /** Middle of its back, and its tip, pixels. */
  readonly backX: number;
  readonly backY: number;
  readonly tipX: number;
  readonly tipY: number;
  /** Width of its back. */
  readonly width: number;
}

/**
 * The length of the head among these that has its tip at a place and points in its direction; undefined where there is
 * none.
 * @param letter height of most letters, pixels.
 */
export function headPieceAt(heads: readonly Arrowhead[], place: TipPlace, letter: number): number | undefined {
  for (const { tipX, tipY, backX, backY } of heads) {
    if (Math.hypot(tipX - place.x, tipY - place.y) > NEAR_TIP * letter) continue;
    const length = Math.hypot(tipX - backX, tipY - backY);
    if ((tipX - backX) * place.dx + (tipY - backY) * place.dy > ALIGNED * length) return length;
  }
  return undefined;
}

/** What heads are sought on. */
interface HeadPage {
  /** Height of most letters, pixels. */
  readonly letter: number;
  /** All ink of the page, lines too: a head stands on its line, a 4 does not. */
  readonly page: Bitmap;
}

/**
 * Pieces that are filled triangles, with or without a piece of their line behind them: heads of arrows, which would be
 * read as A, 4 or 1.
 */
export function arrowheads(
  { labels, list }: Components,
  isCandidate: (number: number) => boolean,
  { letter, page }: HeadPage,
): Arrowhead[] {
  const found: Arrowhead[] = [];
  list.forEach((component, number) => {
    const side = longerSide(component.box);
    if (number === 0 || !isCandidate(number) || side < LEAST_PX) return;
    if (side < SIZES[0] * letter || side > SIZES[1] * letter) return;
    const head = headOf(labels, component, number, page.width);
    if (head !== undefined && isHead(head, { letter, page })) found.push({ number, ...head });
  });
  return found;
}

/**
 * Heads that are a part of a larger piece, with dashes and other heads: the thick cores of ink that are triangles.
 * Their ink is cleared in `bits`.
 */
export function takeOutHeads(bits: Uint8Array, { letter, page }: HeadPage): Arrowhead[] {
  const { width, height } = page;
  const radius = Math.max(1, Math.round(PEN * letter));
  const cores = componentsOf(open(bitmapOf(width, height, bits.slice()), radius), 8);
  const heads = arrowheads(cores, () => true, { letter, page });
  const reach = radius + 1;
  for (const { number } of heads) {
    const { x0, y0, x1, y1 } = cores.list[number].box;
    const isCore = (x: number, y: number): boolean =>
      x >= x0 && y >= y0 && x < x1 && y < y1 && cores.labels[y * width + x] === number;
    for (let y = Math.max(0, y0 - reach); y < Math.min(height, y1 + reach); y++)
      for (let x = Math.max(0, x0 - reach); x < Math.min(width, x1 + reach); x++) {
        if (bits[y * width + x] === 0) continue;
        let isNear = false;
        for (let v = -reach; v <= reach && !isNear; v++)
          for (let u = -reach; u <= reach && !isNear; u++) isNear = isCore(x + u, y + v);
        if (isNear) bits[y * width + x] = 0;
      }
  }
  return heads;
}

/**
 * Whether a triangle is the head of an arrow: a thin line begins at its back, along it, or it is level or upright and
 * nothing goes on at the ends of its back, as a stroke does of a 4 whose inside is closed.
 */
function isHead(
  { tipX, tipY, backX, backY, width: wide }: Omit<Arrowhead, 'number'>,
  { letter, page }: HeadPage,
): boolean {
  const long = Math.hypot(backX - tipX, backY - tipY);
  const [dx, dy] = [(backX - tipX) / long, (backY - tipY) / long];
  const isSet = (s: number, t: number): boolean => {
    const x = Math.floor(backX + s * dx - t * dy),
      y = Math.floor(backY + s * dy + t * dx);
    return x >= 0 && y >= 0 && x < page.width && y < page.height && page.bits[y * page.width + x] !== 0;
  };
  let [all, inked, clear] = [0, 0, 0];
  for (let s = STEM_FROM * long; s < STEM_TO * long; s++) {
    all++;
    if ([-1.5, 0, 1.5].some((t) => isSet(s, t))) inked++;
    if (![-0.45, -0.3, 0.3, 0.45].some((share) => isSet(s, share * wide))) clear++;
  }
  // Strokes of level letters are upright or slanted, and those of others narrower than this.
  const isLevel = Math.abs(dy) <= LEVEL && wide > STROKE * letter;
  if (inked >= STEM_INK * all && clear >= STEM_CLEAR * all) {
    const end = STEM_LONG * letter - long;
    if (isLevel || end < STEM_TO * long) return true;
    if ([end, end - 1, end - 2].some((s) => [-1.5, 0, 1.5].some((t) => isSet(s, t)))) return true;
  }
  if (!isLevel && (Math.abs(dx) > LEVEL || !hasLineAtTip(isSet, { long, letter }))) return false;
  return ![-1, 1].some((side) =>
    ALONG_BACK.some((share) => {
      let [count, set] = [0, 0];
      for (let t = wide / 2 + BEYOND[0] * long + 2; t < wide / 2 + BEYOND[1] * long + 2; t++) {
        count++;
        if (isSet(share * long, side * t)) set++;
      }
      return set > GOES_ON * count;
    }),
  );
}

/** Whether a line passes the place of a tip: the extension line that the head points at. */
function hasLineAtTip(
  isSet: (s: number, t: number) => boolean,
  { long, letter }: { readonly long: number; readonly letter: number },
): boolean {
  for (let s = -BEFORE_TIP; s <= Math.max(4, BEYOND_TIP * letter); s++)
    if ([-1, 1].some((side) => BESIDE_TIP.every((share) => isSet(-long - s, side * Math.max(3, share * letter)))))
      return true;
  return false;
}

/** A piece as a head: along its main axis its width grows evenly from a tip, and it is filled across. */
function headOf(
  labels: ArrayLike<number>,
  { box, area }: Component,
  number: number,
  width: number,
): Omit<Arrowhead, 'number'> | undefined {
  let [sx, sy] = [0, 0];
  const points: number[] = [];
  for (let y = box.y0; y < box.y1; y++)
    for (let x = box.x0; x < box.x1; x++) {
      if (labels[y * width + x] !== number) continue;
      points.push(x + 0.5, y + 0.5);
      sx += x + 0.5;
      sy += y + 0.5;
    }
  const [mx, my] = [sx / area, sy / area];
  let [xx, xy, yy] = [0, 0, 0];
  for (let i = 0; i < points.length; i += 2) {
    const [dx, dy] = [points[i] - mx, points[i + 1] - my];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const axis = Math.atan2(2 * xy, xx - yy) / 2;
  // A head as wide as long has its axis across.
  for (const rad of [axis, axis + Math.PI / 2]) {
    const head = alongAxis(points, { mx, my, rad });
    if (head !== undefined) return head;
  }
  return undefined;
}

function alongAxis(
  points: readonly number[],
  { mx, my, rad }: { readonly mx: number; readonly my: number; readonly rad: number },
): Omit<Arrowhead, 'number'> | undefined {
  const cos = Math.cos(rad),
    sin = Math.sin(rad);
  let [first, last] = [Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    const s = (points[i] - mx) * cos + (points[i + 1] - my) * sin;
    first = Math.min(first, s);
    last = Math.max(last, s);
  }
  const long = Math.round(last - first) + 1;
  const counts = new Float32Array(long),
    top = new Float32Array(long).fill(Infinity),
    bottom = new Float32Array(long).fill(-Infinity);
  for (let i = 0; i < points.length; i += 2) {
    const [dx, dy] = [points[i] - mx, points[i + 1] - my];
    const at = Math.min(long - 1, Math.max(0, Math.round(dx * cos + dy * sin - first)));
    const t = dy * cos - dx * sin;
    counts[at]++;
    top[at] = Math.min(top[at], t);
    bottom[at] = Math.max(bottom[at], t);
  }
  const spans = counts.map((count, i) => (count === 0 ? 0 : bottom[i] - top[i] + 1));
  const place = (s: number): readonly [number, number] => [mx + (first + s) * cos, my + (first + s) * sin];
  const narrow = narrowest(spans);
  for (const [from, to] of [
    [0, long],
    [long - 1, -1],
    [narrow, long],
    [narrow, -1],
  ]) {
    const step = Math.sign(to - from);
    const own = Array.from({ length: Math.abs(to - from) }, (_, i) => from + step * i);
    const widths = own.map((i) => spans[i]);
    const length = headLength(
      widths,
      own.map((i) => counts[i]),
    );
    if (length === undefined) continue;
    // What is before the tip: another head, or a line that ends there.
    if (from === narrow && !isEnd(spans, narrow, step)) continue;
    const [[tipX, tipY], [backX, backY]] = [place(from), place(from + step * length)];
    return { tipX, tipY, backX, backY, width: widths[length - 1] };
  }
  return undefined;
}

/** Where a piece is narrowest, away from its ends. */
function narrowest(spans: Float32Array): number {
  const [from, to] = [Math.ceil(0.05 * spans.length), Math.floor(0.95 * spans.length)];
  let at = from;
  for (let i = from; i < to; i++) if (spans[i] < spans[at]) at = i;
  return at;
}

/** Whether what stands before the tip of a head is a second head, tip to tip, or a line across the tip. */
function isEnd(spans: Float32Array, narrow: number, step: number): boolean {
  const before = Array.from(step > 0 ? spans.slice(0, narrow).reverse() : spans.slice(narrow + 1));
  return before.length <= LINE_PX || headLength(before, before) !== undefined;
}

/** How long the head is whose widths from its tip on are given; undefined for what is none. */
function headLength(spans: readonly number[], counts: readonly number[]): number | undefined {
  let widest = 0;
  for (let i = 1; i < spans.length; i++) if (spans[i] > spans[widest]) widest = i;
  const most = spans[widest],
    length = widest + 1;
  const tip = (spans[0] + spans[1]) / 2;
  if (length < LEAST_PX || tip > TIP * most) return undefined;
  // The tip may be cut off.
  const sharp = (length * most) / (most - tip);
  if (most < WIDE[0] * sharp || most > WIDE[1] * sharp) return undefined;
  const to = Math.floor(GROWS * length);
  let [filled, all, off] = [0, 0, 0];
  for (let i = 0; i < to; i++) {
    all += spans[i];
    filled += Math.min(counts[i], spans[i]);
    off += Math.abs(spans[i] - tip - ((most - tip) * i) / length);
    if (i > 0 && Math.abs(spans[i] - spans[i - 1]) > Math.max(JUMP_PX, JUMP * most)) return undefined;
  }
  if (filled < SOLID * all || off > OFF * most * to) return undefined;
  // Behind it there is its line, or a hollow back, which is no longer than a third of it.
  for (let i = Math.ceil(HOLLOW * length); i < spans.length; i++) if (counts[i] > STEM * most) return undefined;
  return spans.length > LONGEST * length ? undefined : length;
}
