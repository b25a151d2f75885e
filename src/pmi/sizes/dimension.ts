/** What a string on a drawing measures. */
export type DimensionKind =
  | 'length'
  | 'diameter'
  | 'radius'
  | 'angle'
  | 'chamfer'
  | 'thread'
  | 'square'
  | 'depth'
  | 'counterbore'
  | 'countersink'
  | 'arcLength';

/**
 * A further size behind the first one: the depth of a hole, the angle of a countersink, the other sides of something.
 */
export interface FurtherSize {
  readonly kind: DimensionKind;
  /** As written, with the words that belong to it: `DEEP 6.4`, `90°`, `30`. */
  readonly text: string;
  /** Degrees for angles. */
  readonly nominal: number;
  /** The tolerance of the string, where it stands behind this size and is its own: `⌀8 x 20 ±0.5`. */
  readonly tolerance?: { readonly upper: number; readonly lower: number };
}

/** A dimension as written: count, kind, nominal size, tolerance. */
export interface DimensionReading {
  readonly kind: DimensionKind;
  /** The string without its tolerance, with the signs of `plainSigns`: `4x ⌀6.60`, `(R5)`, `M3x6mm`. */
  readonly text: string;
  /** Tolerance strings as in {@link import('../pmi.js').TolerancedText}; empty without a tolerance. */
  readonly toleranceTexts: readonly string[];
  /** Number of features: 4 in `4x ⌀6.60` and in `⌀6.60 (4 holes)`. */
  readonly count: number;
  /** For a size given by its limits, the larger one. Degrees for angles. */
  readonly nominal: number;
  /**
   * Signed upper and lower deviation; for limits, relative to the nominal size. Absent without a tolerance, for
   * fits, and where it is that of an angle or of a further size behind it.
   */
  readonly tolerance?: { readonly upper: number; readonly lower: number };
  /** `H7`, `H7/g6`. */
  readonly fit?: string;
  /**
   * Whether the size itself says that it is in inches: `3 1/2"`, `5'-3"`, `1/4-20 UNC`, `.500 [12.7]`; false for
   * millimetres by a second size in inches: `12.7 [.500]`. Absent where it says neither.
   */
  readonly isInch?: boolean;
  /** What else `text` states; absent for nothing. */
  readonly further?: readonly FurtherSize[];
  /** In round brackets or marked REF: a reference dimension, stated elsewhere and not inspected. */
  readonly isReference: boolean;
}
