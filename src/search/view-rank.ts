import type { Core } from '../core/core.js';
import type { Vector3 } from '../core/mass.js';
import { compareViews } from '../core/views.js';
import { VIEW_BYTES, viewFacts } from '../descriptors/views.js';

/** Views to search with: of one drawing, image, sketch or model, or of several files that show one part. */
export interface ViewsQuery {
  /** As `describeViews` makes them. */
  readonly views: Uint8Array;
  /** Numbers written on the drawing, mm. */
  readonly numbersMm?: readonly number[];
  /** Extents of the model's box, mm. */
  readonly extentsMm?: Vector3;
}

/** A file to be ranked; the same parts as {@link ViewsQuery}. */
export interface ViewsCandidate {
  readonly views: Uint8Array;
  readonly numbersMm?: readonly number[];
  readonly extentsMm?: Vector3;
}

/** How near a candidate is. */
export interface ViewScore {
  /** 0: the same shape; lower is nearer; unrelated ones are about 1 or more. */
  readonly score: number;
  /** The pair of views that are most alike: index in the query's views and in the candidate's. */
  readonly queryView: number;
  readonly view: number;
  /** By how many quarters the query's view was turned clockwise to lie like the candidate's. */
  readonly turn: number;
}

/** Keeps the logarithm of a distance within bounds: the error of two pictures of one view. */
const NOISE = 0.02;
/** The distance of a view that is ordinary among the candidates: its rank, and what stands for it among too few. */
const ORDINARY_RANK = 11;
const ORDINARY = 0.15;
/** What all three extents found among the numbers of a drawing are worth. */
const DIMENSION_WEIGHT = 0.35;
/** Relative deviation at which a number speaks for an extent at 61 %. */
const DIMENSION_SPREAD = 0.01;

/**
 * Scores candidates by their views. Drawings and pictures speak: each of their views counts by the logarithm of its distance to the other side's
 * nearest view over an ordinary one's, larger views more. A model as query is asked by each candidate in turn.
 * Returns a score for each candidate, in their order; candidates or queries without views score Infinity.
 */
export function rankViews(core: Core, query: ViewsQuery, candidates: readonly ViewsCandidate[]): ViewScore[] {
  const count = query.views.length / VIEW_BYTES;
  const files = candidates.length;
  const pairs = compareViews(core, query.views, candidates.map(({ views }) => views), VIEW_BYTES);
  const distances = Float64Array.from(pairs.likeness, (likeness) => 1 - likeness);
  const weights = weightsOf(query.views);
  const ordinary = Array.from({ length: count }, (_, view) => ordinaryOf(distances.subarray(view * files, (view + 1) * files)));
  const scale = ordinary.reduce((product, distance, view) => product * (distance + NOISE) ** weights[view], 1);
  return candidates.map((candidate, file) => {
    if (count === 0 || candidate.views.length === 0) return { score: Infinity, queryView: 0, view: 0, turn: 0 };
    let product = 1;
    let queryView = 0;
    for (let view = 0; view < count; view++) {
      const distance = distances[view * files + file];
      product *= (distance + NOISE) ** weights[view];
      if (distance < distances[queryView * files + file]) queryView = view;
    }
    const told = product * Math.exp(-DIMENSION_WEIGHT * agreementOf(query, candidate));
    const at = queryView * files + file;
    return { score: Math.max(0, (told - NOISE) / (scale - NOISE)), queryView, view: pairs.rows[at], turn: pairs.turns[at] };
  });
}

/** Shares of the views in the whole: by the root of their boxes' areas. */
function weightsOf(views: Uint8Array): number[] {
  const roots = Array.from({ length: views.length / VIEW_BYTES }, (_, i) => {
    const { width, height } = viewFacts(views, i);
    return Math.sqrt(Math.max(width * height, 1e-12));
  });
  const sum = roots.reduce((total, root) => total + root, 0);
  return roots.map((root) => (sum > 0 ? root / sum : 1 / roots.length));
}

function ordinaryOf(distances: Float64Array): number {
  if (distances.length < ORDINARY_RANK) return ORDINARY;
  return Math.max(0.01, Float64Array.from(distances).sort()[ORDINARY_RANK - 1]);
}

/** 0 to 1: how well the extents of the model are found among the numbers of the drawing. */
function agreementOf(a: ViewsQuery, b: ViewsCandidate): number {
  const numbers = a.numbersMm ?? b.numbersMm;
  const extents = a.numbersMm === undefined ? a.extentsMm : b.extentsMm;
  if (numbers === undefined || extents === undefined) return 0;
  let sum = 0;
  for (const extent of extents) {
    let best = 0;
    for (const number of numbers) best = Math.max(best, Math.exp(-0.5 * (Math.log(number / extent) / DIMENSION_SPREAD) ** 2));
    sum += best / 3;
  }
  return sum;
}
