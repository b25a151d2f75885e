import type { Core } from '../core/core.js';
import { checkInteger, withDefaults, type Defaults } from '../options.js';
import {
  DEFAULT_NEAR_SCORE,
  DUPLICATE_CLASSES,
  type DuplicateClass,
  type DuplicateGroup,
  type DuplicatesOptions,
  type DuplicatesReport,
} from '../search/duplicates/duplicates-report.js';
import { findDuplicates } from '../search/duplicates/find-duplicates.js';
import { scopeOf } from '../search/duplicates/groups.js';
import type { DuplicateDecision } from '../store/catalog/duplicate-decision.js';
import type { NewDecision } from '../store/catalog/duplicate-records.js';
import { checkBoolean, checkOneOf, checkUid } from './checks.js';
import type { CompanyContext } from './context.js';
import type { CompanyPictures } from './pictures.js';

const FIND_DEFAULTS = Object.freeze({
  classes: undefined,
  near: undefined,
  settled: true,
  onProgress: undefined,
  signal: undefined,
} satisfies Defaults<DuplicatesOptions>);

/** Which file of a group to keep. */
export interface KeepOptions {
  /** The class of the group; 'bytes' and 'identical' are equivalent here. Default 'identical'. */
  readonly matchClass?: DuplicateClass;
}

const KEEP_DEFAULTS = Object.freeze({ matchClass: 'identical' } satisfies Defaults<KeepOptions>);

/** Most files that one call can declare different: each pair of them is stored as a decision. */
const DIFFERENT_LIMIT = 100;

/** @internal */
interface DuplicatesParts extends CompanyContext {
  readonly core: Core;
  readonly pictures: CompanyPictures;
}

/** Files of a company that are the same: `company.duplicates`. Nothing here deletes a file. */
export class CompanyDuplicates {
  readonly #parts: DuplicatesParts;

  /** @internal */
  constructor(parts: DuplicatesParts) {
    this.#parts = parts;
  }

  /**
   * Groups of files that are the same: byte for byte (files of every kind), or as parts that are identical, mirrored,
   * scaled or near, each with the evidence. Comparisons are stored in the library, so a later call compares only new
   * files, and an interrupted call can be continued. The same library gives the same groups. Files that were {@link
   * markDifferent | marked different} are never in one group.
   *
   * The work runs in this thread, some milliseconds at a time, and lets searches run in between.
   * @throws EngineError `ABORTED`, `ENGINE_CLOSED`; TypeError or RangeError that names the wrong option.
   */
  async find(options?: DuplicatesOptions): Promise<DuplicatesReport> {
    const { store, companyId, core, search, lifetime } = this.#open();
    const { near, settled, onProgress, signal, ...given } = withDefaults('duplicates options', options, FIND_DEFAULTS);
    checkBoolean('duplicates options.settled', settled);
    if (near !== undefined && !(typeof near === 'number' && near >= 0 && near <= 1)) {
      throw new RangeError(`duplicates options.near must be a score from 0 to 1, received ${String(near)}`);
    }
    const classes = given.classes ?? DUPLICATE_CLASSES.filter((one) => one !== 'near' || near !== undefined);
    if (!Array.isArray(classes))
      throw new TypeError(`duplicates options.classes must be a list, received ${typeof classes}`);
    for (const one of classes) checkOneOf('duplicates options.classes', one, DUPLICATE_CLASSES);
    return lifetime.write(() =>
      findDuplicates(
        { store, companyId, core, shapes: search.shapes },
        { classes, near: near ?? DEFAULT_NEAR_SCORE, settled, onProgress, signal },
      ),
    );
  }

  /**
   * Draws groups of duplicates as one PNG: each group on its own rows, with path, class and score; at most 40 rows.
   * @throws EngineError `ABORTED`, `ENGINE_CLOSED`.
   */
  async picture(groups: readonly DuplicateGroup[]): Promise<Uint8Array> {
    const { pictures } = this.#open();
    // Loaded when needed: the image library takes time and memory.
    const { duplicatesPicture } = await import('../pictures/duplicates-picture.js');
    return duplicatesPicture(groups, (uid, size) => pictures.thumbnail({ uid }, { size, background: 'transparent' }));
  }

  /**
   * Records that 2 to 100 files are different parts, each from every other. The decision is valid until it is undone or
   * a file is deleted, even if the bytes of a file change. Returns the decisions, one for each pair.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async markDifferent(uids: readonly string[]): Promise<DuplicateDecision[]> {
    if (!Array.isArray(uids)) throw new TypeError(`uids must be a list of GUIDs, received ${typeof uids}`);
    const known = [...new Set(uids.map(checkUid))].sort();
    if (known.length < 2 || known.length > DIFFERENT_LIMIT)
      throw new RangeError(`uids must name 2 to ${DIFFERENT_LIMIT} files, received ${known.length}`);
    const pairs = known.flatMap((a, i) =>
      known.slice(i + 1).map((b): NewDecision => ({ kind: 'different', uids: [a, b], of: null })),
    );
    return this.#decide(pairs);
  }

  /**
   * Records which file of its group to keep; the last such decision of a group is valid. The group then counts as
   * settled until another file joins it or the bytes of one change. No file is deleted.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async keep(uid: string, options?: KeepOptions): Promise<DuplicateDecision> {
    const { matchClass } = withDefaults('keep options', options, KEEP_DEFAULTS);
    checkOneOf('keep options.matchClass', matchClass, DUPLICATE_CLASSES);
    const known = checkUid(uid);
    const [decision] = await this.#decide([{ kind: 'keep', uids: [known], of: scopeOf(matchClass) }]);
    return decision;
  }

  /** All decisions, oldest first. */
  async decisions(): Promise<DuplicateDecision[]> {
    const { store, companyId } = this.#open();
    return store.duplicates.decisions(companyId);
  }

  /** Undoes decisions and returns how many; unknown ids are ignored. */
  async undo(ids: readonly number[]): Promise<number> {
    const { store, companyId, lifetime } = this.#open();
    if (!Array.isArray(ids)) throw new TypeError(`ids must be a list of numbers, received ${typeof ids}`);
    for (const id of ids) checkInteger('decision id', id, 1);
    return lifetime.write(() => store.duplicates.undo(companyId, ids));
  }

  async #decide(decisions: readonly NewDecision[]): Promise<DuplicateDecision[]> {
    const { store, companyId, lifetime } = this.#open();
    return lifetime.write(() => store.duplicates.decide(companyId, decisions));
  }

  #open(): DuplicatesParts {
    this.#parts.lifetime.checkOpen();
    return this.#parts;
  }
}
