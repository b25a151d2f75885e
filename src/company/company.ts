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
import type { InspectionRow } from '../pmi/inspection.js';
import { comparePmi, type PmiComparison } from '../pmi/lists/compare-pmi.js';
import type { Pmi } from '../pmi/pmi.js';
import type { SearchInput, SearchQuery, SearchResult } from '../search/query/query.js';
import type { AssemblyComponent, IndexedComponent } from '../store/catalog/assembly-component.js';
import type { InputUsage } from '../store/catalog/search-inputs.js';
import type { SeenInputs } from '../store/catalog/seen-inputs.js';
import type { CompanySummary, FailureSummary, FolderSummary } from '../store/catalog/company-summary.js';
import { normalizeFilePath } from '../store/catalog/file-path.js';
import type { CompanyListOptions } from '../store/catalog/list-options.js';
import type { FileRecord, KindCounts } from '../store/catalog/record.js';
import type { StoredShapelet } from '../store/catalog/shapelet.js';
import type { ByteSource } from '../store/disk/blobs.js';
import type { CompanyAssemblies, ComponentQuery, ComponentResult } from './assemblies.js';
import type { CompanyCategories } from './categories.js';
import { QUERY_TEXT_LIMIT } from '../words/text-query.js';
import { checkPart, checkString, checkUid } from './checks.js';
import type { CompanyContext } from './context.js';
import { checkConversion, type ConvertedFile, type ConvertOptions, type NamedBytes } from './convert-options.js';
import type { CompanyDuplicates } from './company-duplicates.js';
import type { AttributeValuesOptions, FileAttributes, SetAttributesOptions } from './file-attributes.js';
import type { FileContents } from './file-contents.js';
import type { ModelFace } from '../search/contains/model-faces.js';
import type { FileFeatures } from '../search/query/file-features.js';
import type { DrawnLines } from '../search/views/drawn-lines.js';
import { comparedLines } from '../search/views/same-drawing.js';
import type { CompanyFiles, FileStatus, SearchInputRecord, StoredStream } from './files.js';
import { CompanyFolders } from './folders.js';
import { askedFor, checkTableFile, hitRows, hitsFile, picturesOf, type TableFileOptions } from './hits-file.js';
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

/** Options of warming up a company's searches. */
export interface WarmUpOptions {
  /**
   * Number of files to search with, evenly chosen from all that have a shape. Default 64: by then most of the search
   * code is compiled.
   */
  readonly searches?: number;
  readonly signal?: AbortSignal;
}

/** Longest time for which an input is kept at once, days. */
const MOST_KEPT_DAYS = 3_650;
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
  /** The same company for a caller who sees these search inputs. */
  readonly seeing: (inputs: SeenInputs) => Company;
}

/**
 * A company's file database. Get one from `engine.company(name)`. Each method checks its arguments and calls one
 * service.
 */
export class Company {
  /** The name it was opened with. */
  readonly name: string;
  /** Finds assemblies that hold a part, or share parts. */
  readonly assemblies: CompanyAssemblies;
  readonly categories: CompanyCategories;
  /** Finds files that are the same, and stores decisions about them. */
  readonly duplicates: CompanyDuplicates;
  /** Watches folders. */
  readonly folders: CompanyFolders;
  /** Pictures other than thumbnails and pages: shapelets, overlays, annotations, results. */
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
   * Resolves with the record, whose `state` is the outcome: 'indexed', or 'failed' with `error`; with `wait: false`
   * also 'queued'. When a put has resolved, the file is durable: a crash of the process or the machine does not undo
   * it.
   *
   * Putting the same bytes under the same path again keeps the record and does not read them again (unless they
   * failed). Other bytes replace the file under the same UID; it is then not searchable until the new bytes are
   * indexed.
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
   * Puts all files of a folder and its sub-folders, in the order of their names, and reports progress after each. The
   * company then mirrors the folder: a file replaces the one stored under its path, even if `overwriteFiles` is false.
   * A file that cannot be read or indexed is counted and reported and does not end the run. Leaving the loop or
   * aborting stops it; `resume: true` then skips the files that are already indexed.
   */
  putFolder(folder: string, options?: PutFolderOptions): AsyncGenerator<PutFolderProgress, void, void> {
    return this.folders.put(folder, options);
  }

