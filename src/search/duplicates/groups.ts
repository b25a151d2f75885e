import type { DuplicateDecision } from '../../store/catalog/duplicate-decision.js';
import { SAVED_ANEW_SCORE } from '../query/likeness.js';
import { samePartScore } from '../shapes/same-part/find-same-parts.js';
import {
  DUPLICATE_CLASSES,
  type DuplicateClass,
  type DuplicateGroup,
  type DuplicateMember,
} from './duplicates-report.js';
import { drawnAnewText } from './drawn-anew.js';
import type { IsDifferent, PartSet, PartSets, SetFile, SetMember } from './part-sets.js';
import { spanning, starsOf, starsOfMost, type Link, type Star } from './star-groups.js';

/** How similar two parts are. */
export interface NearMatch {
  readonly score: number;
}

/** How groups are built. */
export interface GroupOptions {
  readonly decisions: readonly DuplicateDecision[];
  readonly isDifferent: IsDifferent;
  readonly classes: readonly DuplicateClass[];
}

/** A member with the id of its file; ids rise with arrival. */
interface Placed {
  readonly member: DuplicateMember;
  readonly arrival: number;
}

/**
 * The groups of the wanted classes: sets of the same part, and one file of each set where parts are mirrored, scaled or
 * near.
 * near: links in both directions.
 */
export function groupsOf(
  { all, relations }: PartSets,
  near: readonly Link<NearMatch>[],
  options: GroupOptions,
): DuplicateGroup[] {
  const { classes, isDifferent } = options;
  const mayBe = ({ from, to }: Link<unknown>): boolean =>
    !from.members.some((a) => to.members.some((b) => isDifferent(a.file, b.file)));
  const keepers = keepersOf(options.decisions);
  const made: DuplicateGroup[] = all.filter(({ members }) => members.length > 1).map((set) => setGroup(set, keepers));
  // Each member of a family is linked once; relations between other members follow from these links.
  const links = spanning(
    relations.filter(mayBe).sort((a, b) => a.from.number - b.from.number || a.to.number - b.to.number),
  );
  for (const matchClass of ['mirrored', 'scaled'] as const) {
    made.push(
      ...starsOf(links.filter(({ match }) => match.matchClass === matchClass)).map((star) =>
        starGroup(star, matchClass, keepers, (file, match) => evidence(matchClass, file, match)),
      ),
    );
  }
  const stronger = new Set(
    relations.flatMap(({ from, to }) => [`${from.number} ${to.number}`, `${to.number} ${from.number}`]),
  );
  const alike = near.filter((link) => !stronger.has(`${link.from.number} ${link.to.number}`) && mayBe(link));
  made.push(
    ...starsOfMost(alike).map((star) =>
      starGroup(star, 'near', keepers, (_file, { score }) => ({ ...NO_MATCH, score })),
    ),
  );
  const rank = ({ matchClass }: DuplicateGroup): number => DUPLICATE_CLASSES.indexOf(matchClass);
  const sameBytes = ({ matchClass, spareBytes }: DuplicateGroup): number => (matchClass === 'bytes' ? spareBytes : 0);
  return made
    .filter(({ matchClass }) => classes.includes(matchClass))
    .sort(
      (a, b) => rank(a) - rank(b) || sameBytes(b) - sameBytes(a) || (a.members[0].path < b.members[0].path ? -1 : 1),
    );
}

/** The group of one set; its class is the weakest of its members'. */
function setGroup({ members: [first, ...others] }: PartSet, keepers: Keepers): DuplicateGroup {
  const placed = others.map(({ file, match }): Placed => {
    const matchClass = file.sha256 === first.file.sha256 ? 'bytes' : 'identical';
    return {
      arrival: file.fileId,
      member: { ...factsOf(file), ...evidence(matchClass, file, match), matchClass, copies: 0 },
    };
  });
  const matchClass = placed.every(({ member }) => member.matchClass === 'bytes') ? 'bytes' : 'identical';
  return groupOf(matchClass, [{ arrival: first.file.fileId, member: firstMember(first.file, 0) }, ...placed], keepers);
}

