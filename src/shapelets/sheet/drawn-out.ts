import { boxOfCorners, type Segment } from '../../content/geometry.js';
import { brokenLength } from '../broken-length.js';
import type { Cluster } from './clusters.js';
import type { DrawnOut } from './view-picture.js';

/** Views of one part have the same length, up to this share. */
const SAME_LENGTH = 0.03;

/** How the views with one break are drawn out, by the clusters. A view with more than one stays as it is. */
export function drawnOutAt(clusters: readonly Cluster[]): ReadonlyMap<Cluster, DrawnOut> {
  const broken = clusters.flatMap((cluster) => {
    const place = breakOf(cluster.bridges ?? []);
    const { width, height } = boxOfCorners(cluster);
    const [length, across] = place?.along === 1 ? [height, width] : [width, height];
    return place === undefined || !(across > 0) ? [] : [{ cluster, ...place, length, across }];
  });
  return new Map(
    broken.map(({ cluster, along, at, length }) => {
      // Models are rendered in multiples of the larger of both other extents, which another view may show.
      const views = broken.filter((other) => Math.abs(other.length - length) <= SAME_LENGTH * length);
      const width = Math.max(...views.map(({ across }) => across));
      return [cluster, { along, at, by: brokenLength(length, width) - length }];
    }),
  );
}

/** Where a view is broken, if that is at one place: the middle of all lines that go on there. */
function breakOf(bridges: readonly Segment[]): Pick<DrawnOut, 'along' | 'at'> | undefined {
  if (bridges.length === 0) return undefined;
  const [{ x0, y0, x1, y1 }] = bridges;
  const along = Math.abs(x1 - x0) >= Math.abs(y1 - y0) ? 0 : 1;
  const ends = bridges.map((own) => (along === 0 ? [own.x0, own.x1] : [own.y0, own.y1]));
  const [from, to] = [
    Math.max(...ends.map((own) => Math.min(...own))),
    Math.min(...ends.map((own) => Math.max(...own))),
  ];
  return from <= to ? { along, at: (from + to) / 2 } : undefined;
}
