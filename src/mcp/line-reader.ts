/** Of a line that is too long its beginning and its end are kept, bytes each: the id of the request may stand there. */
const KEPT_ENDS = 512;
const NEWLINE = 10;

/** A line that has more bytes than are read. */
export interface LongLine {
  readonly byteLength: number;
  /** Its first and its last bytes as text. */
  readonly head: string;
  readonly tail: string;
}

/**
 * Cuts a stream of bytes into lines of bounded length. A line that is longer is told when it ends, and let go before.
 */
export class LineReader {
  readonly #mostBytes: number;
  readonly #onLine: (line: string | LongLine) => void;
  #chunks: Buffer[] = [];
  /** Bytes of the line so far, kept or not. */
  #byteLength = 0;
  /** The beginning of the line, once it is too long; {@link #chunks} then holds its end. */
  #head: string | undefined;

  /** mostBytes: of a line, its end not counted. onLine: called for each line that holds anything but white space. */
  constructor(mostBytes: number, onLine: (line: string | LongLine) => void) {
    this.#mostBytes = mostBytes;
    this.#onLine = onLine;
  }

  push(bytes: Buffer): void {
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      this.#take(bytes.subarray(from, at));
      this.end();
      from = at + 1;
    }
    this.#take(bytes.subarray(from));
  }

  /** The line ends here, and perhaps the stream. */
  end(): void {
    const text = Buffer.concat(this.#chunks).toString('utf8');
    const [head, byteLength] = [this.#head, this.#byteLength];
    this.#chunks = [];
    this.#byteLength = 0;
    this.#head = undefined;
    if (head !== undefined) this.#onLine({ byteLength, head, tail: text });
    else if (text.trim() !== '') this.#onLine(text);
  }

  #take(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#byteLength += bytes.length;
    this.#chunks.push(bytes);
    if (this.#byteLength <= this.#mostBytes) return;
    const held = Buffer.concat(this.#chunks);
    this.#head ??= held.toString('utf8', 0, KEPT_ENDS);
    // A copy: a part of a buffer keeps all of it in memory.
    this.#chunks = [Buffer.from(held.subarray(-KEPT_ENDS))];
  }
}
