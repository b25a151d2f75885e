import type { Pdfjs } from '../pdf-file/pdfjs.js';
import { colorOf, darkestOf, onWhite, WHITE } from '../sheet/ink-colors.js';

/** Rendering modes of text (ISO 32000-1, table 106): neither filled nor stroked; clip alone. */
const NO_INK = new Set([3, 7]);
/** Modes that stroke letters, and those that do nothing else. */
const STROKED = new Set([1, 2, 5, 6]);
const STROKED_ALONE = new Set([1, 5]);
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

  /**
   * Whether a text that is shown now leaves no ink on white paper.
   * @param glyphs the text. The letters of Type 3 fonts are drawings, for which modes mean nothing and which may be
   * strokes.
   */
  isNone(glyphs: unknown): boolean {
    const { mode, fill, stroke, fillAlpha, strokeAlpha } = this.#state;
    const isFilled = darkestOf(onWhite(fill, fillAlpha)) < WHITE;
    const isStroked = darkestOf(onWhite(stroke, strokeAlpha)) < WHITE;
    if (areDrawings(glyphs)) return !isFilled && !isStroked;
    return NO_INK.has(mode) || !((isFilled && !STROKED_ALONE.has(mode)) || (isStroked && STROKED.has(mode)));
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

/** Whether glyphs are of a Type 3 font: pdfjs names the drawing of each. */
function areDrawings(glyphs: unknown): boolean {
  return (
    Array.isArray(glyphs) &&
    glyphs.some((glyph: unknown) => (glyph as { readonly operatorListId?: unknown } | null)?.operatorListId != null)
  );
}
