/**
 * A small software rasteriser for benches: a z-buffer with interpolated normals. It shares no code with the core's
 * renderer, so that pictures made by one and views made by the other have only the shape in common.
 */

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A normally distributed random number (Box and Muller). */
export function gaussian(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A random rotation, row-major 3 × 3 (Shoemake 1992). */
export function randomRotation(random) {
  const [u, v, w] = [random(), 2 * Math.PI * random(), 2 * Math.PI * random()];
  const [x, y, z, s] = [
    Math.sqrt(1 - u) * Math.sin(v),
    Math.sqrt(1 - u) * Math.cos(v),
    Math.sqrt(u) * Math.sin(w),
    Math.sqrt(u) * Math.cos(w),
  ];
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - z * s),
    2 * (x * z + y * s),
    2 * (x * y + z * s),
    1 - 2 * (x * x + z * z),
    2 * (y * z - x * s),
    2 * (x * z - y * s),
    2 * (y * z + x * s),
    1 - 2 * (x * x + y * y),
  ];
}

/**
 * The mesh rotated, centred on the origin and scaled to a radius of 1, with a normal at each corner: the mean of the
 * adjacent faces within 30° of its own face, so that curved faces look smooth and edges stay sharp.
 * @returns points f64[3 × vertices], normals f32[9 × triangles], faceNormals f32[3 × triangles], indices; vertices at
 * the same place are merged.
 */
export function poseMesh({ positions, indices }, turn) {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  const middle = low.map((value, axis) => (value + high[axis]) / 2);
  const radius = Math.hypot(...high.map((value, axis) => value - middle[axis])) || 1;
  const places = new Map(),
    points = [],
    vertexOf = new Uint32Array(positions.length / 3);
  for (let v = 0; v < vertexOf.length; v++) {
    const p = [0, 1, 2].map((axis) => (positions[3 * v + axis] - middle[axis]) / radius);
    const key = p.map((value) => Math.round(value * 2e4)).join();
    if (!places.has(key)) {
      places.set(key, points.length / 3);
      for (let row = 0; row < 3; row++)
        points.push(turn[3 * row] * p[0] + turn[3 * row + 1] * p[1] + turn[3 * row + 2] * p[2]);
    }
    vertexOf[v] = places.get(key);
  }
  const corners = [];
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [vertexOf[indices[t]], vertexOf[indices[t + 1]], vertexOf[indices[t + 2]]];
    if (a !== b && b !== c && a !== c) corners.push(a, b, c);
  }
  const triangles = corners.length / 3;
  const faceNormals = new Float32Array(3 * triangles),
    areas = new Float32Array(triangles);
  const around = Array.from({ length: points.length / 3 }, () => []);
  for (let t = 0; t < triangles; t++) {
    const [a, b, c] = [0, 1, 2].map((k) => points.slice(3 * corners[3 * t + k], 3 * corners[3 * t + k] + 3));
    const u = b.map((value, i) => value - a[i]),
      v = c.map((value, i) => value - a[i]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    areas[t] = Math.hypot(...n);
    for (let i = 0; i < 3; i++) faceNormals[3 * t + i] = n[i] / (areas[t] || 1);
    for (let k = 0; k < 3; k++) around[corners[3 * t + k]].push(t);
  }
  const normals = new Float32Array(9 * triangles);
  for (let t = 0; t < triangles; t++) {
    for (let k = 0; k < 3; k++) {
      const sum = [0, 0, 0];
      for (const other of around[corners[3 * t + k]]) {
        let dot = 0;
        for (let i = 0; i < 3; i++) dot += faceNormals[3 * t + i] * faceNormals[3 * other + i];
        if (dot > 0.866) for (let i = 0; i < 3; i++) sum[i] += areas[other] * faceNormals[3 * other + i];
      }
      const length = Math.hypot(...sum) || 1;
      for (let i = 0; i < 3; i++) normals[9 * t + 3 * k + i] = sum[i] / length;
    }
  }
  return { points: Float64Array.from(points), normals, faceNormals, indices: Uint32Array.from(corners) };
}

/**
 * Draws a posed mesh. The camera looks along -z; `project` gives [x px, y px, distance] of a point.
 * @returns depth f32 (Infinity in the background) and normals f32[3 × pixels].
 */
export function rasterise({ points, normals, indices }, width, height, project) {
  const depth = new Float32Array(width * height).fill(Infinity);
  const seen = new Float32Array(3 * width * height);
  const placed = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 3) placed.set(project(points[i], points[i + 1], points[i + 2]), i);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const [ax, ay, bx, by, cx, cy] = [placed[a], placed[a + 1], placed[b], placed[b + 1], placed[c], placed[c + 1]];
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (Math.abs(area) < 1e-9) continue;
    for (
      let y = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
      y < Math.min(height, Math.max(ay, by, cy) + 0.5);
      y++
    ) {
      for (
        let x = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
        x < Math.min(width, Math.max(ax, bx, cx) + 0.5);
        x++
      ) {
        const px = x + 0.5,
          py = y + 0.5;
        const wb = ((px - ax) * (cy - ay) - (py - ay) * (cx - ax)) / area;
        const wc = ((bx - ax) * (py - ay) - (by - ay) * (px - ax)) / area;
        const wa = 1 - wb - wc;
        if (wa < -1e-6 || wb < -1e-6 || wc < -1e-6) continue;
        const distance = wa * placed[a + 2] + wb * placed[b + 2] + wc * placed[c + 2];
        const at = y * width + x;
        if (distance >= depth[at]) continue;
        depth[at] = distance;
        for (let i = 0; i < 3; i++)
          seen[3 * at + i] = wa * normals[3 * t + i] + wb * normals[3 * t + 3 + i] + wc * normals[3 * t + 6 + i];
      }
    }
  }
  return { depth, normals: seen };
}

/** Box blur applied three times, which approximates a Gaussian of this standard deviation. */
export function blur(values, width, height, sigma) {
  const radius = Math.max(0, Math.round(Math.sqrt(sigma * sigma + 0.25) - 0.5));
  if (radius === 0) return values;
  const pass = (from, length, step, lines, across) => {
    const to = new Float32Array(from.length);
    for (let line = 0; line < lines; line++) {
      const at = (i) => from[line * across + Math.min(length - 1, Math.max(0, i)) * step];
      let sum = 0;
      for (let i = -radius; i <= radius; i++) sum += at(i);
      for (let i = 0; i < length; i++) {
        to[line * across + i * step] = sum / (2 * radius + 1);
        sum += at(i + radius + 1) - at(i - radius);
      }
    }
    return to;
  };
  let blurred = values;
  for (let i = 0; i < 3; i++) blurred = pass(pass(blurred, width, 1, height, width), height, width, width, 1);
  return blurred;
}
