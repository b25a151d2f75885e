/** What a drawing shows of a part from one side: its lines, a section with its hatch, or a shaded picture. */
import { strokesByVisibility } from '../../support/sketch-strokes.mjs';
import { poseMesh, rasterise } from '../../support/software-camera.mjs';

/** The cameras of a drawing: rows are the axes of the part to the right, upwards and towards the viewer. */
const R2 = Math.SQRT1_2,
  R6 = Math.sqrt(1 / 6),
  R3 = Math.sqrt(1 / 3);
const CAMERAS = Object.freeze({
  front: [1, 0, 0, 0, 0, 1, 0, -1, 0],
  top: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  right: [0, 1, 0, 0, 0, 1, 1, 0, 0],
  left: [0, -1, 0, 0, 0, 1, -1, 0, 0],
  isometric: [R2, R2, 0, -R6, R6, 2 * R6, R3, -R3, R3],
});
/** Pixels on the longer side of a shaded picture. */
const SHADED_SIDE = 420;
/** Factor from the radius of a mesh to the half side of its pictures. */
const ROOM = 1.02;

/** The mesh with its axes changed, so that another side of the part is its front. */
export function laidAnew({ positions, indices }, way) {
  const order = [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
  ][way % 3];
  return { positions: Float32Array.from(positions, (_, i) => positions[i - (i % 3) + order[i % 3]]), indices };
}

/** Half the diagonal of a mesh's box, which is 1 in the paths of {@link viewLines}. */
export function radiusOf({ positions }) {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return Math.hypot(...high.map((value, axis) => (value - low[axis]) / 2)) || 1;
}

/**
 * A view of a mesh in units of its radius, y downwards: { seen, hidden } paths, or for a section also `hatch`: pairs of
 * points.
 */
export function viewLines(mesh, side, { isSection = false, hatchGap = 0.05 } = {}) {
  const lines = strokesByVisibility(mesh, CAMERAS[side]);
  if (!isSection) return lines;
  const cut = sectionOf(mesh, CAMERAS[side]);
  return { seen: [...cut, ...outlineOnly(lines.seen)], hidden: [], hatch: hatchOf(cut, hatchGap) };
}

/** A shaded picture of a mesh: { widthPx, heightPx, gray, box } with its box in units of the radius. */
export function shadedView(mesh, side, sidePx = SHADED_SIDE) {
  const posed = poseMesh(mesh, CAMERAS[side]);
  const scale = sidePx / 2 / ROOM;
  const { depth, normals } = rasterise(posed, sidePx, sidePx, (x, y, z) => [
    sidePx / 2 + scale * x,
    sidePx / 2 - scale * y,
    -z,
  ]);
  const gray = new Uint8Array(sidePx ** 2).fill(255);
  for (let i = 0; i < gray.length; i++) {
    if (depth[i] === Infinity) continue;
    const [x, y, z] = normals.subarray(3 * i, 3 * i + 3);
    gray[i] = 70 + 150 * Math.max(0, 0.35 * x + 0.5 * y + 0.79 * Math.abs(z));
    // An edge where the depth jumps or the face turns.
    for (const next of [i + 1, i + sidePx]) {
      if (next >= gray.length) continue;
      const turn = x * normals[3 * next] + y * normals[3 * next + 1] + z * normals[3 * next + 2];
      if (Math.abs(depth[i] - depth[next]) > 0.05 || turn < 0.8) gray[i] = 20;
    }
  }
  return closelyCut(gray, sidePx);
}

/** A square shaded picture without the paper around the part, which would cover what stands beside it. */
function closelyCut(gray, sidePx) {
  const low = [sidePx, sidePx],
    high = [-1, -1];
  for (let i = 0; i < gray.length; i++) {
    if (gray[i] === 255) continue;
    const at = [i % sidePx, Math.floor(i / sidePx)];
    for (const axis of [0, 1]) {
      low[axis] = Math.min(low[axis], at[axis]);
      high[axis] = Math.max(high[axis], at[axis]);
    }
  }
  const [widthPx, heightPx] = high.map((end, axis) => Math.max(1, end + 1 - low[axis]));
  const cut = Uint8Array.from(
    { length: widthPx * heightPx },
    (_, i) => gray[(low[1] + Math.floor(i / widthPx)) * sidePx + low[0] + (i % widthPx)],
  );
  const pixel = (2 * ROOM) / sidePx;
  const box = [low[0] * pixel - ROOM, low[1] * pixel - ROOM, widthPx * pixel, heightPx * pixel];
  return { widthPx, heightPx, gray: cut, box };
}

/** Where the plane through the middle of a part cuts it: segments. */
function sectionOf(mesh, camera) {
  const { points, indices } = poseMesh(mesh, camera);
  const level = 1e-4;
  const found = [];
  for (let t = 0; t < indices.length; t += 3) {
    const ends = [];
    for (let k = 0; k < 3; k++) {
      const a = 3 * indices[t + k],
        b = 3 * indices[t + ((k + 1) % 3)];
      const [za, zb] = [points[a + 2] - level, points[b + 2] - level];
      if (za < 0 === zb < 0) continue;
      const share = za / (za - zb);
      ends.push([
        points[a] + share * (points[b] - points[a]),
        -(points[a + 1] + share * (points[b + 1] - points[a + 1])),
      ]);
    }
    if (ends.length === 2) found.push(ends);
  }
  return found;
}

/** Lines at 45° inside closed segments, by the even-odd rule. */
function hatchOf(segments, gap) {
  const turned = segments.map((ends) => ends.map(([x, y]) => [R2 * (x - y), R2 * (x + y)]));
  const lines = [];
  for (let level = -1.5; level < 1.5; level += gap) {
    const crossings = turned
      .filter(([[, a], [, b]]) => a < level !== b < level)
      .map(([[x, a], [u, b]]) => x + ((level - a) / (b - a)) * (u - x))
      .sort((a, b) => a - b);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      if (crossings[i + 1] - crossings[i] < 0.2 * gap) continue;
      lines.push([crossings[i], crossings[i + 1]].map((x) => [R2 * (x + level), R2 * (level - x)]));
    }
  }
  return lines;
}

/** The paths that reach the box of all of them: behind a section, the outline of the rest of the part. */
function outlineOnly(paths) {
  const all = paths.flat();
  const [left, right] = [Math.min(...all.map(([x]) => x)), Math.max(...all.map(([x]) => x))];
  const [top, low] = [Math.min(...all.map(([, y]) => y)), Math.max(...all.map(([, y]) => y))];
  const near = 1e-3;
  return paths.filter((path) =>
    path.some(([x, y]) => Math.min(x - left, right - x) < near || Math.min(y - top, low - y) < near),
  );
}
