import { DisjointSets } from '../../content/groups.js';
import { componentsOf, type Bitmap, type Components } from '../../bitmap/bitmap.js';
import type { LineGraph } from '../../bitmap/skeleton.js';

/**
 * Lengths in units of 1/2400 of the page's longer side: the weight of pieces of lines up to the first is not reliable;
 * heavy lines that close nothing are kept from the second on; arrows break pieces of an outline up to the third.
 */
const SHORT = 16;
const OPEN_PIECE = 90;
const TOUCHED = 60;
/**
 * Two kinds of lines are separated if the heavier ones are heavier by this factor and have at least this share of the
 * length.
 */
const HEAVIER = 1.22;
const HEAVY_SHARE = 0.25;
/**
 * A peak of the histogram of weights has at least this share of the length in a bin of 4 %; a valley is lower than this
 * share of the adjacent peaks.
 */
const PEAK = 0.012;
const VALLEY = 0.5;
/**
 * The heaviest limit is chosen whose closed share is at most this much below the best; if the best share is below the
 * second value, outlines count as open.
 */
const CLOSED_LESS = 0.1;
const LEAST_CLOSED = 0.25;
/** Lines through arrowheads are removed from heavy ones only if at least this share of the closed length remains. */
const UNBROKEN = 0.75;

/** What is known of the lines of a page, by chain. */
interface LineTraits {
  /** Width times darkness. */
  readonly weights: Float32Array;
  /** u8: 1 for lines that are too light for an outline. */
  readonly isLight: Uint8Array;
  /** u8: 1 for lines with an arrowhead. */
  readonly arrowed: Uint8Array;
  /** u8: 1 for straight lines, as dimensions are. */
  readonly straight: Uint8Array;
}

/** What is left with one limit of weight. */
interface Attempt {
  readonly limit: number;
  /** u8[chains]: 1 for lines that are too light. */
  readonly isGone: Uint8Array;
  /** u8[chains]: 1 for lines that are too light or close nothing. */
  readonly cut: Uint8Array;
  /** Share of the length of heavy lines that is closed. */
  readonly closed: number;
}

/**
 * Chooses the lines that are part of closed outlines. Outlines are closed, whereas dimensions have free ends. Of the
 * possible limits of weight the heaviest is chosen for which nearly as large a share of the heavy lines is closed as
 * for the best.
 * @param solids dark areas, widened. @param unit 1/2400 of the page's longer side, pixels.
 * @returns u8[chains]: 1 for lines that are removed.
 */
export function closedLines(
  graph: LineGraph,
  { weights, isLight, arrowed, straight }: LineTraits,
  solids: Bitmap,
  { unit, isShaded }: { unit: number; isShaded: boolean },
): Uint8Array {
  const { chains } = graph;
  const within = isShaded ? undefined : componentsOf(solids, 8);
  const attempt = (limit: number, isSpared: boolean): Attempt => {
    // The weight of short pieces between crossings is unknown, because it includes the ink of their neighbours.
    const isGone = isLight.map((light, i) => {
      const isThin = light === 1 || (weights[i] < limit && chains[i].pixels.length > SHORT * unit);
      return isThin && !(isSpared && straight[i] === 0) ? 1 : 0;
    });
    const withArrows = isGone.slice(),
      cut = isGone.map((gone, i) => gone | arrowed[i]);
    // Dimensions of a shaded view form loops with it; an outline that belongs to it lies inside its silhouette.
    prune(graph, cut, within);
    prune(graph, withArrows, within);
    const [kept, most, all] = [cut, withArrows, isGone].map((gone) => lengthOf(graph, gone));
    // A limit has already removed lighter dimensions; arrowheads would then only break outlines that leaders touch.
    const isBroken = limit > 0 && kept < UNBROKEN * most;
    if (!isBroken) mendOutlines(graph, cut, { withArrows, arrowed, straight, shortest: TOUCHED * unit }, within);
    return { limit, isGone, cut: isBroken ? withArrows : cut, closed: all === 0 ? 0 : (isBroken ? most : kept) / all };
  };
  const tried = limitsOf(graph, weights).map((limit) => attempt(limit, false));
  const best = Math.max(...tried.map(({ closed }) => closed));
  const chosen = tried.find((candidate) => candidate.closed >= best - CLOSED_LESS) ?? tried[0];
  const { limit, isGone, closed } = chosen;
  // If hardly anything is closed, the outlines are open, and only lighter lines are removed.
  if (closed <= LEAST_CLOSED) return isGone;
  // Thin curves may close details and thin parts. They do not tell which limit is right, and open ones are leaders.
  const { cut } = limit > 0 || isLight.includes(1) ? attempt(limit, true) : chosen;
  // On pages without shading, long open pieces are leaders and frames of notes rather than thin parts.
  if (limit > 0 && isShaded) keepOpenPieces(graph, isGone, cut, { least: OPEN_PIECE * unit, solids });
  return cut;
}

