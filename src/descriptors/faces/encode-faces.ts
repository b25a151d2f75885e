import { fileMalformed } from '../../errors.js';
import type { BodyFaces, EdgeKind, FaceEdge, FaceTable, PartFace } from './part-face.js';
import type { SurfaceKind } from './fitted-surface.js';
import { SAMPLE } from './free-samples.js';
import { cross, dot, frameOf, plus, scaled, type Vector } from './vector.js';

/** Kinds by their code. */
const KINDS: readonly SurfaceKind[] = ['plane', 'cylinder', 'cone', 'sphere', 'torus', 'free'];
const EDGE_KINDS: readonly EdgeKind[] = ['convex', 'concave', 'smooth'];
const HOLLOW = 0x80;
/** Bytes of a face, an edge, a place and the counts before them. */
const FACE_BYTES = 81,
  EDGE_BYTES = 11,
  PLACE_BYTES = 52,
  HEAD_BYTES = 8;
/** Bytes of the count and the largest offset before the samples of a free face, and of each. */
const SAMPLES_HEAD_BYTES = 5,
  SAMPLE_BYTES = 12;
const NO_SAMPLES = new Float64Array();
/** Entries of a placement that are stored: its last row is 0 0 0 1. */
const PLACED = [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14];

/**
 * Bytes of a table of faces: u32 counts of bodies and places; of each body u32 counts of faces and edges, then 81 bytes
 * a face and 11 an edge; 52 bytes a place. Little endian; lengths, directions and angles as f32. After a free face: u8
 * count of its samples, f32 largest offset from its middle, mm, and of each sample i16[6]: the offset in parts of that,
 * and the normal, both 32,767 at 1.
 */
export function encodeFaces({ bodies, places }: FaceTable): Uint8Array {
  const length = bodies.reduce(
    (sum, { faces, edges }) =>
      faces.reduce((of, face) => of + bytesOf(face), sum + HEAD_BYTES + EDGE_BYTES * edges.length),
    HEAD_BYTES + PLACE_BYTES * places.length,
  );
  const out = new Writer(length);
  out.u32(bodies.length, places.length);
  for (const { faces, edges } of bodies) {
    out.u32(faces.length, edges.length);
    for (const face of faces) writeFace(out, face);
    for (const {
      faces: [a, b],
      kind,
      turnRad,
      lengthMm,
    } of edges) {
      out.u16(a, b);
      out.u8(EDGE_KINDS.indexOf(kind));
      out.u16(Math.round((turnRad / Math.PI) * 0xffff));
      out.f32(lengthMm);
    }
  }
  for (const { body, matrix } of places) {
    out.u32(body);
    out.f32(...PLACED.map((i) => matrix[i]));
  }
  return out.bytes;
}

/** @throws EngineError `FILE_MALFORMED` for bytes that are no table of faces. */
export function decodeFaces(bytes: Uint8Array): FaceTable {
  const from = new Reader(bytes);
  const [bodyCount, placeCount] = [from.u32(), from.u32()];
  const bodies: BodyFaces[] = [];
  for (let i = 0; i < bodyCount; i++) {
    const [faceCount, edgeCount] = [from.u32(), from.u32()];
    from.require(FACE_BYTES * faceCount + EDGE_BYTES * edgeCount);
    const faces = Array.from({ length: faceCount }, () => readFace(from));
    const edges = Array.from({ length: edgeCount }, (): FaceEdge => {
      const pair = [from.u16(), from.u16()] as const;
      const kind = EDGE_KINDS[from.u8()];
      return { faces: pair, kind, turnRad: (from.u16() / 0xffff) * Math.PI, lengthMm: from.f32() };
    });
    if (edges.some(({ faces: [a, b], kind }) => a >= faceCount || b >= faceCount || kind === undefined))
      throw damaged();
    bodies.push({ faces, edges });
  }
  from.require(PLACE_BYTES * placeCount);
  const places = Array.from({ length: placeCount }, () => {
    const body = from.u32();
    if (body >= bodyCount) throw damaged();
    const matrix = new Float64Array(16);
    matrix[15] = 1;
    for (const i of PLACED) matrix[i] = from.f32();
    return { body, matrix };
  });
  return { bodies, places };
}

