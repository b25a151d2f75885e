import { compactOf } from '../../descriptors/describe.js';
import { COMPACT_DIMENSION } from '../../descriptors/description.js';
import type { CompactShape, SearchableList } from '../../store/catalogue.js';
import type { CacheFile } from '../../store/disk/cache-file.js';
import { pagesOf } from '../../store/pages.js';
import type { Store } from '../../store/store.js';
import type { LabelledVector, VectorBlock } from '../../vectors/vector-index.js';
import { NO_SHAPE, readKeptShapes, type KeptBlock } from './kept-shapes.js';
import { SIZES, type ShapeTable } from './shape-table.js';

/** Fewer files are read from the catalogue in 10 ms, and nothing is kept of them. */
const LEAST_KEPT = 1_000;
/** What is kept is written anew when this share of the files is not in it. */
const KEPT_CHANGE = 0.1;
/** If more of the files are not kept, the catalogue is read from its start to its end instead of file by file. */
const FEW = 0.25;
const UID_BYTES = 16;

/** What {@link readShapes} works with. */
export interface ShapeReading {
  readonly store: Store;
  readonly companyId: number;
  readonly cacheFile: CacheFile;
  /** What the catalogue lists; read before the shapes. */
  readonly listed: SearchableList;
  /** Is filled. */
  readonly known: ShapeTable;
}

/**
 * The shapes of a company: those that are kept and still so according to the list, the others from the catalogue.
 * Reading them from the catalogue takes 8 µs each, from what is kept less than 1.
 */
export function readShapes(reading: ShapeReading): {
  /** The compact vectors; to be iterated once, to the end. */
  readonly vectors: AsyncGenerator<LabelledVector[] | VectorBlock>;
  /** Afterwards: whether what is kept lacks so many files that it is to be written anew. */
  readonly isToBeKept: () => boolean;
} {
  const { fileIds } = reading.listed;
  let missing = fileIds.length;
  async function* vectors(): AsyncGenerator<LabelledVector[] | VectorBlock> {
    const isLarge = fileIds.length >= LEAST_KEPT;
    const blocks = isLarge ? await readKeptShapes(reading.cacheFile) : undefined;
    const valid = blocks === undefined ? undefined : stillSo(blocks, reading.listed);
    missing = valid?.missing.length ?? fileIds.length;
    if (valid === undefined || missing > FEW * fileIds.length) {
      const { store, companyId, known } = reading;
      for await (const page of pagesOf((fileId) => store.shapes.after(companyId, fileId)))
        yield page.map((shape) => vectorOf(shape, known));
      return;
    }
    for (const [i, block] of blocks!.entries()) yield taken(block, valid.places[i], reading.known);
    for (const fileId of valid.missing) {
      const shape = await reading.store.shapes.one(fileId);
      if (shape !== undefined) yield [vectorOf(shape, reading.known)];
    }
  }
  return {
    vectors: vectors(),
    isToBeKept: () => fileIds.length >= LEAST_KEPT && missing > KEPT_CHANGE * fileIds.length,
  };
}

function vectorOf({ fileId, compact, ...shape }: CompactShape, known: ShapeTable): LabelledVector {
  known.set(fileId, shape);
  return { label: fileId, vector: compactOf(compact) };
}

/** Of each block the places of the files with a shape that the list still says so, and the listed files of no block. */
function stillSo(
  blocks: readonly KeptBlock[],
  { fileIds, indexedAt }: SearchableList,
): { readonly places: readonly Uint32Array[]; readonly missing: readonly number[] } {
  const missing: number[] = [];
  let at = 0;
  const places = blocks.map((block) => {
    const own = new Uint32Array(block.fileIds.length);
    let count = 0;
    for (const [i, fileId] of block.fileIds.entries()) {
      while (at < fileIds.length && fileIds[at] < fileId) missing.push(fileIds[at++]);
      if (at === fileIds.length || fileIds[at] !== fileId) continue;
      if (indexedAt[at] !== block.indexedAt[i]) missing.push(fileId);
      else if (block.shapeAt[i] !== NO_SHAPE) own[count++] = i;
      at++;
    }
    return own.subarray(0, count);
  });
  while (at < fileIds.length) missing.push(fileIds[at++]);
  return { places, missing };
}

function taken(block: KeptBlock, places: Uint32Array, known: ShapeTable): VectorBlock {
  const labels = new Uint32Array(places.length);
  const isWhole = COMPACT_DIMENSION * places.length === block.compact.length;
  const vectors = isWhole ? block.compact : new Float32Array(COMPACT_DIMENSION * places.length);
  for (const [i, place] of places.entries()) {
    const shape = block.shapeAt[place];
    labels[i] = block.fileIds[place];
    known.setPacked(
      labels[i],
      block.uids.subarray(UID_BYTES * shape, UID_BYTES * (shape + 1)),
      block.sizes.subarray(SIZES * shape, SIZES * (shape + 1)),
    );
    if (isWhole) continue;
    const from = COMPACT_DIMENSION * shape;
    vectors.set(block.compact.subarray(from, from + COMPACT_DIMENSION), COMPACT_DIMENSION * i);
  }
  return { labels, vectors };
}
