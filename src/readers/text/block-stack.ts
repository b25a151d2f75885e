import { PageWriter, type PageLimits } from './page-writer.js';

/** Bounds of a note or box while it is collected; the document's limits apply when it is written. */
const BLOCK_LIMITS: PageLimits = { pages: 1, textCharacters: 1_000_000 };

interface Level {
  readonly writer: PageWriter;
  readonly waiting: string[];
}

/**
 * Collects notes and text boxes, which files store in the middle of the paragraph that anchors them. Their text is
 * written after that paragraph, so that the paragraph's own text is not interrupted.
 */
export class BlockStack {
  readonly #format: string;
  readonly #levels: Level[];

  constructor(format: string, writer: PageWriter) {
    this.#format = format;
    this.#levels = [{ writer, waiting: [] }];
  }

  /** The writer that takes the current text. */
  get writer(): PageWriter {
    return this.#levels[this.#levels.length - 1].writer;
  }

  /** Whether a note or box is open. */
  get nested(): boolean {
    return this.#levels.length > 1;
  }

  /** Begins a note or box. */
  begin(): void {
    this.#levels.push({ writer: new PageWriter(this.#format, BLOCK_LIMITS), waiting: [] });
  }

  /** Ends a note or box. It is written by {@link flush}, at the end of the paragraph around it. */
  end(): void {
    if (!this.nested) return;
    this.flush();
    const level = this.#levels.pop();
    if (level !== undefined) this.#levels[this.#levels.length - 1].waiting.push(level.writer.finish().pages[0].text);
  }

  /** Writes the collected notes and boxes. */
  flush(): void {
    const { writer, waiting } = this.#levels[this.#levels.length - 1];
    for (const text of waiting.splice(0)) {
      writer.line();
      writer.write(text);
      writer.line();
    }
  }
}
