/** Lettering as drawing programs draw it; see lettering.mjs. */
export function drawnText(
  text: string,
  style: { readonly stroke?: { readonly table?: 'grid' | 'technical'; readonly rounds?: number } },
): { readonly strokes: readonly (readonly (readonly [x: number, y: number])[])[]; readonly width: number };
