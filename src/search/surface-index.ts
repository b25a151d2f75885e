/** Triangles per leaf of the tree: fewer cost more boxes, more cost more triangles. */
const LEAF_TRIANGLES = 4;
const STACK = 64;

/**
 * Finds the nearest point of a mesh: a tree of boxes over the triangles, split at the median of the longest side.
 * The answer of the last {@link SurfaceIndex.nearest} stands in the public fields, so that a query makes no objects.
 */
export class SurfaceIndex {
  /** Triangle that holds the nearest point, or −1. */
  triangle = -1;
  x = 0;
  y = 0;
  z = 0;

  /** Triangles in the order of the leaves. */
  readonly #order: Uint32Array;
  /** f64[12] a triangle in leaf order: corner a, sides ab and ac, unit normal. */
  readonly #corners: Float64Array;
  readonly #boxes: Float64Array;
  /** Of an inner node the number of its second child (the first follows it), of a leaf −1 − its first triangle. */
  readonly #links: Int32Array;
  readonly #counts: Uint8Array;
  readonly #stack = new Int32Array(STACK);
  readonly #stackDistances = new Float64Array(STACK);

  /**
   * @param positions f64[3 * vertexCount]. @param indices u32[3 * triangleCount], at least one triangle.
   * @param normals f64[3 * triangleCount], unit, or 0 where a triangle is too thin to have a normal that means anything.
   */
  constructor(positions: Float64Array, indices: Uint32Array, normals: Float64Array) {
    const count = indices.length / 3;
    const centers = new Float64Array(3 * count);
    for (let t = 0; t < count; t++) {
      const a = 3 * indices[3 * t], b = 3 * indices[3 * t + 1], c = 3 * indices[3 * t + 2];
      for (let k = 0; k < 3; k++) {
        const p = positions[a + k], q = positions[b + k], r = positions[c + k];
        centers[3 * t + k] = Math.min(p, q, r) + Math.max(p, q, r);
      }
    }
    this.#order = new Uint32Array(count);
    for (let t = 0; t < count; t++) this.#order[t] = t;
    const nodes = 2 * Math.ceil(count / 2) + 1;
    this.#boxes = new Float64Array(6 * nodes);
    this.#links = new Int32Array(nodes);
    this.#counts = new Uint8Array(nodes);
    this.#build(positions, indices, centers);
    this.#corners = new Float64Array(12 * count);
    for (let i = 0; i < count; i++) {
      const t = this.#order[i];
      const a = 3 * indices[3 * t], b = 3 * indices[3 * t + 1], c = 3 * indices[3 * t + 2];
      for (let k = 0; k < 3; k++) {
        this.#corners[12 * i + k] = positions[a + k];
        this.#corners[12 * i + 3 + k] = positions[b + k] - positions[a + k];
        this.#corners[12 * i + 6 + k] = positions[c + k] - positions[a + k];
        this.#corners[12 * i + 9 + k] = normals[3 * t + k];
      }
    }
  }

