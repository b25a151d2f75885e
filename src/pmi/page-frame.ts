import { fitWithin } from '../content/pixels.js';
import { TurnedFrame, type Point } from '../content/geometry.js';
import { shownArea, type Sheet, type SheetBox, type SheetText } from '../content/sheet.js';
import type { OrientedBox, PmiObject } from './pmi.js';

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

  /** The box along the direction of reading, to a tenth of a pixel and of a degree; undefined for level text. */
  oriented({ turned }: TextBox): OrientedBox | undefined {
    if (turned === undefined) return undefined;
    const {
      s: [s0, s1],
      t: [t0, t1],
      angleRad,
    } = turned;
    const { x, y } = new TurnedFrame(angleRad).point((s0 + s1) / 2, (t0 + t1) / 2);
    const tenth = (value: number): number => Math.round(value * 10) / 10 || 0;
    const px = (length: number): number => tenth(length * this.#scale);
    const degrees = (Math.atan2(Math.sin(angleRad), Math.cos(angleRad)) * 180) / Math.PI;
    return {
      x: px(x + this.#margin),
      y: px(y + this.#margin),
      width: px(s1 - s0),
      height: px(t1 - t0),
      angleDeg: tenth(degrees),
    };
  }
}

/**
 * The upright box around something that is written; with its box along the direction of reading where that is not
 * level.
 */
export interface TextBox extends SheetBox {
  readonly turned?: TurnedBox;
}

/** A box in a turned frame, sheet units. */
interface TurnedBox {
  readonly angleRad: number;
  /** Along the direction of reading. */
  readonly s: readonly [from: number, to: number];
  /** Across it, downwards. */
  readonly t: readonly [from: number, to: number];
}

/** Text that is turned by less is level, and directions that differ by less are one, rad. */
const LEVEL = 0.01;

/** The boxes around what fills part of a turned frame. */
export function boxInFrame({ angleRad, s, t }: TurnedBox): TextBox {
  const frame = new TurnedFrame(angleRad);
  const box = boxOfPoints(s.flatMap((along) => t.map((across) => frame.point(along, across))));
  return Math.abs(Math.sin(angleRad)) < LEVEL && Math.cos(angleRad) > 0 ? box : { ...box, turned: { angleRad, s, t } };
}

/**
 * The box around a text.
 * @param isFont whether its height is that of the font, not of its capitals.
 */
export function boxOfText({ x, y, angleRad, height, width }: SheetText, isFont: boolean): TextBox {
  const [up, down] = isFont ? [ASCENT * height, DESCENT * height] : [height, 0.1 * height];
  const frame = new TurnedFrame(angleRad);
  const s = frame.s(x, y),
    t = frame.t(x, y);
  return boxInFrame({ angleRad, s: [s, s + width], t: [t - up, t + down] });
}

/** The smallest box around points. */
export function boxOfPoints(points: readonly Point[]): SheetBox {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** The smallest box around boxes; along the direction of reading, too, where that is the same in all. */
export function boxOfBoxes(boxes: readonly TextBox[]): TextBox {
  const around = boxOfPoints(
    boxes.flatMap(({ x, y, width, height }) => [
      { x, y },
      { x: x + width, y: y + height },
    ]),
  );
  const turned = boxes.flatMap((box) => box.turned ?? []);
  const { angleRad } = turned[0] ?? { angleRad: 0 };
  if (turned.length === 0 || turned.length < boxes.length) return around;
  if (turned.some((other) => Math.cos(other.angleRad - angleRad) < Math.cos(LEVEL))) return around;
  const spread = (of: 's' | 't'): readonly [number, number] => {
    const ends = turned.flatMap((box) => box[of]);
    return [Math.min(...ends), Math.max(...ends)];
  };
  return { ...around, turned: { angleRad, s: spread('s'), t: spread('t') } };
}
