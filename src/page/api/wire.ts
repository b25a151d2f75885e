import type { Crop, FileRecord, SearchInputRecord, SearchQuery, SearchResult } from '../../index.js';

/** A type of the engine as it is after JSON: dates as ISO 8601 strings, typed arrays as arrays. */
export type Wire<T> = T extends Date
  ? string
  : T extends Float64Array | Float32Array | Uint32Array
    ? readonly number[]
    : T extends string | number | boolean | null | undefined
      ? T
      : T extends readonly unknown[]
        ? { readonly [Key in keyof T]: Wire<T[Key]> }
        : T extends object
          ? { readonly [Key in keyof T]: Wire<T[Key]> }
          : T;

export type WireRecord = Wire<FileRecord>;
export type WireInput = Wire<SearchInputRecord>;
export type WireResult = Wire<SearchResult>;
export type WireHit = WireResult['hits'][number];
/** A search query as sent to the server: inputs are given by UID. */
export type WireQuery = Omit<SearchQuery, 'signal' | 'like'> & {
  readonly like?: readonly { readonly uid: string; readonly crop?: Crop }[];
};
