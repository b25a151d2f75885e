/** What a person has decided about files that seem to be the same. */
export interface DuplicateDecision {
  /** Never used again. */
  readonly id: number;
  /** 'different': the two files are not shown as the same. 'keep': of a group with this file, this is the one to be kept. */
  readonly kind: 'different' | 'keep';
  /** UIDs, lower case: two files, rising; or the one that is kept. */
  readonly uids: readonly string[];
  /** In which groups the file is to be kept: 'same' stands for `bytes` and `identical`. Null for 'different'. */
  readonly of: 'same' | 'mirrored' | 'scaled' | 'near' | null;
  readonly decidedAt: Date;
  /** Files that arrived later were not there when it was decided; see `FileRecord.arrival`. */
  readonly lastArrival: number;
}
