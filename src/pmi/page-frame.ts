import { fitWithin } from '../content/pixels.js';
import type { Point } from '../content/geometry.js';
import { shownArea, type Sheet, type SheetBox, type SheetText } from '../content/sheet.js';
import type { PmiObject } from './pmi.js';

/** Longer side of a page's image, pixels. */
const LONGER_SIDE_PX = 3_000;
/** How far letters reach above and below the baseline, as shares of the font's height. */
const ASCENT = 0.78;
const DESCENT = 0.22;

/** Maps a sheet to the pixels of its image. */
export class PageFrame {
  readonly size: readonly [width: number, height: number];
  readonly #scale: number;
  readonly #margin: number;

  /** @param size of the page's image, if the page is an image; by default the longer side has 3000 pixels. */
  constructor(sheet: Sheet, size?: readonly [width: number, height: number]) {
    const { x, width, height } = shownArea(sheet);
    this.#margin = -x;
    const { widthPx, heightPx, scale } = fitWithin(width, height, {
      widthPx: size?.[0] ?? LONGER_SIDE_PX,
      heightPx: size?.[1] ?? LONGER_SIDE_PX,
    });
    this.size = [widthPx, heightPx];
    this.#scale = scale;
  }

  /** The box in whole pixels, clipped to the image. */
  box({ x, y, width, height }: SheetBox): PmiObject['box'] {
    const [w, h] = this.size;
    const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));
    const left = clamp(Math.floor((x + this.#margin) * this.#scale), w - 1),
      top = clamp(Math.floor((y + this.#margin) * this.#scale), h - 1);
    const right = clamp(Math.ceil((x + width + this.#margin) * this.#scale), w),
      bottom = clamp(Math.ceil((y + height + this.#margin) * this.#scale), h);
    return [left, top, Math.max(1, right - left), Math.max(1, bottom - top)];
  }
}

/**
 * The upright box around a text.
 * @param isFont whether its height is that of the font, not of its capitals.
 */
export function boxOfText({ x, y, angleRad, height, width }: SheetText, isFont: boolean): SheetBox {
  const [up, down] = isFont ? [ASCENT * height, DESCENT * height] : [height, 0.1 * height];
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad);
  const corners = [-up, down].flatMap((t) => [
    { x: x - t * sin, y: y + t * cos },
    { x: x + width * cos - t * sin, y: y + width * sin + t * cos },
  ]);
  return boxOfPoints(corners);
}

/** The smallest box around points. */
export function boxOfPoints(points: readonly Point[]): SheetBox {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** The smallest box around boxes. */
export function boxOfBoxes(boxes: readonly SheetBox[]): SheetBox {
  return boxOfPoints(
    boxes.flatMap(({ x, y, width, height }) => [
      { x, y },
      { x: x + width, y: y + height },
    ]),
  );
}
