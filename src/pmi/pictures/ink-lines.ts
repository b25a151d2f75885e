import { firstIn, type Bitmap } from '../../bitmap/bitmap.js';
import { lengthOf, type Segment } from '../../content/geometry.js';

/** A straight line of ink, pixels. */
export interface InkLine extends Segment {
  readonly thickness: number;
}

/** Largest share of clear pixels in a row of a line. */
const MOST_CLEAR = 0.06;
/** Step between the directions of slanted lines, degrees. */
const STEP_DEG = 1;
/** Directions nearer to level and upright are left to {@link linesOf}. */
const LEAST_DEG = 4;
/** The eight neighbours of a pixel. */
const NEIGHBOURS = [
  [-1, -1],
  [0, -1],
  [1, -1],
  [-1, 0],
  [1, 0],
  [-1, 1],
  [0, 1],
  [1, 1],
] as const;
/** Most slanted lines of a page. */
const MOST_SLANTED = 4_000;
/** Most ink pixels for which slanted lines are sought: a page with more is shaded. */
const MOST_PIXELS = 150_000;
/**
 * Most pixels of all runs that are found, those of different directions too: a page with more is noise, in which there
 * are runs everywhere. Two damaged pictures had 160 and 190 million, which took 8 and 15 s; real drawings have up to 1
 * million.
 */
const MOST_RUN_PIXELS = 20_000_000;

/**
 * Level or upright lines: runs of ink of at least `least` pixels, joined where they are adjacent, no thicker than
 * `thick`.
 */
export function linesOf(
  { bits, width, height }: Bitmap,
  { isLevel, least, thick }: { readonly isLevel: boolean; readonly least: number; readonly thick: number },
): InkLine[] {
  const [rows, length] = isLevel ? [height, width] : [width, height];
  const pixels = isLevel ? bits : turned(bits, width, height);
  const done: InkLine[] = [];
  let open: Band[] = [];
  for (let row = 0; row <= rows; row++) {
    const runs = row < rows ? runsOf(pixels, row * length, length, least) : [];
    const next: Band[] = [];
    for (const band of open) {
      const found = runs.filter(
        ([from, to]) =>
          Math.min(to, band.to) - Math.max(from, band.from) > 0.5 * Math.min(to - from, band.to - band.from),
      );
      if (found.length === 0) {
        const thickness = band.last - band.first + 1;
        const at = (band.first + band.last + 1) / 2;
        if (thickness <= thick)
          done.push(
            isLevel
              ? { x0: band.from, y0: at, x1: band.to, y1: at, thickness }
              : { x0: at, y0: band.from, x1: at, y1: band.to, thickness },
          );
        continue;
      }
      for (const run of found) runs.splice(runs.indexOf(run), 1);
      band.from = Math.min(band.from, ...found.map(([from]) => from));
      band.to = Math.max(band.to, ...found.map(([, to]) => to));
      band.last = row;
      next.push(band);
    }
    for (const [from, to] of runs) next.push({ from, to, first: row, last: row });
    open = next;
  }
  return done;
}

/**
 * Runs of at least `least` pixels of a row, in which few single pixels are clear.
 * @returns columns of the first pixel and of the one behind the last.
 */
function runsOf(pixels: Uint8Array, row: number, length: number, least: number): [number, number][] {
  const runs: [number, number][] = [];
  const stop = row + length;
  for (let at = row + firstIn(pixels, row, length); at < stop; ) {
    const start = at;
    let clear = 0;
    for (;;) {
      while (at < stop && pixels[at] !== 0) at++;
      if (at + 1 >= stop || pixels[at + 1] === 0) break;
      clear++;
      at++;
    }
    // Bold letters stand as near to each other as the gaps in a line, but there are more gaps.
    if (at - start >= least && clear <= MOST_CLEAR * (at - start)) runs.push([start - row, at - row]);
    while (at < stop && pixels[at] === 0) at++;
  }
  return runs;
}

/** Rows as columns. */
function turned(bits: Uint8Array, width: number, height: number): Uint8Array {
  const all = new Uint8Array(bits.length);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let x = firstIn(bits, row, width); x < width; x++) if (bits[row + x] !== 0) all[x * height + y] = 1;
  }
  return all;
}

/** Runs in adjacent rows. */
interface Band {
  from: number;
  to: number;
  readonly first: number;
  last: number;
}

/**
 * Removes slanted straight lines, and nearly straight parts of curves, from `left`. A line is a run of ink of at least
 * `least` pixels in one of many directions.
 * @param bits where lines are sought.
 * @param thickness of usual lines.
 * @returns each line once, the longest first.
 */
