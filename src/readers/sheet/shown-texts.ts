import { cornersOf, longerSide, TurnedFrame } from '../../content/geometry.js';
import { addTo } from '../../content/groups.js';
import type { Sheet, SheetText } from '../../content/sheet.js';
import type { Bounds } from '../geometry/affine.js';
import { darkestOf, WHITE } from './ink-colors.js';

/** Areas darker than this show white letters; 0 to 255. */
const DARK = 240;
/** Pixels of the longer side of a sheet, where grounds of letters are laid out. */
const PIXELS = 2_048;
/** Strokes wider than this may be the ground of letters, units of the sheet; thinner ones are lines. */
const THICK = 2;
/** Most pieces that a slanted thick line is laid out by. */
const MOST_STAMPS = 64;
/** Above the baseline, in heights of the font: where a text asks for its ground; and most places on each line. */
const ROWS = [0.15, 0.55];
const MOST_ASKED = 64;
/** More of these places have a ground where a text is shown on one. */
const LEAST_GROUND = 0.5;
/** Least share of a text's letters that areas or strokes of their size draw in its place. */
const LEAST_DRAWN = 0.5;
/** Letters and their pieces are so many times as long as the font is high. */
const SHORTEST = 0.05;
const LONGEST = 1.4;
/** Heights of the font: how far letters reach above and below the baseline, and before and behind their text. */
const ABOVE = 1.1;
const BELOW = 0.4;
const BESIDE = 0.2;
/** Cells of the longer side of a sheet that hold the smallest strokes; those of longer ones are twice as wide each. */
const CELLS = 100;
const LEVELS = 8;
/** Most cells and strokes that are looked at for all texts of a sheet: further texts count as shown. */
const MOST_LOOKS = 5_000_000;

/** A text on its sheet. */
interface TextPiece extends Pick<SheetText, 'text' | 'x' | 'y' | 'angleRad' | 'height'> {
  /** Along its baseline. */
  readonly length: number;
}

/**
 * Whether something shows a text that has no ink of its own: pictures or dark areas below most of it, or its letters as
 * strokes and areas, over which it lies for searching. In doubt it is shown.
 * @param shaded areas that shadings paint, in units of the sheet.
 * @returns a test for texts of the sheet, places in its units.
 */
export function shownBy(sheet: Sheet, shaded: readonly Bounds[]): (text: TextPiece) => boolean {
  const grounds = groundsOf(sheet, shaded);
  const marks = new Marks(sheet);
  return (text) => grounds.isBelow(text) || marks.draw(text);
}

function groundsOf({ width, height, strokes, styles, pictures }: Sheet, shaded: readonly Bounds[]): Grounds {
  const grounds = new Grounds(width, height);
  for (let stroke = 0; stroke < strokes.count; stroke++) {
    const [start, end] = [strokes.starts[stroke], strokes.starts[stroke + 1]];
    const style = styles[strokes.styles[stroke]];
    if (darkestOf(style.color) >= DARK) continue;
    if (style.isFill) {
      const { x0, x1, y0, y1 } = cornersOf(strokes.points, start, end);
      grounds.lay({ minX: x0, minY: y0, maxX: x1, maxY: y1 });
    } else if (style.width > THICK)
      for (let at = start; at + 1 < end; at++)
        grounds.layLine(strokes.points.subarray(2 * at, 2 * at + 4), style.width);
  }
  for (const { box } of pictures)
    grounds.lay({ minX: box.x, minY: box.y, maxX: box.x + box.width, maxY: box.y + box.height });
  for (const area of shaded) grounds.lay(area);
  grounds.finish();
  return grounds;
}

/** What is painted below letters, in pixels: how many boxes cover the middle of each. */
class Grounds {
  readonly #side: number;
  readonly #columns: number;
  readonly #rows: number;
  /** First the changes at the corners of boxes, then the numbers of boxes. */
  readonly #counts: Int32Array;

  constructor(width: number, height: number) {
    this.#side = Math.max(width, height) / PIXELS;
    this.#columns = Math.max(1, Math.ceil(width / this.#side));
    this.#rows = Math.max(1, Math.ceil(height / this.#side));
    this.#counts = new Int32Array((this.#columns + 1) * (this.#rows + 1));
  }

