import { bytesOf } from '../../content/bytes-of.js';
import { fineDarkness, type Ink } from '../../bitmap/binarise.js';
import { bitmapOf, componentsOf } from '../../bitmap/bitmap.js';
import { TurnedFrame } from '../../content/geometry.js';
import type { Picture } from '../../content/sheet.js';
import { readGlyph } from './read-glyph.js';
import { readWholeLine } from './whole-line.js';

/** A cell of a frame on the page: its middle, the direction of its text, its sides along and across it, pixels. */
export interface SignPlace {
  readonly x: number;
  readonly y: number;
  readonly angleRad: number;
  readonly width: number;
  readonly height: number;
}

/** What is nearer to the sides of a cell belongs to its lines, in heights of the cell. */
const BORDER = 0.1;
/** Ink is darker than this share of the darkest pixel; a sign is larger than the second share of the cell's height. */
const INK = 0.3;
const LEAST_SIDE = 0.25;
/** A sign touches the sides of its cell over less than this share of the cell's height. */
const TOUCHED = 0.3;
/** Largest cell, pixels. */
const LARGEST = 400;
/** The widest cell of a text, as a multiple of it. */
const MOST_TEXTS = 4;
/** The classes of {@link readGlyph} that a characteristic looks like, and what they mean in its cell. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['-', '⏤'],
  ['_', '⏤'],
  ['0', '○'],
  ['o', '○'],
  ['°', '○'],
  ['O', '○'],
  ['/', '↗'],
  ...[...'⏥⌖⊥∥∠⌓⌒◎⌭↗⌰⌯'].map((sign): [string, string] => [sign, sign]),
]);
/** Shafts of a sign are at least so high, and its only piece of ink so large, as shares of its ink. */
const SHAFT = 0.6;
const WHOLE = 0.9;
/** Least share of its probability that a sign must have beside other classes. */
const LEAST = 0.02;

/**
 * The likeliest sign of a geometric characteristic in a cell of a control frame, of those that may stand there,
 * whatever letters it looks like elsewhere; undefined where there is none.
 * @param mayBe whether a sign may stand before the other cells of the frame.
 */
export function signInCell(
  page: Ink,
  fine: Picture,
  place: SignPlace,
  mayBe: (sign: string) => boolean = () => true,
): string | undefined {
  const scale = fine.widthPx / page.width;
  const high = Math.round(place.height * scale * (1 - 2 * BORDER)),
    wide = Math.round(place.width * scale - 2 * BORDER * place.height * scale);
  if (!(high >= 6 && wide >= 6 && high <= LARGEST && wide <= LARGEST)) return undefined;
  const ink = upright(page, fine, place, { wide, high });
  const darkest = ink.reduce((most, dark) => Math.max(most, dark), 1);
  const bits = bytesOf(ink, (dark) => (dark >= INK * darkest ? 1 : 0));
  const { labels, list } = componentsOf(bitmapOf(wide, high, bits), 8);
  // What lies along the sides is the rest of a line; a wide sign touches them with its ends.
  const touching = new Map<number, number>();
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x += y === 0 || y === high - 1 ? 1 : Math.max(1, wide - 1)) {
      const label = labels[y * wide + x];
      if (label > 0) touching.set(label, (touching.get(label) ?? 0) + 1);
    }
  const isSign = list.map(({ box, area }, i) => {
    const touched = touching.get(i) ?? 0;
    return (
      i > 0 &&
      area > 2 &&
      (touched === 0 || (touched < TOUCHED * high && Math.min(box.x1 - box.x0, box.y1 - box.y0) > LEAST_SIDE * high))
    );
  });
  const own = list.filter((_, i) => isSign[i]).map(({ box }) => box);
  if (own.length === 0) return undefined;
  const [left, right] = [Math.min(...own.map(({ x0 }) => x0)), Math.max(...own.map(({ x1 }) => x1))];
  const [top, bottom] = [Math.min(...own.map(({ y0 }) => y0)), Math.max(...own.map(({ y1 }) => y1))];
  if (Math.max(right - left, bottom - top) < LEAST_SIDE * high) return undefined;
  const [w, h] = [right - left + 2, bottom - top + 2];
  const cut = new Uint8Array(w * h);
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const at = y * wide + x;
      if (labels[at] === 0 || isSign[labels[at]]) cut[(y - top + 1) * w + x - left + 1] = ink[at];
    }
  // A single bar in the middle is straightness; the network may take it for anything long.
  if (right - left > 4 * (bottom - top) && own.length === 1 && mayBe('⏤')) return '⏤';
  // The two shafts of total runout stand on one base line, those of parallelism stand apart.
  const inkHigh = bottom - top;
  const areApart = own.filter(({ y0, y1 }) => y1 - y0 > SHAFT * inkHigh).length > 1;
  const isWhole = own.some(({ x0, x1, y0, y1 }) => x1 - x0 > WHOLE * (right - left) && y1 - y0 > WHOLE * inkHigh);
  return readGlyph(cut, w, h)
    .filter(({ probability }) => probability >= LEAST)
    .flatMap(({ text }) => MEANINGS.get(text) ?? [])
    .find((sign) => mayBe(sign) && !(sign === '∥' && isWhole) && !(sign === '⌰' && areApart));
}

