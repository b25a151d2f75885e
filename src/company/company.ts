import type { ConvertedModel } from '../convert/conversion-format.js';
import { checkDeviationOptions, type DeviationModel, type DeviationOptions } from '../convert/deviation-options.js';
import { checkModelOptions, type ModelOptions } from '../convert/model-options.js';
import {
  checkPageImageOptions,
  checkThumbnailOptions,
  type PageImageOptions,
  type ThumbnailOptions,
} from '../pictures/thumbnail-options.js';
import { checkUid } from './checks.js';
import { convertFiles, type ConvertedFile, type ConvertOptions, type NamedBytes } from './convert-files.js';
import {
  checkInputOptions,
  checkPutOptions,
  checkSource,
  type PutInputOptions,
  type PutOptions,
} from './put-options.js';
import { textOfFile, type FoundPage, type TextOptions } from './text-of-file.js';
import type { AssemblyParts } from './assemblies.js';
import type { DuplicatesHost } from './duplicates.js';
import { CompanyFolders } from './folders.js';
import { EngineError } from '../errors.js';
import type { IndexQueue } from '../indexing/queue.js';
import { checkInteger, withDefaults } from '../options.js';
import { kindOfName } from '../folders/kind-of-name.js';
import type { Pmi } from '../pmi/pmi.js';
import { parsePmi } from '../pmi/stored-pmi.js';
import { checkInput } from '../search/query/check-query.js';
import type { SearchHit, SearchInput, SearchQuery, SearchResult, ShapeMatch } from '../search/query/query.js';
import type { ByteSource } from '../store/disk/blobs.js';
import { normalizeFilePath } from '../store/catalog/file-path.js';
import type { FileRecord } from '../store/catalog/record.js';
import type { StoredShapelet } from '../store/catalog/shapelet.js';

/** How two shapelets are drawn over each other. */
export interface OverlayOptions {
  /** Pixels a side, 16 to 1024. Default 512. */
  readonly size: number;
}

const OVERLAY_DEFAULTS: OverlayOptions = Object.freeze({ size: 512 });

/** Which page of a drawing is drawn with its annotations. */
export interface PmiOverlayOptions {
  /** From 1. Default: the first with annotations. */
  readonly page: number;
}

const PMI_OVERLAY_DEFAULTS: PmiOverlayOptions = Object.freeze({ page: undefined as never });

/** How a company's searches are warmed up. */
export interface WarmUpOptions {
  /** Files to search with, spread over all that have a shape. Default 64: by then most of what a search runs is compiled. */
  readonly searches?: number;
  readonly signal?: AbortSignal;
}

const WARM_UP_DEFAULTS: Required<WarmUpOptions> = Object.freeze({ searches: 64, signal: undefined as never });

/** What the engine knows of a file that is kept only to search with. Its `path` is its UID with the extension. */
export interface SearchInputRecord extends FileRecord {
  /** Who put it; null when nobody was named. */
  readonly owner: string | null;
  /** When it is removed. */
  readonly expiresAt: Date;
}

/**
 * What the engine gives a company to work with.
 * @internal
 */