export function takeOutSlanted(
  { bits, width, height }: Bitmap,
  left: Uint8Array,
  { least, thickness }: { readonly least: number; readonly thickness: number },
): InkLine[] {
  const reach = Math.max(1, Math.min(3, Math.ceil(thickness / 2)));
  const pixels: number[] = [];
  const wide = Math.max(4, Math.ceil(2 * thickness));
  const about = [-1, 0, 1]
    .flatMap((v) => [-1, 0, 1].map((u) => wide * (v * width + u)))
    .filter((offset) => offset !== 0);
  // Solid areas have many runs but no lines.
  const isArea = (at: number): boolean => {
    let sum = 0;
    for (let i = 0; i < about.length; i++) sum += bits[at + about[i]] ?? 0;
    return sum > 6;
  };
  for (let i = 0; i < bits.length && pixels.length <= MOST_PIXELS; i++) if (bits[i] !== 0 && !isArea(i)) pixels.push(i);
  if (pixels.length > MOST_PIXELS) return [];
  // The picture has a border of paper: each step goes to a neighbour, so no run leaves it.
  const framed = new Uint8Array((width + 2) * (height + 2));
  for (let y = 0; y < height; y++) framed.set(bits.subarray(y * width, (y + 1) * width), (y + 1) * (width + 2) + 1);
  // Pixels by the neighbour that is clear: a run in a direction begins where the one before is. Lines are thick, so
  // most pixels of a line are within it, as its own direction sees them.
  const edges = new Map(NEIGHBOURS.map(([dx, dy]) => [dy * width + dx, [] as number[]]));
  const steps = NEIGHBOURS.map(([dx, dy]) => dy * (width + 2) + dx);
  const lists = [...edges.values()];
  for (const at of pixels) {
    const y = Math.floor(at / width);
    const from = (y + 1) * (width + 2) + (at - y * width) + 1;
    for (let i = 0; i < steps.length; i++) if (framed[from + steps[i]] === 0) lists[i].push(at);
  }
  const found: (InkLine & { readonly length: number; readonly deg: number })[] = [];
  /** What is taken out of `left` once it is known that the page is no noise: place, steps, and number of these. */
  const taken: [x: number, y: number, dx: number, dy: number, count: number][] = [];
  let runPixels = 0;
  const along = new Int32Array(width + height);
  for (let deg = LEAST_DEG; deg < 180; deg += STEP_DEG) {
    if (Math.abs(deg - 90) < LEAST_DEG || deg > 180 - LEAST_DEG) continue;
    const rad = (deg * Math.PI) / 180;
    // One step is one pixel along the longer of its sides.
    const scale = 1 / Math.max(Math.abs(Math.cos(rad)), Math.abs(Math.sin(rad)));
    const dx = Math.cos(rad) * scale,
      dy = Math.sin(rad) * scale,
      steps = Math.ceil(least / scale);
    const stepOf = (i: number): number => Math.round(i * dy) * (width + 2) + Math.round(i * dx);
    // Steps that were needed so far; most directions have short runs only.
    let known = 0;
    const before = Math.round(-dy) * (width + 2) + Math.round(-dx),
      end = stepOf(Math.min(along.length, steps) - 1),
      half = stepOf(steps >> 1);
    for (const at of edges.get(Math.round(-dy) * width + Math.round(-dx)) ?? []) {
      const y = Math.floor(at / width),
        x = at - y * width;
      const from = (y + 1) * (width + 2) + x + 1;
      // Only from the beginning of a run; most end early.
      if (framed[from + before] !== 0 || framed[from + end] !== 1 || framed[from + half] !== 1) continue;
      let count = 1;
      for (; count < along.length; count++) {
        for (; known <= count; known++) along[known] = stepOf(known);
        if (framed[from + along[count]] === 0) break;
      }
      if (count < steps) continue;
      found.push({
        x0: x,
        y0: y,
        x1: x + (count - 1) * dx,
        y1: y + (count - 1) * dy,
        thickness: 1,
        length: count * scale,
        deg,
      });
      taken.push([x, y, dx, dy, count]);
      runPixels += count;
      if (runPixels > MOST_RUN_PIXELS) return [];
    }
  }
  for (const [x, y, dx, dy, count] of taken) {
    for (let i = 0; i < count; i++) {
      const column = Math.round(x + i * dx),
        row = Math.round(y + i * dy);
      for (let v = Math.max(0, row - reach); v <= Math.min(height - 1, row + reach); v++)
        for (let u = Math.max(0, column - reach); u <= Math.min(width - 1, column + reach); u++)
          left[v * width + u] = 0;
    }
  }
  const kept: typeof found = [];
  const isTaken = new Map<number, typeof found>();
  const cell = (x: number, y: number): number => Math.round(x / 8) * 10_007 + Math.round(y / 8);
  /** Whether a found line of nearly this direction passes a place. */
  const isThere = ({ deg }: (typeof found)[number], x: number, y: number): boolean => {
    for (let u = -8; u <= 8; u += 8) {
      for (let v = -8; v <= 8; v += 8) {
        for (const other of isTaken.get(cell(x + u, y + v)) ?? []) {
          const turn = Math.abs(other.deg - deg);
          if (Math.min(turn, 180 - turn) <= 6 && distance(other, x, y) < 6) return true;
        }
      }
    }
    return false;
  };
  for (const line of found.sort((a, b) => b.length - a.length || a.deg - b.deg || a.y0 - b.y0 || a.x0 - b.x0)) {
    if (kept.length >= MOST_SLANTED) break;
    const x = (line.x0 + line.x1) / 2,
      y = (line.y0 + line.y1) / 2;
    if (isThere(line, x, y)) continue;
    kept.push(line);
    for (let i = 0; i <= line.length; i += 4) {
      const key = cell(
        line.x0 + ((line.x1 - line.x0) * i) / line.length,
        line.y0 + ((line.y1 - line.y0) * i) / line.length,
      );
      const list = isTaken.get(key);
      if (list === undefined) isTaken.set(key, [line]);
      else if (list[list.length - 1] !== line) list.push(line);
    }
  }
  return kept.map(({ x0, y0, x1, y1, thickness }) => ({ x0, y0, x1, y1, thickness }));
}

function distance(line: InkLine, x: number, y: number): number {
  const { x0, y0, x1, y1 } = line;
  return Math.abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / lengthOf(line);
}
