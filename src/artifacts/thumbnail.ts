import sharp from 'sharp';
import { orientedBox } from '../core/box.js';
import type { Core } from '../core/core.js';
import type { Vector3 } from '../core/mass.js';
import type { TriangleMesh } from '../core/mesh.js';
import { cameraFrame, type View } from '../core/render.js';
import { drawShaded } from '../core/shaded.js';
import { checkThumbnailOptions, type ThumbnailOptions } from './thumbnail-options.js';

/** The camera stands to the right of the part's front and above it. */
const AZIMUTH_RAD = (32 * Math.PI) / 180;
const ELEVATION_RAD = (33 * Math.PI) / 180;

/** Angle between the normals of two triangles from which their edge is a line. */
const CREASE_RAD = (28 * Math.PI) / 180;

/**
 * A shaded picture of a part with its feature lines, as PNG. The part lies flat with its longest side to the right, seen from
 * above, turned to the side that shows most. Equal meshes give equal pixels.
 * @throws EngineError `NO_GEOMETRY` or `FILE_MALFORMED` as for {@link renderView}; TypeError or RangeError for wrong options.
 */
export async function thumbnail(core: Core, mesh: TriangleMesh, options?: Partial<Omit<ThumbnailOptions, 'page'>>): Promise<Uint8Array> {
  const { size, background } = checkThumbnailOptions(options);
  const pixels = drawShaded(core, mesh, { cameras: sidesOf(core, mesh), size, creaseRad: CREASE_RAD });
  const png = sharp(pixels, { raw: { width: size, height: size, channels: 4 } });
  return (background === 'white' ? png.flatten({ background: 'white' }) : png).png().toBuffer();
}

/** Four sides, all with the longest axis to the right and the shortest upwards. */
function sidesOf(core: Core, mesh: TriangleMesh): View['camera'][] {
  const [longest, middle, shortest] = orientedBox(core, mesh).axes;
  const forward = Math.sin(AZIMUTH_RAD) * Math.cos(ELEVATION_RAD);
  const sideways = -Math.cos(AZIMUTH_RAD) * Math.cos(ELEVATION_RAD);
  // Turns by half about the axes of the box: proper rotations, so a part never looks like its mirror image.
  return [[1, 1, 1], [-1, -1, 1], [1, -1, -1], [-1, 1, -1]].map(([a, b, c]) => {
    const direction = [0, 1, 2].map((i) => forward * a * longest[i] + sideways * b * middle[i] + Math.sin(ELEVATION_RAD) * c * shortest[i]) as unknown as Vector3;
    return cameraFrame('thumbnail side', direction, shortest.map((value) => c * value) as unknown as Vector3);
  });
}
