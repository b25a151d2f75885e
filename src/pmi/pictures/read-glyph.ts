import { readFileSync } from 'node:fs';
import { Core } from '../../core/core.js';
import type { GlyphCandidate, GlyphPlace } from '../glyph.js';
import { GLYPH_CLASSES } from './glyph-classes.js';
import { GlyphNet } from './glyph-net.js';

/** Candidates below this probability are dropped. */
const LEAST = 0.005;
const MOST_CANDIDATES = 8;
/**
 * Small letters are below the first share of the height of capitals; a degree sign is smaller than the second and above
 * the third.
 */
const SMALL = 0.84;
const DEGREE = 0.62;
const RAISED = 0.3;

let loaded: GlyphNet | undefined;

/**
 * What a single upright glyph shows: letters, digits, punctuation and the signs of drawings (⌀ ± ° ⌴ ↧, geometric
 * characteristics, letters in circles). Likeliest first; empty for a picture without ink. Font, weight, slant of a few
 * degrees and blank margins do not matter.
 * @param pixels height × width, row by row: 0 paper, 1 ink.
 * @param place where it stands on its line, if that is known: it tells `0` from `o` and `°`, a point from an
 * apostrophe.
 */
export function readGlyph(
  pixels: Uint8Array | Float32Array,
  width: number,
  height: number,
  place?: GlyphPlace,
): GlyphCandidate[] {
  loaded ??= new GlyphNet(
    readFileSync(new URL('../../tables/picture-glyphs.bin', import.meta.url)),
    Core.loadNow(readFileSync(new URL('../../core/shapedex.wasm', import.meta.url))),
  );
  const scores = loaded.read({ width, height, ink: pixels });
  if (scores === undefined) return [];
  const candidates: GlyphCandidate[] = [];
  const least = Math.log(LEAST);
  scores.forEach((score, i) => {
    if (score >= least)
      candidates.push({
        text: place === undefined ? GLYPH_CLASSES[i] : placed(GLYPH_CLASSES[i], place),
        probability: Math.exp(score),
      });
  });
  return candidates.sort((a, b) => b.probability - a.probability).slice(0, MOST_CANDIDATES);
}

/** The character of a class at a place. */
function placed(character: string, { height, bottom }: GlyphPlace): string {
  if (character === '0') return height < DEGREE && bottom > RAISED ? '°' : height < SMALL && bottom > -0.15 ? 'o' : '0';
  if (character === ',' || character === '.') return bottom > 0.45 ? "'" : character;
  if (character === '-') return bottom < -0.05 ? '_' : '-';
  if (character === 'P') return bottom < -0.15 ? 'p' : 'P';
  return height < SMALL && 'CKSUVWXZ'.includes(character) ? character.toLowerCase() : character;
}
