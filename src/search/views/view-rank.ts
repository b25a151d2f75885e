import type { Core } from '../../core/core.js';
import type { Vector3 } from '../../core/mass.js';
import { FLAGS_AT, compareViews } from '../../core/views.js';
import { pickViews, VIEW_BYTES, VIEW_FLAG, viewFacts } from '../../descriptors/views.js';
import { shownIn, type ShownViews, type SomeViews } from './bare-views.js';
import { longerSide, proportionsApart, scaleApart } from './drawn-sizes.js';
import { PageBox } from './page-box.js';
import { matchViews, weightsOf, type ViewMatch } from './match-views.js';

/** Query views: of one drawing, image, sketch or model. */
export interface ViewsQuery {
  /** From `describeViews`. */
  readonly views: Uint8Array;
  /** Numbers written on the drawing, mm. */
  readonly numbersMm?: readonly number[];
  /** Extents of the model's box, mm. */
  readonly extentsMm?: Vector3;
}

/** A file to be ranked. */
export interface ViewsCandidate {
  readonly views: Uint8Array;
  readonly numbersMm?: readonly number[];
  readonly extentsMm?: Vector3;
  /**
   * For a drawing or image that a model is compared with: distance of an ordinary view from each of its views; see
   * `OrdinaryViews`.
   */
  readonly ordinary?: Float32Array;
  /**
   * For each query, distances of its views, by their numbers, that were measured by their lines and take the place of
   * those of the descriptors.
   */
  readonly measured?: readonly ReadonlyMap<number, number>[];
}

/** The score of a candidate. */
export interface ViewScore {
  /** 0: the same shape; lower is nearer; unrelated candidates have about 1 or more. */
  readonly score: number;
  /** The most similar pair of views: index in the query's views and in the candidate's. */
  readonly queryView: number;
  readonly view: number;
  /** Clockwise quarter turns of the query's view that align it with the candidate's. */
  readonly turn: number;
  /**
   * Of two drawings or pictures: how the proportions of their views differ, see `proportionsApart`; of a drawing and a
   * model: how their sizes do, see `scaleApart`.
   */
  readonly sizesApart?: number;
}

/** Added to distances before the logarithm: the distance between two pictures of one view. */
const NOISE = 0.02;
/**
 * Rank of the candidate whose distance counts as ordinary for a view, and the distance used with too few candidates.
 */
const ORDINARY_RANK = 11;
const ORDINARY = 0.15;
/** Least distance that is ordinary of the views of pages together: among sheets of one family none is unlike. */
const LEAST_OF_PAGES = 0.05;
/** Weight of finding all three extents among the numbers of a drawing. */
const DIMENSION_WEIGHT = 0.35;
/** Relative deviation at which a number counts 61 % for an extent. */
const DIMENSION_SPREAD = 0.01;

/**
 * For a model as query: exponent of the number of a drawing's views, and their usual number. With exponents from 0.5 to
 * 1, 54 to 55 of 60 models found their drawing first; with 0, 53.
 */
const VIEWS_POWER = 0.75;
const USUAL_VIEWS = 3;
/** Cost of a model that is too short to be broken, for a drawing that shows a break. */
const NOT_LONG = 0.5;
/** Cost of a model for views that are cut off: nothing says what their rest is like. */
const CUT_OFF = 0.47;
/**
 * Cost of a model that is shown shortened, for a drawing without a break: where it states no numbers, and where it
 * states some, but not the model's length. Most such drawings show a whole part; on some a break is not seen.
 */
const UNMARKED = 0.16;
const UNSTATED = 0.5;
/** Share of the cost of a box that counts for a model as query: details and sections do not fit the own box either. */
const BOX_FOR_MODEL = 0.7;
/** Cost of views of which strands are left out, and the least score of what is like the rest. */
const STRANDS_LEFT_OUT = 0.5;
const LEAST_BARE = 0.02;
/**
 * Cost of leaving out the one view of a page that has no counterpart on another, and the least score of what is like
 * the rest; the least number of views of which one may be left out, and the least share of the rest.
 */
const ONE_LEFT_OUT = 0.5;
const LEAST_OF_REST = 0.02;
const LEAST_VIEWS = 3;
const LEAST_LEFT = 0.5;
/** Weight of a view that is farther than an ordinary one. */
const FOUND_NOTHING = 0.2;
/**
 * Cost of views of one page that do not share a scale: weight of the deviation of the logarithm, and its upper bound.
 */
const SCALE_WEIGHT = 1;
const MOST_SCALE_DEVIATION = 0.4;
/** Number of largest views that are tried as the reference of the common scale. */
const SCALE_VIEWS = 8;