export interface CompanyParts extends DuplicatesHost, AssemblyParts {
  readonly queue: IndexQueue;
  /** To be told of rows that are gone. */
  readonly removed: (fileIds: readonly number[]) => void;
  /** To be told that an upload wants a callback: its file may be read already. */
  readonly callbackAsked: () => void;
  readonly warmUp: (searches: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Draws one shapelet in a worker. */
  readonly drawShapelet: (part: SearchInput, index: number, options: ThumbnailOptions) => Promise<Uint8Array>;
  /** Lays a shapelet of a stored file over one of an input, in a worker. */
  readonly drawOverlay: (query: SearchInput, match: ShapeMatch, uid: string, size: number) => Promise<Uint8Array>;
  /** The same of a page. */
  readonly drawPage: (uid: string, options: PageImageOptions) => Promise<Uint8Array>;
  /** A stored model as GLB: kept, or written in a worker. */
  readonly writeModel: (uid: string, options: ModelOptions) => Promise<Uint8Array>;
  /** Lays one stored model on another, in a worker. */
  readonly deviations: (first: string, second: string, options: DeviationOptions) => Promise<DeviationModel>;
  /** Writes a model in another format, in a worker. */
  readonly convert: (file: NamedBytes, options: ConvertOptions) => Promise<ConvertedModel>;
  readonly inputTtlMs: number;
}

/** A company's file database. Get one from `engine.company(name)`. */
export class Company extends CompanyFolders {
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
    const { store, queue, companyId, checkOpen, write, removed, callbackAsked } = this.#parts;
    checkOpen();
    const label = normalizeFilePath(path);
    checkSource(source);
    const {
      attributes,
      wait,
      priority,
      uid,
      textOnly,
      indexAssemblyComponents,
      overwrite,
      categoryId,
      callbackParam,
      signal,
    } = checkPutOptions(options);
    const file = {
      companyId,
      path: label,
      uid,
      overwrite,
      textOnly,
      components: indexAssemblyComponents,
      kind: kindOfName(label),
      attributes,
      categoryId,
      priority,
      sequence: store.nextSequence(),
    };
    const { fileId, record } = await write(async () => {
      const entered = await store.put({ ...file, source, signal, callbackParam });
      if (callbackParam !== undefined) callbackAsked();
      if (uid !== undefined) await this.#removeInput(entered.uid);
      removed(entered.removed.map((row) => row.fileId));
      if (!entered.unchanged) queue.wake();
      const stored = store.files.recordById(entered.fileId);
      if (stored === undefined) throw unknown(entered.uid);
      return { fileId: entered.fileId, record: stored };
    });
    return wait ? this.settled(fileId, record, companyId, signal) : record;
  }

  /**
   * Stores a file only to search with and indexes it: it is neither listed nor counted nor found, but `search` takes its UID,
   * and `get`, `status`, `bytes`, `thumbnail` and `delete` know it. It is removed after `EngineOptions.inputTtlMs`. Resolves and
   * rejects as {@link put} does.
   * @throws EngineError `UID_TAKEN` when the UID is that of a stored file, or of another owner's input.
   */
  async putInput(source: ByteSource, options: PutInputOptions): Promise<SearchInputRecord> {
    const { store, queue, companyId, inputTtlMs, checkOpen, write, removed, callbackAsked } = this.#parts;
    checkOpen();
    checkSource(source);
    const { path, owner, wait, uid, textOnly, callbackParam, indexAssemblyComponents, signal } =
      checkInputOptions(options);
    const sequence = store.nextSequence();
    const { fileId, inputs, record } = await write(async () => {
      const inputs = await store.companyOfInputs(companyId);
      const input = { owner: owner ?? null, expiresAt: Date.now() + inputTtlMs, components: indexAssemblyComponents };
      this.#checkFree(uid, input.owner);
      const entered = await store.put({
        companyId: inputs,
        path,
        uid,
        overwrite: true,
        textOnly,
        components: indexAssemblyComponents,
        kind: kindOfName(path),
        priority: 3,
        sequence,
        input,
        source,
        signal,
        callbackParam,
      });
      if (callbackParam !== undefined) callbackAsked();
      removed(entered.removed.map((row) => row.fileId));
      if (!entered.unchanged) queue.wake();
      const stored = store.files.recordById(entered.fileId);
      if (stored === undefined) throw unknown(uid);
      return { fileId: entered.fileId, inputs, record: stored };
    });
    const settled = wait ? await this.settled(fileId, record, inputs, signal) : record;
    const known = await this.input(settled.uid);
    if (known === undefined) throw unknown(uid);
    return known;
  }

  /** What is known of a search input; undefined when the company has none with this UID. */
  async input(uid: string): Promise<SearchInputRecord | undefined> {
    const { store, companyId, checkOpen } = this.#parts;
    checkOpen();
    const row = store.inputs.row(companyId, checkUid(uid));
    const facts = row && store.inputs.facts(row.id);
    if (row === undefined || facts === undefined) return undefined;
    return { ...store.files.record(row), owner: facts.owner, expiresAt: new Date(facts.expiresAt) };
  }

  /** The bytes as they were put. @throws EngineError `FILE_UNKNOWN`; `LIBRARY_DAMAGED` when the disk has changed them. */
  async bytes(uid: string): Promise<Uint8Array> {
    const { store, companyId, checkOpen, write } = this.#parts;
    checkOpen();
    const row = store.fileOrInput(companyId, checkUid(uid));
    return write(() => store.bytes(row));
  }

