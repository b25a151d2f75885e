import type { Sheet } from '../../content/sheet.js';

/** So many values make a title block of a block that has them. */
const TITLE_VALUES = 4;
/** Signs with a value in them (balloons, datum letters, surface texture) are not larger than so many times its letters. */
const SIGN = 14;

/**
 * Whether dimensions and leaders of a sheet are entities of their own: then thin lines are no sign of them, and lines of all widths can be
 * edges of parts.
 */
export function tellsDimensions({ annotations }: Sheet): boolean {
  return annotations.some(({ kind }) => kind === 'dimension' || kind === 'leader');
}

/** Whether a layer holds borders of hatches: they are edges, though its name speaks of hatches. */
export function holdsHatchBorders(layer: string): boolean {
  return /(hatch|schraff|hachur|tratteg|sombread|arcering).*(bord|bound|outline|contour|edge|rand|umri(ß|ss)|limit)/i.test(
    layer,
  );
}

/**
 * Which annotations are part geometry all the same: placed blocks with a value or two that are larger than a sign about it. A part
 * with its number beside it is one; a balloon, a datum letter or a title block is none.
 * @returns u8[annotations]: 1 or 0.
 */
export function partBlocks({ annotations, texts }: Sheet): Uint8Array {
  const letters = new Float64Array(annotations.length);
  const values = new Uint32Array(annotations.length);
  for (const { annotation, height } of texts) {
    if (annotation < 0) continue;
    letters[annotation] = Math.max(letters[annotation], height);
    values[annotation]++;
  }
  return Uint8Array.from(annotations, ({ kind, box }, i) =>
    kind === 'attribute' && values[i] < TITLE_VALUES && Math.max(box.width, box.height) > SIGN * letters[i] ? 1 : 0,
  );
}
