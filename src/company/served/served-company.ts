import type { Accounts, FeedbackOrigin } from '../../accounts/accounts.js';
import type { CompanyProfile } from '../../accounts/profile.js';
import type { NewRfq } from '../../accounts/quotes.js';
import type { ExtractedFeedback } from '../../accounts/tables/feedback.js';
import type { Rfq } from '../../accounts/tables/rfqs.js';
import type { Principal } from '../../accounts/tables/tokens.js';
import type { AttributeCount, FileAttribute } from '../../attributes/attribute-condition.js';
import type { DeviationModel, DeviationOptions } from '../../convert/deviation-options.js';
import { EngineError, optionError } from '../../errors.js';
import type { InspectionRow } from '../../pmi/inspection.js';
import type { PmiComparison } from '../../pmi/lists/compare-pmi.js';
import type { Pmi } from '../../pmi/pmi.js';
import type { Category } from '../../store/catalog/category.js';
import type { FileRecord } from '../../store/catalog/record.js';
import type { SeenInputs } from '../../store/catalog/seen-inputs.js';
import type { ByteSource } from '../../store/disk/blobs.js';
import { MOST_HITS, type SearchQuery, type SearchResult } from '../../search/query/query.js';
import { noRoom } from '../../store/catalog/files.js';
import { checkInputRoom, type InputBounds } from '../../store/catalog/search-inputs.js';
import type { Company } from '../company.js';
import type { ConvertOptions, NamedBytes } from '../convert-options.js';
import type { SearchInputRecord } from '../files.js';
import type { TableFileOptions } from '../hits-file.js';
import type { PutInputOptions, PutOptions } from '../put-options.js';
import type { FoundPage } from '../text-of-file.js';
import type { ComponentResult } from '../assemblies.js';
import { mergeComponentResults, type ComponentwiseHit, type ComponentwiseResult } from './component-results.js';
import { duplicateRule, matchClassOf } from './match-rules.js';
import { shownAttributes } from './shown-attributes.js';

/** Options of {@link ServedCompany.search}, in addition to the query. */
export interface ServedSearchOptions {
  /**
   * True: searches component by component. Indexed components of stored assemblies are found as well, each a hit of its
   * own (`components` of the query). If the only input is an assembly, each of its components is searched with, and the
   * results are merged into one list; see `ComponentwiseHit.asked`. The best hit of each component is on the first
   * page, which is longer than `limit` where there are more components; each page is ordered by score. Components of a
   * search input are indexed first if needed. Default false.
   */
  readonly byComponents?: boolean;
}

/**
 * A hit adapted to the company's profile: `matchClass` by `exactScoreTolerance`, `exactVolumeTolerance` and
 * `exactBboxVolumeTolerance`; `attributes` restricted to `listedAttributes`, with `priorityAttributes` first; volumes
 * and area rounded to `decimalPlaces`.
 */
export interface ServedHit extends ComponentwiseHit {
  /**
   * By `shapeOnlyDuplicates`, `attributesOnlyDuplicates` and `shapeAndAttributesDuplicates`; null when none of these is
   * set.
   */
  readonly isDuplicate: boolean | null;
  /** Whether `thumbnail` can draw the file. */
  readonly hasPicture: boolean;
}

/** The result of {@link ServedCompany.search}. Measures of inputs are rounded like those of hits. */
export interface ServedResult extends Omit<SearchResult, 'hits' | 'warnings' | 'facets'> {
  readonly hits: readonly ServedHit[];
  /** Categories of all found files, with the number of files in each; empty when the company has no categories. */
  readonly categories: readonly Category[];
  /**
   * The category of the input, if it is one stored file that has one; else that of all found files, if they share it.
   */
  readonly currentCategory: Category | null;
  /** True: no search took place because an input is still being indexed. */
  readonly isWaiting: boolean;
  /** The company's display name, and the address that it publishes (`usesPublicUrl`); null: none. */
  readonly companyName: string;
  readonly publicUrl: string | null;
  /** Sentences for display: why nothing was found, or how the results are limited. */
  readonly notes: readonly string[];
}

