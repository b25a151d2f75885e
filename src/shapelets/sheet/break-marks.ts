import type { Bitmap, PixelBox } from '../../bitmap/bitmap.js';
import type { Segment } from '../../content/geometry.js';
import type { Sheet } from '../../content/sheet.js';
import { breakBetween, type Along, type ViewBreak } from '../break-between.js';
import type { SheetMeasures } from './sheet-measures.js';

/** Break lines between which the lines of a view go on. */
export interface BreakMarks {
  readonly strokes: ReadonlySet<number>;
  /** What goes on, as it would run across the breaks, sheet units. */
  readonly bridges: readonly Segment[];
}

/**
 * A break line, points: least height; largest extent along the part as a share of that; least distance of its points
 * from the straight line between its ends. Widest gap between two.
 */
const LEAST_HEIGHT = 8;
const SWAY = 0.4;
const BENT = 0.75;
const WIDEST = 60;
/** Points by which two equal lines may differ, and length of the part beside them that is looked at. */
const UNEVEN = 1.5;
const BESIDE = 60;
/** Most pairs of lines that are compared on a sheet. */
const MOST_PAIRS = 2_000;

interface BentLine {
  readonly stroke: number;
  readonly box: Segment;
}

/**
 * Pairs of equal strokes that sway across a part and between which its lines stop. Found before strokes are grouped,
 * because such lines often stand nearer to each other than views do, or reach another view.
 * @param ink what is drawn, with its pixels per unit of the sheet
 */
export function breakMarks(
  { strokes }: Sheet,
  isDrawn: (stroke: number) => boolean,
  ink: Bitmap & { readonly scale: number },
  { boxes, point }: SheetMeasures,
): BreakMarks {
  const marks = new Set<number>();
  const bridges: Segment[] = [];
  let pairs = 0;
  for (const along of [0, 1] as const) {
    const bent: BentLine[] = [];
    for (let i = 0; i < strokes.count; i++) {
      const [x0, y0, x1, y1] = boxes.subarray(4 * i, 4 * i + 4);
      const [sway, height] = along === 0 ? [x1 - x0, y1 - y0] : [y1 - y0, x1 - x0];
      if (!isDrawn(i) || height < LEAST_HEIGHT * point || sway > SWAY * height) continue;
      if (bendOf(strokes, i) >= BENT * point) bent.push({ stroke: i, box: { x0, y0, x1, y1 } });
    }
    bent.sort((a, b) => startOf(a, along) - startOf(b, along) || a.stroke - b.stroke);
    for (const [i, first] of bent.entries()) {
      for (let k = i + 1; k < bent.length && pairs < MOST_PAIRS; k++) {
        const second = bent[k];
        if (startOf(second, along) - startOf(first, along) > WIDEST * point) break;
        if (marks.has(first.stroke) || marks.has(second.stroke) || !areEqual(first, second, along, point)) continue;
        pairs++;
        const found = breakBetween(ink, piecesBeside(first, second, along, ink.scale, point), along, point * ink.scale);
        if (found === undefined) continue;
        marks.add(first.stroke).add(second.stroke);
        bridges.push(...bridgesOf(found, ink.scale));
      }
    }
  }
  return { strokes: marks, bridges };
}

/** Lines that go on behind a break, as they would run across it, sheet units. */
export function bridgesOf({ along, zone, lines }: ViewBreak, scale: number): Segment[] {
  const [from, to] = [zone.from / scale, zone.to / scale];
  return lines.map((line) => {
    const at = (line.from + line.to) / 2 / scale;
    return along === 0 ? { x0: from, y0: at, x1: to, y1: at } : { x0: at, y0: from, x1: at, y1: to };
  });
}

/** Largest distance of the points of a stroke from the line between its ends; 0 for closed ones. */
function bendOf({ points, starts }: Sheet['strokes'], stroke: number): number {
  const [first, last] = [starts[stroke], starts[stroke + 1] - 1];
  const [x, y] = [points[2 * first], points[2 * first + 1]];
  const [u, v] = [points[2 * last] - x, points[2 * last + 1] - y];
  const length = Math.hypot(u, v);
  if (length === 0) return 0;
  let bend = 0;
  for (let i = first + 1; i < last; i++)
    bend = Math.max(bend, Math.abs((points[2 * i] - x) * v - (points[2 * i + 1] - y) * u) / length);
  return bend;
}

function startOf({ box }: BentLine, along: Along): number {
  return along === 0 ? box.x0 : box.y0;
}

/** Whether two lines have one size and stand beside each other. */
function areEqual({ box: a }: BentLine, { box: b }: BentLine, along: Along, point: number): boolean {
  const sizes =
    along === 0
      ? [a.y0 - b.y0, a.y1 - b.y1, a.x1 - a.x0 - (b.x1 - b.x0)]
      : [a.x0 - b.x0, a.x1 - b.x1, a.y1 - a.y0 - (b.y1 - b.y0)];
  return sizes.every((off) => Math.abs(off) <= UNEVEN * point);
}

/** What may belong to the part on both sides, pixels. */
function piecesBeside(
  { box: a }: BentLine,
  { box: b }: BentLine,
  along: Along,
  scale: number,
  point: number,
): [PixelBox, PixelBox] {
  const beside = BESIDE * point;
  const corners =
    along === 0
      ? [
          [a.x0 - beside, a.y0, a.x1, a.y1],
          [b.x0, b.y0, b.x1 + beside, b.y1],
        ]
      : [
          [a.x0, a.y0 - beside, a.x1, a.y1],
          [b.x0, b.y0, b.x1, b.y1 + beside],
        ];
  const [first, second] = corners.map((own): PixelBox => {
    const [x0, y0, x1, y1] = own.map((place) => Math.max(0, Math.floor(scale * place)));
    return { x0, y0, x1: x1 + 1, y1: y1 + 1 };
  });
  return [first, second];
}
