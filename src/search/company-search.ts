import { EngineError } from '../errors.js';
import type { TextIndex } from '../words/text-index.js';
import type { TextQuery } from '../words/text-query.js';
import type { CompanySettings } from '../options.js';
import { Answers } from './filters/answers.js';
import { checkQuery, type CheckedQuery } from './query/check-query.js';
import { ComponentSearch, type ComponentHit } from './component-search.js';
import { reasonsOf } from './filters/empty-reasons.js';
import { countFacets } from './filters/facets.js';
import { FileTable } from './filters/file-table.js';
import { HitBuilder, type RankedFile } from './hits/build-hits.js';
import { attributeCondition, listCondition, passing, type Condition } from './filters/condition.js';
import { subtract } from '../store/database/id-lists.js';
import type { Attributes } from '../attributes/attributes.js';
import type { Rooms } from '../store/rooms.js';
import type { Store } from '../store/store.js';
import { intersection, union } from './filters/id-set.js';
import {
  prepareInputs,
  type DescribedInput,
  type InputParts,
  type PreparedInput,
  type ViewsInput,
} from './query/inputs.js';
import type { SearchFacets, SearchQuery, SearchResult } from './query/query.js';
import { merged, onScaleOfModels, type MergedHit } from './hits/merge-hits.js';
import { ShapeSearch, type ShapeSearchParts } from './shapes/shape-search.js';
import { ViewSearch } from './views/view-search.js';

/** What a company's search needs. */
export interface CompanySearchParts extends ShapeSearchParts, InputParts {
  readonly store: Store<Rooms & { readonly attributes: Attributes }>;
  readonly texts: TextIndex;
}

/** Limit of the searches that only warm up caches. */
const WARM_UP_LIMIT = 20;

/** The index takes 15 to 75 µs to check whether one file holds a word, and 0.05 µs an id to list the files that do. */
const IDS_PER_TEXT_CHECK = 600;

/** The result of one way of searching. */
interface Found {
  /** The requested page. */
  readonly ranked: readonly RankedFile[];
  readonly total: number;
  /** Only when the query asks for facets. */
  readonly facets: SearchFacets | undefined;
}

/**
 * All searches of one company. Filters by attributes, words, kind, category and UID select files; their order is that
 * of shape, or else of words, or else of paths. `put` and `remove` may be called twice for a file, and whether or not
 * `open` has read it.
 */
export class CompanySearch {
  readonly #parts: CompanySearchParts;
  readonly #table: FileTable;
  readonly #shapes: ShapeSearch;
  readonly #views: ViewSearch;
  readonly #answers: Answers;
  /** Opened by the first search for components. */
  #components: Promise<ComponentSearch> | undefined;

  private constructor(parts: CompanySearchParts, table: FileTable, shapes: ShapeSearch, views: ViewSearch) {
    this.#parts = parts;
    this.#table = table;
    this.#shapes = shapes;
    this.#views = views;
    this.#answers = new Answers(parts.store.changes);
  }

  /** Reads the company's files from the catalogue. */
  static async open(parts: CompanySearchParts): Promise<CompanySearch> {
    // The files are read before the first await: later changes arrive through `put` and `remove`.
    const table = FileTable.of(parts.store.searchable.all(parts.companyId));
    return new CompanySearch(parts, table, await ShapeSearch.open(parts), await ViewSearch.open(parts));
  }

  /** A file was indexed, with or without a shape and views. */
  put(fileId: number, { shape, views }: Omit<DescribedInput, 'kind'>): void {
    const file = this.#parts.store.searchable.one(fileId);
    // `fileId` was deleted meanwhile; the deleter calls `remove`.
    if (file === undefined) return;
    this.#table.put(file);
    if (shape === undefined) this.#shapes.remove(fileId);
    else this.#shapes.add(fileId, file.uid, shape);
    if (views === undefined) this.#views.remove(fileId);
    else this.#views.add(fileId, file.uid, views);
    this.#refreshComponents(fileId);
  }

  remove(fileId: number): void {
    this.#refreshComponents(fileId);
    this.#table.remove(fileId);
    this.#shapes.remove(fileId);
    this.#views.remove(fileId);
  }

