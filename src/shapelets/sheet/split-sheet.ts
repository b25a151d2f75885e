import { areaOf, boxOfCorners, longerSide } from '../../content/geometry.js';
import { addTo, medianOf } from '../../content/groups.js';
import { eachEdge, type Sheet, type SheetBox } from '../../content/sheet.js';
import { joinBrokenViews } from './broken-views.js';
import { findClusters, joinOverlapping, type Cluster } from './clusters.js';
import { detailBorders } from './detail-borders.js';
import { drawnLetters, type DrawnLetters } from './drawn-letters.js';
import { drawnOutAt } from './drawn-out.js';
import { encloses } from './enclosing.js';
import { isLikeLogo, withoutLogos } from './logos.js';
import { isLoose, takeOffLoose } from './loose-ends.js';
import type { Shapelet } from '../shapelet.js';
import { withoutProjectionSigns } from './projection-signs.js';
import { revisionClouds } from './revision-clouds.js';
import { boxAt, measureSheet, type SheetMeasures } from './sheet-measures.js';
import { STROKE_ROLES, rolesOf } from './stroke-roles.js';
import { drawView } from './view-picture.js';
import { isWriting } from './writing.js';

/** A view of a part on a sheet. */
export interface SheetView {
  /** Bounding box of its geometry, sheet units. */
  readonly box: SheetBox;
  /** Its strokes, by ascending number. */
  readonly strokes: Uint32Array;
  readonly shapelet: Shapelet;
  /** Its body alone, where strands go off from it. */
  readonly bare?: { readonly box: SheetBox; readonly shapelet: Shapelet };
}

/** Least longer side of a view, points. */
const SMALLEST = 7;
const MOST_VIEWS = 100;
/**
 * A frame with text is lower than this many heights of its letters, and its text covers more than this share; a symbol
 * is smaller than the third, in heights of letters, or than the fourth where letters are drawn.
 */
const TEXT_LINES = 5;
const TEXT_SHARE = 0.12;
const SIGN = 1.4;
const DRAWN_SIGN = 1.8;
/**
 * Fewest texts of a sheet whose letters are not drawn; so many drawn letters are counted as one text, and each takes so
 * many times its own box of it, with the gaps between letters and words.
 */
const TEXTS = 5;
const OF_WORD = 4;
const PLACE = 1.6;
/** Least share of a table that text covers, and least length of its lines as a share of its width. */
const TABLE_SHARE = 0.05;
const RULED = 0.9;
const FEWEST_ROWS = 2;

/**
 * Splits a sheet into the views of its parts: clusters of the strokes that {@link rolesOf} classifies as geometry or
 * hidden edges, and of pictures among them. Ordered by descending area of their boxes. A scan has no views here. The
 * result is cached for the lifetime of the sheet object.
 */
export function splitSheet(sheet: Sheet): readonly SheetView[] {
  const known = split.get(sheet);
  if (known !== undefined) return known;
  const views = viewsOfSheet(sheet);
  split.set(sheet, views);
  return views;
}

/** Views are needed twice: for shapelets and for PMI. */
const split = new WeakMap<Sheet, readonly SheetView[]>();

function viewsOfSheet(sheet: Sheet): SheetView[] {
  const measures = measureSheet(sheet);
  // On a sheet of thin lines the wide ones may belong to a table or be cutting planes, so a second attempt ignores
  // widths.
  const told = viewsOf(sheet, measures, 'tell');
  if (told.doEnclose) return told.views;
  const { views } = viewsOf(sheet, measures, 'say nothing');
  return views.length > 0 ? views : told.views;
}

/** doEnclose: whether one of the views encloses an area, or there are views and widths tell nothing. */
function viewsOf(
  sheet: Sheet,
  measures: SheetMeasures,
  widths: 'tell' | 'say nothing',
): { readonly views: SheetView[]; readonly doEnclose: boolean } {
  const { roles, areaAt, areWidthsTold } = rolesOf(sheet, measures, widths);
  // The border of a detail closes what it cuts off.
  const isRole =
    (...kinds: number[]) =>
    (stroke: number) =>
      kinds.includes(roles[stroke]);
  const { geometry, hidden, annotation, center } = STROKE_ROLES;
  for (const i of detailBorders(sheet, measures, isRole(annotation, center), isRole(geometry, hidden)))
    roles[i] = geometry;
  for (const i of revisionClouds(sheet, measures, isRole(geometry))) roles[i] = annotation;
  const { clusters, ink } = findClusters(sheet, measures, roles, areaAt);
  const whole = joinOverlapping(clusters);
  // Outlines end at a break; where it is not known what goes on behind it, views are not tested for loose ends. Where
  // wide lines are the outlines, none of them is a leader or a centre line.
  const isBroken = (cluster: Cluster): boolean => cluster.bridges === undefined && !whole.includes(cluster);
  const isEdge = (i: number): boolean => roles[i] === STROKE_ROLES.geometry;
  const letters = sheet.texts.length < TEXTS ? drawnLetters(sheet, measures) : undefined;
  const likeViews = joinBrokenViews(whole, ink, measures)
    .filter(
      (cluster) =>
        isBroken(cluster) ||
        cluster.pictures.size > 0 ||
        isOneStroke(cluster, sheet) ||
        !isLoose(sheet, measures, { ...cluster, strokes: cluster.strokes.filter(isEdge) }),
    )
    .map((cluster) => (isBroken(cluster) ? cluster : takeOffLoose(cluster, sheet, measures)))
    .filter((cluster) => isView(cluster, sheet, measures, letters));
  const found = withoutLogos(sheet, measures, withoutProjectionSigns(sheet, measures, likeViews));
  // Hidden lines tell nothing: where they alone are left, the wide lines were those of a title block.
  const outlined = found.map((cluster) => ({ ...cluster, strokes: cluster.strokes.filter(isEdge) }));
  const doEnclose = areWidthsTold
    ? outlined.some((cluster) => !isLikeLogo(sheet, cluster) && encloses(sheet, measures, cluster))
    : found.length > 0;
  const kept = found.sort((a, b) => areaOf(b) - areaOf(a)).slice(0, MOST_VIEWS);
  const drawnOut = drawnOutAt(kept);
  const views = kept.map((cluster) => {
    const box = boxOfCorners(cluster);
    const strokes = Uint32Array.from(cluster.strokes).sort();
    return {
      box,
      strokes,
      ...drawView(sheet, { box, strokes, bridges: cluster.bridges ?? [], drawnOut: drawnOut.get(cluster) }, roles, [
        ...cluster.pictures.keys(),
      ]),
    };
  });
  return { views, doEnclose };
}

