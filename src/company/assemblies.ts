import { EngineError } from '../errors.js';
import type { IndexQueue } from '../indexing/queue.js';
import { withDefaults, type Defaults } from '../options.js';
import { DEFAULT_THUMBNAIL } from '../pictures/thumbnail-options.js';
import type { SearchHit, SearchInput, SearchQuery, SearchResult } from '../search/query/query.js';
import type { MatchClass } from '../search/query/match-class.js';
import type { IndexedComponent } from '../store/catalog/assembly-component.js';
import { derivedGuid } from '../store/catalog/derived-guid.js';
import type { FileRecord } from '../store/catalog/record.js';
import { billFile, billOfMaterials, billRows, type BillLine } from './bill-of-materials.js';
import { checkBoolean, checkUid } from './checks.js';
import type { CompanyContext } from './context.js';
import type { CompanyFiles } from './files.js';
import type { CompanyPictures } from './pictures.js';
import { checkTableFile, picturesOf, type TableFileOptions } from './hits-file.js';
import { checkInputOptions } from './put-options.js';

/** @internal */
interface AssembliesParts extends CompanyContext {
  readonly queue: IndexQueue;
  readonly files: CompanyFiles;
  readonly pictures: CompanyPictures;
}

/** Query of a search with each component of an assembly: a search query without `like`. */
export type ComponentQuery = Omit<SearchQuery, 'like'>;

/** The result of the search with one component of an assembly. */
export interface ComponentResult {
  readonly component: IndexedComponent;
  readonly result: SearchResult;
}

/** A component of another assembly that is the same part. */
export interface HeldComponent
  extends Pick<IndexedComponent, 'uid' | 'number' | 'name' | 'place' | 'occurrences' | 'isAssembly'> {
  /** Match class of the component, compared with the part. */
  readonly matchClass: MatchClass;
  readonly score: number;
}

/** An assembly that contains the part. */
export interface HoldingAssembly {
  readonly uid: string;
  readonly path: string;
  /** Its components that are the part, best match first. */
  readonly components: readonly HeldComponent[];
  /** How often the assembly contains the part. */
  readonly occurrences: number;
}

/** Which matches count. */
export interface HoldingOptions {
  /** True: mirror images count as well. Default false: only the same shape and size. */
  readonly mirrored?: boolean;
  readonly signal?: AbortSignal;
}

const HOLDING_DEFAULTS = Object.freeze({
  mirrored: false,
  signal: undefined,
} satisfies Defaults<HoldingOptions>);

/** How often two assemblies contain the same part. */
export interface SharedPart {
  /** Number of the component in the given assembly. */
  readonly component: number;
  /** The same part in the other assembly. */
  readonly held: HeldComponent;
  /** Number of placements in the given and in the other assembly. */
  readonly occurrences: readonly [own: number, other: number];
}

/** An assembly that shares parts with the given one. */
export interface SharingAssembly {
  readonly uid: string;
  readonly path: string;
  /** Sorted by the number of the component in the given assembly. */
  readonly shared: readonly SharedPart[];
}

/** The parts that an assembly shares with others: one row for each component, one column for each assembly. */
export interface SharedPartMatrix {
  readonly components: readonly IndexedComponent[];
  /** Sorted by the number of shared components, descending; ties by path. */
  readonly assemblies: readonly SharingAssembly[];
}

/** Number of hits requested at a time: identical parts come first and rarely exceed this. */
const HITS_AT_A_TIME = 256;
const SAME: ReadonlySet<MatchClass | null> = new Set(['identical'] as const);
const SAME_OR_MIRRORED: ReadonlySet<MatchClass | null> = new Set(['identical', 'mirrored'] as const);

/** The assemblies of a company and their parts: `company.assemblies`. */
export class CompanyAssemblies {
  readonly #parts: AssembliesParts;

  /** @internal */
  constructor(parts: AssembliesParts) {
    this.#parts = parts;
  }

  /**
   * Indexes the components of a file that was put without `indexAssemblyComponents`, or of a search input. Resolves
   * with the record once that is done. The file stays searchable meanwhile.
   * @throws EngineError `FILE_UNKNOWN`, and the errors of `put`.
   */
  async indexComponents(uid: string, options?: { readonly signal?: AbortSignal }): Promise<FileRecord> {
    const { signal } = withDefaults('indexComponents options', options, { signal: undefined });
    const { store, queue, files, lifetime } = this.#open();
    const known = checkUid(uid);
    const before = await files.row(known);
    const owner = before.company_id;
    // A job that is already running was started without components.
    await files.settled(before.id, await store.files.record(before), owner, signal);
    const row = await store.files.row(owner, known);
    if (row.components === 1) return store.files.record(row);
    await lifetime.write(() => store.jobs.wantComponents(row.id));
    const ended = queue.ended(row.id, signal);
    queue.wake();
    await ended;
    return store.files.record(await store.files.row(owner, known));
  }

