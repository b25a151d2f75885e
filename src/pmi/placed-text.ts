/**
 * A word, or words that were written as one piece, in the frame of its line: s along the baseline, t across it,
 * downwards.
 */
export interface LinePiece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** How sure its reader is of it, 0 to 1, where it was read from outlines or pixels. */
  readonly confidence?: number;
  /** How much further it may reach than `end`, where its width is guessed because the font is not known; absent: 0. */
  readonly slack?: number;
}

/** A piece with the position of its baseline and the height of its font. */
export interface Placed extends LinePiece {
  readonly t: number;
  readonly height: number;
}

/** Pieces of text on one baseline, at any angle. */
export interface TextLine {
  readonly text: string;
  readonly angleRad: number;
  /** Height of the font. */
  readonly height: number;
  readonly start: number;
  readonly end: number;
  /** Position of the baseline. */
  readonly t: number;
  readonly pieces: readonly LinePiece[];
}
