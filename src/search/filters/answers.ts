import type { ChangeDoor } from '../../store/catalogue.js';
import { subtract } from '../../store/database/id-lists.js';
import type { Condition } from './condition.js';
import { union } from './id-set.js';

/** Most cached answers, and most bytes of their ids and keys together, or of eight as long as the longest. */
const KEPT_ANSWERS = 1_000;
const KEPT_BYTES = 8_000_000;
const KEPT_LONGEST = 8;
/**
 * An answer is updated file by file while that is cheaper: checking a file takes about 15 µs, an id of a new answer
 * 0.1.
 */
const LEAST_CHECKED = 16;
const IDS_PER_CHECKED = 128;

interface Answer {
  readonly ids: Uint32Array;
  readonly mark: number;
}

/**
 * Caches the files that conditions match, because queries repeat: the next page, the next part with the same filter.
 * After changes an answer is updated for the changed files, so that it always equals what the catalogue would give. The
 * least recently used answers are dropped first.
 */
export class Answers {
  readonly #changes: ChangeDoor;
  readonly #answers = new Map<string, Answer>();
  #keptBytes = 0;
  #longestBytes = 0;

  constructor(changes: ChangeDoor) {
    this.#changes = changes;
  }

  /** The condition with a cached answer. key: unique among the company's conditions. */
  keeping(key: string, condition: Condition): Condition {
    const { bound, ...others } = condition;
    return {
      ...others,
      estimate: async () => this.#answers.get(key)?.ids.length ?? condition.estimate(),
      ...(bound === undefined || this.#answers.has(key) ? {} : { bound }),
      ids: () => this.#ids(key, condition),
    };
  }

  async #ids(key: string, condition: Condition): Promise<Uint32Array> {
    const known = this.#answers.get(key);
    // Asked before the files are read: what changes meanwhile is checked again next time.
    const { mark, fileIds: changed } = await this.#changes.since(known?.mark);
    const ids =
      (known && changed && (await updated(known.ids, Uint32Array.from(changed), condition))) ?? (await condition.ids());
    const newer = this.#answers.get(key);
    if (newer !== undefined && newer.mark > mark) return ids;
    this.#forget(key);
    this.#answers.set(key, { ids, mark });
    this.#keptBytes += bytesOf(key, ids);
    this.#longestBytes = Math.max(this.#longestBytes, ids.byteLength);
    const most = Math.max(KEPT_BYTES, KEPT_LONGEST * this.#longestBytes);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= KEPT_ANSWERS && this.#keptBytes <= most) break;
      this.#forget(oldest);
    }
    return ids;
  }

  #forget(key: string): void {
    const known = this.#answers.get(key);
    if (known === undefined) return;
    this.#keptBytes -= bytesOf(key, known.ids);
    this.#answers.delete(key);
  }
}

function bytesOf(key: string, ids: Uint32Array): number {
  return 2 * key.length + ids.byteLength;
}

/** The ids updated for the changed files (rising); undefined when a new query is cheaper. */
async function updated(ids: Uint32Array, changed: Uint32Array, condition: Condition): Promise<Uint32Array | undefined> {
  if (changed.length === 0) return ids;
  if (changed.length > Math.max(LEAST_CHECKED, ids.length / IDS_PER_CHECKED)) return undefined;
  return union(subtract(ids, changed), await condition.those(changed));
}
