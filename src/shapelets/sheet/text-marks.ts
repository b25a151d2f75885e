import { TurnedFrame } from '../../content/geometry.js';
import type { Sheet, SheetText } from '../../content/sheet.js';
import type { SheetMeasures } from './sheet-measures.js';
import type { StrokeEnds } from './stroke-ends.js';

/** Cell of the grid, points. */
const CELL = 24;
/** A stroke that spans more cells does not belong to a text. */
const MOST_CELLS = 64;
/** Largest number of texts that are examined, and of strokes beside a text. */
const MOST_TEXTS = 20_000;
const MOST_BY_TEXT = 2_000;
/**
 * In heights of letters: largest symbol in a line of text, highest frame around a text, largest extent of a frame
 * beyond it.
 */
const SYMBOL = 1.6;
const FRAME = 3.4;
const BEYOND = 12;
/** Fewest points of an arc. */
const ARC_POINTS = 6;
/** Largest length of a line under a text beyond the text, in heights of letters. */
const LANDING = 4;

/**
 * Bounding box of a stroke in the frame of a text: s along the baseline from its start, t downwards from the baseline.
 */
interface Extent {
  readonly stroke: number;
  readonly sMin: number;
  readonly sMax: number;
  readonly tMin: number;
  readonly tMax: number;
}

/**
 * Marks strokes that belong to texts: drawn symbols in a line of text (⌀, ±, those of tolerances), frames and circles
 * around texts, lines under them.
 * @param isOpen u8[count]: 1 for strokes that may belong to a text.
 * @param ends those of the open strokes.
 * @returns u8[count]: 1 for the marked ones.
 */
export function markByTexts(sheet: Sheet, measures: SheetMeasures, isOpen: Uint8Array, ends: StrokeEnds): Uint8Array {
  const marks = new Uint8Array(sheet.strokes.count);
  if (sheet.texts.length === 0) return marks;
  const near = nearTexts(sheet, measures, isOpen);
  for (const text of sheet.texts.slice(0, MOST_TEXTS)) {
    const extents = near(text).map((stroke) => extentOf(stroke, text, sheet));
    const symbols = new Set(extents.filter((extent) => isSymbol(extent, text)).map(({ stroke }) => stroke));
    for (const stroke of symbols) if (!isOfOutline(stroke, symbols, ends)) marks[stroke] = 1;
    const about = new Set(extents.filter((extent) => isAbout(extent, text)).map(({ stroke }) => stroke));
    for (const stroke of about) if (!isArc(sheet, stroke) || !isOfOutline(stroke, about, ends)) marks[stroke] = 1;
    for (const { stroke } of extents.filter((extent) => isLanding(extent, text))) marks[stroke] = 1;
    for (const stroke of frameOf(extents, text)) marks[stroke] = 1;
  }
  return marks;
}

function isArc({ strokes: { starts } }: Sheet, stroke: number): boolean {
  return starts[stroke + 1] - starts[stroke] >= ARC_POINTS;
}

/**
 * Whether a stroke joins ends of others that do not belong to the text: a fillet beside which its radius is written, a
 * quarter of a circle that holds a text. A whole circle joins none: what ends where it was begun is a leader.
 */
function isOfOutline(stroke: number, symbols: ReadonlySet<number>, ends: StrokeEnds): boolean {
  const [from, to] = [ends.place(2 * stroke), ends.place(2 * stroke + 1)];
  if (Math.hypot(from.x - to.x, from.y - to.y) <= ends.near) return false;
  return [0, 1].every((end) => {
    const { x, y } = ends.place(2 * stroke + end);
    return ends.some(x, y, (other) => other !== stroke && !symbols.has(other));
  });
}

function isSymbol({ sMin, sMax, tMin, tMax }: Extent, { width, height }: SheetText): boolean {
  const s = (sMin + sMax) / 2,
    t = (tMin + tMax) / 2;
  return (
    Math.max(sMax - sMin, tMax - tMin) <= SYMBOL * height &&
    s > -2 * height &&
    s < width + 2 * height &&
    t > -1.3 * height &&
    t < 0.5 * height
  );
}

/** A rectangle or a circle around a text. */
function isAbout({ sMin, sMax, tMin, tMax }: Extent, { width, height }: SheetText): boolean {
  const isHigh =
    tMax - tMin <= FRAME * height || Math.max(tMax - tMin, sMax - sMin) <= Math.max(width, height) + 3 * height;
  return (
    isHigh &&
    sMax - sMin <= width + BEYOND * height &&
    sMin < 0.2 * width &&
    sMax > 0.8 * width &&
    tMin < -0.5 * height &&
    tMax > 0
  );
}

