import { isOnPaper } from '../../content/paper.js';
import type { Picture, SheetPicture } from '../../content/sheet.js';
import { mappedBox, type Affine, type Bounds } from '../geometry/affine.js';

/** Longest side of a picture on a sheet, pixels; larger pictures are scaled down. */
const PICTURE_SIDE_PX = 2_400;
/** The same of the finer picture beside it, on which small letters are read, and by how much it must be finer. */
const FINE_SIDE_PX = 3_600;
const FINER = 1.1;
/** A finer picture covers at least this share of the visible part of its sheet: the page is a scan. */
const LEAST_COVER = 0.5;

/**
 * A picture as placed on a sheet: rotated, mirrored and clipped; white where the picture does not reach.
 * @param map from the unit square (x to the right and y downwards from the picture's upper left corner) to the sheet.
 * @param within the visible part of the sheet.
 * @returns undefined when no part is visible.
 */
export function placePicture(picture: Picture, map: Affine, within: Bounds): SheetPicture | undefined {
  const all = mappedBox({ minX: 0, minY: 0, maxX: 1, maxY: 1 }, map);
  const minX = Math.max(all.minX, within.minX),
    minY = Math.max(all.minY, within.minY);
  const width = Math.min(all.maxX, within.maxX) - minX,
    height = Math.min(all.maxY, within.maxY) - minY;
  const inverse = invert(map);
  if (inverse === undefined || !(width > 0) || !(height > 0)) return undefined;
  // The resolution of the picture in each direction, limited by {@link PICTURE_SIDE_PX}.
  const fineX = Math.hypot(inverse[0] * picture.widthPx, inverse[1] * picture.heightPx),
    fineY = Math.hypot(inverse[2] * picture.widthPx, inverse[3] * picture.heightPx);
  const box = { x: minX, y: minY, width, height };
  const longest = Math.max(width * fineX, height * fineY);
  const at = (side: number): Picture => {
    const smaller = Math.max(1, longest / side);
    const widthPx = Math.max(1, Math.round((width * fineX) / smaller)),
      heightPx = Math.max(1, Math.round((height * fineY) / smaller));
    const source = shrink(picture, Math.floor(smaller));
    const gray = new Uint8Array(widthPx * heightPx).fill(255);
    for (let row = 0; row < heightPx; row++) {
      const y = minY + ((row + 0.5) / heightPx) * height;
      for (let column = 0; column < widthPx; column++) {
        const x = minX + ((column + 0.5) / widthPx) * width;
        const u = Math.floor((inverse[0] * x + inverse[2] * y + inverse[4]) * source.widthPx);
        const v = Math.floor((inverse[1] * x + inverse[3] * y + inverse[5]) * source.heightPx);
        if (u >= 0 && v >= 0 && u < source.widthPx && v < source.heightPx)
          gray[row * widthPx + column] = source.gray[v * source.widthPx + u];
      }
    }
    return { widthPx, heightPx, gray };
  };
  const stored = at(PICTURE_SIDE_PX);
  const cover = (width * height) / ((within.maxX - within.minX) * (within.maxY - within.minY));
  const isFine = longest > FINER * PICTURE_SIDE_PX && cover > LEAST_COVER && isOnPaper(stored);
  return { box, picture: isFine ? { ...stored, fine: at(FINE_SIDE_PX) } : stored };
}

/** Scales a picture down by averaging squares of `factor` × `factor` pixels. */
function shrink({ widthPx, heightPx, gray }: Picture, factor: number): Picture {
  if (factor === 1) return { widthPx, heightPx, gray };
  const width = Math.ceil(widthPx / factor),
    height = Math.ceil(heightPx / factor);
  const small = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    const lastRow = Math.min(heightPx, (row + 1) * factor);
    for (let column = 0; column < width; column++) {
      const lastColumn = Math.min(widthPx, (column + 1) * factor);
      let sum = 0;
      for (let y = row * factor; y < lastRow; y++)
        for (let x = column * factor; x < lastColumn; x++) sum += gray[y * widthPx + x];
      small[row * width + column] = Math.round(sum / ((lastRow - row * factor) * (lastColumn - column * factor)));
    }
  }
  return { widthPx: width, heightPx: height, gray: small };
}

function invert([a, b, c, d, e, f]: Affine): Affine | undefined {
  const determinant = a * d - b * c;
  if (!(Math.abs(determinant) > 1e-12)) return undefined;
  return [
    d / determinant,
    -b / determinant,
    -c / determinant,
    a / determinant,
    (c * f - d * e) / determinant,
    (b * e - a * f) / determinant,
  ];
}
