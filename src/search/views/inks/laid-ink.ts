import type { Core } from '../../../core/core.js';
import { inkMeasures, prepareHalf, prepareInk, type InkCells, type InkMeasures } from '../../../core/laid-inks.js';
import type { PackedInk, PageInk } from '../../../descriptors/page-inks.js';
import { Similarity } from './similarity.js';

/** A box on an ink, cells. */
export type CellBox = PageInk['boxes'][number];

/** An ink that is prepared for laying another one over it. */
export interface LaidInk {
  /** Number of its page, from 1. */
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly cells: InkCells;
  /** Box of all ink, then those of its views and pieces. */
  readonly boxes: readonly CellBox[];
  /** Middle of the ink, and the root mean square distance from it. */
  readonly middle: { readonly x: number; readonly y: number; readonly spread: number };
  /** From places on the page, in units of its longer side, to cells. */
  readonly ofPage: Similarity;
}

/** Prepares an ink. */
export function layInk(core: Core, ink: PackedInk): LaidInk {
  const cells = prepareInk(core, ink);
  return { ...placedInk(ink, inkMeasures(cells)), cells };
}

/** The cells of an ink at half its size, prepared. */
export function layHalf(core: Core, ink: PackedInk): InkCells {
  return prepareHalf(core, ink);
}

/** What is known of an ink beside its cells. */
export function placedInk(ink: PackedInk, { x, y, squares, box }: InkMeasures): Omit<LaidInk, 'cells'> {
  const { number, width, height, boxes } = ink;
  return {
    number,
    width,
    height,
    boxes: [{ ...box, width: Math.max(1, box.width), height: Math.max(1, box.height) }, ...boxes],
    middle: { x, y, spread: Math.sqrt(Math.max(squares - x * x - y * y, 1)) },
    ofPage: cellsOfPage(ink),
  };
}

/** From places on the page of an ink, in units of its longer side, to its cells. */
export function cellsOfPage(ink: Pick<PageInk, 'area' | 'skewRad' | 'width' | 'height'>): Similarity {
  const { area, skewRad, width, height } = ink;
  // The longer side of the area takes whole cells.
  const unit = Math.max(width, height) / Math.max(area.width, area.height);
  const turn = Similarity.of({ scale: 1, rotationRad: -skewRad, x: 0, y: 0 });
  const middle = { x: area.x + area.width / 2, y: area.y + area.height / 2 };
  return Similarity.shift(-middle.x, -middle.y)
    .followedBy(turn)
    .followedBy(Similarity.shift(area.width / 2, area.height / 2))
    .followedBy(Similarity.of({ scale: unit, rotationRad: 0, x: 0, y: 0 }));
}
