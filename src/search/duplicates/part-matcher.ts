import { createHash } from 'node:crypto';
import type { Core } from '../../core/core.js';
import { decodeSurface, readSurfaceFacts, type SurfaceFacts } from '../../descriptors/surface.js';
import { storedJson } from '../../store/database/stored-json.js';
import type { ComparedPair } from '../../store/catalog/duplicate-records.js';
import type { Store } from '../../store/store.js';
import type { DrawnAnew } from './drawn-anew.js';
import type { MatchClass } from '../query/match-class.js';
import { COMPARISON_VERSION, comparePart, type PartMatch } from '../shapes/same-part/compare-part.js';
import { gate, measuresApart } from '../shapes/same-part/gate.js';
import { PartSurface } from '../shapes/same-part/part-surface.js';

/** Most triangles of cached decoded surfaces, about a hundred bytes each. */
const KEPT_TRIANGLES = 500_000;
/** Surfaces read at a time: the finest have 0.4 MB. */
const READ_AT_A_TIME = 16;
/** Comparisons that are stored in one transaction. */
const WRITE_AFTER = 32;

/** What {@link PartMatcher} needs. */
export interface MatcherParts {
  readonly store: Store;
  readonly core: Core;
  /** Awaited before each comparison, which takes milliseconds; may reject to stop the work. */
  readonly turn: () => Promise<void>;
}

/** A part to compare. */
export interface MatcherPart {
  readonly fileId: number;
}

/** The stored relation of one part to another. */
export interface Match {
  readonly matchClass: MatchClass;
  readonly transform: readonly number[] | null;
  readonly maxDeviationMm: number | null;
  readonly meanDeviationMm: number | null;
  readonly scale: number;
  /** Of a drawing that is the same as the first one of its set, in other bytes. */
  readonly drawn?: DrawnAnew;
}

/** Facts of a stored surface. */
interface Known {
  readonly facts: SurfaceFacts;
  /** Fingerprint of the stored bytes. */
  readonly print: string;
}

const SIMILAR: Match = Object.freeze({
  matchClass: 'similar',
  transform: null,
  maxDeviationMm: null,
  meanDeviationMm: null,
  scale: 1,
});
const IDENTITY: readonly number[] = Object.freeze(Array.from({ length: 16 }, (_, i) => (i % 5 === 0 ? 1 : 0)));
/** The relation of a part to itself. */
export const ITSELF: Match = Object.freeze({
  matchClass: 'identical',
  transform: IDENTITY,
  maxDeviationMm: 0,
  meanDeviationMm: 0,
  scale: 1,
});

/** The relation of a drawing to the same one in a file of other bytes. */
export function savedAnewAs(drawn: DrawnAnew): Match {
  return {
    matchClass: 'identical',
    transform: null,
    maxDeviationMm: null,
    meanDeviationMm: null,
    scale: 1,
    drawn,
  };
}

/** Compares stored parts and stores the results in the catalogue. */
export class PartMatcher {
  readonly #parts: MatcherParts;
  readonly #known = new Map<number, Known | undefined>();
  /** Cached surfaces, the most recently used last. */
  readonly #surfaces = new Map<number, PartSurface>();
  #triangles = 0;
  #unwritten: ComparedPair[] = [];
  /** Pairs compared by this object, and pairs whose result was stored. */
  compared = 0;
  remembered = 0;

  constructor(parts: MatcherParts) {
    this.#parts = parts;
  }

  /**
   * Difference of the measures of a part and each of others; undefined for those that cannot be the same part in any
   * size.
   */
  async apart(part: MatcherPart, others: readonly MatcherPart[]): Promise<(number | undefined)[]> {
    await this.#know([part, ...others]);
    const own = this.#known.get(part.fileId);
    return others.map(({ fileId }) => {
      const other = this.#known.get(fileId);
      if (own === undefined || other === undefined) return undefined;
      const { sameSize, scaled } = gate(other.facts, own.facts);
      return sameSize || scaled ? measuresApart(other.facts, own.facts) : undefined;
    });
  }

  /** The relation of `b` to `a`. */
  async match(a: MatcherPart, b: MatcherPart): Promise<Match> {
    await this.#know([a, b]);
    const first = this.#known.get(a.fileId),
      second = this.#known.get(b.fileId);
    if (first === undefined || second === undefined) return SIMILAR;
    if (first.print === second.print) return ITSELF;
    const pair = {
      firstId: a.fileId,
      secondId: b.fileId,
      version: COMPARISON_VERSION,
      prints: `${first.print} ${second.print}`,
    };
    const before = await this.#parts.store.duplicates.pair(pair);
    if (before !== undefined) {
      this.remembered++;
      return storedJson<Match>(before, 'a comparison of two parts');
    }
    await this.#parts.turn();
    const [surfaceA, surfaceB] = await Promise.all([this.#surface(a), this.#surface(b)]);
    // A file was indexed again meanwhile; the next search for duplicates compares its new surface.
    if (surfaceA === undefined || surfaceB === undefined) return SIMILAR;
    const match = matchOf(comparePart(this.#parts.core, surfaceA, surfaceB));
    this.compared++;
    this.#unwritten.push({ ...pair, match: JSON.stringify(match) });
    if (this.#unwritten.length >= WRITE_AFTER) await this.write();
    return match;
  }

  /** Stores the results that are not stored yet. */
  async write(): Promise<void> {
    const pairs = this.#unwritten;
    this.#unwritten = [];
    const { store } = this.#parts;
    if (pairs.length > 0) await store.duplicates.putPairs(pairs);
  }

  /** Reads the facts of the parts that are not known yet. */
  async #know(parts: readonly MatcherPart[]): Promise<void> {
    const missing = parts.map(({ fileId }) => fileId).filter((fileId) => !this.#known.has(fileId));
    for (let first = 0; first < missing.length; first += READ_AT_A_TIME) {
      const block = missing.slice(first, first + READ_AT_A_TIME);
      const surfaces = await this.#parts.store.shapes.descriptors('surface', block);
      surfaces.forEach((stored, i) =>
        this.#known.set(block[i], stored && { facts: readSurfaceFacts(stored), print: printOf(stored) }),
      );
    }
  }

  /** Undefined when the stored surface was deleted or differs from the one whose facts were read. */
  async #surface({ fileId }: MatcherPart): Promise<PartSurface | undefined> {
    let surface = this.#surfaces.get(fileId);
    if (surface === undefined) {
      const [stored] = await this.#parts.store.shapes.descriptors('surface', [fileId]);
      if (stored === undefined || printOf(stored) !== this.#known.get(fileId)?.print) return undefined;
      surface = new PartSurface(decodeSurface(stored));
      this.#triangles += surface.facts.triangleCount;
    }
    this.#surfaces.delete(fileId);
    this.#surfaces.set(fileId, surface);
    for (const [oldest, { facts }] of this.#surfaces) {
      // The two surfaces under comparison stay cached.
      if (this.#triangles <= KEPT_TRIANGLES || this.#surfaces.size <= 2) break;
      this.#surfaces.delete(oldest);
      this.#triangles -= facts.triangleCount;
    }
    return surface;
  }
}

function printOf(stored: Uint8Array): string {
  return createHash('sha256').update(stored).digest('hex').slice(0, 16);
}

function matchOf({ matchClass, transform, maxDeviationMm, meanDeviationMm, scale }: PartMatch): Match {
  if (matchClass === 'similar' || transform === undefined) return SIMILAR;
  return { matchClass, transform: [...transform], maxDeviationMm, meanDeviationMm, scale };
}
