import { commonBounds, compose2d, emptyBounds, type Affine, type Bounds } from '../geometry/affine.js';
import type { Pdfjs } from '../pdf-file/pdfjs.js';
import type { TextPiece } from '../text/text-layout.js';
import { boundsOf, COORDINATES, type PathArguments } from './path-segments.js';

/** Deepest nesting of saved graphics states. */
const DEEPEST = 1_000;
/** Most areas of a page that may cover texts. */
const MOST_AREAS = 1_000;
/** Middle of letters above their baseline, as a share of their height. */
const MIDDLE = 0.35;

interface State {
  readonly map: Affine;
  readonly clip: Bounds;
  /** Whether an area that is filled hides what is below it. */
  readonly isOpaque: boolean;
  readonly alpha: number;
  readonly hasPattern: boolean;
}
const EVERYWHERE: Bounds = { minX: -Infinity, minY: -Infinity, maxX: Infinity, maxY: Infinity };

/** When and where a text is drawn. */
export interface PaintedAt {
  readonly clip: Bounds;
  readonly order: number;
}

/** What of a page's texts lies outside of its clip or below a rectangle that is filled later, operator by operator. */
export class PaintOrder {
  readonly #ops: Pdfjs['OPS'];
  readonly #saved: State[] = [];
  readonly #areas: { readonly box: Bounds; readonly order: number }[] = [];
  #state: State;
  #order = 0;
  #clips = false;

  /** @param toPage the map from the content to the page. */
  constructor({ OPS }: Pdfjs, toPage: Affine) {
    this.#ops = OPS;
    this.#state = { map: toPage, clip: EVERYWHERE, isOpaque: true, alpha: 1, hasPattern: false };
  }

  /** Where a text is drawn now. */
  get now(): PaintedAt {
    return { clip: this.#state.clip, order: this.#order };
  }

  /** Whether nothing is seen of a text: its middle line lies outside of its clip, or all of it below an area. */
  isUnseen({ x, y, angleRad, length, height }: TextPiece, { clip, order }: PaintedAt): boolean {
    const [ux, uy] = [Math.cos(angleRad), Math.sin(angleRad)];
    const [startX, startY] = [x + MIDDLE * height * uy, y - MIDDLE * height * ux];
    const [endX, endY] = [startX + length * ux, startY + length * uy];
    const isOutside =
      Math.max(startX, endX) < clip.minX ||
      Math.min(startX, endX) > clip.maxX ||
      Math.max(startY, endY) < clip.minY ||
      Math.min(startY, endY) > clip.maxY;
    const isIn = ({ minX, minY, maxX, maxY }: Bounds): boolean =>
      [startX, endX].every((at) => at > minX && at < maxX) && [startY, endY].every((at) => at > minY && at < maxY);
    return isOutside || this.#areas.some((area) => area.order > order && isIn(area.box));
  }

  /** Takes an operator of the page. */
  apply(fn: number, args: readonly unknown[]): void {
    const ops = this.#ops;
    this.#order++;
    if (fn === ops.save || fn === ops.paintFormXObjectBegin || fn === ops.beginGroup) {
      if (this.#saved.length < DEEPEST) this.#saved.push(this.#state);
      if (fn === ops.paintFormXObjectBegin && args[0] != null) this.#transform(args[0] as Affine);
      // What a group does to what is below it is not known here.
      if (fn === ops.beginGroup) this.#change({ isOpaque: false });
    } else if (fn === ops.restore || fn === ops.paintFormXObjectEnd || fn === ops.endGroup)
      this.#state = this.#saved.pop() ?? this.#state;
    else if (fn === ops.transform) this.#transform(args as unknown as Affine);
    else if (fn === ops.clip || fn === ops.eoClip) this.#clips = true;
    else if (fn === ops.setFillColorN) this.#change({ hasPattern: true });
    else if (fn === ops.setFillRGBColor) this.#change({ hasPattern: false });
    else if (fn === ops.setGState) this.#setMany(args[0]);
    else if (fn === ops.constructPath) this.#path(args as PathArguments);
  }

  #change(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
  }

  #transform(map: Affine): void {
    this.#change({ map: compose2d(this.#state.map, map) });
  }

  #setMany(entries: unknown): void {
    for (const [key, value] of (Array.isArray(entries) ? entries : []) as readonly (readonly [string, unknown])[]) {
      if (key === 'ca') this.#change({ alpha: Number(value) });
      else if (key === 'BM' && value !== 'source-over') this.#change({ isOpaque: false });
      else if (key === 'SMask' && value) this.#change({ isOpaque: false });
    }
  }

  #path([operation, [data]]: PathArguments): void {
    const { map, clip, isOpaque, alpha, hasPattern } = this.#state;
    const ops = this.#ops;
    const isFilled = operation !== ops.stroke && operation !== ops.closeStroke && operation !== ops.endPath;
    const box = data == null ? emptyBounds() : boundsOf(data, map);
    if (isFilled && isOpaque && alpha === 1 && !hasPattern && data != null && isRectangle(data, map, box))
      if (this.#areas.length < MOST_AREAS) this.#areas.push({ box: commonBounds(box, clip), order: this.#order });
    if (!this.#clips) return;
    this.#clips = false;
    this.#change({ clip: commonBounds(clip, box) });
  }
}

/** Whether all points of a path are corners of an upright rectangle. */
function isRectangle(data: Float32Array, map: Affine, box: Bounds): boolean {
  const isUpright = (map[1] === 0 && map[2] === 0) || (map[0] === 0 && map[3] === 0);
  let points = 0;
  for (let at = 0; at < data.length; at += 1 + (COORDINATES[data[at]] ?? 0)) {
    if ((COORDINATES[data[at]] ?? 0) > 2) return false;
    if (COORDINATES[data[at]] === 2) points++;
  }
  if (!isUpright || points < 4 || points > 5) return false;
  const area = (box.maxX - box.minX) * (box.maxY - box.minY);
  return area > 0 && Math.abs(areaOf(data) * (map[0] * map[3] - map[1] * map[2])) > 0.999 * area;
}

/** Twice-summed corners of a path of lines: its area. */
function areaOf(data: Float32Array): number {
  const corners: [number, number][] = [];
  for (let at = 0; at < data.length; at += 1 + (COORDINATES[data[at]] ?? 0))
    if (COORDINATES[data[at]] === 2) corners.push([data[at + 1], data[at + 2]]);
  return corners.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length];
    return sum + (x * nextY - nextX * y) / 2;
  }, 0);
}
