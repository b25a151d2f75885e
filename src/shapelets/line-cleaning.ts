import type { Ink } from './binarise.js';
import { bitmapOf, both, componentBits, componentsOf, crop, dilate, either, erode, fillHoles, count, open, without, type Bitmap, type PixelBox } from './bitmap.js';
import { drawingArea } from './page-frame.js';
import { thin, traceLines, type Chain, type LineGraph } from './skeleton.js';

/** Sizes in units of 1/2400 of the page's longer side: 0.18 mm on A3 paper, 0.12 mm on A4. */
const SIZE = Object.freeze({
  /** Thinner dark areas are lines. */
  solid: 11,
  /** Solid areas that are smaller both ways are arrowheads and bold letters. */
  solidLeast: 40,
  /** Letters are at most as tall. */
  letter: 60,
  /** Arrowheads are at most as long. */
  arrow: 48,
  /** A circle by itself is a view from this size. */
  ring: 26,
});
/** Two kinds of lines are told apart when the heavier ones are by this factor heavier, on average, and not fewer than this share. */
const HEAVIER = 1.35;
const HEAVY_SHARE = 0.08;
/** Lines go on in the same direction within this angle, cosine. */
const STRAIGHT_ON = Math.cos((12 * Math.PI) / 180);

/** What is left of a page when all but the part is removed. */
export interface CleanLines {
  /** Outlines and seen edges, one or more pixels wide. */
  readonly lines: Bitmap;
  /** Areas that are drawn dark: shaded views. */
  readonly solids: Bitmap;
  readonly isFramed: boolean;
  /** Share of ink that is solid, 0 to 1. */
  readonly solidShare: number;
  /** Width of typical lines, pixels. */
  readonly lineWidth: number;
  /** Small pieces that are letters, probably. */
  readonly letters: Bitmap;
}

/**
 * Removes frame, tables, letters, dimensions, leaders and centre lines from a page. Lines are thinned and followed between nodes; of two
 * kinds of weight (width times darkness) the heavier is the part's; lines that run through an arrowhead go, and then all that
 * end free.
 */
export function cleanLines(page: Ink): CleanLines {
  const { width, height, ink } = page;
  const unit = Math.max(width, height) / 2400;
  const bold = open(ink, Math.round(14 * unit));
  const { area, isFramed } = drawingArea(without(ink, bold), unit);
  const inside = both(ink, area);
  const solids = largeSolids(inside, unit);
  const solidShare = count(solids) / Math.max(1, count(inside));
  const lineInk = without(inside, dilate(solids, 1));
  const pieces = componentsOf(lineInk, 8);
  const isLetter = lettersOf(lineInk, pieces.list, pieces.labels, unit);
  const letters = componentBits(lineInk, pieces, (_, number) => isLetter[number] === 1);
  const drawn = without(lineInk, letters);
  const skeleton = thin(closeGaps(drawn));
  const graph = traceLines(skeleton);
  const weights = weightsOf(graph, page, skeleton, unit);
  const heavy = heavyLimit(graph, weights);
  const lineWidth = Math.max(1, count(drawn) / Math.max(1, count(skeleton)));
  const isGone = new Uint8Array(graph.chains.length);
  for (let i = 0; i < isGone.length; i++) if (weights[i] < heavy) isGone[i] = 1;
  const touchesSolid = dilate(solids, 3);
  const arrowed = dimensionLines(graph, drawn, lineWidth, unit, width);
  const cut = isGone.slice();
  for (let i = 0; i < cut.length; i++) cut[i] |= arrowed[i];
  prune(graph, cut, touchesSolid);
  // Where nothing closed is left, the outlines are open: only what is surely no outline goes.
  const chosen = lengthOf(graph, cut) > 0.25 * lengthOf(graph, isGone) ? cut : isGone;
  return { lines: inkOf(graph, chosen, drawn, lineWidth), solids, isFramed, solidShare, lineWidth, letters };
}

/** Dark areas that are no lines, arrowheads or letters. */
function largeSolids(ink: Bitmap, unit: number): Bitmap {
  const radius = Math.max(3, Math.round((SIZE.solid * unit) / 2));
  const cores = open(ink, radius);
  const found = componentsOf(cores, 8);
  const least = SIZE.solidLeast * unit;
  return componentBits(cores, found, ({ box, area }) => Math.max(box.x1 - box.x0, box.y1 - box.y0) >= least && area > 0.25 * least * least);
}