/** The nearest view that one scoring view found in a file. */
interface Pair extends ViewMatch {
  /** Distance of an ordinary file. */
  readonly ordinary: number;
  readonly weight: number;
  readonly queryView: number;
}

/**
 * Scores candidates by their views. The views of drawings and pictures are the scoring ones, those of models are only
 * compared with: each scoring view counts by the logarithm of its distance to the nearest view of the other side
 * divided by that of an ordinary file, larger views more; with a model as query, the number of a drawing's views counts
 * as well. A drawing shows a long model whole or broken off; the better of both counts. Numbers on a drawing that equal
 * extents of a model raise its score; missing ones have no effect. With a drawing as query, the views found by views of
 * one page should share one scale, as those views do. Returns a score for each candidate, in their order; Infinity when
 * one side has no views.
 */
export function rankViews(core: Core, query: ViewsQuery, candidates: readonly ViewsCandidate[]): ViewScore[] {
  return rankInputs(core, [query], candidates)[0];
}

/**
 * For each of several queries, the scores of all candidates; see {@link rankViews}. Queries with one view show one
 * side of the part each, so they are matched by different views of a candidate; one for which no view is left scores
 * Infinity.
 */
export function rankInputs(
  core: Core,
  queries: readonly ViewsQuery[],
  candidates: readonly ViewsCandidate[],
): ViewScore[][] {
  const shown = queries.map(({ views }) => (isOfModel(views) ? undefined : shownIn(views)));
  const wholes = queries.map((query, k) => ({ ...query, views: shown[k]?.whole.views ?? query.views }));
  return rankShown(core, wholes, candidates).map((scores, k) => {
    const own = shown[k];
    if (own === undefined) return scores;
    const [bare] = rankShown(core, [{ ...queries[k], views: own.bare.views }], candidates.map(withoutMeasured));
    return scores.map((score, i) =>
      nearer(
        { ...score, queryView: own.whole.numbers[score.queryView] },
        { ...bare[i], queryView: own.bare.numbers[bare[i].queryView] },
      ),
    );
  });
}

function withoutMeasured({ measured: _, ...candidate }: ViewsCandidate): ViewsCandidate {
  return candidate;
}

/** The better of what is like the views as they are drawn, and what is like them without their strands. */
function nearer(whole: ViewScore, bare: ViewScore): ViewScore {
  const score = Math.max(LEAST_BARE, Math.exp(STRANDS_LEFT_OUT) * bare.score);
  return score < whole.score ? { ...bare, score } : whole;
}

/** See {@link rankInputs}; of drawn queries all views are compared. */
function rankShown(core: Core, queries: readonly ViewsQuery[], candidates: readonly ViewsCandidate[]): ViewScore[][] {
  // A drawing shows a long part either whole or broken off, in all of its views.
  const whole = candidates.map(({ views }) => (isOfModel(views) ? wholeViews(views) : undefined));
  const again = [...whole.keys()].filter((i) => whole[i] !== undefined);
  const drawn = queries.filter(({ views }) => !isOfModel(views));
  const matches = matchViews(
    core,
    drawn.map(({ views }) => views),
    [...candidates.map(({ views }) => views), ...again.map((i) => whole[i]!.views)],
  ).values();
  return queries.map((query, k) => {
    if (isOfModel(query.views)) return scoresOfModel(core, query, candidates);
    const found = [...candidates.keys(), ...again].map((i) => candidates[i].measured?.[k]);
    const pairs = spokenByQuery(query, measuredIn(matches.next().value!, found), candidates.length);
    const isBroken = hasBreak(query.views);
    const cut = isCut(query.views) ? CUT_OFF : 0;
    const box = isBroken ? undefined : new PageBox(query.views);
    const costs = candidates.map(({ views, extentsMm }, i) => {
      if (!isOfModel(views)) return 0;
      if (box === undefined) return cut + (whole[i] === undefined ? NOT_LONG : 0);
      return cut + (extentsMm === undefined ? 0 : box.costOf(extentsMm));
    });
    // What is shown broken off has other sides than the box; shown whole it is scored below.
    const scores = candidates.map((candidate, i) =>
      scoreWith(
        query,
        pairs[i],
        candidate,
        !isBroken && showsBreak(candidate.views, pairs[i]) ? cut + unmarkedCost(query, candidate) : costs[i],
      ),
    );
    for (const [place, i] of again.entries()) {
      if (isBroken) break;
      const { numbers } = whole[i]!;
      const own = scoreWith(
        query,
        pairs[candidates.length + place].map((pair) => ({ ...pair, view: numbers[pair.view] })),
        candidates[i],
        costs[i],
      );
      if (own.score < scores[i].score) scores[i] = own;
    }
    return scores;
  });
}

