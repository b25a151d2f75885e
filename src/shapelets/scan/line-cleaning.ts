import { gapBetween, longerSide } from '../../content/geometry.js';
import { DisjointSets, medianOf } from '../../content/groups.js';
import type { Ink } from '../../bitmap/binarise.js';
import {
  bitmapOf,
  both,
  componentBits,
  componentsOf,
  dilate,
  either,
  erode,
  fillHoles,
  count,
  open,
  without,
  type Bitmap,
  type PixelBox,
} from '../../bitmap/bitmap.js';
import { drawingArea } from '../../bitmap/drawing-area.js';
import { thin, traceLines, type LineGraph } from '../../bitmap/skeleton.js';
import { joinedAtBreaks } from './break-ends.js';
import { shadedBodies, type Shading } from './shading.js';

/** Sizes in units of 1/2400 of the page's longer side: 0.18 mm on A3, 0.12 mm on A4. */
const SIZE = Object.freeze({
  /** Dark areas thinner than this are lines. */
  solid: 8,
  /** Solid areas that are smaller in both directions are arrowheads and bold letters. */
  solidLeast: 40,
  /** Largest letters. */
  letter: 60,
  /** Longest arrowheads. */
  arrow: 48,
  /** The weight of pieces of lines up to this length is not reliable. */
  short: 16,
  /** Heavy lines that close nothing are kept if they are at least this long. */
  openPiece: 90,
  /** Least size of an isolated circle that is a view. */
  ring: 26,
});
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
/** Pixels inside shading that are at least this dark belong to it. */
const PINHOLE = 7;
/** A page with a larger share of solid ink has shaded views. */
const SHADED = 0.2;
/** On shaded views, outlines are darker than this share of the darkest pixels. */
const VIEW_DARKNESS = 0.64;
/** Cosine of the largest angle between two lines of which one continues the other. */
const STRAIGHT_ON = Math.cos((12 * Math.PI) / 180);

/** What remains of a page when everything but the parts is removed. */
export interface CleanLines {
  /** Outlines and visible edges, one or more pixels wide. */
  readonly lines: Bitmap;
  /** Dark areas; on a page with shaded views the silhouettes of these. */
  readonly solids: Bitmap;
  /** Of a page with shaded views; undefined on other pages. */
  readonly shading: Shading | undefined;
  readonly isFramed: boolean;
  /** Share of ink that is solid, 0 to 1. */
  readonly solidShare: number;
  /** Width of typical lines, pixels. */
  readonly lineWidth: number;
  /** Small pieces that are probably letters. */
  readonly letters: Bitmap;
  /** All ink within the frame, from which lines, solids and letters were chosen. */
  readonly inside: Bitmap;
}

/**
 * Removes frame, tables, letters, dimensions, leaders and centre lines from a page. Lines are thinned and traced
 * between nodes. Of two kinds of weight (width times darkness), the heavier one belongs to the part. Lines with an
 * arrowhead are removed, then all lines with a free end.
 */
export function cleanLines(page: Ink): CleanLines {
  const { width, height, ink } = page;
  const unit = Math.max(width, height) / 2400;
  const bold = open(ink, Math.round(14 * unit));
  const { area, isFramed } = drawingArea(without(ink, bold), unit);
  const inside = both(ink, area);
  const cores = largeSolids(inside, page.darkness, unit);
  const solidShare = count(cores) / Math.max(1, count(inside));
  const isShaded = solidShare > SHADED;
  const solids = isShaded ? shadedBodies(page, inside, cores, unit) : cores;
  const lineInk = without(inside, dilate(solids, 1));
  const pieces = componentsOf(lineInk, 8);
  const isLetter = lettersOf(lineInk, pieces.list, pieces.labels, unit);
  const letters = componentBits(lineInk, pieces, (_, number) => isLetter[number] === 1);
  const drawn = without(lineInk, letters);
  const skeleton = thin(closeGaps(drawn, 1));
  const graph = traceLines(skeleton);
  const weights = weightsOf(graph, page, skeleton, unit);
  const lineWidth = Math.max(1, count(drawn) / Math.max(1, count(skeleton)));
  const isLight = isShaded ? lighterThanViews(graph, page, solids) : new Uint8Array(graph.chains.length);
  const arrowed = dimensionLines(graph, drawn, unit);
  const chosen = closedLines(joinedAtBreaks(graph, width, unit), { weights, isLight, arrowed }, dilate(solids, 4), {
    unit,
    isShaded,
  });
  const lines = inkOf(graph, chosen, drawn, lineWidth);
  const shading = isShaded ? page : undefined;
  return { lines, solids, shading, isFramed, solidShare, lineWidth, letters, inside };
}

