import { cross, dot, frameOf, plus, scaled, type Vector } from '../faces/vector.js';

/** The half of space in which `dot(normal, point) <= offset`. */
export interface HalfSpace {
  readonly normal: Vector;
  readonly offset: number;
}

/**
 * Which of the half spaces bound their intersection, by the areas of its faces, mm²: 0 where one does not. The
 * intersection must be bounded; each face is a square of half side `reach` that the other half spaces cut.
 */
export function boundingAreas(halves: readonly HalfSpace[], reach: number): number[] {
  return halves.map(({ normal, offset }, i) => {
    const foot = scaled(normal, offset);
    const [u, v] = frameOf(normal);
    const at = (x: number, y: number): Vector => plus(plus(foot, u, x * reach), v, y * reach);
    let corners = [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)];
    for (let k = 0; k < halves.length; k++) {
      if (k !== i) corners = clipped(corners, halves[k]);
      if (corners.length < 3) return 0;
    }
    return areaOf(corners, normal);
  });
}

/** The part of a convex polygon in a half of space (Sutherland, Hodgman 1974). */
function clipped(corners: Vector[], { normal, offset }: HalfSpace): Vector[] {
  const heights: number[] = [];
  let isWhole = true;
  for (const corner of corners) {
    const height = dot(corner, normal) - offset;
    heights.push(height);
    if (!(height <= 0)) isWhole = false;
  }
  if (isWhole) return corners;
  const kept: Vector[] = [];
  for (let i = 0; i < corners.length; i++) {
    const corner = corners[i];
    const next = (i + 1) % corners.length;
    const here = heights[i],
      there = heights[next];
    if (here <= 0) kept.push(corner);
    if (here <= 0 === there <= 0) continue;
    const share = here / (here - there);
    kept.push(plus(scaled(corner, 1 - share), corners[next], share));
  }
  return kept;
}

function areaOf(corners: readonly Vector[], normal: Vector): number {
  let twice = 0;
  for (let i = 0; i < corners.length; i++) twice += dot(cross(corners[i], corners[(i + 1) % corners.length]), normal);
  return Math.abs(twice) / 2;
}
