import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import { codeOf } from './storage-errors.js';

const CHUNK_BYTES = 1 << 20;
/** A verdict is good for this time, ms: a damaged catalogue makes many calls fail, and must not be read for each. */
const VERDICT_MS = 10_000;

/**
 * Tells whether the disk refuses to read a catalogue. SQLite reports a page that the system could not read (EIO) as
 * `SQLITE_CORRUPT`, as if it held nonsense; only reading the files again tells the two apart.
 */
export class ReadProbe {
  /** One a file: the descriptor may be closed only after the last connection. */
  static readonly #open = new Map<string, ReadProbe>();
  readonly #file: string;
  #connections = 0;
  #handle: number | undefined;
  #readAt = -Infinity;
  #refusal: unknown;

  private constructor(file: string) {
    this.#file = file;
  }

  /** The probe of a catalogue, for one more connection. */
  static open(file: string): ReadProbe {
    let probe = ReadProbe.#open.get(file);
    if (probe === undefined) ReadProbe.#open.set(file, (probe = new ReadProbe(file)));
    probe.#connections++;
    return probe;
  }

  /** {@link refusal} of a catalogue that is open. */
  static refusalOf(file: string): unknown {
    return ReadProbe.#open.get(file)?.refusal();
  }

  /** The system's error; undefined when catalogue and log can be read to their ends. */
  refusal(): unknown {
    if (performance.now() - this.#readAt < VERDICT_MS) return this.#refusal;
    this.#refusal = this.#read();
    this.#readAt = performance.now();
    return this.#refusal;
  }

  /** Call it after a connection was closed: closing any descriptor of the catalogue ends SQLite's locks on it. */
  close(): void {
    if (--this.#connections > 0) return;
    ReadProbe.#open.delete(this.#file);
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }

  #read(): unknown {
    try {
      this.#handle ??= openSync(this.#file, 'r');
      readToEnd(this.#handle);
      // SQLite's locks are not on the log, which lies beside the catalogue, not beside a symbolic link to it.
      const log = openSync(`${realpathSync(this.#file)}-wal`, 'r');
      try {
        readToEnd(log);
      } finally {
        closeSync(log);
      }
    } catch (cause) {
      if (codeOf(cause) !== 'ENOENT') return cause;
    }
    return undefined;
  }
}

function readToEnd(file: number): void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = 0; ; ) {
    const length = readSync(file, chunk, 0, CHUNK_BYTES, at);
    if (length === 0) return;
    at += length;
  }
}
