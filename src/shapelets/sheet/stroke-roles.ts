import { longerSide } from '../../content/geometry.js';
import type { AnnotationKind, Sheet, StrokeStyle } from '../../content/sheet.js';
import { findArrowheads } from './arrowheads.js';
import { findDashRuns } from './dash-runs.js';
import { holdsHatchBorders, partBlocks, tellsDimensions } from './cad-roles.js';
import { markDimensionLines } from './dimension-lines.js';
import { markByTexts } from './text-marks.js';
import { findTicks } from './tick-marks.js';
import { findFrame, type RuledFrame } from './ruled-frame.js';
import { StrokeEnds } from './stroke-ends.js';
import { boxAt, measureSheet, type SheetMeasures } from './sheet-measures.js';

/** Roles of strokes. */
export const STROKE_ROLES = Object.freeze({
  /** Visible outlines and edges of parts. */
  geometry: 0,
  /** Hidden edges. */
  hidden: 1,
  /** Centre lines, phantom lines, cutting planes. */
  center: 2,
  /** Dimensions, leaders, symbols, notes, thin lines. */
  annotation: 3,
  hatch: 4,
  /** The frame, the title block, the contents of their cells and everything outside the frame. */
  frame: 5,
  /** Filled areas: arrowheads, letters, shading. */
  fill: 6,
  /** Invisible. */
  none: 7,
});

const { geometry, hidden, center, annotation, hatch, frame, fill, none } = STROKE_ROLES;

/** Role of the strokes of each kind of annotation. */
const ROLE_OF_KIND: Readonly<Record<AnnotationKind, number>> = {
  dimension: annotation,
  leader: annotation,
  tolerance: annotation,
  note: annotation,
  attribute: annotation,
  table: frame,
  viewport: frame,
  hatch,
};

/** A lighter line (mean of red, green and blue, 0 to 255) is invisible on white paper. */
const WHITE = 246;
/**
 * Smaller strokes (longer side, points) are often letters and symbols, so they do not count when a style is classified.
 */
const SMALL = 12;
/**
 * If dimension lines have more than this share of a style's length, the whole style is annotation; styles of outlines
 * have at most the second share.
 */
const DIMENSION_SHARE = 0.4;
const OUTLINE_SHARE = 0.25;
/** Least ratio of the width of outlines to that of thin lines (ISO 128-2: 2; some programs use less). */
const WIDER = 1.25;
/** Least length of outlines of one width, points, and of all outlines as a share of all lines. */
const OUTLINES = 40;
const WIDE_SHARE = 0.04;
/** A width with a smaller share of the lines' length is not the thinnest one. */
const THINNEST_SHARE = 0.02;
/** A wide style with at most this share of the strokes of another wide style consists of section marks. */
const COUNT_SHARE = 0.15;

/** Ends of strokes no farther apart meet, points. */
const MEETS = 0.5;

/** Roles by the names of layers, in several languages. */
const LAYERS: readonly (readonly [RegExp, number])[] = [
  [/hidden|verdeckt|unsichtbar|cach[eé]|nascost|ocult|verborgen/i, hidden],
  [/cent(er|re)|mittel|symm|achse|^axe|axis|phantom|construct|hilfslin/i, center],
  [/hatch|schraff|hachur|tratteg|sombread|arcering/i, hatch],
  [
    /^dim|dimension|bema(ß|ss)|ma(ß|ss)|cot(e|as|ation)|quot|text|annot|note|leader|symbol|defpoints|toler/i,
    annotation,
  ],
  [/border|frame|title|rahmen|schriftf|cadre|cartouche|cartiglio|cajetin|sheet|format|zeichnungskopf/i, frame],
];

/**
 * Separates strokes of part geometry from everything else on a sheet, by the file's own data (entities, layers,
 * dashes), the frame and what is outside the area that it encloses, lines that end in arrows, and the widths of lines.
 * @returns u8[strokes]: one of {@link STROKE_ROLES}.
 */
export function classifyStrokes(sheet: Sheet): Uint8Array {
  return rolesOf(sheet, measureSheet(sheet), 'tell').roles;
}

