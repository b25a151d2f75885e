import { cornersOf, longerSide, TurnedFrame } from '../../content/geometry.js';
import { addTo } from '../../content/groups.js';
import type { Sheet } from '../../content/sheet.js';
import type { Pdfjs } from '../pdf-file/pdfjs.js';
import type { TextPiece } from '../text/text-layout.js';
import { colorOf, lightnessOf, onWhite } from './colors.js';

/** Rendering modes of text (ISO 32000-1, table 106): neither filled nor stroked; clip alone. */
const NO_INK = new Set([3, 7]);
/** Modes that stroke letters, and those that do nothing else. */
const STROKED = new Set([1, 2, 5, 6]);
const STROKED_ALONE = new Set([1, 5]);
/** Lighter letters are not seen on white paper, and areas darker than this show them; 0 to 255. */
const WHITE = 250;
const DARK = 200;
/** Deepest nesting of saved graphics states. */
const DEEPEST = 1_000;

interface State {
  readonly mode: number;
  readonly fill: number;
  readonly stroke: number;
  readonly fillAlpha: number;
  readonly strokeAlpha: number;
}
const INITIAL: State = { mode: 0, fill: 0, stroke: 0, fillAlpha: 1, strokeAlpha: 1 };

/** What letters are drawn with, operator by operator: whether white paper shows any of it. */
export class TextInk {
  readonly #ops: Pdfjs['OPS'];
  readonly #saved: State[] = [];
  #state = INITIAL;

  constructor({ OPS }: Pdfjs) {
    this.#ops = OPS;
  }

  /** Whether a text that is shown now leaves no ink on white paper. */
  get isNone(): boolean {
    const { mode, fill, stroke, fillAlpha, strokeAlpha } = this.#state;
    if (NO_INK.has(mode)) return true;
    const isFilled = !STROKED_ALONE.has(mode) && lightnessOf(onWhite(fill, fillAlpha)) < WHITE;
    return !isFilled && !(STROKED.has(mode) && lightnessOf(onWhite(stroke, strokeAlpha)) < WHITE);
  }

  /** Takes an operator of the page; others than those of the graphics state change nothing. */
  apply(fn: number, args: readonly unknown[]): void {
    const ops = this.#ops;
    if (fn === ops.save || fn === ops.paintFormXObjectBegin || fn === ops.beginGroup) {
      if (this.#saved.length < DEEPEST) this.#saved.push(this.#state);
    } else if (fn === ops.restore || fn === ops.paintFormXObjectEnd || fn === ops.endGroup)
      this.#state = this.#saved.pop() ?? this.#state;
    else if (fn === ops.setTextRenderingMode) this.#change({ mode: Number(args[0]) });
    else if (fn === ops.setFillRGBColor) this.#change({ fill: colorOf(args[0]) });
    else if (fn === ops.setStrokeRGBColor) this.#change({ stroke: colorOf(args[0]) });
    // Patterns have ink.
    else if (fn === ops.setFillColorN) this.#change({ fill: 0 });
    else if (fn === ops.setStrokeColorN) this.#change({ stroke: 0 });
    else if (fn === ops.setFillTransparent) this.#change({ fill: 0xffffff });
    else if (fn === ops.setStrokeTransparent) this.#change({ stroke: 0xffffff });
    else if (fn === ops.setGState) this.#setMany(args[0]);
  }

  #change(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
  }

  #setMany(entries: unknown): void {
    for (const [key, value] of (Array.isArray(entries) ? entries : []) as readonly (readonly [string, unknown])[]) {
      if (key === 'ca') this.#change({ fillAlpha: Number(value) });
      else if (key === 'CA') this.#change({ strokeAlpha: Number(value) });
    }
  }
}

/** Least share of a text's letters that areas or strokes of their size draw in its place. */
const LEAST_DRAWN = 0.5;
/** Letters and their pieces are at most so many times as long as the font is high. */
const LONGEST = 1.4;
/** Heights of the font: how far letters reach above and below the baseline. */
const ABOVE = 1.1;
const BELOW = 0.4;

/**
 * Whether something shows a text that has no ink of its own: a picture or a dark area below it, or its letters as
 * strokes and areas, over which it lies for searching.
 * @returns a test for texts of the sheet, places in its units.
 */
export function shownBy(sheet: Sheet): (text: TextPiece) => boolean {
  const { strokes, styles, pictures } = sheet;
  const dark: { readonly x0: number; readonly x1: number; readonly y0: number; readonly y1: number }[] = [];
  const side = Math.max(sheet.width, sheet.height) / 100;
  const cells = new Map<number, { readonly x: number; readonly y: number; readonly long: number }[]>();
  const cellOf = (x: number, y: number): number => Math.floor(x / side) * 1_000 + Math.floor(y / side);
  for (let stroke = 0; stroke < strokes.count; stroke++) {
    const corners = cornersOf(strokes.points, strokes.starts[stroke], strokes.starts[stroke + 1]);
    const { x0, x1, y0, y1 } = corners;
    const style = styles[strokes.styles[stroke]];
    if (lightnessOf(style.color) >= WHITE) continue;
    if (style.isFill && lightnessOf(style.color) < DARK) dark.push({ x0, x1, y0, y1 });
    const long = longerSide(corners);
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    if (long <= side) addTo(cells, cellOf(x, y), { x, y, long });
  }
  return ({ text, x, y, angleRad, length, height }) => {
    const frame = new TurnedFrame(angleRad);
    const { cos, sin } = frame;
    const middle = { x: x + (length / 2) * cos + 0.35 * height * sin, y: y + (length / 2) * sin - 0.35 * height * cos };
    const isOver = ({ x0, x1, y0, y1 }: (typeof dark)[number]): boolean =>
      middle.x > x0 && middle.x < x1 && middle.y > y0 && middle.y < y1 && Math.max(x1 - x0, y1 - y0) > length;
    if (dark.some(isOver)) return true;
    if (pictures.some(({ box }) => isOver({ x0: box.x, x1: box.x + box.width, y0: box.y, y1: box.y + box.height })))
      return true;
    let drawn = 0;
    const reach = length / 2 + height;
    for (let column = Math.floor((middle.x - reach) / side); column <= (middle.x + reach) / side; column++)
      for (let row = Math.floor((middle.y - reach) / side); row <= (middle.y + reach) / side; row++)
        for (const each of cells.get(column * 1_000 + row) ?? []) {
          const s = frame.s(each.x - x, each.y - y),
            t = frame.t(each.x - x, each.y - y);
          const isIn = s > -0.2 * height && s < length + 0.2 * height && t > -ABOVE * height && t < BELOW * height;
          if (isIn && each.long <= LONGEST * height) drawn++;
        }
    return drawn >= LEAST_DRAWN * text.replace(/\s/g, '').length;
  };
}