/** Options of {@link ServedCompany.put}. */
export interface ServedPutOptions extends PutOptions {
  /** False: no category is required, even if the company uses file categories. Default: as in the profile. */
  readonly needsCategory?: boolean;
}

/** The parts of a company and of the accounts that {@link ServedCompany} uses. */
interface ServedParts {
  readonly company: Company;
  readonly accounts: Accounts;
  readonly seen: SeenInputs;
}

/** Bounds of one call of a {@link ServedCompany}. */
const SERVED_LIMITS = Object.freeze({
  /** Most files that are converted. */
  filesToConvert: 100,
});

/** Extension at the end of a file's name. */
const EXTENSION = /\.[^./\\\s]{1,20}$/;
/** All values of an attribute. */
const ALL = Number.MAX_SAFE_INTEGER;

/**
 * A company as a service offers it to its users: the calls of {@link Company} with the defaults and bounds of the
 * company's profile, each counted in the month's usage. The HTTP adapter uses this class; a host in the same process
 * gets the same results from it. Get it from `engine.served(name)`.
 */
export class ServedCompany {
  /** Bounds of one call. */
  readonly limits = SERVED_LIMITS;
  readonly #company: Company;
  readonly #accounts: Accounts;
  readonly #seen: SeenInputs;

  /** @internal */
  constructor({ company, accounts, seen }: ServedParts) {
    this.#seen = seen;
    this.#company = company;
    this.#accounts = accounts;
  }

