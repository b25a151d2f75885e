/** An affine map of the plane: x' = a x + c y + e, y' = b x + d y + f. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const IDENTITY: Affine = Object.freeze([1, 0, 0, 1, 0, 0]);

/** The product of two maps: first `inner`, then `outer`. */
export function compose2d([a, b, c, d, e, f]: Affine, [p, q, r, s, t, u]: Affine): Affine {
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

export function applyTo([a, b, c, d, e, f]: Affine, x: number, y: number): [x: number, y: number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** A rectangle that grows; empty while `minX > maxX`. */
export interface Bounds {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

export function emptyBounds(): Bounds {
  return { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
}

export function include(bounds: Bounds, x: number, y: number): void {
  if (!Number.isFinite(x) || !Number.isFinite(y)) return;
  bounds.minX = Math.min(bounds.minX, x);
  bounds.minY = Math.min(bounds.minY, y);
  bounds.maxX = Math.max(bounds.maxX, x);
  bounds.maxY = Math.max(bounds.maxY, y);
}

/** Includes a rectangle after mapping it. */
export function includeBox(bounds: Bounds, { minX, minY, maxX, maxY }: Bounds, map: Affine): void {
  if (minX > maxX) return;
  for (const [x, y] of [
    [minX, minY],
    [maxX, minY],
    [minX, maxY],
    [maxX, maxY],
  ])
    include(bounds, ...applyTo(map, x, y));
}

/** The box around a mapped rectangle. */
export function mappedBox(box: Bounds, map: Affine): Bounds {
  const mapped = emptyBounds();
  includeBox(mapped, box, map);
  return mapped;
}

/** What two rectangles have in common. */
export function commonBounds(a: Bounds, b: Bounds): Bounds {
  return {
    minX: Math.max(a.minX, b.minX),
    minY: Math.max(a.minY, b.minY),
    maxX: Math.min(a.maxX, b.maxX),
    maxY: Math.min(a.maxY, b.maxY),
  };
}
