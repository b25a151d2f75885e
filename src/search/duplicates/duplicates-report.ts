import type { FileKind, FileState } from '../../store/catalog/record.js';

/**
 * How the files of a group are the same, the strongest first:
 * - `bytes`: byte for byte, files of every kind;
 * - `identical`: the same part, however it is turned, placed, exported or meshed;
 * - `mirrored`: its mirror image;
 * - `scaled`: the same shape, or its mirror image, in another size;
 * - `near`: merely alike, by their score in a search.
 */
export type DuplicateClass = 'bytes' | 'identical' | 'mirrored' | 'scaled' | 'near';

/** The classes, the strongest first. */
export const DUPLICATE_CLASSES: readonly DuplicateClass[] = Object.freeze([
  'bytes',
  'identical',
  'mirrored',
  'scaled',
  'near',
] as const);

/** Score up to which parts are near where `classes` holds 'near' and no score is given: copies that were cut or rounded roughly are below it. */
export const DEFAULT_NEAR_SCORE = 0.12;

/** Which duplicates are looked for. */
export interface DuplicatesOptions {
  /** Default: 'bytes', 'identical', 'mirrored' and 'scaled', and 'near' where `near` is given. With 'bytes' alone no parts are compared. */
  readonly classes?: readonly DuplicateClass[];
  /** Parts up to this score are near, as a search with one of them gives it for the other. From 0 to 1; default {@link DEFAULT_NEAR_SCORE}. */
  readonly near?: number;
  /** False: without the groups of which it is decided already which file to keep. Default true. */
  readonly settled?: boolean;
  /** Told now and then how far the work is. */
  readonly onProgress?: (progress: DuplicatesProgress) => void;
  /** Ends the work with `ABORTED`. What was compared stays known: the next call goes on from there. */
  readonly signal?: AbortSignal;
}

/** How far the search for duplicates is. */
export interface DuplicatesProgress {
  /** 'compare': files are laid on those before them. 'near': parts are searched with. */
  readonly phase: 'compare' | 'near';
  /** Of `total` files or parts. */
  readonly done: number;
  readonly total: number;
  /** Pairs compared now, and pairs that were known from an earlier call. */
  readonly compared: number;
  readonly remembered: number;
}

/** A file of a group. */
export interface DuplicateMember {
  readonly uid: string;
  readonly path: string;
  readonly kind: FileKind;
  readonly state: FileState;
  readonly byteLength: number;
  readonly sha256: string;
  readonly addedAt: Date;
  /** Null for files that are no indexed models. */
  readonly volumeMm3: number | null;
  readonly surfaceAreaMm2: number | null;
  /** Edges of the smallest box in any orientation, falling. */
  readonly bboxSizeMm: readonly [number, number, number] | null;
  /** What it is to the first file of the group; null for that one. */
  readonly matchClass: DuplicateClass | null;
  /** As in a search with the first file: 0 for the same bytes, to 0.01 `identical`, 0.02 `mirrored`, to 0.04 `scaled`, from 0.05 `near`. */
  readonly score: number;
  /** 16 numbers, column-major: carries the first file's model onto this one, mm. Null for `near` and for files that are no models. */
  readonly transform: readonly number[] | null;
  /** Largest and mean distance of the checked points from the other surface after the transform, mm; null without transform. */
  readonly maxDeviationMm: number | null;
  readonly meanDeviationMm: number | null;
  /** Its size by the first file's; 1 unless `scaled`. */
  readonly scale: number;
  /** In groups of `mirrored`, `scaled` and `near`, which show one file of each part: how many others hold the same part. Else 0. */
  readonly copies: number;
}

/** Files that are the same in one way. */
export interface DuplicateGroup {
  /** The class and the UID of the first file: the same as long as that file leads the group. */
  readonly id: string;
  /** The weakest of its members' classes. */
  readonly matchClass: DuplicateClass;
  /** Two and more. The first is the one that the others are compared with: the first by path, or of `near` the one with the most others. */
  readonly members: readonly DuplicateMember[];
  /** UID of the file that is to be kept, by the last decision about a member; null when none was made. */
  readonly keep: string | null;
  /** It is decided which one to keep, and no file of the group arrived or was changed since. */
  readonly settled: boolean;
  /** Bytes of all files but the one to be kept (else the first). */
  readonly spareBytes: number;
}

/** What was found. */
export interface DuplicatesReport {
  /** By class; those of the same bytes by the bytes to spare, most first; then by the path of the first file. */
  readonly groups: readonly DuplicateGroup[];
  /** Files looked at (all but empty ones), and those among them that have a shape to compare. */
  readonly files: number;
  readonly parts: number;
  /** Pairs compared now, and pairs that were known from an earlier call. */
  readonly compared: number;
  readonly remembered: number;
  readonly elapsedMs: number;
}
