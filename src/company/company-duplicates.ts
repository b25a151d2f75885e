import type { Core } from '../core/core.js';
import { EngineError, optionError } from '../errors.js';
import { checkInteger, LONGEST_TIMEOUT_MS, withDefaults, type Defaults } from '../options.js';
import {
  DEFAULT_NEAR_SCORE,
  DUPLICATE_CLASSES,
  type DuplicateClass,
  type DuplicateGroup,
  type DuplicatesOptions,
  type DuplicatesProgress,
  type DuplicatesReport,
} from '../search/duplicates/duplicates-report.js';
import { WrittenSigns } from '../search/duplicates/drawing-sets.js';
import { findDuplicates, type CheckedDuplicatesOptions } from '../search/duplicates/find-duplicates.js';
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

/** Duplicates that were found in a limited time; see {@link CompanyDuplicates.findWithin}. */
export interface DuplicatesSoFar extends Pick<DuplicatesReport, 'groups' | 'files' | 'parts'> {
  /** How far the work was when the time was over, and no groups; null: the answer is complete. */
  readonly progress: Pick<DuplicatesProgress, 'phase' | 'done' | 'total'> | null;
}

/** Which file of a group to keep. */
export interface KeepOptions {
  /** The class of the group; 'bytes' and 'identical' are equivalent here. Default 'identical'. */
  readonly matchClass?: DuplicateClass;
}

const KEEP_DEFAULTS = Object.freeze({ matchClass: 'identical' } satisfies Defaults<KeepOptions>);

/** Which files differ. */
export interface DifferentOptions {
  /** UID of the file that each of the others differs from. Absent: each of the files differs from every other. */
  readonly from?: string;
}

const DIFFERENT_DEFAULTS = Object.freeze({ from: undefined } satisfies Defaults<DifferentOptions>);

/** Most files that one call can declare different from each other: each pair of them is stored as a decision. */
const DIFFERENT_LIMIT = 100;
/** Most decisions of one call: the pairs of so many files. */
const DECISIONS_LIMIT = (DIFFERENT_LIMIT * (DIFFERENT_LIMIT - 1)) / 2;

/** @internal */
interface DuplicatesParts extends CompanyContext {
  readonly core: Core;
  readonly pictures: CompanyPictures;
}

/** Files of a company that are the same: `company.duplicates`. Nothing here deletes a file. */
export class CompanyDuplicates {
  readonly #parts: DuplicatesParts;
  readonly #written = new WrittenSigns();

  /** @internal */
  constructor(parts: DuplicatesParts) {
    this.#parts = parts;
  }

  /**
   * Groups of files that are the same: byte for byte (files of every kind), as drawings that were saved anew, or as
   * parts that are identical, mirrored, scaled or near, each with the evidence. Comparisons of parts are stored in the
   * library, so a later call compares only new
   * files, and an interrupted call can be continued. The same library gives the same groups. Files that were {@link
   * markDifferent | marked different} are never in one group.
   *
   * The work runs in this thread, some milliseconds at a time, and lets searches run in between.
   * @throws EngineError `ABORTED`, `ENGINE_CLOSED`; TypeError or RangeError that names the wrong option.
   */
  async find(options?: DuplicatesOptions): Promise<DuplicatesReport> {
    this.#open();
    return this.#find(checkFindOptions(options));
  }

