import { setMaxListeners } from 'node:events';
import { checkThumbnailOptions, type ThumbnailOptions } from './artifacts/thumbnail-options.js';
import { CompanyCatalogue, type CatalogueParts } from './company/catalogue.js';
import { checkBoolean, checkUid } from './company/checks.js';
import { EngineError } from './errors.js';
import { ATTRIBUTE_FORMS } from './index/attribute-forms.js';
import { putFolder, type PutFolderOptions, type PutFolderProgress } from './indexing/folder.js';
import type { IndexQueue } from './indexing/queue.js';
import { checkInteger, withDefaults } from './options.js';
import { kindOfName } from './indexing/kind-of-name.js';
import { checkInput } from './search/check-query.js';
import type { SearchInput, SearchQuery, SearchResult } from './search/query.js';
import { parseAttributes } from './store/attribute.js';
import type { ByteSource } from './store/blobs.js';
import { normalizeFilePath } from './store/file-path.js';
import type { FileRecord, Priority } from './store/record.js';
import type { StoredPage } from './store/text-page.js';

/** How a file is put. */
export interface PutOptions {
  /** `name=value` or `name(unit)=value`. Absent: a new file has none, one that is replaced keeps its own. */
  readonly attributes?: readonly string[];
  /** True: resolve once indexed (or failed). False: resolve once bytes and job are durable. Default true. */
  readonly wait?: boolean;
  /** 3: in the order of arrival. 4: behind every waiting 3. Default 3. */
  readonly priority?: Priority;
  /** GUID to store under; a file that has it is replaced. Absent: that of the file at this path, else a new one. */
  readonly uid?: string;
  /** True: without its shape; it is found by text and attributes alone. Default false. */
  readonly textOnly?: boolean;
  /** True: a file at this path is replaced. False: the new one gets a number, as in `Gear(2).step`. Default: the company's `overwriteFiles`. */
  readonly overwrite?: boolean;
  /** Id of its category; null or -1: none. Absent: a new file has none, one that is replaced keeps its own. */
  readonly categoryId?: number | null;
  /** Before the bytes are durable it undoes the put; after, it only ends the waiting. Either way the put rejects with `ABORTED`. */
  readonly signal?: AbortSignal;
}

const PUT_DEFAULTS: Required<PutOptions> = Object.freeze({
  attributes: undefined as never,
  wait: true,
  priority: 3,
  uid: undefined as never,
  textOnly: false,
  overwrite: undefined as never,
  categoryId: undefined as never,
  signal: undefined as never,
});

/**
 * What the engine gives a company to work with.
 * @internal
 */
export interface CompanyParts extends CatalogueParts {
  readonly queue: IndexQueue;
  /** To be told of rows that are gone. */
  readonly removed: (fileIds: readonly number[]) => void;
  readonly search: (query: SearchQuery) => Promise<SearchResult>;
  /** Draws a part in a worker. */
  readonly draw: (part: SearchInput, options: ThumbnailOptions) => Promise<Uint8Array>;
}

/** A company's file database. Get one from `engine.company(name)`. */
export class Company extends CompanyCatalogue {
  readonly #parts: CompanyParts;

  /**
   * Not for callers: use `engine.company(name)`.
   * @internal
   */
  constructor(parts: CompanyParts) {
    super(parts);
    this.#parts = parts;
  }

  /**
   * Stores a file under a path and indexes it. `source` is its bytes, or the name or `file:` URL of a file on disk.
   *
   * Resolves with the record, whose `state` says what came of it: 'indexed', or 'failed' with `error`; with `wait: false`
   * also 'queued'. A put that resolved is durable: no crash of process or machine undoes it.
   *
   * The same bytes under the same path again stay the same record and are not read again (unless they failed). Other bytes
   * replace it under the same UID; the file is then not searchable until the new bytes are indexed.
   *
   * @throws EngineError `LIMIT_EXCEEDED` (`limits.fileBytes`), `STORAGE_FAILED`, `ABORTED`, `ENGINE_CLOSED` (with
   * `details.uid` once the file is stored); `CATEGORY_UNKNOWN`; `FILE_UNKNOWN` when it was deleted while waiting.
   */
  async put(path: string, source: ByteSource, options?: PutOptions): Promise<FileRecord> {
    const { store, queue, companyId, checkOpen, write, removed } = this.#parts;
    checkOpen();
    const label = normalizeFilePath(path);
    checkSource(source);
    const { attributes, wait, priority, uid, textOnly, overwrite, categoryId, signal } =
      withDefaults('put options', options as Partial<Required<PutOptions>>, PUT_DEFAULTS);
    checkPriority(priority);
    if (signal !== undefined) setMaxListeners(0, signal); // Many puts may share one: no reason to warn of a leak.
    checkBoolean('put options.wait', wait);
    checkBoolean('put options.textOnly', textOnly);
    if (overwrite !== undefined) checkBoolean('put options.overwrite', overwrite);
    const file = {
      companyId,
      path: label,
      uid: uid === undefined ? undefined : checkUid(uid),
      overwrite,
      textOnly,
      kind: kindOfName(label),
      attributes: attributes === undefined ? undefined : parseAttributes(attributes, ATTRIBUTE_FORMS.key),
      categoryId: checkCategory(categoryId),
      priority,
      sequence: store.nextSequence(),
    };
    const { fileId, record } = await write(async () => {
      const entered = await store.put({ ...file, source, signal });
      removed(entered.removed.map((row) => row.fileId));
      if (!entered.unchanged) queue.wake();
      const stored = store.files.recordById(entered.fileId);
      if (stored === undefined) throw unknown(entered.uid);
      return { fileId: entered.fileId, record: stored };
    });
    return wait ? this.#settled(fileId, record, signal) : record;
  }

