import type { Sheet } from '../../content/sheet.js';
import type { GlyphCandidate, GlyphPlace } from '../glyph.js';
import { pictureOf, type Slant } from './blob-picture.js';
import type { Blob } from './blobs.js';
import { glyphFeatures } from './glyph-features.js';
import { recogniseGlyph } from './recognise-glyph.js';

/** Most shapes of a sheet that are kept, some 2 kB each. */
const MOST_KEPT = 4_000;

/** Features of a glyph in a slant, and what it was recognised as at each place. */
interface Shape {
  /** Undefined where nothing is drawn. */
  readonly features: Float32Array | undefined;
  readonly candidates: Map<string, readonly GlyphCandidate[]>;
}

const kept = new WeakMap<Sheet, Map<string, Shape>>();

/**
 * What blobs show as one glyph of a slant, likeliest first; empty where nothing is drawn. A line is read by its highest
 * letters first, in several slants, and then again: three of five glyphs are asked for again, and drawn once.
 * @param place see {@link recogniseGlyph}.
 */
export function shownGlyphs(
  sheet: Sheet,
  blobs: readonly Blob[],
  slant: Slant,
  place?: GlyphPlace,
): readonly GlyphCandidate[] {
  const { features, candidates } = shapeOf(sheet, blobs, slant);
  if (features === undefined) return [];
  const key = place === undefined ? '' : `${place.height} ${place.bottom}`;
  let found = candidates.get(key);
  if (found === undefined) candidates.set(key, (found = recogniseGlyph(features, place)));
  return found;
}

function shapeOf(sheet: Sheet, blobs: readonly Blob[], slant: Slant): Shape {
  let shapes = kept.get(sheet);
  if (shapes === undefined) kept.set(sheet, (shapes = new Map<string, Shape>()));
  const strokes = blobs.flatMap((blob) => blob.strokes);
  const key = `${strokes.join()} ${slant.alongRad} ${slant.upRad}`;
  const known = shapes.get(key);
  if (known !== undefined) return known;
  const { pixels, width, height } = pictureOf(sheet, { strokes }, slant);
  const shape = { features: glyphFeatures(pixels, width, height), candidates: new Map<string, GlyphCandidate[]>() };
  if (shapes.size >= MOST_KEPT) shapes.clear();
  shapes.set(key, shape);
  return shape;
}
