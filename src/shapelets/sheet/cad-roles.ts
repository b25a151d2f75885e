import type { Sheet } from '../../content/sheet.js';

/** A block with at least this many values is a title block. */
const TITLE_VALUES = 4;
/**
 * Largest ratio of a symbol with a value in it (balloon, datum letter, surface texture) to the height of its letters.
 */
const SIGN = 14;

/**
 * Whether dimensions and leaders of a sheet are entities of their own. Then a thin line does not suggest a dimension,
 * and lines of all widths can be edges of parts.
 */
export function tellsDimensions({ annotations }: Sheet): boolean {
  return annotations.some(({ kind }) => kind === 'dimension' || kind === 'leader');
}

/** Whether a layer holds borders of hatches: these are edges, although the name of the layer mentions hatches. */
export function holdsHatchBorders(layer: string): boolean {
  return /(hatch|schraff|hachur|tratteg|sombread|arcering).*(bord|bound|outline|contour|edge|rand|umri(ß|ss)|limit)/i.test(
    layer,
  );
}

/**
 * Which annotations are part geometry after all: placed blocks with few values that are larger than a symbol around
 * them. A part with its number beside it is one; a balloon, a datum letter or a title block is not.
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
