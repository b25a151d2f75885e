import { checkDeviationOptions, type DeviationModel, type DeviationOptions } from '../convert/deviation-options.js';
import { checkModelOptions, type ModelOptions } from '../convert/model-options.js';
import type { AttributeCount, FileAttribute } from '../attributes/attribute-condition.js';
import type { PutFolderOptions, PutFolderProgress } from '../folders/folder.js';
import { checkInteger, withDefaults, type Defaults } from '../options.js';
import {
  checkPageImageOptions,
  checkThumbnailOptions,
  type PageImageOptions,
  type ThumbnailOptions,
} from '../pictures/thumbnail-options.js';
import type { Pmi } from '../pmi/pmi.js';
import type { SearchInput, SearchQuery, SearchResult } from '../search/query/query.js';
import type { AssemblyComponent, IndexedComponent } from '../store/catalog/assembly-component.js';
import type { CompanySummary } from '../store/catalog/company-summary.js';
import { normalizeFilePath } from '../store/catalog/file-path.js';
import type { CompanyListOptions } from '../store/catalog/list-options.js';
import type { FileRecord, KindCounts } from '../store/catalog/record.js';
import type { StoredShapelet } from '../store/catalog/shapelet.js';
import type { ByteSource } from '../store/disk/blobs.js';
import type { CompanyAssemblies, ComponentQuery, ComponentResult } from './assemblies.js';
import type { CompanyCategories } from './categories.js';
import { checkPart, checkUid } from './checks.js';
import type { CompanyContext } from './context.js';
import { checkConversion, type ConvertedFile, type ConvertOptions, type NamedBytes } from './convert-options.js';
import type { CompanyDuplicates } from './duplicates.js';
import type { AttributeValuesOptions, FileAttributes, SetAttributesOptions } from './file-attributes.js';
import type { FileContents } from './file-contents.js';
import type { CompanyFiles, FileStatus, SearchInputRecord } from './files.js';
import { CompanyFolders } from './folders.js';
import type { CompanyModels } from './models.js';
import type { CompanyPictures } from './pictures.js';
import {
  checkInputOptions,
  checkPutOptions,
  checkSource,
  type PutInputOptions,
  type PutOptions,
} from './put-options.js';
import type { StoredSettings } from './settings.js';
import type { FoundPage, TextOptions } from './text-of-file.js';

/** How a company's searches are warmed up. */
export interface WarmUpOptions {
  /**
   * Files to search with, spread over all that have a shape. Default 64: by then most of the code of a search is
   * compiled.
   */
  readonly searches?: number;
  readonly signal?: AbortSignal;
}

const WARM_UP_DEFAULTS = Object.freeze({ searches: 64, signal: undefined } satisfies Defaults<WarmUpOptions>);

/**
 * The services of one company.
 * @internal
 */
export interface CompanyServices extends CompanyContext {
  readonly files: CompanyFiles;
  readonly attributes: FileAttributes;
  readonly contents: FileContents;
  readonly models: CompanyModels;
  readonly pictures: CompanyPictures;
  readonly assemblies: CompanyAssemblies;
  readonly categories: CompanyCategories;
  readonly duplicates: CompanyDuplicates;
  readonly settings: StoredSettings;
}

/**
 * A company's file database. Get one from `engine.company(name)`. Each method checks its arguments and calls one
 * service.
 */
export class Company {
  /** The name it was opened with. */
  readonly name: string;
  /** Which assemblies hold a part, and which share parts. */
  readonly assemblies: CompanyAssemblies;
  readonly categories: CompanyCategories;
  /** Files that are the same, and what was decided about them. */
  readonly duplicates: CompanyDuplicates;
  /** Folders that are watched. */
  readonly folders: CompanyFolders;
  /** Pictures beside thumbnails and pages: shapelets, overlays, annotations, results. */
  readonly pictures: CompanyPictures;
  readonly settings: StoredSettings;
  readonly #services: CompanyServices;

  /**
   * Not for callers: use `engine.company(name)`.
   * @internal
   */
  constructor(name: string, services: CompanyServices) {
    this.name = name;
    this.#services = services;
    this.assemblies = services.assemblies;
    this.categories = services.categories;
    this.duplicates = services.duplicates;
    this.pictures = services.pictures;
    this.settings = services.settings;
    this.folders = new CompanyFolders({ ...services, company: this });
  }

