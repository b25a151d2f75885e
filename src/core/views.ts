import type { Core } from './core.js';

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
  return compareTurned(core, turnedViews(queries, stride), files, stride);
}

/** The same with rows from {@link turnedViews}, for queries that are compared several times. */
export function compareTurned(core: Core, turned: Uint8Array, files: readonly Uint8Array[], stride: number): ViewPairs {
  const viewCount = turned.length / (TURNS * stride);
  const starts = new Uint32Array(files.length + 1);
  for (const [i, views] of files.entries()) starts[i + 1] = starts[i] + views.length / stride;
  const rows = new Uint8Array(starts[files.length] * stride);
  for (const [i, views] of files.entries()) rows.set(views, starts[i] * stride);
  return core.call((arena) => {
    const queriesAt = arena.copyIn(turned);
    const rowsAt = arena.copyIn(rows),
      startsAt = arena.copyIn(starts);
    const pairs = viewCount * files.length;
    const likeness = arena.reserve(4 * pairs),
      best = arena.reserve(4 * pairs),
      turns = arena.reserve(pairs);
    const { length } = files;
    arena.run('compareViews', queriesAt, viewCount, TURNS, rowsAt, stride, startsAt, length, likeness, best, turns);
    return { likeness: arena.f32(likeness, pairs), rows: arena.u32(best, pairs), turns: arena.u8(turns, pairs) };
  });
}

/**
 * Each row in four versions: unturned, and turned clockwise by one, two and three quarters. After their first 640
 * bytes, turned rows hold only flags and proportions.
 */
export function turnedViews(views: Uint8Array, stride: number): Uint8Array {
  const count = views.length / stride;
  const out = new Uint8Array(TURNS * views.length);
  for (let i = 0; i < count; i++) {
    out.set(views.subarray(i * stride, (i + 1) * stride), TURNS * i * stride);
    for (let turn = 1; turn < TURNS; turn++) {
      const from = (TURNS * i + turn - 1) * stride;
      turnRow(out.subarray(from, from + stride), out.subarray(from + stride, from + 2 * stride));
    }
  }
  return out;
}

/**
 * A quarter turn clockwise: row r, column c goes to row c, column n − 1 − r; a gradient's direction increases by 90°,
 * which is four of its eight steps.
 */
function turnRow(row: Uint8Array, out: Uint8Array): void {
  for (let r = 0; r < 32; r++) {
    for (let c = 0; c < 32; c++) {
      const from = 32 * r + c,
        to = 32 * c + 31 - r;
      if ((row[from >> 3] >> (from & 7)) & 1) out[to >> 3] |= 1 << (to & 7);
    }
  }
  for (let r = 0; r < 8; r++) {
    for (let c = 0; c < 8; c++) {
      const from = SILHOUETTE_BYTES + 8 * (8 * r + c),
        to = SILHOUETTE_BYTES + 8 * (8 * c + 7 - r);
      for (let direction = 0; direction < 8; direction++) out[to + ((direction + 4) & 7)] = row[from + direction];
    }
  }
  out[FLAGS_AT] = row[FLAGS_AT];
  const aspect = new DataView(row.buffer, row.byteOffset).getFloat32(ASPECT_AT, true);
  new DataView(out.buffer, out.byteOffset).setFloat32(ASPECT_AT, -aspect, true);
}
