import { ranked, type GlyphCandidate, type GlyphPlace } from '../glyph.js';
import { atPlace, proportionOf } from './glyph-features.js';
import { classify, glyphNetwork } from './glyph-network.js';

/** Candidates below this probability are dropped. */
const LEAST_PROBABILITY = 0.01;
/** Largest size of a point, as a share of the height of capitals. */
const SMALL = 0.28;
/** A bar on the baseline is wider than so many times its height, and than a share of the height of capitals. */
const BAR = [1.9, 0.13] as const;

/**
 * What a single upright glyph shows: letters, digits, punctuation and the signs of drawings (⌀ ± ° ⌴ ↧, geometric
 * characteristics, letters in circles). Likeliest first. Stroke width, font, slant of a few degrees and blank margins
 * do not matter.
 * @param shape its features without its place, of {@link import('./glyph-features.js').glyphFeatures}.
 * @param place where it stands on its line, if that is known: it tells a point from a degree sign, and `o` from `O`.
 */
export function recogniseGlyph(shape: Float32Array, place?: GlyphPlace): GlyphCandidate[] {
  const mark = place && smallMark(shape, place);
  if (mark !== undefined) return [{ text: mark, probability: 1 }];
  const network = glyphNetwork();
  const shares = classify(network, place === undefined ? shape : atPlace(shape, place));
  const candidates: GlyphCandidate[] = [];
  for (let i = 0; i < shares.length; i++)
    if (shares[i] >= LEAST_PROBABILITY) candidates.push({ text: network.classes[i], probability: shares[i] });
  return ranked(candidates, LEAST_PROBABILITY);
}

/**
 * Points and bars: so small that place and proportion say more than their shape. Undefined for larger glyphs and for
 * other places.
 */
function smallMark(features: Float32Array, { height, bottom }: GlyphPlace): string | undefined {
  const width = height * proportionOf(features);
  const isBar = width > BAR[0] * height && width > BAR[1];
  if (height < SMALL && width < SMALL && Math.max(height, width) > 0.04 && bottom > -0.3 && bottom < 0.16)
    // The minus of a lower deviation, whose figures are smaller, stands there.
    return isBar ? '_' : bottom < -0.1 && height > 1.3 * width ? ',' : '.';
  if (height < 0.22 && width > 2 * height && width < 1.1 && bottom > 0.22 && bottom < 0.6) return '-';
  return undefined;
}