/** The matches with the distances that were measured by lines. */
function measuredIn(
  matches: readonly (readonly ViewMatch[])[],
  measured: readonly (ReadonlyMap<number, number> | undefined)[],
): readonly (readonly ViewMatch[])[] {
  return matches.map((own, i) => {
    const by = measured[i];
    return by === undefined ? own : own.map((match, view) => ({ ...match, distance: by.get(view) ?? match.distance }));
  });
}

/** The scores of all candidates for a model as query. */
function scoresOfModel(core: Core, query: ViewsQuery, candidates: readonly ViewsCandidate[]): ViewScore[] {
  const shown = candidates.map(({ views }) => (isOfModel(views) ? undefined : shownIn(views)));
  const withBare = [...shown.keys()].filter((i) => shown[i] !== undefined);
  const asked = [
    ...candidates.map((candidate, i) => someOf(candidate, shown[i]?.whole)),
    ...withBare.map((i) => someOf(candidates[i], shown[i]!.bare)),
  ];
  const found = spokenByCandidates(core, query, asked).map((pairs, i): ViewScore => {
    const cues = DIMENSION_WEIGHT * agreementOf(query, asked[i]) - boxCostOf(query, asked[i], pairs);
    const shown = pairs.map(({ queryView, view, weight }) => ({ drawn: view, shown: queryView, weight }));
    return { ...spokenScoreOf(pairs, cues), sizesApart: modelApart(asked[i], query, shown) };
  });
  const scores = found.slice(0, candidates.length);
  for (const [place, i] of withBare.entries()) {
    const { whole, bare } = shown[i] as ShownViews;
    const [own, alone] = [scores[i], found[candidates.length + place]];
    scores[i] = nearer({ ...own, view: whole.numbers[own.view] }, { ...alone, view: bare.numbers[alone.view] });
  }
  return scores;
}

/**
 * Cost of a drawing whose views are not sides of the model's box. A drawing that is cut off or has a break shows less
 * of it; one without a mark may as well, so the boxes of the shortened views that were found count too.
 */
function boxCostOf({ views: shown, extentsMm }: ViewsQuery, { views }: ViewsCandidate, pairs: readonly Pair[]): number {
  if (extentsMm === undefined || hasBreak(views) || isCut(views)) return 0;
  const page = new PageBox(views);
  const [least, middle] = [...extentsMm].sort((a, b) => a - b);
  const shortened = pairs.filter(({ queryView }) => isBroken(shown, queryView));
  const costs = [
    page.costOf(extentsMm),
    ...shortened.map(({ queryView }) => page.costOf([longerSide(shown, queryView), middle, least])),
  ];
  return BOX_FOR_MODEL * Math.min(...costs);
}

/** A candidate with some of its views. some: absent: all. */
function someOf(candidate: ViewsCandidate, some: SomeViews | undefined): ViewsCandidate {
  if (some === undefined) return candidate;
  const { ordinary } = candidate;
  return {
    ...candidate,
    views: some.views,
    ...(ordinary === undefined ? {} : { ordinary: Float32Array.from(some.numbers, (i) => ordinary[i]) }),
  };
}

/**
 * The score of a candidate for a drawing or picture as query. For a model as query the cue of the common scale was
 * dropped, because it counted against drawings with many views (first 88 % -> 85 %).
 */
function scoreWith(query: ViewsQuery, pairs: readonly Pair[], candidate: ViewsCandidate, cost: number): ViewScore {
  const cues =
    -cost +
    DIMENSION_WEIGHT * agreementOf(query, candidate) -
    SCALE_WEIGHT * scaleDeviation(query.views, candidate.views, pairs);
  if (isOfModel(candidate.views)) {
    const shown = pairs.map(({ queryView, view, weight }) => ({ drawn: queryView, shown: view, weight }));
    return { ...scoreOf(pairs, cues, 0), sizesApart: modelApart(query, candidate, shown) };
  }
  const scored = (own: readonly Pair[], of: number): ViewScore => ({
    ...scoreOf(own, of, LEAST_OF_PAGES),
    sizesApart: proportionsApart(query.views, candidate.views, own),
  });
  const whole = scored(pairs, cues);
  // Views of pictures are found less exactly, so that any of them may be the farthest.
  const areDrawn = query.numbersMm !== undefined && candidate.numbersMm !== undefined;
  const most = areDrawn ? withoutFarthest(pairs) : undefined;
  if (most === undefined) return whole;
  const rest = scored(most, -cost - SCALE_WEIGHT * scaleDeviation(query.views, candidate.views, most));
  const score = Math.max(LEAST_OF_REST, Math.exp(ONE_LEFT_OUT) * rest.score);
  return score < whole.score ? { ...rest, score } : whole;
}

