import { IdMarks } from '../../store/database/id-marks.js';
import type { CacheFile } from '../../store/disk/cache-file.js';

/** Raised when the body or its facts change. */
const FORMAT = 1;

/** What is known of frequent words, for the next process that opens the library. */
export interface KnownWords {
  /** Number of files of the company when the frequent words were chosen. */
  readonly sampledAt: number;
  /** The words that are listed ahead, the most frequent last. */
  readonly frequent: readonly string[];
  /** The files of each word that is kept. */
  readonly words: readonly (readonly [word: string, marks: IdMarks])[];
}

/**
 * Keeps the files of frequent words, true for one state of the catalogue. Derived: a cache that is damaged, of another
 * version or another state reads as absent.
 */
export async function keepWords(cacheFile: CacheFile, state: string, known: KnownWords): Promise<void> {
  const { sampledAt, frequent } = known;
  const words = known.words.map(([word, { bits }]) => [word, bits.length] as const);
  async function* pages(): AsyncGenerator<Uint8Array, void, void> {
    for (const [, { bits }] of known.words) yield new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength);
  }
  await cacheFile.writePages({ format: FORMAT, state, sampledAt, frequent, words }, pages());
}

/** What {@link keepWords} kept for this state; undefined without such a cache. */
export async function readKeptWords(cacheFile: CacheFile, state: string): Promise<KnownWords | undefined> {
  const found = await cacheFile.readBytes();
  if (found === undefined || !isOf(found.facts, state)) return undefined;
  const { sampledAt, frequent, words } = found.facts as unknown as KeptFacts;
  // A copy, so that its start is aligned.
  const bits = new Uint32Array(new Uint8Array(found.body).buffer);
  let at = 0;
  return {
    sampledAt,
    frequent,
    words: words.map(([word, length]) => [word, IdMarks.of(bits.slice(at, (at += length)))]),
  };
}

/** Says that what was kept for one state is true for another. False: nothing is kept for it. */
export async function renewKeptWords(cacheFile: CacheFile, before: string, now: string): Promise<boolean> {
  return cacheFile.relabel(
    (facts) => isOf(facts, before),
    (facts) => ({ ...facts, state: now }),
  );
}

interface KeptFacts {
  readonly sampledAt: number;
  readonly frequent: readonly string[];
  readonly words: readonly (readonly [word: string, length: number])[];
}

function isOf(facts: Readonly<Record<string, unknown>>, state: string): boolean {
  return facts.format === FORMAT && facts.state === state;
}