  /**
   * Stores a file under a path and indexes it. `source` is its bytes, or the name or `file:` URL of a file on disk.
   *
   * Resolves with the record, whose `state` says what came of it: 'indexed', or 'failed' with `error`; with `wait:
   * false` also 'queued'. A put that resolved is durable: no crash of process or machine undoes it.
   *
   * The same bytes under the same path again stay the same record and are not read again (unless they failed). Other
   * bytes replace it under the same UID; the file is then not searchable until the new bytes are indexed.
   *
   * @throws EngineError `LIMIT_EXCEEDED` (`limits.fileBytes`), `STORAGE_FAILED`, `ABORTED`, `ENGINE_CLOSED` (with
   * `details.uid` once the file is stored); `CATEGORY_UNKNOWN`; `FILE_UNKNOWN` when it was deleted while waiting.
   */
  async put(path: string, source: ByteSource, options?: PutOptions): Promise<FileRecord> {
    const { files } = this.#open();
    const label = normalizeFilePath(path);
    checkSource(source);
    return files.put(label, source, checkPutOptions(options));
  }

  /**
   * Puts all files of a folder and its sub-folders, in the order of their names, and tells how far it is after each.
   * The company then mirrors the folder: a file replaces what is stored under its path, also where `overwriteFiles` is
   * false. A file that cannot be read or indexed is counted and reported; it never ends the run. Leaving the loop or
   * aborting stops it; `resume: true` then skips what is indexed already.
   */
  putFolder(folder: string, options?: PutFolderOptions): AsyncGenerator<PutFolderProgress, void, void> {
    return this.folders.put(folder, options);
  }

  /**
   * Stores a file only to search with and indexes it: it is neither listed nor counted nor found, but `search` takes
   * its UID, and `get`, `status`, `bytes`, `thumbnail` and `delete` know it. It is removed after
   * `EngineOptions.inputTtlMs`. Resolves and rejects as {@link put} does.
   * @throws EngineError `UID_TAKEN` when the UID is that of a stored file, or of another owner's input.
   */
  async putInput(source: ByteSource, options: PutInputOptions): Promise<SearchInputRecord> {
    const { files } = this.#open();
    checkSource(source);
    return files.putInput(source, checkInputOptions(options));
  }

  /** What is known of a search input; undefined when the company has none with this UID. */
  async input(uid: string): Promise<SearchInputRecord | undefined> {
    return this.#open().files.input(checkUid(uid));
  }

  /** @throws EngineError `FILE_UNKNOWN`. */
  async get(uid: string): Promise<FileRecord> {
    return this.#open().files.get(checkUid(uid));
  }

  /** The record at a full path, undefined when there is none. Spellings of one path are the same, as for `put`. */
  async find(path: string): Promise<FileRecord | undefined> {
    return this.#open().files.find(path);
  }

  /** Records in the order of their paths or of their arrival, at most `limit`. */
  async list(options?: CompanyListOptions): Promise<FileRecord[]> {
    return this.#open().files.list(options);
  }

  /** How many files there are of each kind, and in all, in whatever state. */
  async counts(): Promise<KindCounts> {
    return this.#open().files.counts();
  }

  /** How many files there are of each kind and state. */
  async summary(): Promise<CompanySummary> {
    return this.#open().files.summary();
  }

  /** @throws EngineError `FILE_UNKNOWN`. */
  async status(uid: string): Promise<FileStatus> {
    return this.#open().files.status(checkUid(uid));
  }

  /**
   * The bytes as they were put. @throws EngineError `FILE_UNKNOWN`; `LIBRARY_DAMAGED` when the disk has changed them.
   */
  async bytes(uid: string): Promise<Uint8Array> {
    return this.#open().files.bytes(checkUid(uid));
  }

  /**
   * Gives a file another path in the library, and returns its new record. It keeps its UID and is not read again.
   * @throws EngineError `FILE_UNKNOWN`; `CONFLICT` when another file has the path.
   */
  async rename(uid: string, path: string): Promise<FileRecord> {
    const { files } = this.#open();
    const label = normalizeFilePath(path);
    return files.rename(checkUid(uid), label);
  }

  /** Removes a file or a search input and all that was made of it. @throws EngineError `FILE_UNKNOWN`. */
  async delete(uid: string): Promise<void> {
    return this.#open().files.delete(checkUid(uid));
  }

