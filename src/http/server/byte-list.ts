/** Pieces below this size are copied together, bytes. */
const SMALL = 32 * 1024;
const BLOCK = 64 * 1024;

/**
 * Bytes that arrive in pieces. Small pieces are copied into blocks: a body may come a byte at a time, and each piece
 * kept by itself would take more than a hundred bytes.
 */
export class ByteList {
  readonly #blocks: Uint8Array[] = [];
  /** The last of the blocks while it has room. */
  #open: Uint8Array | undefined;
  #used = 0;

  append(piece: Uint8Array): void {
    if (piece.length >= SMALL) {
      this.#close();
      this.#blocks.push(piece);
      return;
    }
    if (this.#open === undefined || this.#used + piece.length > this.#open.length) {
      this.#close();
      this.#open = new Uint8Array(BLOCK);
    }
    this.#open.set(piece, this.#used);
    this.#used += piece.length;
  }

  /** All of them together; the list takes no more. */
  whole(): Uint8Array {
    this.#close();
    return this.#blocks.length === 1 ? this.#blocks[0] : Buffer.concat(this.#blocks);
  }

  #close(): void {
    if (this.#open !== undefined && this.#used > 0) this.#blocks.push(this.#open.subarray(0, this.#used));
    this.#open = undefined;
    this.#used = 0;
  }
}
