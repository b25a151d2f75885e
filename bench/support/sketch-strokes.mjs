/** Lines that a person would draw of a mesh from one direction: outline and visible strong edges, as paths. */
import { poseMesh, rasterise } from './software-camera.mjs';

/** Side of the depth picture that decides visibility, pixels. */
const SIZE = 512;
/** Faces that meet at a larger angle make a strong edge, cosine. */
const STRONG = Math.cos((32 * Math.PI) / 180);
/** A path continues at a vertex unless it turns by more than this angle, cosine. */
const ONWARD = Math.cos((50 * Math.PI) / 180);

/**
 * Paths [[x, y], …] in units of the mesh's radius, y downwards.
 * @param turn rotation that turns the viewing direction to the camera, row-major 3 × 3.
 */
export function strokesOf(mesh, turn) {
  return strokesByVisibility(mesh, turn).seen;
}

/** The paths of {@link strokesOf}, and those of the edges that the part hides. */
export function strokesByVisibility(mesh, turn) {
  const posed = poseMesh(mesh, turn);
  const scale = SIZE / 2.04;
  const project = (x, y, z) => [SIZE / 2 + scale * x, SIZE / 2 - scale * y, -z];
  const { depth } = rasterise(posed, SIZE, SIZE, project);
  const edges = strongEdges(posed);
  const isVisible = edges.map(([a, b]) => isSeen(posed.points, a, b, depth, project));
  return {
    seen: paths(
      edges.filter((_, i) => isVisible[i]),
      posed.points,
    ),
    hidden: paths(
      edges.filter((_, i) => !isVisible[i]),
      posed.points,
    ),
  };
}

/** Edges between faces at a strong angle, edges of only one face, and edges between a front face and a back face. */
function strongEdges({ indices, faceNormals }) {
  const faces = new Map();
  for (let t = 0; t < indices.length / 3; t++) {
    for (let k = 0; k < 3; k++) {
      const a = indices[3 * t + k],
        b = indices[3 * t + ((k + 1) % 3)];
      const key = a < b ? `${a},${b}` : `${b},${a}`;
      if (!faces.has(key)) faces.set(key, []);
      faces.get(key).push(t);
    }
  }
  const strong = [];
  for (const [key, [first, second, ...more]] of faces) {
    let isStrong = second === undefined || more.length > 0;
    if (!isStrong) {
      let dot = 0;
      for (let i = 0; i < 3; i++) dot += faceNormals[3 * first + i] * faceNormals[3 * second + i];
      const [z, w] = [faceNormals[3 * first + 2], faceNormals[3 * second + 2]];
      isStrong = dot < STRONG || z > 1e-4 !== w > 1e-4;
    }
    if (isStrong) strong.push(key.split(',').map(Number));
  }
  return strong;
}

/** Whether most of an edge is in front of or on the visible surface around it. */
function isSeen(points, a, b, depth, project) {
  let seen = 0;
  const samples = 5;
  for (let i = 0; i < samples; i++) {
    const share = (i + 0.5) / samples;
    const [x, y, away] = project(
      ...[0, 1, 2].map((axis) => points[3 * a + axis] * (1 - share) + points[3 * b + axis] * share),
    );
    let farthest = -Infinity;
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const u = Math.floor(x) + dx,
          v = Math.floor(y) + dy;
        farthest = Math.max(farthest, u < 0 || v < 0 || u >= SIZE || v >= SIZE ? Infinity : depth[v * SIZE + u]);
      }
    }
    if (away <= farthest + 0.012) seen++;
  }
  return seen >= 3;
}

/** Joins edges into paths, straightest continuation first; edges seen end-on are left out. */
function paths(edges, points) {
  const flat = edges.filter(
    ([a, b]) => Math.hypot(points[3 * a] - points[3 * b], points[3 * a + 1] - points[3 * b + 1]) > 1e-4,
  );
  const around = new Map();
  flat.forEach((edge, i) => edge.forEach((vertex) => around.set(vertex, [...(around.get(vertex) ?? []), i])));
  const isUsed = new Uint8Array(flat.length);
  const direction = (from, to) => {
    const dx = points[3 * to] - points[3 * from],
      dy = points[3 * to + 1] - points[3 * from + 1],
      length = Math.hypot(dx, dy);
    return [dx / length, dy / length];
  };
  const walk = (path) => {
    for (;;) {
      const last = path.at(-1),
        [dx, dy] = direction(path.at(-2), last);
      let best = ONWARD,
        next = -1;
      for (const i of around.get(last)) {
        if (isUsed[i] === 1) continue;
        const [ex, ey] = direction(last, flat[i][0] === last ? flat[i][1] : flat[i][0]);
        if (dx * ex + dy * ey > best) [best, next] = [dx * ex + dy * ey, i];
      }
      if (next < 0) return path;
      isUsed[next] = 1;
      path.push(flat[next][0] === last ? flat[next][1] : flat[next][0]);
    }
  };
  const found = [];
  flat.forEach(([a, b], i) => {
    if (isUsed[i] === 1) return;
    isUsed[i] = 1;
    found.push(walk(walk([a, b]).reverse()).map((vertex) => [points[3 * vertex], -points[3 * vertex + 1]]));
  });
  return found;
}
