/** A sheet of annotations with a title block: its page, and the fields that stand in it; see sheet.mjs. */
export function sheetOf(
  seed: number,
  options?: { readonly isBroad?: boolean },
): {
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  readonly widthMm: number;
  readonly heightMm: number;
};