/**
 * The same for a sheet that is already measured; also returns the purpose of its areas.
 * @param widths whether the widths of lines separate outlines from thin lines.
 */
export function rolesOf(
  sheet: Sheet,
  measures: SheetMeasures,
  widths: 'tell' | 'say nothing',
): { readonly roles: Uint8Array; readonly areaAt: RuledFrame['areaAt']; readonly areWidthsTold: boolean } {
  const roles = rolesByFile(sheet);
  const { strokes: ruled, areaAt } = findFrame(sheet, measures);
  for (let i = 0; i < roles.length; i++) {
    if (roles[i] === none) continue;
    if (ruled[i] === 1 || areaOf(measures, i, areaAt) !== 'drawing') roles[i] = frame;
  }
  findDashRuns(sheet, measures, (stroke, line) => {
    if (roles[stroke] === geometry) roles[stroke] = line === 'hidden' ? hidden : center;
  });
  return { roles, areaAt, areWidthsTold: markAnnotations(sheet, measures, roles, widths) };
}

/** Roles by styles and entities. */
function rolesByFile(sheet: Sheet): Uint8Array {
  const {
    strokes: { count, styles, annotations, groups },
    styles: all,
    annotations: entities,
  } = sheet;
  const parts = partBlocks(sheet);
  const roleOfStyle = all.map(roleOf);
  const roles = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    roles[i] =
      annotations[i] >= 0 && parts[annotations[i]] === 0
        ? ROLE_OF_KIND[entities[annotations[i]].kind]
        : roleOfStyle[styles[i]];
    // The outline of a filled area, drawn by the same operation in the same color, belongs to the fill.
    if (
      roles[i] !== fill &&
      i > 0 &&
      roles[i - 1] === fill &&
      groups[i] === groups[i - 1] &&
      all[styles[i]].color === all[styles[i - 1]].color
    )
      roles[i] = fill;
  }
  return roles;
}

function roleOf({ layer, dash, color, isFill }: StrokeStyle): number {
  // CAD programs draw on a dark screen: a white line with a layer is visible.
  if (layer === '' && (((color >> 16) & 255) + ((color >> 8) & 255) + (color & 255)) / 3 > WHITE) return none;
  if (isFill) return fill;
  const byLayer = layer === '' || holdsHatchBorders(layer) ? undefined : LAYERS.find(([name]) => name.test(layer))?.[1];
  return byLayer ?? roleOfDash(dash);
}

/** Dashes of equal length are hidden edges; alternating long and short ones are centre lines. */
function roleOfDash(dash: readonly number[]): number {
  if (dash.length === 0) return geometry;
  const drawn = dash.filter((length, i) => i % 2 === 0 && length > 0);
  return drawn.length > 1 && Math.max(...drawn) > 1.8 * Math.min(...drawn) ? center : hidden;
}

function areaOf(measures: SheetMeasures, stroke: number, areaAt: RuledFrame['areaAt']): string {
  const { x0, y0, x1, y1 } = boxAt(measures, stroke);
  const middle = areaAt((x0 + x1) / 2, (y0 + y1) / 2);
  if (middle === 'drawing') return middle;
  // A view larger than a cell surrounds the cell instead of lying in it.
  const corners = [areaAt(x0, y0), areaAt(x1, y0), areaAt(x0, y1), areaAt(x1, y1)];
  return corners.filter((area) => area === 'drawing').length >= 3 ? 'drawing' : middle;
}

/**
 * Marks dimension lines by their arrows, then whole styles by their share of dimension lines and by their width.
 * @returns whether widths separated outlines from other lines.
 */
