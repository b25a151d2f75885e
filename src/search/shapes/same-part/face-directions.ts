/** Normals within this cosine (5°) count as one direction. */
const SAME_DIRECTION = 0.996;
/** Most distinct directions: enough for parts with meaningful face directions, few enough to be fast. */
const MAX_CLUSTERS = 48;

/** A direction shared by faces of a part, of either sign. */
export interface FaceDirection {
  readonly normal: readonly [number, number, number];
  readonly areaMm2: number;
}

/** The directions of faces, by falling area. */
export function faceDirectionsOf(normals: Float64Array, areas: Float64Array): FaceDirection[] {
  const order = Array.from(areas.keys()).sort((s, t) => areas[t] - areas[s] || s - t);
  const found: { sum: [number, number, number]; unit: [number, number, number]; areaMm2: number }[] = [];
  for (const t of order) {
    const x = normals[3 * t],
      y = normals[3 * t + 1],
      z = normals[3 * t + 2];
    if (x === 0 && y === 0 && z === 0) continue;
    const same = found.find(({ unit }) => Math.abs(unit[0] * x + unit[1] * y + unit[2] * z) > SAME_DIRECTION);
    if (same === undefined) {
      if (found.length < MAX_CLUSTERS)
        found.push({ sum: [x * areas[t], y * areas[t], z * areas[t]], unit: [x, y, z], areaMm2: areas[t] });
      continue;
    }
    const sign = same.unit[0] * x + same.unit[1] * y + same.unit[2] * z < 0 ? -areas[t] : areas[t];
    same.sum[0] += sign * x;
    same.sum[1] += sign * y;
    same.sum[2] += sign * z;
    same.areaMm2 += areas[t];
  }
  return found
    .sort((a, b) => b.areaMm2 - a.areaMm2)
    .map(({ sum: [x, y, z], areaMm2 }) => {
      const length = Math.sqrt(x * x + y * y + z * z);
      return { normal: [x / length, y / length, z / length], areaMm2 };
    });
}
