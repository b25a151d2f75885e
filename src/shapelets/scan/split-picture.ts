import { TurnedFrame, areaOf, longerSide } from '../../content/geometry.js';
import { medianOf } from '../../content/groups.js';
import type { Picture } from '../../content/sheet.js';
import type { PageBox } from '../../content/text.js';
import type { Core } from '../../core/core.js';
import { binarise, type Ink } from '../../bitmap/binarise.js';
import { boxOf, componentsOf, count, crop, open, type Bitmap, type PixelBox } from '../../bitmap/bitmap.js';
import { cleanLines, type CleanLines } from './line-cleaning.js';
import { tightBox, type FoundShape } from './found-shape.js';
import { groupViews, sketchedShape } from './line-views.js';
import { findObject, standsApart, type FoundObject } from './object-mask.js';
import { isCutAt, type Side } from '../cut-off.js';
import { areExact } from './exact-strokes.js';
import { coverOf, grayOf, lineCoverOf } from './shapelet-cover.js';
import type { PagePlace, Shapelet } from '../shapelet.js';
import { isTableAlone } from './ruled-boxes.js';
import { FEWEST_LETTERS, hasPaperSides, letterCount } from './sheet-signs.js';
import { skewOf, turnBack } from '../../bitmap/skew.js';

/** A picture without a frame shows an object rather than line work if this share of its ink is solid. */
const OBJECT_SHARE = 0.5;
/** A picture of which more is darker than paper is no page, though its grain may look like a frame. */
const MOST_INK = 0.5;
/**
 * Within a frame, share of the ink that is solid, and of it what lies outside, from which on there is nothing but an
 * object: what looks like a frame is a dark rim of the photo. A framed page has letters.
 */
const NOTHING_BUT_OBJECT = 0.97;
const NOTHING_OUTSIDE = 0.005;
/**
 * Strokes of a thick pen, or lines that were drawn along twice: ink of which less than a share is wider than so much of
 * all ink's longer side, and which takes less than a share of what it encloses. Of 15 sketches with a thick pen of
 * parts made by code at most .32 is so wide, of 70 photos at least .47; a long rod in a photo encloses nothing.
 */
const THICK_STROKE = 0.04;
const LEAST_THICK = 0.4;
const MOST_OF_ENCLOSED = 0.8;
/**
 * What takes so many times the area of all solid ink within a frame is the sheet. Of 14 shaded sheets made by code it
 * takes 2.1 times and more, of photos in a frame at most once.
 */
const SHEET_OF_SOLIDS = 1.5;
/** Least difference of gray levels, 0 to 255, within a picture that shows something. */
const LEAST_CONTRAST = 4;
/** Largest share of the ink that letters have in a picture that shows a shape. */
const MOST_LETTERS = 0.5;
/** Least share of its box that a shape fills which is all the ink of a picture. */
const LEAST_ENCLOSED = 0.3;
/** A view that is so near to the edge of its picture, pixels, is cut off there. */
const AT_EDGE = 1;
/**
 * Least longer side of a piece of ink that is one of a view, and share of its box below which views found are not it.
 */
const LOST_SIDE = 0.4;
const LOST_SHARE = 0.5;
/** Most of its side that such a piece takes of the edge. */
const RUN_ALONG = 0.25;
/** Pictures with a shorter side below this, pixels, are ignored. */
const LEAST_SIDE = 16;

/**
 * Splits a picture into its shapes, ordered by descending area of their boxes (shares of the given picture). A page of
 * line work (a scanned or exported drawing, skewed by up to 7°) gives its views, without frame, tables, letters and
 * dimensions. A photo or a rendering gives the object in front of its background, with its holes. A sketch gives what
 * its outline encloses, with gaps closed.
 * @param page number of the shapelets' page, from 1.
 * @param core with it, objects are found before any background; without it, before plain ones.
 */
