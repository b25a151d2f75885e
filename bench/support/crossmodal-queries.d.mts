/** Types of the photos and sketches, for tests written in TypeScript. */
export function photoOf(
  mesh: { readonly positions: Float32Array; readonly indices: Uint32Array },
  seed: number,
): Promise<Uint8Array>;
export function sketchOf(
  mesh: { readonly positions: Float32Array; readonly indices: Uint32Array },
  seed: number,
): Promise<Uint8Array>;