  /**
   * The text of an indexed file, page by page; pages without text are left out. Where the format says where its text stands, `runs` say it:
   * boxes as shares of the page, origin upper left. With `words`, `ranges` and `boxes` say where these are.
   * @throws EngineError `FILE_UNKNOWN`, `QUERY_INVALID`; TypeError or RangeError.
   */
  async text(uid: string, options?: Partial<TextOptions>): Promise<FoundPage[]> {
    const { store, companyId, checkOpen } = this.#parts;
    checkOpen();
    const pages = store.rooms.words.texts.eachPage(store.fileOrInput(companyId, checkUid(uid)).id);
    return textOfFile(pages, options, store.settings(companyId).useNumericTextSearch);
  }

  /**
   * Dimensions, tolerances and annotations of an indexed drawing, page by page, or of a STEP model that carries them as data (one page
   * without an image, each with the faces that it stands on); undefined for other files.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async pmi(uid: string): Promise<Pmi | undefined> {
    const { store, companyId, checkOpen } = this.#parts;
    checkOpen();
    const json = store.pmi.one(store.fileOrInput(companyId, checkUid(uid)).id);
    return json === undefined ? undefined : parsePmi(json);
  }

  /**
   * A page of an indexed drawing with a box about each of its annotations and what is read there, as PNG. The file is read again at each
   * call, in a worker. @throws EngineError `FILE_UNKNOWN`, `NO_GEOMETRY` when there is no such page; RangeError.
   */
  async pmiOverlay(uid: string, options?: Partial<PmiOverlayOptions>): Promise<Uint8Array> {
    const { page: wanted } = withDefaults('pmiOverlay options', options, PMI_OVERLAY_DEFAULTS);
    if (wanted !== undefined) checkInteger('pmiOverlay options.page', wanted, 1);
    const pages = (await this.pmi(uid))?.pages ?? [];
    const page =
      wanted === undefined
        ? (pages.find(({ objects }) => objects.length > 0) ?? pages[0])
        : pages.find(({ page: number }) => number === wanted);
    if (page === undefined)
      throw new EngineError(
        'NO_GEOMETRY',
        wanted === undefined ? 'the file is no drawing, so nothing is annotated' : `the drawing has no page ${wanted}`,
      );
    if (page.widthPx === 0)
      throw new EngineError('NO_GEOMETRY', 'the annotations of a model stand on its faces and have no place on a page');
    const { pmiOverlay } = await import('../pictures/pmi-overlay.js');
    return pmiOverlay(await this.pageImage(uid, { page: page.page, width: page.widthPx }), page);
  }

  /**
   * The shapes of an indexed file that can be matched by themselves, by their index: views of a model, views on the pages of a drawing, what
   * an image shows. @throws EngineError `FILE_UNKNOWN`.
   */
  async shapelets(uid: string): Promise<StoredShapelet[]> {
    const { store, companyId, checkOpen } = this.#parts;
    checkOpen();
    return store.views.shapelets(store.fileOrInput(companyId, checkUid(uid)).id);
  }

  /**
   * The lines of one shapelet of a file, or of bytes that are stored nowhere, as a PNG: its longest side takes 60 of 64 parts of the
   * picture's. The file is read again at each call, in a worker.
   * @throws EngineError `FILE_UNKNOWN`, `NO_GEOMETRY` when there is no such shapelet, or why it cannot be read; TypeError or RangeError.
   */
  async shapeletPicture(
    part: string | SearchInput,
    index: number,
    options?: Partial<ThumbnailOptions>,
  ): Promise<Uint8Array> {
    this.#parts.checkOpen();
    checkInteger('index', index, 0);
    return this.#parts.drawShapelet(checkPart('part', part), index, checkThumbnailOptions(options));
  }

