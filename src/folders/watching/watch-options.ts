import type { Defaults, Filled } from '../../options.js';
import type { FileError, FileRecord } from '../../store/catalog/record.js';
import { FILE_EXTENSIONS } from '../folder.js';

/** How a folder is watched. */
export interface WatchFolderOptions {
  /** Ends the watching; it then returns. What is being indexed goes on when the library is opened again. */
  readonly signal?: AbortSignal;
  /** Which files to take, with their dots. Default {@link FILE_EXTENSIONS}. */
  readonly extensions?: readonly string[];
  /** Given to every file that is put. */
  readonly attributes?: readonly string[];
  /** Put before every path, as a folder. Default ''. */
  readonly prefix?: string;
  /** True: what is removed from the folder is removed from the library, too. Default false: the library keeps it. */
  readonly delete?: boolean;
  /** True: look every `pollMs` instead of asking the system to tell; for network folders. Default false. */
  readonly poll?: boolean;
  /** Time between two looks at the whole folder where the system does not tell what changes, ms. Default 5 000. */
  readonly pollMs?: number;
  /** The same where it does tell, in case it missed something, ms. Default 300 000. */
  readonly rescanMs?: number;
  /** A file is taken when its size and time have stayed the same for so long, ms. Default 2 000. */
  readonly settleMs?: number;
  /** Time until a file that could not be read is tried again, ms; twice as long each time. Default 5 000. */
  readonly retryMs?: number;
  /** The longest such time, ms. Default 600 000. */
  readonly retryMostMs?: number;
  /** As `PutFolderOptions` have it: links that lead out of the folder are followed. Default false. */
  readonly followLinks?: boolean;
  /** Files on their way at a time. Default 16. */
  readonly inFlight?: number;
}

/** Defaults of {@link WatchFolderOptions}. */
export const WATCH_DEFAULTS = Object.freeze({
  signal: undefined,
  extensions: FILE_EXTENSIONS,
  attributes: undefined,
  prefix: '',
  delete: false,
  poll: false,
  pollMs: 5_000,
  rescanMs: 300_000,
  settleMs: 2_000,
  retryMs: 5_000,
  retryMostMs: 600_000,
  followLinks: false,
  inFlight: 16,
} satisfies Defaults<WatchFolderOptions>);

/** {@link WatchFolderOptions} that were checked. */
export type CheckedWatchOptions = Filled<WatchFolderOptions, typeof WATCH_DEFAULTS>;

/** The same with the signal that ends the following. */
export type FollowOptions = CheckedWatchOptions & { readonly signal: AbortSignal };

/** How changes are noticed: the system tells, or the folder is looked at again and again. */
export type WatchMethod = 'events' | 'polling';

/** What happened in a watched folder. Paths are those in the library. */
export type WatchEvent =
  /**
   * All that was there at the beginning is dealt with; `unchanged` of the `files` were known. `failing`: those that
   * wait to be tried again. `outsideLinks`: links that lead out of the folder and are not followed; each is told as
   * failed, too, with `NOT_ALLOWED`.
   */
  | {
      readonly event: 'ready';
      readonly method: WatchMethod;
      readonly files: number;
      readonly unchanged: number;
      readonly failing: number;
      readonly outsideLinks: number;
    }
  /** A file is stored and indexed, for the first time or with new bytes. */
  | { readonly event: 'added' | 'changed'; readonly path: string; readonly record: FileRecord }
  /** The same bytes lie under another path: the record has it, and keeps its UID. */
  | { readonly event: 'moved'; readonly path: string; readonly from: string; readonly record: FileRecord }
  /** A file is gone from the folder; `deleted`: from the library, too. */
  | { readonly event: 'removed'; readonly path: string; readonly uid: string; readonly deleted: boolean }
  /**
   * A file (or folder; '' is the watched one) cannot be read, stored or indexed. It is tried again at `retryAt`; null:
   * when it changes. `attempt`: how often it was tried as it is, from 1.
   */
  | {
      readonly event: 'failed';
      readonly path: string;
      readonly error: FileError;
      readonly attempt: number;
      readonly retryAt: Date | null;
    }
  /** The system tells no more of changes, and why; from now on the folder is looked at every `pollMs`. */
  | { readonly event: 'polling'; readonly reason: string };
