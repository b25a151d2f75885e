import { EngineError } from '../errors.js';
import { asksForWordsOnly } from '../words/text-leaf.js';
import type { WordDoor } from '../words/word-door.js';
import type { TextQuery } from '../words/text-query.js';
import type { CompanySettings } from '../options.js';
import { containedShape, isTelling } from './contains/contained-shape.js';
import { ContainsSearch } from './contains/contains-search.js';
import { Answers } from './filters/answers.js';
import { checkQuery, type CheckedQuery } from './query/check-query.js';
import { ComponentSearch, type ComponentHit } from './component-search.js';
import { reasonsOf } from './filters/empty-reasons.js';
import { countFacets } from './filters/facets.js';
import { atOneMoment } from './filters/one-moment.js';
import { FileTable } from './filters/file-table.js';
import { listedFiles } from './filters/listed-files.js';
import { HitBuilder, type RankedFile } from './hits/build-hits.js';
import { attributeCondition, listCondition, passing, type Condition } from './filters/condition.js';
import { subtract } from '../store/database/id-lists.js';
import type { SeenInputs } from '../store/catalog/seen-inputs.js';
import type { FoundFile } from '../store/catalogue.js';
import type { AttributeDoor } from '../attributes/attribute-door.js';
import { intersection, union } from './filters/id-set.js';
import { NO_VIEWS, prepareInputs, type DescribedInput, type InputParts, type PreparedInput } from './query/inputs.js';
import { similarityOf } from './query/likeness.js';
import type { SearchFacets, SearchQuery, SearchResult } from './query/query.js';
import { lessLike, MOST_SIZED } from './hits/less-like.js';
import { byCounts, byCountsBeside } from './hits/models-apart.js';
import { byStatements } from './hits/statements-apart.js';
import { StatedSizes, type StatedSource } from './hits/stated-sizes.js';
import { merged, onScaleOfModels, type MergedHit } from './hits/merge-hits.js';
import { QuietWarming } from './quiet-warming.js';
import { ShapeSearch } from './shapes/shape-search.js';
import type { ShapeSearchParts } from './shapes/shape-set.js';
import { unusedTolerances } from './shapes/size-tolerances.js';
import { savedAnew } from './views/saved-anew.js';
import { ViewSearch } from './views/view-search.js';

/** What a company's search needs. */
export interface CompanySearchParts extends ShapeSearchParts, InputParts {
  readonly attributes: AttributeDoor;
  readonly texts: WordDoor;
  /** See {@link StatedSource.sizesIn}: this room knows no annotations. */
  readonly sizesIn: StatedSource['sizesIn'];
}

/** Limit of the searches that only warm up caches. */
const WARM_UP_LIMIT = 20;
/** Companies with fewer shapes are searched in a few milliseconds, warm or not. */
const LEAST_WARMED = 1_000;

/** Memory of a company without files, bytes. */
export const BYTES_AT_LEAST = 2 ** 20;

/** The index takes 15 to 75 µs to check whether one file holds a word, and 0.05 µs an id to list the files that do. */
const IDS_PER_TEXT_CHECK = 600;

/** What is asked beside shape and words; `ofAll`: without `within`. */
type Filters = (which?: { readonly ofAll?: boolean }) => Condition[];

/** Files that are found, by what they are compared with. */
interface FoundSets {
  /** All that pass the filters; undefined: all files. */
  readonly among: Uint32Array | undefined;
  /** Models by their surface; undefined: all. */
  readonly models: Uint32Array | undefined;
  /** Files by their views. */
  readonly seen: Uint32Array;
  /** Where models are looked for by their surface beside other inputs; undefined: all. */
  readonly besideViews: Uint32Array | undefined;
}

/** Inputs, their surfaces (empty: none is looked for) and their views. */
interface RankedInputs {
  readonly inputs: readonly PreparedInput[];
  readonly stated: StatedSizes;
  readonly shapes: Parameters<ShapeSearch['nearest']>[0];
  readonly views: Parameters<ViewSearch['nearest']>[0];
}

/** Of all files so many are ranked beside those that are asked for by UID: these have the same similarity as there. */
const RANKED_AROUND = 200;

