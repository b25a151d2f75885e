import { inflateRawSync } from 'node:zlib';
import { deflateSync } from 'fflate';
import { EngineError } from '../errors.js';
import type { PlacedMesh } from '../shapelets/model/mesh.js';
import type { TriangleMesh } from '../core/mesh.js';
import { simplifyGridMesh } from './simplify.js';
import { fromSteps, gridSurface, type GriddedSurface } from './gridded-surface.js';
import type { GridMesh } from './surface-grid.js';
import type { SurfaceMeasures } from './surface-measures.js';
import { INVARIANTS } from './surface-invariants.js';

/** Most triangles of a stored surface; a finer mesh is simplified, see {@link SurfaceFacts.simplifiedByMm}. */
export const SURFACE_TRIANGLES = 60_000;

/** The header of a stored surface, which can be read without unpacking its triangles. */
export interface SurfaceFacts extends Omit<SurfaceMeasures, 'axes'> {
  readonly vertexCount: number;
  readonly triangleCount: number;
  /** Side lengths of the smallest box in any orientation, descending. */
  readonly boxSizeMm: readonly [number, number, number];
  /** Added to a point of the mesh, gives the point in the model's own frame. */
  readonly originMm: readonly [number, number, number];
  /** Largest distance by which simplification moved a vertex; 0 when the mesh was not simplified. */
  readonly simplifiedByMm: number;
}

/** A stored surface, unpacked: the welded mesh, exact to 1 / 131 070 of its box along each axis, and its header. */
export interface Surface extends TriangleMesh {
  readonly facts: SurfaceFacts;
}

const FORMAT = 2;
/**
 * Number of f64 in the header, in this order: low corner 3, box extents 3, origin 3, area, volume, centroid 3, radii 3,
 * reach, box sides 3, simplified by, mean arc, invariants 5.
 */
const HEADER_DOUBLES = 23 + INVARIANTS;
/**
 * Length of the header that {@link readSurfaceFacts} reads.
 * Format (u8), closed (u8), two unused bytes, then u32: vertex count, triangle count, unpacked length; then the
 * doubles.
 */
export const SURFACE_HEADER_BYTES = 16 + 8 * HEADER_DOUBLES;

/**
 * The `surface` descriptor: a mesh on a grid of 16 bits per axis of its box, with vertices and triangles in canonical
 * order, compressed. An uncompressed header precedes it, from which a comparison sees at once whether two parts can be
 * the same. The bits are equal on every machine: only arithmetic, square roots and a compressor in JavaScript (the
 * output of zlib differs between processors).
 * @param boxSizeMm side lengths of the smallest oriented box, descending.
 * @param gridded the same mesh on its grid, when the caller has it already.
 * @throws EngineError `NO_GEOMETRY` when no triangle has area on the grid.
 */
export function encodeSurface(
  mesh: PlacedMesh,
  boxSizeMm: readonly [number, number, number],
  gridded: GriddedSurface = gridSurface(mesh),
): Uint8Array {
  const { low, extent, grid: full, measures } = gridded;
  const { mesh: grid, movedByMm } = simplifyGridMesh(full, extent, SURFACE_TRIANGLES);
  const streams = packStreams(grid);
  const packed = deflateSync(streams, { level: 6 });
  const bytes = new Uint8Array(SURFACE_HEADER_BYTES + packed.length);
  const view = new DataView(bytes.buffer);
  bytes[0] = FORMAT;
  bytes[1] = measures.isClosed ? 1 : 0;
  view.setUint32(4, grid.steps.length / 3, true);
  view.setUint32(8, grid.indices.length / 3, true);
  view.setUint32(12, streams.length, true);
  const doubles = [
    ...low,
    ...extent,
    ...mesh.origin,
    measures.surfaceAreaMm2,
    measures.volumeMm3,
    ...measures.centroidMm,
    ...measures.radiiMm,
    measures.reachMm,
    ...boxSizeMm,
    movedByMm,
    measures.meanArcMm,
    ...measures.invariants,
  ];
  doubles.forEach((value, i) => view.setFloat64(16 + 8 * i, value, true));
  bytes.set(packed, SURFACE_HEADER_BYTES);
  return bytes;
}

/**
 * Reads the header of a stored surface.
 * @throws EngineError `LIBRARY_DAMAGED` when the bytes are not a surface of this version.
 */
export function readSurfaceFacts(bytes: Uint8Array): SurfaceFacts {
  const view = viewOf(bytes);
  const at = (i: number): number => view.getFloat64(16 + 8 * i, true);
  return {
    vertexCount: view.getUint32(4, true),
    triangleCount: view.getUint32(8, true),
    isClosed: bytes[1] === 1,
    originMm: [at(6), at(7), at(8)],
    surfaceAreaMm2: at(9),
    volumeMm3: at(10),
    centroidMm: [at(11), at(12), at(13)],
    radiiMm: [at(14), at(15), at(16)],
    reachMm: at(17),
    boxSizeMm: [at(18), at(19), at(20)],
    simplifiedByMm: at(21),
    meanArcMm: at(22),
    invariants: [at(23), at(24), at(25), at(26), at(27)],
  };
}

