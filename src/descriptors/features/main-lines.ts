import type { PartFace } from '../faces/part-face.js';
import { areOneLine, type AxisLine } from './axis-line.js';

/** Axes that are tried, those with most surface first. */
const MOST_LINES = 3;

/** The axes of most round surface. @param near distance of axes that are one, mm. */
export function mainLines(faces: readonly PartFace[], near: number): AxisLine[] {
  const lines: { readonly line: AxisLine; area: number }[] = [];
  for (const face of faces) {
    if (face.kind !== 'cylinder' && face.kind !== 'cone' && face.kind !== 'torus') continue;
    const known = lines.find(({ line }) => areOneLine(line, face, near));
    if (known === undefined) lines.push({ line: face, area: face.areaMm2 });
    else known.area += face.areaMm2;
  }
  return lines
    .sort((a, b) => b.area - a.area)
    .slice(0, MOST_LINES)
    .map(({ line }) => line);
}

/** Length of the diagonal of a box around points, mm; 0 without any. */
export function sizeOfPoints(points: readonly (readonly [number, number, number])[]): number {
  return sizeOfLists([points]);
}

/** The same around the points of several lists together. */
export function sizeOfLists(lists: readonly (readonly (readonly [number, number, number])[])[]): number {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  let isEmpty = true;
  for (const points of lists)
    for (const point of points) {
      isEmpty = false;
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], point[k]);
        high[k] = Math.max(high[k], point[k]);
      }
    }
  return isEmpty ? 0 : Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}