/** The result of one way of searching. */
interface Found {
  /** The requested page. */
  readonly ranked: readonly RankedFile[];
  readonly total: number;
  /** Only when the query asks for facets. */
  readonly facets: SearchFacets | undefined;
  /** Sentences that explain why nothing was found. */
  readonly warnings?: readonly string[];
}

const NO_COMPONENTS =
  'No components are indexed here, or not yet, so assemblies were searched as wholes: the option ' +
  'indexAssemblyComponents of a put indexes them (shapedex index --components).';
const NOT_TELLING =
  'Flat faces that do not meet cannot be looked for in one size: pick a round face as well, flat faces that meet, or any size.';

/** What is known of a changed file; undefined: it is not searchable any more. */
type Change = Pick<DescribedInput, 'shape' | 'views'> | StoredChange | 'stored' | undefined;

/** A shape and views as the catalogue has them. */
interface StoredChange {
  readonly shape?: Parameters<ShapeSearch['add']>[2] & { readonly descriptors: { readonly faceWords?: Uint8Array } };
  readonly views?: Parameters<ViewSearch['add']>[2];
}

/**
 * All searches of one company. Filters by attributes, words, kind, category and UID select files; their order is that
 * of shape, or else of words, or else of paths.
 *
 * The catalogue answers later than it is asked, so it may change while a search waits. The rule: a search notes the
 * mark of the changes, then brings what it holds in memory up to date, and decides which files it finds; each condition
 * is answered from one state, not older than the mark. What memory holds is used in one stretch without an await. The
 * records of the hits are then read in one state; a file that changed since the mark is tested again with all
 * conditions. A file that is gone or fails the test is no hit, though `total` and facets may have counted it.
 */
export class CompanySearch {
  readonly #parts: CompanySearchParts;
  readonly #table: FileTable;
  readonly #shapes: ShapeSearch;
  readonly #views: ViewSearch;
  readonly #answers: Answers;
  /** Changed files that the parts in memory do not know yet. */
  readonly #changed = new Map<number, Change>();
  /** The last work on the parts in memory: only one at a time changes them. */
  #work: Promise<unknown> = Promise.resolve();
  #contents: Promise<ContainsSearch> | undefined;
  /** Opened by the first search for components. */
  #components: Promise<ComponentSearch> | undefined;
  #openedComponents: ComponentSearch | undefined;
  readonly #warming: QuietWarming | undefined;

  private constructor(parts: CompanySearchParts, table: FileTable, shapes: ShapeSearch, views: ViewSearch) {
    this.#parts = parts;
    this.#table = table;
    this.#shapes = shapes;
    this.#views = views;
    this.#answers = new Answers(parts.store.changes);
    if (shapes.size >= LEAST_WARMED)
      this.#warming = new QuietWarming((number, of, signal) => this.#warm(number, of, signal));
  }

  /** Reads the company's files from the catalogue. */
  static async open(parts: CompanySearchParts): Promise<CompanySearch> {
    const { store, companyId } = parts;
    const files = await listedFiles(store.searchable, companyId);
    const { room = () => Infinity } = parts;
    const shapes = await ShapeSearch.open(parts, files);
    try {
      const views = await ViewSearch.open({ ...parts, room: () => room() - shapes.bytes });
      return new CompanySearch(parts, FileTable.of(files), shapes, views);
    } catch (cause) {
      await shapes.close();
      throw cause;
    }
  }

  /**
   * A file was indexed, with or without a shape and views. Searches that begin after this call find it. To be called
   * for every change from the call of {@link open} on; it may be called twice, and for files that `open` has read.
   */
  put(fileId: number, { shape, views }: Omit<DescribedInput, 'kind'>): void {
    this.#changed.set(fileId, { shape, views });
    this.#settle().catch(() => undefined); // The next search tries again and rejects.
  }

  /** A file is not searchable any more; see {@link put}. */
  remove(fileId: number): void {
    this.#changed.set(fileId, undefined);
    this.#settle().catch(() => undefined);
  }

  /** A file was changed by another process: what the catalogue says of it now holds; see {@link put}. */
  changed(fileId: number): void {
    this.#changed.set(fileId, 'stored');
    this.#settle().catch(() => undefined);
  }

