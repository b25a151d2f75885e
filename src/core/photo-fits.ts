import { EngineError } from '../errors.js';
import type { Core } from './core.js';
import { loadBytes } from './load-bytes.js';
import { copyMeshIn, type TriangleMesh } from './mesh.js';
import { checkPicture, POSE_LENGTH, type GrayPicture } from './poses.js';

const BYTES = 314_112;
/** Pixels a side of the pictures that the network sees. */
const SIDE = 64;
let loaded: Promise<Uint8Array> | undefined;

/**
 * The weights of the network of {@link photoFits}.
 * @throws EngineError `CORE_FAILED` when the file is not of this version.
 */
export function photoFitsTable(): Promise<Uint8Array> {
  // A file that could not be read is read again by the next search.
  loaded ??= loadTable().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function loadTable(): Promise<Uint8Array> {
  const bytes = await loadBytes(new URL('../tables/photo-fits.bin', import.meta.url));
  if (bytes.length !== BYTES)
    throw new EngineError(
      'CORE_FAILED',
      `photo-fits.bin does not fit this version: ${bytes.length} bytes, ${BYTES} were expected`,
    );
  return bytes;
}

/**
 * How surely an object shows a mesh in each of these poses, the higher the surer, as a learned network tells.
 * @param picture of 64 pixels a side.
 * @param poses f64[count * POSE_LENGTH].
 * @param table from {@link photoFitsTable}.
 * @throws RangeError for a picture of another size; EngineError as `measurePoses`.
 */
export function photoFits(
  core: Core,
  mesh: TriangleMesh,
  picture: GrayPicture,
  poses: Float64Array,
  table: Uint8Array,
): Float32Array {
  const { size, gray } = picture;
  if (size !== SIDE) throw new RangeError(`the picture must have ${SIDE} pixels a side, received ${size}`);
  checkPicture(picture);
  const count = poses.length / POSE_LENGTH;
  return core.call((arena) => {
    const meshAt = copyMeshIn(arena, mesh);
    const grayAt = arena.copyIn(gray),
      posesAt = arena.copyIn(poses),
      tableAt = arena.copyIn(table);
    const out = arena.reserve(4 * count);
    arena.run('photoFits', ...meshAt, grayAt, posesAt, count, tableAt, out);
    return arena.f32(out, count);
  });
}