  /**
   * Stores and indexes a file only to search with: it is not listed, counted or found, but `search` accepts its UID,
   * and so do `get`, `status`, `bytes`, `thumbnail` and `delete`. It is removed after `EngineOptions.inputTtlMs`.
   * Resolves and rejects as {@link put} does.
   * @throws EngineError `UID_TAKEN` when the UID belongs to a stored file or to another owner's input.
   */
  async putInput(source: ByteSource, options: PutInputOptions): Promise<SearchInputRecord> {
    const { files } = this.#open();
    checkSource(source);
    return files.putInput(source, checkInputOptions(options));
  }

  /**
   * The same company for a caller who may not see everybody's search inputs: those that it does not see are as if they
   * did not exist, to every method.
   */
  seeing(inputs: SeenInputs): Company {
    return this.#open().seeing(inputs);
  }

  /** The record of a search input; undefined when the company has none with this UID. */
  async input(uid: string): Promise<SearchInputRecord | undefined> {
    return this.#open().files.input(checkUid(uid));
  }

  /**
   * What the search inputs of an owner that have not expired take; null: those that are everybody's.
   * @internal
   */
  async inputUsage(owner: string | null): Promise<InputUsage> {
    return this.#open().files.inputUsage(owner);
  }

  /**
   * Keeps a search input for so many days from now, at least as long as it was to be kept, and for everybody of the
   * company. Returns its record.
   * @param options.days 1 to 3 650.
   * @param options.most how many may be everybody's; another one is refused with `NOT_ALLOWED`, `details.limit`
   * 'keptInputs'. Default: no limit.
   * @param options.mostOfOwner how many of them may have been kept by the owner of this one; `details.limit`
   * 'keptInputsPerUser'. Default: no limit.
   * @throws EngineError `FILE_UNKNOWN`, `NOT_ALLOWED`.
   */
  async keepInput(
    uid: string,
    options: { readonly days: number; readonly most?: number; readonly mostOfOwner?: number },
  ): Promise<SearchInputRecord> {
    checkInteger('keepInput options.days', options.days, 1, MOST_KEPT_DAYS);
    for (const name of ['most', 'mostOfOwner'] as const)
      if (options[name] !== undefined) checkInteger(`keepInput options.${name}`, options[name], 0);
    return this.#open().files.keepInput(checkUid(uid), options);
  }

  /**
   * The record of a file.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async get(uid: string): Promise<FileRecord> {
    return this.#open().files.get(checkUid(uid));
  }

  /** The record at a full path; undefined when there is none. All spellings of a path are equivalent, as for `put`. */
  async find(path: string): Promise<FileRecord | undefined> {
    return this.#open().files.find(path);
  }

  /** At most `limit` records, in the order of their paths or of their arrival. */
  async list(options?: CompanyListOptions): Promise<FileRecord[]> {
    return this.#open().files.list(options);
  }

  /** Number of files of each kind, and in total, in any state. */
  async counts(): Promise<KindCounts> {
    return this.#open().files.counts();
  }

  /** Number of files of each kind and state. */
  async summary(): Promise<CompanySummary> {
    return this.#open().files.summary();
  }

  /**
   * The folders directly in a folder, by name, at most 2 000; '' for the uppermost. Folders are what paths have before
   * their slashes.
   */
  async foldersIn(folder: string): Promise<FolderSummary[]> {
    checkString('folder', folder);
    return this.#open().files.foldersIn(folder);
  }

  /**
   * The text of a search with words that no file has replaced by the nearest ones that some file has, at most three
   * texts, the nearest first; none where every word is known or has no neighbour.
   * @throws RangeError for more than 4 096 characters.
   */
  async spellings(text: string): Promise<readonly string[]> {
    checkString('text', text);
    checkInteger('the number of characters', text.length, 0, QUERY_TEXT_LIMIT);
    return this.#open().files.respelled(text);
  }

  /** How many files could not be read, by the code of the error, the most frequent first. */
  async failures(): Promise<FailureSummary[]> {
    return this.#open().files.failures();
  }

  /**
   * The indexing state of a file.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async status(uid: string): Promise<FileStatus> {
    return this.#open().files.status(checkUid(uid));
  }

  /**
   * The bytes as they were put.
   * @throws EngineError `FILE_UNKNOWN`; `LIBRARY_DAMAGED` when the stored bytes have changed.
   */
  async bytes(uid: string): Promise<Uint8Array> {
    return this.#open().files.bytes(checkUid(uid));
  }