  /** The bytes as they were put. @throws EngineError `FILE_UNKNOWN`; `LIBRARY_DAMAGED` when the disk has changed them. */
  async bytes(uid: string): Promise<Uint8Array> {
    const { store, companyId, checkOpen, write } = this.#parts;
    checkOpen();
    const row = store.files.row(companyId, checkUid(uid));
    return write(() => store.bytes(row));
  }

  /**
   * The text of an indexed file, page by page; pages without text are left out. Where the format says where its text stands, `runs` say it:
   * boxes as shares of the page, origin upper left. @throws EngineError `FILE_UNKNOWN`.
   */
  async text(uid: string): Promise<StoredPage[]> {
    const { store, companyId, checkOpen } = this.#parts;
    checkOpen();
    return store.texts.pages(store.files.row(companyId, checkUid(uid)).id);
  }

  /** Removes a file and all that was made of it. @throws EngineError `FILE_UNKNOWN`. */
  async delete(uid: string): Promise<void> {
    const { store, companyId, checkOpen, write, removed } = this.#parts;
    checkOpen();
    const known = checkUid(uid);
    const { fileId } = await write(() => store.remove(companyId, known));
    removed([fileId]);
  }

  /** Finds files by shape, text, attributes, kind and category; see {@link SearchQuery}. */
  async search(query: SearchQuery): Promise<SearchResult> {
    this.#parts.checkOpen();
    return this.#parts.search(query);
  }

  /**
   * Draws a file of the company, or bytes that are stored nowhere: shaded, with its edges, lying flat with its longest side to
   * the right. The file is read again at each call, in a worker. Returns a PNG.
   * @throws EngineError `FILE_UNKNOWN`, or why it cannot be read; TypeError or RangeError for wrong options.
   */
  async thumbnail(part: string | SearchInput, options?: Partial<ThumbnailOptions>): Promise<Uint8Array> {
    this.#parts.checkOpen();
    const input = typeof part === 'string' ? { uid: part } : part;
    checkInput('part', input);
    return this.#parts.draw('uid' in input ? { uid: checkUid(input.uid) } : input, checkThumbnailOptions(options));
  }

  /**
   * One PNG that shows what was searched for (the first input of `like`, where there is one) and up to 19 hits, with rank,
   * similarity and match class (without `like` the kind).
   */
  async resultPicture(like: SearchQuery['like'], result: SearchResult): Promise<Uint8Array> {
    this.#parts.checkOpen();
    // Loaded when it is wanted: the image library takes time and memory.
    const { resultPicture } = await import('./artifacts/result-picture.js');
    const [query]: readonly (SearchInput | undefined)[] = Array.isArray(like) ? like : [like as SearchInput | undefined];
    return resultPicture({
      result,
      drawQuery: query === undefined ? undefined : (size) => this.thumbnail(query, { size }),
      drawHit: (uid, size) => this.thumbnail(uid, { size }),
    });
  }

  /**
   * Puts all files of a folder and its sub-folders, in the order of their names, and tells how far it is after each.
   * A file that cannot be read or indexed is counted and reported; it never ends the run. Leaving the loop or aborting
   * stops it; `resume: true` then skips what is indexed already.
   */
  putFolder(folder: string, options?: PutFolderOptions): AsyncGenerator<PutFolderProgress, void, void> {
    const { store, companyId, checkOpen } = this.#parts;
    checkOpen();
    return putFolder(folder, options, {
      put: (path, file, given) => this.put(path, file, given),
      known: (path) => store.files.rowAt(companyId, path),
    });
  }

  /** Waits until the file, whatever bytes its UID stands for by then, is indexed or failed. */
  async #settled(fileId: number, record: FileRecord, signal: AbortSignal | undefined): Promise<FileRecord> {
    const { store, queue, companyId } = this.#parts;
    const { uid } = record;
    try {
      for (let id = fileId, now = record; ; ) {
        if (now.state !== 'queued') return now;
        await queue.ended(id, signal);
        const row = store.files.row(companyId, uid);
        id = row.id;
        now = store.files.record(row);
      }
    } catch (cause) {
      if (!(cause instanceof EngineError)) throw cause;
      throw new EngineError(cause.code, cause.message, { details: { ...cause.details, uid }, cause });
    }
  }
}

function unknown(uid: string): EngineError {
  return new EngineError('FILE_UNKNOWN', `the file ${uid} was deleted while it was put`, { details: { uid } });
}

/** The interface says "none" with -1. */
function checkCategory(id: unknown): number | null | undefined {
  if (id === undefined || id === null) return id;
  if (id === -1) return null;
  checkInteger('put options.categoryId', id, 1);
  return id;
}

function checkSource(source: unknown): void {
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) return;
  if (typeof source === 'string' && source !== '') return;
  if (source instanceof URL && source.protocol === 'file:') return;
  throw new TypeError(`source must be bytes, the name of a file or a file: URL, received ${source instanceof URL ? source.href : typeof source}`);
}

function checkPriority(priority: unknown): void {
  if (priority !== 3 && priority !== 4) throw new RangeError(`put options.priority must be 3 or 4, received ${String(priority)}`);
}