export function splitPicture(picture: Picture, page: number, core?: Core): Shapelet[] {
  if (Math.min(picture.widthPx, picture.heightPx) < LEAST_SIDE || isBlank(picture)) return [];
  const ink = binarise(picture);
  const isDark = borderOf(picture) < 110;
  const deg = isDark ? 0 : skewOf(ink);
  // Turning smooths the noise.
  const upright = deg === 0 ? ink : { ...binarise(turnBack(evened(ink), deg)), noise: ink.noise };
  if (isTableAlone(upright.ink)) return [];
  const cleaned = cleanLines(upright);
  const isPaper = !isDark && count(upright.ink) <= MOST_INK * upright.ink.bits.length;
  const object = isDark || looksSolid(cleaned, { isPaper }) ? findObject(picture, core) : undefined;
  const isPage =
    object !== undefined &&
    isPaper &&
    cleaned.shading !== undefined &&
    (standsApart(object) || (hasPaperSides(upright.ink) && isOfSheet(object, cleaned)));
  if (object !== undefined && !isPage) return [objectShapelet(object, picture, page)];
  // Small letters are lost, but a page with long lines near its edges and the sides of paper is no single view.
  const isSheet = cleaned.isSheet || (cleaned.isFramed && hasPaperSides(upright.ink));
  const isSketch = !isPage && !isSheet && letterCount(cleaned.letters) < FEWEST_LETTERS;
  const sketched = isSketch ? sketchedShape(cleaned) : undefined;
  const found = sketched === undefined ? groupViews(cleaned) : [sketched];
  // A view that fills its picture looks like a frame.
  const alone = found.length === 0 ? wholeShape(ink, cleaned) : undefined;
  const piece = cleaned.isSheet || isPage ? undefined : lostAtEdge(upright, alone === undefined ? found : [alone]);
  const isPiece = piece !== undefined && letterCount(cleaned.letters) < FEWEST_LETTERS;
  const whole = isPiece ? sketchedShape({ inside: upright.ink, lineWidth: cleaned.lineWidth }) : alone;
  const views = whole === undefined ? found : [whole];
  const isExact = views.length === 1 && cleaned.shading === undefined && areExact(cleaned.inside);
  return views.flatMap((view) => {
    const shapelet = lineShapelet(view, picture, deg, page);
    if (shapelet === undefined) return [];
    return [
      {
        ...shapelet,
        ...(isExact && { isExact }),
        ...((piece !== undefined || isCut(view, shapelet, upright)) && { isCut: true }),
      },
    ];
  });
}

/** Whether a picture is of one tone, as a black one is, but for the rounding of its compression. */
function isBlank({ gray }: Picture): boolean {
  let [darkest, brightest] = [255, 0];
  for (const level of gray) {
    if (level < darkest) darkest = level;
    if (level > brightest) brightest = level;
  }
  return brightest - darkest < LEAST_CONTRAST;
}

/** Whether a view is cut off at an edge of its picture. */
function isCut({ box: { x0, y0, x1, y1 } }: FoundShape, shapelet: Shapelet, { width, height }: Ink): boolean {
  return [x0, width - x1, y0, height - y1].some((gap, side) => gap <= AT_EDGE && isCutAt(shapelet, side as Side));
}

/**
 * The largest piece of ink that runs into the edge of a picture, of which less than half was found as a view: its
 * outline is open there and was taken for something else. Undefined where there is none.
 */
function lostAtEdge({ ink }: Ink, found: readonly FoundShape[]): PixelBox | undefined {
  const { width, height } = ink;
  const pieces = componentsOf(ink, 8)
    .list.slice(1)
    .map(({ box }) => box);
  const cut = pieces.filter((box) => longerSide(box) >= LOST_SIDE * Math.max(width, height) && runsInto(ink, box));
  const largest = Math.max(0, ...found.map(({ box }) => areaOf(box)));
  return cut.find((box) => largest < LOST_SHARE * areaOf(box));
}

/** Whether a piece of ink reaches an edge of its picture without lying along it, as the dark rim of a scan does. */
function runsInto({ width, height, bits }: Bitmap, { x0, y0, x1, y1 }: PixelBox): boolean {
  const edges: (readonly [gap: number, at: number, step: number, length: number])[] = [
    [x0, y0 * width, width, y1 - y0],
    [width - x1, y0 * width + width - 1, width, y1 - y0],
    [y0, x0, 1, x1 - x0],
    [height - y1, (height - 1) * width + x0, 1, x1 - x0],
  ];
  const reached = edges.filter(([gap]) => gap === 0);
  return (
    reached.length > 0 &&
    reached.every(([, at, step, length]) => {
      let run = 0,
        longest = 0;
      for (let i = 0; i < length; i++) {
        run = bits[at + i * step] === 1 ? run + 1 : 0;
        longest = Math.max(longest, run);
      }
      return longest <= RUN_ALONG * length;
    })
  );
}

/** All ink as one shape; undefined where it has no closed outline, as a corner of paper and frame, or is letters. */
function wholeShape({ ink }: Ink, { lineWidth, letters }: CleanLines): FoundShape | undefined {
  const isShown = count(ink) > 0 && count(letters) < MOST_LETTERS * count(ink);
  const shape = isShown ? sketchedShape({ inside: ink, lineWidth }) : undefined;
  if (shape === undefined) return undefined;
  const { width, height } = shape.mask;
  return count(shape.mask) < LEAST_ENCLOSED * width * height ? undefined : shape;
}

/** The page with an evenly white background, so that the corners that a rotation adds match the paper. */
function evened({ width, height, darkness }: Ink): Picture {
  return { widthPx: width, heightPx: height, gray: darkness.map((dark) => 255 - dark) };
}

/** Median brightness of a band along the border, which is wide enough that a line at the edge has no effect. */
function borderOf({ widthPx, heightPx, gray }: Picture): number {
  const band = Math.max(3, Math.round(0.03 * Math.max(widthPx, heightPx)));
  const found: number[] = [];
  for (let y = 0; y < heightPx; y += 2) {
    const isEnd = y < band || y >= heightPx - band;
    for (let x = 0; x < widthPx; x += 2)
      if (isEnd || x < band || x >= widthPx - band) found.push(gray[y * widthPx + x]);
  }
  return medianOf(found)!;
}