  /** The separately indexed component with this UID; undefined when there is none. */
  async component(uid: string): Promise<IndexedComponent | undefined> {
    const { store, companyId, seen } = this.#open();
    const found = await store.componentWith(companyId, checkUid(uid), seen);
    return found && (await store.components.one(found.fileId));
  }

  /** See `Company.searchComponents`. @internal */
  async searchComponents(uid: string, { components = true, ...query }: ComponentQuery): Promise<ComponentResult[]> {
    const results: ComponentResult[] = [];
    for (const component of await this.#componentsToAsk(uid, query.signal)) {
      results.push({ component, result: await this.#search({ ...query, components, like: { uid: component.uid } }) });
    }
    return results;
  }

  /**
   * The assemblies that contain a part. The part is a file of the company, a component of one of its assemblies, or
   * bytes that are not stored. Only separately indexed components are searched, by shape and size, regardless of their
   * names. Assemblies are sorted by the number of placements, descending; ties by path. The file itself, and the
   * assembly that a given component belongs to, are left out.
   * @throws EngineError and the other errors of `search`.
   */
  async holding(part: string | SearchInput, options?: HoldingOptions): Promise<HoldingAssembly[]> {
    const { mirrored, signal } = withDefaults('holding options', options, HOLDING_DEFAULTS);
    checkBoolean('holding options.mirrored', mirrored);
    const like = typeof part === 'string' ? { uid: checkUid(part) } : part;
    if ('uid' in like && (await this.#noneCanHold(checkUid(like.uid)))) return [];
    const own = 'uid' in like ? ((await this.#assemblyOf(like.uid)) ?? like.uid) : undefined;
    const found = new Map<string, { uid: string; path: string; components: HeldComponent[] }>();
    for (const hit of await this.#sameParts(like, mirrored ? SAME_OR_MIRRORED : SAME, signal)) {
      const { uid, path, component, matchClass, score } = hit;
      if (uid === own) continue;
      const assembly = found.get(uid) ?? { uid, path, components: [] };
      found.set(uid, assembly);
      // Searches by `like` give no other class.
      assembly.components.push({ ...component!, matchClass: matchClass as MatchClass, score });
    }
    return [...found.values()]
      .map(
        (assembly): HoldingAssembly => ({
          ...assembly,
          occurrences: assembly.components.reduce((sum, { occurrences }) => sum + occurrences, 0),
        }),
      )
      .sort((a, b) => b.occurrences - a.occurrences || (a.path < b.path ? -1 : 1));
  }

  /**
   * The assemblies that share parts with a given one, and the shared parts. Parts are the same if shape and size are.
   * Runs one search for each component.
   * @throws EngineError `FILE_UNKNOWN`; `FILE_NOT_INDEXED` when its components are not indexed; `ABORTED`.
   */
  async sharedParts(uid: string, options?: { readonly signal?: AbortSignal }): Promise<SharedPartMatrix> {
    const { signal } = withDefaults('sharedParts options', options, { signal: undefined });
    const components = await this.#indexedComponents(uid);
    const sharing = new Map<string, { uid: string; path: string; shared: SharedPart[] }>();
    for (const component of components) {
      for (const holder of await this.holding(component.uid, { signal })) {
        const assembly = sharing.get(holder.uid) ?? { uid: holder.uid, path: holder.path, shared: [] };
        sharing.set(holder.uid, assembly);
        assembly.shared.push({
          component: component.number,
          held: holder.components[0],
          occurrences: [component.occurrences, holder.occurrences],
        });
      }
    }
    return {
      components,
      assemblies: [...sharing.values()].sort((a, b) => b.shared.length - a.shared.length || (a.path < b.path ? -1 : 1)),
    };
  }

  /**
   * The bill of materials of an assembly: a line for each distinct part of each distinct sub-assembly, in the order of
   * the tree, at most 20 000; undefined for a single part.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async billOfMaterials(uid: string): Promise<BillLine[] | undefined> {
    const { store, files } = this.#open();
    const { id } = await files.row(checkUid(uid));
    const root = await store.assemblies.tree(id);
    return root && billOfMaterials(root, await store.components.of(id));
  }

  /**
   * The same as a file: CSV, or a workbook (XLSX) with pictures, where these are asked for, of those parts that are
   * indexed as components; or pages to be printed (PDF), the first 500 lines.
   * @throws EngineError `FILE_UNKNOWN`; `NO_GEOMETRY` for a single part; TypeError or RangeError for wrong options.
   */
  async billFile(uid: string, options?: TableFileOptions): Promise<Uint8Array> {
    const { format, pictures } = checkTableFile(options);
    const lines = await this.billOfMaterials(uid);
    if (lines === undefined)
      throw new EngineError('NO_GEOMETRY', `${uid} is no assembly, so it has no bill of materials`);
    const { pictures: drawing, files } = this.#open();
    const uids = lines.map((line) => line.uid);
    const draw = (part: string): Promise<Uint8Array> => drawing.thumbnail({ uid: part }, DEFAULT_THUMBNAIL);
    const drawn = pictures ? await picturesOf(uids, draw) : undefined;
    if (format !== 'pdf') return billFile(lines, format, drawn);
    const { printSheet } = await import('../pictures/print-sheet.js');
    const { displayName, path } = await files.get(checkUid(uid));
    const rows = billRows(lines, drawn);
    const left = rows.length < lines.length ? `${rows.length} of ` : '';
    return printSheet({
      title: `Bill of materials of ${displayName}`,
      about: `${path}: ${left}${lines.length} lines`,
      rows,
    });
  }

  /** True when no search is needed: the part is indexed, and no assembly of the company has indexed components. */
  async #noneCanHold(uid: string): Promise<boolean> {
    const { store, companyId, files } = this.#open();
    if ((await store.components.companyOf(companyId)) !== undefined) return false;
    const { state, triangle_count: triangles } = await files.row(uid);
    return state === 'indexed' && triangles !== null;
  }

  /** All components that are the part, best match first. */
  async #sameParts(
    like: SearchInput,
    classes: ReadonlySet<SearchHit['matchClass']>,
    signal: AbortSignal | undefined,
  ): Promise<SearchHit[]> {
    const same: SearchHit[] = [];
    for (let offset = 0; ; offset += HITS_AT_A_TIME) {
      const { hits } = await this.#search({ like, components: 'only', limit: HITS_AT_A_TIME, offset, signal });
      same.push(...hits.filter(({ matchClass }) => classes.has(matchClass)));
      // Similar parts come after all identical ones.
      if (hits.length < HITS_AT_A_TIME || hits[hits.length - 1].matchClass === 'similar') return same;
    }
  }

  async #search(query: SearchQuery): Promise<SearchResult> {
    const { search, seen } = this.#open();
    return search.use((one) => one.search(query, seen));
  }

  /** The UID of the assembly that a component belongs to. */
  async #assemblyOf(uid: string): Promise<string | undefined> {
    return (await this.component(uid))?.assemblyUid;
  }

  /**
   * The components to search with; none of a single part. Those of a stored assembly that was put without them are
   * indexed of a copy of it, a search input: so they find others, and nobody finds them. Its UID follows from the file
   * and its bytes, so that later searches ask with the same copy until it expires.
   */
  async #componentsToAsk(uid: string, signal: AbortSignal | undefined): Promise<IndexedComponent[]> {
    const { store, companyId, files } = this.#open();
    const row = await files.row(checkUid(uid));
    if (row.state !== 'indexed' || row.components === 1) return this.#indexedComponents(uid);
    if ((await store.assemblies.tree(row.id)) === undefined) return [];
    if (row.company_id !== companyId) {
      await this.indexComponents(uid, { signal });
      return this.#indexedComponents(uid);
    }
    const copy = derivedGuid(`components of ${row.uid} ${row.blob_hash}`);
    if ((await files.input(copy))?.state !== 'indexed') {
      const { pieces } = await files.stream(uid);
      const { extension } = row;
      await files.putInput(pieces, checkInputOptions({ extension, uid: copy, indexAssemblyComponents: true, signal }));
    }
    return this.#indexedComponents(copy);
  }

  /** @throws EngineError `FILE_NOT_INDEXED` when the file is an assembly whose components are not indexed. */
  async #indexedComponents(uid: string): Promise<IndexedComponent[]> {
    const { store, files } = this.#open();
    const row = await files.row(checkUid(uid));
    if (row.state !== 'indexed' || row.components !== 1) {
      const why =
        row.state === 'indexed'
          ? 'was put without indexAssemblyComponents; assemblies.indexComponents indexes them now'
          : `is ${row.state}`;
      throw new EngineError('FILE_NOT_INDEXED', `${uid} ${why}, so its components are not known`, {
        details: { uid, state: row.state },
      });
    }
    return store.components.of(row.id);
  }

  #open(): AssembliesParts {
    this.#parts.lifetime.checkOpen();
    return this.#parts;
  }
}