/** Pieces no larger than letters; a circle that stands alone is none. */
function lettersOf(ink: Bitmap, list: readonly { box: PixelBox; area: number }[], labels: Int32Array, unit: number): Uint8Array {
  const most = SIZE.letter * unit;
  const isLetter = Uint8Array.from(list, ({ box }, number) => (number > 0 && Math.max(box.x1 - box.x0, box.y1 - box.y0) <= most ? 1 : 0));
  const boxes = list.filter((_, number) => isLetter[number] === 1).map(({ box }) => box);
  list.forEach(({ box, area }, number) => {
    if (isLetter[number] === 0) return;
    const w = box.x1 - box.x0, h = box.y1 - box.y0;
    if (Math.min(w, h) < SIZE.ring * unit || Math.max(w, h) > 1.15 * Math.min(w, h) || area > 0.5 * w * h) return;
    const near = boxes.some((other) => other !== box && gap(box, other) < 0.8 * Math.max(w, h) && !(other.x0 >= box.x0 && other.x1 <= box.x1 && other.y0 >= box.y0 && other.y1 <= box.y1)
      && Math.max(other.x1 - other.x0, other.y1 - other.y0) > 0.5 * w);
    if (near) return;
    const part = bitmapOf(w, h);
    for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) if (labels[(box.y0 + y) * ink.width + box.x0 + x] === number) part.bits[y * w + x] = 1;
    const filled = count(fillHoles(crop(part, { x0: 0, y0: 0, x1: w, y1: h }, 1)));
    // A disc fills π/4 of its box.
    if (filled > 0.7 * w * h) isLetter[number] = 0;
  });
  return isLetter;
}

function gap(a: PixelBox, b: PixelBox): number {
  return Math.max(a.x0 - b.x1, b.x0 - a.x1, a.y0 - b.y1, b.y0 - a.y1);
}

/** Bridges gaps of 2 pixels. */
function closeGaps(map: Bitmap): Bitmap {
  return either(map, erode(dilate(map, 1), 1));
}

/** Weight of each chain: median over its pixels of darkness per length of skeleton in a window, which is width times darkness. */
function weightsOf({ chains }: LineGraph, { darkness, width, height }: Ink, { bits: skeleton }: Bitmap, unit: number): Float32Array {
  const radius = Math.max(3, Math.round(4 * unit));
  return Float32Array.from(chains, ({ pixels }) => {
    const found: number[] = [];
    const step = Math.max(1, Math.floor(pixels.length / 40));
    // Ends lie in nodes' windows, where other lines count.
    const margin = pixels.length > 4 * radius ? radius + 1 : 0;
    for (let i = margin; i < pixels.length - margin; i += step) {
      const y = Math.floor(pixels[i] / width), x = pixels[i] - y * width;
      let dark = 0, length = 0;
      for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++) {
        for (let u = Math.max(0, x - radius), at = v * width + u; u <= Math.min(width - 1, x + radius); u++, at++) {
          if (darkness[at] > 12) dark += darkness[at];
          if (skeleton[at] === 0) continue;
          // Half a step to each neighbour: 1 to the sides, √2 to the corners.
          const sides = skeleton[at - 1] + skeleton[at + 1] + skeleton[at - width] + skeleton[at + width];
          const corners = skeleton[at - width - 1] + skeleton[at - width + 1] + skeleton[at + width - 1] + skeleton[at + width + 1];
          length += sides >= 2 ? 1 : Math.max(1, (sides + corners * Math.SQRT2) / 2);
        }
      }
      found.push(dark / 255 / length);
    }
    found.sort((a, b) => a - b);
    return found[found.length >> 1] ?? 0;
  });
}

/** The weight below which a line is no outline; 0 when there is but one kind of lines. The split is Otsu's, of logarithms, by length. */
function heavyLimit({ chains }: LineGraph, weights: Float32Array): number {
  const bins = 64, low = Math.log(0.05), high = Math.log(20);
  const histogram = new Float64Array(bins);
  let total = 0, sum = 0;
  chains.forEach(({ pixels }, i) => {
    if (pixels.length < 12 || weights[i] <= 0) return;
    const bin = Math.min(bins - 1, Math.max(0, Math.floor(((Math.log(weights[i]) - low) / (high - low)) * bins)));
    histogram[bin] += pixels.length;
    total += pixels.length;
    sum += bin * pixels.length;
  });
  let below = 0, sumBelow = 0, best = 0, limit = 0, lightMean = 0, heavyMean = 0, heavyShare = 0;
  for (let bin = 0; bin + 1 < bins; bin++) {
    below += histogram[bin];
    sumBelow += bin * histogram[bin];
    if (below === 0 || below === total) continue;
    const light = sumBelow / below, heavier = (sum - sumBelow) / (total - below);
    const between = below * (total - below) * (heavier - light) ** 2;
    if (between > best * 1.000001) {
      best = between;
      limit = bin + 1;
      [lightMean, heavyMean, heavyShare] = [light, heavier, (total - below) / total];
    }
  }
  const step = (high - low) / bins;
  if (best === 0 || (heavyMean - lightMean) * step < Math.log(HEAVIER) || heavyShare < HEAVY_SHARE) return 0;
  // Between the means the histogram must be nearly empty: otherwise it is one broad kind.
  const middle = Math.round((lightMean + heavyMean) / 2);
  let valley = Infinity, at = limit;
  for (let bin = Math.ceil(lightMean); bin <= Math.floor(heavyMean); bin++) {
    const here = histogram[bin] + 0.5 * (histogram[bin - 1] ?? 0) + 0.5 * (histogram[bin + 1] ?? 0);
    if (here < valley || (here === valley && Math.abs(bin - middle) < Math.abs(at - middle))) [valley, at] = [here, bin];
  }
  const peak = (from: number, to: number): number => Math.max(...histogram.subarray(Math.max(0, from), Math.max(1, to)));
  if (valley > 0.5 * Math.min(peak(0, at), peak(at + 1, bins))) return 0;
  return Math.exp(low + (at + 0.5) * step);
}