  /**
   * Reads a failed file once more, or all that failed: after a limit was raised, or a machine that was short of memory
   * has some again. Returns how many were queued; 0 for a file that has not failed. @throws EngineError `FILE_UNKNOWN`.
   */
  async retry(uid?: string): Promise<number> {
    return this.#open().files.retry(uid === undefined ? undefined : checkUid(uid));
  }

  /**
   * Gives a file attributes, `name=value` or `name(unit)=value`, and returns its new record. Without options they
   * replace all that it has. With `replace: false` they are added: values of a name that the file has, without regard
   * to case and of the same unit, go to those it has there, each once; another unit is an attribute of its own. All
   * that the file has stays.
   *
   * Several values are joined by `|`; a `|` inside a value is written `\|`, a backslash `\\`. Repeated names are
   * merged: `Color=red`, `color=blue` is stored as `Color=red|blue`. Each value is kept once.
   * @throws EngineError `FILE_UNKNOWN`; TypeError or RangeError that names the attribute that is wrong.
   */
  async setAttributes(uid: string, attributes: readonly string[], options?: SetAttributesOptions): Promise<FileRecord> {
    return this.#open().attributes.set(checkUid(uid), attributes, options);
  }

  /**
   * The attributes that were given to files, by name: one entry for each name and unit, with the number of files that
   * have it.
   */
  async attributes(): Promise<FileAttribute[]> {
    return this.#open().attributes.names();
  }

  /**
   * The values given under a name (without regard to case), each with the number of files that have it, the most
   * frequent first, then in the order of their characters. Values that differ only in case are different values.
   */
  async attributeValues(name: string, options?: AttributeValuesOptions): Promise<AttributeCount[]> {
    return this.#open().attributes.values(name, options);
  }

  /**
   * Finds files by shape, text, attributes, kind and category; with `components` the parts of assemblies as well; see
   * {@link SearchQuery}.
   */
  async search(query: SearchQuery): Promise<SearchResult> {
    return this.#open().search.search(query);
  }

  /**
   * Searches with each distinct component of an assembly (of a stored file or a search input), by their numbers.
   * @throws EngineError `FILE_UNKNOWN`; `FILE_NOT_INDEXED` when its components are not; as `search` does.
   */
  async searchComponents(uid: string, query: ComponentQuery = {}): Promise<ComponentResult[]> {
    return this.#open().assemblies.searchComponents(checkUid(uid), query);
  }

  /**
   * Searches by shape with a few of the company's own files and forgets the answers: the first searches of a process
   * take several times as long as later ones, because code is compiled where it is used often and the catalogue is not
   * in memory yet. About a second of one core. It gives way to other work after each search.
   * @throws EngineError `ABORTED`, `ENGINE_CLOSED`.
   */
  async warmUp(options?: WarmUpOptions): Promise<void> {
    const { search } = this.#open();
    const { searches, signal } = withDefaults('options', options, WARM_UP_DEFAULTS);
    checkInteger('options.searches', searches, 0);
    await search.warmUp(searches, signal);
  }

  /**
   * The text of an indexed file, page by page; pages without text are left out. Where the format says where its text
   * stands, `runs` say it: boxes as shares of the page, origin upper left. With `words`, `ranges` and `boxes` say where
   * these are.
   * @throws EngineError `FILE_UNKNOWN`, `QUERY_INVALID`; TypeError or RangeError.
   */
  async text(uid: string, options?: Partial<TextOptions>): Promise<FoundPage[]> {
    return this.#open().contents.text(checkUid(uid), options);
  }

  /**
   * Dimensions, tolerances and annotations of an indexed drawing, page by page, or of a STEP model that carries them as
   * data (one page without an image, each with the faces that it stands on); undefined for other files.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async pmi(uid: string): Promise<Pmi | undefined> {
    return this.#open().contents.pmi(checkUid(uid));
  }

  /**
   * The shapes of an indexed file that can be matched by themselves, by their index: views of a model, views on the
   * pages of a drawing, what an image shows. @throws EngineError `FILE_UNKNOWN`.
   */
  async shapelets(uid: string): Promise<StoredShapelet[]> {
    return this.#open().contents.shapelets(checkUid(uid));
  }

