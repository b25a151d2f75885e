import { bitmapOf, componentsOf, type Bitmap } from './bitmap.js';

/** A line of a skeleton between two nodes; nodes are where lines meet. */
export interface Chain {
  /** Pixels in order: y × width + x. */
  readonly pixels: Int32Array;
  /** Nodes at its start and end; −1: a free end. Both are −1 when `isLoop`: a closed line without a node. */
  readonly ends: readonly [number, number];
  readonly isLoop: boolean;
}

/** The lines of a skeleton and their connections. */
export interface LineGraph {
  readonly chains: readonly Chain[];
  /** Number of nodes; chains refer to them by number. */
  readonly nodes: number;
}

/** Offsets of the eight neighbours, clockwise from above. */
const DX = [0, 1, 1, 1, 0, -1, -1, -1];
const DY = [-1, -1, 0, 1, 1, 1, 0, -1];

/**
 * Thins lines to one pixel (Zhang and Suen 1984), then removes unnecessary corner pixels, so that all pixels except
 * those of nodes and ends have two neighbours. Pixels at the border of the picture are cleared.
 */
export function thin({ width, height, bits }: Bitmap): Bitmap {
  const skeleton = bits.slice();
  skeleton.fill(0, 0, width);
  skeleton.fill(0, (height - 1) * width);
  for (let y = 0; y < height; y++) skeleton[y * width] = skeleton[y * width + width - 1] = 0;
  const offsets = DX.map((dx, i) => DY[i] * width + dx);
  const [first, second] = [deletable(0), deletable(1)];
  const codeAt = (at: number): number => {
    let code = 0;
    for (let i = 0; i < 8; i++) code |= skeleton[at + offsets[i]] << i;
    return code;
  };
  let pending: number[] = [];
  for (let i = skeleton.indexOf(1); i >= 0; i = skeleton.indexOf(1, i + 1)) pending.push(i);
  const all = pending;
  // Only pixels whose neighbourhood changed can become deletable.
  const queued = new Uint8Array(skeleton.length);
  for (let changed = true; changed; ) {
    changed = false;
    const touched: number[] = [];
    for (const table of [first, second]) {
      const gone: number[] = [];
      for (const at of pending) if (skeleton[at] === 1 && table[codeAt(at)] === 1) gone.push(at);
      for (const at of gone) skeleton[at] = 0;
      for (const at of gone) for (const offset of offsets) if (skeleton[at + offset] === 1) touched.push(at + offset);
      changed ||= gone.length > 0;
    }
    // Pixels beside deleted ones are examined again in the next round.
    const next: number[] = [];
    for (const at of touched) {
      if (queued[at] === 1 || skeleton[at] === 0) continue;
      queued[at] = 1;
      next.push(at);
    }
    for (const at of next) queued[at] = 0;
    pending = next;
  }
  for (const at of all) {
    if (skeleton[at] === 0) continue;
    const code = codeAt(at);
    if (bitCount(code) >= 2 && isSimple(code)) skeleton[at] = 0;
  }
  return bitmapOf(width, height, skeleton);
}

/** Traces the lines of a skeleton. Pixels where three or more lines meet are nodes; adjacent ones form one node. */
export function traceLines({ width, height, bits }: Bitmap): LineGraph {
  const offsets = DX.map((dx, i) => DY[i] * width + dx);
  const isNode = new Uint8Array(width * height);
  for (let at = bits.indexOf(1); at >= 0; at = bits.indexOf(1, at + 1)) {
    let code = 0;
    for (let i = 0; i < 8; i++) code |= bits[at + offsets[i]] << i;
    if (bitCount(code) > 2) isNode[at] = 1;
  }
  const { labels: nodeAt, list } = componentsOf(bitmapOf(width, height, isNode), 8);
  const chains: Chain[] = [];
  const isSeen = new Uint8Array(width * height);
  const free = (at: number): number[] =>
    offsets.map((offset) => at + offset).filter((next) => bits[next] === 1 && isNode[next] === 0);
  const nodesBeside = (at: number): number[] => [
    ...new Set(offsets.map((offset) => nodeAt[at + offset] - 1).filter((node) => node >= 0)),
  ];
  const follow = (start: number): void => {
    const pixels = [start];
    isSeen[start] = 1;
    for (let at: number | undefined = start; at !== undefined; ) {
      at = free(at).find((next) => isSeen[next] === 0);
      if (at === undefined) break;
      isSeen[at] = 1;
      pixels.push(at);
    }
    const last = pixels[pixels.length - 1];
    const begins = nodesBeside(start),
      finishes = nodesBeside(last);
    const begin = begins[0] ?? -1;
    // A chain of one pixel between two nodes touches both.
    const finish =
      pixels.length === 1 ? (begins[1] ?? -1) : (finishes.find((node) => node !== begin) ?? finishes[0] ?? -1);
    const isLoop = begin < 0 && finish < 0 && pixels.length > 3 && offsets.some((offset) => last + offset === start);
    chains.push({ pixels: Int32Array.from(pixels), ends: [begin, finish], isLoop });
  };
  // First the lines with a free end, then the rest: closed lines.
  for (const isClosed of [false, true]) {
    for (let at = bits.indexOf(1); at >= 0; at = bits.indexOf(1, at + 1)) {
      if (isNode[at] === 1 || isSeen[at] === 1) continue;
      if (isClosed || free(at).length <= 1) follow(at);
    }
  }
  return { chains, nodes: list.length - 1 };
}

function bitCount(code: number): number {
  let sum = 0;
  for (let i = 0; i < 8; i++) sum += (code >> i) & 1;
  return sum;
}

/** Number of changes from clear to set among the neighbours, in one turn around the pixel. */
function changes(code: number): number {
  let sum = 0;
  for (let i = 0; i < 8; i++) if (((code >> i) & 1) === 0 && ((code >> ((i + 1) % 8)) & 1) === 1) sum++;
  return sum;
}

/** u8[256]: 1 for the neighbourhoods whose pixel is deleted in the first or second half of a round. */
function deletable(half: 0 | 1): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => {
    const set = bitCount(code);
    if (set < 2 || set > 6 || changes(code) !== 1) return 0;
    const has = (i: number): number => (code >> i) & 1;
    const [up, right, down, left] = [has(0), has(2), has(4), has(6)];
    return half === 0
      ? up * right * down === 0 && right * down * left === 0
        ? 1
        : 0
      : up * right * left === 0 && up * down * left === 0
        ? 1
        : 0;
  });
}

/** Whether the neighbours stay connected without the pixel (corners count as touching). */
function isSimple(code: number): boolean {
  const has = (i: number): boolean => ((code >> (i % 8)) & 1) === 1;
  let parts = 0;
  for (let i = 0; i < 8; i += 2) if (!has(i) && (has(i + 1) || has(i + 2))) parts++;
  return parts === 1;
}
