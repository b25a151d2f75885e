import type { Core } from '../../core/core.js';
import type { ShapeDescription } from '../../descriptors/description.js';
import type { Store } from '../../store/store.js';
import type { ShapeQuery } from '../query/inputs.js';
import type { TableFailed } from '../usable-table.js';
import type { Known, Sizes } from './shape-table.js';
import type { SizeTolerances } from './size-tolerances.js';

/** What a company's search by shape needs. */
export interface ShapeSearchParts {
  readonly store: Store;
  readonly companyId: number;
  readonly core: Core;
  /** Largest number of files at which every search scans all compact vectors. */
  readonly exactLimit: number;
  /** Memory for cached fine descriptors, bytes. */
  readonly fineBytesKept: number;
  /** Memory for what the search may hold now, bytes; beyond it, it asks the database. Absent: no bound. */
  readonly room?: () => number;
  /** Called when a table of vectors cannot be used any more: until it is opened anew, searches ask the catalogue. */
  readonly onTableFailed?: TableFailed;
  /** False: the bytes of a row's file are not those of the shape alone. Default true. */
  readonly hasOwnBytes?: boolean;
  /** Aborts when searches under way are to end with `ENGINE_CLOSED`, before the search itself is closed. */
  readonly closing?: AbortSignal;
}

/** A shape as it is put. */
export type PutShape = Sizes & { readonly descriptors: Pick<ShapeDescription['descriptors'], 'compact'> };

/** Which files a {@link ShapeSet} looks among. */
export interface Among {
  /** Rising, all with a shape; undefined: all. */
  readonly allowed: Uint32Array | undefined;
  /** Ids of all shapes, rising. */
  readonly all: () => Uint32Array;
  /** Whether a file has a shape now. */
  readonly has: (fileId: number) => boolean;
  /** Lets the event loop run; rejects to end the search. */
  readonly turn: () => Promise<void>;
}

/**
 * Facts and compact vectors of the shapes of a company: in memory ({@link HeldShapes}) or in the database
 * ({@link AskedShapes}). Both give the same answers.
 */
export interface ShapeSet {
  /** Memory that it takes for so many shapes, about, bytes. */
  bytesOf(shapes: number): number;
  put(fileId: number, uid: string, shape: PutShape): void;
  /** Of a file that is held. */
  remove(fileId: number): void;
  /** Those of these files (rising) whose sizes are within all tolerances of one of the inputs. */
  within(queries: readonly ShapeQuery[], tolerances: SizeTolerances, fileIds: Uint32Array): Promise<Uint32Array>;
  /**
   * The `count` files with the nearest compact vectors, nearest first; with several inputs, by the nearest of them.
   * Equal distances are ordered by UID, so that the same files give the same list in whatever order they arrived.
   */
  nearest(queries: readonly Pick<ShapeQuery, 'compact'>[], count: number, among: Among): Promise<number[]>;
  /** What is known of these files; those that are gone are left out. */
  known(fileIds: readonly number[]): Promise<ReadonlyMap<number, Known>>;
  close(): Promise<void>;
}