/**
 * All views of a page but the one that is farthest from any of another page, which may not show that side: an isometric
 * view more on a sheet is no other part. Undefined where fewer than two would be left, or it is half of all.
 */
function withoutFarthest(pairs: readonly Pair[]): Pair[] | undefined {
  if (pairs.length < LEAST_VIEWS) return undefined;
  const farthest = pairs.reduce((far, pair) => (pair.distance > far.distance ? pair : far));
  const left = 1 - farthest.weight;
  if (left < LEAST_LEFT) return undefined;
  return pairs.filter((pair) => pair !== farthest).map((pair) => ({ ...pair, weight: pair.weight / left }));
}

/** How the sizes of a drawing and a model differ: of what is cut off, or broken off, they are not known. */
function modelApart(
  { views, numbersMm = [] }: ViewsCandidate,
  model: ViewsCandidate,
  shown: Parameters<typeof scaleApart>[3],
): number {
  if (hasBreak(views) || isCut(views) || shown.some((pair) => isBroken(model.views, pair.shown))) return 0;
  return scaleApart(views, numbersMm, model.views, shown);
}

/** Cost of a model whose shortened views are like those of a page that shows no break. */
function unmarkedCost({ numbersMm = [] }: ViewsQuery, { extentsMm }: ViewsCandidate): number {
  if (numbersMm.length === 0 || extentsMm === undefined) return UNMARKED;
  return UNSTATED * (1 - statedness(numbersMm, Math.max(...extentsMm)));
}

/** Whether one of the views that were found has a break. */
function showsBreak(views: Uint8Array, pairs: readonly Pair[]): boolean {
  return pairs.some(({ view }) => isBroken(views, view));
}

function isBroken(views: Uint8Array, index: number): boolean {
  return (views[index * VIEW_BYTES + FLAGS_AT] & VIEW_FLAG.BROKEN) !== 0;
}

function hasBreak(views: Uint8Array): boolean {
  for (let i = 0; i < views.length / VIEW_BYTES; i++) if (isBroken(views, i)) return true;
  return false;
}

/** Whether the only view, or the first and largest one, is cut off. */
function isCut(views: Uint8Array): boolean {
  return views.length > 0 && (views[FLAGS_AT] & VIEW_FLAG.CUT) !== 0;
}

/** The unbroken views of a model, with their indices; undefined if all views are unbroken. */
function wholeViews(
  views: Uint8Array,
): { readonly views: Uint8Array; readonly numbers: readonly number[] } | undefined {
  const count = views.length / VIEW_BYTES,
    numbers: number[] = [];
  for (let i = 0; i < count; i++) if (!isBroken(views, i)) numbers.push(i);
  if (numbers.length === count) return undefined;
  return { views: pickViews(views, numbers), numbers };
}

/**
 * The score of a candidate for a drawing or picture. cues: logarithm of the factor by which other evidence lowers it.
 * least: distance of ordinary views, together, below which it does not go.
 */
function scoreOf(pairs: readonly Pair[], cues: number, least: number): ViewScore {
  if (pairs.length === 0) return NOTHING;
  let told = 0,
    usual = 0;
  for (const { weight, distance, ordinary } of pairs) {
    told += weight * Math.log(distance + NOISE);
    usual += weight * Math.log(ordinary + NOISE);
  }
  usual = Math.max(usual, Math.log(least + NOISE));
  // NOISE is subtracted so that distance 0 gives score 0.
  return {
    score: isSame(pairs) ? 0 : Math.max(0, (Math.exp(told - cues) - NOISE) / (Math.exp(usual) - NOISE)),
    ...bestOf(pairs),
  };
}

/**
 * The score of a drawing for a model as query. Ordinary distances differ between drawings, so only ratios can be
 * compared. Views without a match (details, views of another part) count little, and several matching views count more
 * than one.
 */
function spokenScoreOf(pairs: readonly Pair[], cues: number): ViewScore {
  if (pairs.length === 0) return NOTHING;
  let told = 0,
    squares = 0;
  for (const { weight, distance, ordinary } of pairs) {
    const ratio = Math.log((distance + NOISE) / (ordinary + NOISE));
    told += weight * (ratio > 0 ? FOUND_NOTHING * ratio : ratio);
    squares += weight ** 2;
  }
  return {
    score: isSame(pairs) ? 0 : Math.exp(told * (1 / squares / USUAL_VIEWS) ** VIEWS_POWER - cues),
    ...bestOf(pairs),
  };
}

