/** Types of the photos made by code, for tests written in TypeScript. */
export interface PhotoScene {
  readonly jpeg: Uint8Array;
  /** u8[heightPx × widthPx × 3]. */
  readonly rgb: Uint8Array;
  /** u8[heightPx × widthPx]: 1 where the part is. */
  readonly mask: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly isCut: boolean;
  readonly share: number;
}
export const PHOTO_STYLES: readonly string[];
export function photoScene(
  mesh: { readonly positions: ArrayLike<number>; readonly indices: ArrayLike<number> },
  options: { readonly seed: number; readonly style: string },
): Promise<PhotoScene>;
export function cutOut(scene: PhotoScene): Promise<Uint8Array>;