/** Whether nearly all ink lies within the box of solid areas, as in a photo of one object. */
function looksSolid(cleaned: CleanLines, { isPaper }: { readonly isPaper: boolean }): boolean {
  const { isFramed, solidShare, solids, lines, letters } = cleaned;
  const isPage = isFramed && isPaper;
  if (solidShare < (isPage ? NOTHING_BUT_OBJECT : OBJECT_SHARE)) return false;
  const box = boxOf(solids);
  if (box === undefined || isStroked(cleaned)) return false;
  const outside = ({ width, height, bits }: Bitmap): number => {
    let sum = 0;
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        if (bits[y * width + x] === 1 && (x < box.x0 || x >= box.x1 || y < box.y0 || y >= box.y1)) sum++;
    return sum;
  };
  return outside(lines) + outside(letters) < (isPage ? NOTHING_OUTSIDE : 0.15) * count(solids);
}

/**
 * Whether what was found as the object of a photo is a sheet with shaded views, or part of one: there is a text, or it
 * takes all that is framed.
 */
function isOfSheet({ mask, scale }: FoundObject, { isSheet, solids, letters }: CleanLines): boolean {
  if (letterCount(letters) >= FEWEST_LETTERS) return true;
  return isSheet && count(mask) * scale ** 2 >= SHEET_OF_SOLIDS * count(solids);
}

/** Whether all ink are strokes of a pen that is thick for what it draws. */
function isStroked(cleaned: CleanLines): boolean {
  const box = boxOf(cleaned.inside);
  if (box === undefined) return false;
  const ink = crop(cleaned.inside, box, 0);
  const thick = open(ink, Math.max(1, Math.round((THICK_STROKE / 2) * longerSide(box))));
  if (count(thick) >= LEAST_THICK * count(ink)) return false;
  const shape = sketchedShape(cleaned);
  return shape !== undefined && count(ink) < MOST_OF_ENCLOSED * count(shape.mask);
}

function lineShapelet(view: FoundShape, picture: Picture, deg: number, page: number): Shapelet | undefined {
  const tight = tightBox(view);
  if (tight === undefined) return undefined;
  const box = turnedBox(view, picture, deg);
  const pictures = { mask: coverOf(view.mask), lines: lineCoverOf(view.lines, view.lineWidth) };
  return shapeletOf(pictures, [tight.x1 - tight.x0, tight.y1 - tight.y0], { kind: 'page', page, box }, picture);
}

function objectShapelet(object: FoundObject, picture: Picture, page: number): Shapelet {
  const { box, mask, lines, lineWidth, scale } = object;
  const { widthPx, heightPx } = picture;
  const x = (scale * box.x0) / widthPx,
    y = (scale * box.y0) / heightPx;
  const own = {
    x,
    y,
    width: Math.min(1 - x, (scale * (box.x1 - box.x0)) / widthPx),
    height: Math.min(1 - y, (scale * (box.y1 - box.y0)) / heightPx),
  };
  return {
    ...shapeletOf(
      { mask: coverOf(mask), lines: lineCoverOf(lines, lineWidth) },
      [scale * mask.width, scale * mask.height],
      { kind: 'page', page, box: own },
      picture,
    ),
    isFree: true,
    gray: grayOf(picture, object),
  };
}

function shapeletOf(
  pictures: Pick<Shapelet, 'mask' | 'lines'>,
  sizePx: readonly [number, number],
  place: PagePlace,
  { widthPx, heightPx }: Picture,
): Shapelet {
  const longer = Math.max(widthPx, heightPx);
  return {
    place,
    ...pictures,
    hiddenLines: new Uint8Array(),
    size: [sizePx[0] / longer, sizePx[1] / longer],
    isToScale: false,
  };
}

/** Bounding box of a view on the given page, as shares: the outline of its mask, rotated by the page's skew. */
function turnedBox({ box, mask }: FoundShape, { widthPx, heightPx }: Picture, deg: number): PageBox {
  const frame = new TurnedFrame((deg * Math.PI) / 180);
  const middleX = widthPx / 2,
    middleY = heightPx / 2;
  let x0 = Infinity,
    y0 = Infinity,
    x1 = -Infinity,
    y1 = -Infinity;
  for (let y = 0; y < mask.height; y++) {
    const row = mask.bits.subarray(y * mask.width, (y + 1) * mask.width);
    const first = row.indexOf(1);
    if (first < 0) continue;
    const last = row.lastIndexOf(1) + 1;
    for (const across of [first, last]) {
      for (const down of [y, y + 1]) {
        const from = frame.point(box.x0 + across - middleX, box.y0 + down - middleY);
        x0 = Math.min(x0, from.x + middleX);
        x1 = Math.max(x1, from.x + middleX);
        y0 = Math.min(y0, from.y + middleY);
        y1 = Math.max(y1, from.y + middleY);
      }
    }
  }
  const left = Math.max(0, x0 / widthPx),
    top = Math.max(0, y0 / heightPx);
  return { x: left, y: top, width: Math.min(1, x1 / widthPx) - left, height: Math.min(1, y1 / heightPx) - top };
}
