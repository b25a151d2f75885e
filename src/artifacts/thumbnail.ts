import sharp from 'sharp';
import { orientedBox } from '../core/box.js';
import type { Core } from '../core/core.js';
import type { Vector3 } from '../core/mass.js';
import type { TriangleMesh } from '../core/mesh.js';
import { LINE, renderView, type View } from '../core/render.js';
import { checkThumbnailOptions, type ThumbnailOptions } from './thumbnail-options.js';

/** Drawn so many times larger and averaged, against stairs. */
const OVERSAMPLING = 2;

/** The camera stands to the right of the part's front and above it. */
const AZIMUTH_RAD = (32 * Math.PI) / 180;
const ELEVATION_RAD = (33 * Math.PI) / 180;

/** Pixels a side at which sides are compared, and how much more must be seen from another side than the first to turn the part. */
const PROBE_SIZE = 96;
const WORTH_TURNING = 1.03;

/** Colour of the part in full light and of its lines, sRGB. */
const SURFACE = [196, 208, 222] as const;
const INK = [38, 44, 54] as const;

/** A lamp at the camera and a softer one from above left, in the camera's frame, over what comes from everywhere. */
const AMBIENT = 0.36;
const HEADLIGHT = 0.34;
const KEY_LIGHT = 0.36;
const KEY_DIRECTION = normalized([-0.45, 0.75, 0.48]);

/**
 * A shaded picture of a part with its feature lines, as PNG. The part lies flat with its longest side to the right, seen from
 * above, turned to the side that shows most. Equal meshes give equal pixels.
 * @throws EngineError `NO_GEOMETRY` or `FILE_MALFORMED` as for {@link renderView}; TypeError or RangeError for wrong options.
 */
export async function thumbnail(core: Core, mesh: TriangleMesh, options?: Partial<Omit<ThumbnailOptions, 'page'>>): Promise<Uint8Array> {
  const { size, background } = checkThumbnailOptions(options);
  const { direction, up } = bestSide(core, mesh);
  const view = renderView(core, mesh, { direction, up, size: OVERSAMPLING * size });
  const png = sharp(shade(view), { raw: { width: size, height: size, channels: 4 } });
  return (background === 'white' ? png.flatten({ background: 'white' }) : png).png().toBuffer();
}

/** The one of four sides, all with the longest axis to the right and the shortest upwards, that shows most lines. */
function bestSide(core: Core, mesh: TriangleMesh): { direction: Vector3; up: Vector3 } {
  const [longest, middle, shortest] = orientedBox(core, mesh).axes;
  const forward = Math.sin(AZIMUTH_RAD) * Math.cos(ELEVATION_RAD);
  const sideways = -Math.cos(AZIMUTH_RAD) * Math.cos(ELEVATION_RAD);
  let best: { direction: Vector3; up: Vector3; seen: number } | undefined;
  // Turns by half about the axes of the box: proper rotations, so a part never looks like its mirror image.
  for (const [a, b, c] of [[1, 1, 1], [-1, -1, 1], [1, -1, -1], [-1, 1, -1]]) {
    const direction = [0, 1, 2].map((i) => forward * a * longest[i] + sideways * b * middle[i] + Math.sin(ELEVATION_RAD) * c * shortest[i]) as unknown as Vector3;
    const up = shortest.map((value) => c * value) as unknown as Vector3;
    const { lines } = renderView(core, mesh, { direction, up, size: PROBE_SIZE });
    const seen = lines.reduce((sum, kind) => sum + (kind === LINE.VISIBLE ? 1 : 0), 0);
    if (best === undefined || seen > WORTH_TURNING * best.seen) best = { direction, up, seen };
  }
  return best!;
}

/** Shades the pixels of the view and takes the means of OVERSAMPLING² of them, colours weighed by their opacity: u8[small²][4]. */
function shade({ size, normals, mask, lines }: View): Uint8Array {
  const isInk = thicker(lines, size);
  const small = size / OVERSAMPLING;
  const out = new Uint8Array(4 * small * small);
  for (let row = 0; row < small; row++) {
    for (let column = 0; column < small; column++) {
      let red = 0, green = 0, blue = 0, covered = 0;
      for (let k = 0; k < OVERSAMPLING ** 2; k++) {
        const i = (OVERSAMPLING * row + Math.floor(k / OVERSAMPLING)) * size + OVERSAMPLING * column + (k % OVERSAMPLING);
        if (isInk[i] === 1) {
          red += INK[0];
          green += INK[1];
          blue += INK[2];
        } else if (mask[i] !== 0) {
          const light = lightOn(normals[3 * i] / 127, normals[3 * i + 1] / 127, normals[3 * i + 2] / 127);
          red += Math.floor(light * SURFACE[0]);
          green += Math.floor(light * SURFACE[1]);
          blue += Math.floor(light * SURFACE[2]);
        } else continue;
        covered++;
      }
      if (covered === 0) continue;
      const to = 4 * (row * small + column);
      out[to] = Math.round(red / covered);
      out[to + 1] = Math.round(green / covered);
      out[to + 2] = Math.round(blue / covered);
      out[to + 3] = Math.round((255 * covered) / OVERSAMPLING ** 2);
    }
  }
  return out;
}

function lightOn(x: number, y: number, z: number): number {
  const key = Math.max(0, x * KEY_DIRECTION[0] + y * KEY_DIRECTION[1] + z * KEY_DIRECTION[2]);
  return Math.min(1, AMBIENT + HEADLIGHT * z + KEY_LIGHT * key);
}

/** u8[size²]: the lines that are seen, as many pixels wide as are averaged. */
function thicker(lines: Uint8Array, size: number): Uint8Array {
  const isInk = new Uint8Array(size * size);
  for (let i = 0; i < lines.length; i++) {
    if (lines[i] !== LINE.VISIBLE) continue;
    for (let dy = 0; dy < OVERSAMPLING; dy++) {
      for (let dx = 0; dx < OVERSAMPLING; dx++) {
        const at = i + dy * size + dx;
        if (at < isInk.length) isInk[at] = 1;
      }
    }
  }
  return isInk;
}

function normalized([x, y, z]: Vector3): Vector3 {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}