  lay({ minX, minY, maxX, maxY }: Bounds): void {
    const pixel = (at: number, most: number): number => Math.min(most, Math.max(0, Math.ceil(at / this.#side - 0.5)));
    const [left, right] = [pixel(minX, this.#columns), pixel(maxX, this.#columns)];
    const [top, bottom] = [pixel(minY, this.#rows), pixel(maxY, this.#rows)];
    const wide = this.#columns + 1;
    this.#counts[top * wide + left]++;
    this.#counts[top * wide + right]--;
    this.#counts[bottom * wide + left]--;
    this.#counts[bottom * wide + right]++;
  }

  layLine([x0, y0, x1, y1]: Float32Array, width: number): void {
    const half = width / 2;
    const isSlanted = Math.min(Math.abs(x1 - x0), Math.abs(y1 - y0)) > half;
    const stamps = isSlanted ? Math.min(MOST_STAMPS, Math.ceil(Math.hypot(x1 - x0, y1 - y0) / half)) : 1;
    for (let i = 0; i < stamps; i++) {
      const [ax, bx, ay, by] = [
        x0 + ((x1 - x0) * i) / stamps,
        x0 + ((x1 - x0) * (i + 1)) / stamps,
        y0 + ((y1 - y0) * i) / stamps,
        y0 + ((y1 - y0) * (i + 1)) / stamps,
      ];
      // Along the line nothing is added: its ends are flat.
      const [slackX, slackY] = Math.abs(x1 - x0) > Math.abs(y1 - y0) ? [0, half] : [half, 0];
      this.lay({
        minX: Math.min(ax, bx) - slackX,
        minY: Math.min(ay, by) - slackY,
        maxX: Math.max(ax, bx) + slackX,
        maxY: Math.max(ay, by) + slackY,
      });
    }
  }

  finish(): void {
    const wide = this.#columns + 1;
    for (let at = 0; at < this.#counts.length; at++) if (at % wide > 0) this.#counts[at] += this.#counts[at - 1];
    for (let at = wide; at < this.#counts.length; at++) this.#counts[at] += this.#counts[at - wide];
  }

  /** Whether most of a text has a ground, as far as it is on the sheet. */
  isBelow({ x, y, angleRad, length, height }: TextPiece): boolean {
    const { cos, sin } = new TurnedFrame(angleRad);
    const places = Math.max(4, Math.min(MOST_ASKED, Math.ceil((3 * length) / height) || 0));
    let asked = 0,
      covered = 0;
    for (const row of ROWS)
      for (let i = 0; i < places; i++) {
        const s = (length * (i + 0.5)) / places,
          t = row * height;
        const column = Math.floor((x + s * cos + t * sin) / this.#side),
          line = Math.floor((y + s * sin - t * cos) / this.#side);
        if (!(column >= 0 && column < this.#columns && line >= 0 && line < this.#rows)) continue;
        asked++;
        if (this.#counts[line * (this.#columns + 1) + column] > 0) covered++;
      }
    return covered > LEAST_GROUND * asked;
  }
}

/** A stroke or area that may be a letter: its middle and longer side. */
interface Mark {
  readonly x: number;
  readonly y: number;
  readonly long: number;
}

/** The strokes and areas of a sheet by their place and length. */
class Marks {
  readonly #width: number;
  readonly #height: number;
  /** For each level, marks by cell; marks are at most as long as cells are wide. */
  readonly #levels: { readonly side: number; readonly cells: Map<number, Mark[]> }[];
  #looks = 0;

  constructor({ width, height, strokes, styles }: Sheet) {
    this.#width = width;
    this.#height = height;
    const side = Math.max(width, height) / CELLS;
    this.#levels = Array.from({ length: LEVELS }, (_, i) => ({
      side: side * 2 ** i,
      cells: new Map<number, Mark[]>(),
    }));
    for (let stroke = 0; stroke < strokes.count; stroke++) {
      if (darkestOf(styles[strokes.styles[stroke]].color) >= WHITE) continue;
      const corners = cornersOf(strokes.points, strokes.starts[stroke], strokes.starts[stroke + 1]);
      const long = longerSide(corners);
      const level = this.#levels.find((each) => long <= each.side);
      if (level === undefined) continue;
      const [x, y] = [(corners.x0 + corners.x1) / 2, (corners.y0 + corners.y1) / 2];
      addTo(level.cells, cellOf(x / level.side, y / level.side), { x, y, long });
    }
  }

  /** Whether so many of a text's letters are drawn in its place as a text over them has. */
  draw({ text, x, y, angleRad, length, height }: TextPiece): boolean {
    const least = LEAST_DRAWN * text.replace(/\s/g, '').length;
    const frame = new TurnedFrame(angleRad);
    const corners = [-BESIDE * height, length + BESIDE * height].flatMap((s) =>
      [-ABOVE * height, BELOW * height].map((t) => ({
        x: x + s * frame.cos - t * frame.sin,
        y: y + s * frame.sin + t * frame.cos,
      })),
    );
    const range = (of: (corner: { x: number; y: number }) => number, most: number): readonly [number, number] => [
      Math.max(0, Math.min(...corners.map(of))),
      Math.min(most, Math.max(...corners.map(of))),
    ];
    const [left, right] = range((corner) => corner.x, this.#width);
    const [top, bottom] = range((corner) => corner.y, this.#height);
    let drawn = 0;
    for (const { side, cells } of this.#levels) {
      // Others are no letters of this text.
      if (side / 2 > LONGEST * height && side !== this.#levels[0].side) break;
      if (cells.size === 0 || side < SHORTEST * height) continue;
      for (let column = Math.floor(left / side); column <= right / side; column++)
        for (let row = Math.floor(top / side); row <= bottom / side; row++) {
          if (++this.#looks > MOST_LOOKS) return true;
          for (const each of cells.get(cellOf(column, row)) ?? []) {
            this.#looks++;
            const s = frame.s(each.x - x, each.y - y),
              t = frame.t(each.x - x, each.y - y);
            const isAlong = s > -BESIDE * height && s < length + BESIDE * height;
            const isBeside = !isAlong || t < -ABOVE * height || t > BELOW * height;
            if (isBeside || each.long < SHORTEST * height || each.long > LONGEST * height) continue;
            if (++drawn >= least) return true;
          }
        }
    }
    return false;
  }
}

function cellOf(column: number, row: number): number {
  return Math.floor(column) * 10 * CELLS + Math.floor(row);
}