/** Lines that run lengthwise through an arrowhead, and those that go on in the same direction behind a crossing. */
function dimensionLines({ chains, nodes }: LineGraph, ink: Bitmap, lineWidth: number, unit: number, width: number): Uint8Array {
  const radius = Math.max(2, Math.ceil(0.8 * lineWidth));
  const cores = open(ink, radius);
  const found = componentsOf(cores, 8);
  const most = SIZE.arrow * unit;
  const isArrow = found.list.map(({ box, area }) => {
    const long = Math.max(box.x1 - box.x0, box.y1 - box.y0);
    return area > 0 && long <= most && long > 2 * radius + 1;
  });
  const isDimension = new Uint8Array(chains.length);
  chains.forEach(({ pixels }, i) => {
    const run = new Map<number, number>();
    for (const at of pixels) {
      const label = found.labels[at];
      if (label > 0 && isArrow[label]) run.set(label, (run.get(label) ?? 0) + 1);
    }
    for (const [label, length] of run) {
      const { box } = found.list[label];
      const long = Math.max(box.x1 - box.x0, box.y1 - box.y0);
      if (length >= 0.75 * long && pixels.length > length + 3 && chordOf(pixels, width) > 0.95 * pixels.length / Math.SQRT2) isDimension[i] = 1;
    }
  });
  const byNode: { chain: number; dx: number; dy: number }[][] = Array.from({ length: nodes }, () => []);
  chains.forEach(({ pixels, ends }, chain) => {
    for (const end of [0, 1] as const) if (ends[end] >= 0) byNode[ends[end]].push({ chain, ...leaving(pixels, end, width) });
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

/** Unit vector along which a chain leaves its node. */
function leaving(pixels: Int32Array, end: 0 | 1, width: number): { dx: number; dy: number } {
  const reach = Math.min(pixels.length - 1, 12);
  const from = end === 0 ? pixels[0] : pixels[pixels.length - 1];
  const to = end === 0 ? pixels[reach] : pixels[pixels.length - 1 - reach];
  const dy = Math.floor(to / width) - Math.floor(from / width), dx = (to % width) - (from % width);
  const length = Math.hypot(dx, dy) || 1;
  return { dx: dx / length, dy: dy / length };
}

function chordOf(pixels: Int32Array, width: number): number {
  const first = pixels[0], last = pixels[pixels.length - 1];
  return Math.hypot((last % width) - (first % width), Math.floor(last / width) - Math.floor(first / width));
}

/** Marks what ends free, again and again, until only closed lines are left and those that end at solid areas. */
function prune({ chains, nodes }: LineGraph, isGone: Uint8Array, anchors: Bitmap): void {
  const degree = new Int32Array(nodes);
  const byNode: number[][] = Array.from({ length: nodes }, () => []);
  chains.forEach(({ ends }, chain) => {
    for (const node of ends) {
      if (node < 0) continue;
      byNode[node].push(chain);
      if (isGone[chain] === 0) degree[node]++;
    }
  });
  const isFree = ({ pixels, ends }: Chain, end: 0 | 1): boolean => {
    if (anchors.bits[end === 0 ? pixels[0] : pixels[pixels.length - 1]] === 1) return false;
    return ends[end] < 0 || degree[ends[end]] < 2;
  };
  const pending = [...chains.keys()];
  for (let i = pending.pop(); i !== undefined; i = pending.pop()) {
    const chain = chains[i];
    if (isGone[i] === 1 || chain.isLoop || !(isFree(chain, 0) || isFree(chain, 1))) continue;
    isGone[i] = 1;
    for (const node of chain.ends) {
      if (node < 0) continue;
      degree[node]--;
      pending.push(...byNode[node].filter((other) => isGone[other] === 0));
    }
  }
}

function lengthOf({ chains }: LineGraph, isGone: Uint8Array): number {
  return chains.reduce((sum, { pixels }, i) => sum + (isGone[i] === 1 ? 0 : pixels.length), 0);
}

/** The ink of the lines that are kept: what is as near to their skeleton as half a line is wide. */
function inkOf({ chains }: LineGraph, isGone: Uint8Array, ink: Bitmap, lineWidth: number): Bitmap {
  const kept = bitmapOf(ink.width, ink.height);
  chains.forEach(({ pixels }, i) => {
    if (isGone[i] === 0) for (const at of pixels) kept.bits[at] = 1;
  });
  return either(kept, both(dilate(kept, Math.max(1, Math.ceil(lineWidth))), ink));
}
