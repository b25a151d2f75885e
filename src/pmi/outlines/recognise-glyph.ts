import { ranked, type GlyphCandidate, type GlyphPlace } from '../glyph.js';
import { glyphFeatures, proportionOf } from './glyph-features.js';
import { classify, glyphNetwork } from './glyph-network.js';

/** Candidates below this probability are dropped. */
const LEAST_PROBABILITY = 0.01;
/** Largest size of a point, as a share of the height of capitals. */
const SMALL = 0.28;

/**
 * What a single upright glyph shows: letters, digits, punctuation and the signs of drawings (⌀ ± ° ⌴ ↧, geometric
 * characteristics, letters in circles). Likeliest first; empty for a picture without ink. Stroke width, font, slant of
 * a few degrees and blank margins do not matter.
 * @param pixels f32[height × width], row by row: 0 paper, 1 ink.
 * @param place where it stands on its line, if that is known: it tells a point from a degree sign, and `o` from `O`.
 */
export function recogniseGlyph(
  pixels: Float32Array,
  width: number,
  height: number,
  place?: GlyphPlace,
): GlyphCandidate[] {
  const features = glyphFeatures(pixels, width, height, place);
  if (features === undefined) return [];
  const mark = place && smallMark(features, place);
  if (mark !== undefined) return [{ text: mark, probability: 1 }];
  const network = glyphNetwork();
  const candidates = [...classify(network, features)].map((probability, i) => ({
    text: network.classes[i],
    probability,
  }));
  return ranked(candidates, LEAST_PROBABILITY);
}

/**
 * Points and bars: so small that place and proportion say more than their shape. Undefined for larger glyphs and for
 * other places.
 */
function smallMark(features: Float32Array, { height, bottom }: GlyphPlace): string | undefined {
  const width = height * proportionOf(features);
  if (height < SMALL && width < SMALL && Math.max(height, width) > 0.04 && bottom > -0.3 && bottom < 0.16)
    return bottom < -0.1 && height > 1.3 * width ? ',' : '.';
  if (height < 0.22 && width > 2 * height && width < 1.1 && bottom > 0.22 && bottom < 0.6) return '-';
  return undefined;
}
