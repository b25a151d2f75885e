import type { WireFeature } from '../api/endpoints.js';
import { count } from '../common/figures.js';
import { featureName, featureSizes, patternWords } from '../common/feature-words.js';

/** Sizes that differ by less than this share are the same: what is fitted to a mesh is that inexact. */
const SAME_SHARE = 0.005;

type Sizes = readonly (number | undefined)[];

interface Group {
  readonly of: WireFeature;
  many: number;
  /** How all of them are laid out; undefined where they are not one pattern. */
  pattern: WireFeature['pattern'];
  /** Numbers of their faces in the file. */
  readonly faces: number[];
}

type Faces = readonly number[];

/** A feature of one part beside that of the other. */
export interface FeatureChange {
  /** Change, feature, what the first part has, what the second has. */
  readonly cells: readonly [change: string, feature: string, first: string, second: string];
  /** The faces of the feature in each part; of more or fewer of one size all of them. */
  readonly faces: readonly [first: Faces, second: Faces];
}

/**
 * The features that two parts do not share: added, gone, more or fewer of one size, as many that are laid out wider or
 * closer, or of another size where each part has one kind of them that the other has not.
 * @returns rows of a table, and how many features both have.
 */
export function featureChanges(
  first: readonly WireFeature[],
  second: readonly WireFeature[],
): { readonly rows: readonly FeatureChange[]; readonly same: number } {
  const [a, b] = [grouped(first), grouped(second)];
  const rows: FeatureChange[] = [];
  let same = 0;
  const left: Group[] = [];
  const rest = [...b];
  for (const group of a) {
    const at = rest.findIndex(({ of }) => isSame(of, group.of));
    if (at < 0) {
      left.push(group);
      continue;
    }
    const [other] = rest.splice(at, 1);
    if (group.many === other.many && !areLaidAlike(group.pattern, other.pattern)) {
      rows.push({
        cells: ['elsewhere', kindName(group.of), placedWords(group), placedWords(other)],
        faces: [group.faces, other.faces],
      });
      continue;
    }
    same += Math.min(group.many, other.many);
    if (group.many !== other.many)
      rows.push({
        cells: [
          other.many > group.many ? 'more' : 'fewer',
          `${kindName(group.of)}, ${featureSizes({ ...group.of, pattern: undefined })}`,
          count(group.many),
          count(other.many),
        ],
        faces: [group.faces, other.faces],
      });
  }
  for (const group of left) {
    const candidates = rest.filter(({ of, many }) => kindOf(of) === kindOf(group.of) && many === group.many);
    const isOnly = left.filter(({ of, many }) => kindOf(of) === kindOf(group.of) && many === group.many).length === 1;
    if (candidates.length !== 1 || !isOnly) {
      rows.push({ cells: ['gone', kindName(group.of), wordsOf(group), '–'], faces: [group.faces, []] });
      continue;
    }
    const [other] = candidates;
    rest.splice(rest.indexOf(other), 1);
    rows.push({
      cells: ['other size', kindName(group.of), wordsOf(group), wordsOf(other)],
      faces: [group.faces, other.faces],
    });
  }
  for (const group of rest)
    rows.push({ cells: ['added', kindName(group.of), '–', wordsOf(group)], faces: [[], group.faces] });
  return { rows, same };
}

/** Features of one kind and size, with their number. */
function grouped(features: readonly WireFeature[]): Group[] {
  const groups: Group[] = [];
  for (const feature of features) {
    const known = groups.find(({ of }) => isSame(of, feature));
    const faces = feature.faces.filter((face) => face >= 0);
    if (known === undefined) groups.push({ of: feature, many: feature.count, pattern: feature.pattern, faces });
    else {
      known.many += feature.count;
      known.pattern = undefined;
      known.faces.push(...faces);
    }
  }
  return groups;
}

function kindOf({ kind, form, isThrough, sunk }: WireFeature): string {
  return [kind, form, isThrough, sunk].join();
}

function sizesOf({
  diameterMm,
  sunkDiameterMm,
  sunkDepthMm,
  radiusMm,
  widthMm,
  lengthMm,
  depthMm,
}: WireFeature): Sizes {
  return [diameterMm, sunkDiameterMm, sunkDepthMm, radiusMm, widthMm, lengthMm, depthMm];
}

function isSame(a: WireFeature, b: WireFeature): boolean {
  const other = sizesOf(b);
  return kindOf(a) === kindOf(b) && sizesOf(a).every((size, i) => isNear(size, other[i]));
}

/**
 * Whether two patterns of one kind have the same circle or pitch. Of others it is not known: which holes are a pattern
 * may differ with what else a part has.
 */
function areLaidAlike(a: WireFeature['pattern'], b: WireFeature['pattern']): boolean {
  if (a?.kind === 'circle' && b?.kind === 'circle') return isNear(a.diameterMm, b.diameterMm);
  if (a?.kind === 'row' && b?.kind === 'row') return isNear(a.pitchMm, b.pitchMm);
  if (a?.kind !== 'grid' || b?.kind !== 'grid') return true;
  const [own, other] = [a, b].map(({ pitchMm }) => [...pitchMm].sort((x, y) => y - x));
  return own.every((pitch, i) => isNear(pitch, other[i]));
}

function isNear(a: number | undefined, b: number | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Math.abs(a - b) <= SAME_SHARE * Math.max(a, b);
}

/** `through hole`: the name of one. */
function kindName(feature: WireFeature): string {
  return featureName({ ...feature, count: 1 }).replace(/^1 /, '');
}

function wordsOf({ of, many }: Group): string {
  const sizes = featureSizes({ ...of, pattern: undefined });
  return `${count(many)} ×${sizes === '' ? '' : ` ${sizes}`}`;
}

function placedWords(group: Group): string {
  return [wordsOf(group), ...patternWords(group)].join(', ');
}