  /**
   * The same in pieces of at most 1 MiB, for large files. The last piece comes when the bytes are known to be what was
   * put; it throws `LIBRARY_DAMAGED` instead when they are not, and `ENGINE_CLOSED` when the engine is closed
   * meanwhile.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async stream(uid: string): Promise<StoredStream> {
    return this.#open().files.stream(checkUid(uid));
  }

  /**
   * Changes the path of a file in the library and returns its new record. The file keeps its UID and is not read again.
   * @throws EngineError `FILE_UNKNOWN`; `CONFLICT` when another file has the path.
   */
  async rename(uid: string, path: string): Promise<FileRecord> {
    const { files } = this.#open();
    const label = normalizeFilePath(path);
    return files.rename(checkUid(uid), label);
  }

  /**
   * Removes a file or a search input with all data derived from it.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async delete(uid: string): Promise<void> {
    return this.#open().files.delete(checkUid(uid));
  }

  /**
   * Queues a failed file again, or all failed files: for example after a limit was raised, or when memory was short.
   * Returns how many were queued; 0 for a file that has not failed.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async retry(uid?: string): Promise<number> {
    return this.#open().files.retry(uid === undefined ? undefined : checkUid(uid));
  }

  /**
   * Sets the attributes of a file, `name=value` or `name(unit)=value`, and returns its new record. By default they
   * replace all attributes of the file. With `replace: false` they are added: values of an existing name (compared
   * without regard to case) and the same unit are added to its values, each once; another unit makes a separate
   * attribute. Existing attributes stay.
   *
   * Several values are joined by `|`; a `|` inside a value is written `\|`, a backslash `\\`. Repeated names are
   * merged: `Color=red`, `color=blue` is stored as `Color=red|blue`. Each value is kept once.
   * @throws EngineError `FILE_UNKNOWN`; TypeError or RangeError that names the wrong attribute.
   */
  async setAttributes(uid: string, attributes: readonly string[], options?: SetAttributesOptions): Promise<FileRecord> {
    return this.#open().attributes.set(checkUid(uid), attributes, options);
  }

  /**
   * The attributes that were set on files, by name: one entry for each name and unit, with the number of files that
   * have it. `extracted`: those that were found in files instead, such as `Thread` or `Part number`.
   */
  async attributes(options?: { readonly extracted?: boolean }): Promise<FileAttribute[]> {
    return this.#open().attributes.names(options);
  }

  /**
   * The values set under a name (without regard to case), each with the number of files that have it; sorted by
   * frequency, then by characters. Values that differ only in case are different values.
   */
  async attributeValues(name: string, options?: AttributeValuesOptions): Promise<AttributeCount[]> {
    return this.#open().attributes.values(name, options);
  }

  /**
   * Finds files by shape, text, attributes, kind and category; with `components` also the parts of assemblies; see
   * {@link SearchQuery}.
   */
  async search(query: SearchQuery): Promise<SearchResult> {
    const { search, seen } = this.#open();
    return search.use((one) => one.search(query, seen));
  }

  /**
   * Searches with each distinct component of an assembly (a stored file or a search input), in the order of their
   * numbers, among files and the components of stored assemblies (`components`, here true by default), of itself as
   * well. Those of a stored assembly that was put without them are read once more, by a search input that expires as
   * others do, and are found by nobody; a single part has none.
   * @throws EngineError `FILE_UNKNOWN`; `FILE_NOT_INDEXED` when it, or its components, could not be read or are
   * not read yet; the errors of `search`.
   */
  async searchComponents(uid: string, query: ComponentQuery = {}): Promise<ComponentResult[]> {
    return this.#open().assemblies.searchComponents(checkUid(uid), query);
  }

  /**
   * Searches by shape with some of the company's own files and discards the results. The first searches of a process
   * take several times as long as later ones, because frequently used code is not compiled yet and the catalogue is not
   * in memory. Takes about a second of one core and yields to other work after each search.
   * @throws EngineError `ABORTED`, `ENGINE_CLOSED`.
   */
  async warmUp(options?: WarmUpOptions): Promise<void> {
    const { search } = this.#open();
    const { searches, signal } = withDefaults('options', options, WARM_UP_DEFAULTS);
    checkInteger('options.searches', searches, 0);
    await search.use((one) => one.warmUp(searches, signal));
  }

  /**
   * The text of an indexed file, page by page; pages without text are left out. If the format has text positions,
   * `runs` hold them: boxes as shares of the page, origin upper left. With `words`, `ranges` and `boxes` hold the
   * places of these words.
   * @throws EngineError `FILE_UNKNOWN`, `QUERY_INVALID`; TypeError or RangeError.
   */
  async text(uid: string, options?: Partial<TextOptions>): Promise<FoundPage[]> {
    return this.#open().contents.text(checkUid(uid), options);
  }

