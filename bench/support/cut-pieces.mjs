/** Pieces cut from parts by planes, for the bench of finding shapes inside others. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import loadOpenCascade from 'replicad-opencascadejs';
import * as replicad from 'replicad';
import { seeded } from '../features/random.mjs';

/** Shares of a part's volume that its piece may have, and bisections of the plane's place. */
const LEAST = 0.4;
const MOST = 0.7;
const ROUNDS = 12;
/** Faces of a part that is cut: fewer say too little, more take the modeller too long. */
const FEWEST_FACES = 5;
const MOST_FACES = 400;

/**
 * A piece of each of `count` parts, in turn: behind a plane in a random direction, 40 to 70 % of the part's volume; as
 * STEP and as STL tessellated more finely than the engine does. Parts that the modeller cannot read or cut are left
 * out.
 */
export async function cutPieces(files, { count, seed }) {
  await modeller();
  const random = seeded(seed);
  const pieces = [];
  for (const { path, file } of files) {
    if (pieces.length === count) break;
    try {
      const piece = await cut(await readFile(file), random);
      if (piece !== undefined) pieces.push({ path, ...piece });
    } catch (error) {
      console.error(`${path} is not cut: ${String(error?.message ?? error).slice(0, 80)}`);
    }
  }
  return pieces;
}

/**
 * Share of a piece's volume that lies outside of a part on which a transform lays it (f64[16], column-major, mm);
 * undefined where the modeller fails.
 */
export async function shareOutside(piece, part, transform) {
  await modeller();
  try {
    const shape = placed(await replicad.importSTEP(new Blob([piece])), transform);
    const volume = replicad.measureVolume(shape);
    const rest = shape.cut(await replicad.importSTEP(new Blob([part])));
    return volume > 0 ? Math.max(0, replicad.measureVolume(rest)) / volume : undefined;
  } catch {
    return undefined;
  }
}

let loading;

/** Loads the solid modeller once. */
function modeller() {
  loading ??= (async () => {
    const wasmBinary = await readFile(createRequire(import.meta.url).resolve('replicad-opencascadejs/wasm'));
    replicad.setOC(await loadOpenCascade({ wasmBinary, print: () => undefined, printErr: () => undefined }));
  })();
  return loading;
}

/**
 * A shape moved by a rigid motion, as a turn about an axis and a shift: the modeller's own matrices are not in its
 * build.
 */
function placed(shape, m) {
  const cosine = Math.min(1, Math.max(-1, (m[0] + m[5] + m[10] - 1) / 2));
  const angle = Math.acos(cosine);
  let axis = [m[6] - m[9], m[8] - m[2], m[1] - m[4]];
  if (Math.PI - angle < 1e-4) {
    // Half a turn: R + 1 is twice the product of the axis with itself; its longest column is the axis.
    const columns = [0, 4, 8].map((at, k) => [0, 1, 2].map((row) => m[at + row] + (row === k ? 1 : 0)));
    [axis] = columns.sort((a, b) => Math.hypot(...b) - Math.hypot(...a));
  }
  const turned = angle < 1e-9 ? shape : shape.rotate((angle * 180) / Math.PI, [0, 0, 0], axis);
  return turned.translate(m[12], m[13], m[14]);
}

async function cut(bytes, random) {
  const shape = await replicad.importSTEP(new Blob([bytes]));
  const faces = shape.faces.length;
  if (faces < FEWEST_FACES || faces > MOST_FACES) return undefined;
  const whole = replicad.measureVolume(shape);
  if (!(whole > 0)) return undefined;
  const [low, high] = shape.boundingBox.bounds;
  const centre = low.map((value, i) => (value + high[i]) / 2);
  const reach = Math.hypot(...low.map((value, i) => high[i] - value));
  const turn = [360 * random(), 360 * random()];
  const wanted = LEAST + (MOST - LEAST) * random();
  // A cube behind the plane z = offset, turned about the middle of the part.
  const half = (offset) =>
    replicad
      .makeBaseBox(4 * reach, 4 * reach, 4 * reach)
      .translate(0, 0, offset - 4 * reach)
      .rotate(turn[0], [0, 0, 0], [0, 1, 0])
      .rotate(turn[1], [0, 0, 0], [0, 0, 1])
      .translate(...centre);
  let below = -reach / 2,
    above = reach / 2;
  for (let round = 0; round < ROUNDS; round++) {
    const offset = (below + above) / 2;
    const piece = shape.clone().intersect(half(offset));
    const share = replicad.measureVolume(piece) / whole;
    if (share >= LEAST && share <= MOST && Math.abs(share - wanted) < 0.1) {
      return {
        step: new Uint8Array(await piece.blobSTEP().arrayBuffer()),
        stl: new Uint8Array(
          await piece.blobSTL({ tolerance: reach / 4000, angularTolerance: 0.13, binary: true }).arrayBuffer(),
        ),
      };
    }
    if (share < wanted) below = offset;
    else above = offset;
  }
  return undefined;
}
