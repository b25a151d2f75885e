import { EngineError } from '../errors.js';
import type { IndexQueue } from '../indexing/queue.js';
import { withDefaults } from '../options.js';
import type { SearchHit, SearchInput, SearchQuery, SearchResult } from '../search/query/query.js';
import type { MatchClass } from '../search/shapes/same-part/compare-part.js';
import type { AssemblyComponent, IndexedComponent } from '../store/catalog/assembly-component.js';
import type { FileRecord } from '../store/catalog/record.js';
import { CompanyCatalogue, type CatalogueParts } from './catalogue.js';
import { checkBoolean, checkUid } from './checks.js';

/**
 * What finding parts in assemblies needs.
 * @internal
 */
export interface AssemblyParts extends CatalogueParts {
  readonly queue: IndexQueue;
  readonly search: (query: SearchQuery) => Promise<SearchResult>;
}

/** A search with each component of an assembly: a query without `like`. */
export type ComponentQuery = Omit<SearchQuery, 'like'>;

/** What was found with one component of an assembly. */
export interface ComponentResult {
  readonly component: IndexedComponent;
  readonly result: SearchResult;
}

/** A component of another assembly that is the same part. */
export interface HeldComponent
  extends Pick<IndexedComponent, 'uid' | 'number' | 'name' | 'place' | 'occurrences' | 'isAssembly'> {
  /** Of the component, compared with what was asked for. */
  readonly matchClass: MatchClass;
  readonly score: number;
}

/** An assembly that holds a part. */
export interface HoldingAssembly {
  readonly uid: string;
  readonly path: string;
  /** Those of its components that are the part, best first. */
  readonly components: readonly HeldComponent[];
  /** How often it holds the part. */
  readonly occurrences: number;
}

/** Which matches count. */
export interface AssembliesWithOptions {
  /** True: mirror images count as well. Default false: the very same shape and size. */
  readonly mirrored?: boolean;
  readonly signal?: AbortSignal;
}

const HOLDING_DEFAULTS: Required<AssembliesWithOptions> = Object.freeze({
  mirrored: false,
  signal: undefined as never,
});

/** How often two assemblies hold one part. */
export interface SharedPart {
  /** Number of the component in the assembly that was asked for. */
  readonly component: number;
  /** The same part there. */
  readonly held: HeldComponent;
  /** Placements here and there. */
  readonly occurrences: readonly [own: number, other: number];
}

/** An assembly that shares parts with another one. */
export interface SharingAssembly {
  readonly uid: string;
  readonly path: string;
  /** By the number of the component here. */
  readonly shared: readonly SharedPart[];
}

/** Which parts an assembly shares with which others: a row for each component, a column for each assembly. */
export interface SharedPartMatrix {
  readonly components: readonly IndexedComponent[];
  /** Those with the most shared components first, ties by path. */
  readonly assemblies: readonly SharingAssembly[];
}

/** Hits that are asked for at a time: the same parts come first, and are seldom more. */
const HITS_AT_A_TIME = 256;
const SAME: ReadonlySet<MatchClass | null> = new Set(['identical'] as const);
const SAME_OR_MIRRORED: ReadonlySet<MatchClass | null> = new Set(['identical', 'mirrored'] as const);

/** What a company's assemblies are made of, and which of them hold a part. */
export class CompanyAssemblies extends CompanyCatalogue {
  readonly #parts: AssemblyParts;

  /** @internal */
  constructor(parts: AssemblyParts) {
    super(parts);
    this.#parts = parts;
  }

  /**
   * The product structure of an indexed model: its root, with parts and sub-assemblies below it; undefined when the model is a single part.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async assembly(uid: string): Promise<AssemblyComponent | undefined> {
    const { store, companyId, checkOpen } = this.#parts;
    checkOpen();
    return store.assemblies.tree(store.fileOrInput(companyId, checkUid(uid)).id);
  }

  /**
   * The distinct parts and sub-assemblies of an assembly that were indexed by themselves, by their numbers; none when it was put without
   * `indexAssemblyComponents`, or is a single part. @throws EngineError `FILE_UNKNOWN`.
   */
  async components(uid: string): Promise<IndexedComponent[]> {
    const { store, companyId, checkOpen } = this.#parts;
    checkOpen();
    return store.components.of(store.fileOrInput(companyId, checkUid(uid)).id);
  }

