/** A line of text on a picture. */
export interface PictureText {
  readonly text: string;
  /** Mean logarithm of the letters' probabilities: 0 is certain. */
  readonly confidence: number;
  /** Start of its baseline, pixels of the block. */
  readonly x: number;
  readonly y: number;
  readonly angleRad: number;
  /** Height of capitals. */
  readonly height: number;
  readonly width: number;
  /** Number of letters. */
  readonly count: number;
  readonly isBars: boolean;
  /** Its words: text, confidence, start along the line, width. */
  readonly words: readonly PictureWord[];
  /** Share of its box that is ink. */
  readonly fill: number;
}

/** A word of a line, pixels. */
export interface PictureWord extends Pick<PictureText, 'text' | 'confidence' | 'width'> {
  /** Its distance from the start of the line. */
  readonly start: number;
}
