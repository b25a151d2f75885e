import { createHash } from 'node:crypto';
import type { RowValue, TableChange } from './table-shapes.js';

const DIGEST_BYTES = 32;

/**
 * A digest of the rows of a table whatever their order: the SHA-256 of each row, combined by exclusive or, and their
 * number. No two rows of a table are equal, because each has its key.
 */
export class RowDigest {
  readonly #sum = Buffer.alloc(DIGEST_BYTES);
  /** Rows so far. */
  count = 0;

  add({ rows, companies }: Pick<TableChange, 'rows' | 'companies'>): void {
    for (const [at, row] of rows.entries()) {
      const hash = createHash('sha256');
      for (const value of [companies[at], ...row]) update(hash, value);
      const digest = hash.digest();
      for (let i = 0; i < DIGEST_BYTES; i++) this.#sum[i] ^= digest[i];
      this.count++;
    }
  }

  /** Hexadecimal digits; equal for equal rows. */
  get text(): string {
    return `${this.count} ${this.#sum.toString('hex')}`;
  }
}

/** Each value with its type and its length, so that no two rows are written alike. */
function update(hash: ReturnType<typeof createHash>, value: RowValue): void {
  if (value === null) hash.update('n');
  else if (typeof value === 'number') hash.update(`d${value};`);
  else if (typeof value === 'string') hash.update(`s${value.length};`).update(value, 'utf8');
  else hash.update(`b${value.length};`).update(value);
}
