/**
 * The classes of glyphs. Letters and signs of the same shape share a class, because a glyph is classified alone: `0`
 * also stands for O, o, a ring and a degree; `I` for l and a bar; `C` for c, and likewise K, P, S, U, V, W, X (also ×)
 * and Z; `-` for any level stroke, `,` for an apostrophe. The place on the line distinguishes them. '' is a piece of a
 * glyph, several glyphs, or no glyph.
 */
export const GLYPH_CLASSES: readonly string[] = Object.freeze([
  '',
  ...'0123456789',
  ...'ABCDEFGHIJKLMNPQRSTUVWXYZ',
  ...'abdefghijmnqrty',
  ...'+±()/⌀=:%-.,',
  ...'⏥⌖⊥∥∠⌓⌒◎⌭↗⌰⌯□⌴↧⌵ⓂⓁⓅⒻⒺⓈ√',
]);
