import type { Component } from '../../bitmap/bitmap.js';
import { addTo } from '../../content/groups.js';
import type { InkLine } from './ink-lines.js';

/** A dash is longer than thick by this factor, and fills this share of its box. */
const LONG = 2.2;
const FULL = 0.72;
/** As shares of the longest dash of a line: the widest gap, and the shortest dash. */
const GAP = 0.95;
const SHORT = 0.25;
/** Fewest dashes of a line: figures 1 below each other are not as many and not as near. */
const FEWEST = 4;
/** How far middles of dashes may be from one line, pixels, and most pieces that are looked at. */
const OFF = 1.6;
const MOST_PIECES = 12_000;

/** A broken line and the numbers of its pieces. */
export interface DashedLine {
  readonly line: InkLine;
  readonly pieces: readonly number[];
}

/** Level and upright lines that are drawn as dashes: pieces that would be read as minus signs and figures 1. */
export function dashedLines(pieces: readonly Component[], isCandidate: (number: number) => boolean): DashedLine[] {
  const dashes: { readonly [direction in 'level' | 'upright']: Dash[] } = { level: [], upright: [] };
  for (let number = 1; number < Math.min(pieces.length, MOST_PIECES); number++) {
    if (!isCandidate(number)) continue;
    const { box, area } = pieces[number];
    const width = box.x1 - box.x0,
      height = box.y1 - box.y0;
    if (area < FULL * width * height || Math.max(width, height) < LONG * Math.min(width, height)) continue;
    if (width > height)
      dashes.level.push({ number, from: box.x0, to: box.x1, at: (box.y0 + box.y1) / 2, thickness: height });
    else dashes.upright.push({ number, from: box.y0, to: box.y1, at: (box.x0 + box.x1) / 2, thickness: width });
  }
  return [...chainsOf(dashes.level, true), ...chainsOf(dashes.upright, false)];
}

interface Dash {
  readonly number: number;
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly thickness: number;
}

function chainsOf(dashes: readonly Dash[], isLevel: boolean): DashedLine[] {
  const rows = new Map<number, Dash[]>();
  for (const dash of dashes) addTo(rows, Math.round(dash.at), dash);
  const taken = new Set<number>();
  const found: DashedLine[] = [];
  for (const row of [...rows.keys()].sort((a, b) => a - b)) {
    const near = [row - 1, row, row + 1]
      .flatMap((each) => rows.get(each) ?? [])
      .filter(({ number, at }) => !taken.has(number) && Math.abs(at - row) <= OFF)
      .sort((a, b) => a.from - b.from || a.at - b.at);
    let chain: Dash[] = [];
    const end = (): void => {
      if (chain.length >= FEWEST) {
        for (const { number } of chain) taken.add(number);
        const [from, to] = [chain[0].from, chain[chain.length - 1].to];
        const { thickness } = chain[0];
        const line = isLevel
          ? { x0: from, y0: row, x1: to, y1: row, thickness }
          : { x0: row, y0: from, x1: row, y1: to, thickness };
        found.push({ line, pieces: chain.map(({ number }) => number) });
      }
      chain = [];
    };
    for (const dash of near) {
      const longest = Math.max(dash.to - dash.from, ...chain.map(({ from, to }) => to - from));
      const last = chain.at(-1);
      const isNext =
        last !== undefined &&
        dash.from - last.to <= GAP * longest &&
        dash.from >= last.to - 1 &&
        dash.to - dash.from >= SHORT * longest;
      if (!isNext) end();
      chain.push(dash);
    }
    end();
  }
  return found;
}
