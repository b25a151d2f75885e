import type { Outline } from '../../descriptors/fine.js';
import type { DuplicateFile } from '../../store/catalog/duplicate-records.js';
import { boxesAgree, type Boxed } from '../shapes/same-part/find-same-parts.js';
import { OutlineTable } from './outline-table.js';
import type { DrawingSets } from './drawing-sets.js';
import { ITSELF, savedAnewAs, type Match, type PartMatcher } from './part-matcher.js';

/**
 * Most sets that a file is compared with, in the order of their difference of measures. Measures of other parts rarely
 * agree, and sets of the same part are among the first.
 */
const MOST_COMPARED = 64;

/** A file, with the outline of its surface if it has one. */
export interface SetFile extends DuplicateFile {
  readonly outline: Outline | undefined;
}

/** A file of a set. */
export interface SetMember {
  readonly file: SetFile;
  /** Relation of its part, or its drawing, to that of the first file; undefined when one of them has none. */
  readonly match: Match | undefined;
}

/** Files with the same part or drawing, or with equal bytes. */
export interface PartSet {
  /** Index among all sets. */
  readonly number: number;
  readonly members: SetMember[];
  /** The first file with a part; other files are compared with it. */
  part: SetFile | undefined;
}

/** A relation between parts: mirrored or in another size. */
export interface PartRelation {
  readonly from: PartSet;
  /** A later set. */
  readonly to: PartSet;
  /** Relation of the part of `to` to that of `from`; never 'identical' or 'similar'. */
  readonly match: Match;
}

/** Whether a user marked two files as different. */
export type IsDifferent = (a: SetFile, b: SetFile) => boolean;

/** What {@link PartSets} needs. */
export interface PartSetParts {
  /** Undefined: files are compared by their bytes only. */
  readonly matcher: PartMatcher | undefined;
  /** Undefined: drawings are compared by their bytes only. */
  readonly drawings: DrawingSets<PartSet> | undefined;
  readonly isDifferent: IsDifferent;
}

/**
 * Groups files into sets of the same part or drawing, one file after the other. A file is compared with the first file
 * of each set whose measures allow it, so a thousand copies take a thousand comparisons. The result depends only on
 * the files and their order.
 */
export class PartSets {
  readonly all: PartSet[] = [];
  readonly relations: PartRelation[] = [];
  readonly #parts: PartSetParts;
  readonly #byBytes = new Map<string, PartSet[]>();
  /** Outlines of the sets' parts, by set number. */
  readonly #outlines = new OutlineTable();

  constructor(parts: PartSetParts) {
    this.#parts = parts;
  }

  /** Adds a file to a set, or starts a new set. */
  async put(file: SetFile): Promise<void> {
    const equal = this.#byBytes.get(file.sha256) ?? [];
    const home = equal.find((set) => this.#mayJoin(file, set));
    if (home !== undefined) {
      const twin = home.members.find((member) => member.file.sha256 === file.sha256 && member.match !== undefined);
      this.#join(home, {
        file,
        match:
          file.outline === undefined ? drawn(twin) : (twin?.match ?? (home.part === undefined ? ITSELF : undefined)),
      });
      return this.#parts.drawings?.begin(home, file);
    }
    const anew = await this.#parts.drawings?.homeOf(file, (set) => this.#mayJoin(file, set));
    if (anew !== undefined) return this.#join(anew.set, { file, match: savedAnewAs(anew.drawn) });
    const related: { from: PartSet; match: Match }[] = [];
    for (const set of await this.#alike(file)) {
      const match = await this.#parts.matcher!.match(set.part!, file);
      if (match.matchClass === 'identical') {
        if (this.#mayJoin(file, set)) return this.#join(set, { file, match });
      } else if (match.matchClass !== 'similar') related.push({ from: set, match });
    }
    const set: PartSet = { number: this.all.length, members: [], part: undefined };
    this.all.push(set);
    this.#join(set, { file, match: file.outline === undefined ? undefined : ITSELF });
    await this.#parts.drawings?.begin(set, file);
    for (const relation of related) this.relations.push({ ...relation, to: set });
  }

  #join(set: PartSet, member: SetMember): void {
    const { file } = member;
    const equal = this.#byBytes.get(file.sha256);
    if (equal === undefined) this.#byBytes.set(file.sha256, [set]);
    else if (!equal.includes(set)) equal.push(set);
    set.members.push(member);
    if (set.part !== undefined || file.outline === undefined || this.#parts.matcher === undefined) return;
    set.part = file;
    this.#outlines.add(set.number, file.outline);
  }

  #mayJoin(file: SetFile, { members }: PartSet): boolean {
    return !members.some((member) => this.#parts.isDifferent(member.file, file));
  }

  /** Sets that may hold the file's part, in the order of their difference of measures. */
  async #alike(file: SetFile): Promise<PartSet[]> {
    const { matcher } = this.#parts;
    if (matcher === undefined || file.outline === undefined) return [];
    const sets = this.#outlines
      .like(file.outline)
      .map((number) => this.all[number])
      .filter(({ part }) => boxesAgree(boxOf(part!), boxOf(file)));
    const apart = await matcher.apart(
      file,
      sets.map(({ part }) => part!),
    );
    // The sort is stable: equal differences keep the order of the sets.
    return sets
      .flatMap((set, i) => (apart[i] === undefined ? [] : [{ set, apart: apart[i] }]))
      .sort((a, b) => a.apart - b.apart)
      .slice(0, MOST_COMPARED)
      .map(({ set }) => set);
  }
}

/** The relation of a file without a part that has the bytes of another one. */
function drawn(twin: SetMember | undefined): Match | undefined {
  return twin?.match?.drawn === undefined ? undefined : twin.match;
}

/** Sizes of a file with an outline. */
function boxOf({ surfaceAreaMm2, bboxVolumeMm3 }: SetFile): Boxed {
  return { surfaceAreaMm2: surfaceAreaMm2!, bboxVolumeMm3: bboxVolumeMm3! };
}