function markAnnotations(
  sheet: Sheet,
  measures: SheetMeasures,
  roles: Uint8Array,
  widths: 'tell' | 'say nothing',
): boolean {
  const { styles } = sheet.strokes;
  const isOpen = roles.map((role) => (role === geometry || role === hidden || role === center ? 1 : 0));
  const heads = [...findArrowheads(sheet, measures), ...findTicks(sheet, measures, isOpen)].filter(({ strokes }) =>
    strokes.every((stroke) => roles[stroke] === geometry || roles[stroke] === fill),
  );
  const ends = new StrokeEnds(sheet, isOpen, MEETS * measures.point);
  const marks = markDimensionLines(sheet, measures, heads, isOpen, ends);
  const votes = votesOf(sheet, measures, roles, marks);
  const areTold = tellsDimensions(sheet);
  const wide = areTold || widths === 'say nothing' ? undefined : wideStyles(sheet.styles, votes, measures.point);
  const isOutline = areTold ? sheet.styles.map(() => true) : (wide ?? unlikeDimensions(sheet, votes, measures.point));
  const byTexts = markByTexts(sheet, measures, isOpen, ends);
  for (let i = 0; i < roles.length; i++) {
    if (roles[i] !== geometry && roles[i] !== hidden) continue;
    // Where outlines are wide, arrows are not needed, and an arrow may point along an edge.
    const isMarked = byTexts[i] === 1 || (marks[i] === 1 && !(wide !== undefined && isOutline[styles[i]]));
    if (isMarked || (roles[i] === geometry && !isOutline[styles[i]])) roles[i] = annotation;
  }
  return wide !== undefined;
}

/** Length of the solid strokes of a style and of those among them that arrows mark, and the number of strokes. */
interface Vote {
  all: number;
  marked: number;
  count: number;
}

function votesOf(sheet: Sheet, measures: SheetMeasures, roles: Uint8Array, marks: Uint8Array): Vote[] {
  const { lengths, point } = measures;
  const votes = sheet.styles.map((): Vote => ({ all: 0, marked: 0, count: 0 }));
  for (let i = 0; i < roles.length; i++) {
    if (roles[i] !== geometry) continue;
    const vote = votes[sheet.strokes.styles[i]];
    vote.count++;
    if (longerSide(boxAt(measures, i)) < SMALL * point) continue;
    vote.all += lengths[i];
    if (marks[i] === 1) vote.marked += lengths[i];
  }
  return votes;
}

/**
 * For sheets with lines of one width, whose styles may differ in color: the styles with few arrows; all styles if too
 * little would be left.
 */
function unlikeDimensions({ pictures }: Sheet, votes: readonly Vote[], point: number): boolean[] {
  const isDimension = votes.map(({ all, marked }) => marked > DIMENSION_SHARE * all);
  const others = votes.reduce((sum, { all }, i) => (isDimension[i] ? sum : sum + all), 0);
  return isDimension.map((is) => !is || (others < OUTLINES * point && pictures.length === 0));
}

/** The styles that are clearly wider than the thinnest ones; undefined if there are none. */
function wideStyles(styles: readonly StrokeStyle[], votes: readonly Vote[], point: number): boolean[] | undefined {
  const total = votes.reduce((sum, { all }) => sum + all, 0);
  const classes = new Map<number, Vote>();
  styles.forEach(({ width, isFill }, i) => {
    if (isFill) return;
    const sum = classes.get(classOf(width, point)) ?? { all: 0, marked: 0, count: 0 };
    classes.set(classOf(width, point), {
      all: sum.all + votes[i].all,
      marked: sum.marked + votes[i].marked,
      count: sum.count + votes[i].count,
    });
  });
  const thinnest = Math.min(
    ...[...classes].filter(([, { all }]) => all > THINNEST_SHARE * total).map(([width]) => width),
  );
  const wider = [...classes].filter(
    ([width, { all, marked }]) =>
      width >= WIDER * thinnest && width > 0 && all >= OUTLINES * point && marked <= OUTLINE_SHARE * all,
  );
  const most = Math.max(0, ...wider.map(([, { count }]) => count));
  const kept = new Set(wider.filter(([, { count }]) => count > COUNT_SHARE * most).map(([width]) => width));
  const length = wider.reduce((sum, [width, { all }]) => (kept.has(width) ? sum + all : sum), 0);
  if (length < WIDE_SHARE * total || kept.size === 0) return undefined;
  return styles.map(({ width }) => kept.has(classOf(width, point)));
}

/** Rounds a width to a twentieth of a point. */
function classOf(width: number, point: number): number {
  return Math.round((20 * width) / point) / 20;
}
