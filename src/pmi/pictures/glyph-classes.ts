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

/** The class of a character; undefined when there is none. */
export function glyphClassOf(character: string): number | undefined {
  const plain = LIKE[character] ?? character;
  const at = GLYPH_CLASSES.indexOf(plain);
  return at > 0 ? at : undefined;
}

const LIKE: Readonly<Record<string, string>> = Object.freeze({
  O: '0',
  o: '0',
  '°': '0',
  '○': '0',
  l: 'I',
  '|': 'I',
  c: 'C',
  k: 'K',
  p: 'P',
  s: 'S',
  u: 'U',
  v: 'V',
  w: 'W',
  x: 'X',
  '×': 'X',
  z: 'Z',
  Ø: '⌀',
  ø: '⌀',
  '−': '-',
  _: '-',
  '⏤': '-',
  "'": ',',
});
