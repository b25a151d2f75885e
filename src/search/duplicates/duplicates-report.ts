import type { FileKind, FileState } from '../../store/catalog/record.js';

/**
 * How the files of a group are the same, the strongest first:
 * - `bytes`: byte for byte, files of every kind;
 * - `identical`: the same part, however it is turned, placed, exported or meshed; the same drawing, saved anew;
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

/** Default of `near` when `classes` holds 'near': roughly cut or rounded copies have lower scores. */
export const DEFAULT_NEAR_SCORE = 0.2;

/** Which duplicates to find. */
export interface DuplicatesOptions {
  /**
   * Default: 'bytes', 'identical', 'mirrored' and 'scaled', and 'near' where `near` is given. With 'bytes' alone no
   * parts are compared.
   */
  readonly classes?: readonly DuplicateClass[];
  /**
   * Largest score of near parts, as a search with one of them gives for the other. 0 to 1; default {@link
   * DEFAULT_NEAR_SCORE}.
   */
  readonly near?: number;
  /** False: without groups for which the file to keep was decided. Default true. */
  readonly settled?: boolean;
  /** Called with the progress every 64 files. */
  readonly onProgress?: (progress: DuplicatesProgress) => void;
  /** Stops the work with `ABORTED`. Finished comparisons are stored, so the next call continues from there. */
  readonly signal?: AbortSignal;
}

/** Progress of the search for duplicates. */
export interface DuplicatesProgress {
  /** 'compare': files are compared with those before them. 'near': a search runs for each part. */
  readonly phase: 'compare' | 'near';
  /** Files or parts done, of `total`. */
  readonly done: number;
  readonly total: number;
  /** Pairs compared in this call, and pairs known from an earlier one. */
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
  /** Null unless the file is an indexed model. */
  readonly volumeMm3: number | null;
  readonly surfaceAreaMm2: number | null;
  /** Edges of the smallest box in any orientation, falling. */
  readonly bboxSizeMm: readonly [number, number, number] | null;
  /** Its relation to the first file of the group; null for the first file. */
  readonly matchClass: DuplicateClass | null;
  /**
   * As in a search with the first file: 0 for the same bytes, to 0.01 `identical`, 0.02 `mirrored`, to 0.04 `scaled`,
   * from 0.05 `near`.
   */
  readonly score: number;
  /**
   * 16 numbers, column-major: transforms the first file's model onto this one, mm. Null for `near` and for files that
   * are not models.
   */
  readonly transform: readonly number[] | null;
  /**
   * Largest and mean distance of the checked points from the other surface after the transform, mm; null without
   * transform.
   */
  readonly maxDeviationMm: number | null;
  readonly meanDeviationMm: number | null;
  /** Its size divided by the first file's; 1 unless `scaled`. */
  readonly scale: number;
  /**
   * Of the same drawing in other bytes, where it stands otherwise on its paper than the first one: its size over that
   * one's (null where they are not both to scale), the same in shares of their pages, and both in words: `drawn ×2
   * larger`, `on larger paper`, `×1.41 smaller on its page`. Otherwise null.
   */
  readonly drawn: { readonly scale: number | null; readonly onPage: number; readonly text: string } | null;
  /**
   * In groups of `mirrored`, `scaled` and `near`, which hold one file of each part: the number of other files with the
   * same part. Otherwise 0.
   */
  readonly copies: number;
}

/** A group of duplicates. */
export interface DuplicateGroup {
  /** The class and the UID of the first file; stable while that file stays first. */
  readonly id: string;
  /** The weakest of its members' classes. */
  readonly matchClass: DuplicateClass;
  /**
   * Two or more. The others are compared with the first: the first by path, or for `near` the one with the most similar
   * parts.
   */
  readonly members: readonly DuplicateMember[];
  /** UID of the file to keep, by the last decision about a member; null without a decision. */
  readonly keep: string | null;
  /** Whether the file to keep was decided and no file of the group was added or changed since. */
  readonly settled: boolean;
  /** Bytes of all files except the one to keep (without a decision, the first). */
  readonly spareBytes: number;
}

/** The result of a search for duplicates. */
export interface DuplicatesReport {
  /** By class; groups of the same bytes by their spare bytes, most first; then by the path of the first file. */
  readonly groups: readonly DuplicateGroup[];
  /** Files considered (all except empty ones), and those of them with a shape to compare. */
  readonly files: number;
  readonly parts: number;
  /** Pairs compared in this call, and pairs known from an earlier one. */
  readonly compared: number;
  readonly remembered: number;
  readonly elapsedMs: number;
}
