import { checkThumbnailOptions, type ThumbnailOptions } from '../pictures/thumbnail-options.js';
import { checkInteger, withDefaults } from '../options.js';
import {
  DEFAULT_NEAR_SCORE,
  DUPLICATE_CLASSES,
  type DuplicateClass,
  type DuplicateGroup,
  type DuplicatesOptions,
  type DuplicatesReport,
} from '../search/duplicates/duplicates.js';
import type { CheckedDuplicatesOptions } from '../search/duplicates/find-duplicates.js';
import { scopeOf } from '../search/duplicates/groups.js';
import type { SearchInput } from '../search/query/query.js';
import type { DuplicateDecision } from '../store/catalog/duplicate-decision.js';
import type { NewDecision } from '../store/catalog/duplicates.js';
import { CompanyAssemblies, type AssemblyParts } from './assemblies.js';
import { checkBoolean, checkOneOf, checkUid } from './checks.js';

const DUPLICATES_DEFAULTS: Required<DuplicatesOptions> = Object.freeze({
  classes: undefined as never,
  near: undefined as never,
  settled: true,
  onProgress: undefined as never,
  signal: undefined as never,
});

/** In which groups a file is to be kept. */
export interface KeepOptions {
  /** The class of the group; 'bytes' and 'identical' are the same here. Default 'identical'. */
  readonly matchClass?: DuplicateClass;
}

const KEEP_DEFAULTS: Required<KeepOptions> = Object.freeze({ matchClass: 'identical' });

/** Most files that are declared different at once: every pair of them is a decision. */
const DIFFERENT_LIMIT = 100;

/**
 * What finding duplicates needs of the engine.
 * @internal
 */
export interface DuplicatesHost extends AssemblyParts {
  /** The thumbnail of a part: kept, or drawn in a worker. */
  readonly draw: (part: SearchInput, options: ThumbnailOptions) => Promise<Uint8Array>;
  readonly duplicates: (options: CheckedDuplicatesOptions) => Promise<DuplicatesReport>;
}

/** The part of a company that is about files which are the same. Nothing here deletes a file. */
export abstract class CompanyDuplicates extends CompanyAssemblies {
  readonly #parts: DuplicatesHost;

  /** @internal */
  constructor(parts: DuplicatesHost) {
    super(parts);
    this.#parts = parts;
  }

  /**
   * Groups of files that are the same: byte for byte (files of every kind), or as parts identical, mirrored, scaled or near, each with the
   * evidence. What is compared is remembered in the library, so a later call compares only what is new, and one that was ended goes on.
   * The same library gives the same groups. Decisions count: files that are {@link markDifferent} are not in one group.
   *
   * It works in this thread, some milliseconds at a time, and lets searches go between them.
   * @throws EngineError `ABORTED`, `ENGINE_CLOSED`; TypeError or RangeError that names a wrong option.
   */
  async duplicates(options?: DuplicatesOptions): Promise<DuplicatesReport> {
    const { checkOpen, write, duplicates } = this.#parts;
    checkOpen();
    const { near, settled, onProgress, signal, ...given } = withDefaults(
      'duplicates options',
      options as Partial<Required<DuplicatesOptions>>,
      DUPLICATES_DEFAULTS,
    );
    checkBoolean('duplicates options.settled', settled);
    if (near !== undefined && !(typeof near === 'number' && near >= 0 && near <= 1)) {
      throw new RangeError(`duplicates options.near must be a score from 0 to 1, received ${String(near)}`);
    }
    const classes = given.classes ?? DUPLICATE_CLASSES.filter((one) => one !== 'near' || near !== undefined);
    if (!Array.isArray(classes))
      throw new TypeError(`duplicates options.classes must be a list, received ${typeof classes}`);
    for (const one of classes) checkOneOf('duplicates options.classes', one, DUPLICATE_CLASSES);
    return write(() => duplicates({ classes, near: near ?? DEFAULT_NEAR_SCORE, settled, onProgress, signal }));
  }

  /**
   * One PNG of groups of duplicates, each on rows of its own, with path, class and score; the first 40 rows of them.
   * @throws EngineError `ABORTED`, `ENGINE_CLOSED`.
   */
  async duplicatesPicture(groups: readonly DuplicateGroup[]): Promise<Uint8Array> {
    const { checkOpen, draw } = this.#parts;
    checkOpen();
    // Loaded when it is wanted: the image library takes time and memory.
    const { duplicatesPicture } = await import('../pictures/duplicates-picture.js');
    return duplicatesPicture(groups, (uid, size) => draw({ uid }, checkThumbnailOptions({ size })));
  }

  /**
   * Says that files are different parts, every one from every other: 2 to 100 UIDs. Kept until it is undone or a file is deleted; new
   * bytes of a file leave it as it is. Returns the decisions, one for each pair.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async markDifferent(uids: readonly string[]): Promise<DuplicateDecision[]> {
    if (!Array.isArray(uids)) throw new TypeError(`uids must be a list of GUIDs, received ${typeof uids}`);
    const known = [...new Set(uids.map(checkUid))].sort();
    if (known.length < 2 || known.length > DIFFERENT_LIMIT)
      throw new RangeError(`uids must name 2 to ${DIFFERENT_LIMIT} files, received ${known.length}`);
    return this.#decide(
      known,
      known.flatMap((a, i) =>
        known.slice(i + 1).map((b): NewDecision => ({ kind: 'different', uids: [a, b], of: null })),
      ),
    );
  }

  /**
   * Says that of its group this file is the one to keep. The last such decision of a group counts. The group is then settled, until
   * another file comes to it or the bytes of one change. No file is deleted.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async keepDuplicate(uid: string, options?: KeepOptions): Promise<DuplicateDecision> {
    const { matchClass } = withDefaults(
      'keepDuplicate options',
      options as Partial<Required<KeepOptions>>,
      KEEP_DEFAULTS,
    );
    checkOneOf('keepDuplicate options.matchClass', matchClass, DUPLICATE_CLASSES);
    const known = checkUid(uid);
    const [decision] = await this.#decide([known], [{ kind: 'keep', uids: [known], of: scopeOf(matchClass) }]);
    return decision;
  }

  /** What was decided about duplicates, in that order. */
  async duplicateDecisions(): Promise<DuplicateDecision[]> {
    const { store, companyId, checkOpen } = this.#parts;
    checkOpen();
    return store.duplicates.decisions(companyId);
  }

  /** Takes decisions back; ids that there are none of are passed over. Returns how many were taken back. */
  async undoDuplicateDecisions(ids: readonly number[]): Promise<number> {
    const { store, companyId, checkOpen, write } = this.#parts;
    checkOpen();
    if (!Array.isArray(ids)) throw new TypeError(`ids must be a list of numbers, received ${typeof ids}`);
    for (const id of ids) checkInteger('decision id', id, 1);
    return write(() => store.commit(() => store.duplicates.undo(companyId, ids)));
  }

  #decide(uids: readonly string[], decisions: readonly NewDecision[]): Promise<DuplicateDecision[]> {
    const { store, companyId, checkOpen, write } = this.#parts;
    checkOpen();
    return write(() =>
      store.commit(() => {
        for (const uid of uids) store.files.row(companyId, uid);
        return store.duplicates.decide(companyId, decisions, Date.now());
      }),
    );
  }
}
