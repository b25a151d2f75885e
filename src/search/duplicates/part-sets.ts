import type { Outline } from '../../descriptors/fine.js';
import type { DuplicateFile } from '../../store/catalog/duplicates.js';
import { boxesAgree, type Boxed } from '../shapes/same-part/find-same-parts.js';
import { OutlineTable } from './outline-table.js';
import { ITSELF, type Match, type PartMatcher } from './part-matcher.js';

/**
 * Most sets that a file is compared with, those first whose measures are nearest: of other parts measures seldom agree, and those of the
 * same part are among the very first.
 */
const MOST_COMPARED = 64;

/** A file, with what of its surface tells most others from it where it has one. */
export interface SetFile extends DuplicateFile {
  readonly outline: Outline | undefined;
}

/** A file of a set. */
export interface SetMember {
  readonly file: SetFile;
  /** What its part is to that of the first file; undefined where there is none to compare. */
  readonly match: Match | undefined;
}

/** Files that hold the same part, or are equal byte for byte. The first one leads. */
export interface PartSet {
  /** Its place among all. */
  readonly number: number;
  readonly members: SetMember[];
  /** The first file with a part; others are compared with it. */
  part: SetFile | undefined;
}

/** A part that is another one mirrored or in another size. */
export interface PartRelation {
  readonly from: PartSet;
  /** Begun after it. */
  readonly to: PartSet;
  /** Of the part of `to` to that of `from`; never 'identical' or 'similar'. */
  readonly match: Match;
}

/** Whether a person said of two files that they are different. */
export type IsDifferent = (a: SetFile, b: SetFile) => boolean;

/** How {@link PartSets} is made. */
export interface PartSetParts {
  /** Undefined: files are the same by their bytes alone. */
  readonly matcher: PartMatcher | undefined;
  readonly isDifferent: IsDifferent;
}

/**
 * Puts files, each in its turn, into sets of the same part: a file is compared with the first one of each set that its measures allow, so that
 * a thousand copies take a thousand comparisons. Depends on nothing but the files and their order.
 */
export class PartSets {
  readonly all: PartSet[] = [];
  readonly relations: PartRelation[] = [];
  readonly #parts: PartSetParts;
  readonly #byBytes = new Map<string, PartSet[]>();
  /** Of their parts, by their numbers. */
  readonly #outlines = new OutlineTable();

  constructor(parts: PartSetParts) {
    this.#parts = parts;
  }

  /** Puts one file more. */
  async put(file: SetFile): Promise<void> {
    const equal = this.#byBytes.get(file.sha256) ?? [];
    const home = equal.find((set) => this.#mayJoin(file, set));
    if (home !== undefined) {
      const twin = home.members.find((member) => member.file.sha256 === file.sha256 && member.match !== undefined);
      return this.#join(home, {
        file,
        match: file.outline === undefined ? undefined : (twin?.match ?? (home.part === undefined ? ITSELF : undefined)),
      });
    }
    const related: { from: PartSet; match: Match }[] = [];
    for (const set of this.#alike(file)) {
      const match = await this.#parts.matcher!.match(set.part!, file);
      if (match.matchClass === 'identical') {
        if (this.#mayJoin(file, set)) return this.#join(set, { file, match });
      } else if (match.matchClass !== 'similar') related.push({ from: set, match });
    }
    const set: PartSet = { number: this.all.length, members: [], part: undefined };
    this.all.push(set);
    this.#join(set, { file, match: file.outline === undefined ? undefined : ITSELF });
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

  /** Sets whose part may be this file's, the likeliest first. */
  #alike(file: SetFile): PartSet[] {
    const { matcher } = this.#parts;
    if (matcher === undefined || file.outline === undefined) return [];
    const possible: { set: PartSet; apart: number }[] = [];
    for (const number of this.#outlines.like(file.outline)) {
      const set = this.all[number];
      if (!boxesAgree(boxOf(set.part!), boxOf(file))) continue;
      const apart = matcher.apart(set.part!, file);
      if (apart !== undefined) possible.push({ set, apart });
    }
    // The sort is stable: equal ones stay in the order of their first files.
    return possible
      .sort((a, b) => a.apart - b.apart)
      .slice(0, MOST_COMPARED)
      .map(({ set }) => set);
  }
}

/** Of a file with an outline. */
function boxOf({ surfaceAreaMm2, bboxVolumeMm3 }: SetFile): Boxed {
  return { surfaceAreaMm2: surfaceAreaMm2!, bboxVolumeMm3: bboxVolumeMm3! };
}
