import sharp from 'sharp';
import type { Content } from '../content/content.js';
import type { Crop } from '../content/crop.js';
import { boxOfShares, type Picture, type Sheet } from '../content/sheet.js';
import type { Core } from '../core/core.js';
import { LINE, renderView } from '../core/render.js';
import { EngineError } from '../errors.js';
import type { Limits } from '../options.js';
import { breakOff } from '../shapelets/model/broken-off.js';
import { placeMeshes } from '../shapelets/model/mesh.js';
import {
  SHAPELET_SIZE,
  SHAPELET_SPAN,
  type CameraPlace,
  type PagePlace,
  type Shapelet,
} from '../shapelets/shapelet.js';
import { shapeletsOf, type FoundShapelet } from '../shapelets/find-shapelets.js';
import { splitSheet } from '../shapelets/sheet/split-sheet.js';
import type { ThumbnailOptions } from './thumbnail-options.js';

/** Free share of the picture at each border. */
const MARGIN = (SHAPELET_SIZE - SHAPELET_SPAN) / 2 / SHAPELET_SIZE;
/** Line width as a share of the picture's side. */
const LINE_SHARE = 1 / 160;
/** Colour of the ink, sRGB. */
const INK = [38, 44, 54] as const;

/** A shapelet in its content. */
export interface ShapeletSource {
  readonly content: Content;
  readonly index: number;
  /** The part of each page that counted when shapelets were found. */
  readonly crop?: Crop;
}

/**
 * One shapelet of a file as black lines on a PNG; the frame is that of {@link Shapelet}.
 * @throws EngineError `NO_GEOMETRY` when the file has no such shapelet.
 */
export async function shapeletPicture(
  core: Core,
  source: ShapeletSource,
  limits: Limits,
  { size, background }: ThumbnailOptions,
): Promise<Uint8Array> {
  const ink = await inkOf(core, source.content, findShapelet(core, source, limits).shapelet, size);
  const pixels = new Uint8Array(4 * ink.length);
  for (let i = 0; i < ink.length; i++) pixels.set([...INK, ink[i]], 4 * i);
  const png = sharp(pixels, { raw: { width: size, height: size, channels: 4 } });
  return (background === 'white' ? png.flatten({ background: 'white' }) : png).png().toBuffer();
}

/** @throws EngineError `NO_GEOMETRY`. */
export function findShapelet(core: Core, { content, index, crop }: ShapeletSource, limits: Limits): FoundShapelet {
  const shapelets = shapeletsOf(core, content, limits, crop);
  if (index < shapelets.length) return shapelets[index];
  throw new EngineError('NO_GEOMETRY', `the file has ${shapelets.length} shapelets, so none with the index ${index}`, {
    details: { count: shapelets.length, index },
  });
}

/**
 * u8[size²]: how much of each pixel the lines of a shapelet cover; 64 pixels of the shapelet's own picture become
 * `size`.
 */
export async function inkOf(core: Core, content: Content, { place }: Shapelet, size: number): Promise<Uint8Array> {
  if (place.kind === 'camera') return inkOfModel(core, content, place, size);
  if (content.kind === 'image') return inkOfPicture(content.pictures[place.page - 1], place, size);
  const sheet = content.kind === 'drawing' ? content.sheets.find(({ number }) => number === place.page) : undefined;
  if (sheet === undefined) throw new EngineError('NO_GEOMETRY', `the file has no page ${place.page} with lines`);
  const view = splitSheet(sheet).find(({ shapelet }) => isSameBox(shapelet.place as PagePlace, place));
  if (view !== undefined && view.strokes.length > 0) return inkOfStrokes(sheet, view.strokes, place, size);
  // A scan or a shaded view: the picture on the page that holds the shapelet.
  const found = boxOfShares(sheet, place.box);
  const x = found.x + found.width / 2,
    y = found.y + found.height / 2;
  const scan = sheet.pictures.find(
    ({ box }) => x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height,
  );
  if (scan === undefined) return inkOfStrokes(sheet, strokesIn(sheet, place), place, size);
  const { box, picture } = scan;
  return inkOfPicture(
    picture,
    {
      ...place,
      box: {
        x: (found.x - box.x) / box.width,
        y: (found.y - box.y) / box.height,
        width: found.width / box.width,
        height: found.height / box.height,
      },
    },
    size,
  );
}