/**
 * How far the ends of an outline in one stroke may be apart, as a share of its longer side, where no text stands: a
 * hand does not end where it began.
 */
const HAND_GAP = 0.05;

/** Whether an outline is one stroke of a hand, which comes back to its beginning, on a sheet without words. */
function isOneStroke(cluster: Cluster, sheet: Sheet): boolean {
  const { strokes } = cluster;
  return (
    sheet.texts.length === 0 && strokes.length === 1 && isClosed(sheet, strokes[0], HAND_GAP * longerSide(cluster))
  );
}

/** Whether a cluster is a view and not a single line, a framed text, a table or a symbol. */
function isView(cluster: Cluster, sheet: Sheet, measures: SheetMeasures, letters: DrawnLetters | undefined): boolean {
  const { x0, y0, x1, y1, strokes, pictures } = cluster;
  const { texts } = sheet;
  const { point } = measures;
  const longer = longerSide(cluster),
    shorter = Math.min(x1 - x0, y1 - y0);
  if (longer < SMALLEST * point || shorter < 0.5 * point) return false;
  if (pictures.size > 0) return true;
  const letter = medianOf(texts.map(({ height }) => height)) ?? letters?.height ?? 9 * point;
  let written = 0,
    count = 0,
    largest = letter;
  for (const text of texts) {
    const x = text.x + 0.5 * text.width * Math.cos(text.angleRad),
      y = text.y + 0.5 * text.width * Math.sin(text.angleRad);
    if (!(x > x0 && x < x1 && y > y0 && y < y1)) continue;
    written += text.width * text.height;
    largest = Math.max(largest, text.height);
    count++;
  }
  const drawn = letters?.boxes.filter((box) => box.x0 > x0 && box.x1 < x1 && box.y0 > y0 && box.y1 < y1) ?? [];
  for (const box of drawn) written += PLACE * areaOf(box);
  count += Math.floor(drawn.length / OF_WORD);
  if (shorter < TEXT_LINES * largest && written > TEXT_SHARE * longer * shorter) return false;
  if (written > TABLE_SHARE * longer * shorter && count >= rowsOf(cluster, sheet, measures)) return false;
  // One closed stroke with words in it is the border of a note or of a title block.
  if (strokes.length === 1 && !isOneStroke(cluster, sheet) && (count > 0 || !isClosed(sheet, strokes[0], point)))
    return false;
  return !isWriting(sheet, measures, strokes, (texts.length < TEXTS ? DRAWN_SIGN : SIGN) * letter);
}

/** Whether a stroke ends where it starts and holds an area: the round end of a rod is often one circle. */
function isClosed({ strokes: { points, starts } }: Sheet, stroke: number, near: number): boolean {
  const first = starts[stroke],
    last = starts[stroke + 1] - 1;
  const [dx, dy] = [points[2 * last] - points[2 * first], points[2 * last + 1] - points[2 * first + 1]];
  return last - first > 2 && Math.hypot(dx, dy) <= near;
}

/**
 * Number of rows between lines that span the box of a cluster, also in several pieces, as the sides of cells are, and
 * whatever their role; Infinity if it is not a table of at least two rows.
 */
function rowsOf(cluster: Cluster, { strokes }: Sheet, measures: SheetMeasures): number {
  const { point } = measures;
  const spans = new Map<number, [from: number, to: number][]>();
  for (let i = 0; i < strokes.count; i++) {
    const box = boxAt(measures, i);
    if (box.x0 < cluster.x0 - point || box.x1 > cluster.x1 + point) continue;
    if (box.y0 < cluster.y0 - point || box.y1 > cluster.y1 + point) continue;
    eachEdge(strokes, i, (x0, y0, x1, y1) => {
      if (Math.abs(y1 - y0) < 0.3 * point)
        addTo(spans, Math.round((y1 - cluster.y0) / (2 * point)), [Math.min(x0, x1), Math.max(x0, x1)]);
    });
  }
  const wide = RULED * (cluster.x1 - cluster.x0);
  const lines = [...spans.values()].filter((row) => lengthOfAll(row) > wide).length;
  return lines > FEWEST_ROWS ? lines - 1 : Infinity;
}

/** The length of what spans cover together. */
function lengthOfAll(spans: [from: number, to: number][]): number {
  let length = 0,
    end = -Infinity;
  for (const [from, to] of spans.sort((a, b) => a[0] - b[0])) {
    length += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return length;
}
