/** An item of a truth in the spelling of the comparison. */
export interface Written {
  readonly text: string;
  readonly tolerance: string;
}

export function wantedOf(item: {
  readonly text: string;
  readonly tol?: string | readonly string[] | null;
  readonly group: string;
}): Written;
