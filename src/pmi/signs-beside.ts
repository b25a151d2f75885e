import { isLevel, isUpright, lengthOf, type TurnedFrame } from '../content/geometry.js';
import { depthBefore, sinkBefore } from './drawn-hole-signs.js';
import type { Edge, LineIndex, Ring } from './line-index.js';
import type { Placed } from './placed-text.js';

/** Most drawn diameter signs, and degree signs, of a sheet. */
const MOST_SIGNS = 2_000;
/** Middle of capitals above the baseline, as a share of the font's height. */
const MIDDLE = 0.35;
/** Radius of a drawn diameter sign's circle, in letter heights. */
const SIGN_RADIUS = [0.16, 0.5] as const;
/** How far its middle may be from the letters that follow it, and from the middle of their height. */
const SIGN_BEFORE = 1.6;
const SIGN_BESIDE = 0.25;
/** Its stroke, in radii: the longest ones are those of sheared signs. */
const SIGN_STROKE = [2.2, 5] as const;
/** The circle of a drawn degree sign, in letter heights: radius, middle behind the number and above its baseline. */
const DEGREE_RADIUS = [0.04, 0.16] as const;
const DEGREE_BEHIND = [0, 0.55] as const;
const DEGREE_ABOVE = [0.5, 1] as const;
/** A drawn slash, in letter heights: the gap between its words, its height; its lean as a share of that. */
const SLASH_GAP = [0.1, 1.1] as const;
const SLASH_HEIGHT = [0.65, 1.2] as const;
const SLASH_LEAN = [0.2, 0.9] as const;
/** A stem at the end of a word, and how far behind it, and before the next word, a slash begins, in letter heights. */
const STEM_AT_END = /[Il147HMNUJdqu]$/;
const BEHIND_STEM = 0.06;
const BEFORE_STEM = 0.1;
/** Limits stand above each other by so many letter heights. */
const LIMITS_APART = [0.7, 1.5] as const;

/**
 * Signs of sizes that are drawn as strokes beside the letters of their text: ⌀, ±, °, ↧, ⌴, ⌵, □ and the slash of a
 * fraction or pair.
 */
export class DrawnSigns {
  readonly #index: LineIndex;
  readonly #diameters: readonly Ring[];

  constructor(index: LineIndex) {
    this.#index = index;
    this.#diameters = diameterSigns(index).slice(0, MOST_SIGNS);
  }

