import type { ListedModels } from '../../core/view-lists.js';
import { VIEWS_VERSION } from '../../descriptors/views.js';
import type { CacheFile } from '../../store/disk/cache-file.js';

/** Raised when the body, the centres of the lists or the vectors change. */
const FORMAT = 1;
const VECTOR_LENGTH = 28;

/** Views of models in lists, with the time at which each model was indexed. */
export interface KeptViews extends ListedModels {
  /** f64[files], ms. */
  readonly indexedAt: Float64Array;
}

/**
 * Keeps the views of models as they lie in lists, so that a process that opens the library does not read, project and
 * place them again: at 2.2 million views 66 MB instead of 1.4 GB. Derived: a cache that is damaged, or of another
 * version, reads as absent.
 */
export async function keepViews(cacheFile: CacheFile, kept: KeptViews): Promise<void> {
  const parts = [kept.indexedAt, kept.fileIds, kept.counts, kept.uprights, kept.lists, kept.vectors];
  const body = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of parts) {
    body.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  await cacheFile.writeBytes(factsOf(kept.fileIds.length, kept.lists.length), body);
}

/** What {@link keepViews} kept; undefined without such a cache. */
export async function readKeptViews(cacheFile: CacheFile): Promise<KeptViews | undefined> {
  const found = await cacheFile.readBytes();
  if (found === undefined) return undefined;
  const files = Number(found.facts.files),
    views = Number(found.facts.views);
  if (JSON.stringify(found.facts) !== JSON.stringify(factsOf(files, views))) return undefined;
  if (found.body.length !== 20 * files + (2 + VECTOR_LENGTH) * views) return undefined;
  // A copy, so that its start is aligned.
  const { buffer } = new Uint8Array(found.body);
  return {
    indexedAt: new Float64Array(buffer, 0, files),
    fileIds: new Uint32Array(buffer, 8 * files, files),
    counts: new Uint32Array(buffer, 12 * files, files),
    uprights: new Uint32Array(buffer, 16 * files, files),
    lists: new Uint16Array(buffer, 20 * files, views),
    vectors: new Int8Array(buffer, 20 * files + 2 * views),
  };
}

function factsOf(files: number, views: number): Readonly<Record<string, unknown>> {
  return { format: FORMAT, viewsVersion: VIEWS_VERSION, files, views };
}
