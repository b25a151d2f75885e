import type { Core } from './core.js';

/** Pixels of a picture of lines. */
const PIXELS = 64 * 64;
/** Bytes of a prepared picture: three numbers and two blurred pictures; see `assembly/raster/blurred-pictures.ts`. */
const PREPARED_BYTES = 8 * (3 + 2 * PIXELS);
const SPREAD = 2;

/**
 * Transforms one picture onto another: rotated and scaled about its middle, then moved; pixels, x to the right, y
 * downwards.
 */
export interface Laid {
  readonly x: number;
  readonly y: number;
  /** Positive from x to y. -π to π. */
  readonly rotationRad: number;
  readonly scale: number;
}

/** A picture that is prepared to be laid. */
export type LayPicture = Float64Array & { readonly isPrepared: unique symbol };

/** Prepares a picture of lines. lines: u8[64²]. Undefined for an empty picture. */
export function layPicture(core: Core, lines: Uint8Array): LayPicture | undefined {
  if (lines.length !== PIXELS) throw new RangeError(`pictures of lines have ${PIXELS} bytes each`);
  return core.call((arena) => {
    const out = arena.reserve(PREPARED_BYTES);
    arena.run('prepareLaid', arena.copyIn(lines), out);
    const prepared = arena.f64(out, PREPARED_BYTES / 8);
    return prepared[SPREAD] === 0 ? undefined : (prepared as LayPicture);
  });
}

/**
 * Lays the lines of `from` over those of `onto`: the similarity transform (no mirror) with the least squared
 * differences. Copies are laid to a few hundredths of a pixel.
 */
export function layOver(core: Core, onto: LayPicture, from: LayPicture): Laid {
  return core.call((arena) => {
    const out = arena.reserve(32);
    arena.run('layPicture', arena.copyIn(onto), arena.copyIn(from), out);
    const [x, y, rotationRad, scale] = arena.f64(out, 4);
    return { x, y, rotationRad, scale };
  });
}
