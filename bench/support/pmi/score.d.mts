import type { Written } from './written.mjs';

export interface Found {
  readonly object: {
    readonly parts: readonly { readonly text: string; readonly tolerance?: readonly string[] }[];
    readonly typeId: number;
    readonly box: readonly number[];
    readonly confidence?: number;
  };
}

export function compared<Item extends Written>(
  wanted: readonly Item[],
  found: readonly Found[],
  options?: { readonly isPlaced?: boolean },
): {
  readonly pairs: readonly { readonly item: Item; readonly each: Found & Written }[];
  readonly missed: readonly Item[];
  readonly invented: readonly (Found & Written)[];
};
