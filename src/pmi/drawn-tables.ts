import { isLevel, isUpright, lengthOf, middleOf, type Segment } from '../content/geometry.js';
import type { SheetBox } from '../content/sheet.js';
import { typeOfCharacteristic } from './characteristics.js';
import { plainSigns } from './dimension-text.js';
import type { Finding } from './finding.js';
import { CELL_DATUM, CELL_VALUE } from './frames/control-frames.js';
import type { LineIndex } from './line-index.js';
import { PMI_TYPE } from './pmi.js';
import { boxOfBoxes } from './page-frame.js';
import { lineOf } from './sizes/words-of-lines.js';
import { boxOfLine, type TextLine } from './text-lines.js';

/** A table and the lines of text in it. */
export interface Table {
  readonly finding: Finding;
  readonly lines: readonly TextLine[];
}

/** How far the lines of a cell may be from its text, above or below and beside, in letter heights. */
const HIGHEST = 2.2;
const WIDEST = 45;
/** The lines above and below a cell go along at least this share of it. */
const COVERED = 0.85;
/** Lines nearer to each other count as one. */
const THIN = 0.25;
/** Most pieces of a line that are sought in cells of their own. */
const MOST_PIECES = 8;
const FEWEST_CELLS = 6;
/** Cells of control frames are lower, in letter heights. */
const FLAT = 2.4;
const FEWEST_LINES = 2;
const MOST_LINES = 1_500;
const MOST_CELLS = 2_000;

interface Cell {
  readonly line: TextLine;
  readonly box: SheetBox;
  /** The line of the sheet that it is a part of, where that goes on in the next cell. */
  readonly whole: TextLine;
}

/** Level lines of text in cells that form rows and columns: at least two of each, and six cells with text. */
export function tablesOf(lines: readonly TextLine[], index: LineIndex): Table[] {
  const cells = lines
    .filter(({ angleRad }) => Math.abs(angleRad) < 0.02)
    .slice(0, MOST_LINES)
    .flatMap((line) => cellsOf(line, index).map((cell) => ({ ...cell, whole: line })));
  return groupsOf(cells)
    .filter(isTable)
    .map((group) => ({
      lines: group.map(({ whole }) => whole),
      finding: {
        type: PMI_TYPE.table,
        box: boxOfBoxes(group.map(({ box }) => box)),
        parts: group
          .toSorted((a, b) => a.box.y - b.box.y || a.box.x - b.box.x || a.line.t - b.line.t)
          .slice(0, MOST_CELLS)
          .map(({ line: { text } }) => ({ text })),
      },
    }));
}

/**
 * The cell that a line stands in, or those of its pieces: a size and a fit, `25 | H7`, are one line, because a centre
 * line may run through such. None where a piece is in no cell.
 */
function cellsOf(line: TextLine, index: LineIndex): Omit<Cell, 'whole'>[] {
  const box = cellAbout(line, index);
  if (box !== undefined) return [{ line, box }];
  const { pieces, height } = line;
  for (let count = 1; count < Math.min(pieces.length, MOST_PIECES); count++) {
    const first = lineOf(line, pieces.slice(0, count));
    const own = cellAbout(first, index);
    if (own === undefined) continue;
    const others = cellsOf(lineOf(line, pieces.slice(count)), index);
    if (others.length > 0 && Math.abs(others[0].box.x - own.x - own.width) < THIN * height)
      return [{ line: first, box: own }, ...others];
  }
  return [];
}

