/** A mesh in double precision. */
export interface WideMesh {
  /** f64[3 * vertexCount]. */
  readonly positions: Float64Array;
  /** u32[3 * triangleCount]. */
  readonly indices: Uint32Array;
}

/**
 * The same surface with no edge longer than `longestMm`, as far as `mostTriangles` allow: each pass halves the long
 * edges, for both triangles of an edge at the same point, so that no gaps open. The vertices of the mesh keep their
 * order and precede the new ones.
 */
export function refineMesh(mesh: WideMesh, longestMm: number, mostTriangles: number): WideMesh {
  let { indices } = mesh;
  const positions = Array.from(mesh.positions);
  const limit = longestMm * longestMm;
  // Each pass halves edges: 24 passes suffice for any mesh.
  for (let pass = 0; pass < 24; pass++) {
    const halves = new Map<string, number>();
    const half = (a: number, b: number): number => {
      let square = 0;
      for (let k = 0; k < 3; k++) square += (positions[3 * a + k] - positions[3 * b + k]) ** 2;
      if (square <= limit) return -1;
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      let middle = halves.get(key);
      if (middle === undefined) {
        middle = positions.length / 3;
        for (let k = 0; k < 3; k++) positions.push((positions[3 * a + k] + positions[3 * b + k]) / 2);
        halves.set(key, middle);
      }
      return middle;
    };
    const vertexCount = positions.length;
    const next: number[] = [];
    for (let i = 0; i < indices.length && next.length <= 3 * mostTriangles; i += 3) {
      const [a, b, c] = indices.subarray(i, i + 3);
      divide(next, [a, b, c], [half(a, b), half(b, c), half(c, a)]);
    }
    if (next.length > 3 * mostTriangles) {
      positions.length = vertexCount;
      break;
    }
    if (next.length === indices.length) break;
    indices = Uint32Array.from(next);
  }
  return { positions: Float64Array.from(positions), indices };
}

type Three = readonly [number, number, number];

/** Divides a triangle at the middles of its edges (−1: the edge is not halved); the parts keep its orientation. */
function divide(out: number[], [a, b, c]: Three, [ab, bc, ca]: Three): void {
  const count = (ab < 0 ? 0 : 1) + (bc < 0 ? 0 : 1) + (ca < 0 ? 0 : 1);
  if (count === 0) out.push(a, b, c);
  else if (count === 3) out.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
  else if (count === 1) {
    if (ab >= 0) out.push(a, ab, c, ab, b, c);
    else if (bc >= 0) out.push(b, bc, a, bc, c, a);
    else out.push(c, ca, b, ca, a, b);
  } else if (ab < 0) out.push(c, ca, bc, ca, a, b, ca, b, bc);
  else if (bc < 0) out.push(a, ab, ca, ab, b, c, ab, c, ca);
  else out.push(b, bc, ab, bc, c, a, bc, a, ab);
}
