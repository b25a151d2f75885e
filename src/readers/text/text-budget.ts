import type { TextPage } from '../../content/text.js';
import { warning, type Warning } from '../../errors.js';
import type { Limits } from '../../options.js';

/** Bounds the text of one file by `limits.textCharacters`; the rest is left out with a warning. */
export class TextBudget {
  readonly #allowed: number;
  #used = 0;
  #cut = false;

  constructor(limits: Limits) {
    this.#allowed = limits.textCharacters;
  }

  /** Characters that may still be kept. */
  get left(): number {
    return this.#allowed - this.#used;
  }

  /** The page, cut to the characters that may still be kept. */
  keep(page: TextPage): TextPage {
    const { text, runs } = page;
    if (text.length <= this.left) {
      this.#used += text.length;
      return page;
    }
    this.#cut = true;
    const last = this.left > 0 && /[\ud800-\udbff]/.test(text[this.left - 1]) ? this.left - 1 : this.left;
    this.#used = this.#allowed;
    const kept = { ...page, text: text.slice(0, last) };
    return runs === undefined ? kept : { ...kept, runs: runs.filter(({ end }) => end <= last) };
  }

  warnings(): Warning[] {
    if (!this.#cut) return [];
    return [
      warning(
        'CONTENT_SKIPPED',
        `the file has more text than limits.textCharacters, ${this.#allowed}; the rest was left out`,
      ),
    ];
  }
}