function isLanding({ sMin, sMax, tMin, tMax }: Extent, { width, height }: SheetText): boolean {
  return (
    isLevel({ tMin, tMax }, height) &&
    tMin >= -0.1 * height &&
    tMax < height &&
    sMax - sMin <= width + LANDING * height &&
    sMin < 0.2 * width &&
    sMax > 0.8 * width
  );
}

function isLevel({ tMin, tMax }: Pick<Extent, 'tMin' | 'tMax'>, height: number): boolean {
  return tMax - tMin < 0.1 * height;
}

/** The lines above and below a text that form a frame, and everything between them. */
function frameOf(extents: readonly Extent[], { width, height }: SheetText): number[] {
  const lines = extents.filter(
    (extent) =>
      isLevel(extent, height) &&
      extent.sMin < 0.2 * width &&
      extent.sMax > 0.8 * width &&
      extent.sMax - extent.sMin < width + BEYOND * height,
  );
  const over = lines.find(({ tMin }) => tMin < -0.6 * height && tMin > -(FRAME - 1) * height);
  const under = lines.find(({ tMin }) => tMin >= -0.1 * height && tMin < (FRAME - 1) * height);
  if (over === undefined || under === undefined || under.tMin - over.tMin > FRAME * height) return [];
  const slack = 0.15 * height;
  const sMin = Math.min(over.sMin, under.sMin) - slack,
    sMax = Math.max(over.sMax, under.sMax) + slack;
  const inside = extents.filter(
    (extent) =>
      extent.tMin > over.tMin - slack && extent.tMax < under.tMin + slack && extent.sMin > sMin && extent.sMax < sMax,
  );
  const hasSide = inside.some(
    (extent) =>
      extent.sMax - extent.sMin < slack && extent.tMin < over.tMin + slack && extent.tMax > under.tMin - slack,
  );
  return hasSide ? inside.map(({ stroke }) => stroke) : [];
}

function extentOf(stroke: number, { x, y, angleRad }: SheetText, { strokes: { points, starts } }: Sheet): Extent {
  const frame = new TurnedFrame(angleRad);
  let sMin = Infinity,
    sMax = -Infinity,
    tMin = Infinity,
    tMax = -Infinity;
  for (let p = starts[stroke]; p < starts[stroke + 1]; p++) {
    const dx = points[2 * p] - x,
      dy = points[2 * p + 1] - y;
    const s = frame.s(dx, dy),
      t = frame.t(dx, dy);
    sMin = Math.min(sMin, s);
    sMax = Math.max(sMax, s);
    tMin = Math.min(tMin, t);
    tMax = Math.max(tMax, t);
  }
  return { stroke, sMin, sMax, tMin, tMax };
}

/** Returns a function that finds the strokes near a text, by the cells of a grid that their boxes touch. */
function nearTexts(
  { width, height }: Sheet,
  { boxes, point }: SheetMeasures,
  isOpen: Uint8Array,
): (text: SheetText) => number[] {
  const cell = Math.max(CELL * point, Math.max(width, height) / 500);
  const columns = Math.max(1, Math.ceil(width / cell));
  const cells = new Map<number, number[]>();
  for (let i = 0; i < isOpen.length; i++) {
    if (isOpen[i] === 0) continue;
    const [left, top, right, bottom] = Array.from(boxes.subarray(4 * i, 4 * i + 4), (at) => Math.floor(at / cell));
    if ((right - left + 1) * (bottom - top + 1) > MOST_CELLS) continue;
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const key = row * columns + column;
        const list = cells.get(key);
        if (list === undefined) cells.set(key, [i]);
        else if (list.length < MOST_BY_TEXT) list.push(i);
      }
    }
  }
  return ({ x, y, angleRad, width: length, height: letter }) => {
    const endX = x + length * Math.cos(angleRad),
      endY = y + length * Math.sin(angleRad);
    const reach = FRAME * letter;
    const found = new Set<number>();
    const span = (from: number, to: number): [number, number] => [
      Math.floor((Math.min(from, to) - reach) / cell),
      Math.floor((Math.max(from, to) + reach) / cell),
    ];
    const [left, right] = span(x, endX),
      [top, bottom] = span(y, endY);
    if ((right - left + 1) * (bottom - top + 1) > MOST_CELLS) return [];
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++)
        for (const i of cells.get(row * columns + column) ?? []) found.add(i);
    }
    return [...found].slice(0, MOST_BY_TEXT);
  };
}
