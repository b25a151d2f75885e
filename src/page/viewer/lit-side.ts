import { MeshBasicMaterial } from 'three';
import type { ShownModel } from './shown-model.js';
import type { Stage } from './stage.js';
import type { Side } from './standard-views.js';

/** Pixels a side at which sides are compared, and the share of what the best side shows that is enough. */
const PROBE = 64;
const ENOUGH = 0.5;

/**
 * The side from which faces are seen: that of the picture, unless another shows more than twice as much of them. The
 * engine draws the faces of results by the same rule (`pictures/lit-faces.ts`). Undefined where no side shows any.
 */
export function litSide(stage: Stage, model: ShownModel, faces: readonly number[]): Side | undefined {
  const { sides } = model.attitude;
  const lit = new MeshBasicMaterial({ color: '#ffffff', side: 2 }),
    rest = new MeshBasicMaterial({ color: '#000000', side: 2 });
  const restore = model.paint(new Set(faces), { lit, rest });
  const before = stage.pose;
  const shown = sides.map((side) => {
    stage.look(side);
    return litPixels(stage.readBack({ width: PROBE, height: PROBE }));
  });
  stage.pose = before;
  restore();
  for (const material of [lit, rest]) material.dispose();
  const most = Math.max(0, ...shown);
  return most === 0 ? undefined : sides[shown.findIndex((pixels) => pixels >= ENOUGH * most)];
}

function litPixels(pixels: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < pixels.length; at += 4) if (pixels[at] > 127) count++;
  return count;
}
