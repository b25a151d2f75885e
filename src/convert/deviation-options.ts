import { checkInteger, withDefaults, type Defaults, type Filled } from '../options.js';

/** Options of comparing the surfaces of two models. */
export interface DeviationOptions {
  /**
   * 16 numbers, column-major: maps the first model onto the second, mm. Default: found, see {@link
   * ModelDeviations.alignedBy}.
   */
  readonly transform?: ArrayLike<number>;
  /** Sample points on each surface, 100 to 1 000 000. Default 20 000. */
  readonly samples: number;
  /** True: also both surfaces as GLB, each vertex with its distance. Default false. */
  readonly withModel: boolean;
  readonly signal?: AbortSignal;
}

/** Distances of points of one surface from the other, mm. */
export interface DeviationFigures {
  /** Over the sample points and all corners of triangles. */
  readonly maxMm: number;
  /** Over sample points spread evenly by area, as is the next. */
  readonly meanMm: number;
  readonly rmsMm: number;
  /** 95th percentile. */
  readonly p95Mm: number;
  /**
   * How far the surface reaches out of the other model and into it at most, over the points and all corners. Null where
   * the other surface is not closed and has no inside.
   */
  readonly outsideMm: number | null;
  readonly insideMm: number | null;
}

/** How far the surfaces of two models lie from each other. */
export interface ModelDeviations {
  /**
   * How the first was aligned with the second. 'given': by the transform of the options. 'match': as the same, mirrored
   * or scaled part. 'place': as they stand in their files. 'fit': by their principal axes, then moved until the
   * surfaces are as near as possible.
   */
  readonly alignedBy: 'given' | 'match' | 'place' | 'fit';
  /** Relation of the first to the second; null for a given transform. */
  readonly matchClass: 'identical' | 'mirrored' | 'scaled' | 'similar' | null;
  /** 16 numbers, column-major, from the first model's frame to the second's, mm. */
  readonly transform: readonly number[];
  /** The larger of both directions, mm. */
  readonly maxMm: number;
  /** From the first one's surface to the second's. */
  readonly first: DeviationFigures;
  /** From the second one's surface to the first's. */
  readonly second: DeviationFigures;
}

/** {@link ModelDeviations} with both surfaces. */
export interface DeviationModel extends ModelDeviations {
  /**
   * With `withModel`: binary glTF with the nodes `first` and `second` in the second model's frame below a root in mm.
   * The attribute `_DEVIATION` of each vertex is its distance from the other surface, mm, negative inside the other
   * where that is closed. Flat faces are divided so that distances show inside them.
   */
  readonly glb?: Uint8Array;
}

/** Defaults of {@link DeviationOptions}. */
export const DEFAULT_DEVIATIONS = Object.freeze({
  transform: undefined,
  samples: 20_000,
  withModel: false,
  signal: undefined,
} satisfies Defaults<DeviationOptions>);

/** {@link DeviationOptions} after the check. */
export type CheckedDeviationOptions = Filled<Partial<DeviationOptions>, typeof DEFAULT_DEVIATIONS>;

/** Most triangles of a model in a comparison. */
export const MOST_DEVIATION_TRIANGLES = 2_000_000;

/** @throws TypeError or RangeError that names a wrong option. */
export function checkDeviationOptions(options: Partial<DeviationOptions> | undefined): CheckedDeviationOptions {
  const checked = withDefaults('deviations options', options, DEFAULT_DEVIATIONS);
  checkInteger('deviations options.samples', checked.samples, 100, 1_000_000);
  if (typeof checked.withModel !== 'boolean')
    throw new TypeError(`deviations options.withModel must be true or false, received ${String(checked.withModel)}`);
  const { transform } = checked;
  if (transform !== undefined && (transform.length !== 16 || !Array.from(transform).every(Number.isFinite))) {
    throw new RangeError(`deviations options.transform must be 16 numbers, received ${String(Array.from(transform))}`);
  }
  return checked;
}
