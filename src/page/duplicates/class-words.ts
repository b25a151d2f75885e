import type { DuplicateClass } from '../../index.js';

/** Classes in display order, with displayed names and explanations. */
export const CLASSES: readonly { readonly id: DuplicateClass; readonly name: string; readonly sentence: string }[] = [
  { id: 'bytes', name: 'Same bytes', sentence: 'These files are the same, byte for byte.' },
  { id: 'identical', name: 'Identical', sentence: 'The same part, whatever its orientation, export or mesh.' },
  { id: 'mirrored', name: 'Mirrored', sentence: 'Left and right version: one is the mirror image of the other.' },
  { id: 'scaled', name: 'Scaled', sentence: 'The same shape in another size, as with a wrong unit.' },
  { id: 'near', name: 'Near', sentence: 'Not the same part, but very similar.' },
];

/** The same of drawings, which have no shape of their own. */
const DRAWN = 'The same drawing: the same lines, and the same texts at the same places, whatever program saved it.';

/** Name and explanation of a class. areDrawings: of a group of drawings. */
export function wordsOf(id: DuplicateClass, areDrawings: boolean): (typeof CLASSES)[number] {
  const words = CLASSES.find((one) => one.id === id) ?? CLASSES[0];
  return areDrawings && id === 'identical' ? { ...words, sentence: DRAWN } : words;
}
