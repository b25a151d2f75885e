import { areaOf, NO_CORNERS, sharedArea, unionOf, type Corners, type Segment } from '../../content/geometry.js';
import { eachEdge, type Sheet, type SheetPicture } from '../../content/sheet.js';
import { bitmapOf, componentsOf, dilate, drawLine, type Bitmap } from '../../bitmap/bitmap.js';
import { breakMarks } from './break-marks.js';
import type { RuledFrame } from './ruled-frame.js';
import { boxAt, type SheetMeasures } from './sheet-measures.js';
import { STROKE_ROLES } from './stroke-roles.js';
import { PAPER } from './view-picture.js';

/** Points (1/72 inch). Strokes no farther apart than twice this belong to one view. */
const REACH = 4;
/** Resolution of the raster: most pixels per point, and most pixels of a sheet. */
const FINEST = 1;
const MOST_PIXELS = 2_000_000;
/** Pixels by which a line may lie beyond the edge of its sheet, because coordinates are rounded. */
const EDGE = 0.01;
/** Two boxes are one view when they share more than this part of the smaller one. */
const OVERLAP = 0.6;
/** A picture that covers more than this share of the sheet is a scan; strokes do not reveal its views. */
const SCAN = 0.7;

/** The drawn pixels of a sheet. */
export interface SheetRaster extends Bitmap {
  /** Pixels per unit of the sheet. */
  readonly scale: number;
}

/** A candidate for a view: corners of its box, its strokes and pictures. */
export interface Cluster extends Corners {
  readonly strokes: readonly number[];
  /** Pictures of the sheet, each with the bounding box of its ink in this view. */
  readonly pictures: ReadonlyMap<number, Corners>;
  /** Lines that go on behind a break, as they would run across it, sheet units. */
  readonly bridges?: readonly Segment[];
}

/** Draws geometry and pictures on a raster, dilates it and takes each connected area as a cluster. */
export function findClusters(
  sheet: Sheet,
  measures: SheetMeasures,
  roles: Uint8Array,
  areaAt: RuledFrame['areaAt'],
): { readonly clusters: Cluster[]; readonly ink: SheetRaster } {
  const { strokes, width, height, pictures } = sheet;
  const { count, points, starts } = strokes;
  const scale = Math.min(FINEST / measures.point, Math.sqrt(MOST_PIXELS / (width * height)));
  // A sheet without paper ends at its outermost lines, and those on its right and upper edge need pixels too.
  const ink = bitmapOf(pixelsTo(width, scale), pixelsTo(height, scale));
  const isGeometry = (i: number): boolean => roles[i] === STROKE_ROLES.geometry || roles[i] === STROKE_ROLES.hidden;
  drawStrokes(sheet, isGeometry, ink, scale);
  const marks = breakMarks(sheet, isGeometry, { ...ink, scale }, measures);
  const isDrawn = (i: number): boolean => isGeometry(i) && !marks.strokes.has(i);
  if (marks.strokes.size > 0) {
    ink.bits.fill(0);
    drawStrokes(sheet, isDrawn, ink, scale);
    for (const { x0, y0, x1, y1 } of marks.bridges) drawLine(ink, scale * x0, scale * y0, scale * x1, scale * y1);
  }
  const shown = pictures.flatMap(({ box }, i) => {
    const isScan = box.width * box.height > SCAN * width * height;
    return isScan || areaAt(box.x + box.width / 2, box.y + box.height / 2) !== 'drawing' ? [] : [i];
  });
  for (const i of shown) inkPicture(ink, scale, pictures[i]);
  const { labels, list } = componentsOf(dilate(ink, Math.max(1, Math.round(REACH * measures.point * scale))), 8);
  const found = list.slice(1).map(() => ({ strokes: [] as number[], pictures: new Map<number, Corners>() }));
  const labelAt = (x: number, y: number): number => {
    const column = Math.floor(scale * x),
      row = Math.floor(scale * y);
    return column >= 0 && row >= 0 && column < ink.width && row < ink.height ? labels[row * ink.width + column] : 0;
  };
  for (let i = 0; i < count; i++) {
    if (!isDrawn(i)) continue;
    const label = labelAt(points[2 * starts[i]], points[2 * starts[i] + 1]);
    if (label > 0) found[label - 1].strokes.push(i);
  }
  for (const i of shown) {
    const { box, picture } = pictures[i];
    // Half the size of a pixel of the picture on the sheet.
    const halfX = (0.5 * box.width) / picture.widthPx,
      halfY = (0.5 * box.height) / picture.heightPx;
    eachInked(pictures[i], (x, y) => {
      const label = labelAt(x, y);
      if (label === 0) return;
      const own = found[label - 1].pictures;
      const known = own.get(i) ?? NO_CORNERS;
      const x0 = x - halfX,
        y0 = y - halfY,
        x1 = x + halfX,
        y1 = y + halfY;
      // Few pixels make the box larger; a picture has millions.
      if (x0 < known.x0 || y0 < known.y0 || x1 > known.x1 || y1 > known.y1)
        own.set(i, unionOf(known, { x0, y0, x1, y1 }));
    });
  }
  const clusters = found.map(({ strokes: own, pictures: shownIn }, i): Cluster => {
    const cluster = clusterOf(own, shownIn, measures);
    const bridges = marks.bridges.filter(({ x0, y0 }) => labelAt(x0, y0) === i + 1);
    return bridges.length === 0 ? cluster : { ...cluster, bridges };
  });
  return { clusters: clusters.filter(({ x0, x1 }) => x0 <= x1), ink: { ...ink, scale } };
}