  /**
   * What was found laid over what was searched with, where it was found by its views (it has a `shapeMatch`): query red, match blue. A PNG, the
   * query's shapelet in the middle. like: that of the search. Both files are read again, in a worker.
   * @throws EngineError as {@link shapeletPicture}; TypeError for a hit without `shapeMatch`.
   */
  async overlay(
    like: string | NonNullable<SearchQuery['like']>,
    { uid, shapeMatch }: Pick<SearchHit, 'uid' | 'shapeMatch'>,
    options?: Partial<OverlayOptions>,
  ): Promise<Uint8Array> {
    this.#parts.checkOpen();
    const { size } = withDefaults('overlay options', options, OVERLAY_DEFAULTS);
    checkInteger('overlay options.size', size, 16, 1024);
    if (shapeMatch === undefined)
      throw new TypeError(`${uid} was not found by its views, so there is nothing to lay over the query`);
    const inputs: readonly (string | SearchInput)[] = Array.isArray(like) ? like : [like as string | SearchInput];
    const query = inputs.at(shapeMatch.input);
    if (query === undefined)
      throw new RangeError(`shapeMatch.input is ${shapeMatch.input}, but like holds ${inputs.length} inputs`);
    return this.#parts.drawOverlay(checkPart('like', query), shapeMatch, checkUid(uid), size);
  }

  /**
   * Reads a failed file once more, or all that failed: after a limit was raised, or a machine that was short of memory has some again.
   * Returns how many were queued; 0 for a file that has not failed. @throws EngineError `FILE_UNKNOWN`.
   */
  async retry(uid?: string): Promise<number> {
    const { store, queue, companyId, checkOpen, write } = this.#parts;
    checkOpen();
    const row = uid === undefined ? undefined : store.fileOrInput(companyId, checkUid(uid));
    const count = await write(() => store.retryFailed(row?.company_id ?? companyId, row?.uid));
    if (count > 0) queue.wake();
    return count;
  }

  /** Removes a file or a search input and all that was made of it. @throws EngineError `FILE_UNKNOWN`. */
  async delete(uid: string): Promise<void> {
    const { store, companyId, checkOpen, write, removed } = this.#parts;
    checkOpen();
    const known = checkUid(uid);
    const owner = store.fileOrInput(companyId, known).company_id;
    const { fileId } = await write(() => store.remove(owner, known));
    removed([fileId]);
  }

  /**
   * Searches by shape with a few of the company's own files and forgets the answers: the first searches of a process take several times
   * as long as later ones, because code is compiled where it is used often and the catalogue is not in memory yet. About a second
   * of one core. It gives way to other work after each search.
   * @throws EngineError `ABORTED`, `ENGINE_CLOSED`.
   */
  async warmUp(options?: WarmUpOptions): Promise<void> {
    this.#parts.checkOpen();
    const { searches, signal } = withDefaults('options', options, WARM_UP_DEFAULTS);
    checkInteger('options.searches', searches, 0);
    await this.#parts.warmUp(searches, signal);
  }

  /**
   * A picture of a file of the company, or of bytes that are stored nowhere, as PNG: models shaded with their edges, lying flat with their
   * longest side to the right; pages of drawings, PDFs and images as they are; of other documents the first lines of a page. Those of
   * stored files are drawn when the file is indexed, kept, and drawn again when they are missing.
   * @throws EngineError `FILE_UNKNOWN`, `NO_GEOMETRY` (no such page), or why the file cannot be read; TypeError or RangeError for wrong options.
   */
  async thumbnail(part: string | SearchInput, options?: Partial<ThumbnailOptions>): Promise<Uint8Array> {
    this.#parts.checkOpen();
    return this.#parts.draw(checkPart('part', part), checkThumbnailOptions(options));
  }

  /**
   * A page of a file of the company at a wanted width, as PNG, drawn anew at most widths; that of a model is its thumbnail.
   * @throws EngineError and the others as {@link thumbnail} does.
   */
  async pageImage(uid: string, options?: Partial<PageImageOptions>): Promise<Uint8Array> {
    this.#parts.checkOpen();
    return this.#parts.drawPage(checkUid(uid), checkPageImageOptions(options));
  }

  /**
   * A stored model as binary glTF, to be shown: components as nodes with names and placements, each geometry once, with colors and the lines
   * where faces meet. A root node carries the model's millimetres into glTF's metres; its `extras` hold `unit` 'mm' and `up` 'z' (of glTF and
   * VRML files 'y'); `extras.component` of the others is the way down {@link assembly}, as `0.2.1`. Written in a worker and kept.
   * @throws EngineError `FILE_UNKNOWN`, `NO_GEOMETRY` for a file that is no model, `LIMIT_EXCEEDED`, or why it cannot be read; TypeError or RangeError.
   */
  async model(uid: string, options?: Partial<ModelOptions>): Promise<Uint8Array> {
    this.#parts.checkOpen();
    return this.#parts.writeModel(checkUid(uid), checkModelOptions(options));
  }

