import type { Sheet, SheetBox } from '../content/sheet.js';
import type { Finding } from './finding.js';
import { PMI_TYPE } from './pmi.js';

/** A view of a part on a sheet: its place and its strokes. */
export interface PartView {
  readonly box: SheetBox;
  readonly strokes: Uint32Array;
}

/** Share of line length at 30° or 45° from which a view is pictorial, and the largest share of level lines in it. */
const SLANTED = 0.35;
const LEVEL = 0.3;
const NEAR = 4;

/** Views as annotations: pictorial views (isometric, dimetric) are distinguished from views along an axis. */
export function findingsOfViews(sheet: Sheet, views: readonly PartView[]): Finding[] {
  return views.map((view) => ({
    type: isAtAngle(sheet, view) ? PMI_TYPE.view3d : PMI_TYPE.view,
    box: view.box,
    parts: [],
  }));
}

function isAtAngle({ strokes: { points, starts } }: Sheet, { strokes }: PartView): boolean {
  let total = 0,
    level = 0,
    slanted = 0;
  for (const stroke of strokes) {
    // Curves consist of many short chords in all directions.
    if (starts[stroke + 1] - starts[stroke] > 8) continue;
    for (let i = starts[stroke]; i + 1 < starts[stroke + 1]; i++) {
      const dx = points[2 * i + 2] - points[2 * i],
        dy = points[2 * i + 3] - points[2 * i + 1];
      const length = Math.hypot(dx, dy),
        degrees = Math.abs((Math.atan(dy / dx) * 180) / Math.PI);
      total += length;
      if (degrees < NEAR) level += length;
      if ([7, 30, 42, 45].some((angle) => Math.abs(degrees - angle) < NEAR)) slanted += length;
    }
  }
  return total > 0 && slanted > SLANTED * total && level < LEVEL * total;
}
