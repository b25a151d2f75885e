import { checkInteger } from '../options.js';
import type { FileRecord } from '../store/record.js';
import type { MatchClass } from './same-part/compare-part.js';
import { parseTolerance, type Tolerance } from './tolerance.js';

/** A search input: a file of the company by its UID, or bytes that are read for this search and kept nowhere. */
export type SearchInput = { readonly uid: string } | { readonly bytes: Uint8Array; readonly extension: string };

/** What to search for. */
export interface SearchQuery {
  /** What the files shall be like; several inputs are taken as views or versions of one part: distances are averaged. */
  readonly like: SearchInput | readonly SearchInput[];
  /** Most hits to return, 1 to 10 000. Default 20. */
  readonly limit?: number;
  /** Hits to pass over, 0 and more. Default 0. Pages of one query never overlap. */
  readonly offset?: number;
  /** Only files with these UIDs; unknown ones are passed over. */
  readonly within?: readonly string[];
  /** Volume tolerance about the input's volume: `.1`, `+.2`, `-.5`, `+0.3/-0.4`. */
  readonly volume?: string;
  /** The same for the volume of the smallest box. */
  readonly bboxVolume?: string;
  /** The same for the surface area. */
  readonly surfaceArea?: string;
  /** Ends the reading of inputs given as bytes. */
  readonly signal?: AbortSignal;
}

/** A found file. */
export interface SearchHit extends Pick<FileRecord, 'uid' | 'path' | 'displayName' | 'attributes'> {
  /** 0 and more; lower is nearer; 0 for the same bytes. `identical` up to 0.01, `mirrored` 0.02, `scaled` 0.03 to 0.04,
   * `similar` from 0.05; unrelated parts about 1 and more. */
  readonly score: number;
  /** 0 to 100 for people: 100 / (1 + (score / 0.6)²). */
  readonly similarity: number;
  readonly matchClass: MatchClass;
  /**
   * f64[16], column-major: carries the query's input onto the hit, mm; for identical, mirrored and scaled alone.
   * Of several inputs, the first one's.
   */
  readonly transform?: Float64Array;
  /** Largest distance found between the two surfaces after the transform, mm; with the transform. */
  readonly maxDeviationMm?: number;
  /** The hit's size by the query's; for `scaled` alone. 25.4 is an inch read as a millimetre. */
  readonly scale?: number;
  readonly volumeMm3: number;
  /** Volume of the smallest box in any orientation. */
  readonly bboxVolumeMm3: number;
  readonly bboxSizeMm: readonly [number, number, number];
  readonly surfaceAreaMm2: number;
}

/** What the engine found in an input. */
export interface SearchInputFigures {
  /** The input's UID where it is a file of the company. */
  readonly uid?: string;
  readonly volumeMm3: number;
  readonly bboxVolumeMm3: number;
  readonly bboxSizeMm: readonly [number, number, number];
  readonly surfaceAreaMm2: number;
}

/** What was found. */
export interface SearchResult {
  /** By rising score, ties by UID. */
  readonly hits: readonly SearchHit[];
  /** Files that pass the filters, before limit and offset. */
  readonly total: number;
  readonly inputs: readonly SearchInputFigures[];
  readonly elapsedMs: number;
}

/** A query with its defaults filled in and its texts parsed. */
export interface CheckedQuery {
  readonly like: readonly SearchInput[];
  readonly limit: number;
  readonly offset: number;
  readonly within: readonly string[] | undefined;
  readonly volume: Tolerance | undefined;
  readonly bboxVolume: Tolerance | undefined;
  readonly surfaceArea: Tolerance | undefined;
  readonly signal: AbortSignal | undefined;
}

const KEYS: readonly string[] = ['like', 'limit', 'offset', 'within', 'volume', 'bboxVolume', 'surfaceArea', 'signal'];
const MOST_INPUTS = 10;
const MOST_HITS = 10_000;

/** @throws TypeError or RangeError that names a wrong option; EngineError `QUERY_INVALID` for a bad tolerance. */
export function checkQuery(query: SearchQuery): CheckedQuery {
  if (typeof query !== 'object' || query === null) throw new TypeError(`query must be an object, received ${String(query)}`);
  const unknown = Object.keys(query).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw new TypeError(`query.${unknown} is not an option; known are ${KEYS.join(', ')}`);
  const like: readonly SearchInput[] = Array.isArray(query.like) ? query.like : [query.like as SearchInput];
  if (like.length === 0 || like.length > MOST_INPUTS) throw new RangeError(`query.like must hold 1 to ${MOST_INPUTS} inputs, received ${like.length}`);
  like.forEach((input) => checkInput('query.like', input));
  if (query.within !== undefined && !(Array.isArray(query.within) && query.within.every((uid) => typeof uid === 'string'))) {
    throw new TypeError('query.within must be a list of UIDs');
  }
  if (query.signal !== undefined && !(query.signal instanceof AbortSignal)) {
    throw new TypeError(`query.signal must be an AbortSignal, received ${String(query.signal)}`);
  }
  const { limit = 20, offset = 0 } = query;
  checkInteger('query.limit', limit, 1, MOST_HITS);
  checkInteger('query.offset', offset, 0);
  return {
    like,
    limit,
    offset,
    within: query.within,
    volume: tolerance('volume', query.volume),
    bboxVolume: tolerance('bboxVolume', query.bboxVolume),
    surfaceArea: tolerance('surfaceArea', query.surfaceArea),
    signal: query.signal,
  };
}

/** @throws TypeError that names `what`, unless the input is one. */
export function checkInput(what: string, input: unknown): void {
  const given = input as { uid?: unknown; bytes?: unknown; extension?: unknown } | null | undefined;
  if (typeof given === 'object' && given !== null) {
    if (typeof given.uid === 'string') return;
    if (given.bytes instanceof Uint8Array && typeof given.extension === 'string') return;
  }
  throw new TypeError(`${what} must be { uid } or { bytes: Uint8Array, extension: string }`);
}

function tolerance(name: string, text: string | undefined): Tolerance | undefined {
  if (text === undefined) return undefined;
  if (typeof text !== 'string') throw new TypeError(`query.${name} must be a text like '.1', received ${String(text)}`);
  return parseTolerance(name, text);
}