  /**
   * The product structure of an indexed model: its root, with parts and sub-assemblies below it; undefined when the
   * model is a single part.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async assembly(uid: string): Promise<AssemblyComponent | undefined> {
    return this.#open().contents.assembly(checkUid(uid));
  }

  /**
   * The distinct parts and sub-assemblies of an assembly that were indexed by themselves, by their numbers; none when
   * it was put without `indexAssemblyComponents`, or is a single part. @throws EngineError `FILE_UNKNOWN`.
   */
  async components(uid: string): Promise<IndexedComponent[]> {
    return this.#open().contents.components(checkUid(uid));
  }

  /**
   * A picture of a file of the company, or of bytes that are stored nowhere, as PNG: models shaded with their edges,
   * lying flat with their longest side to the right; pages of drawings, PDFs and images as they are; of other documents
   * the first lines of a page. Those of stored files are drawn when the file is indexed, kept, and drawn again when
   * they are missing.
   * @throws EngineError `FILE_UNKNOWN`, `NO_GEOMETRY` (no such page), or why the file cannot be read; TypeError or
   * RangeError for wrong options.
   */
  async thumbnail(part: string | SearchInput, options?: Partial<ThumbnailOptions>): Promise<Uint8Array> {
    return this.#open().pictures.thumbnail(checkPart('part', part), checkThumbnailOptions(options));
  }

  /**
   * A page of a file of the company at a wanted width, as PNG, drawn anew at most widths; that of a model is its
   * thumbnail.
   * @throws EngineError and the others as {@link thumbnail} does.
   */
  async pageImage(uid: string, options?: Partial<PageImageOptions>): Promise<Uint8Array> {
    return this.#open().pictures.page(checkUid(uid), checkPageImageOptions(options));
  }

  /**
   * A stored model as binary glTF, to be shown: components as nodes with names and placements, each geometry once, with
   * colors and the lines where faces meet. A root node carries the model's millimetres into glTF's metres; its `extras`
   * hold `unit` 'mm' and `up` 'z' (of glTF and VRML files 'y'); `extras.component` of the others is the way down {@link
   * assembly}, as `0.2.1`. Written in a worker and kept.
   * @throws EngineError `FILE_UNKNOWN`, `NO_GEOMETRY` for a file that is no model, `LIMIT_EXCEEDED`, or why it cannot
   * be read; TypeError or RangeError.
   */
  async model(uid: string, options?: Partial<ModelOptions>): Promise<Uint8Array> {
    return this.#open().models.glb(checkUid(uid), checkModelOptions(options));
  }

  /**
   * How far the surfaces of two stored models lie from each other, both ways, after the first is laid on the second;
   * read and compared in a worker, within `limits.timeoutMs`. The same models give the same figures.
   * @throws EngineError `FILE_UNKNOWN`, `NO_GEOMETRY` where one is no model, `LIMIT_EXCEEDED` above 2 000 000
   * triangles, `TIMEOUT`, `ABORTED`; TypeError or RangeError.
   */
  async deviations(first: string, second: string, options?: Partial<DeviationOptions>): Promise<DeviationModel> {
    return this.#open().models.deviations(checkUid(first), checkUid(second), checkDeviationOptions(options));
  }

  /**
   * {@link convertFiles}, packed into a ZIP. The comment of an entry says `faceted` where its file is made of plane
   * triangles, and why where it had surfaces.
   * @throws as that does.
   */
  async convert(files: readonly NamedBytes[], options: ConvertOptions): Promise<Uint8Array> {
    const { models } = this.#open();
    checkConversion(files, options);
    return models.convertToZip(files, options);
  }

  /**
   * Writes models in another format, in workers; in their order, under their own names with the new extension, no two
   * of them the same. STL: binary, mm, all components in one mesh. STEP: a STEP file stays as it is, BREP and IGES keep
   * their surfaces, all else becomes bodies of plane triangles, and `faceted` says so; `reason` says why an IGES file
   * did. Nothing is stored.
   * @throws EngineError why one cannot be read (`details.name` names it), `NO_GEOMETRY` for one that is no model,
   * `LIMIT_EXCEEDED`.
   */
  async convertFiles(files: readonly NamedBytes[], options: ConvertOptions): Promise<ConvertedFile[]> {
    const { models } = this.#open();
    checkConversion(files, options);
    return models.convertFiles(files, options);
  }

  #open(): CompanyServices {
    this.#services.lifetime.checkOpen();
    return this.#services;
  }
}