/**
 * Possible limits of weight between outlines and lighter lines, descending, 0 last. Weights form peaks (grey
 * dimensions, thin and wide lines, lines so near that they merge). Limits are the valleys between two peaks above which
 * enough length is left.
 */
function limitsOf({ chains }: LineGraph, weights: Float32Array): number[] {
  const bins = 150,
    low = Math.log(0.05),
    step = Math.log(400) / bins;
  const histogram = new Float64Array(bins);
  let total = 0;
  chains.forEach(({ pixels }, i) => {
    if (pixels.length < 12 || weights[i] <= 0) return;
    histogram[Math.min(bins - 1, Math.max(0, Math.floor((Math.log(weights[i]) - low) / step)))] += pixels.length;
    total += pixels.length;
  });
  const smooth = histogram.map((_, i) =>
    [1, 2, 3, 2, 1].reduce((sum, weight, j) => sum + (weight / 9) * (histogram[i + j - 2] ?? 0), 0),
  );
  const peaks: number[] = [];
  for (let i = 1; i + 1 < bins; i++) {
    if (smooth[i] >= PEAK * total && smooth[i] >= smooth[i - 1] && smooth[i] > smooth[i + 1]) peaks.push(i);
  }
  const limits: number[] = [];
  let above = 0,
    at = bins;
  for (let upper = peaks.length - 1; upper > 0; upper--) {
    const heavier = peaks[upper],
      lighter = peaks[upper - 1];
    let valley = heavier;
    for (let i = heavier; i >= lighter; i--) if (smooth[i] < smooth[valley]) valley = i;
    while (at > valley) above += histogram[--at];
    if (above < HEAVY_SHARE * total || smooth[valley] > VALLEY * Math.min(smooth[heavier], smooth[lighter])) continue;
    if ((heavier - lighter) * step >= Math.log(HEAVIER)) limits.push(Math.exp(low + (valley + 0.5) * step));
  }
  return [...limits, 0];
}

/**
 * Restores the curved outlines that an arrow breaks: it widens the line that it touches, and all of the outline behind
 * has a free end then. Dimensions are straight, so only pieces with a curve are restored.
 * @param lines `withArrows` u8[chains], 1 for lines that are removed though arrows break nothing; `shortest`, pixels:
 * arrowed lines that are longer stay removed.
 */
function mendOutlines(
  graph: LineGraph,
  cut: Uint8Array,
  {
    withArrows,
    arrowed,
    straight,
    shortest,
  }: Pick<LineTraits, 'arrowed' | 'straight'> & { readonly withArrows: Uint8Array; readonly shortest: number },
  areas: Components | undefined,
): void {
  const { chains, nodes } = graph;
  const isOut = withArrows.map((gone, i) =>
    gone === 1 || (arrowed[i] === 1 && chains[i].pixels.length > shortest) ? 1 : 0,
  );
  prune(graph, isOut, areas);
  const joined = new DisjointSets(nodes + chains.length);
  const isBack = (chain: number): boolean => isOut[chain] === 0 && cut[chain] === 1;
  chains.forEach(({ ends }, chain) => {
    if (isBack(chain)) for (const node of ends) if (node >= 0) joined.join(node, nodes + chain);
  });
  const curved = new Set<number>();
  for (let chain = 0; chain < chains.length; chain++)
    if (isBack(chain) && straight[chain] === 0) curved.add(joined.rootOf(nodes + chain));
  for (let chain = 0; chain < chains.length; chain++)
    if (isBack(chain) && curved.has(joined.rootOf(nodes + chain))) cut[chain] = 0;
}

