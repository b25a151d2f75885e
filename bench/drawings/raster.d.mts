/** A page as pixels, in the look of a seed. */
export function rasterOf(
  page: object,
  kind: 'picture' | 'scan' | 'photo',
  seed: number,
): Promise<{ readonly bytes: Buffer; readonly extension: string }>;