  /**
   * Dimensions, tolerances and annotations of an indexed drawing, page by page, or of a STEP model that contains them
   * as data (one page without an image, each annotation with the faces that it refers to); undefined for other files.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async pmi(uid: string): Promise<Pmi | undefined> {
    return this.#open().contents.pmi(checkUid(uid));
  }

  /**
   * The characteristics of an indexed drawing, or of a model that carries its annotations, as an inspector's list: with
   * balloon numbers and deviations; see `inspectionList`. Undefined for other files.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async inspection(uid: string): Promise<InspectionRow[] | undefined> {
    const { contents } = this.#open();
    return contents.inspection(await this.get(checkUid(uid)));
  }

  /**
   * What two indexed files of the same part say about it: a drawing and the STEP model that carries its own annotations
   * (AP242), two drawings, two revisions. What contradicts, what is in one alone, and what agrees; see `comparePmi`.
   * @throws EngineError `FILE_UNKNOWN`; `NO_GEOMETRY` when one of them carries no annotations.
   */
  async comparePmi(first: string, second: string): Promise<PmiComparison> {
    const uids = [checkUid(first), checkUid(second)];
    const { contents } = this.#open();
    const sides = await Promise.all(uids.map(async (uid) => contents.comparedSide(await this.get(uid))));
    return comparePmi(sides[0], sides[1], await this.compareLines(uids[0], uids[1]));
  }

  /**
   * Whether the pages of two indexed drawings have the same lines, wherever and in whatever size they stand on them;
   * null: one of them is no drawing of lines. Of a file of another company or library give its {@link drawnLines}.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async compareLines(first: string, second: string | DrawnLines | undefined): Promise<PmiComparison['lines']> {
    return comparedLines(
      await this.drawnLines(first),
      typeof second === 'string' ? await this.drawnLines(second) : second,
    );
  }

  /**
   * The sums over the lines of each page of an indexed drawing; undefined for other files, and where a page is a
   * picture. For {@link compareLines} with a file of another company or library; what it holds may change.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async drawnLines(uid: string): Promise<DrawnLines | undefined> {
    return this.#open().contents.lines(checkUid(uid));
  }

  /**
   * What a machinist would name of an indexed part, from its faces: holes with their diameters and patterns, pockets,
   * bends and others; undefined for other files and for assemblies of several components, which have features of their
   * own: ask with the UID of an indexed component.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async features(uid: string): Promise<FileFeatures | undefined> {
    return this.#open().contents.features(checkUid(uid));
  }

  /**
   * The faces of an indexed model with their surfaces and neighbours, at most 60 000; their numbers are those of
   * `contains.faces` of a search, of a component those in the file of its assembly. Undefined for files without a
   * shape.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async faces(uid: string): Promise<ModelFace[] | undefined> {
    return this.#open().contents.faces(checkUid(uid));
  }

  /**
   * The shapelets of an indexed file, by index. Each can be matched separately: views of a model, views on the pages of
   * a drawing, the contents of an image.
   * @throws EngineError `FILE_UNKNOWN`.
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
   * The separately indexed distinct parts and sub-assemblies of an assembly, in the order of their numbers; none when
   * it was put without `indexAssemblyComponents` or is a single part.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async components(uid: string): Promise<IndexedComponent[]> {
    return this.#open().contents.components(checkUid(uid));
  }

  /**
   * The hits of a search as a table, in their order: CSV, or a workbook (XLSX) with pictures where these are asked
   * for. A column for each attribute follows the measures (mm). As PDF: pages to be printed, the first 500 hits with
   * picture, name, why it was found, sizes and attributes.
   * @throws the errors of {@link search}; TypeError or RangeError for wrong options.
   */
  async searchFile(query: SearchQuery, options?: TableFileOptions): Promise<Uint8Array> {
    const { format, pictures } = checkTableFile(options);
    const result = await this.search({ ...query, facets: false, highlights: false });
    const { hits } = result;
    const categories = new Map((await this.categories.list()).map(({ id, name }) => [id, name]));
    const drawn = pictures
      ? await picturesOf(
          hits.map(({ uid, component }) => component?.uid ?? uid),
          (uid) => this.thumbnail({ uid }),
        )
      : undefined;
    if (format !== 'pdf') return hitsFile({ hits, format, categories, pictures: drawn });
    const { printSheet } = await import('../pictures/print-sheet.js');
    const rows = hitRows({ hits, categories, pictures: drawn });
    return printSheet({
      title: askedFor(query, await this.#nameOfInput(query)),
      about: `${rows.length} of ${result.total} files${query.offset ? `, from number ${query.offset + 1} on` : ''}`,
      rows,
    });
  }

  /** The name of the only file or component that a query asks with; undefined of several, and of bytes. */
  async #nameOfInput({ like, contains }: SearchQuery): Promise<string | undefined> {
    const [input, another] = [contains ?? like ?? []].flat();
    if (input === undefined || another !== undefined || !('uid' in input)) return undefined;
    const component = await this.assemblies.component(input.uid);
    if (component !== undefined) return component.name || undefined;
    return ((await this.input(input.uid)) ?? (await this.get(input.uid))).displayName;
  }