  /**
   * {@link find} for at most so many milliseconds. Comparisons that were made in this time are stored, so that a later
   * call goes on from there.
   * @throws the errors of {@link find}.
   */
  async findWithin(withinMs: number, options?: DuplicatesOptions): Promise<DuplicatesSoFar> {
    checkInteger('withinMs', withinMs, 1, LONGEST_TIMEOUT_MS);
    this.#open();
    const checked = checkFindOptions(options);
    const end = AbortSignal.timeout(withinMs);
    let at: DuplicatesSoFar['progress'] = { phase: 'compare', done: 0, total: 0 };
    try {
      const { groups, files, parts } = await this.#find({
        ...checked,
        signal: checked.signal === undefined ? end : AbortSignal.any([end, checked.signal]),
        onProgress: (progress) => {
          const { phase, done, total } = progress;
          at = { phase, done, total };
          checked.onProgress?.(progress);
        },
      });
      return { progress: null, groups, files, parts };
    } catch (cause) {
      if (!(cause instanceof EngineError && cause.code === 'ABORTED' && end.aborted)) throw cause;
      return { progress: at, groups: [], files: 0, parts: 0 };
    }
  }

  /**
   * Draws groups of duplicates as one PNG: each group on its own rows, with path, class and score; at most 40 rows.
   * @throws EngineError `ABORTED`, `ENGINE_CLOSED`.
   */
  async picture(groups: readonly DuplicateGroup[]): Promise<Uint8Array> {
    const { pictures } = this.#open();
    // Loaded when needed: the image library takes time and memory.
    const { duplicatesPicture } = await import('../pictures/result-pictures.js');
    return duplicatesPicture(groups, (uid, size) => pictures.thumbnail({ uid }, { size, background: 'transparent' }));
  }

  /**
   * Records that 2 to 100 files are different parts, each from every other. The decision is valid until it is undone or
   * a file is deleted, even if the bytes of a file change. With `from`, each of the files (1 to 4 950) differs from
   * that one, and nothing is said about those among themselves. Returns the decisions, one for each pair.
   * @throws EngineError `FILE_UNKNOWN`; TypeError or RangeError that names the wrong option.
   */
  async markDifferent(uids: readonly string[], options?: DifferentOptions): Promise<DuplicateDecision[]> {
    if (!Array.isArray(uids)) throw new TypeError(`uids must be a list of GUIDs, received ${typeof uids}`);
    const { from } = withDefaults('markDifferent options', options, DIFFERENT_DEFAULTS);
    const files = [...new Set(uids.map(checkUid))];
    const [least, most] = from === undefined ? [2, DIFFERENT_LIMIT] : [1, DECISIONS_LIMIT];
    if (files.length < least || files.length > most)
      throw new RangeError(`uids must name ${least} to ${most} files, received ${files.length}`);
    const one = from === undefined ? undefined : checkUid(from);
    if (one !== undefined && files.includes(one))
      throw new RangeError(`from must be a file that uids does not name, received ${one}`);
    const pairs =
      one === undefined
        ? files.sort().flatMap((a, i) => files.slice(i + 1).map((b) => [a, b]))
        : files.map((other) => [one, other]);
    return this.#decide(pairs.map((pair): NewDecision => ({ kind: 'different', uids: pair, of: null })));
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

  #find(options: CheckedDuplicatesOptions): Promise<DuplicatesReport> {
    const { store, companyId, core, search, lifetime } = this.#parts;
    return lifetime.write(() =>
      search.use(async (one) => {
        const texts = store.rooms.words.door;
        return findDuplicates(
          { store, companyId, core, shapes: await one.shapes(), texts, written: this.#written },
          options,
        );
      }),
    );
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

/** @throws TypeError or RangeError that names the option. */
function checkFindOptions(options: DuplicatesOptions | undefined): CheckedDuplicatesOptions {
  const { near, settled, onProgress, signal, ...given } = withDefaults('duplicates options', options, FIND_DEFAULTS);
  checkBoolean('duplicates options.settled', settled);
  if (near !== undefined && !(typeof near === 'number' && near >= 0 && near <= 1)) {
    throw optionError(RangeError, 'duplicates options.near', `must be a score from 0 to 1, received ${String(near)}`);
  }
  const classes = given.classes ?? DUPLICATE_CLASSES.filter((one) => one !== 'near' || near !== undefined);
  if (!Array.isArray(classes))
    throw optionError(TypeError, 'duplicates options.classes', `must be a list, received ${typeof classes}`);
  for (const one of classes) checkOneOf('duplicates options.classes', one, DUPLICATE_CLASSES);
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new TypeError(`duplicates options.onProgress must be a function, received ${typeof onProgress}`);
  return { classes, near: near ?? DEFAULT_NEAR_SCORE, settled, onProgress, signal };
}