  #build(positions: Float64Array, indices: Uint32Array, centers: Float64Array): void {
    const order = this.#order, boxes = this.#boxes;
    let next = 0;
    const build = (from: number, to: number): void => {
      const node = next++;
      const box = 6 * node;
      let x0 = Infinity, y0 = Infinity, z0 = Infinity, x1 = -Infinity, y1 = -Infinity, z1 = -Infinity;
      let cx0 = Infinity, cy0 = Infinity, cz0 = Infinity, cx1 = -Infinity, cy1 = -Infinity, cz1 = -Infinity;
      for (let i = from; i < to; i++) {
        const t = 3 * order[i];
        for (let k = 0; k < 3; k++) {
          const p = 3 * indices[t + k];
          const x = positions[p], y = positions[p + 1], z = positions[p + 2];
          if (x < x0) x0 = x;
          if (x > x1) x1 = x;
          if (y < y0) y0 = y;
          if (y > y1) y1 = y;
          if (z < z0) z0 = z;
          if (z > z1) z1 = z;
        }
        const x = centers[t], y = centers[t + 1], z = centers[t + 2];
        if (x < cx0) cx0 = x;
        if (x > cx1) cx1 = x;
        if (y < cy0) cy0 = y;
        if (y > cy1) cy1 = y;
        if (z < cz0) cz0 = z;
        if (z > cz1) cz1 = z;
      }
      boxes[box] = x0;
      boxes[box + 1] = y0;
      boxes[box + 2] = z0;
      boxes[box + 3] = x1;
      boxes[box + 4] = y1;
      boxes[box + 5] = z1;
      if (to - from <= LEAF_TRIANGLES) {
        this.#links[node] = -1 - from;
        this.#counts[node] = to - from;
        return;
      }
      const dx = cx1 - cx0, dy = cy1 - cy0, dz = cz1 - cz0;
      const axis = dx >= dy && dx >= dz ? 0 : dy >= dz ? 1 : 2;
      const middle = (from + to) >> 1;
      selectMiddle(order, centers, axis, from, to - 1, middle);
      build(from, middle);
      this.#links[node] = next;
      build(middle, to);
    };
    build(0, order.length);
  }

  /**
   * Nearest point of the mesh to (px, py, pz) that is nearer than `limit`, among triangles whose normal is within
   * arccos(`cosLimit`) of ±(nx, ny, nz). With `cosLimit` ≤ 0, a normal of 0, or a triangle
   * without a normal, any will do.
   * @returns the distance, or `limit` when there is none; `triangle`, `x`, `y`, `z` say where.
   */
  nearest(px: number, py: number, pz: number, limit: number, nx = 0, ny = 0, nz = 0, cosLimit = 0): number {
    const boxes = this.#boxes, links = this.#links, stack = this.#stack, distances = this.#stackDistances;
    const corners = this.#corners;
    const picky = cosLimit > 0 && (nx !== 0 || ny !== 0 || nz !== 0);
    let best = limit * limit;
    let found = -1;
    let top = 0;
    let node = 0;
    let distance = boxDistance(boxes, 0, px, py, pz);
    for (;;) {
      if (distance < best) {
        const link = links[node];
        if (link >= 0) {
          const near = boxDistance(boxes, 6 * (node + 1), px, py, pz);
          const far = boxDistance(boxes, 6 * link, px, py, pz);
          if (near <= far) {
            stack[top] = link;
            distances[top++] = far;
            node = node + 1;
            distance = near;
          } else {
            stack[top] = node + 1;
            distances[top++] = near;
            node = link;
            distance = far;
          }
          continue;
        }
        const from = -1 - link;
        for (let i = from, to = from + this.#counts[node]; i < to; i++) {
          const c = 12 * i;
          if (picky) {
            const mx = corners[c + 9], my = corners[c + 10], mz = corners[c + 11];
            const cos = Math.abs(mx * nx + my * ny + mz * nz);
            if (cos < cosLimit && mx * mx + my * my + mz * mz > 0.5) continue;
          }
          // Closest point on a triangle by its Voronoi regions (Ericson, Real-Time Collision Detection, 5.1.5).
          const abx = corners[c + 3], aby = corners[c + 4], abz = corners[c + 5];
          const acx = corners[c + 6], acy = corners[c + 7], acz = corners[c + 8];
          const apx = px - corners[c], apy = py - corners[c + 1], apz = pz - corners[c + 2];
          const d1 = abx * apx + aby * apy + abz * apz;
          const d2 = acx * apx + acy * apy + acz * apz;
          let v = 0, w = 0;
          if (d1 > 0 || d2 > 0) {
            const bb = abx * abx + aby * aby + abz * abz;
            const bc = abx * acx + aby * acy + abz * acz;
            const cc = acx * acx + acy * acy + acz * acz;
            const d3 = d1 - bb, d4 = d2 - bc;
            const d5 = d1 - bc, d6 = d2 - cc;
            const vc = d1 * d4 - d3 * d2;
            const vb = d5 * d2 - d1 * d6;
            const va = d3 * d6 - d5 * d4;
            if (d3 >= 0 && d4 <= d3) v = 1;
            else if (d6 >= 0 && d5 <= d6) w = 1;
            else if (vc <= 0 && d1 >= 0 && d3 <= 0) v = bb > 0 ? d1 / bb : 0;
            else if (vb <= 0 && d2 >= 0 && d6 <= 0) w = cc > 0 ? d2 / cc : 0;
            else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
              w = (d4 - d3) / (d4 - d3 + (d5 - d6));
              v = 1 - w;
            } else {
              const sum = va + vb + vc;
              v = vb / sum;
              w = vc / sum;
            }
          }
          const ex = apx - v * abx - w * acx, ey = apy - v * aby - w * acy, ez = apz - v * abz - w * acz;
          const squared = ex * ex + ey * ey + ez * ez;
          if (squared < best) {
            best = squared;
            found = i;
            this.x = px - ex;
            this.y = py - ey;
            this.z = pz - ez;
          }
        }
      }
      if (top === 0) break;
      node = stack[--top];
      distance = distances[top];
    }
    this.triangle = found < 0 ? -1 : this.#order[found];
    return found < 0 ? limit : Math.sqrt(best);
  }
}

function boxDistance(boxes: Float64Array, box: number, x: number, y: number, z: number): number {
  const dx = Math.max(boxes[box] - x, 0, x - boxes[box + 3]);
  const dy = Math.max(boxes[box + 1] - y, 0, y - boxes[box + 4]);
  const dz = Math.max(boxes[box + 2] - z, 0, z - boxes[box + 5]);
  return dx * dx + dy * dy + dz * dz;
}

/** Quickselect (Hoare 1961): moves the triangle of rank `middle` along an axis to its place, smaller ones before it. */
function selectMiddle(order: Uint32Array, centers: Float64Array, axis: number, from: number, to: number, middle: number): void {
  while (from < to) {
    const pivot = centers[3 * order[(from + to) >> 1] + axis];
    let i = from, j = to;
    while (i <= j) {
      while (centers[3 * order[i] + axis] < pivot) i++;
      while (centers[3 * order[j] + axis] > pivot) j--;
      if (i <= j) {
        const swapped = order[i];
        order[i++] = order[j];
        order[j--] = swapped;
      }
    }
    if (middle <= j) to = j;
    else if (middle >= i) from = i;
    else return;
  }
}