/** Least confidence of a text in a cell. */
const LEAST_TEXT = -0.5;

/**
 * The text in a cell, read as a whole line whose capitals stand in the middle of its height; undefined where none is
 * clear.
 * @param capital height of capitals, pixels of the page.
 */
export function textInCell(page: Ink, fine: Picture, place: SignPlace, capital: number): string | undefined {
  const scale = fine.widthPx / page.width;
  const high = Math.round(place.height * scale * (1 - 2 * BORDER)),
    wide = Math.round(place.width * scale - 2 * BORDER * place.height * scale);
  if (!(high >= 6 && wide >= 4 && high <= LARGEST && wide <= MOST_TEXTS * LARGEST)) return undefined;
  const ink = upright(page, fine, place, { wide, high });
  const size = capital * scale;
  const whole = readWholeLine(
    { width: wide, height: high, ink },
    { x: 0, y: (high + size) / 2, angleRad: 0, height: size, width: wide },
  );
  return whole === undefined || whole.text === '' || whole.confidence < LEAST_TEXT ? undefined : whole.text;
}

/** A part of the page about a place, turned so that its text is level: darkness, in pixels of the finest picture. */
export function upright(
  page: Ink,
  fine: Picture,
  { x, y, angleRad }: SignPlace,
  { wide, high }: { readonly wide: number; readonly high: number },
): Uint8Array {
  const scale = fine.widthPx / page.width;
  const reach = Math.ceil(Math.hypot(wide, high) / 2) + 2;
  const [middleX, middleY] = [x * scale, y * scale];
  const area = {
    x0: Math.floor(middleX) - reach,
    y0: Math.floor(middleY) - reach,
    x1: Math.floor(middleX) + reach,
    y1: Math.floor(middleY) + reach,
  };
  const side = 2 * reach;
  const dark = fineDarkness(page, fine, area);
  const frame = new TurnedFrame(angleRad);
  const turned = new Uint8Array(wide * high);
  for (let v = 0; v < high; v++)
    for (let u = 0; u < wide; u++) {
      const { x: dx, y: dy } = frame.point(u + 0.5 - wide / 2, v + 0.5 - high / 2);
      const [atX, atY] = [middleX - area.x0 + dx - 0.5, middleY - area.y0 + dy - 0.5];
      const [left, upper] = [Math.floor(atX), Math.floor(atY)];
      const [p, q] = [atX - left, atY - upper];
      const i = upper * side + left;
      turned[v * wide + u] =
        (1 - q) * ((1 - p) * dark[i] + p * dark[i + 1]) + q * ((1 - p) * dark[i + side] + p * dark[i + side + 1]);
    }
  return turned;
}
