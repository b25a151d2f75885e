import type { Limits } from '../../options.js';
import { checkBytes } from '../decoding/decoded-bytes.js';

/** Memory of pdfjs for a column of a row, bytes: two rows of 32 bits (fax), or the bytes of a colour. */
const COLUMN_BYTES = 8,
  COLOR_BYTES = 2;

/**
 * What the parameters of filters in a PDF claim of rows, which pdfjs allocates before it looks at the data. They may
 * stand beside the filter, in another object or with a picture inside a page's content; so the greatest of all counts.
 */
export class ClaimedRows {
  readonly #most = new Map<string, number>();

  /** Looks through a file, or what a stream unpacks to. */
  see(bytes: Buffer): void {
    for (const key of ['/Columns', '/Colors', '/Rows'])
      for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at + key.length)) {
        const behind = bytes.toString('latin1', at + key.length, at + key.length + LONGEST_NUMBER);
        const number = Number(/^\s*(\d+)/.exec(behind)?.[1] ?? 0);
        if (number > this.#of(key)) this.#most.set(key, number);
      }
  }

  /** @throws EngineError `LIMIT_EXCEEDED` for rows that take more than decoding may. */
  check(limits: Limits): void {
    const perColumn = Math.max(COLUMN_BYTES, COLOR_BYTES * this.#of('/Colors'), this.#of('/Rows') / 8);
    checkBytes('rows of a picture of the PDF', perColumn * this.#of('/Columns'), limits);
  }

  #of(key: string): number {
    return this.#most.get(key) ?? 0;
  }
}

const LONGEST_NUMBER = 24;