  /** Brings the parts in memory up to date with all calls of {@link put} and {@link remove} so far. */
  #settle(): Promise<void> {
    return this.#alone(async () => {
      if (this.#changed.size === 0) return;
      const changes = new Map(this.#changed);
      // The catalogue knows which of them are searchable now: the calls may have come in another order.
      const files = await this.#parts.store.searchable.some([...changes.keys()]);
      const [components, contents] = await Promise.all([
        this.#components?.catch(() => undefined),
        this.#contents?.catch(() => undefined),
      ]);
      for (const [fileId, change] of changes) {
        if (this.#changed.get(fileId) === change) this.#changed.delete(fileId);
        const file = files.get(fileId);
        const known = change === 'stored' ? await this.#storedOf(fileId) : change;
        this.#know(fileId, file, known);
        const words = known?.shape?.descriptors.faceWords;
        if (file === undefined || words === undefined) contents?.remove(fileId);
        else contents?.put(fileId, file.uid, words);
        components?.refresh(fileId);
      }
      await this.#views.settle();
    });
  }

  async #storedOf(fileId: number): Promise<StoredChange> {
    const { shapes, views } = this.#parts.store;
    const [shape, [faceWords], row, shapelets] = await Promise.all([
      shapes.one(fileId),
      shapes.descriptors('faceWords', [fileId]),
      views.one(fileId),
      views.shapelets(fileId),
    ]);
    return {
      ...(shape === undefined ? {} : { shape: { ...shape, descriptors: { compact: shape.compact, faceWords } } }),
      ...(row === undefined || row.bytes.length === 0 ? {} : { views: { ...row, shapelets } }),
    };
  }

  #know(fileId: number, file: FoundFile | undefined, change: Exclude<Change, 'stored'>): void {
    const { shape, views } = file === undefined ? {} : (change ?? {});
    if (file === undefined || change === undefined) this.#table.remove(fileId);
    else this.#table.put(file);
    if (file === undefined || shape === undefined) this.#shapes.remove(fileId);
    else this.#shapes.add(fileId, file.uid, shape);
    if (file === undefined || views === undefined) this.#views.remove(fileId);
    else this.#views.add(fileId, file.uid, views);
  }

  /** Runs work after all former work has ended. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work, work);
    this.#work = done.catch(() => undefined);
    return done;
  }

  async close(): Promise<void> {
    await this.#warming?.close();
    await this.#work;
    const components = await this.#components?.catch(() => undefined);
    await Promise.all([this.#shapes.close(), this.#views.close(), components?.close()]);
  }

  /** Memory that it takes, about, bytes. */
  get bytes(): number {
    return BYTES_AT_LEAST + this.#shapes.bytes + this.#views.bytes + (this.#openedComponents?.bytes ?? 0);
  }

  /** Whether it came to hold more than it may, so that, opened anew, it would ask the database for some of it. */
  get hasOutgrown(): boolean {
    const { room = () => Infinity } = this.#parts;
    const ofComponents = this.#openedComponents?.heldBytes ?? 0;
    return this.#shapes.heldBytes + this.#views.heldBytes + ofComponents > room();
  }

  /** The search by shape, which knows all changes so far. */
  async shapes(): Promise<ShapeSearch> {
    await this.#settle();
    return this.#shapes;
  }

  /**
   * seen: the search inputs that may be searched with; default all.
   * @throws TypeError, RangeError; EngineError `QUERY_INVALID`, `FILE_UNKNOWN`, `FILE_NOT_INDEXED`, or the reason why
   * an input cannot be read.
   */
  search(query: SearchQuery, seen?: SeenInputs): Promise<SearchResult> {
    return this.#wanted(() => this.#search(query, seen));
  }

  /** Runs what somebody waits for, before what only warms up. */
  #wanted<T>(work: () => Promise<T>): Promise<T> {
    return this.#warming === undefined ? work() : this.#warming.during(work);
  }

  async #search(query: SearchQuery, seen?: SeenInputs): Promise<SearchResult> {
    const checked = checkQuery(query);
    const started = performance.now();
    const { store, companyId, attributes } = this.#parts;
    const asInputs = checked.contains === undefined ? checked.like : [checked.contains];
    const inputs = await prepareInputs({ ...this.#parts, seen }, asInputs, checked.signal);
    await this.#shapes.turn(checked.signal);
    const [settings, within, { mark }] = await Promise.all([
      store.settings(companyId),
      checked.within && store.files.idsOf(companyId, checked.within),
      store.changes.since(),
    ]);
    await this.#settle();
    const asked = wordsOf(checked, settings);
    const words = checked.clauses.length === 0 ? undefined : asked;
    const turn = (): Promise<void> => this.#shapes.turn(checked.signal);
    const stated = new StatedSizes({ ...this.#parts, inputs, turn });
    const filters: Filters = ({ ofAll = false } = {}) => this.#filters(checked, ofAll ? undefined : within);
    const {
      ranked,
      total,
      facets,
      warnings: told = [],
    }: Found = checked.contains !== undefined
      ? await this.#byContent(inputs[0], checked, filters, words)
      : inputs.length > 0
        ? await this.#byShape({ inputs, stated }, checked, filters, words)
        : words !== undefined
          ? await this.#byWords(checked, filters, words)
          : await this.#byPath(checked, filters);
    const reasons = total === 0 ? [...(await reasonsOf(checked.attributeTests, attributes, companyId)), ...told] : [];
    const warnings = [...reasons, ...unusedTolerances(checked, inputs), ...(await this.#missingComponents(checked))];
    const hits = new HitBuilder({
      core: this.#parts.core,
      store,
      companyId: this.#parts.companyId,
      texts: this.#parts.texts,
      attributes,
      stated,
      inputs: checked.contains === undefined ? inputs : [],
      ...(checked.contains !== undefined && {
        contained: { features: inputs[0].shape?.features, faces: checked.contains.faces },
      }),
      query: checked,
      words: asked,
      mark,
      stillFound: async (fileIds) => {
        await this.#settle();
        const conditions = [...filters(), ...(words === undefined ? [] : [await this.#wordsCondition(words)])];
        let found = this.#table.those(fileIds);
        for (const condition of conditions) found = await condition.those(found);
        return found;
      },
      turn,
    });
    const built = await hits.build(ranked);
    warnings.push(...hits.warnings);
    return {
      hits: built,
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
    await this.#settle();
    const count = Math.min(searches, this.#shapes.size);
    for (let i = 0; i < count; i++) await this.#wanted(() => this.#warm(i, count, signal));
  }

  /** Searches with one of the files with a shape: number `number` of `count` that are spread over all of them. */
  async #warm(number: number, count: number, signal: AbortSignal | undefined): Promise<void> {
    await this.#shapes.turn(signal);
    const { ids } = this.#shapes;
    const row = await this.#parts.store.files.rowById(ids[Math.floor(((number + 0.5) * ids.length) / count)]);
    if (row === undefined) return; // Deleted meanwhile.
    try {
      await this.#search({ like: { uid: row.uid }, limit: WARM_UP_LIMIT, signal });
    } catch (cause) {
      // Files that were deleted or are being read again are skipped.
      if (!(cause instanceof EngineError && (cause.code === 'FILE_UNKNOWN' || cause.code === 'FILE_NOT_INDEXED')))
        throw cause;
    }
  }

  /** What is asked beside shape and words. within: ids of the files that alone may be found; undefined: all. */
  #filters({ attributes, kinds, categories }: CheckedQuery, within: readonly number[] | undefined): Condition[] {
    const { companyId } = this.#parts;
    const conditions = attributes.map((alternatives) =>
      this.#answers.keeping(
        `attribute ${JSON.stringify(alternatives)}`,
        attributeCondition(this.#parts.attributes, companyId, alternatives),
      ),
    );
    if (kinds !== undefined) conditions.push(listCondition(() => this.#table.ofKinds(kinds)));
    if (categories !== undefined) conditions.push(listCondition(() => this.#ofCategories(categories)));
    if (within !== undefined) conditions.push(listCondition(() => Uint32Array.from(within).sort()));
    return conditions;
  }

  async #ofCategories(wanted: readonly (number | null)[]): Promise<Uint32Array> {
    const all = await this.#parts.store.searchable.ofCategories(this.#parts.companyId);
    const files = all.filter(({ categoryId }) => wanted.includes(categoryId)).map(({ fileIds }) => fileIds);
    // null: the files without a category.
    if (wanted.includes(null)) files.push(all.reduce((left, { fileIds }) => subtract(left, fileIds), this.#table.ids));
    return files.reduce(union, new Uint32Array(0));
  }

  /** Decides from one state of the catalogue and of what memory holds. */
  #atOneMoment<T>(decide: () => Promise<T>): Promise<T> {
    return atOneMoment(this.#parts.store.changes, async () => {
      await this.#settle();
      return decide();
    });
  }

  async #facets(
    { facets, attributeFacets }: CheckedQuery,
    fileIds: () => Uint32Array | Promise<Uint32Array>,
    assemblies: () => readonly number[] = () => [],
  ): Promise<SearchFacets | undefined> {
    if (!facets) return undefined;
    const { store, companyId, attributes } = this.#parts;
    return countFacets(
      {
        companyId,
        table: this.#table,
        searchable: store.searchable,
        attributes: attributeFacets ? attributes : undefined,
      },
      { fileIds: await fileIds(), assemblies: assemblies() },
    );
  }

  async #byShape(
    { inputs, stated }: { readonly inputs: readonly PreparedInput[]; readonly stated: StatedSizes },
    checked: CheckedQuery,
    filters: Filters,
    words: TextQuery | undefined,
  ): Promise<Found> {
    // Models find models by their surface; all other pairs are compared by views.
    const shapes = inputs.flatMap(({ shape }) => (shape === undefined ? [] : [shape]));
    const bySurface = shapes.length === inputs.length;
    const withFiles = checked.components !== 'only';
    if (!bySurface && withFiles && !this.#views.hasModels) await this.#alone(() => this.#views.loadModels());
    const seenByViews = (): Uint32Array =>
      bySurface ? this.#views.those(this.#table.ofKinds(['TwoD', 'Image'])) : this.#views.ids;
    const views =
      withFiles && seenByViews().length > 0
        ? await Promise.all(inputs.map(async (input) => (await input.views()) ?? NO_VIEWS))
        : [];
    const wanted = checked.offset + checked.limit;
    // Components are counted when they are ranked.
    const withComponents = checked.components !== false;
    const { found, around, modelCount, filesFound, facets } = await this.#atOneMoment(async () => {
      const said = words === undefined ? [] : [await this.#wordsCondition(words)];
      const setsOf = async (conditions: readonly Condition[]): Promise<FoundSets> => {
        const among = await passing([...conditions, ...said]);
        const models = bySurface ? await this.#shapes.passing(shapes, checked, among) : new Uint32Array(0);
        const rest = views.length === 0 ? new Uint32Array(0) : seenByViews();
        const isSeen = views.some(({ shapelets }) => shapelets.length > 0);
        const meant = isSeen ? (among === undefined ? rest : intersection(among, rest)) : new Uint32Array(0);
        const seen = bySurface ? meant : await this.#shapes.withoutOtherSizes(shapes, checked, meant);
        return { among, models, seen, besideViews: seen === meant ? among : seen };
      };
      const found = await setsOf(filters());
      const around = checked.within === undefined ? undefined : await setsOf(filters({ ofAll: true }));
      // The union is computed only for facets.
      const foundModels = withFiles ? (found.models ?? this.#shapes.ids) : new Uint32Array(0);
      const filesFound = (): Uint32Array => union(foundModels, found.seen);
      const modelCount = withFiles ? (found.models?.length ?? this.#shapes.size) : 0;
      const facets = withComponents ? undefined : await this.#facets(checked, filesFound);
      return { found, around, modelCount, filesFound, facets };
    });
    const rank = (sets: FoundSets, wanted: number): Promise<MergedHit[]> =>
      this.#ranked({ inputs, stated, shapes: withFiles ? shapes : [], views }, sets, {
        ...checked,
        offset: 0,
        limit: wanted,
      });
    const files =
      around === undefined
        ? await rank(found, wanted)
        : asAmongAll(await rank(found, Math.max(wanted, RANKED_AROUND)), await rank(around, RANKED_AROUND));
    const parts = withComponents
      ? await (await this.#openComponents())?.nearest(inputs, { ...checked, stated, among: found.among, wanted })
      : undefined;
    const all = parts === undefined ? files : merged<MergedHit | ComponentHit>(files, parts.hits);
    return {
      ranked: all.slice(checked.offset, wanted).map((hit) => rankedFile(hit, inputs.length)),
      total: modelCount + found.seen.length + (parts?.total ?? 0),
      facets: facets ?? (await this.#facets(checked, filesFound, parts?.assemblies)),
    };
  }

  /** The nearest of these files: models by their surface and all others by their views, on one scale. */
  async #ranked(
    { inputs, stated, shapes, views }: RankedInputs,
    { models, seen, besideViews }: FoundSets,
    checked: CheckedQuery,
  ): Promise<MergedHit[]> {
    const turn = (): Promise<void> => this.#shapes.turn(checked.signal);
    const near =
      shapes.length === 0 || models?.length === 0
        ? []
        : await this.#shapes.nearest(shapes, models, { ...checked, limit: Math.max(checked.limit, MOST_SIZED + 1) });
    const found = await lessLike(near, byCounts({ store: this.#parts.store, shapes: this.#shapes, queries: shapes }));
    if (seen.length === 0) return [...found];
    const ofBytes = await Promise.all(
      inputs.map(({ sha256 }) => this.#parts.store.views.ofBytes(this.#parts.companyId, sha256)),
    );
    const identical = new Set(ofBytes.filter((_, i) => inputs[i].isPart !== true).flat());
    const drawings = intersection(seen, this.#table.ofKinds(['TwoD']));
    const anew = await savedAnew({
      store: this.#parts.store,
      texts: this.#parts.texts,
      inputs: drawings.length === 0 ? [] : await Promise.all(inputs.map((input) => input.drawing())),
      identical,
      drawings,
      linesLike: (key, apart) => this.#views.linesLike(key, apart),
      turn,
    });
    const shown = await this.#views.nearest(views, seen, {
      wanted: Math.max(checked.limit, MOST_SIZED),
      surfaces: await this.#shapes.surfaces(inputs, besideViews, checked),
      same: [...new Set([...ofBytes.flat(), ...anew.keys()])],
      identical,
      anew,
      photoModels: checked.photoModels,
      turn,
    });
    const isSame = (fileId: number): boolean => identical.has(fileId) || anew.has(fileId);
    const { store } = this.#parts;
    const counted = { store, shapes: this.#shapes, queries: inputs.map(({ shape }) => shape) };
    const sized = await lessLike(
      await lessLike(shown, byStatements({ store, inputs, stated, isSame })),
      byCountsBeside(counted, isSame),
    );
    return merged<MergedHit>(found, onScaleOfModels(sized, { identical, anew }));
  }

  async #byContent(
    input: PreparedInput,
    checked: CheckedQuery,
    filters: Filters,
    words: TextQuery | undefined,
  ): Promise<Found> {
    const bytes = await input.faces();
    if (bytes === undefined)
      throw new EngineError('NO_GEOMETRY', 'only models can be looked for inside others; the input has no faces');
    const shape = containedShape(bytes, { faces: checked.contains?.faces, toleranceMm: checked.toleranceMm });
    const among = await passing(words === undefined ? filters() : [...filters(), await this.#wordsCondition(words)]);
    const search = await this.#openContents();
    const wanted = checked.offset + checked.limit;
    const turn = (): Promise<void> => this.#shapes.turn(checked.signal);
    const hits = await search.find(shape, { sizes: checked.sizes, among, wanted, turn });
    return {
      ranked: hits.slice(checked.offset, wanted).map(({ uid: _, ...hit }) => ({
        ...hit,
        matchClass: 'contains',
        similarity: 100 * hit.coverage,
      })),
      total: hits.length,
      facets: await this.#facets(checked, () => Uint32Array.from(hits, ({ fileId }) => fileId).sort()),
      warnings: isTelling(shape, checked.sizes) ? [] : [NOT_TELLING],
    };
  }

  /** Opened by the first search for shapes inside others; after a failure the next one tries again. */
  #openContents(): Promise<ContainsSearch> {
    if (this.#contents === undefined) {
      const { store, companyId } = this.#parts;
      const opening = ContainsSearch.open({ shapes: store.shapes, companyId });
      this.#contents = opening;
      opening.catch(() => {
        this.#contents = undefined;
      });
    }
    return this.#contents;
  }

  /** Undefined while the company has no indexed components. */
  async #openComponents(): Promise<ComponentSearch | undefined> {
    const companyId = await this.#parts.store.components.companyOf(this.#parts.companyId);
    if (companyId === undefined) return undefined;
    if (this.#components === undefined) {
      const { room = () => Infinity } = this.#parts;
      const left = (): number => room() - this.#shapes.bytes - this.#views.bytes;
      const opening = ComponentSearch.open({ ...this.#parts, room: left }, companyId);
      this.#components = opening;
      opening.then(
        (opened) => {
          this.#openedComponents = opened;
        },
        () => {
          this.#components = undefined; // The next search for components tries again.
        },
      );
    }
    return this.#components;
  }

  /** What is told where components are asked for and none are indexed. */
  async #missingComponents({ components, like }: CheckedQuery): Promise<string[]> {
    if (components === false || like.length === 0) return [];
    const { store, companyId } = this.#parts;
    return (await store.components.companyOf(companyId)) === undefined ? [NO_COMPONENTS] : [];
  }

  async #wordsCondition(words: TextQuery): Promise<Condition> {
    const { texts, companyId } = this.#parts;
    const condition = {
      estimate: () => texts.count(companyId, words),
      ids: () => texts.matching(companyId, words),
      those: (fileIds: Uint32Array) => texts.those(companyId, fileIds, words),
    };
    if (await texts.isKept(companyId, words)) return { ...condition, idsPerCheck: 1 };
    return this.#answers.keeping(`words ${JSON.stringify(words)}`, {
      ...condition,
      bound: () => texts.size(companyId),
      ...(asksForWordsOnly(words) ? { idsPerCheck: IDS_PER_TEXT_CHECK } : {}),
    });
  }

  async #byWords(checked: CheckedQuery, filters: Filters, words: TextQuery): Promise<Found> {
    const { texts, companyId } = this.#parts;
    return this.#atOneMoment(async () => {
      const allow = await passing(filters());
      const { fileIds, scores, total } = await texts.ranked(companyId, words, { ...checked, allow });
      return {
        ranked: fileIds.map((fileId, i) => ({ fileId, score: scores[i], similarity: null, matchClass: null })),
        total,
        facets: await this.#facets(checked, async () => {
          const ids = await (await this.#wordsCondition(words)).ids();
          return allow === undefined ? ids : intersection(allow, ids);
        }),
      };
    });
  }

  async #byPath(checked: CheckedQuery, filters: Filters): Promise<Found> {
    const { store, companyId } = this.#parts;
    return this.#atOneMoment(async () => {
      const passed = await passing(filters());
      const fileIds = passed === undefined ? this.#table.ids : intersection(passed, this.#table.ids);
      const page = await store.searchable.inPathOrder(companyId, fileIds, { ...checked, files: this.#table.size });
      return {
        ranked: page.map((fileId) => ({ fileId, score: 0, similarity: null, matchClass: null })),
        total: fileIds.length,
        facets: await this.#facets(checked, () => fileIds),
      };
    });
  }
}

/**
 * Hits among some files as they are among all: a view or surface is told by what else is like the query. Those that are
 * not among the nearest of all are at most as like.
 */
function asAmongAll(some: readonly MergedHit[], nearest: readonly MergedHit[]): MergedHit[] {
  const known = new Map(nearest.map((hit, place) => [hit.fileId, { hit, place }]));
  const least = nearest.at(-1)?.score ?? 0;
  const placed = some.map((hit, i) => {
    const among = known.get(hit.fileId);
    return among ?? { hit: { ...hit, score: Math.max(hit.score, least) }, place: nearest.length + i };
  });
  return placed.sort((a, b) => a.place - b.place).map(({ hit }) => hit);
}

function wordsOf(
  { clauses }: CheckedQuery,
  { useNumericTextSearch, usesFileTextForSearch }: CompanySettings,
): TextQuery {
  return { clauses, numeric: useNumericTextSearch, labelsOnly: !usesFileTextForSearch };
}

function rankedFile({ uid: _, ...found }: MergedHit | ComponentHit, inputs: number): RankedFile {
  const input = found.input ?? found.match?.input;
  const hit = { ...found, ...(inputs > 1 ? { input } : {}) };
  const similarity = similarityOf(hit.score);
  if (!('assemblyId' in hit)) return { ...hit, similarity };
  const { assemblyId, fileId: componentId, ...rest } = hit;
  return { ...rest, fileId: assemblyId, componentId, similarity };
}
