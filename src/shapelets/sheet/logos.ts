import { areaOf, type Corners } from '../../content/geometry.js';
import type { Sheet } from '../../content/sheet.js';
import type { Cluster } from './clusters.js';
import type { SheetMeasures } from './sheet-measures.js';
import { PAPER } from './view-picture.js';

/** Largest area of a logo as a share of the largest view. */
const MOST_SHARE = 0.15;
/** Steps of brightness, least share of the ink of one that counts, and most of them: a shaded view has more. */
const STEPS = 16;
const LEAST_OF_INK = 0.08;
const MOST_TONES = 2;
/** Least share of its box that is ink: less are lines. */
const LEAST_INK = 0.25;
/** Views in projection lie beside each other at this distance at most, points. */
const IN_LINE = 2;

/**
 * Leaves out logos: small pictures of one or two even tones that lie in line with no view. A shaded view has the tones
 * of its faces, and one that is seen from a side, as evenly gray as a plate is, lies beside another view.
 */
export function withoutLogos<T extends Cluster>(sheet: Sheet, { point }: SheetMeasures, views: readonly T[]): T[] {
  const largest = Math.max(...views.map(areaOf));
  return views.filter(
    (view) =>
      areaOf(view) > MOST_SHARE * largest ||
      views.some((other) => other !== view && areInLine(view, other, IN_LINE * point)) ||
      !isLikeLogo(sheet, view),
  );
}

/** Whether a view is nothing but pictures of one or two even tones: a logo, or a view of an even face. */
export function isLikeLogo(sheet: Sheet, { strokes, pictures }: Cluster): boolean {
  if (pictures.size === 0 || strokes.length > 0) return false;
  return [...pictures].every(([picture, corners]) => isEven(sheet, picture, corners));
}

/** Whether the same sides or the middles of two boxes lie in line. */
function areInLine(a: Corners, b: Corners, near: number): boolean {
  return (
    [
      [a.x0, a.x1, b.x0, b.x1],
      [a.y0, a.y1, b.y0, b.y1],
    ] as const
  ).some(([from, to, otherFrom, otherTo]) => {
    const [start, end] = [Math.abs(from - otherFrom), Math.abs(to - otherTo)];
    return (start < near && end < near) || Math.abs(from + to - otherFrom - otherTo) < near;
  });
}

/** Whether the ink of a picture within a box has few tones and is no line work. */
function isEven({ pictures }: Sheet, number: number, { x0, y0, x1, y1 }: Corners): boolean {
  const {
    box,
    picture: { widthPx, heightPx, gray },
  } = pictures[number];
  const column = (x: number): number => Math.min(widthPx, Math.max(0, Math.round(((x - box.x) / box.width) * widthPx)));
  const row = (y: number): number => Math.min(heightPx, Math.max(0, Math.round(((y - box.y) / box.height) * heightPx)));
  const [left, right, top, bottom] = [column(x0), column(x1), row(y0), row(y1)];
  const counts = new Uint32Array(STEPS);
  let ink = 0;
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const level = gray[y * widthPx + x];
      if (level >= PAPER) continue;
      counts[Math.floor((level * STEPS) / 256)]++;
      ink++;
    }
  const tones = counts.filter((count) => count > LEAST_OF_INK * ink).length;
  return ink > LEAST_INK * (right - left) * (bottom - top) && tones <= MOST_TONES;
}