/** Number of pixels from 0 to a place, the one that holds it included. */
function pixelsTo(place: number, scale: number): number {
  return Math.floor(place * scale + EDGE) + 1;
}

function drawStrokes({ strokes }: Sheet, isDrawn: (stroke: number) => boolean, ink: Bitmap, scale: number): void {
  for (let i = 0; i < strokes.count; i++) {
    if (isDrawn(i))
      eachEdge(strokes, i, (x0, y0, x1, y1) => drawLine(ink, scale * x0, scale * y0, scale * x1, scale * y1));
  }
}

function clusterOf(
  strokes: readonly number[],
  pictures: ReadonlyMap<number, Corners>,
  measures: SheetMeasures,
): Cluster {
  const boxes = [...strokes.map((i) => boxAt(measures, i)), ...pictures.values()];
  return { ...boxes.reduce(unionOf, NO_CORNERS), strokes, pictures };
}

function inkPicture(ink: Bitmap, scale: number, picture: SheetPicture): void {
  eachInked(picture, (x, y) => {
    const column = Math.floor(scale * x),
      row = Math.floor(scale * y);
    if (column >= 0 && row >= 0 && column < ink.width && row < ink.height) ink.bits[row * ink.width + column] = 1;
  });
}

/** Calls `each` with the position on the sheet of every pixel of a picture that is not paper. */
function eachInked(
  { box, picture: { widthPx, heightPx, gray } }: SheetPicture,
  each: (x: number, y: number) => void,
): void {
  for (let row = 0, at = 0; row < heightPx; row++) {
    const y = box.y + ((row + 0.5) / heightPx) * box.height;
    for (let column = 0; column < widthPx; column++, at++)
      if (gray[at] < PAPER) each(box.x + ((column + 0.5) / widthPx) * box.width, y);
  }
}

/** Joins clusters whose boxes overlap, until none do. */
export function joinOverlapping(clusters: readonly Cluster[]): Cluster[] {
  const left = [...clusters].sort((a, b) => areaOf(b) - areaOf(a));
  const joined: Cluster[] = [];
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const i = joined.findIndex((other) => sharedArea(next, other) > OVERLAP * Math.max(areaOf(next), Number.MIN_VALUE));
    if (i < 0) joined.push(next);
    else left.unshift(join(joined.splice(i, 1)[0], next));
  }
  return joined;
}

export function join(a: Cluster, b: Cluster): Cluster {
  const pictures = new Map(a.pictures);
  for (const [picture, corners] of b.pictures)
    pictures.set(picture, unionOf(pictures.get(picture) ?? corners, corners));
  const bridges = [...(a.bridges ?? []), ...(b.bridges ?? [])];
  return {
    ...unionOf(a, b),
    strokes: [...a.strokes, ...b.strokes],
    pictures,
    ...(bridges.length === 0 ? {} : { bridges }),
  };
}

/** The same cluster without some of its strokes. */
export function without(
  { strokes, pictures, bridges }: Cluster,
  left: ReadonlySet<number>,
  measures: SheetMeasures,
): Cluster {
  const rest = clusterOf(
    strokes.filter((stroke) => !left.has(stroke)),
    pictures,
    measures,
  );
  return bridges === undefined ? rest : { ...rest, bridges };
}
