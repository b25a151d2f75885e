import type { Sheet, SheetBox } from '../content/sheet.js';
import { joinBrokenViews } from './broken-views.js';
import { areaOf, findClusters, joinOverlapping, type Cluster } from './clusters.js';
import type { Shapelet } from './shapelet.js';
import { measureSheet, type SheetMeasures } from './sheet-measures.js';
import { rolesOf } from './stroke-roles.js';
import { drawView } from './view-picture.js';

/** A view of a part on a sheet. */
export interface SheetView {
  /** The smallest box about its geometry, sheet units. */
  readonly box: SheetBox;
  /** Its strokes, by rising number. */
  readonly strokes: Uint32Array;
  readonly shapelet: Shapelet;
}

/** Points. */
const SMALLEST = 7;
const MOST_VIEWS = 100;

/**
 * Splits a sheet into the views of its parts, by the strokes that {@link classifyStrokes} calls geometry or hidden edges and the pictures
 * that stand among them. Ordered by falling area of their boxes. A scan has no views here.
 */
export function splitSheet(sheet: Sheet): SheetView[] {
  const measures = measureSheet(sheet);
  const { roles, areaAt } = rolesOf(sheet, measures);
  const { clusters, ink } = findClusters(sheet, measures, roles, areaAt);
  return joinBrokenViews(joinOverlapping(clusters), ink, measures)
    .filter((cluster) => isView(cluster, measures))
    .sort((a, b) => areaOf(b) - areaOf(a))
    .slice(0, MOST_VIEWS)
    .map(({ minX, minY, maxX, maxY, strokes, pictures }) => {
      const box = { x: minX, y: minY, width: maxX - minX, height: maxY - minY };
      const own = Uint32Array.from(strokes).sort();
      return { box, strokes: own, shapelet: drawView(sheet, box, own, roles, [...pictures.keys()]) };
    });
}

/** Letters, marks of sections and single lines are none. */
function isView({ minX, minY, maxX, maxY, strokes, pictures }: Cluster, { point }: SheetMeasures): boolean {
  const longer = Math.max(maxX - minX, maxY - minY), shorter = Math.min(maxX - minX, maxY - minY);
  if (longer < SMALLEST * point || shorter < 0.5 * point) return false;
  return pictures.size > 0 || strokes.length > 1;
}
