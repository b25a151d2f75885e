import { eachEdge, type Sheet, type SheetBox } from '../content/sheet.js';
import type { Finding } from './finding.js';
import { PMI_TYPE } from './pmi.js';

/** A view of a part on a sheet: its place and its strokes. */
export interface PartView {
  readonly box: SheetBox;
  readonly strokes: Uint32Array;
}

/** Share of line length at 30° or 45° from which a view is pictorial, and the largest share of level lines in it. */
const SLANTED = 0.35;
const LEVEL = 0.3;
const NEAR = 4;
/**
 * Slanted lines, one beside another, of which a view at an angle has so many: a block shows three edges of each
 * direction. A flat side with slanted edges, a wedge or a roof, has one or two; so has a hexagon.
 */
const PARALLEL = 3;
/** Lines so near to one line, shares of the view's larger side, are that one. */
const ONE_LINE = 0.01;
/** Strokes of more corners are curves: many short chords in all directions. */
const MOST_CORNERS = 8;
/** Points of a curve that are looked at, and how far they may be off a circle, shares of its radius. */
const SAMPLES = 48;
const ROUND = 0.015;
/** Least turn of a curve that tells a circle from an ellipse, radians. */
const LEAST_TURN = 1;
/** Share of all lines that circles as seen at an angle, or as they are, must have to decide. */
const CURVED = 0.2;
/** Directions in which circles of an isometric view are shortened to 1/√3: those of the three axes. */
const AXES = [Math.PI / 2, Math.PI / 6, (5 * Math.PI) / 6] as const;

/** Views as annotations: pictorial views (isometric, dimetric) are distinguished from views along an axis. */
export function findingsOfViews(sheet: Sheet, views: readonly PartView[]): Finding[] {
  return views.map((view) => ({
    type: isAtAngle(sheet, view) ? PMI_TYPE.view3d : PMI_TYPE.view,
    box: view.box,
    parts: [],
  }));
}

/** By the circles, where a view has enough of them: whole, or as ellipses; else by the directions of its lines. */
function isAtAngle(sheet: Sheet, { box, strokes }: PartView): boolean {
  let total = 0,
    level = 0,
    slanted = 0,
    curved = 0;
  const lengths = { circle: 0, ellipse: 0, other: 0 };
  const lines = new SlantedLines(ONE_LINE * Math.max(box.width, box.height));
  const { starts } = sheet.strokes;
  for (const stroke of strokes) {
    let own = 0;
    const isCurve = starts[stroke + 1] - starts[stroke] > MOST_CORNERS;
    eachEdge(sheet.strokes, stroke, (x0, y0, x1, y1) => {
      const dx = x1 - x0,
        dy = y1 - y0;
      const length = Math.hypot(dx, dy);
      own += length;
      if (isCurve) return;
      const degrees = (Math.atan(dy / dx) * 180) / Math.PI;
      if (Math.abs(degrees) < NEAR) level += length;
      if (!isSlanted(degrees)) return;
      slanted += length;
      lines.add(degrees, (Math.sign(dx) * (x0 * dy - y0 * dx)) / length);
    });
    if (!isCurve) total += own;
    else {
      curved += own;
      lengths[formOfCurve(sheet, stroke)] += own;
    }
  }
  const { circle, ellipse } = lengths;
  const enough = CURVED * (total + curved);
  if (circle > ellipse && circle > enough) return false;
  if (ellipse > circle && ellipse > enough) return level < LEVEL * (total + curved);
  return total > 0 && slanted > SLANTED * total && level < LEVEL * total && lines.areOfBody;
}

/** Whether a line leans as edges of an isometric or dimetric view do. degrees: from level, -90 to 90. */
const isSlanted = (degrees: number): boolean =>
  [7, 30, 42, 45].some((angle) => Math.abs(Math.abs(degrees) - angle) < NEAR);

/** The slanted lines of a view, by the way they lean. */
class SlantedLines {
  readonly #apart: number;
  readonly #offsets: readonly number[][] = [[], []];

  /** apart: distance of two lines that are not one. */
  constructor(apart: number) {
    this.#apart = apart;
  }

  /** offset: of the line from the origin. */
  add(degrees: number, offset: number): void {
    const own = this.#offsets[degrees < 0 ? 0 : 1];
    if (!own.some((other) => Math.abs(other - offset) < this.#apart)) own.push(offset);
  }

  /** Whether they are edges of a body. */
  get areOfBody(): boolean {
    return this.#offsets.some(({ length }) => length >= PARALLEL);
  }
}

/** What a curve is: part of a circle, of a circle that an isometric view shortens, or another. */
function formOfCurve({ strokes: { points, starts } }: Sheet, stroke: number): 'circle' | 'ellipse' | 'other' {
  const [from, to] = [starts[stroke], starts[stroke + 1]];
  const step = Math.max(1, (to - from - 1) / SAMPLES);
  const xs: number[] = [],
    ys: number[] = [];
  for (let at = from; at < to - 0.5; at += step) {
    const i = Math.floor(at);
    xs.push(points[2 * i]);
    ys.push(points[2 * i + 1]);
  }
  if (isRound(xs, ys)) return 'circle';
  const isShortened = AXES.some((axis) => {
    const [cos, sin] = [Math.cos(axis), Math.sin(axis)];
    const along = xs.map((x, i) => (x * cos + ys[i] * sin) * Math.sqrt(3));
    const across = xs.map((x, i) => ys[i] * cos - x * sin);
    return isRound(along, across);
  });
  return isShortened ? 'ellipse' : 'other';
}

/** Whether points lie on a circle and turn enough to tell it: least squares of x² + y² + ax + by + c (Kåsa 1976). */
function isRound(xs: readonly number[], ys: readonly number[]): boolean {
  const n = xs.length;
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / n;
  const [x0, y0] = [mean(xs), mean(ys)];
  const u = xs.map((x) => x - x0),
    v = ys.map((y) => y - y0);
  let [uu, uv, vv, uq, vq, q] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const square = u[i] * u[i] + v[i] * v[i];
    uu += u[i] * u[i];
    uv += u[i] * v[i];
    vv += v[i] * v[i];
    uq += u[i] * square;
    vq += v[i] * square;
    q += square;
  }
  const det = uu * vv - uv * uv;
  if (!(det > 1e-9 * q * q)) return false;
  const cu = (uq * vv - vq * uv) / (2 * det),
    cv = (vq * uu - uq * uv) / (2 * det);
  const radius = Math.sqrt(cu * cu + cv * cv + q / n);
  let turn = 0;
  for (let i = 0; i < n; i++) {
    if (Math.abs(Math.hypot(u[i] - cu, v[i] - cv) - radius) > ROUND * radius) return false;
    if (i === 0) continue;
    const [ax, ay, bx, by] = [u[i - 1] - cu, v[i - 1] - cv, u[i] - cu, v[i] - cv];
    turn += Math.abs(Math.atan2(ax * by - ay * bx, ax * bx + ay * by));
  }
  return turn > LEAST_TURN;
}