/** Dark areas that are not lines, arrowheads or letters. */
function largeSolids(ink: Bitmap, darkness: Uint8Array, unit: number): Bitmap {
  // The radius exceeds half the width of a typical line.
  const radius = Math.max(
    3,
    Math.round((SIZE.solid * unit) / 2),
    Math.min(Math.round(SIZE.solid * 0.75 * unit), Math.ceil(0.6 * typicalWidth(ink, unit))),
  );
  // Faint shading of scans has pinholes, which are not quite as light as paper.
  const closed = closeGaps(ink, Math.max(1, Math.round(2 * unit)));
  for (let i = 0; i < darkness.length; i++) if (darkness[i] < PINHOLE) closed.bits[i] = ink.bits[i];
  const cores = open(closed, radius);
  const found = componentsOf(cores, 8);
  const least = SIZE.solidLeast * unit;
  return componentBits(cores, found, ({ box, area }) => longerSide(box) >= least && area > 0.25 * least * least);
}

/** Median width of lines, sampled at pixels of ink; anything as wide as the length of an arrowhead is not a line. */
function typicalWidth(ink: Bitmap, unit: number): number {
  const { bits, width } = ink;
  const most = SIZE.arrow * unit,
    found: number[] = [];
  for (let i = bits.indexOf(1), seen = 0; i >= 0; i = bits.indexOf(1, i + 1), seen++) {
    if (seen % 37 !== 0 || i < width || i >= bits.length - width) continue;
    const wide = strokeWidth(ink, i, most);
    if (wide < 0.4 * most) found.push(wide);
  }
  return medianOf(found) ?? 0;
}

/** u8[list]: 1 for pieces of the size of letters, except isolated circles. */
function lettersOf(
  ink: Bitmap,
  list: readonly { box: PixelBox; area: number }[],
  labels: Int32Array,
  unit: number,
): Uint8Array {
  const most = SIZE.letter * unit;
  const isLetter = Uint8Array.from(list, ({ box }, number) => (number > 0 && longerSide(box) <= most ? 1 : 0));
  const boxes = list.filter((_, number) => isLetter[number] === 1).map(({ box }) => box);
  list.forEach(({ box, area }, number) => {
    if (isLetter[number] === 0) return;
    const w = box.x1 - box.x0,
      h = box.y1 - box.y0;
    if (Math.min(w, h) < SIZE.ring * unit || Math.max(w, h) > 1.15 * Math.min(w, h) || area > 0.5 * w * h) return;
    const near = boxes.some(
      (other) =>
        other !== box &&
        gapBetween(box, other) < 0.8 * Math.max(w, h) &&
        !(other.x0 >= box.x0 && other.x1 <= box.x1 && other.y0 >= box.y0 && other.y1 <= box.y1) &&
        longerSide(other) > 0.5 * w,
    );
    if (near) return;
    const part = bitmapOf(w + 2, h + 2);
    for (let y = 0; y < h; y++)
      for (let x = 0; x < w; x++)
        if (labels[(box.y0 + y) * ink.width + box.x0 + x] === number) part.bits[(y + 1) * (w + 2) + x + 1] = 1;
    const filled = count(fillHoles(part));
    // A disc fills π/4 of its box.
    if (filled > 0.7 * w * h) isLetter[number] = 0;
  });
  return isLetter;
}

/** Bridges gaps of up to twice the radius, pixels. */
function closeGaps(map: Bitmap, radius: number): Bitmap {
  return either(map, erode(dilate(map, radius), radius));
}

/**
 * Weight of each chain: median over its pixels of darkness per length of skeleton in a window, which is width times
 * darkness.
 */
function weightsOf(
  { chains }: LineGraph,
  { darkness, width, height }: Ink,
  { bits: skeleton }: Bitmap,
  unit: number,
): Float32Array {
  const radius = Math.max(3, Math.round(4 * unit));
  return Float32Array.from(chains, ({ pixels }) => {
    const found: number[] = [];
    const step = Math.max(1, Math.floor(pixels.length / 40));
    // Near the ends the window would include other lines of the node.
    const margin = pixels.length > 4 * radius ? radius + 1 : 0;
    for (let i = margin; i < pixels.length - margin; i += step) {
      const y = Math.floor(pixels[i] / width),
        x = pixels[i] - y * width;
      let dark = 0,
        length = 0;
      for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++) {
        for (let u = Math.max(0, x - radius), at = v * width + u; u <= Math.min(width - 1, x + radius); u++, at++) {
          if (darkness[at] > 12) dark += darkness[at];
          if (skeleton[at] === 0) continue;
          // Length per pixel: half a step to each neighbour, 1 to sides and √2 to corners.
          const sides = skeleton[at - 1] + skeleton[at + 1] + skeleton[at - width] + skeleton[at + width];
          const corners =
            skeleton[at - width - 1] + skeleton[at - width + 1] + skeleton[at + width - 1] + skeleton[at + width + 1];
          length += sides >= 2 ? 1 : Math.max(1, (sides + corners * Math.SQRT2) / 2);
        }
      }
      found.push(dark / 255 / length);
    }
    return medianOf(found) ?? 0;
  });
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
 * Chooses the lines that are part of closed outlines. Outlines are closed, whereas dimensions have free ends. Of the
 * possible limits of weight the heaviest is chosen for which nearly as large a share of the heavy lines is closed as
 * for the best.
 * @param lines `isLight`, `arrowed`: u8[chains], 1 for lines that are too light for an outline or have an arrowhead.
 * @returns u8[chains]: 1 for lines that are removed.
 */
