import { orientedBox } from '../core/box.js';
import type { Core } from '../core/core.js';
import type { Vector3 } from '../core/mass.js';
import type { TriangleMesh } from '../core/mesh.js';
import { cameraFrame, type View } from '../core/render.js';
import { drawShaded, type ColoredMesh } from '../core/shaded.js';
import { squarePng } from './thumbnail-png.js';
import { checkThumbnailOptions, type ThumbnailOptions } from './thumbnail-options.js';

/** Camera: to the right of the part's front and above it. */
const AZIMUTH_RAD = (32 * Math.PI) / 180;
const ELEVATION_RAD = (33 * Math.PI) / 180;

/** Angle between the normals of two triangles from which their common edge is drawn. */
const CREASE_RAD = (28 * Math.PI) / 180;

/**
 * A shaded picture of a part with its feature lines, as PNG. The part lies flat with its longest side to the right,
 * seen from above, turned to the side that shows most, in its own colors if it has any. Equal meshes give equal pixels.
 * @throws EngineError `NO_GEOMETRY` or `FILE_MALFORMED` as for {@link renderView}; TypeError or RangeError for wrong
 *   options.
 */
export async function thumbnail(
  core: Core,
  mesh: ColoredMesh,
  options?: Partial<Omit<ThumbnailOptions, 'page'>>,
): Promise<Uint8Array> {
  const { size, background } = checkThumbnailOptions(options);
  const pixels = drawShaded(core, mesh, { cameras: sidesOf(core, mesh), size, creaseRad: CREASE_RAD });
  return squarePng(background === 'white' ? onWhite(pixels) : pixels, size);
}

/** u8[size²][3] of u8[size²][4]. */
function onWhite(pixels: Uint8Array): Uint8Array {
  const opaque = new Uint8Array((3 * pixels.length) / 4);
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
    const opacity = pixels[from + 3] / 255;
    for (let channel = 0; channel < 3; channel++)
      opaque[to + channel] = Math.round(opacity * pixels[from + channel] + 255 * (1 - opacity));
  }
  return opaque;
}

/** The four sides with the longest axis to the right and the shortest upwards. */
function sidesOf(core: Core, mesh: TriangleMesh): View['camera'][] {
  const [longest, middle, shortest] = orientedBox(core, mesh).axes;
  const forward = Math.sin(AZIMUTH_RAD) * Math.cos(ELEVATION_RAD);
  const sideways = -Math.cos(AZIMUTH_RAD) * Math.cos(ELEVATION_RAD);
  // Half turns about the axes of the box: proper rotations, so a part never looks like its mirror image.
  return [
    [1, 1, 1],
    [-1, -1, 1],
    [1, -1, -1],
    [-1, 1, -1],
  ].map(([a, b, c]) => {
    const direction = [0, 1, 2].map(
      (i) => forward * a * longest[i] + sideways * b * middle[i] + Math.sin(ELEVATION_RAD) * c * shortest[i],
    ) as unknown as Vector3;
    return cameraFrame('thumbnail side', direction, shortest.map((value) => c * value) as unknown as Vector3);
  });
}
