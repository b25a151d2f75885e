import type { Color, Model } from '../../content/model.js';
import { placementsOf } from './mesh.js';

/** Values, of 255, for black and white: shading and lines must stay visible on both. */
const BLACK = 30;
const WHITE = 240;

/**
 * The colors in which a model is drawn: u8[triangleCount][4], red, green, blue and 255, or all 0 for a triangle without
 * a color, in the order of `placeMeshes`. The color of a face takes precedence over that of its mesh, and that over
 * those of the components. Undefined when nothing has a color.
 */
export function triangleTints(model: Model): Uint8Array | undefined {
  const pieces = placementsOf(model);
  if (
    pieces.every(
      ({ mesh, color }) =>
        color === undefined && (mesh.faces ?? mesh.colorRuns ?? []).every((run) => run.color === undefined),
    )
  )
    return undefined;
  const tints = new Uint8Array(4 * pieces.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0));
  const words = new Uint32Array(tints.buffer);
  let first = 0;
  for (const { mesh, color } of pieces) {
    const end = first + mesh.indices.length / 3;
    if (color !== undefined) words.fill(wordOf(color), first, end);
    for (const run of mesh.faces ?? mesh.colorRuns ?? []) {
      if (run.color !== undefined) words.fill(wordOf(run.color), first + run.first, first + run.first + run.count);
    }
    first = end;
  }
  return tints;
}

/** A color as the u32 that has its bytes in memory order, whatever the machine's byte order. */
function wordOf(color: Color): number {
  const bytes = Uint8Array.of(
    ...color.map((value) => Math.round(BLACK + (WHITE - BLACK) * Math.min(1, Math.max(0, value)))),
    255,
  );
  return new Uint32Array(bytes.buffer)[0];
}
