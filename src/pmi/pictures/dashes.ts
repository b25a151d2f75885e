import type { Component } from '../../bitmap/bitmap.js';
import { addTo } from '../../content/groups.js';
import type { Arrowhead } from './arrowheads.js';
import type { InkLine } from './ink-lines.js';

/** A dash is longer than thick by this factor, and fills this share of its box. */
const LONG = 2.2;
const FULL = 0.72;
/** It is thinner than this, in heights of letters: small bold letters that touch each other fill their box as well. */
const THICK = 0.5;
/** As shares of the longest dash of a line: the widest gap, and the shortest dash. */
const GAP = 0.95;
const SHORT = 0.25;
/** Fewest dashes of a line: figures 1 below each other are not as many and not as near. */
const FEWEST = 4;
/** How far middles of dashes may be from one line, pixels, and most pieces that are looked at. */
const OFF = 1.6;
const MOST_PIECES = 12_000;
/**
 * Of lines of fewer dashes: how far from a dash, in heights of letters, nothing may stand beside it, and how far the
 * next dash or the head of an arrow may be along it, in the longer of the dash and a letter; how far from its middle
 * the head's may be, pixels.
 */
const BESIDE = 0.7;
const NEXT = 0.95;
const HEAD_OFF = 3;

/** A broken line and the numbers of its pieces. */
export interface DashedLine {
  readonly line: InkLine;
  readonly pieces: readonly number[];
}

/**
 * Level and upright lines that are drawn as dashes: pieces that would be read as minus signs and figures 1. Fewer than
 * four dashes are a line where nothing stands beside them and they follow each other, or the head of an arrow.
 * @param letter height of most letters, pixels.
 */
export function dashedLines(
  pieces: readonly Component[],
  isCandidate: (number: number) => boolean,
  { letter, heads }: { readonly letter: number; readonly heads: readonly Arrowhead[] },
): DashedLine[] {
  const dashes: { readonly [direction in 'level' | 'upright']: Dash[] } = { level: [], upright: [] };
  for (let number = 1; number < Math.min(pieces.length, MOST_PIECES); number++) {
    if (!isCandidate(number)) continue;
    const { box, area } = pieces[number];
    const width = box.x1 - box.x0,
      height = box.y1 - box.y0;
    const thick = Math.min(width, height);
    if (area < FULL * width * height || Math.max(width, height) < LONG * thick || thick > THICK * letter) continue;
    if (width > height)
      dashes.level.push({ number, from: box.x0, to: box.x1, at: (box.y0 + box.y1) / 2, thickness: height });
    else dashes.upright.push({ number, from: box.y0, to: box.y1, at: (box.x0 + box.x1) / 2, thickness: width });
  }
  const found = [...chainsOf(dashes.level, true), ...chainsOf(dashes.upright, false)];
  const taken = new Set(found.flatMap(({ pieces: own }) => own));
  const isHead = new Set(heads.map(({ number }) => number));
  const others = cellsOf(pieces, (number) => isCandidate(number) && !taken.has(number) && !isHead.has(number), letter);
  for (const isLevel of [true, false]) {
    const left = (isLevel ? dashes.level : dashes.upright).filter(
      (dash) => !taken.has(dash.number) && !isBeside(dash, isLevel, others, letter),
    );
    const ends = heads.map(({ tipX, tipY, backX, backY }) =>
      isLevel ? [tipX, tipY, backX, backY] : [tipY, tipX, backY, backX],
    );
    for (const dash of left) {
      const reach = NEXT * Math.max(letter, dash.to - dash.from);
      const isNear = (from: number, to: number): boolean => from - dash.to < reach && dash.from - to < reach;
      const hasNext =
        left.some((other) => other !== dash && Math.abs(other.at - dash.at) <= OFF && isNear(other.from, other.to)) ||
        ends.some(
          ([tip, tipOff, back, backOff]) =>
            Math.abs(tipOff - dash.at) < HEAD_OFF &&
            Math.abs(backOff - dash.at) < HEAD_OFF &&
            isNear(Math.min(tip, back), Math.max(tip, back)),
        );
      if (hasNext) found.push({ line: lineOf([dash], isLevel, Math.round(dash.at)), pieces: [dash.number] });
    }
  }
  return found;
}

interface Dash {
  readonly number: number;
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly thickness: number;
}

/** Pieces by cells of a letter's size. */
interface Cells {
  readonly pieces: readonly Component[];
  readonly cells: ReadonlyMap<number, readonly number[]>;
}

const cellOf = (x: number, y: number): number => x * 100_003 + y;

function cellsOf(pieces: readonly Component[], isOne: (number: number) => boolean, size: number): Cells {
  const cells = new Map<number, number[]>();
  for (let number = 1; number < Math.min(pieces.length, MOST_PIECES); number++) {
    if (!isOne(number)) continue;
    const { x0, y0, x1, y1 } = pieces[number].box;
    for (let x = Math.floor(x0 / size); x <= Math.floor(x1 / size); x++)
      for (let y = Math.floor(y0 / size); y <= Math.floor(y1 / size); y++) addTo(cells, cellOf(x, y), number);
  }
  return { pieces, cells };
}

/** Whether another piece stands beside a dash, above or below it if it is level. */
function isBeside({ number, from, to, at }: Dash, isLevel: boolean, { pieces, cells }: Cells, letter: number): boolean {
  const inner = 0.1 * (to - from);
  const box = isLevel
    ? { x0: from + inner, x1: to - inner, y0: at - BESIDE * letter, y1: at + BESIDE * letter }
    : { x0: at - BESIDE * letter, x1: at + BESIDE * letter, y0: from + inner, y1: to - inner };
  for (let x = Math.floor(box.x0 / letter); x <= Math.floor(box.x1 / letter); x++)
    for (let y = Math.floor(box.y0 / letter); y <= Math.floor(box.y1 / letter); y++)
      for (const other of cells.get(cellOf(x, y)) ?? []) {
        const own = pieces[other].box;
        if (other !== number && own.x0 < box.x1 && own.x1 > box.x0 && own.y0 < box.y1 && own.y1 > box.y0) return true;
      }
  return false;
}

function lineOf(chain: readonly Dash[], isLevel: boolean, row: number): InkLine {
  const [from, to] = [chain[0].from, chain[chain.length - 1].to];
  const { thickness } = chain[0];
  return isLevel
    ? { x0: from, y0: row, x1: to, y1: row, thickness }
    : { x0: row, y0: from, x1: row, y1: to, thickness };
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
        found.push({ line: lineOf(chain, isLevel, row), pieces: chain.map(({ number }) => number) });
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
