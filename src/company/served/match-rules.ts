import type { CompanyProfile } from '../../accounts/profile.js';
import type { FileRecord } from '../../store/catalog/record.js';
import type { SearchHit, SearchInputFigures } from '../../search/query/query.js';

/**
 * The match class of a hit by the bounds that the company has set in its profile; without such bounds, that of the
 * engine.
 *
 * `exactVolumeTolerance` and `exactBboxVolumeTolerance` are the largest differences of the volumes, as a share of the
 * input's. A hit outside them is not identical. `exactScoreTolerance` is the largest score of an identical hit; it also
 * raises hits that the engine calls similar, mirrored or scaled.
 */
export function matchClassOf(
  hit: SearchHit,
  input: SearchInputFigures | undefined,
  { exactScoreTolerance, exactVolumeTolerance, exactBboxVolumeTolerance }: CompanyProfile,
): SearchHit['matchClass'] {
  if (hit.matchClass === null || input === undefined) return hit.matchClass;
  const within = (found: number | null, asked: number | null, tolerance: number | null): boolean =>
    tolerance === null || (found !== null && asked !== null && Math.abs(found - asked) <= tolerance * asked);
  const sized =
    within(hit.volumeMm3, input.volumeMm3, exactVolumeTolerance) &&
    within(hit.bboxVolumeMm3, input.bboxVolumeMm3, exactBboxVolumeTolerance);
  if (exactScoreTolerance !== null) {
    if (hit.score <= exactScoreTolerance && sized) return 'identical';
    return hit.matchClass === 'identical' ? 'similar' : hit.matchClass;
  }
  return hit.matchClass === 'identical' && !sized ? 'similar' : hit.matchClass;
}

/** Whether a hit is a duplicate of an input; null when the company has not set what a duplicate is. */
export type DuplicateRule = (hit: SearchHit, matchClass: SearchHit['matchClass']) => boolean | null;

/**
 * What the company's profile calls a duplicate: the same shape (`shapeOnlyDuplicates`), the same attributes
 * (`attributesOnlyDuplicates`), or both (`shapeAndAttributesDuplicates`); where several are set, any of them is enough.
 * The same shape is the match class `identical`. Attributes are compared as they were given, regardless of order and
 * letter case; two files without attributes do not have the same attributes. A file is never a duplicate of itself.
 */
export function duplicateRule(
  { shapeOnlyDuplicates, attributesOnlyDuplicates, shapeAndAttributesDuplicates }: CompanyProfile,
  inputs: readonly Pick<FileRecord, 'uid' | 'attributes'>[],
): DuplicateRule {
  if (inputs.length === 0 || !(shapeOnlyDuplicates || attributesOnlyDuplicates || shapeAndAttributesDuplicates))
    return () => null;
  const wanted = new Set(inputs.map(({ attributes }) => keyOf(attributes)).filter((key) => key !== ''));
  return ({ uid, attributes }, matchClass) => {
    if (inputs.some((input) => input.uid === uid)) return false;
    const sameShape = matchClass === 'identical';
    const sameAttributes = wanted.has(keyOf(attributes));
    return (
      (shapeOnlyDuplicates && sameShape) ||
      (attributesOnlyDuplicates && sameAttributes) ||
      (shapeAndAttributesDuplicates && sameShape && sameAttributes)
    );
  };
}

function keyOf(attributes: readonly string[]): string {
  return attributes
    .map((attribute) => attribute.normalize('NFC').toLowerCase())
    .sort()
    .join('\n');
}
