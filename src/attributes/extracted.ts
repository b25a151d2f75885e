import { ATTRIBUTE_LIMITS } from '../options.js';
import type { Attribute, ExtractedAttribute } from '../store/catalog/attribute.js';

export type { ExtractedAttribute };

/**
 * The facts of a file that are stored: NUL and lone surrogates are replaced, facts without a name and facts beyond
 * {@link ATTRIBUTE_LIMITS} are left out, repeated facts are kept once.
 */
export function keptOf(facts: readonly ExtractedAttribute[]): ExtractedAttribute[] {
  const kept = new Map<string, ExtractedAttribute>();
  let total = 0;
  for (const fact of facts) {
    const name = plain(fact.name).trim();
    const unit = plain(fact.unit).trim();
    const value = plain(fact.value);
    const length = name.length + unit.length + value.length;
    if (name === '' || length > ATTRIBUTE_LIMITS.characters) continue;
    total += length;
    if (kept.size === ATTRIBUTE_LIMITS.count || total > ATTRIBUTE_LIMITS.totalCharacters) break;
    kept.set(JSON.stringify([name, unit, value]), { name, unit, value });
  }
  return [...kept.values()];
}

/** Facts as attributes; facts with the same name and unit become one attribute. */
export function attributesOf(facts: readonly ExtractedAttribute[]): Attribute[] {
  const merged = new Map<string, { name: string; unit: string; values: string[] }>();
  for (const { name, unit, value } of facts) {
    const key = JSON.stringify([name, unit]);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { name, unit, values: [value] });
    else known.values.push(value);
  }
  return [...merged.values()];
}

function plain(text: string): string {
  return text.replaceAll(/[\0\p{Cs}]/gu, '\uFFFD');
}
