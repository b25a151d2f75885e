/**
 * Vertices of a border that are nearer than this share of the mesh's extent are one: what rounding leaves of a place.
 */
const REACH = 1e-9;
/** Most edges of a border: a mesh with more is a surface and no solid with slits. */
const MOST_EDGES = 2_000;
/** Most vertices that follow each other along {@link ALONG} to which one is compared. */
const MOST_COMPARED = 16;
/** A direction in which different places rarely are equally far. */
const ALONG = [0.5773, 0.6547, 0.4879] as const;

/**
 * Closes slits of no width in a welded mesh: a kernel may compute one place twice, as that of a vertex and on the
 * surface (the point of a drill), and leave out the triangle between both. Returns the positions with vertices of the
 * border moved onto earlier ones at (nearly) the same place, so that welding joins them; undefined where there is
 * nothing to close.
 *
 * positions: f64[3 * n], not changed. indices: u32[3 * m].
 */
export function closedSlits(positions: Float64Array, indices: Uint32Array): Float64Array | undefined {
  const border = borderVertices(indices, positions.length / 3);
  if (border.length < 2) return undefined;
  const heights = Float64Array.from(
    border,
    (v) => ALONG[0] * positions[3 * v] + ALONG[1] * positions[3 * v + 1] + ALONG[2] * positions[3 * v + 2],
  );
  const order = [...border.keys()].sort((a, b) => heights[a] - heights[b] || border[a] - border[b]);
  const reach = REACH * extentOf(positions);
  const moved = positions.slice();
  let closed = 0;
  for (const [i, a] of order.entries())
    for (const b of order.slice(i + 1, i + 1 + MOST_COMPARED)) {
      if (heights[b] - heights[a] > 2 * reach) break;
      const [to, from] = border[a] < border[b] ? [border[a], border[b]] : [border[b], border[a]];
      const apart = Math.hypot(...[0, 1, 2].map((k) => positions[3 * to + k] - positions[3 * from + k]));
      if (apart > reach) continue;
      for (let k = 0; k < 3; k++) moved[3 * from + k] = moved[3 * to + k];
      closed++;
    }
  return closed > 0 ? moved : undefined;
}

/** The vertices of edges with one triangle, rising; none if there are too many. */
function borderVertices(indices: Uint32Array, vertexCount: number): number[] {
  const edges = new Float64Array(indices.length);
  for (let i = 0; i < indices.length; i++) {
    const a = indices[i],
      b = indices[i % 3 === 2 ? i - 2 : i + 1];
    edges[i] = Math.min(a, b) * vertexCount + Math.max(a, b);
  }
  edges.sort();
  const vertices = new Set<number>();
  let count = 0;
  for (let i = 0; i < edges.length; i++) {
    if (edges[i] === edges[i - 1] || edges[i] === edges[i + 1]) continue;
    if (++count > MOST_EDGES) return [];
    vertices.add(Math.floor(edges[i] / vertexCount)).add(edges[i] % vertexCount);
  }
  return [...vertices].sort((a, b) => a - b);
}

function extentOf(positions: Float64Array): number {
  let most = 0;
  for (let k = 0; k < 3; k++) {
    let low = Infinity,
      high = -Infinity;
    for (let at = k; at < positions.length; at += 3) {
      low = Math.min(low, positions[at]);
      high = Math.max(high, positions[at]);
    }
    most = Math.max(most, high - low);
  }
  return most;
}
