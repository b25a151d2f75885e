import type { CompanyProfile } from '../../accounts/profile.js';

/**
 * The attributes that the profile lists (`listAttrs`; all when it lists none), those of `priorityAttrs` first, in its
 * order.
 */
export function shownAttributes(
  attributes: readonly string[],
  { listAttrs, priorityAttrs }: Pick<CompanyProfile, 'listAttrs' | 'priorityAttrs'>,
): string[] {
  const listed = namesOf(listAttrs);
  const first = namesOf(priorityAttrs);
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
