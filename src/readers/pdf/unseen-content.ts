import type { Sheet, SheetText } from '../../content/sheet.js';
import type { Affine, Bounds } from '../geometry/affine.js';
import type { OperatorList, Pdfjs } from '../pdf-file/pdfjs.js';
import type { TextPiece } from '../text/text-layout.js';
import { hiddenContent, type PdfLayers } from './hidden-text.js';
import { shownBy } from '../sheet/shown-texts.js';
import type { PageTexts } from './text-pieces.js';

/** Most layers that a message names. */
const MOST_NAMED = 5;

/**
 * What of a drawing is not seen, page by page: texts on layers that are off, texts outside of the page, texts without
 * ink that nothing else shows.
 */
export class UnseenContent {
  readonly #layers: PdfLayers;
  readonly #pdfjs: Pdfjs;
  readonly #counts = new Map<string, { texts: number; paths: number }>();
  #lost = 0;
  #outside = 0;
  #inkless = 0;
  /** Pages whose texts without ink cannot be told from others, and how many strings those are. */
  #untold = 0;
  #waiting: ReadonlySet<TextPiece> = new Set();

  constructor(layers: PdfLayers, pdfjs: Pdfjs) {
    this.#layers = layers;
    this.#pdfjs = pdfjs;
  }

  /** The texts of a page that are seen on it. */
  seenOf(operators: OperatorList, { pieces, drawn, isCut }: PageTexts, toPage: Affine): readonly TextPiece[] {
    const found = hiddenContent(operators, drawn, { layers: this.#layers, pdfjs: this.#pdfjs, toPage });
    const { pieces: hidden, inkless, inklessStrings, counts, outside, isLost } = found;
    this.#waiting = inkless;
    if (isLost) this.#untold += inklessStrings;
    for (const [layer, { texts, paths }] of counts) {
      const known = this.#counts.get(layer) ?? { texts: 0, paths: 0 };
      this.#counts.set(layer, { texts: known.texts + texts, paths: known.paths + paths });
    }
    if (isLost && [...counts.values()].some(({ texts }) => texts > 0)) this.#lost++;
    if (!isCut) this.#outside += outside;
    const on = new Set(pieces);
    this.#outside += drawn.filter((piece) => !on.has(piece) && !hidden.has(piece)).length;
    return hidden.size === 0 ? pieces : pieces.filter((piece) => !hidden.has(piece));
  }

  /**
   * The page that {@link seenOf} was asked for last, without texts that have no ink and that nothing shows. Those that
   * lie over a picture, a dark area or their letters as strokes and areas stay: they say what is seen there.
   * @param shaded areas that shadings paint, of which a sheet has no strokes.
   */
  inkOf(sheet: Sheet, shaded: readonly Bounds[]): Sheet {
    if (this.#waiting.size === 0) return sheet;
    const isShown = shownBy(sheet, shaded);
    const gone = new Map<string, number>();
    for (const piece of this.#waiting) {
      const key = keyOf(piece, piece.length);
      if (!isShown(piece)) gone.set(key, (gone.get(key) ?? 0) + 1);
    }
    if (gone.size === 0) return sheet;
    // The same text may stand there with ink: white edges of letters are drawn in the same place.
    const texts: SheetText[] = [];
    const left: string[] = [];
    for (const text of sheet.texts) {
      const key = keyOf(text, text.width);
      const further = gone.get(key) ?? 0;
      if (further === 0) texts.push(text);
      else left.push(key);
      if (further > 0) gone.set(key, further - 1);
    }
    const seen = new Set(texts.map((text) => keyOf(text, text.width)));
    this.#inkless += left.filter((key) => !seen.has(key)).length;
    return { ...sheet, texts };
  }

  /** Messages about what is not seen; empty if all is. */
  messages(): string[] {
    const said: string[] = [];
    if (this.#counts.size > 0) {
      const layers = [...this.#counts].sort(([, a], [, b]) => b.texts + b.paths - a.texts - a.paths);
      const sum = (of: 'texts' | 'paths'): number => layers.reduce((total, [, count]) => total + count[of], 0);
      const named = layers
        .slice(0, MOST_NAMED)
        .map(([name, { texts, paths }]) => `${name} (${texts} texts, ${paths} paths)`);
      const more = layers.length - named.length;
      said.push(
        `${sum('texts')} texts and ${sum('paths')} paths on layers that are off are not drawn` +
          `${this.#lost > 0 ? ', their texts on some pages cannot be told from others and are read' : ' and are no part of the PMI'}: ` +
          `${named.join(', ')}${more > 0 ? ` and ${more} further layers` : ''}`,
      );
    }
    if (this.#inkless > 0)
      said.push(
        `${this.#inkless} texts that are not seen, because they are white, drawn without ink, cut off or covered, ` +
          'are no part of the PMI',
      );
    if (this.#untold > 0)
      said.push(`${this.#untold} texts are white or drawn without ink; they cannot be told from others, and are read`);
    if (this.#outside > 0) said.push(`${this.#outside} texts outside of their pages were left out`);
    return said;
  }
}

/** The text, its place, direction and size. */
function keyOf({ text, x, y, angleRad, height }: Omit<TextPiece, 'length'>, length: number): string {
  const numbers = [x, y, Math.cos(angleRad), Math.sin(angleRad), height, length];
  return `${numbers.map((value) => Math.round(1_000 * value)).join(' ')} ${text}`;
}
