import { eachEdge, type Sheet, type SheetBox } from '../content/sheet.js';
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

function isAtAngle(sheet: Sheet, { strokes }: PartView): boolean {
  let total = 0,
    level = 0,
    slanted = 0;
  for (const stroke of strokes) {
    // Curves consist of many short chords in all directions.
    const { starts } = sheet.strokes;
    if (starts[stroke + 1] - starts[stroke] > 8) continue;
    eachEdge(sheet.strokes, stroke, (x0, y0, x1, y1) => {
      const dx = x1 - x0,
        dy = y1 - y0;
      const length = Math.hypot(dx, dy),
        degrees = Math.abs((Math.atan(dy / dx) * 180) / Math.PI);
      total += length;
      if (degrees < NEAR) level += length;
      if ([7, 30, 42, 45].some((angle) => Math.abs(degrees - angle) < NEAR)) slanted += length;
    });
  }
  return total > 0 && slanted > SLANTED * total && level < LEVEL * total;
}
