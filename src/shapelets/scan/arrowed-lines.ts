import type { Bitmap } from '../../bitmap/bitmap.js';
import type { LineGraph } from '../../bitmap/skeleton.js';

/** Longest arrowheads, units of 1/2400 of the page's longer side. */
export const ARROW = 48;
/** Cosine of the largest angle between two lines of which one continues the other. */
const STRAIGHT_ON = Math.cos((12 * Math.PI) / 180);
/** Straight lines are nowhere farther from their chord: units, pixels and share of the chord. */
const BOW = 3;
const BOW_PX = 2;
const BOW_SHARE = 0.05;
/** Least chord of a straight line, as a share of its pixels. */
const LEAST_CHORD = 0.6;
/** Shorter lines count as straight, units. */
const LEAST_CURVE = 48;

/** u8[chains]: 1 for lines with an arrowhead and for their continuations behind a crossing. */
export function arrowedLines({ chains, nodes }: LineGraph, ink: Bitmap, unit: number): Uint8Array {
  const { width } = ink;
  const widths = chains.map(({ pixels }) => Float32Array.from(pixels, (at) => strokeWidth(ink, at, ARROW * unit)));
  const all = Float32Array.from(widths.flatMap((own) => [...own.filter((_, i) => i % 4 === 0)])).sort();
  const typical = all[all.length >> 1] ?? 1;
  const isDimension = Uint8Array.from(chains, ({ pixels }, i) =>
    hasArrow(widths[i], typical, unit) && isStraight(pixels, width, unit) ? 1 : 0,
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
        // An arrow may touch a circle and be level with it there.
        if (!isStraight(chains[chain].pixels, width, unit)) continue;
        isDimension[chain] = 1;
        pending.push(chain);
      }
    }
  }
  return isDimension;
}

/** u8[chains]: 1 for straight lines, 0 for curves, bends and closed lines, which are no dimensions. */
export function straightLines({ chains }: LineGraph, width: number, unit: number): Uint8Array {
  return Uint8Array.from(chains, ({ pixels, isLoop }) =>
    !isLoop && (pixels.length <= LEAST_CURVE * unit || isStraight(pixels, width, unit)) ? 1 : 0,
  );
}

function isStraight(pixels: Int32Array, width: number, unit: number): boolean {
  const x0 = pixels[0] % width,
    y0 = Math.floor(pixels[0] / width);
  const last = pixels[pixels.length - 1];
  const dx = (last % width) - x0,
    dy = Math.floor(last / width) - y0;
  const chord = Math.hypot(dx, dy);
  if (chord < LEAST_CHORD * pixels.length) return false;
  let most = 0;
  for (const at of pixels)
    most = Math.max(most, Math.abs(((at % width) - x0) * dy - (Math.floor(at / width) - y0) * dx));
  return most <= Math.max(1, chord) * (BOW * unit + BOW_PX + BOW_SHARE * chord);
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
    if (length >= Math.max(5 * unit, 1.2 * base) && length <= ARROW * unit && widths[peak] > 2 * base + 1) {
      // An arrowhead is wide at one end only; two adjacent lines are evenly wide.
      const third = Math.max(1, Math.floor(length / 3));
      const mean = (from: number): number =>
        widths.subarray(from, from + third).reduce((sum, value) => sum + value, 0) / third;
      const [begin, end] = [mean(first), mean(last - third)];
      // The line behind an arrowhead is thin; a line that is wide everywhere is two adjacent lines.
      if (widths.length > 1.6 * length && sorted[Math.floor(0.3 * sorted.length)] > 1.3 * typical + 0.5) return false;
      // The tip lies at the end of the line; a line that an arrow touches is widest there.
      const [tip, back] = first <= widths.length - last ? [begin, end] : [end, begin];
      if (back > 1.35 * tip) return true;
    }
    first = last;
  }
  return false;
}

/**
 * Width of the stroke at a pixel: the shortest of the runs of ink through it, horizontal, vertical and diagonal,
 * pixels.
 */
export function strokeWidth({ bits, width }: Bitmap, at: number, most: number): number {
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
