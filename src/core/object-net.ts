import type { Core } from './core.js';

/** A picture of which both sides are multiples of 16 and at least 64. */
export interface NetPicture {
  readonly width: number;
  readonly height: number;
  /** f32[height × width × 3]: colors, −1 for none to 1 for all. */
  readonly colors: Float32Array;
}

/**
 * f32[height × width]: above 0 for pixels of the object that a picture shows, the logarithm of the odds.
 * @param table of `tables/photo-objects.bin`.
 * @throws EngineError `OUT_OF_MEMORY` when the core's memory cannot grow.
 */
export function objectOdds(core: Core, { width, height, colors }: NetPicture, table: Uint8Array): Float32Array {
  return core.call((arena) => {
    const out = arena.reserve(4 * width * height);
    arena.run('objectOdds', arena.copyIn(colors), width, height, arena.copyIn(table), out);
    return arena.f32(out, width * height);
  });
}
