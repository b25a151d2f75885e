import { orientedBox } from '../core/box.js';
import type { Core } from '../core/core.js';
import type { Vector3 } from '../core/mass.js';
import type { TriangleMesh } from '../core/mesh.js';
import { cameraFrame, type View } from '../core/render.js';
import { fullestSide } from '../core/shaded.js';
import { EngineError } from '../errors.js';

/** Camera: to the right of the part's front and above it. */
const AZIMUTH_RAD = (32 * Math.PI) / 180;
const ELEVATION_RAD = (33 * Math.PI) / 180;

/** Angle between the normals of two triangles from which their common edge is drawn. */
export const CREASE_RAD = (28 * Math.PI) / 180;

/**
 * Eight cameras, one before each corner of the part's box, with the longest axis to the right and the shortest
 * upwards. The first four are half turns of one another; a thumbnail is drawn from one of them.
 */
export function cornersOf(core: Core, mesh: TriangleMesh): View['camera'][] {
  const [longest, middle, shortest] = orientedBox(core, mesh).axes;
  const forward = Math.sin(AZIMUTH_RAD) * Math.cos(ELEVATION_RAD);
  const sideways = -Math.cos(AZIMUTH_RAD) * Math.cos(ELEVATION_RAD);
  // Half turns about the axes of the box: proper rotations, so a part never looks like its mirror image.
  const turns = [
    [1, 1, 1],
    [-1, -1, 1],
    [1, -1, -1],
    [-1, 1, -1],
  ];
  const between = turns.map(([a, b, c]) => [-a, b, c]);
  return [...turns, ...between].map(([a, b, c]) => {
    const direction = [0, 1, 2].map(
      (i) => forward * a * longest[i] + sideways * b * middle[i] + Math.sin(ELEVATION_RAD) * c * shortest[i],
    ) as unknown as Vector3;
    return cameraFrame('corner', direction, shortest.map((value) => c * value) as unknown as Vector3);
  });
}

/**
 * From where a part is looked at, in the order of {@link attitudeOf}: unit vectors towards the camera, and the axis of
 * the part's box that stands in its picture. None for a mesh without extent.
 */
export function sidesShown(core: Core, mesh: TriangleMesh): { readonly toward: Vector3; readonly up: Vector3 }[] {
  const along = Math.cos(ELEVATION_RAD),
    out = Math.sin(ELEVATION_RAD);
  try {
    return attitudeOf(core, mesh).map(({ toward, up }) => ({
      toward,
      up: toward.map((value, i) => out * value + along * up[i]) as unknown as Vector3,
    }));
  } catch (cause) {
    if (cause instanceof EngineError && cause.code === 'NO_GEOMETRY') return [];
    throw cause;
  }
}

/**
 * The cameras of {@link cornersOf} in the order in which a part is looked at: first the one of its thumbnail, then the
 * others.
 * @throws EngineError `NO_GEOMETRY` for a mesh without extent.
 */
export function attitudeOf(core: Core, mesh: TriangleMesh): View['camera'][] {
  const corners = cornersOf(core, mesh);
  const shown = fullestSide(core, mesh, { cameras: corners.slice(0, 4), creaseRad: CREASE_RAD });
  return [corners[shown], ...corners.filter((_, i) => i !== shown)];
}
