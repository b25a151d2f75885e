import { COMPACT_DIMENSION, DESCRIPTORS } from '../../descriptors/description.js';
import type { CacheFile } from '../../store/disk/cache-file.js';
import type { SearchableList } from '../../store/catalogue.js';
import { SIZES } from './shape-table.js';

/** Raised when the body changes. */
const FORMAT = 1;
/** Files of a block. Each block is columns of whole files, one after another. */
const BLOCK = 4_096;
const UID_BYTES = 16;
const FILE_BYTES = 8 + 4 + 4;
const SHAPE_BYTES = 8 * SIZES + 4 * COMPACT_DIMENSION + UID_BYTES;
const COUNTS_BYTES = 8;

/** A block of what is kept. */
export interface KeptBlock {
  /** Files that were looked at, rising, and the time at which each was indexed, ms. */
  readonly fileIds: Uint32Array;
  readonly indexedAt: Float64Array;
  /** Their place among the shapes of this block; 0xffffffff: without a shape. */
  readonly shapeAt: Uint32Array;
  /** u8[shapes × 16]. */
  readonly uids: Uint8Array;
  /** f64[shapes × 6], see `ShapeTable.sizesOf`. */
  readonly sizes: Float64Array;
  /** f32[shapes × 64]. */
  readonly compact: Float32Array;
}

/** `shapeAt` of a file without a shape. */
export const NO_SHAPE = 0xffff_ffff;

/** UID and sizes of a shape. */
export interface KeptShape {
  /** u8[16]. */
  readonly uid: Uint8Array;
  /** f64[6]. */
  readonly sizes: Float64Array;
}

/** What {@link keepShapes} reads. It is called for 4 096 files at most in one stretch without an await. */
export interface ShapesToKeep {
  readonly listed: SearchableList;
  /**
   * A file's shape, undefined if it has none; 'changed': it has changed since it was listed, or cannot be kept, so it
   * is left out.
   */
  readonly shapeOf: (fileId: number) => KeptShape | undefined | 'changed';
  /** f32[fileIds.length × 64] of files with shapes. */
  readonly compactOf: (fileIds: Uint32Array) => Float32Array;
  /** Lets the event loop run between blocks; rejects to end the writing. */
  readonly turn: () => Promise<void>;
}

/**
 * Keeps UIDs, sizes and compact vectors of a company's shapes as they lie in memory, with the time at which each file
 * was indexed, so that a process that opens the library reads one file instead of a row for each. Derived: a cache that
 * is damaged, or of another version, reads as absent.
 */
export async function keepShapes(cacheFile: CacheFile, parts: ShapesToKeep): Promise<void> {
  await cacheFile.writePages(FACTS, blocksOf(parts));
}

async function* blocksOf(parts: ShapesToKeep): AsyncGenerator<Uint8Array, void, void> {
  for (let first = 0; first < parts.listed.fileIds.length; first += BLOCK) {
    yield blockOf(parts, first);
    await parts.turn();
  }
}

function blockOf({ listed: { fileIds, indexedAt }, shapeOf, compactOf }: ShapesToKeep, first: number): Uint8Array {
  const end = Math.min(fileIds.length, first + BLOCK);
  const files: { readonly at: number; readonly shape: KeptShape | undefined }[] = [];
  for (let at = first; at < end; at++) {
    const shape = shapeOf(fileIds[at]);
    if (shape !== 'changed') files.push({ at, shape });
  }
  const shaped = files.filter(({ shape }) => shape !== undefined);
  const bytes = new Uint8Array(lengthOf(files.length, shaped.length));
  new Uint32Array(bytes.buffer, 0, 2).set([files.length, shaped.length]);
  const block = viewsOf(bytes.buffer, 0, files.length, shaped.length);
  let place = 0;
  for (const [i, { at, shape }] of files.entries()) {
    block.fileIds[i] = fileIds[at];
    block.indexedAt[i] = indexedAt[at];
    block.shapeAt[i] = shape === undefined ? NO_SHAPE : place;
    if (shape === undefined) continue;
    block.uids.set(shape.uid, UID_BYTES * place);
    block.sizes.set(shape.sizes, SIZES * place);
    place++;
  }
  block.compact.set(compactOf(Uint32Array.from(shaped, ({ at }) => fileIds[at])));
  return bytes;
}

/** What {@link keepShapes} kept, by rising ids; undefined without such a cache. */
export async function readKeptShapes(cacheFile: CacheFile): Promise<KeptBlock[] | undefined> {
  const found = await cacheFile.readBytes();
  if (found === undefined || JSON.stringify(found.facts) !== JSON.stringify(FACTS)) return undefined;
  const { buffer, byteOffset, byteLength } = found.body;
  // Columns of 8 bytes need an even start; a small file may lie anywhere in a shared buffer.
  const [bytes, start] = byteOffset % 8 === 0 ? [buffer, byteOffset] : [new Uint8Array(found.body).buffer, 0];
  const blocks: KeptBlock[] = [];
  for (let at = 0; at < byteLength; ) {
    if (at + COUNTS_BYTES > byteLength) return undefined;
    const [files, shapes] = new Uint32Array(bytes, start + at, 2);
    if (at + lengthOf(files, shapes) > byteLength) return undefined;
    blocks.push(viewsOf(bytes, start + at, files, shapes));
    at += lengthOf(files, shapes);
  }
  return blocks;
}

/** A multiple of 8. */
function lengthOf(files: number, shapes: number): number {
  return COUNTS_BYTES + FILE_BYTES * files + SHAPE_BYTES * shapes;
}

/** Wide columns come first, so that each is aligned. */
function viewsOf(buffer: ArrayBufferLike, start: number, files: number, shapes: number): KeptBlock {
  let at = start + COUNTS_BYTES;
  const next = (byteLength: number): number => {
    at += byteLength;
    return at - byteLength;
  };
  return {
    indexedAt: new Float64Array(buffer, next(8 * files), files),
    sizes: new Float64Array(buffer, next(8 * SIZES * shapes), SIZES * shapes),
    uids: new Uint8Array(buffer, next(UID_BYTES * shapes), UID_BYTES * shapes),
    compact: new Float32Array(buffer, next(4 * COMPACT_DIMENSION * shapes), COMPACT_DIMENSION * shapes),
    fileIds: new Uint32Array(buffer, next(4 * files), files),
    shapeAt: new Uint32Array(buffer, next(4 * files), files),
  };
}

const FACTS = Object.freeze({ format: FORMAT, compact: DESCRIPTORS.compact });
