import type { StoredShapelet } from '../../store/catalog/shapelet.js';

/** Views whose sizes are nearer are drawn in the same size, as a share. */
export const SAME_DRAWN = 0.01;

/**
 * Size of the views of a drawing over that of the same drawing; undefined where some are not to scale, or they do not
 * agree about it.
 */
export function drawnFactor(asked: readonly StoredShapelet[], found: readonly StoredShapelet[]): number | undefined {
  const [own, other] = [asked, found].map((all) =>
    all.every(({ isToScale }) => isToScale) ? all.map(({ size }) => Math.max(...size)).sort((a, b) => b - a) : [],
  );
  if (own.length === 0 || own.length !== other.length) return undefined;
  const factor = other[0] / own[0];
  return own.every((size, i) => Math.abs(other[i] / size / factor - 1) <= SAME_DRAWN) ? factor : undefined;
}
