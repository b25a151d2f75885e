import type { Model } from '../content/model.js';
import type { Core } from '../core/core.js';
import { drawShaded } from '../core/shaded.js';
import { faceTriangles } from '../descriptors/faces/face-triangles.js';
import { placementsOf, placeMeshes } from '../shapelets/model/mesh.js';
import { attitudeOf, CREASE_RAD } from './attitude.js';
import { squarePng } from './thumbnail.js';

/** Color of lit faces: red, green, blue, and that they have one. All others are grey, whatever their own color. */
const LIT = Uint8Array.of(240, 128, 16, 255);

/**
 * Pixels per side at which sides are compared, and the share of what the best side shows that is enough. The page's
 * viewer turns to lit faces by the same rule (`page/viewer/lit-side.ts`).
 */
const PROBE = 64;
const ENOUGH = 0.5;
/** Light of a lit face in the deepest shade, as a share of full light. */
const LEAST_LIGHT = 0.6;

/**
 * A picture of a model as `thumbnail` draws it, with some of its faces in another color, at each of their places: as
 * in the thumbnail, unless another side shows more than twice as much of them. faces: their numbers; unknown ones are
 * left out.
 * @throws EngineError `NO_GEOMETRY` for a model without triangles.
 */
export async function litFacesPicture(
  core: Core,
  model: Model,
  { faces, size }: { readonly faces: readonly number[]; readonly size: number },
): Promise<Uint8Array> {
  const mesh = { ...placeMeshes(model), tints: tintsOf(model, new Set(faces)) };
  const sides = attitudeOf(core, mesh);
  const shown = sides.map((side) =>
    litPixels(drawShaded(core, mesh, { cameras: [side], size: PROBE, creaseRad: Math.PI })),
  );
  const most = Math.max(...shown);
  const side = sides[shown.findIndex((pixels) => pixels >= ENOUGH * most)];
  return squarePng(brightened(drawShaded(core, mesh, { cameras: [side], size, creaseRad: CREASE_RAD })), size);
}

/** u8[triangleCount][4], in the order of `placeMeshes`. */
function tintsOf(model: Model, wanted: ReadonlySet<number>): Uint8Array {
  const known = faceTriangles(model);
  const placements = placementsOf(model);
  const tints = new Uint8Array(4 * placements.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0));
  let first = 0;
  for (const { mesh } of placements) {
    for (const { number, triangles } of known.get(mesh) ?? [])
      if (wanted.has(number)) for (const t of triangles) tints.set(LIT, 4 * (first + t));
    first += mesh.indices.length / 3;
  }
  return tints;
}

function litPixels(pixels: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < pixels.length; at += 4) if (isLit(pixels, at)) count++;
  return count;
}

/** Whether a pixel is clearly more red than blue, as grey ones are not. */
function isLit(pixels: Uint8Array, at: number): boolean {
  return pixels[at] > pixels[at + 2] + 32;
}

/** Walls of holes lie in the shade, where orange is brown: all lit pixels get at least so much light. */
function brightened(pixels: Uint8Array): Uint8Array {
  for (let at = 0; at < pixels.length; at += 4) {
    if (!isLit(pixels, at)) continue;
    const factor = LEAST_LIGHT * (LIT[0] / pixels[at]) + 1 - LEAST_LIGHT;
    for (let channel = 0; channel < 3; channel++)
      pixels[at + channel] = Math.min(255, Math.round(factor * pixels[at + channel]));
  }
  return pixels;
}