  /**
   * A picture of a file of the company, or of bytes that are not stored, as PNG: models are shaded with their edges and
   * lie flat with their longest side to the right; pages of drawings, PDFs and images are shown unchanged; of other
   * documents the first lines of a page are shown. Pictures of stored files are drawn during indexing, cached, and
   * drawn again when they are missing.
   * @throws EngineError `FILE_UNKNOWN`, `NO_GEOMETRY` (no such page), or the reason why the file cannot be read;
   * TypeError or RangeError for wrong options.
   */
  async thumbnail(part: string | SearchInput, options?: Partial<ThumbnailOptions>): Promise<Uint8Array> {
    return this.#open().pictures.thumbnail(checkPart('part', part), checkThumbnailOptions(options));
  }

  /**
   * A page of a file of the company at a given width, as PNG. It is drawn anew at most widths; a model's page is its
   * thumbnail.
   * @throws the same errors as {@link thumbnail}.
   */
  async pageImage(uid: string, options?: Partial<PageImageOptions>): Promise<Uint8Array> {
    return this.#open().pictures.page(checkUid(uid), checkPageImageOptions(options));
  }

  /**
   * A stored model as binary glTF for display: components are nodes with names and placements, each geometry occurs
   * once, with colors and the lines where faces meet. A root node converts the model's millimetres to glTF's metres;
   * its `extras` hold `unit` 'mm', `up` 'z' ('y' for glTF and VRML files) and `sides`, from where it is looked at
   * (`toward` the camera, `up` in the picture; first as in its thumbnail); `extras.component` of the other nodes is
   * the path in {@link assembly}, such as `0.2.1`. Written in a worker and cached.
   * @throws EngineError `FILE_UNKNOWN`, `NO_GEOMETRY` for a file that is not a model, `LIMIT_EXCEEDED`, or the reason
   * why it cannot be read; TypeError or RangeError.
   */
  async model(uid: string, options?: Partial<ModelOptions>): Promise<Uint8Array> {
    return this.#open().models.glb(checkUid(uid), checkModelOptions(options));
  }

  /**
   * The distances between the surfaces of two stored models in both directions, after the first is aligned with the
   * second; read and compared in a worker, within `limits.timeoutMs`. The same models give the same values.
   * @throws EngineError `FILE_UNKNOWN`, `NO_GEOMETRY` when one is not a model, `LIMIT_EXCEEDED` above 2 000 000
   * triangles, `TIMEOUT`, `ABORTED`; TypeError or RangeError.
   */
  async deviations(first: string, second: string, options?: Partial<DeviationOptions>): Promise<DeviationModel> {
    return this.#open().models.deviations(checkUid(first), checkUid(second), checkDeviationOptions(options));
  }

  /**
   * {@link convertFiles}, packed into a ZIP. The comment of an entry says `faceted` when the file consists of plane
   * triangles, and why if the input had curved surfaces.
   * @throws the same errors as {@link convertFiles}.
   */
  async convert(files: readonly NamedBytes[], options: ConvertOptions): Promise<Uint8Array> {
    const { models } = this.#open();
    checkConversion(files, options);
    return models.convertToZip(files, options);
  }

  /**
   * Converts models to another format, in workers; the results are in the order of the inputs, under their names with
   * the new extension, made unique. STL: binary, mm, all components in one mesh. STEP: a STEP file stays unchanged,
   * BREP and IGES keep their surfaces, all others become bodies of plane triangles, which `faceted` reports; `reason`
   * says why an IGES file became faceted. Nothing is stored.
   * @throws EngineError with the reason why an input cannot be read (`details.name` names it), `NO_GEOMETRY` for one
   * that is not a model, `LIMIT_EXCEEDED`.
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
