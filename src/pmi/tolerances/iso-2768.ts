/** Classes of ISO 2768-1: fine, medium, coarse, very coarse. */
export type GeneralClass = 'f' | 'm' | 'c' | 'v';

/** Ends of the ranges of sizes, mm (ISO 2768-1, tables 1 and 2); sizes below the least have no general tolerance. */
const LEAST = 0.5;
const LENGTHS = [3, 6, 30, 120, 400, 1000, 2000, 4000] as const;
const EDGES = [3, 6, Infinity] as const;
/** Half widths, mm; NaN: no tolerance is given. */
const OF_LENGTHS: Readonly<Record<GeneralClass, readonly number[]>> = {
  f: [0.05, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, Number.NaN],
  m: [0.1, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 2],
  c: [0.2, 0.3, 0.5, 0.8, 1.2, 2, 3, 4],
  v: [Number.NaN, 0.5, 1, 1.5, 2.5, 4, 6, 8],
};
const OF_EDGES: Readonly<Record<GeneralClass, readonly number[]>> = {
  f: [0.2, 0.5, 1],
  m: [0.2, 0.5, 1],
  c: [0.4, 1, 2],
  v: [0.4, 1, 2],
};

/**
 * Half of the general tolerance of a size without one of its own, mm, by ISO 2768-1:1989; undefined where the standard
 * gives none. Of angles see {@link generalAngles}.
 * @param isEdge a radius of an edge or the height of a chamfer (table 2), else a length (table 1).
 */
export function generalTolerance(nominal: number, name: GeneralClass, isEdge: boolean): number | undefined {
  if (!(nominal >= LEAST)) return undefined;
  const [ends, halves] = isEdge ? [EDGES, OF_EDGES[name]] : [LENGTHS, OF_LENGTHS[name]];
  const half = halves[(ends as readonly number[]).findIndex((end) => nominal <= end)];
  return half === undefined || Number.isNaN(half) ? undefined : half;
}

/** Half widths of angles, degrees, for shorter sides up to 10, 50, 120, 400 mm and above (table 3). */
const OF_ANGLES: Readonly<Record<GeneralClass, readonly number[]>> = {
  f: [1, 1 / 2, 1 / 3, 1 / 6, 1 / 12],
  m: [1, 1 / 2, 1 / 3, 1 / 6, 1 / 12],
  c: [3 / 2, 1, 1 / 2, 1 / 4, 1 / 6],
  v: [3, 2, 1, 1 / 2, 1 / 3],
};

/** Half of the general tolerances of angles by the range of their shorter side, degrees: from short to long ones. */
export function generalAngles(name: GeneralClass): readonly number[] {
  return OF_ANGLES[name];
}
