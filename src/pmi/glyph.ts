/** What a picture of a glyph may show. */
export interface GlyphCandidate {
  /** A character; '' for what is no glyph: arrowheads, pieces of lines, glyphs that touch. */
  readonly text: string;
  /** 0 to 1; the candidates of one picture add up to at most 1. */
  readonly probability: number;
}

/** Most candidates of a picture. */
const MOST_CANDIDATES = 8;

/** The likeliest candidates, of at least a probability. */
export function ranked(candidates: readonly GlyphCandidate[], least: number): GlyphCandidate[] {
  return candidates
    .filter(({ probability }) => probability >= least)
    .sort((a, b) => b.probability - a.probability)
    .slice(0, MOST_CANDIDATES);
}

/** Where a glyph stands on its line, as shares of the height of capitals. */
export interface GlyphPlace {
  /** Height of its ink: 1 for capitals and digits, 0.1 for a hyphen. */
  readonly height: number;
  /** Lower end of its ink above the baseline: 0 for capitals, negative below the baseline, 0.6 for a degree sign. */
  readonly bottom: number;
}

/** The smallest rectangle around ink: from `left`, `top` up to but without `right`, `bottom`. */
export interface InkBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** The largest value in the picture. */
  readonly darkest: number;
}

/**
 * Where the ink of a picture is. Undefined for a picture without ink.
 * @param pixels height × width, row by row: 0 paper, larger is darker.
 * @param least pixels are ink from this share of the darkest pixel.
 */
export function inkBoxOf(
  pixels: Uint8Array | Float32Array,
  width: number,
  height: number,
  least: number,
): InkBox | undefined {
  let darkest = 0;
  for (let i = 0; i < width * height; i++) darkest = Math.max(darkest, pixels[i]);
  if (!(darkest > 0)) return undefined;
  const faint = least * darkest;
  let left = width,
    top = height,
    right = 0,
    bottom = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (pixels[y * width + x] < faint) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = y + 1;
    }
  }
  return { left, top, right, bottom, darkest };
}
