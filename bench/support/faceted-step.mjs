/** A second reader of faceted STEP, for benches: the kernel takes minutes for many faces. */

const POINT = /#(\d+)\s*=\s*CARTESIAN_POINT\s*\([^(]*\(([^)]*)\)/g;
const LOOP = /=\s*POLY_LOOP\s*\([^(]*\(([^)]*)\)/g;

/**
 * The triangles of the POLY_LOOPs of a STEP file, which must be in mm, contain one product and no placements. The rest
 * of the file is ignored; the loops of a FACETED_BREP run counter-clockwise seen from outside.
 * @throws Error if a loop does not have three points, or its points are missing.
 */
export function facetedMeshOf(bytes) {
  const text = new TextDecoder('latin1').decode(bytes);
  const places = [];
  const indexOf = new Map();
  for (const [, id, numbers] of text.matchAll(POINT)) {
    indexOf.set(id, places.length / 3);
    places.push(...numbers.split(',').map(Number));
  }
  const indices = [];
  for (const [, references] of text.matchAll(LOOP)) {
    const corners = references.split(',').map((reference) => indexOf.get(reference.trim().slice(1)));
    if (corners.length !== 3 || corners.includes(undefined))
      throw new Error(`a loop of three points is expected, found ${references}`);
    indices.push(...corners);
  }
  // The axis system of the file has a point of its own, which must not count in the box.
  const placed = new Float64Array(3 * indices.length).map((_, i) => places[3 * indices[Math.floor(i / 3)] + (i % 3)]);
  // Relative to the centre of its box, as the engine places meshes: the volume of an open mesh depends on it.
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  placed.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3], value);
    high[i % 3] = Math.max(high[i % 3], value);
  });
  const origin = low.map((value, axis) => (value + high[axis]) / 2);
  return {
    positions: placed.map((value, i) => value - origin[i % 3]),
    indices: Uint32Array.from(indices, (_, i) => i),
    origin,
  };
}
