import type { Picture, Sheet, SheetPicture } from '../content/sheet.js';
import { dilate, drawLine, labelAreas, newBitmap, type Bitmap, type Ink } from './page-raster.js';
import type { RuledFrame } from './ruled-frame.js';
import type { SheetMeasures } from './sheet-measures.js';
import { STROKE_ROLES } from './stroke-roles.js';
import { PAPER } from './view-picture.js';

/** Points. Strokes no farther apart than twice this belong to one view. */
const REACH = 4;
/** Pixels a point, and of a sheet. */
const FINEST = 2;
const MOST_PIXELS = 4_000_000;
/** Boxes that share so much of the smaller one are one view. */
const OVERLAP = 0.6;
/** A picture of nearly the whole sheet is a scan: strokes do not tell its views. */
const SCAN = 0.7;

/** What will be a view: corners of its box, its strokes and pictures. */
export interface Cluster {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
  strokes: number[];
  pictures: number[];
}

/** Draws geometry and pictures on a grid, lets it grow and takes each connected area for a cluster. */
export function findClusters(sheet: Sheet, { point, boxes }: SheetMeasures, roles: Uint8Array, areaAt: RuledFrame['areaAt']): { readonly clusters: Cluster[]; readonly ink: Ink } {
  const { strokes: { count, points, starts }, width, height, pictures } = sheet;
  const scale = Math.min(FINEST / point, Math.sqrt(MOST_PIXELS / (width * height)));
  const ink = newBitmap(Math.max(1, Math.ceil(width * scale)), Math.max(1, Math.ceil(height * scale)));
  const isDrawn = (i: number): boolean => roles[i] === STROKE_ROLES.geometry || roles[i] === STROKE_ROLES.hidden;
  for (let i = 0; i < count; i++) {
    if (!isDrawn(i)) continue;
    for (let p = starts[i] + 1; p < starts[i + 1]; p++) drawLine(ink, scale * points[2 * p - 2], scale * points[2 * p - 1], scale * points[2 * p], scale * points[2 * p + 1]);
  }
  const shown = pictures.flatMap(({ box }, i) => {
    const isScan = box.width * box.height > SCAN * width * height;
    return isScan || areaAt(box.x + box.width / 2, box.y + box.height / 2) !== 'drawing' ? [] : [i];
  });
  for (const i of shown) inkPicture(ink, scale, pictures[i]);
  const { labels, count: areas } = labelAreas(dilate(ink, Math.max(1, Math.round(REACH * point * scale))));
  const clusters = Array.from({ length: areas }, (): Cluster => ({ minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity, strokes: [], pictures: [] }));
  const labelAt = (x: number, y: number): number => {
    const column = Math.floor(scale * x), row = Math.floor(scale * y);
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
    const found = new Set<number>();
    eachInked(picture, (column, row) => {
      const x = box.x + ((column + 0.5) / picture.widthPx) * box.width, y = box.y + ((row + 0.5) / picture.heightPx) * box.height;
      const label = labelAt(x, y);
      if (label === 0) return;
      found.add(label);
      grow(clusters[label - 1], x, y, x, y);
    });
    for (const label of found) clusters[label - 1].pictures.push(i);
  }
  return { clusters: clusters.filter(({ minX, maxX }) => minX <= maxX), ink: { ...ink, scale } };
}

function inkPicture(ink: Bitmap, scale: number, { box, picture }: SheetPicture): void {
  eachInked(picture, (column, row) => {
    const x = Math.floor(scale * (box.x + ((column + 0.5) / picture.widthPx) * box.width));
    const y = Math.floor(scale * (box.y + ((row + 0.5) / picture.heightPx) * box.height));
    if (x >= 0 && y >= 0 && x < ink.width && y < ink.height) ink.bits[y * ink.width + x] = 1;
  });
}

function eachInked({ widthPx, heightPx, gray }: Picture, each: (column: number, row: number) => void): void {
  for (let row = 0, at = 0; row < heightPx; row++) for (let column = 0; column < widthPx; column++, at++) if (gray[at] < PAPER) each(column, row);
}

function grow(cluster: Cluster, minX: number, minY: number, maxX: number, maxY: number): void {
  cluster.minX = Math.min(cluster.minX, minX);
  cluster.minY = Math.min(cluster.minY, minY);
  cluster.maxX = Math.max(cluster.maxX, maxX);
  cluster.maxY = Math.max(cluster.maxY, maxY);
}

/** Joins clusters whose boxes lie upon each other, until none do. */
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
    minX: Math.min(a.minX, b.minX), minY: Math.min(a.minY, b.minY), maxX: Math.max(a.maxX, b.maxX), maxY: Math.max(a.maxY, b.maxY),
    strokes: [...a.strokes, ...b.strokes], pictures: [...new Set([...a.pictures, ...b.pictures])],
  };
}

export function areaOf({ minX, minY, maxX, maxY }: Cluster): number {
  return (maxX - minX) * (maxY - minY);
}

function sharedArea(a: Cluster, b: Cluster): number {
  return Math.max(0, Math.min(a.maxX, b.maxX) - Math.max(a.minX, b.minX)) * Math.max(0, Math.min(a.maxY, b.maxY) - Math.max(a.minY, b.minY));
}
