/**
 * The characters that the reader of whole lines knows, in the order of its outputs; output 0 stands for none. A
 * multiplication sign is read as `x`, a prime as an apostrophe, any level stroke as `-`.
 */
export const LINE_CHARACTERS: readonly string[] = Object.freeze([
  ' ',
  ...'0123456789',
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  ...'abcdefghijklmnopqrstuvwxyz',
  ...'.,:;\'"+-±()/=%&#°<>_',
  ...'⌀⌖⏥⊥∥∠⌓⌒◎⌭↗⌰⌯□⌴↧⌵√',
  ...'ⓂⓁⓅⒻⒺⓈⓉⓊ',
]);
