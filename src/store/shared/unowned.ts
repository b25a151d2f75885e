import { isOutage, type Link } from './link.js';
import { noteOf } from './write-statements.js';

/**
 * Time for which bytes stay that no row names, ms: so long a put of equal bytes, in any process, has for its row. Also
 * longer than a replica that others' puts have not reached may lag.
 */
const GRACE_MS = 10 * 60_000;

/** Hashes looked at in one go. */
const AT_A_TIME = 1_000;

/** Pause before a note that the database could not take is tried again, ms. */
const RETRY_MS = 250;

/** How {@link Unowned} notes. */
interface Noting {
  /** Connection of the notes alone. */
  readonly puts: Link;
  /** Time for which a put's note waits for a database that cannot be reached, ms. */
  readonly outageMs: number;
  /** Whether the database takes no writes now, because it is a standby: then a note is refused at once. */
  readonly isStandby: () => boolean;
}

/** What tells whether bytes are named, and removes them. */
interface Bytes {
  readonly refers: (hash: string) => boolean;
  readonly remove: (hash: string) => Promise<void>;
}

/**
 * Hashes of bytes that may have no owner: each is noted before the bytes are kept, and by the statement that removes a
 * row that named them (`WrittenBatch.unnamed`). After a grace time somebody looks: what is named is forgotten, the rest
 * removed.
 */
export class Unowned {
  readonly #parts: Noting;
  readonly #graceMs: number;
  #noting: { readonly hashes: Set<string>; readonly done: Promise<void> } | undefined;
  #isEnded = false;

  constructor(parts: Noting, graceMs = GRACE_MS) {
    this.#parts = parts;
    this.#graceMs = graceMs;
  }

  /**
   * Starts the grace time of a hash anew. Waits while its bytes are being removed. What is noted while the statement
   * before runs goes to the database as one. In an outage it waits, as every write does, until {@link end}.
   * @throws EngineError `STORAGE_FAILED`, with `details.outage` when the database could not be reached for `outageMs`.
   */
  async note(hash: string): Promise<void> {
    const { outageMs, isStandby } = this.#parts;
    const until = performance.now() + outageMs;
    for (;;) {
      try {
        return await this.noteOnce(hash);
      } catch (cause) {
        if (!isOutage(cause) || this.#isEnded || isStandby() || performance.now() >= until) throw cause;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** From now on an outage ends what waits in {@link note}: the library closes. */
  end(): void {
    this.#isEnded = true;
  }

  /** {@link note} that rejects at once in an outage. */
  noteOnce(hash: string): Promise<void> {
    const { hashes, done } = (this.#noting ??= this.#next());
    hashes.add(hash);
    return done;
  }

  #next(): { readonly hashes: Set<string>; readonly done: Promise<void> } {
    const hashes = new Set<string>();
    const done = this.#parts.puts.inTurn(() => {
      this.#noting = undefined;
      return {
        text: NOTE,
        values: [[...hashes].sort()],
        name: 'note unowned',
      };
    });
    return { hashes, done: done.then(() => undefined) };
  }

  /** Looks at what was noted long ago. Call it when the replica holds everything; link: with no transaction open. */
  async look(link: Link, { refers, remove }: Bytes): Promise<void> {
    const old = await link.query<{ hash: string }>(
      `SELECT hash FROM shapedex.unowned WHERE since < ${AGO} ORDER BY since LIMIT ${AT_A_TIME}`,
      [this.#graceMs],
    );
    const hashes = old.map(({ hash }) => hash);
    await link.query(`DELETE FROM shapedex.unowned WHERE hash = ANY($2) AND since < ${AGO}`, [
      this.#graceMs,
      hashes.filter(refers),
    ]);
    for (const hash of hashes.filter((one) => !refers(one))) {
      await link.transaction('BEGIN', async () => {
        const found = await link.query(
          `SELECT 1 FROM shapedex.unowned WHERE hash = $2 AND since < ${AGO} FOR UPDATE SKIP LOCKED`,
          [this.#graceMs, hash],
        );
        if (found.length > 0 && !refers(hash)) {
          await remove(hash);
          await link.query('DELETE FROM shapedex.unowned WHERE hash = $1', [hash]);
        }
        await link.query('COMMIT');
      });
    }
  }
}

const NOTE = noteOf('$1::text[]');

const AGO = "now() - $1 * interval '1 millisecond'";