  /**
   * Indexes the components of a file that was put without, or of a search input. Resolves with the record once that is done. The file
   * stays searchable meanwhile. @throws EngineError `FILE_UNKNOWN`, and as `put` does.
   */
  async indexComponents(uid: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<FileRecord> {
    const { store, queue, companyId, checkOpen, write } = this.#parts;
    checkOpen();
    const known = checkUid(uid);
    const { company_id: owner } = store.fileOrInput(companyId, known);
    // A job that runs already does not know of the wish.
    await this.settled(
      store.files.row(owner, known).id,
      store.files.record(store.files.row(owner, known)),
      owner,
      signal,
    );
    const row = store.files.row(owner, known);
    if (row.components === 1) return store.files.record(row);
    await write(() => store.wantComponents(row.id));
    const ended = queue.ended(row.id, signal);
    queue.wake();
    await ended;
    return store.files.record(store.files.row(owner, known));
  }

  /**
   * Finds files by shape, text, attributes, kind and category; with `components` the parts of assemblies as well; see {@link SearchQuery}.
   */
  async search(query: SearchQuery): Promise<SearchResult> {
    this.#parts.checkOpen();
    return this.#parts.search(query);
  }

  /**
   * Searches with each distinct component of an assembly (of a stored file or a search input), by their numbers.
   * @throws EngineError `FILE_UNKNOWN`; `FILE_NOT_INDEXED` when its components are not; as `search` does.
   */
  async searchComponents(uid: string, query: ComponentQuery = {}): Promise<ComponentResult[]> {
    const results: ComponentResult[] = [];
    for (const component of this.#indexedComponents(uid)) {
      results.push({ component, result: await this.search({ ...query, like: { uid: component.uid } }) });
    }
    return results;
  }

  /**
   * The assemblies that hold a part: a file of the company, a component of one of its assemblies, or bytes that are stored nowhere. Looked
   * for among the components that are indexed by themselves, by shape and size, whatever they are called. Those with the most placements
   * first, ties by path; not the file itself, nor the assembly that a component is of.
   * @throws EngineError and others as `search` does.
   */
  async assembliesWith(part: string | SearchInput, options?: AssembliesWithOptions): Promise<HoldingAssembly[]> {
    const { mirrored, signal } = withDefaults(
      'assembliesWith options',
      options as Partial<Required<AssembliesWithOptions>>,
      HOLDING_DEFAULTS,
    );
    checkBoolean('assembliesWith options.mirrored', mirrored);
    const like = typeof part === 'string' ? { uid: checkUid(part) } : part;
    if ('uid' in like && this.#noneCanHold(checkUid(like.uid))) return [];
    const own = 'uid' in like ? (this.#assemblyOf(like.uid) ?? like.uid) : undefined;
    const found = new Map<string, { uid: string; path: string; components: HeldComponent[] }>();
    for (const { uid, path, component, matchClass, score } of await this.#sameParts(
      like,
      mirrored ? SAME_OR_MIRRORED : SAME,
      signal,
    )) {
      if (uid === own) continue;
      const assembly = found.get(uid) ?? { uid, path, components: [] };
      found.set(uid, assembly);
      assembly.components.push({ ...component!, matchClass: matchClass!, score });
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
   * The assemblies that share parts with one, and which. Shape and size tell whether parts are the same; a search for each component.
   * @throws EngineError `FILE_UNKNOWN`; `FILE_NOT_INDEXED` when its components are not; `ABORTED`.
   */
  async sharedParts(uid: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<SharedPartMatrix> {
    const components = this.#indexedComponents(uid);
    const sharing = new Map<string, { uid: string; path: string; shared: SharedPart[] }>();
    for (const component of components) {
      for (const {
        uid: other,
        path,
        components: [held],
        occurrences,
      } of await this.assembliesWith(component.uid, { signal })) {
        const assembly = sharing.get(other) ?? { uid: other, path, shared: [] };
        sharing.set(other, assembly);
        assembly.shared.push({ component: component.number, held, occurrences: [component.occurrences, occurrences] });
      }
    }
    return {
      components,
      assemblies: [...sharing.values()].sort((a, b) => b.shared.length - a.shared.length || (a.path < b.path ? -1 : 1)),
    };
  }

  /** Whether nothing is to be searched: a good part, and no assembly of the company has components that are indexed. */
  #noneCanHold(uid: string): boolean {
    const { store, companyId, checkOpen } = this.#parts;
    checkOpen();
    if (store.components.companyOf(companyId) !== undefined) return false;
    const { state, triangle_count: triangles } = store.fileOrInput(companyId, uid);
    return state === 'indexed' && triangles !== null;
  }

  /** All components that are the part, best first. */
  async #sameParts(
    like: SearchInput,
    classes: ReadonlySet<MatchClass | null>,
    signal: AbortSignal | undefined,
  ): Promise<SearchHit[]> {
    const same: SearchHit[] = [];
    for (let offset = 0; ; offset += HITS_AT_A_TIME) {
      const { hits } = await this.search({ like, components: 'only', limit: HITS_AT_A_TIME, offset, signal });
      same.push(...hits.filter(({ matchClass }) => classes.has(matchClass)));
      // What is only similar comes behind all that is the same.
      if (hits.length < HITS_AT_A_TIME || hits[hits.length - 1].matchClass === 'similar') return same;
    }
  }

  /** The assembly that a component is of. */
  #assemblyOf(uid: string): string | undefined {
    const { store, companyId } = this.#parts;
    const found = store.componentWith(companyId, checkUid(uid));
    return found && store.components.one(found.fileId)?.assemblyUid;
  }

  /** @throws EngineError `FILE_NOT_INDEXED` when the file is an assembly of which no components are indexed. */
  #indexedComponents(uid: string): IndexedComponent[] {
    const { store, companyId, checkOpen } = this.#parts;
    checkOpen();
    const row = store.fileOrInput(companyId, checkUid(uid));
    if (row.state !== 'indexed' || row.components !== 1) {
      const why =
        row.state === 'indexed'
          ? 'was put without indexAssemblyComponents; indexComponents does it now'
          : `is ${row.state}`;
      throw new EngineError('FILE_NOT_INDEXED', `${uid} ${why}, so its components are not known`, {
        details: { uid, state: row.state },
      });
    }
    return store.components.of(row.id);
  }

  /** Waits until the file, whatever bytes its UID stands for by then, is indexed or failed. @internal */
  protected async settled(
    fileId: number,
    record: FileRecord,
    companyId: number,
    signal: AbortSignal | undefined,
  ): Promise<FileRecord> {
    const { store, queue } = this.#parts;
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
