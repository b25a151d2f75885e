/** A size that a drawing states, as far as it can be held against one of another drawing. */
export interface DrawnSize {
  readonly kind: 'length' | 'diameter' | 'radius' | 'thread';
  /** Its nominal size, mm; of a thread its diameter. */
  readonly sizeMm: number;
  /** The unit in which it is written. */
  readonly unit: 'mm' | 'in';
  /**
   * Half of the last decimal that is written, mm: sizes that differ by less may be the same in another unit. 0 for
   * whole numbers and fractions, which are what they say.
   */
  readonly slackMm: number;
  /** Of how many features. */
  readonly count: number;
  /** `M8x1.25`; of threads alone. */
  readonly thread?: string;
  /** Of threads alone, mm: of one that states none that of ISO 261, `M8` as `M8x1.25`. */
  readonly pitchMm?: number;
}

/** The sizes of a drawing. */
export interface DrawnSizes {
  readonly sizes: readonly DrawnSize[];
  /** Kinds of which some were read unsurely, or are no metric threads: nothing can be said of them. */
  readonly unsure: readonly DrawnSize['kind'][];
  /** Number of sizes that were not understood. */
  readonly unread: number;
}
