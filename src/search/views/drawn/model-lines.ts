import type { TriangleMesh } from '../../../core/mesh.js';

/** Pixels of a picture of lines, and bytes of it as bits. */
const PIXELS = 64 * 64;
const PACKED = PIXELS / 8;
/** Least coverage of a pixel that counts as line, as in `assembly/raster/laid-lines.ts`. */
export const LINE = 100;
/** Views of a model have numbers below this; those that are magnified across follow those that are not. */
const MOST_VIEWS = 1024;
/** Most bytes of all kept pictures: two to four views of up to 120 models for some 90 sketches. */
const KEPT_BYTES = 16 * 2 ** 20;

/** What is kept of a model. */
interface KeptModel {
  readonly triangles: number;
  /** Of some views, by {@link keyOf}, the pixels that are lines: bits of 64 rows. */
  readonly views: Map<number, Uint8Array>;
}

/** Some views of a model. */
export interface KeptLines {
  /** Of its mesh. */
  readonly triangles: number;
  /** u8[64²] of each view, 255 for a line and else 0. */
  readonly lines: () => Uint8Array[];
}

/**
 * The lines of views of models, kept as bits from the first time that they are rendered, so that a view is rendered
 * once for all sketches. Laying reads no more of a picture than these bits, so what is kept changes no answer.
 */
export class ModelLines {
  /** By file, the most recently used last. */
  readonly #models = new Map<number, KeptModel>();
  #pictures = 0;
  #forgotten = 0;

  /** Memory of the pictures, bytes. */
  get bytes(): number {
    return PACKED * this.#pictures;
  }

  /** Changes with every {@link forget}: what was read before one must not be kept after it. */
  get mark(): number {
    return this.#forgotten;
  }

  /** Must be called when a file was changed or removed. */
  forget(fileId: number): void {
    this.#forgotten++;
    this.#drop(fileId);
  }

  /** What is kept of these views of a model, so magnified across; undefined unless all are. */
  of(fileId: number, views: readonly number[], across: number): KeptLines | undefined {
    const model = this.#models.get(fileId);
    const keys = views.map((view) => keyOf(view, across));
    if (model === undefined || !keys.every((key) => model.views.has(key))) return undefined;
    this.#models.delete(fileId);
    this.#models.set(fileId, model);
    const bits = keys.map((key) => model.views.get(key)!);
    return { triangles: model.triangles, lines: () => bits.map(unpacked) };
  }

  /** lines: u8[64²] of each of the views, so magnified. mark: {@link mark} from before the mesh was read. */
  keep(
    fileId: number,
    { indices }: TriangleMesh,
    views: readonly number[],
    { lines, across, mark }: { readonly lines: readonly Uint8Array[]; readonly across: number; readonly mark: number },
  ): void {
    if (mark !== this.#forgotten) return;
    const model = this.#models.get(fileId) ?? { triangles: indices.length / 3, views: new Map<number, Uint8Array>() };
    this.#models.delete(fileId);
    this.#models.set(fileId, model);
    for (const [i, view] of views.entries()) {
      const key = keyOf(view, across);
      if (!model.views.has(key)) this.#pictures++;
      model.views.set(key, packed(lines[i]));
    }
    for (const oldest of this.#models.keys()) {
      if (this.bytes <= KEPT_BYTES) break;
      this.#drop(oldest);
    }
  }

  #drop(fileId: number): void {
    this.#pictures -= this.#models.get(fileId)?.views.size ?? 0;
    this.#models.delete(fileId);
  }
}

function keyOf(view: number, across: number): number {
  return MOST_VIEWS * (across - 1) + view;
}

function packed(lines: Uint8Array): Uint8Array {
  const bits = new Uint8Array(PACKED);
  for (let i = 0; i < PIXELS; i++) if (lines[i] >= LINE) bits[i >> 3] |= 1 << (i & 7);
  return bits;
}

function unpacked(bits: Uint8Array): Uint8Array {
  const lines = new Uint8Array(PIXELS);
  for (let i = 0; i < PACKED; i++)
    for (let byte = bits[i], at = 8 * i; byte !== 0; byte >>= 1, at++) if ((byte & 1) === 1) lines[at] = 255;
  return lines;
}
