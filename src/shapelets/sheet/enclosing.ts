import { distanceTo, edgeAt } from '../../content/geometry.js';
import { DisjointSets } from '../../content/groups.js';
import type { Sheet } from '../../content/sheet.js';
import type { Cluster } from './clusters.js';
import type { SheetMeasures } from './sheet-measures.js';

/** Largest distance of the end of a stroke from one that it meets, points. */
const MEET = 1;
/** Clusters with more strokes are taken to enclose something. */
const MOST_STROKES = 400;

/**
 * Whether the strokes of a cluster enclose an area, as the outlines of a part do: one is closed, or they meet in a
 * ring. A cutting plane with its arrows has the width of outlines and meets at its ends, but encloses nothing.
 */
export function encloses(
  { strokes: { points, starts } }: Sheet,
  { boxes, point }: SheetMeasures,
  { strokes, pictures, bridges }: Cluster,
): boolean {
  if (pictures.size > 0 || bridges !== undefined || strokes.length > MOST_STROKES) return true;
  const near = MEET * point;
  // Places at which strokes meet. Each is joined to every stroke that passes it; one join too many closes a ring.
  const places: number[] = [];
  const placeAt = (x: number, y: number): number => {
    for (let i = 0; i < places.length; i += 2) if (Math.hypot(places[i] - x, places[i + 1] - y) <= near) return i / 2;
    return places.push(x, y) / 2 - 1;
  };
  for (const i of strokes) for (const p of [starts[i], starts[i + 1] - 1]) placeAt(points[2 * p], points[2 * p + 1]);
  const count = places.length / 2;
  const joined = new DisjointSets(count + strokes.length);
  for (const [n, i] of strokes.entries()) {
    const first = starts[i],
      last = starts[i + 1] - 1;
    const isClosed =
      last - first > 1 &&
      Math.hypot(points[2 * first] - points[2 * last], points[2 * first + 1] - points[2 * last + 1]) <= near;
    if (isClosed) return true;
    for (let place = 0; place < count; place++) {
      const x = places[2 * place],
        y = places[2 * place + 1];
      if (
        x < boxes[4 * i] - near ||
        y < boxes[4 * i + 1] - near ||
        x > boxes[4 * i + 2] + near ||
        y > boxes[4 * i + 3] + near
      )
        continue;
      let isPassed = false;
      for (let p = first; p < last && !isPassed; p++) isPassed = distanceTo(edgeAt(points, p), x, y) <= near;
      if (!isPassed) continue;
      if (joined.rootOf(place) === joined.rootOf(count + n)) return true;
      joined.join(place, count + n);
    }
  }
  return false;
}