  /**
   * Searches as `company.search` does. The profile fills in absent parts of the query: `volumeTolerance` and
   * `bboxVolumeTolerance` (with `like`), `maxVisualSearchResults` (`limit`), `useTextHighlighting` (`highlights`),
   * `showMatchingShapes` (whether `shapelets` has an effect); hits with a score above `scoreThreshold` are left out.
   * Inputs that are not indexed or have no shape give an empty result with a note. Counts `visualSearch` for a query
   * with `like`, `textSearch` for one with `text`.
   * @throws the errors of `company.search`; RangeError when offset and limit of a search by components exceed 10 000
   * together.
   */
  async search(query: SearchQuery, { byComponents = false }: ServedSearchOptions = {}): Promise<ServedResult> {
    const profile = await this.#profile();
    const nothing: ServedResult = { ...NOTHING, ...factsOf(profile, this.#company.name) };
    const inputUids = [query.like ?? []].flat().flatMap((input) => ('uid' in input ? [input.uid] : []));
    const states = await Promise.all(inputUids.map((uid) => this.#company.status(uid)));
    const pending = states.filter(({ state }) => state !== 'indexed');
    if (pending.length > 0) {
      const [{ uid, state }] = pending;
      const note =
        state === 'failed' ? `The input ${uid} could not be indexed.` : `The input ${uid} is still being indexed.`;
      return { ...nothing, isWaiting: pending.some(({ state }) => state === 'queued'), notes: [note] };
    }
    const known = await this.#company.categories.list();
    const offset = query.offset ?? 0;
    const whole: SearchQuery = {
      ...query,
      shapelets: query.shapelets === true && profile.showMatchingShapes,
      ...(query.like === undefined
        ? {}
        : {
            volume: query.volume ?? profile.volumeTolerance ?? undefined,
            bboxVolume: query.bboxVolume ?? profile.bboxVolumeTolerance ?? undefined,
          }),
      limit: query.limit ?? profile.maxVisualSearchResults,
      offset,
      facets: known.length > 0,
      highlights: query.highlights ?? profile.useTextHighlighting,
      ...(byComponents && query.components !== 'only' ? { components: true } : {}),
    };
    const notes: string[] = [];
    let result: ComponentwiseResult;
    try {
      const assembly = byComponents && inputUids.length === 1 ? inputUids[0] : undefined;
      const merged = assembly === undefined ? undefined : await this.#searchByComponents(assembly, whole);
      if (assembly !== undefined && merged === undefined && (await this.#company.assembly(assembly)) !== undefined) {
        notes.push(`The components of ${assembly} could not be read: these are results for the whole assembly.`);
      }
      result = merged ?? (await this.#company.search(whole));
    } catch (cause) {
      if (!(cause instanceof EngineError) || cause.code !== 'NO_GEOMETRY') throw cause;
      return { ...nothing, notes: ['An input has no shape that could be searched with.'] };
    }
    this.#countSearch(query);
    const { scoreThreshold } = profile;
    const passing = scoreThreshold === null ? result.hits : result.hits.filter(({ score }) => score <= scoreThreshold);
    const categories = (result.facets?.categories ?? []).flatMap(({ categoryId, count }) => {
      const category = known.find(({ id }) => id === categoryId);
      return category === undefined ? [] : [{ ...category, count }];
    });
    return {
      ...nothing,
      hits: await this.#shown(passing, result, profile, inputUids),
      total: passing.length < result.hits.length ? offset + passing.length : result.total,
      categories,
      currentCategory: await this.#currentCategory(inputUids, categories, known),
      inputs: result.inputs.map((figures) => rounded(figures, profile.decimalPlaces)),
      notes: notes.length > 0 ? notes : (result.warnings ?? []),
      elapsedMs: result.elapsedMs,
    };
  }

  /** `company.search` independent of the profile; it is counted like {@link search}. */
  async rawSearch(query: SearchQuery): Promise<SearchResult> {
    const result = await this.#company.search(query);
    this.#countSearch(query);
    return result;
  }

  /** `company.searchFile` independent of the profile; it is counted like {@link search}. */
  async searchFile(query: SearchQuery, options?: TableFileOptions): Promise<Uint8Array> {
    const file = await this.#company.searchFile(query, options);
    this.#countSearch(query);
    return file;
  }

  /**
   * Stores a file as `company.put` does. The profile fills in absent options: `priority` (`filePriority`), `textOnly`
   * and `overwrite` (`overwriteFiles`). Counts `fileIndex`. With a `fileLimit` in the company's plan, at most so many
   * files are stored; replacing one is always possible.
   * @throws the errors of `company.put`; EngineError `NOT_ALLOWED` with `details.limit` 'fileLimit'; RangeError without
   * `categoryId` when the company uses file categories (null means none).
   */
  async put(
    path: string,
    source: ByteSource,
    { needsCategory, ...options }: ServedPutOptions = {},
  ): Promise<FileRecord> {
    const { filePriority, textOnly, overwriteFiles, hasFileCategories } = await this.#profile();
    if ((needsCategory ?? hasFileCategories) && options.categoryId === undefined)
      throw optionError(RangeError, 'put options.categoryId', 'must be given: the company uses file categories');
    const overwrite = options.overwrite ?? overwriteFiles;
    const mostFiles = await this.#mostFiles(path, overwrite);
    const record = await this.#company.put(path, source, {
      ...options,
      ...(mostFiles === undefined ? {} : { mostFiles }),
      priority: options.priority ?? (filePriority === 4 ? 4 : 3),
      textOnly: options.textOnly ?? textOnly,
      overwrite,
    });
    this.#count('fileIndex');
    return record;
  }

  /**
   * How many files the plan allows. @throws EngineError `NOT_ALLOWED` when it has no room, before any byte is stored.
   */
  async #mostFiles(path: string, overwrite: boolean | undefined): Promise<number | undefined> {
    const usage = await this.#accounts.usage(this.#company.name);
    if (usage === undefined || usage.fileLimit === null) return undefined;
    const { fileLimit, files } = usage;
    if (files.total >= fileLimit && !(overwrite === true && (await this.#company.find(path)) !== undefined))
      throw noRoom(fileLimit, files.total);
    return fileLimit;
  }

  /**
   * Stores a search input as `company.putInput` does; `textOnly` of the profile is the default. Counts `fileIndex`.
   * @throws the errors of `company.putInput`; EngineError `NOT_ALLOWED` with `details.limit` 'inputsPerUser' or
   * 'inputBytesPerUser' for an owner who has too many; `details.freeAt`: when the first of them expires, ISO 8601.
   */
  async putInput(source: ByteSource, options: PutInputOptions): Promise<SearchInputRecord> {
    const isReplaced = options.uid !== undefined && (await this.#company.input(options.uid)) !== undefined;
    // Of a stream, only that it has a byte is known.
    if (!isReplaced) await this.#checkInputRoom(options.owner, source instanceof Uint8Array ? source.byteLength : 1);
    const { textOnly } = await this.#profile();
    const record = await this.#company.putInput(source, {
      ...options,
      mostOfOwner: this.#mostInputs,
      textOnly: options.textOnly ?? textOnly,
    });
    this.#count('fileIndex');
    return record;
  }

  /**
   * Deletes a file or a search input for a user: admins and operators may delete all, other users only search inputs
   * that they put themselves.
   * @throws EngineError `FILE_UNKNOWN`, `NOT_ALLOWED`.
   */
  async delete(uid: string, by: Principal | undefined): Promise<void> {
    const input = await this.#company.input(uid);
    // Even a caller who may not delete the file is told if it does not exist.
    if (input === undefined) await this.#company.get(uid);
    const isOwn = input !== undefined && input.owner !== null && input.owner === by?.userUid;
    if (!isOwn && by?.role !== 'admin' && by?.role !== 'operator')
      throw new EngineError(
        'NOT_ALLOWED',
        input === undefined ? 'Only admins delete files of the company.' : 'Somebody else uploaded it.',
      );
    await this.#company.delete(uid);
  }

  /**
   * Keeps a search input for everybody of the company, as `company.keepInput` does, for the user who put it: nobody
   * else, not even an admin, makes it everybody's. One that is everybody's may be kept longer by everybody.
   * @throws EngineError `FILE_UNKNOWN`, `NOT_ALLOWED` (`details.limit` 'keptInputs' or 'keptInputsPerUser' where
   * the company, or the user, keeps too many).
   */
  async keepInput(
    uid: string,
    options: { readonly days: number },
    by: Principal | undefined,
  ): Promise<SearchInputRecord> {
    const input = await this.#company.input(uid);
    if (input !== undefined && input.owner !== null && input.owner !== by?.userUid)
      throw new EngineError('NOT_ALLOWED', 'Somebody else uploaded it, who alone may keep it for everybody.');
    const { keptInputs: most, keptInputsPerUser: mostOfOwner } = this.#accounts.bounds;
    return this.#company.keepInput(uid, { ...options, most, mostOfOwner });
  }

  /**
   * Adds a category as `company.categories.add` does, within the bounds of the company and of the user.
   * @throws the errors of that; EngineError `NOT_ALLOWED` with `details.limit` 'categories' or 'categoriesPerUser'.
   */
  async addCategory(name: string, by: Principal | undefined): Promise<Category> {
    const { categories: most, categoriesPerUser: mostOfOwner } = this.#accounts.bounds;
    return this.#company.categories.add(name, { owner: by?.userUid, most, mostOfOwner });
  }

  get #mostInputs(): InputBounds {
    const { inputsPerUser: count, inputBytesPerUser: bytes } = this.#accounts.bounds;
    return { count, bytes };
  }

  /**
   * Refuses before any byte is stored; what counts is the check as it is stored. An owner of none is the host itself.
   */
  async #checkInputRoom(owner: string | undefined, bytes: number): Promise<void> {
    if (owner !== undefined) checkInputRoom(await this.#company.inputUsage(owner), bytes, this.#mostInputs);
  }

  /**
   * What was extracted from a file: its attributes as the record has them, and its annotations as {@link pmi} gives
   * them.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async extracted(uid: string): Promise<{ readonly attributes: readonly string[]; readonly pmi: Pmi | undefined }> {
    const { extractedAttributes: attributes } = await this.#company.get(uid);
    return { attributes, pmi: await this.pmi(uid) };
  }

  /** `company.pmi`. Counts `pmi2d` when the file has any. */
  async pmi(uid: string): Promise<Pmi | undefined> {
    const pmi = await this.#company.pmi(uid);
    if (pmi !== undefined) this.#count('pmi2d');
    return pmi;
  }

  /** `company.inspection`. Counts `pmi2d` when the file has annotations. */
  async inspection(uid: string): Promise<InspectionRow[] | undefined> {
    const rows = await this.#company.inspection(uid);
    if (rows !== undefined) this.#count('pmi2d');
    return rows;
  }

  /** `company.comparePmi`. Counts `compare`. */
  async comparePmi(first: string, second: string): Promise<PmiComparison> {
    const comparison = await this.#company.comparePmi(first, second);
    this.#count('compare');
    return comparison;
  }

  /**
   * `company.convert` for at most `limits.filesToConvert` files. Counts `convert3d` for each.
   * @throws the errors of `company.convert`; RangeError for more files.
   */
  async convert(files: readonly NamedBytes[], options: ConvertOptions): Promise<Uint8Array> {
    const { filesToConvert: most } = this.limits;
    if (files.length > most) throw new RangeError(`files must be at most ${most}, received ${files.length}`);
    const zip = await this.#company.convert(files, options);
    this.#count('convert3d', files.length);
    return zip;
  }

  /** `company.deviations`. Counts `compare`. */
  async deviations(first: string, second: string, options?: Partial<DeviationOptions>): Promise<DeviationModel> {
    const deviations = await this.#company.deviations(first, second, options);
    this.#count('compare');
    return deviations;
  }

  /** The company's attributes, each with its first values (at most `values`, the most frequent first). */
  async attributes({
    values,
  }: {
    readonly values: number;
  }): Promise<(FileAttribute & { readonly values: string[] })[]> {
    return Promise.all(
      (await this.#company.attributes()).map(async (attribute) => {
        const { name, unit } = attribute;
        const found = await this.#company.attributeValues(name, { limit: values, unit });
        return { ...attribute, values: found.map(({ value }) => value) };
      }),
    );
  }

  /**
   * All values of an attribute with the number of files that have each, sorted by frequency. `attribute` is a name, or
   * a name with its unit as in records (`Length(mm)`). The same value in two units counts as one value here.
   */
  async attributeValues(attribute: string): Promise<Pick<AttributeCount, 'value' | 'count'>[]> {
    const values = await this.#company.attributeValues(attribute, { limit: ALL });
    if (values.length === 0) {
      const [, name, unit] = /^(.+)\(([^()]*)\)\s*$/.exec(attribute) ?? [];
      if (name !== undefined)
        values.push(...(await this.#company.attributeValues(name, { limit: ALL, unit: unit.trim() })));
    }
    const counts = new Map<string, number>();
    for (const { value, count } of values) counts.set(value, (counts.get(value) ?? 0) + count);
    return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
  }

  /**
   * The text of a file from page `from` on, until the page that passes `characters` (at least 1); pages without text
   * are left out. `nextPage`: the next page with text; null at the end. See `company.text` for the rest.
   */
  async text(
    uid: string,
    options: { readonly from: number; readonly characters: number; readonly words?: string },
  ): Promise<{ readonly pages: FoundPage[]; readonly nextPage: number | null }> {
    const pages = await this.#company.text(uid, options);
    const last = pages.at(-1);
    const [next] = last === undefined ? [] : await this.#company.text(uid, { from: last.number + 1, characters: 1 });
    return { pages, nextPage: next?.number ?? null };
  }

  /**
   * Stores a user's feedback on the attributes that were extracted from a file. Returns its id.
   * @throws EngineError `FILE_UNKNOWN`; the errors of `accounts.putExtractedFeedback`.
   */
  async putExtractedFeedback(feedback: ExtractedFeedback & FeedbackOrigin): Promise<string> {
    await this.#company.get(feedback.fileUid);
    return this.#accounts.putExtractedFeedback(this.#company.name, feedback);
  }

  /**
   * Stores a request for quotation, as a whole or one chunk of it. The file of a complete request becomes a search
   * input, which counts `fileIndex`; its UID is the `fileUid` of the request. `owner`: UID of the user, who alone sends
   * further chunks, besides those who see everybody's.
   * @throws the errors of `accounts.putRfq` and `company.putInput`.
   */
  async putRfq(rfq: NewRfq, { owner: sender }: { readonly owner?: string } = {}): Promise<Rfq> {
    const { name } = this.#company;
    const before = rfq.id === undefined || this.#seen !== 'all' ? undefined : await this.#accounts.rfq(name, rfq.id);
    const owner = before === undefined ? sender : (before.owner ?? undefined);
    // Its file becomes an input: where that has no room, nothing of it is stored.
    await this.#checkInputRoom(owner, rfq.bytes.byteLength);
    const put = await this.#accounts.putRfq(name, { ...rfq, owner });
    if (put.status !== 'complete' || put.fileUid !== null) return put;
    const bytes = await this.#accounts.rfqBytes(name, put.id);
    const extension = EXTENSION.exec(rfq.fileName)?.[0] ?? '';
    const putting = this.#company.putInput(bytes, { extension, owner, mostOfOwner: this.#mostInputs, wait: false });
    const { uid } = await putting.catch(async (cause: unknown) => {
      // Others took the room meanwhile. Of a request in chunks the last one can be sent again.
      if (rfq.chunk === undefined) await this.#accounts.removeRfq(name, put.id);
      throw cause;
    });
    this.#count('fileIndex');
    return this.#accounts.setRfqFile(name, put.id, uid);
  }

  /**
   * A request for quotation; its `fileUid` is null after the search input of its file was removed. Undefined: the
   * request does not exist, or is somebody's whom the user does not see.
   */
  async rfq(id: string): Promise<Rfq | undefined> {
    const rfq = await this.#accounts.rfq(this.#company.name, id);
    if (rfq === undefined || !this.#sees(rfq)) return undefined;
    if (rfq.fileUid === null) return rfq;
    const input = await this.#company.input(rfq.fileUid);
    return { ...rfq, fileUid: input?.uid ?? null };
  }

  /** Removes a request for quotation. False: there is none of this id that the user sees. */
  async removeRfq(id: string): Promise<boolean> {
    const rfq = await this.#accounts.rfq(this.#company.name, id);
    return rfq !== undefined && this.#sees(rfq) && this.#accounts.removeRfq(this.#company.name, id);
  }

  #sees({ owner }: Rfq): boolean {
    return this.#seen === 'all' || (this.#seen !== 'none' && (owner === null || owner === this.#seen.of));
  }

  /** Undefined when there are no components to search with: the file as a whole is searched with instead. */
  async #searchByComponents(
    uid: string,
    { like: _, offset = 0, limit = 20, ...query }: SearchQuery,
  ): Promise<ComponentwiseResult | undefined> {
    if ((await this.#company.assembly(uid)) === undefined) return undefined;
    if (offset + limit > MOST_HITS)
      throw optionError(
        RangeError,
        'query.offset',
        `and query.limit must be at most ${MOST_HITS} together in a search by components, ` +
          `received ${offset} and ${limit}`,
        { offset, limit, allowed: MOST_HITS },
      );
    const started = performance.now();
    // The hits on the requested page could all come from one component, so each search starts at the first hit.
    const each = this.#company.searchComponents(uid, { ...query, offset: 0, limit: offset + limit });
    const found = await each.catch((cause: unknown): ComponentResult[] => {
      if (cause instanceof EngineError && cause.code === 'FILE_NOT_INDEXED') return [];
      throw cause;
    });
    if (found.length === 0) return undefined;
    const { kind, volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 } = await this.#company.get(uid);
    return mergeComponentResults(found, {
      offset,
      limit,
      input: { uid, kind, volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 },
      elapsedMs: performance.now() - started,
    });
  }

  /** count: of the found files. */
  async #currentCategory(
    inputUids: readonly string[],
    found: readonly Category[],
    known: readonly Category[],
  ): Promise<Category | null> {
    if (known.length === 0) return null;
    const [uid, ...others] = inputUids;
    if (uid === undefined || others.length > 0) return found.length === 1 ? found[0] : null;
    const { categoryId } = await this.#company.get(uid);
    const category = known.find(({ id }) => id === categoryId);
    if (category === undefined) return found.length === 1 ? found[0] : null;
    return { ...category, count: found.find(({ id }) => id === categoryId)?.count ?? 0 };
  }

  async #shown(
    hits: readonly ComponentwiseHit[],
    { inputs: figures }: ComponentwiseResult,
    profile: CompanyProfile,
    inputUids: readonly string[],
  ): Promise<ServedHit[]> {
    const { shapeOnlyDuplicates, attributesOnlyDuplicates, shapeAndAttributesDuplicates } = profile;
    const hasRule = shapeOnlyDuplicates || attributesOnlyDuplicates || shapeAndAttributesDuplicates;
    const inputs = hasRule ? await Promise.all(inputUids.map((uid) => this.#company.get(uid))) : [];
    const isDuplicate = duplicateRule(profile, inputs);
    return hits.map((hit) => {
      const matchClass = matchClassOf(hit, figures.at(hit.input ?? 0), profile);
      return {
        ...rounded(hit, profile.decimalPlaces),
        matchClass,
        isDuplicate: isDuplicate(hit, matchClass),
        // Hits are indexed, so the only ones that cannot be drawn are models without a shape.
        hasPicture: hit.kind !== 'ThreeD' || hit.volumeMm3 !== null,
        attributes: shownAttributes(hit.attributes, profile),
      };
    });
  }

  #profile(): Promise<CompanyProfile> {
    return this.#accounts.profile(this.#company.name);
  }

  #countSearch({ like, text }: SearchQuery): void {
    if (like !== undefined) this.#count('visualSearch');
    if (text !== undefined) this.#count('textSearch');
  }

  /** The call neither waits for the count to be written nor fails with it. */
  #count(counter: Parameters<Accounts['count']>[1], amount?: number): void {
    void this.#accounts.count(this.#company.name, counter, amount);
  }
}

const NOTHING = Object.freeze({
  hits: [],
  total: 0,
  categories: [],
  currentCategory: null,
  inputs: [],
  isWaiting: false,
  notes: [],
  elapsedMs: 0,
});

function factsOf(
  { name, usesPublicUrl, publicUrl }: CompanyProfile,
  known: string,
): Pick<ServedResult, 'companyName' | 'publicUrl'> {
  return { companyName: name ?? known, publicUrl: usesPublicUrl ? publicUrl : null };
}

interface Figures {
  readonly volumeMm3: number | null;
  readonly bboxVolumeMm3: number | null;
  readonly surfaceAreaMm2: number | null;
  readonly bboxSizeMm?: readonly number[] | null;
}

function rounded<T extends Figures>(figures: T, places: number): T {
  const round = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(places)));
  const { volumeMm3, bboxVolumeMm3, surfaceAreaMm2, bboxSizeMm } = figures;
  return {
    ...figures,
    volumeMm3: round(volumeMm3),
    bboxVolumeMm3: round(bboxVolumeMm3),
    surfaceAreaMm2: round(surfaceAreaMm2),
    ...(bboxSizeMm == null ? {} : { bboxSizeMm: bboxSizeMm.map(round) }),
  };
}
