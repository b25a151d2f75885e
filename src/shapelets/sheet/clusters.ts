import type { Sheet, SheetPicture } from '../../content/sheet.js';
import { bitmapOf, componentsOf, dilate, drawLine, type Bitmap } from '../../bitmap/bitmap.js';
import type { RuledFrame } from './ruled-frame.js';
import type { SheetMeasures } from './sheet-measures.js';
import { STROKE_ROLES } from './stroke-roles.js';
import { PAPER } from './view-picture.js';

/** Points (1/72 inch). Strokes no farther apart than twice this belong to one view. */
const REACH = 4;
/** Resolution of the raster: most pixels per point, and most pixels of a sheet. */
const FINEST = 1;
const MOST_PIXELS = 2_000_000;
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
export interface Cluster {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
  strokes: number[];
  /** Pictures of the sheet, each with the bounding box of its ink in this view. */
  pictures: Map<number, Corners>;
}

type Corners = readonly [minX: number, minY: number, maxX: number, maxY: number];

/** Draws geometry and pictures on a raster, dilates it and takes each connected area as a cluster. */
export function findClusters(
  sheet: Sheet,
  { point, boxes }: SheetMeasures,
  roles: Uint8Array,
  areaAt: RuledFrame['areaAt'],
): { readonly clusters: Cluster[]; readonly ink: SheetRaster } {
  const {
    strokes: { count, points, starts },
    width,
    height,
    pictures,
  } = sheet;
  const scale = Math.min(FINEST / point, Math.sqrt(MOST_PIXELS / (width * height)));
  const ink = bitmapOf(Math.max(1, Math.ceil(width * scale)), Math.max(1, Math.ceil(height * scale)));
  const isDrawn = (i: number): boolean => roles[i] === STROKE_ROLES.geometry || roles[i] === STROKE_ROLES.hidden;
  for (let i = 0; i < count; i++) {
    if (!isDrawn(i)) continue;
    for (let p = starts[i] + 1; p < starts[i + 1]; p++)
      drawLine(
        ink,
        scale * points[2 * p - 2],
        scale * points[2 * p - 1],
        scale * points[2 * p],
        scale * points[2 * p + 1],
      );
  }
  const shown = pictures.flatMap(({ box }, i) => {
    const isScan = box.width * box.height > SCAN * width * height;
    return isScan || areaAt(box.x + box.width / 2, box.y + box.height / 2) !== 'drawing' ? [] : [i];
  });
  for (const i of shown) inkPicture(ink, scale, pictures[i]);
  const { labels, list } = componentsOf(dilate(ink, Math.max(1, Math.round(REACH * point * scale))), 8);
  const clusters = Array.from(
    { length: list.length - 1 },
    (): Cluster => ({
      minX: Infinity,
      minY: Infinity,
      maxX: -Infinity,
      maxY: -Infinity,
      strokes: [],
      pictures: new Map(),
    }),
  );
  const labelAt = (x: number, y: number): number => {
    const column = Math.floor(scale * x),
      row = Math.floor(scale * y);
    return column >= 0 && row >= 0 && column < ink.width && row < ink.height ? labels[row * ink.width + column] : 0;
  };
  for (let i = 0; i < count; i++) {
    if (!isDrawn(i)) continue;
    const label = labelAt(points[2 * starts[i]], points[2 * starts[i] + 1]);
    if (label === 0) continue;
    const cluster = clusters[label - 1];
    cluster.strokes.push(i);
    grow(cluster, boxes[4 * i], boxes[4 * i + 1], boxes[4 * i + 2], boxes[4 * i + 3]);
  }
  for (const i of shown) {
    const { box, picture } = pictures[i];
    // Half the size of a pixel of the picture on the sheet.
    const halfX = (0.5 * box.width) / picture.widthPx,
      halfY = (0.5 * box.height) / picture.heightPx;
    eachInked(pictures[i], (x, y) => {
      const label = labelAt(x, y);
      if (label === 0) return;
      const own = clusters[label - 1].pictures;
      const known = own.get(i);
      if (
        known !== undefined &&
        x - halfX >= known[0] &&
        y - halfY >= known[1] &&
        x + halfX <= known[2] &&
        y + halfY <= known[3]
      )
        return;
      own.set(
        i,
        aboutBoth(known ?? [Infinity, Infinity, -Infinity, -Infinity], [x - halfX, y - halfY, x + halfX, y + halfY]),
      );
    });
  }
  for (const cluster of clusters) for (const corners of cluster.pictures.values()) grow(cluster, ...corners);
  return { clusters: clusters.filter(({ minX, maxX }) => minX <= maxX), ink: { ...ink, scale } };
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

function grow(cluster: Cluster, minX: number, minY: number, maxX: number, maxY: number): void {
  cluster.minX = Math.min(cluster.minX, minX);
  cluster.minY = Math.min(cluster.minY, minY);
  cluster.maxX = Math.max(cluster.maxX, maxX);
  cluster.maxY = Math.max(cluster.maxY, maxY);
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
  return {
    minX: Math.min(a.minX, b.minX),
    minY: Math.min(a.minY, b.minY),
    maxX: Math.max(a.maxX, b.maxX),
    maxY: Math.max(a.maxY, b.maxY),
    strokes: [...a.strokes, ...b.strokes],
    pictures: joinPictures(a.pictures, b.pictures),
  };
}

function joinPictures(a: Cluster['pictures'], b: Cluster['pictures']): Cluster['pictures'] {
  const all = new Map(a);
  for (const [picture, corners] of b) all.set(picture, aboutBoth(all.get(picture) ?? corners, corners));
  return all;
}

function aboutBoth(a: Corners, b: Corners): Corners {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

/** The same cluster without some of its strokes. */
export function without({ strokes, pictures }: Cluster, left: ReadonlySet<number>, { boxes }: SheetMeasures): Cluster {
  const cluster: Cluster = {
    minX: Infinity,
    minY: Infinity,
    maxX: -Infinity,
    maxY: -Infinity,
    strokes: strokes.filter((stroke) => !left.has(stroke)),
    pictures,
  };
  for (const i of cluster.strokes) grow(cluster, boxes[4 * i], boxes[4 * i + 1], boxes[4 * i + 2], boxes[4 * i + 3]);
  for (const corners of pictures.values()) grow(cluster, ...corners);
  return cluster;
}

export function areaOf({ minX, minY, maxX, maxY }: Cluster): number {
  return (maxX - minX) * (maxY - minY);
}

function sharedArea(a: Cluster, b: Cluster): number {
  return (
    Math.max(0, Math.min(a.maxX, b.maxX) - Math.max(a.minX, b.minX)) *
    Math.max(0, Math.min(a.maxY, b.maxY) - Math.max(a.minY, b.minY))
  );
}
