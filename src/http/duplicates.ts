import type { CompanyProfile } from '../accounts/index.js';
import type { Company, SearchHit } from '../index.js';

/** Whether a hit is a duplicate of an input, as its company sees it; null when the company has not said what a duplicate is. */
export type DuplicateCheck = (hit: SearchHit, matchClass: SearchHit['matchClass']) => boolean | null;

/**
 * What a company calls a duplicate: the same shape (`shapeOnlyDups`), the same attributes (`attrsOnlyDups`), or both together
 * (`shapePlusAttrsDups`); of several, any. The same shape is the match class `identical`. Attributes are those that were given, in any
 * order and casing; files without any have none in common. A file is no duplicate of itself.
 */
export async function duplicateCheck(
  company: Company,
  { shapeOnlyDups, attrsOnlyDups, shapePlusAttrsDups }: CompanyProfile,
  inputUids: readonly string[],
): Promise<DuplicateCheck> {
  if (inputUids.length === 0 || !(shapeOnlyDups || attrsOnlyDups || shapePlusAttrsDups)) return () => null;
  const inputs = await Promise.all(inputUids.map((uid) => company.get(uid)));
  const wanted = new Set(inputs.map(({ attributes }) => keyOf(attributes)).filter((key) => key !== ''));
  return ({ uid, attributes }, matchClass) => {
    if (inputs.some((input) => input.uid === uid)) return false;
    const shape = matchClass === 'identical';
    const attrs = wanted.has(keyOf(attributes));
    return (shapeOnlyDups && shape) || (attrsOnlyDups && attrs) || (shapePlusAttrsDups && shape && attrs);
  };
}

function keyOf(attributes: readonly string[]): string {
  return attributes
    .map((attribute) => attribute.normalize('NFC').toLowerCase())
    .sort()
    .join('\n');
}
