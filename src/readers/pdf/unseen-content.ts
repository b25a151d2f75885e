import type { OperatorList, Pdfjs } from '../pdf-file/pdfjs.js';
import type { TextPiece } from '../text/text-layout.js';
import { hiddenContent, type PdfLayers } from './hidden-text.js';
import type { PageTexts } from './text-pieces.js';

/** Most layers that a message names. */
const MOST_NAMED = 5;

/** What of a drawing is not seen, page by page: texts on layers that are off, texts outside of the page. */
export class UnseenContent {
  readonly #layers: PdfLayers;
  readonly #pdfjs: Pdfjs;
  readonly #counts = new Map<string, { texts: number; paths: number }>();
  #lost = 0;
  #outside = 0;

  constructor(layers: PdfLayers, pdfjs: Pdfjs) {
    this.#layers = layers;
    this.#pdfjs = pdfjs;
  }

  /** The texts of a page that are seen on it. */
  seenOf(operators: OperatorList, { pieces, drawn, isCut }: PageTexts): readonly TextPiece[] {
    const { pieces: hidden, counts, outside, isLost } = hiddenContent(operators, drawn, this.#layers, this.#pdfjs);
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
    if (this.#outside > 0) said.push(`${this.#outside} texts outside of their pages were left out`);
    return said;
  }
}