  async close(): Promise<void> {
    await this.#shapes.close();
    await (await this.#components)?.close();
  }

  /** The search by shape. */
  get shapes(): ShapeSearch {
    return this.#shapes;
  }

  /**
   * @throws TypeError, RangeError; EngineError `QUERY_INVALID`, `FILE_UNKNOWN`, `FILE_NOT_INDEXED`, or the reason why
   * an input cannot be read.
   */
  async search(query: SearchQuery): Promise<SearchResult> {
    const checked = checkQuery(query);
    const started = performance.now();
    const { store, companyId } = this.#parts;
    const inputs = await prepareInputs(this.#parts, checked.like, checked.signal);
    await this.#shapes.turn(checked.signal);
    const asked = wordsOf(checked, await store.settings(companyId));
    const within = checked.within && (await store.files.idsOf(companyId, checked.within));
    // Which files match, and how many, is decided from one state of the library: nothing is awaited until then.
    const filters = this.#filters(checked, within);
    const words = checked.clauses.length === 0 ? undefined : asked;
    const { ranked, total, facets } =
      inputs.length > 0
        ? await this.#byShape(inputs, checked, filters, words)
        : words !== undefined
          ? this.#byWords(checked, filters, words)
          : this.#byPath(checked, filters);
    const warnings = total === 0 ? reasonsOf(checked.attributeTests, store.rooms.attributes, companyId) : [];
    const turn = (): Promise<void> => this.#shapes.turn(checked.signal);
    const hits = new HitBuilder({ store, texts: this.#parts.texts, inputs, query: checked, words: asked, turn });
    return {
      hits: await hits.build(ranked),
      total,
      ...(facets === undefined ? {} : { facets }),
      ...(warnings.length === 0 ? {} : { warnings }),
      inputs: inputs.map(({ figures }) => figures),
      elapsedMs: performance.now() - started,
    };
  }

  /**
   * Searches with this many of the files with a shape, spread over all of them. @throws EngineError `ABORTED`,
   * `ENGINE_CLOSED`.
   */
  async warmUp(searches: number, signal: AbortSignal | undefined): Promise<void> {
    const fileIds = this.#shapes.ids;
    const count = Math.min(searches, fileIds.length);
    for (let i = 0; i < count; i++) {
      await this.#shapes.turn(signal);
      const row = await this.#parts.store.files.rowById(fileIds[Math.floor(((i + 0.5) * fileIds.length) / count)]);
      const uid = row?.uid;
      if (uid === undefined) continue; // Deleted meanwhile.
      try {
        await this.search({ like: { uid }, limit: WARM_UP_LIMIT, signal });
      } catch (cause) {
        // Files that were deleted or are being read again are skipped.
        if (!(cause instanceof EngineError && (cause.code === 'FILE_UNKNOWN' || cause.code === 'FILE_NOT_INDEXED')))
          throw cause;
      }
    }
  }

  /** What is asked beside shape and words. within: ids of the files that alone may be found; undefined: all. */
  #filters({ attributes, kinds, categories }: CheckedQuery, within: readonly number[] | undefined): Condition[] {
    const { store, companyId } = this.#parts;
    const conditions = attributes.map((alternatives) =>
      this.#answers.keeping(
        `attribute ${JSON.stringify(alternatives)}`,
        attributeCondition(store.rooms.attributes, companyId, alternatives),
      ),
    );
    if (kinds !== undefined) conditions.push(listCondition(() => this.#table.ofKinds(kinds)));
    if (categories !== undefined) conditions.push(listCondition(() => this.#ofCategories(categories)));
    if (within !== undefined) conditions.push(listCondition(() => Uint32Array.from(within).sort()));
    return conditions;
  }

  #ofCategories(wanted: readonly (number | null)[]): Uint32Array {
    const all = this.#parts.store.searchable.ofCategories(this.#parts.companyId);
    const files = all.filter(({ categoryId }) => wanted.includes(categoryId)).map(({ fileIds }) => fileIds);
    // null: the files without a category.
    if (wanted.includes(null)) files.push(all.reduce((left, { fileIds }) => subtract(left, fileIds), this.#table.ids));
    return files.reduce(union, new Uint32Array(0));
  }

  #facets(
    { facets, attributeFacets }: CheckedQuery,
    fileIds: () => Uint32Array,
    assemblies: () => readonly number[] = () => [],
  ): SearchFacets | undefined {
    if (!facets) return undefined;
    const { store, companyId } = this.#parts;
    return countFacets(
      {
        companyId,
        table: this.#table,
        searchable: store.searchable,
        attributes: attributeFacets ? store.rooms.attributes : undefined,
      },
      { fileIds: fileIds(), assemblies: assemblies() },
    );
  }

  async #byShape(
    inputs: readonly PreparedInput[],
    checked: CheckedQuery,
    filters: readonly Condition[],
    words: TextQuery | undefined,
  ): Promise<Found> {
    // Models find models by their surface; all other pairs are compared by views.
    const shapes = inputs.flatMap(({ shape }) => (shape === undefined ? [] : [shape]));
    const bySurface = shapes.length === inputs.length;
    const withFiles = checked.components !== 'only';
    const seenByViews = (): Uint32Array =>
      bySurface ? intersection(this.#table.ofKinds(['TwoD', 'Image']), this.#views.drawnIds) : this.#views.ids;
    const views =
      withFiles && seenByViews().length > 0
        ? await Promise.all(inputs.map(async (input) => (await input.views()) ?? NO_VIEWS))
        : [];
    const among = passing(words === undefined ? filters : [...filters, this.#wordsCondition(words)]);
    const models = bySurface ? this.#shapes.passing(shapes, checked, among) : new Uint32Array(0);
    const modelCount = withFiles ? (models?.length ?? this.#shapes.size) : 0;
    const rest = views.length === 0 ? new Uint32Array(0) : seenByViews();
    const seen = views.every(({ shapelets }) => shapelets.length === 0)
      ? new Uint32Array(0)
      : among === undefined
        ? rest
        : intersection(among, rest);
    const wanted = checked.offset + checked.limit;
    // Also fixed at this moment; the union is computed only for facets.
    const foundModels = withFiles ? (models ?? this.#shapes.ids) : new Uint32Array(0);
    const filesFound = (): Uint32Array => union(foundModels, seen);
    const turnOfOwn = (): Promise<void> => this.#shapes.turn(checked.signal);
    const found =
      modelCount === 0 ? [] : await this.#shapes.nearest(shapes, models, { ...checked, offset: 0, limit: wanted });
    const same = new Set(
      seen.length === 0
        ? []
        : (
            await Promise.all(
              inputs.map(({ sha256 }) => this.#parts.store.views.ofBytes(this.#parts.companyId, sha256)),
            )
          ).flat(),
    );
    const shown =
      seen.length === 0
        ? []
        : await this.#views.nearest(views, seen, {
            wanted,
            same: [...same],
            photoModels: checked.photoModels,
            turn: turnOfOwn,
          });
    const files = merged<MergedHit>(found, onScaleOfModels(shown, same));
    const parts =
      checked.components === false
        ? undefined
        : await (await this.#openComponents())?.nearest(inputs, { ...checked, among, wanted });
    const all = parts === undefined ? files : merged<MergedHit | ComponentHit>(files, parts.hits);
    return {
      ranked: all.slice(checked.offset, wanted).map(rankedFile),
      total: modelCount + seen.length + (parts?.total ?? 0),
      facets: this.#facets(checked, filesFound, parts?.assemblies),
    };
  }

  /** Undefined while the company has no indexed components. */
  async #openComponents(): Promise<ComponentSearch | undefined> {
    const companyId = await this.#parts.store.components.companyOf(this.#parts.companyId);
    if (companyId === undefined) return undefined;
    this.#components ??= ComponentSearch.open(this.#parts, companyId);
    return this.#components;
  }

  #refreshComponents(assemblyId: number): void {
    void this.#components?.then((components) => components.refresh(assemblyId));
  }

  #wordsCondition(words: TextQuery): Condition {
    const { texts } = this.#parts;
    return this.#answers.keeping(`words ${JSON.stringify(words)}`, {
      estimate: () => texts.estimate(words),
      bound: () => texts.size,
      ids: () => texts.matching(words),
      has: (fileId) => texts.has(fileId, words),
      ...(texts.asksForWordsOnly(words) ? { idsPerCheck: IDS_PER_TEXT_CHECK } : {}),
    });
  }

  #byWords(checked: CheckedQuery, filters: readonly Condition[], words: TextQuery): Found {
    const { texts } = this.#parts;
    const allow = passing(filters);
    const { fileIds, scores, total } = texts.ranked(words, { ...checked, allow });
    return {
      ranked: fileIds.map((fileId, i) => ({ fileId, score: scores[i], similarity: null, matchClass: null })),
      total,
      facets: this.#facets(checked, () => {
        const ids = this.#wordsCondition(words).ids();
        return allow === undefined ? ids : intersection(allow, ids);
      }),
    };
  }

  #byPath(checked: CheckedQuery, filters: readonly Condition[]): Found {
    const passed = passing(filters);
    const fileIds = passed === undefined ? this.#table.ids : intersection(passed, this.#table.ids);
    return {
      ranked: this.#inPathOrder(fileIds, checked).map((fileId) => ({
        fileId,
        score: 0,
        similarity: null,
        matchClass: null,
      })),
      total: fileIds.length,
      facets: this.#facets(checked, () => fileIds),
    };
  }

  #inPathOrder(fileIds: Uint32Array, { limit, offset }: CheckedQuery): number[] {
    const {
      store: { searchable },
      companyId,
    } = this.#parts;
    if (offset >= fileIds.length) return [];
    // Few files are sorted. For many, walking all files in the order of their paths reaches the page sooner.
    const walked = (offset + limit) * (this.#table.size / fileIds.length);
    if (fileIds.length <= walked) return searchable.sortedByPath(fileIds, limit, offset);
    const wanted = listCondition(() => fileIds);
    const page: number[] = [];
    let passed = 0;
    for (const fileId of searchable.byPath(companyId)) {
      if (!wanted.has(fileId) || passed++ < offset) continue;
      page.push(fileId);
      if (page.length === limit) break;
    }
    return page;
  }
}

function wordsOf(
  { clauses }: CheckedQuery,
  { useNumericTextSearch, usesFileTextForSearch }: CompanySettings,
): TextQuery {
  return { clauses, numeric: useNumericTextSearch, labelsOnly: !usesFileTextForSearch };
}

/** For a model without stored views. */
const NO_VIEWS: ViewsInput = Object.freeze({
  bytes: new Uint8Array(),
  shapelets: [],
  numbersMm: [],
  extentsMm: [],
  pictures: null,
});

function rankedFile({ uid: _, ...hit }: MergedHit | ComponentHit): RankedFile {
  const similarity = 100 / (1 + (hit.score / 0.6) ** 2);
  if (!('assemblyId' in hit)) return { ...hit, similarity };
  const { assemblyId, fileId: componentId, ...rest } = hit;
  return { ...rest, fileId: assemblyId, componentId, similarity };
}
