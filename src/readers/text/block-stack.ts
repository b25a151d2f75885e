import { PageWriter, type PageLimits } from './page-writer.js';

/** A note or a box is bounded by the document's limits when it is written; this bounds what waits. */
const BLOCK_LIMITS: PageLimits = { pages: 1, textCharacters: 1_000_000 };

interface Level {
  readonly writer: PageWriter;
  readonly waiting: string[];
}

/**
 * Files put a note or a text box into the middle of the paragraph where its anchor is. Its text is collected aside and written after
 * that paragraph, so that the paragraph's own text stays in one piece.
 */
export class BlockStack {
  readonly #format: string;
  readonly #levels: Level[];

  constructor(format: string, writer: PageWriter) {
    this.#format = format;
    this.#levels = [{ writer, waiting: [] }];
  }

  /** Where text goes now. */
  get writer(): PageWriter {
    return this.#levels[this.#levels.length - 1].writer;
  }

  /** True in a note or box. */
  get nested(): boolean {
    return this.#levels.length > 1;
  }

  /** Begins a note or box. */
  begin(): void {
    this.#levels.push({ writer: new PageWriter(this.#format, BLOCK_LIMITS), waiting: [] });
  }

  /** Ends it; it is written when {@link flush} says that the paragraph around it has ended. */
  end(): void {
    if (!this.nested) return;
    this.flush();
    const level = this.#levels.pop();
    if (level !== undefined) this.#levels[this.#levels.length - 1].waiting.push(level.writer.finish().pages[0].text);
  }

  /** Writes what waits. */
  flush(): void {
    const { writer, waiting } = this.#levels[this.#levels.length - 1];
    for (const text of waiting.splice(0)) {
      writer.line();
      writer.write(text);
      writer.line();
    }
  }
}