function closedLines(
  graph: LineGraph,
  { weights, isLight, arrowed }: { weights: Float32Array; isLight: Uint8Array; arrowed: Uint8Array },
  solids: Bitmap,
  { unit, isShaded }: { unit: number; isShaded: boolean },
): Uint8Array {
  const tried = limitsOf(graph, weights).map((limit) => {
    // The weight of short pieces between crossings is unknown, because it includes the ink of their neighbours.
    const isGone = isLight.map((light, i) =>
      weights[i] < limit && graph.chains[i].pixels.length > SIZE.short * unit ? 1 : light,
    );
    const withArrows = isGone.slice(),
      cut = isGone.map((gone, i) => gone | arrowed[i]);
    // Dimensions of a shaded view form loops with it; an outline that belongs to it lies inside its silhouette.
    prune(graph, cut, isShaded ? undefined : solids);
    prune(graph, withArrows, isShaded ? undefined : solids);
    const [kept, most, all] = [cut, withArrows, isGone].map((gone) => lengthOf(graph, gone));
    // A limit has already removed lighter dimensions; arrowheads would then only break outlines that leaders touch.
    const isBroken = limit > 0 && kept < UNBROKEN * most;
    return { limit, isGone, cut: isBroken ? withArrows : cut, closed: all === 0 ? 0 : (isBroken ? most : kept) / all };
  });
  const best = Math.max(...tried.map(({ closed }) => closed));
  const { limit, isGone, cut, closed } = tried.find((candidate) => candidate.closed >= best - CLOSED_LESS) ?? tried[0];
  // If hardly anything is closed, the outlines are open, and only lighter lines are removed.
  if (closed <= LEAST_CLOSED) return isGone;
  // On pages without shading, long open pieces are leaders and frames of notes rather than thin parts.
  if (limit > 0 && isShaded) keepOpenPieces(graph, isGone, cut, { least: SIZE.openPiece * unit, solids });
  return cut;
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

/** u8[chains]: 1 for lines with an arrowhead and for their continuations behind a crossing. */
function dimensionLines({ chains, nodes }: LineGraph, ink: Bitmap, unit: number): Uint8Array {
  const { width } = ink;
  const widths = chains.map(({ pixels }) => Float32Array.from(pixels, (at) => strokeWidth(ink, at, SIZE.arrow * unit)));
  const all = Float32Array.from(widths.flatMap((own) => [...own.filter((_, i) => i % 4 === 0)])).sort();
  const typical = all[all.length >> 1] ?? 1;
  const isDimension = Uint8Array.from(chains, ({ pixels }, i) =>
    hasArrow(widths[i], typical, unit) && chordOf(pixels, width) > (0.94 * pixels.length) / Math.SQRT2 ? 1 : 0,
  );
  const byNode: { chain: number; dx: number; dy: number }[][] = Array.from({ length: nodes }, () => []);
  chains.forEach(({ pixels, ends }, chain) => {
    for (const end of [0, 1] as const)
      if (ends[end] >= 0) byNode[ends[end]].push({ chain, ...leaving(pixels, end, width) });
  });
  const pending = [...isDimension.keys()].filter((i) => isDimension[i] === 1);
  for (let i = pending.pop(); i !== undefined; i = pending.pop()) {
    for (const node of chains[i].ends) {
      if (node < 0) continue;
      const mine = byNode[node].find(({ chain }) => chain === i);
      if (mine === undefined) continue;
      for (const { chain, dx, dy } of byNode[node]) {
        if (isDimension[chain] === 1 || -(dx * mine.dx + dy * mine.dy) < STRAIGHT_ON) continue;
        isDimension[chain] = 1;
        pending.push(chain);
      }
    }
  }
  return isDimension;
}

/**
 * Whether a line widens over the length of an arrowhead from its own width to more than twice that, and then ends or
 * narrows abruptly.
 */
function hasArrow(widths: Float32Array, typical: number, unit: number): boolean {
  const sorted = widths.slice().sort();
  const base = Math.min(typical, sorted[Math.floor(0.3 * sorted.length)]);
  const wide = 1.4 * base + 0.6;
  for (let first = 0; first < widths.length; first++) {
    if (widths[first] < wide) continue;
    let last = first,
      peak = first;
    for (; last < widths.length && widths[last] >= wide; last++) if (widths[last] > widths[peak]) peak = last;
    const length = last - first;
    if (length >= Math.max(5 * unit, 1.2 * base) && length <= SIZE.arrow * unit && widths[peak] > 2 * base + 1) {
      // An arrowhead is wide at one end only; two adjacent lines are evenly wide.
      const third = Math.max(1, Math.floor(length / 3));
      const mean = (from: number): number =>
        widths.subarray(from, from + third).reduce((sum, value) => sum + value, 0) / third;
      const [begin, end] = [mean(first), mean(last - third)];
      // The line behind an arrowhead is thin; a line that is wide everywhere is two adjacent lines.
      if (widths.length > 1.6 * length && sorted[Math.floor(0.3 * sorted.length)] > 1.3 * typical + 0.5) return false;
      if (Math.max(begin, end) > 1.35 * Math.min(begin, end)) return true;
    }
    first = last;
  }
  return false;
}

/**
 * Width of the stroke at a pixel: the shortest of the runs of ink through it, horizontal, vertical and diagonal,
 * pixels.
 */
function strokeWidth({ bits, width }: Bitmap, at: number, most: number): number {
  let shortest = Infinity;
  for (const [step, length] of [
    [1, 1],
    [width, 1],
    [width + 1, Math.SQRT2],
    [width - 1, Math.SQRT2],
  ]) {
    let run = bits[at];
    for (let next = at + step; run * length < most && bits[next] === 1; next += step) run++;
    for (let next = at - step; run * length < most && bits[next] === 1; next -= step) run++;
    shortest = Math.min(shortest, run * length);
  }
  return shortest;
}

/** Unit vector in which a chain leaves its node. */
function leaving(pixels: Int32Array, end: 0 | 1, width: number): { dx: number; dy: number } {
  const reach = Math.min(pixels.length - 1, 12);
  const from = end === 0 ? pixels[0] : pixels[pixels.length - 1];
  const to = end === 0 ? pixels[reach] : pixels[pixels.length - 1 - reach];
  const dy = Math.floor(to / width) - Math.floor(from / width),
    dx = (to % width) - (from % width);
  const length = Math.hypot(dx, dy) || 1;
  return { dx: dx / length, dy: dy / length };
}

function chordOf(pixels: Int32Array, width: number): number {
  const first = pixels[0],
    last = pixels[pixels.length - 1];
  return Math.hypot((last % width) - (first % width), Math.floor(last / width) - Math.floor(first / width));
}

/**
 * Marks lines that are not part of a closed line: those with a free end, and bridges between closed lines, such as
 * leaders and centre lines. Solid areas, if given, count as nodes. A line is kept if other lines connect its two ends
 * (Tarjan 1974).
 */
function prune({ chains, nodes }: LineGraph, isGone: Uint8Array, solids?: Bitmap): void {
  const areas = solids && componentsOf(solids, 8);
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

/**
 * u8[chains]: 1 for lines that are clearly lighter than the dark parts of shaded views: dimensions, which are often
 * grey.
 */
function lighterThanViews({ chains }: LineGraph, { darkness, width }: Ink, solids: Bitmap): Uint8Array {
  const found: number[] = [];
  for (let i = width; i < darkness.length - width; i += 3) if (solids.bits[i] === 1) found.push(darkness[i]);
  if (found.length < 200) return new Uint8Array(chains.length);
  found.sort((a, b) => a - b);
  const least = VIEW_DARKNESS * found[Math.floor(0.95 * found.length)];
  return Uint8Array.from(chains, ({ pixels }) => {
    const own = pixels.map((at) => darkestAbout(darkness, at, width));
    return medianOf(own)! < least ? 1 : 0;
  });
}

function darkestAbout(darkness: Uint8Array, at: number, width: number): number {
  return Math.max(darkness[at], darkness[at - 1], darkness[at + 1], darkness[at - width], darkness[at + width]);
}

function lengthOf({ chains }: LineGraph, isGone: Uint8Array): number {
  return chains.reduce((sum, { pixels }, i) => sum + (isGone[i] === 1 ? 0 : pixels.length), 0);
}

/** The ink of the remaining lines: pixels within the width of a line from their skeletons. */
function inkOf({ chains }: LineGraph, isGone: Uint8Array, ink: Bitmap, lineWidth: number): Bitmap {
  const kept = bitmapOf(ink.width, ink.height);
  chains.forEach(({ pixels }, i) => {
    if (isGone[i] === 0) for (const at of pixels) kept.bits[at] = 1;
  });
  return either(kept, both(dilate(kept, Math.max(1, Math.ceil(lineWidth))), ink));
}
