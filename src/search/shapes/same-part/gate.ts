import { outlineOf, type Outline } from '../../../descriptors/fine.js';
import type { SurfaceFacts } from '../../../descriptors/surface.js';
import { sizeOf } from '../../../descriptors/surface-measures.js';

/** The relations that the facts of two parts allow. */
export interface Possible {
  /** Identical or mirrored, which the facts do not distinguish. */
  readonly sameSize: boolean;
  readonly scaled: boolean;
}

/**
 * Bounds that no mesh of the same part exceeds, however coarse, as shares. An eight-sided cylinder lacks 10 % of its
 * volume.
 */
const GATE = Object.freeze({ volume: 0.12, scale: 0.03 });

/**
 * A scale this far from 1 is another size even where the measures differ by as much, as those of a coarse and a fine
 * mesh do. Nearer to 1 the sizes must differ OUTWEIGHS times as much as the shapes, and by LEAST_SCALE: a part that is
 * stretched or has a moved hole is a little larger or smaller too. Of 60 parts of the kit scaled by 0.05 % the sizes
 * differ 14 times as much or more, of those stretched one way at most 2.6 times.
 */
const CLEAR_SCALE = 0.005;
const LEAST_SCALE = 1e-4;
const OUTWEIGHS = 4;

/**
 * Largest differences between the measures of one part after scaling to the same size: `share` for any mesh, plus
 * `ofArcs` times the height of the meshes' arcs (as shares of the size). By experiment (`npm run bench -- same-part`):
 * these bounds lose none of 2 665 changed copies, and half of each bound would still lose none.
 */
const AGREE = Object.freeze({
  radius: { share: 0.003, ofArcs: 0.5 },
  reach: { share: 0.004, ofArcs: 1 },
  area: { share: 0.006, ofArcs: 1.5 },
  /** Three times the volume divided by area and size: the mean height of the faces over the centroid. */
  height: { share: 0.005, ofArcs: 1 },
  /** In the order of {@link SurfaceInvariants}. */
  invariants: [
    { share: 0.004, ofArcs: 0.3 },
    { share: 0.005, ofArcs: 1 },
    { share: 0.003, ofArcs: 0.5 },
    { share: 0.003, ofArcs: 0.3 },
    { share: 0.003, ofArcs: 0.3 },
  ],
});

/**
 * Whether two parts can be the same, rotated, mirrored or scaled, by their outlines alone. Of other parts of the same
 * kind with nearly the same distribution of area, one in six passes.
 */
export function outlinesAgree(a: Outline, b: Outline): boolean {
  const arcs = Math.max(a.arcs, b.arcs);
  return AGREE.invariants.every(
    ({ share, ofArcs }, i) => Math.abs(a.invariants[i] - b.invariants[i]) < share + ofArcs * arcs,
  );
}

/**
 * Largest difference of the first invariants that {@link outlinesAgree} accepts. @param arcs the larger one of the two.
 */
export function outlineReach(arcs: number): number {
  const [{ share, ofArcs }] = AGREE.invariants;
  return share + ofArcs * arcs;
}

/**
 * Whether two surfaces can be the same part, or a scaled one, by their stored facts. Wide enough for any usual
 * tessellation.
 */
export function gate(a: SurfaceFacts, b: SurfaceFacts): Possible {
  // A surface that is too fine to be stored has facts but no triangles to compare.
  if (a.triangleCount === 0 || b.triangleCount === 0 || !outlinesAgree(outlineOf(a), outlineOf(b)))
    return { sameSize: false, scaled: false };
  const sizeA = sizeOf(a),
    sizeB = sizeOf(b),
    scale = sizeB / sizeA;
  const arcs = Math.max(a.meanArcMm / sizeA, b.meanArcMm / sizeB);
  const agree = (apart: number, { share, ofArcs }: { share: number; ofArcs: number }): boolean =>
    Math.abs(apart) < share + ofArcs * arcs;
  const alike =
    a.radiiMm.every((radius, i) => agree(b.radiiMm[i] / sizeB - radius / sizeA, AGREE.radius)) &&
    agree(b.reachMm / (a.reachMm * scale) - 1, AGREE.reach) &&
    agree(b.surfaceAreaMm2 / (a.surfaceAreaMm2 * scale * scale) - 1, AGREE.area) &&
    (!a.isClosed ||
      !b.isClosed ||
      (volumesAgree(a, b, scale) && agree(heightOf(b) / sizeB - heightOf(a) / sizeA, AGREE.height)));
  const resized = Math.abs(scale - 1);
  return {
    sameSize: alike && resized < GATE.scale,
    scaled: alike && (resized > CLEAR_SCALE || (resized > LEAST_SCALE && resized > OUTWEIGHS * measuresApart(a, b))),
  };
}

/** Largest relative difference between the measures of two surfaces, both scaled to the same size. */
export function measuresApart(a: SurfaceFacts, b: SurfaceFacts): number {
  const sizeA = sizeOf(a),
    sizeB = sizeOf(b);
  const area = Math.abs((b.surfaceAreaMm2 * sizeA * sizeA) / (a.surfaceAreaMm2 * sizeB * sizeB) - 1);
  return Math.max(
    area,
    ...a.radiiMm.map((radius, axis) => Math.abs(b.radiiMm[axis] / sizeB - radius / sizeA)),
    ...a.invariants.map((value, i) => Math.abs(b.invariants[i] - value)),
  );
}

function volumesAgree(a: SurfaceFacts, b: SurfaceFacts, scale: number): boolean {
  return Math.abs(b.volumeMm3 / (a.volumeMm3 * scale * scale * scale) - 1) < GATE.volume;
}

function heightOf({ volumeMm3, surfaceAreaMm2 }: SurfaceFacts): number {
  return (3 * volumeMm3) / surfaceAreaMm2;
}
