import type { Sheet } from '../../content/sheet.js';
import type { OperatorList, Pdfjs } from '../pdf-file/pdfjs.js';
import type { TextPiece } from '../text/text-layout.js';
import { hiddenContent, type PdfLayers } from './hidden-text.js';
import { shownBy } from './text-ink.js';
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
  seenOf(operators: OperatorList, { pieces, drawn, isCut }: PageTexts): readonly TextPiece[] {
    const found = hiddenContent(operators, drawn, this.#layers, this.#pdfjs);
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
   * lie over a picture or over their letters as strokes and areas stay: they say what is seen there.
   */
  inkOf(sheet: Sheet): Sheet {
    if (this.#waiting.size === 0) return sheet;
    const isShown = shownBy(sheet);
    const left = [...this.#waiting].filter((piece) => !isShown(piece));
    if (left.length === 0) return sheet;
    const keyOf = ({ text, x, y }: Pick<TextPiece, 'text' | 'x' | 'y'>): string =>
      `${x.toFixed(3)} ${y.toFixed(3)} ${text}`;
    const gone = new Set(left.map(keyOf));
    const texts = sheet.texts.filter((text) => !gone.has(keyOf(text)));
    this.#inkless += sheet.texts.length - texts.length;
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
        `${this.#inkless} texts that are not seen, because they are white or drawn without ink, are no part of the PMI`,
      );
    if (this.#untold > 0)
      said.push(`${this.#untold} texts are white or drawn without ink; they cannot be told from others, and are read`);
    if (this.#outside > 0) said.push(`${this.#outside} texts outside of their pages were left out`);
    return said;
  }
}