/** The nearest lines above, below, left and right that span a text. */
function cellAbout(line: TextLine, index: LineIndex): SheetBox | undefined {
  const box = boxOfLine(line);
  const { x, width } = box;
  const size = line.height;
  const { x: middleX, y: middleY } = middleOf(box);
  // Strokes of letters are shorter.
  const edges = index
    .near(middleX, middleY, Math.min(width / 2 + WIDEST * size, 4 * WIDEST * size))
    .filter((edge) => lengthOf(edge) > size);
  const flat = edges.filter((edge) => isLevel(edge, 0.01));
  const level = flat
    .filter((edge) => Math.min(edge.x0, edge.x1) < x + 0.3 * width && Math.max(edge.x0, edge.x1) > x + 0.7 * width)
    .map(({ y0 }) => y0);
  const upright = edges
    .filter(
      (edge) => isUpright(edge, 0.01) && Math.min(edge.y0, edge.y1) < middleY && Math.max(edge.y0, edge.y1) > middleY,
    )
    .map(({ x0 }) => x0);
  const top = Math.max(...level.filter((each) => each < middleY)),
    bottom = Math.min(...level.filter((each) => each > middleY));
  const left = Math.max(...upright.filter((each) => each < middleX)),
    right = Math.min(...upright.filter((each) => each > middleX));
  if (
    !(
      middleY - top < HIGHEST * size &&
      bottom - middleY < HIGHEST * size &&
      middleX - left < WIDEST * size &&
      right - middleX < WIDEST * size
    )
  )
    return undefined;
  if (left > x + THIN * size || right < x + width - THIN * size) return undefined;
  // Dimension lines above and below a value end before the next upright line, which may be the side of a table.
  const isCovered = (at: number): boolean =>
    lengthWithin(
      flat.filter(({ y0 }) => Math.abs(y0 - at) < THIN * size),
      left,
      right,
    ) >=
    COVERED * (right - left);
  if (!isCovered(top) || !isCovered(bottom)) return undefined;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** How much of a range level lines go along, those on each other once. */
function lengthWithin(edges: readonly Segment[], from: number, to: number): number {
  let sum = 0,
    end = from;
  const ranges = edges.map(({ x0, x1 }) => [Math.min(x0, x1), Math.max(x0, x1)] as const).sort((a, b) => a[0] - b[0]);
  for (const [first, last] of ranges) {
    const start = Math.max(first, end);
    if (Math.min(last, to) <= start) continue;
    sum += Math.min(last, to) - start;
    end = Math.min(last, to);
  }
  return sum;
}

/** Whether two cells share a side, or are one cell with two texts. */
function groupsOf(cells: readonly Cell[]): Cell[][] {
  const groups: Cell[][] = [];
  for (const cell of cells) {
    const [first, ...others] = groups.filter((group) => group.some((other) => isNeighbour(cell, other)));
    if (first === undefined) {
      groups.push([cell]);
      continue;
    }
    first.push(cell);
    for (const other of others) {
      first.push(...other);
      groups.splice(groups.indexOf(other), 1);
    }
  }
  return groups;
}

function isNeighbour({ box: a, line }: Cell, { box: b }: Cell): boolean {
  const thin = THIN * line.height;
  const overX = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    overY = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return (overX > -thin && overY > thin) || (overX > thin && overY > -thin);
}

function isTable(cells: readonly Cell[]): boolean {
  const distinct = (levels: readonly number[], thin: number): number =>
    levels.toSorted((a, b) => a - b).filter((level, i, all) => i === 0 || level - all[i - 1] > thin).length;
  const thin = THIN * cells[0].line.height;
  return (
    cells.length >= FEWEST_CELLS &&
    distinct(
      cells.map(({ box }) => box.y),
      thin,
    ) >= FEWEST_LINES &&
    distinct(
      cells.map(({ box }) => box.x),
      thin,
    ) >= FEWEST_LINES &&
    !areFrames(cells)
  );
}

/** Whether cells are those of control frames that are stacked on each other, perhaps with a symbol beside all rows. */
function areFrames(cells: readonly Cell[]): boolean {
  const isSign = ({ line }: Cell): boolean => typeOfCharacteristic(plainSigns(line.text)) !== undefined;
  return (
    cells.length < (cells.some(isSign) || areValuesAndDatums(cells) ? 4 : 2) * FEWEST_CELLS &&
    cells.every(
      (cell) =>
        (cell.box.height < FLAT * cell.line.height || isSign(cell)) &&
        cell.line.text.replace(/\s/g, '').length < 8 &&
        // Words are heads of columns; what frames hold has at most two letters on end.
        !/[A-Za-z]{3}/.test(cell.line.text),
    )
  );
}

/** Whether each row is a value and datums behind it, as rows of a frame are whose symbol is drawn. */
function areValuesAndDatums(cells: readonly Cell[]): boolean {
  return cells.every(({ line, box }) => {
    const isFirst = !cells.some((other) => isInRow(other.box, box) && other.box.x < box.x);
    return (isFirst ? CELL_VALUE : CELL_DATUM).test(plainSigns(line.text).replace(/\s/g, ''));
  });
}

function isInRow(a: SheetBox, b: SheetBox): boolean {
  return Math.abs(a.y - b.y) < 0.5 * b.height;
}
