import type { WireFeature } from '../api/endpoints.js';
import { count } from '../common/figures.js';
import { featureName, featureSizes } from '../common/feature-words.js';

/** Sizes that differ by less than this share are the same: what is fitted to a mesh is that inexact. */
const SAME_SHARE = 0.005;

type Sizes = readonly (number | undefined)[];

interface Group {
  readonly of: WireFeature;
  many: number;
}

/** A feature of one part beside that of the other. */
type ChangeRow = readonly [change: string, feature: string, first: string, second: string];

/**
 * The features that two parts do not share: added, gone, more or fewer of one size, or of another size where each
 * part has one kind of them that the other has not.
 * @returns rows of a table, and how many features both have.
 */
export function featureChanges(
  first: readonly WireFeature[],
  second: readonly WireFeature[],
): { readonly rows: readonly ChangeRow[]; readonly same: number } {
  const [a, b] = [grouped(first), grouped(second)];
  const rows: ChangeRow[] = [];
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
    same += Math.min(group.many, other.many);
    if (group.many !== other.many)
      rows.push([
        other.many > group.many ? 'more' : 'fewer',
        `${kindName(group.of)}, ${featureSizes({ ...group.of, pattern: undefined })}`,
        count(group.many),
        count(other.many),
      ]);
  }
  for (const group of left) {
    const candidates = rest.filter(({ of, many }) => kindOf(of) === kindOf(group.of) && many === group.many);
    const isOnly = left.filter(({ of, many }) => kindOf(of) === kindOf(group.of) && many === group.many).length === 1;
    if (candidates.length !== 1 || !isOnly) {
      rows.push(['gone', kindName(group.of), wordsOf(group), '–']);
      continue;
    }
    rest.splice(rest.indexOf(candidates[0]), 1);
    rows.push(['other size', kindName(group.of), wordsOf(group), wordsOf(candidates[0])]);
  }
  for (const group of rest) rows.push(['added', kindName(group.of), '–', wordsOf(group)]);
  return { rows, same };
}

/** Features of one kind and size, with their number. */
function grouped(features: readonly WireFeature[]): Group[] {
  const groups: Group[] = [];
  for (const feature of features) {
    const known = groups.find(({ of }) => isSame(of, feature));
    if (known === undefined) groups.push({ of: feature, many: feature.count });
    else known.many += feature.count;
  }
  return groups;
}

function kindOf({ kind, form, isThrough, sunk }: WireFeature): string {
  return [kind, form, isThrough, sunk].join();
}

function sizesOf({ diameterMm, sunkDiameterMm, radiusMm, widthMm, depthMm }: WireFeature): Sizes {
  return [diameterMm, sunkDiameterMm, radiusMm, widthMm, depthMm];
}

function isSame(a: WireFeature, b: WireFeature): boolean {
  const other = sizesOf(b);
  return kindOf(a) === kindOf(b) && sizesOf(a).every((size, i) => isNear(size, other[i]));
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
