import type { Arena, Core } from './core.js';

/** Pixels of a shapelet's picture. */
const PIXELS = 64 * 64;

/** A row begins with the bits of the silhouette at 32 × 32 pixels, then the lines by 8 × 8 cells and 8 directions. */
export const SILHOUETTE_BYTES = 128;
export const LINE_BYTES = 512;
/** Offset of the flags in a row, u8: {@link CAMERA_FLAG}, {@link FREE_FLAG} and others that are not used here. */
export const FLAGS_AT = 648;
export const CAMERA_FLAG = 1;
export const FREE_FLAG = 4;
/** Offset of the logarithm of width / height in a row, f32. */
export const ASPECT_AT = 652;
/** Smallest stride of rows, bytes; strides are multiples of 16. */
export const LEAST_STRIDE = 656;

/** Number of quarter turns in which a view is compared. */
export const TURNS = 4;

/** Mask and lines of one view, u8[64²] each. */
export interface ViewPictures {
  readonly mask: Uint8Array;
  readonly lines: Uint8Array;
  /** Whether the picture is first turned so that the longest axis of the shape is horizontal. */
  readonly isFree: boolean;
}

/** Silhouette and lines of each view: u8[count][640]. See `assembly/describe/view.ts`. */
export function describePictures(core: Core, pictures: readonly ViewPictures[]): Uint8Array {
  return core.call((arena) => {
    const joined = new Uint8Array(pictures.length * 2 * PIXELS);
    for (const [i, { mask, lines }] of pictures.entries()) {
      joined.set(mask, 2 * i * PIXELS);
      joined.set(lines, (2 * i + 1) * PIXELS);
    }
    const picturesAt = arena.copyIn(joined);
    const freeAt = arena.copyIn(Uint8Array.from(pictures, ({ isFree }) => (isFree ? 1 : 0)));
    const byteLength = pictures.length * (SILHOUETTE_BYTES + LINE_BYTES);
    const out = arena.reserve(byteLength);
    arena.run('describeViews', picturesAt, freeAt, pictures.length, out);
    return arena.u8(out, byteLength);
  });
}

/** The best match of each query view in each file, at index view * files + file. */
export interface ViewPairs {
  /** f32: 1 for equal views, lower for others; −1 for a file without views. */
  readonly likeness: Float32Array;
  /** u32: number of the view within its file. */
  readonly rows: Uint32Array;
  /** u8: clockwise quarter turns of the query's view. */
  readonly turns: Uint8Array;
}

/**
 * Compares every query view, in four quarter turns, with every view of every file. Queries and files are rows of
 * `stride` bytes (a multiple of 16) that begin with the 640 bytes of {@link describePictures} and hold the logarithm of
 * width / height at {@link ASPECT_AT}.
 */
export function compareViews(core: Core, queries: Uint8Array, files: readonly Uint8Array[], stride: number): ViewPairs {
  return core.call((arena) => comparedIn(arena, turnedIn(arena, queries, stride), queries.length, files, stride));
}

/** The same with rows from {@link turnedViews}, for queries that are compared several times. */
export function compareTurned(core: Core, turned: Uint8Array, files: readonly Uint8Array[], stride: number): ViewPairs {
  return core.call((arena) => comparedIn(arena, arena.copyIn(turned), turned.length / TURNS, files, stride));
}

/** queriesAt: rows in their four turns. queryBytes: of the unturned ones. */
function comparedIn(
  arena: Arena,
  queriesAt: number,
  queryBytes: number,
  files: readonly Uint8Array[],
  stride: number,
): ViewPairs {
  const viewCount = queryBytes / stride,
    { length } = files;
  const starts = new Uint32Array(length + 1);
  for (const [i, views] of files.entries()) starts[i + 1] = starts[i] + views.length / stride;
  const rowsAt = arena.copyInAll(files),
    startsAt = arena.copyIn(starts);
  const pairs = viewCount * length;
  const likeness = arena.reserve(4 * pairs),
    best = arena.reserve(4 * pairs),
    turns = arena.reserve(pairs);
  arena.run('compareViews', queriesAt, viewCount, TURNS, rowsAt, stride, startsAt, length, likeness, best, turns);
  return { likeness: arena.f32(likeness, pairs), rows: arena.u32(best, pairs), turns: arena.u8(turns, pairs) };
}

/**
 * Each row in four versions: unturned, and turned clockwise by one, two and three quarters. After their first 640
 * bytes, turned rows hold only flags and proportions.
 */
export function turnedViews(core: Core, views: Uint8Array, stride: number): Uint8Array {
  return core.call((arena) => arena.u8(turnedIn(arena, views, stride), TURNS * views.length));
}

/** Address of the rows of {@link turnedViews}. */
export function turnedIn(arena: Arena, views: Uint8Array, stride: number): number {
  const from = arena.copyIn(views),
    out = arena.reserve(TURNS * views.length);
  arena.kernels.turnViews(from, stride, views.length / stride, out);
  return out;
}