  /**
   * How far the surfaces of two stored models lie from each other, both ways, after the first is laid on the second; read and compared in a
   * worker, within `limits.timeoutMs`. The same models give the same figures.
   * @throws EngineError `FILE_UNKNOWN`, `NO_GEOMETRY` where one is no model, `LIMIT_EXCEEDED` above 2 000 000 triangles, `TIMEOUT`, `ABORTED`; TypeError or RangeError.
   */
  async deviations(first: string, second: string, options?: Partial<DeviationOptions>): Promise<DeviationModel> {
    this.#parts.checkOpen();
    return this.#parts.deviations(checkUid(first), checkUid(second), checkDeviationOptions(options));
  }

  /**
   * One PNG that shows what was searched for (the first input of `like`, where there is one) and up to 19 hits, with rank,
   * similarity and match class (without `like` the kind).
   */
  async resultPicture(like: SearchQuery['like'], result: SearchResult): Promise<Uint8Array> {
    this.#parts.checkOpen();
    // Loaded when it is wanted: the image library takes time and memory.
    const { resultPicture } = await import('../pictures/result-picture.js');
    const [query]: readonly (SearchInput | undefined)[] = Array.isArray(like)
      ? like
      : [like as SearchInput | undefined];
    return resultPicture({
      result,
      drawQuery: query === undefined ? undefined : (size) => this.thumbnail(query, { size }),
      drawHit: (uid, size) => this.thumbnail(uid, { size }),
    });
  }

  /**
   * {@link convertFiles}, packed into a ZIP. The comment of an entry says `faceted` where its file is made of plane triangles, and why where it had surfaces.
   * @throws as that does.
   */
  async convert(files: readonly NamedBytes[], options: ConvertOptions): Promise<Uint8Array> {
    const { packZip } = await import('../convert/pack-zip.js');
    return packZip(
      (await this.convertFiles(files, options)).map(({ name, bytes, faceted, reason }) => ({
        name,
        bytes,
        comment: faceted ? `faceted${reason === undefined ? '' : `: ${reason}`}` : '',
      })),
    );
  }

  /**
   * Writes models in another format, in workers; in their order, under their own names with the new extension, no two of them the same.
   * STL: binary, mm, all components in one mesh. STEP: a STEP file stays as it is, BREP and IGES keep their surfaces, all else becomes bodies
   * of plane triangles, and `faceted` says so; `reason` says why an IGES file did. Nothing is stored.
   * @throws EngineError why one cannot be read (`details.name` names it), `NO_GEOMETRY` for one that is no model, `LIMIT_EXCEEDED`.
   */
  async convertFiles(files: readonly NamedBytes[], options: ConvertOptions): Promise<ConvertedFile[]> {
    this.#parts.checkOpen();
    return convertFiles(files, options, this.#parts.convert);
  }

  /** A stored file takes the place of a search input with its UID. */
  async #removeInput(uid: string): Promise<void> {
    const { store, companyId, removed } = this.#parts;
    const row = store.inputs.row(companyId, uid);
    if (row !== undefined) removed([(await store.remove(row.company_id, uid)).fileId]);
  }

  /** @throws EngineError `UID_TAKEN`, unless an input of this owner may have the UID. */
  #checkFree(uid: string, owner: string | null): void {
    const { store, companyId } = this.#parts;
    const stored = store.files.idsOf(companyId, [uid]).length > 0;
    const row = store.inputs.row(companyId, uid);
    if (!stored && (row === undefined || store.inputs.facts(row.id)?.owner === owner)) return;
    throw new EngineError('UID_TAKEN', `the UID ${uid} is that of another file`, { details: { uid } });
  }
}

function unknown(uid: string): EngineError {
  return new EngineError('FILE_UNKNOWN', `the file ${uid} was deleted while it was put`, { details: { uid } });
}

function checkPart(what: string, part: string | SearchInput): SearchInput {
  const input = typeof part === 'string' ? { uid: part } : part;
  checkInput(what, input);
  return 'uid' in input ? { ...input, uid: checkUid(input.uid) } : input;
}