/**
 * Unpacks a stored surface.
 * @throws EngineError `LIBRARY_DAMAGED` when the bytes are not a surface of this version, or are truncated or altered.
 */
export function decodeSurface(bytes: Uint8Array): Surface {
  const facts = readSurfaceFacts(bytes);
  const view = viewOf(bytes);
  const length = view.getUint32(12, true);
  // A vertex takes at most 7 bytes and a triangle at most 15; the check keeps a damaged length from reserving much
  // memory.
  if (length > 7 * facts.vertexCount + 15 * facts.triangleCount) throw damaged('an impossible length');
  let streams: Uint8Array;
  try {
    streams = new Uint8Array(
      inflateRawSync(bytes.subarray(SURFACE_HEADER_BYTES), { maxOutputLength: Math.max(1, length) }),
    );
  } catch (cause) {
    throw damaged('packed data that cannot be unpacked', cause);
  }
  if (streams.length !== length) throw damaged(`${streams.length} bytes of mesh, expected ${length}`);
  const grid = unpackStreams(streams, facts.vertexCount, facts.triangleCount);
  const at = (i: number): number => view.getFloat64(16 + 8 * i, true);
  return {
    facts,
    positions: fromSteps(grid.steps, [at(0), at(1), at(2)], [at(3), at(4), at(5)]),
    indices: grid.indices,
  };
}

/**
 * Splits a mesh into streams that compress well. Vertices are sorted, so x is stored as the small difference from the
 * previous vertex; y and z are stored as they are, low bytes and high bytes in streams of their own, because machined
 * parts repeat the same values. Of each triangle: the difference of its first vertex from the previous triangle's, then
 * the lower of the other two vertices likewise, then the difference of these two and their order.
 */
function packStreams({ steps, indices }: GridMesh): Uint8Array {
  const vertexCount = steps.length / 3;
  const bytes = new Uint8Array(7 * vertexCount + 5 * indices.length);
  let length = 0;
  const varint = (value: number): void => {
    for (; value > 127; value >>>= 7) bytes[length++] = (value & 127) | 128;
    bytes[length++] = value;
  };
  let x = 0;
  for (let i = 0; i < vertexCount; i++) {
    varint(steps[3 * i] - x);
    x = steps[3 * i];
  }
  for (const axis of [1, 2]) {
    for (let i = 0; i < vertexCount; i++) bytes[length++] = steps[3 * i + axis] & 255;
    for (let i = 0; i < vertexCount; i++) bytes[length++] = steps[3 * i + axis] >>> 8;
  }
  let first = 0;
  for (let t = 0; t < indices.length; t += 3) {
    varint(indices[t] - first);
    first = indices[t];
  }
  let lastLow = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const low = Math.min(indices[t + 1], indices[t + 2]);
    varint(zigzag(low - lastLow));
    lastLow = low;
  }
  for (let t = 0; t < indices.length; t += 3) {
    const turned = indices[t + 1] > indices[t + 2] ? 1 : 0;
    varint(2 * Math.abs(indices[t + 2] - indices[t + 1]) + turned);
  }
  return bytes.slice(0, length);
}

function unpackStreams(bytes: Uint8Array, vertexCount: number, triangleCount: number): GridMesh {
  let at = 0;
  const varint = (): number => {
    let value = bytes[at] & 127;
    for (let shift = 7; bytes[at++] > 127; shift += 7) value |= (bytes[at] & 127) << shift;
    return value;
  };
  const steps = new Uint16Array(3 * vertexCount);
  for (let i = 0, x = 0; i < vertexCount; i++) steps[3 * i] = x += varint();
  for (const axis of [1, 2]) {
    for (let i = 0; i < vertexCount; i++) steps[3 * i + axis] = bytes[at + i] | (bytes[at + vertexCount + i] << 8);
    at += 2 * vertexCount;
  }
  const indices = new Uint32Array(3 * triangleCount);
  for (let t = 0, first = 0; t < indices.length; t += 3) indices[t] = first += varint();
  for (let t = 0, low = 0; t < indices.length; t += 3) {
    const zigzagged = varint();
    indices[t + 1] = low += (zigzagged >>> 1) ^ -(zigzagged & 1);
  }
  for (let t = 0; t < indices.length; t += 3) {
    const step = varint();
    const low = indices[t + 1];
    const high = low + (step >>> 1);
    indices[t + 1] = (step & 1) === 1 ? high : low;
    indices[t + 2] = (step & 1) === 1 ? low : high;
  }
  if (at !== bytes.length) throw damaged('more or fewer bytes than its triangles need');
  for (const index of indices) {
    if (index >= vertexCount) throw damaged('a triangle with a vertex that does not exist');
  }
  return { steps, indices };
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function viewOf(bytes: Uint8Array): DataView {
  if (bytes.length < SURFACE_HEADER_BYTES) throw damaged(`${bytes.length} bytes`);
  if (bytes[0] !== FORMAT) throw damaged(`format ${bytes[0]}, expected ${FORMAT}`);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function damaged(found: string, cause?: unknown): EngineError {
  return new EngineError('LIBRARY_DAMAGED', `a stored surface cannot be read: it has ${found}`, { cause });
}
