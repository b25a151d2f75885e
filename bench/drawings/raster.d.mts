/** A page as pixels, in the look of a seed. */
export function rasterOf(
  page: object,
  kind: 'picture' | 'scan' | 'photo' | 'clean-150' | 'clean-200' | 'clean-300',
  seed: number,
): Promise<{ readonly bytes: Buffer; readonly extension: string }>;
/** A page as SVG with lines and areas alone, in a grey of its ink. */
export function svgOf(page: object, wide: number, high: number, look: { readonly ink: number }): string;
