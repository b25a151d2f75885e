/** `m8`, `m8x1`, `m8-1`, in small letters; not those of several starts. */
const METRIC = /^m(\d+(?:\.\d+)?)(?:(?:x|-(?=[\d.]+(?![\d.A-Ha-h])))(\d+(?:\.\d+)?)(?![\d.p])|(?![\d.x]))/;
/** Diameters and pitches of coarse metric threads (ISO 261), mm: of those that state no pitch. */
const COARSE: ReadonlyMap<number, number> = new Map([
  [1, 0.25], [1.1, 0.25], [1.2, 0.25], [1.4, 0.3], [1.6, 0.35], [1.8, 0.35], [2, 0.4], [2.2, 0.45], [2.5, 0.45],
  [3, 0.5], [3.5, 0.6], [4, 0.7], [4.5, 0.75], [5, 0.8], [6, 1], [7, 1], [8, 1.25], [9, 1.25], [10, 1.5], [11, 1.5],
  [12, 1.75], [14, 2], [16, 2], [18, 2.5], [20, 2.5], [22, 2.5], [24, 3], [27, 3], [30, 3.5], [33, 3.5], [36, 4],
  [39, 4], [42, 4.5], [45, 4.5], [48, 5], [52, 5], [56, 5.5], [60, 5.5], [64, 6], [68, 6],
]); // biome-ignore format: a table
/** A longer pitch, as a share of the diameter, is none. */
const MOST_PITCH = 0.4;

/** A metric thread of one start. */
export interface MetricThread {
  readonly diameterMm: number;
  /** Of a coarse thread where it is not stated; undefined where nobody knows it: `M8x20` has the length of a screw. */
  readonly pitchMm: number | undefined;
  readonly isPitchStated: boolean;
  readonly isCoarse: boolean;
  /** What stands behind: class and hand. */
  readonly behind: string;
}

/** A metric thread as it is written in small letters without spaces, `m8x1.25-6H`; undefined for other threads. */
export function metricThread(stated: string): MetricThread | undefined {
  const found = METRIC.exec(stated);
  if (found === null) return undefined;
  const diameterMm = Number(found[1]);
  const coarse = COARSE.get(diameterMm);
  const isPitchStated = found[2] !== undefined;
  const pitch = isPitchStated ? Number(found[2]) : coarse;
  const pitchMm = pitch !== undefined && pitch <= MOST_PITCH * diameterMm ? pitch : undefined;
  const behind = stated.slice(found[0].length);
  return { diameterMm, pitchMm, isPitchStated, isCoarse: pitchMm !== undefined && pitchMm === coarse, behind };
}
