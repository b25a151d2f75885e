// Stand-in until the lead's search is merged: exact scan over compact vectors.
import type { Core } from '../core/core.js';
import type { ShapeDescription } from '../descriptors/description.js';
import { EngineError } from '../errors.js';
import type { Store } from '../store/store.js';

/** A search input. */
export type SearchInput = { readonly uid: string } | { readonly bytes: Uint8Array; readonly extension: string };

/** What to search for. */
export interface SearchQuery {
  readonly like: SearchInput | readonly SearchInput[];
  readonly limit?: number;
}

/** A found file. */
export interface SearchHit {
  readonly uid: string;
  readonly path: string;
  readonly score: number;
}

/** What was found. */
export interface SearchResult {
  readonly hits: readonly SearchHit[];
  readonly total: number;
}

/** What the engine gives a company's search to work with. */
export interface SearchParts {
  readonly store: Store;
  readonly companyId: number;
  readonly core: Core;
  readonly describe: (bytes: Uint8Array, extension: string, signal?: AbortSignal) => Promise<ShapeDescription>;
}

/** The searchable shapes of one company. `add` and `remove` may come twice or for files that `open` has (not) seen. */
export class ShapeSearch {
  readonly #parts: SearchParts;
  readonly #vectors = new Map<number, Float32Array>();

  private constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  static async open(parts: SearchParts): Promise<ShapeSearch> {
    const search = new ShapeSearch(parts);
    for (const { fileId, compact } of parts.store.shapes.all(parts.companyId)) search.#vectors.set(fileId, vectorOf(compact));
    return search;
  }

  add(fileId: number, shape: ShapeDescription): void {
    this.#vectors.set(fileId, vectorOf(shape.descriptors.compact));
  }

  remove(fileId: number): void {
    this.#vectors.delete(fileId);
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    const { store, companyId, describe } = this.#parts;
    const input = (Array.isArray(query.like) ? query.like[0] : query.like) as SearchInput;
    let wanted: Float32Array | undefined;
    if ('uid' in input) {
      wanted = this.#vectors.get(store.files.row(companyId, input.uid).id);
      if (wanted === undefined) throw new EngineError('FILE_NOT_INDEXED', `${input.uid} is not indexed`);
    } else {
      wanted = vectorOf((await describe(input.bytes, input.extension)).descriptors.compact);
    }
    const scores = [...this.#vectors].map(([fileId, vector]) => ({ fileId, score: Math.hypot(...vector.map((v, i) => v - wanted[i])) }));
    scores.sort((a, b) => a.score - b.score || a.fileId - b.fileId);
    const hits: SearchHit[] = [];
    for (const { fileId, score } of scores.slice(0, query.limit ?? 20)) {
      const [shape] = store.shapes.some(companyId, [fileId]);
      if (shape !== undefined) hits.push({ uid: shape.uid, path: shape.path, score });
    }
    return { hits, total: scores.length };
  }

  async close(): Promise<void> {
    this.#vectors.clear();
  }
}

function vectorOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}
