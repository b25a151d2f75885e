/** What a person has decided about files that seem to be the same. */
export interface DuplicateDecision {
  /** Ids are never reused. */
  readonly id: number;
  /** 'different': the two files are not shown as duplicates. 'keep': the file is the one of its group to keep. */
  readonly kind: 'different' | 'keep';
  /** UIDs, lower case: of the two files in ascending order, or of the file to keep. */
  readonly uids: readonly string[];
  /** In which groups the file is to be kept: 'same' stands for `bytes` and `identical`. Null for 'different'. */
  readonly of: 'same' | 'mirrored' | 'scaled' | 'near' | null;
  readonly decidedAt: Date;
  /** Files with a greater `FileRecord.arrival` were added after the decision. */
  readonly lastArrival: number;
}