const NOTHING: ViewScore = Object.freeze({ score: Infinity, queryView: 0, view: 0, turn: 0 });

function isSame(pairs: readonly Pair[]): boolean {
  return pairs.every(({ distance }) => distance <= 0);
}

function bestOf(pairs: readonly Pair[]): Pick<ViewScore, 'queryView' | 'view' | 'turn'> {
  const { queryView, view, turn } = pairs.reduce((best, pair) => (pair.distance < best.distance ? pair : best));
  return { queryView, view, turn };
}

/**
 * matches: of all views of the query in each file. Only the first `count` files influence the ordinary distances; the
 * others are variants of some of them.
 */
function spokenByQuery({ views }: ViewsQuery, matches: readonly (readonly ViewMatch[])[], count: number): Pair[][] {
  const weights = weightsOf(views);
  const ordinary = weights.map((_, view) =>
    ordinaryOf(matches.slice(0, count).flatMap((own) => (own.length === 0 ? [] : [own[view].distance]))),
  );
  return matches.map((own) =>
    own.map((match, view) => ({ ...match, queryView: view, weight: weights[view], ordinary: ordinary[view] })),
  );
}

/** For each view of each candidate, the nearest view of the query, which is a model. */
function spokenByCandidates(core: Core, query: ViewsQuery, candidates: readonly ViewsCandidate[]): Pair[][] {
  const all = new Uint8Array(candidates.reduce((sum, { views }) => sum + views.length, 0));
  let end = 0;
  for (const { views } of candidates) {
    all.set(views, end);
    end += views.length;
  }
  const found = compareViews(core, all, [query.views], VIEW_BYTES);
  let first = 0;
  return candidates.map(({ views, ordinary }) => {
    const own = first;
    first += views.length / VIEW_BYTES;
    return weightsOf(views).map((weight, view) => ({
      weight,
      distance: 1 - found.likeness[own + view],
      ordinary: ordinary?.[view] ?? ORDINARY,
      view,
      queryView: found.rows[own + view],
      // The candidate's view was turned; the opposite turn applies to the query's.
      turn: (4 - found.turns[own + view]) % 4,
    }));
  });
}

function isOfModel(views: Uint8Array): boolean {
  return views.length > 0 && (viewFacts(views, 0).flags & VIEW_FLAG.CAMERA) !== 0;
}

function ordinaryOf(distances: readonly number[]): number {
  if (distances.length < ORDINARY_RANK) return ORDINARY;
  return Math.max(NOISE, Float64Array.from(distances).sort()[ORDINARY_RANK - 1]);
}

/**
 * Deviation of the views of a page from a common scale, given the views that they found: the weighted mean deviation of
 * the logarithms of their scales from that of the best reference view, each at most 0.4. Only views on the page of the
 * largest view count.
 */
function scaleDeviation(query: Uint8Array, candidate: Uint8Array, pairs: readonly Pair[]): number {
  const drawn = [...pairs].sort((a, b) => b.weight - a.weight);
  const pageOf = ({ queryView }: Pair): number => viewFacts(query, queryView).page;
  const own = drawn.filter((pair) => pageOf(pair) === pageOf(drawn[0]));
  if (own.length < 2) return 0;
  const scales = own.map(({ queryView, view }) => Math.log(longerSide(query, queryView) / longerSide(candidate, view)));
  let least = Infinity;
  for (const shared of scales.slice(0, SCALE_VIEWS)) {
    least = Math.min(
      least,
      own.reduce(
        (sum, { weight }, i) => sum + weight * Math.min(MOST_SCALE_DEVIATION, Math.abs(scales[i] - shared)),
        0,
      ),
    );
  }
  return least;
}

/** 0 to 1: agreement of the extents of the model with the numbers of the drawing. */
function agreementOf(a: ViewsQuery, b: ViewsCandidate): number {
  const numbers = a.extentsMm === undefined ? a.numbersMm : b.numbersMm;
  const extents = a.extentsMm ?? b.extentsMm;
  if (numbers === undefined || extents === undefined) return 0;
  return extents.reduce((sum, extent) => sum + statedness(numbers, extent) / 3, 0);
}

/** How well one of some numbers agrees with an extent, 0 to 1. */
function statedness(numbers: readonly number[], extent: number): number {
  let best = 0;
  for (const number of numbers)
    best = Math.max(best, Math.exp(-0.5 * (Math.log(number / extent) / DIMENSION_SPREAD) ** 2));
  return best;
}