function inkOfModel(core: Core, content: Content, { direction, up, brokenOff }: CameraPlace, size: number): Uint8Array {
  if (content.kind !== 'model') throw new EngineError('NO_GEOMETRY', 'only models are seen by cameras');
  const mesh = placeMeshes(content);
  const { lines } = renderView(core, brokenOff === undefined ? mesh : breakOff(mesh, brokenOff), {
    direction,
    up,
    size,
    margin: MARGIN,
  });
  return lines.map((line) => (line === LINE.VISIBLE ? 255 : line === LINE.HIDDEN ? 60 : 0));
}

async function inkOfStrokes(
  sheet: Sheet,
  strokes: Uint32Array,
  { box: shares }: PagePlace,
  size: number,
): Promise<Uint8Array> {
  const box = boxOfShares(sheet, shares);
  const { points, starts } = sheet.strokes;
  const middleX = box.x + box.width / 2,
    middleY = box.y + box.height / 2;
  const scale = (size * (1 - 2 * MARGIN)) / Math.max(box.width, box.height);
  const placed = (value: number, middle: number): string => ((value - middle) * scale + size / 2).toFixed(2);
  const at = (i: number): string => `${placed(points[2 * i], middleX)} ${placed(points[2 * i + 1], middleY)}`;
  const paths = Array.from(strokes, (stroke) => {
    const places = Array.from({ length: starts[stroke + 1] - starts[stroke] }, (_, i) => at(starts[stroke] + i));
    return `M${places.join('L')}`;
  });
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">` +
    `<rect width="100%" height="100%" fill="white"/><path d="${paths.join('')}" fill="none" stroke="black" ` +
    `stroke-width="${Math.max(1.5, size * LINE_SHARE)}" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
  return inverted(await sharp(Buffer.from(svg), { unlimited: true }).grayscale().raw().toBuffer());
}

async function inkOfPicture(
  { widthPx, heightPx, gray }: Picture,
  { box }: PagePlace,
  size: number,
): Promise<Uint8Array> {
  const clamp = (value: number, most: number): number => Math.min(Math.max(Math.round(value), 0), most);
  const left = clamp(box.x * widthPx, widthPx - 1),
    top = clamp(box.y * heightPx, heightPx - 1);
  const width = Math.max(1, clamp((box.x + box.width) * widthPx, widthPx) - left),
    height = Math.max(1, clamp((box.y + box.height) * heightPx, heightPx) - top);
  const inner = Math.round(size * (1 - 2 * MARGIN));
  const part = await sharp(gray, { raw: { width: widthPx, height: heightPx, channels: 1 } })
    .extract({ left, top, width, height })
    .resize(inner, inner, { fit: 'contain', background: 'white' })
    .grayscale()
    .raw()
    .toBuffer();
  const ink = new Uint8Array(size * size);
  const border = Math.floor((size - inner) / 2);
  const darkness = inverted(part);
  for (let row = 0; row < inner; row++)
    ink.set(darkness.subarray(row * inner, (row + 1) * inner), (row + border) * size + border);
  return ink;
}

/** Strokes that lie in a part of a page. */
function strokesIn(sheet: Sheet, place: PagePlace): Uint32Array {
  const { count, points, starts } = sheet.strokes;
  const box = boxOfShares(sheet, place.box);
  const slack = 1e-3;
  const isIn = (i: number): boolean => {
    const x = (points[2 * i] - box.x) / box.width,
      y = (points[2 * i + 1] - box.y) / box.height;
    return x >= -slack && x <= 1 + slack && y >= -slack && y <= 1 + slack;
  };
  return Uint32Array.from({ length: count }, (_, stroke) => stroke).filter((stroke) => {
    for (let i = starts[stroke]; i < starts[stroke + 1]; i++) if (!isIn(i)) return false;
    return true;
  });
}

function inverted(gray: Uint8Array): Uint8Array {
  return Uint8Array.from(gray, (value) => 255 - value);
}

function isSameBox(a: PagePlace, b: PagePlace): boolean {
  return (
    a.page === b.page &&
    a.box.x === b.box.x &&
    a.box.y === b.box.y &&
    a.box.width === b.box.width &&
    a.box.height === b.box.height
  );
}