  /**
   * The signs beside pieces of text, as pieces of their lines.
   * @param options isRead: whether the texts were read from pixels, where pieces of other lines look like ⌴ and ⌵.
   */
  beside(placed: readonly Placed[], frame: TurnedFrame, { isRead = false } = {}): Placed[] {
    const rings = this.#index.rings;
    const diameters = this.#diameters.flatMap((sign) => signBefore(sign, placed, frame) ?? []);
    return [
      ...diameters,
      ...(isRead ? [] : [...placed, ...diameters].flatMap((piece) => sinkBefore(piece, this.#index, frame) ?? [])),
      ...placed.flatMap((piece) => plusMinusBefore(piece, this.#index, frame) ?? []),
      ...placed
        .flatMap((piece) => depthBefore(piece, this.#index, frame) ?? [])
        .filter((sign) => !isThere(sign, placed)),
      // The stroke of a ⌀ is no slash.
      ...placed
        .flatMap((piece) => slashBehind(piece, placed, this.#index, frame) ?? [])
        .filter(({ start, end, t }) => !diameters.some((sign) => isBetween(sign, { start, end, t }))),
      ...rings.flatMap((ring) => degreeBehind(ring, placed, frame) ?? []).slice(0, MOST_SIGNS),
    ];
  }
}

function isWithin(value: number, [least, most]: readonly [number, number]): boolean {
  return value >= least && value <= most;
}

/** Whether the middle of a sign stands in a stretch of its own line; the sign may touch the letters about it. */
function isBetween(sign: Placed, { start, end, t }: Pick<Placed, 'start' | 'end' | 't'>): boolean {
  const middle = (sign.start + sign.end) / 2;
  return Math.abs(sign.t - t) < 0.1 * sign.height && middle > start && middle < end;
}

/** Whether a sign was read already, as a letter. */
function isThere({ text, start, end, t, height }: Placed, placed: readonly Placed[]): boolean {
  return placed.some(
    (each) =>
      each.text.endsWith(text) && each.start < end && each.end > start && Math.abs(each.t - t) < SIGN_BESIDE * height,
  );
}

/** A small circle behind a number, at the height of its top. */
function degreeBehind({ x, y, radius }: Ring, placed: readonly Placed[], frame: TurnedFrame): Placed | undefined {
  const s = frame.s(x, y),
    t = frame.t(x, y);
  for (const piece of placed) {
    const { height } = piece;
    if (
      isWithin(radius / height, DEGREE_RADIUS) &&
      isWithin((s - piece.end) / height, DEGREE_BEHIND) &&
      isWithin((piece.t - t) / height, DEGREE_ABOVE) &&
      /\d$/.test(piece.text)
    )
      return { text: '\u00b0', start: Math.max(piece.end, s - radius), end: s + radius, t: piece.t, height };
  }
  return undefined;
}

/** A stroke that leans to the right between two words, from the baseline to the top of capitals or a little further. */
function slashBehind(
  { text, end, t, height }: Placed,
  placed: readonly Placed[],
  index: LineIndex,
  frame: TurnedFrame,
): Placed | undefined {
  if (!/[\dA-Za-z]$/.test(text)) return undefined;
  const next = placed.find(
    (other) =>
      isWithin((other.start - end) / height, SLASH_GAP) &&
      Math.abs(other.t - t) < 0.1 * height &&
      Math.abs(other.height - height) < 0.1 * height &&
      /^[\da-z]/.test(other.text),
  );
  if (next === undefined) return undefined;
  // The stem of a letter that leans is no slash behind it.
  const least = STEM_AT_END.test(text) ? BEHIND_STEM : -0.2;
  const slash = index.nearIn(frame, (end + next.start) / 2, t - MIDDLE * height, 0.6 * height).find((edge) => {
    const [low, high] = edge.y0 > edge.y1 ? [edge.x0, edge.x1] : [edge.x1, edge.x0];
    const tall = Math.abs(edge.y1 - edge.y0);
    return (
      isWithin(tall / height, SLASH_HEIGHT) &&
      isWithin((high - low) / tall, SLASH_LEAN) &&
      low > end + least * height &&
      low < next.start - BEFORE_STEM * height &&
      high < next.start + 0.2 * height &&
      Math.abs((edge.y0 + edge.y1) / 2 - t + MIDDLE * height) < 0.2 * height
    );
  });
  return slash && { text: '/', start: end, end: next.start, t, height };
}

/** A plus-minus sign before a number, drawn as a cross over a level stroke. */
function plusMinusBefore({ text, start, t, height }: Placed, index: LineIndex, frame: TurnedFrame): Placed | undefined {
  if (!/^[\d.,]/.test(text)) return undefined;
  const edges = index.nearIn(frame, start - 0.5 * height, t - MIDDLE * height, 0.7 * height).filter((edge) => {
    const { x0, y0, x1, y1 } = edge,
      length = lengthOf(edge);
    return (
      length > 0.25 * height &&
      length < 0.75 * height &&
      Math.max(x0, x1) < start + 0.1 * height &&
      Math.min(x0, x1) > start - 1.2 * height &&
      Math.max(y0, y1) < t + 0.2 * height &&
      Math.min(y0, y1) > t - height
    );
  });
  const level = edges.filter((edge) => isLevel(edge, 0.05));
  const upright = edges.filter((edge) => isUpright(edge, 0.05));
  if (level.length !== 2 || upright.length !== 1) return undefined;
  const [above, below] = level.toSorted((a, b) => a.y0 - b.y0);
  const [{ x0, y0, y1 }] = upright;
  const crosses =
    Math.min(y0, y1) < above.y0 && Math.max(y0, y1) > above.y0 && Math.max(y0, y1) < below.y0 + 0.1 * height;
  if (
    !crosses ||
    Math.abs((above.x0 + above.x1) / 2 - x0) > 0.1 * height ||
    Math.abs((below.x0 + below.x1) / 2 - x0) > 0.1 * height
  )
    return undefined;
  return { text: '\u00b1', start: Math.min(above.x0, above.x1), end: Math.max(above.x0, above.x1), t, height };
}

/** Circles with a stroke through their middle that reaches beyond them on both sides, and no other in its direction. */
function diameterSigns(index: LineIndex): Ring[] {
  return index.rings.filter((ring) => {
    const near = index.near(ring.x, ring.y, ring.radius);
    return (
      near.some((edge) => {
        const length = lengthOf(edge);
        if (!isWithin(length / ring.radius, SIGN_STROKE)) return false;
        return areaBeside(edge, ring) / length < 0.2 * ring.radius && offMiddle(edge, ring) < 0.4 * ring.radius;
      }) && crossings(near, ring) === 1
    );
  });
}

/** Two long strokes through a circle's middle in different directions are a position symbol. */
function crossings(near: readonly Edge[], ring: Ring): number {
  const directions: number[] = [];
  for (const edge of near) {
    const length = lengthOf(edge);
    if (
      length < 1.9 * ring.radius ||
      length > SIGN_STROKE[1] * ring.radius ||
      areaBeside(edge, ring) > 0.2 * ring.radius * length ||
      offMiddle(edge, ring) > 0.4 * ring.radius
    )
      continue;
    const direction = ((Math.atan2(edge.y1 - edge.y0, edge.x1 - edge.x0) % Math.PI) + Math.PI) % Math.PI;
    if (!directions.some((other) => Math.abs(Math.sin(direction - other)) < 0.3)) directions.push(direction);
  }
  return directions.length;
}

/** Twice the area of the triangle of a stroke and the middle of a circle. */
function areaBeside({ x0, y0, x1, y1 }: Edge, { x, y }: Ring): number {
  return Math.abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0));
}

function offMiddle({ x0, y0, x1, y1 }: Edge, { x, y }: Ring): number {
  return Math.hypot((x0 + x1) / 2 - x, (y0 + y1) / 2 - y);
}

/** A sign as a piece of text, where it precedes letters of this direction. */
function signBefore({ x, y, radius }: Ring, placed: readonly Placed[], frame: TurnedFrame): Placed | undefined {
  const s = frame.s(x, y),
    t = frame.t(x, y);
  // The sign may be read already, by itself or with its number.
  const isRead = placed.some(
    (each) =>
      each.text.includes('⌀') &&
      s > each.start - 0.1 * radius &&
      s < each.end &&
      Math.abs(each.t - MIDDLE * each.height - t) < SIGN_BESIDE * each.height,
  );
  if (isRead) return undefined;
  for (const piece of placed) {
    const { height } = piece;
    if (radius < SIGN_RADIUS[0] * height || radius > SIGN_RADIUS[1] * height) continue;
    const ahead = piece.start - s;
    if (ahead <= 0 || ahead > SIGN_BEFORE * height || Math.abs(piece.t - MIDDLE * height - t) > SIGN_BESIDE * height)
      continue;
    return { text: '⌀', start: s - radius, end: s + radius, t: piece.t, height };
  }
  return signBeforeLimits({ s, t, radius }, placed);
}

/** A sign that stands before two sizes, in the middle of their height. */
function signBeforeLimits(
  { s, t, radius }: { readonly s: number; readonly t: number; readonly radius: number },
  placed: readonly Placed[],
): Placed | undefined {
  for (const upper of placed) {
    const { height, start } = upper;
    if (!isWithin(radius / height, SIGN_RADIUS) || !isWithin((start - s) / height, [0, SIGN_BEFORE])) continue;
    const lower = placed.find(
      (other) => Math.abs(other.start - start) < 0.3 * height && isWithin((other.t - upper.t) / height, LIMITS_APART),
    );
    const middle = lower && (upper.t + lower.t) / 2;
    if (middle === undefined || Math.abs(middle - MIDDLE * height - t) > SIGN_BESIDE * height) continue;
    // The sign may be read already, by itself or behind a count.
    if (placed.some((each) => s > each.start && s < each.end && Math.abs(each.t - middle) < 0.4 * height))
      return undefined;
    return { text: '⌀', start: s - radius, end: s + radius, t: middle, height };
  }
  return undefined;
}
