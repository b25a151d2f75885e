import type { CompanyProfile } from '../../accounts/profile.js';

/**
 * The attributes that the profile lists (`listedAttributes`; all when it lists none), those of `priorityAttributes`
 * first, in its order.
 */
export function shownAttributes(
  attributes: readonly string[],
  { listedAttributes, priorityAttributes }: Pick<CompanyProfile, 'listedAttributes' | 'priorityAttributes'>,
): string[] {
  const listed = namesOf(listedAttributes);
  const first = namesOf(priorityAttributes);
  const shown =
    listed.length === 0 ? [...attributes] : attributes.filter((attribute) => listed.includes(nameOf(attribute)));
  if (first.length === 0) return shown;
  const place = (attribute: string): number => {
    const at = first.indexOf(nameOf(attribute));
    return at < 0 ? first.length : at;
  };
  return shown.sort((a, b) => place(a) - place(b));
}

function namesOf(list: string | null): string[] {
  return (list ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
}

/** The name of `name=value` or `name(unit)=value`, without its unit, in lower case. */
function nameOf(attribute: string): string {
  return attribute
    .slice(0, attribute.indexOf('='))
    .replace(/\([^()]*\)\s*$/, '')
    .trim()
    .toLowerCase();
}