/**
 * Restores long heavy pieces without a closed line: outlines of thin parts, which scanning and sampling break. Pieces
 * that end at a shaded view are its dimensions and leaders.
 */
function keepOpenPieces(
  { chains, nodes }: LineGraph,
  isGone: Uint8Array,
  cut: Uint8Array,
  { least, solids }: { readonly least: number; readonly solids: Bitmap },
): void {
  const joined = new DisjointSets(nodes + chains.length);
  const pieceOf = (chain: number): number => joined.rootOf(nodes + chain);
  chains.forEach(({ ends }, chain) => {
    if (isGone[chain] === 0) for (const node of ends) if (node >= 0) joined.join(node, nodes + chain);
  });
  const lengths = new Map<number, number>(),
    closed = new Set<number>();
  chains.forEach(({ pixels }, chain) => {
    if (isGone[chain] === 1) return;
    lengths.set(pieceOf(chain), (lengths.get(pieceOf(chain)) ?? 0) + pixels.length);
    if (cut[chain] === 0 || pixels.some((at) => solids.bits[at] === 1)) closed.add(pieceOf(chain));
  });
  for (let chain = 0; chain < chains.length; chain++) {
    if (isGone[chain] === 0 && !closed.has(pieceOf(chain)) && (lengths.get(pieceOf(chain)) ?? 0) >= least)
      cut[chain] = 0;
  }
}

/**
 * Marks lines that are not part of a closed line: those with a free end, and bridges between closed lines, such as
 * leaders and centre lines. Solid areas, if given, count as nodes. A line is kept if other lines connect its two ends
 * (Tarjan 1974).
 */
function prune({ chains, nodes }: LineGraph, isGone: Uint8Array, areas?: Components): void {
  const nodeAt = (pixel: number, node: number): number =>
    areas !== undefined && areas.labels[pixel] > 0 ? nodes + areas.labels[pixel] : node;
  const nodesInAll = nodes + (areas?.list.length ?? 0);
  const links: { chain: number; to: number }[][] = Array.from({ length: nodesInAll }, () => []);
  chains.forEach(({ pixels, ends, isLoop }, chain) => {
    if (isGone[chain] === 1 || isLoop) return;
    const from = nodeAt(pixels[0], ends[0]),
      to = nodeAt(pixels[pixels.length - 1], ends[1]);
    if (from < 0 || to < 0) {
      isGone[chain] = 1;
      return;
    }
    if (from === to) return;
    links[from].push({ chain, to });
    links[to].push({ chain, to: from });
  });
  const order = new Int32Array(links.length),
    lowest = new Int32Array(links.length);
  let visited = 0;
  for (let root = 0; root < links.length; root++) {
    if (order[root] > 0) continue;
    order[root] = lowest[root] = ++visited;
    const path = [{ node: root, by: -1, next: 0 }];
    while (path.length > 0) {
      const step = path[path.length - 1];
      if (step.next < links[step.node].length) {
        const { chain, to } = links[step.node][step.next++];
        if (chain === step.by) continue;
        if (order[to] > 0) {
          lowest[step.node] = Math.min(lowest[step.node], order[to]);
          continue;
        }
        order[to] = lowest[to] = ++visited;
        path.push({ node: to, by: chain, next: 0 });
        continue;
      }
      path.pop();
      if (path.length === 0) continue;
      const above = path[path.length - 1].node;
      lowest[above] = Math.min(lowest[above], lowest[step.node]);
      if (lowest[step.node] > order[above]) isGone[step.by] = 1;
    }
  }
}

function lengthOf({ chains }: LineGraph, isGone: Uint8Array): number {
  return chains.reduce((sum, { pixels }, i) => sum + (isGone[i] === 1 ? 0 : pixels.length), 0);
}
