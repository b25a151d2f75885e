import type { Core } from './core.js';

/** Pixels of a picture of lines. */
const PIXELS = 64 * 64;

/**
 * What is left between lines of drawings and those of models after each was laid over the other: of each pair (number
 * of a drawn picture, number of a model's) the mean distance from each line to the nearest one of the other, pixels,
 * both ways added, 0 to 10; undefined where one has no lines. The drawn picture may be stretched, sheared and moved a
 * little, as a hand distorts. See `assembly/raster/laid-lines.ts`.
 * @param drawn u8[64²] each, coverage of each pixel by lines
 * @param model the same of the views of models
 */
export function layLines(
  core: Core,
  drawn: readonly Uint8Array[],
  model: readonly Uint8Array[],
  pairs: readonly (readonly [drawn: number, model: number])[],
): (number | undefined)[] {
  if (pairs.some(([own, other]) => drawn[own]?.length !== PIXELS || model[other]?.length !== PIXELS))
    throw new RangeError(`pictures of lines have ${PIXELS} bytes each`);
  return core.call((arena) => {
    const joined = (pictures: readonly Uint8Array[]): number => {
      const address = arena.reserve(PIXELS * pictures.length);
      const memory = new Uint8Array(arena.kernels.memory.buffer, address);
      for (const [i, picture] of pictures.entries()) memory.set(picture, PIXELS * i);
      return address;
    };
    const drawnAt = joined(drawn),
      modelAt = joined(model),
      pairsAt = arena.copyIn(Uint32Array.from(pairs.flat()));
    const out = arena.reserve(8 * pairs.length);
    arena.run('layLines', drawnAt, drawn.length, modelAt, model.length, pairsAt, pairs.length, out);
    return Array.from(arena.f64(out, pairs.length), (apart) => (apart < 0 ? undefined : apart));
  });
}