function writeFace(out: Writer, { kind, isHollow, axis, origin, middle, region, ...face }: PartFace): void {
  out.u8(KINDS.indexOf(kind) | (isHollow ? HOLLOW : 0));
  const [u, v] = frameOf(axis);
  out.f32(...axis, ...origin, face.radiusMm, face.second, face.areaMm2, ...middle);
  out.f32(Math.atan2(dot(region.x, v), dot(region.x, u)), ...region.from, ...region.to);
  out.u32(...region.cells, face.number >>> 0);
  if (kind === 'free') writeSamples(out, middle, face.samples);
}

function bytesOf({ kind, samples }: PartFace): number {
  return kind === 'free' ? FACE_BYTES + SAMPLES_HEAD_BYTES + (SAMPLE_BYTES * samples.length) / SAMPLE : FACE_BYTES;
}

function writeSamples(out: Writer, middle: Vector, samples: Float64Array): void {
  const offset = (i: number): number => samples[i] - middle[i % SAMPLE];
  let reach = 0;
  for (let i = 0; i < samples.length; i++) if (i % SAMPLE < 3) reach = Math.max(reach, Math.abs(offset(i)));
  // As it is read: in 32 bits.
  reach = Math.fround(reach * 1.000001);
  out.u8(samples.length / SAMPLE);
  out.f32(reach);
  for (let i = 0; i < samples.length; i++) {
    const share = i % SAMPLE < 3 ? offset(i) / (reach > 0 ? reach : 1) : samples[i];
    out.i16(Math.round(0x7fff * Math.max(-1, Math.min(1, share))));
  }
}

function readSamples(from: Reader, middle: Vector): Float64Array {
  const count = from.u8(),
    reach = from.f32();
  const samples = new Float64Array(SAMPLE * count);
  for (let i = 0; i < samples.length; i++) {
    const share = from.i16() / 0x7fff,
      k = i % SAMPLE;
    samples[i] = k < 3 ? middle[k] + reach * share : share;
  }
  return samples;
}

function readFace(from: Reader): PartFace {
  const code = from.u8();
  const kind = KINDS[code & ~HOLLOW];
  if (kind === undefined) throw damaged();
  const axis = from.vector(),
    origin = from.vector();
  const [radiusMm, second, areaMm2] = [from.f32(), from.f32(), from.f32()];
  const middle = from.vector();
  const [u] = frameOf(axis),
    turn = from.f32();
  const x = plus(scaled(u, Math.cos(turn)), cross(axis, u), Math.sin(turn));
  const region = {
    x,
    from: [from.f32(), from.f32()] as const,
    to: [from.f32(), from.f32()] as const,
    cells: [from.u32(), from.u32()] as const,
  };
  const number = from.u32() | 0;
  const samples = kind === 'free' ? readSamples(from, middle) : NO_SAMPLES;
  const isHollow = (code & HOLLOW) !== 0;
  return { kind, isHollow, axis, origin, radiusMm, second, areaMm2, middle, region, samples, number };
}

function damaged(): Error {
  return fileMalformed('the stored faces of a model are damaged: expected bodies, faces, edges and places');
}

class Writer {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(length: number) {
    this.bytes = new Uint8Array(length);
    this.#view = new DataView(this.bytes.buffer);
  }

  u8(value: number): void {
    this.#view.setUint8(this.#at, value);
    this.#at += 1;
  }

  u16(...values: number[]): void {
    for (const value of values) {
      this.#view.setUint16(this.#at, value, true);
      this.#at += 2;
    }
  }

  i16(value: number): void {
    this.#view.setInt16(this.#at, value, true);
    this.#at += 2;
  }

  u32(...values: number[]): void {
    for (const value of values) {
      this.#view.setUint32(this.#at, value, true);
      this.#at += 4;
    }
  }

  f32(...values: number[]): void {
    for (const value of values) {
      this.#view.setFloat32(this.#at, value, true);
      this.#at += 4;
    }
  }
}

class Reader {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** So many bytes must be left. */
  require(count: number): void {
    if (this.#at + count > this.#view.byteLength) throw damaged();
  }

  u8(): number {
    return this.#view.getUint8(this.#step(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#step(2), true);
  }

  i16(): number {
    return this.#view.getInt16(this.#step(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#step(4), true);
  }

  f32(): number {
    return this.#view.getFloat32(this.#step(4), true);
  }

  vector(): Vector {
    return [this.f32(), this.f32(), this.f32()];
  }

  #step(length: number): number {
    this.require(length);
    const at = this.#at;
    this.#at += length;
    return at;
  }
}