/** One file of each set of a star. */
function starGroup<T>(
  { centre, others }: Star<T>,
  matchClass: DuplicateClass,
  keepers: Keepers,
  evidenceOf: (file: SetFile, match: T) => Evidence,
): DuplicateGroup {
  const first = centre.part!;
  const placed = others.map(({ set, match }): Placed => {
    const file = set.part!;
    return {
      arrival: file.fileId,
      member: { ...factsOf(file), ...evidenceOf(file, match), matchClass, copies: set.members.length - 1 },
    };
  });
  return groupOf(
    matchClass,
    [{ arrival: first.fileId, member: firstMember(first, centre.members.length - 1) }, ...placed],
    keepers,
  );
}

function groupOf(matchClass: DuplicateClass, placed: readonly Placed[], keepers: Keepers): DuplicateGroup {
  const members = placed.map(({ member }) => member);
  const [first] = members;
  const decisions = members.flatMap(({ uid }) => keepers.get(`${scopeOf(matchClass)} ${uid}`) ?? []);
  const last = decisions.reduce<DuplicateDecision | undefined>(
    (latest, one) => (latest === undefined || one.id > latest.id ? one : latest),
    undefined,
  );
  const keep = last?.uids[0] ?? null;
  const kept = members.find(({ uid }) => uid === keep) ?? first;
  return {
    id: `${matchClass}:${first.uid}`,
    matchClass,
    members,
    keep,
    settled: last !== undefined && placed.every(({ arrival }) => arrival <= last.lastArrival),
    spareBytes: members.reduce((sum, { byteLength }) => sum + byteLength, -kept.byteLength),
  };
}

/** Decisions to keep a file, by scope and UID. */
type Keepers = ReadonlyMap<string, DuplicateDecision>;

function keepersOf(decisions: readonly DuplicateDecision[]): Keepers {
  return new Map(
    decisions.filter(({ kind }) => kind === 'keep').map((decision) => [`${decision.of} ${decision.uids[0]}`, decision]),
  );
}

/** The kind of groups that a decision to keep a file applies to. */
export function scopeOf(matchClass: DuplicateClass): NonNullable<DuplicateDecision['of']> {
  return matchClass === 'bytes' || matchClass === 'identical' ? 'same' : matchClass;
}

type Evidence = Pick<DuplicateMember, 'score' | 'transform' | 'maxDeviationMm' | 'meanDeviationMm' | 'scale' | 'drawn'>;

/** For files whose surfaces were not compared. */
const NO_MATCH: Evidence = Object.freeze({
  score: 0,
  transform: null,
  maxDeviationMm: null,
  meanDeviationMm: null,
  scale: 1,
  drawn: null,
});

/** match: undefined for files without a part. */
function evidence(
  matchClass: Exclude<DuplicateClass, 'near'>,
  { bboxSizeMm }: SetFile,
  match: SetMember['match'],
): Evidence {
  if (match === undefined) return NO_MATCH;
  if (match.drawn !== undefined) {
    const text = drawnAnewText(match.drawn);
    return { ...NO_MATCH, score: SAVED_ANEW_SCORE, drawn: text === undefined ? null : { ...match.drawn, text } };
  }
  const { transform, maxDeviationMm, meanDeviationMm, scale } = match;
  const longestMm = bboxSizeMm?.[0] ?? 0;
  const score =
    matchClass === 'bytes' || (maxDeviationMm === 0 && matchClass === 'identical')
      ? 0
      : samePartScore(matchClass, { maxDeviationMm: maxDeviationMm ?? 0, scale, longestMm });
  return { score, transform, maxDeviationMm, meanDeviationMm, scale, drawn: null };
}

function firstMember(file: SetFile, copies: number): DuplicateMember {
  return { ...factsOf(file), ...NO_MATCH, matchClass: null, copies };
}

function factsOf({
  uid,
  path,
  kind,
  state,
  byteLength,
  sha256,
  addedAt,
  volumeMm3,
  surfaceAreaMm2,
  bboxSizeMm,
}: SetFile): Omit<DuplicateMember, keyof Evidence | 'matchClass' | 'copies'> {
  return {
    uid,
    path,
    kind,
    state,
    byteLength,
    sha256,
    addedAt: new Date(addedAt),
    volumeMm3,
    surfaceAreaMm2,
    bboxSizeMm,
  };
}
