/** A sheet with a title block: its page, and the fields that stand in it. */
export function titleSheetOf(seed: number): {
  readonly page: { readonly attributes: readonly { readonly name: string; readonly value: string }[] };
  readonly block: string;
};
