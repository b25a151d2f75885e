/** Types of the photos, sketches and scans, for tests written in TypeScript. */
export interface PagePicture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** A byte a pixel. */
  readonly gray: Uint8Array;
}
export function pagePicture(pdf: Uint8Array, page: number, dpi?: number): Promise<PagePicture>;
export function scanOf(page: PagePicture, seed: number): Promise<Uint8Array>;
export function photoOf(
  mesh: { readonly positions: Float32Array; readonly indices: Uint32Array },
  seed: number,
): Promise<Uint8Array>;
export function sketchOf(
  mesh: { readonly positions: Float32Array; readonly indices: Uint32Array },
  seed: number,
  seen?: { readonly turn?: readonly number[]; readonly oblique?: readonly [right: number, up: number] },
): Promise<Uint8Array>;
