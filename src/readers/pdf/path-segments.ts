import { applyTo, emptyBounds, include, type Affine, type Bounds } from '../geometry/affine.js';

/** A path operator of pdfjs 5: the painting operation, then commands and coordinates in one array. */
export type PathArguments = readonly [operation: number, data: readonly (Float32Array | null)[], minMax: unknown];

/** Coordinates after each command: move, line, curve, quadratic curve, close. */
export const COORDINATES = [2, 2, 6, 4, 0];
export const MOVE = 0,
  LINE = 1,
  CURVE = 2,
  QUADRATIC = 3,
  CLOSE = 4;

/** The straight pieces of a path, from where to where, with those that close it. */
export function segmentsOf(
  data: Float32Array | null | undefined,
): readonly (readonly [number, number, number, number])[] {
  const found: [number, number, number, number][] = [];
  let x = 0,
    y = 0,
    firstX = 0,
    firstY = 0;
  for (let at = 0; data != null && at < data.length; at += 1 + (COORDINATES[data[at]] ?? 0)) {
    const command = data[at];
    if (command === CLOSE) {
      found.push([x, y, firstX, firstY]);
      [x, y] = [firstX, firstY];
      continue;
    }
    const end = at + (COORDINATES[command] ?? 0);
    const [toX, toY] = [data[end - 1], data[end]];
    if (command === MOVE) [firstX, firstY] = [toX, toY];
    else if (command === LINE) found.push([x, y, toX, toY]);
    [x, y] = [toX, toY];
  }
  return found;
}

/** The box around the points of a path on the page. */
export function boundsOf(data: Float32Array, map: Affine): Bounds {
  const bounds = emptyBounds();
  for (let at = 0; at < data.length; at += 1 + (COORDINATES[data[at]] ?? 0)) {
    for (let i = 1; i <= (COORDINATES[data[at]] ?? 0); i += 2)
      include(bounds, ...applyTo(map, data[at + i], data[at + i + 1]));
  }
  return bounds;
}
