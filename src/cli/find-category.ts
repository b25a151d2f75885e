import type { Company } from '../index.js';
import { UsageError } from './exit.js';

/** The id of the category that an argument names, by name or id; null for `none`. @throws UsageError */
export async function findCategory(company: Company, word: string): Promise<number | null> {
  if (word === 'none') return null;
  const categories = await company.categories.list();
  const found = categories.filter(({ id, name }) => name === word || String(id) === word);
  if (found.length === 1) return found[0].id;
  if (found.length === 0) throw new UsageError(`the company has no category ${JSON.stringify(word)}`);
  throw new UsageError(
    `${JSON.stringify(word)} is the name of several categories; give an id: ${found.map(({ id }) => id).join(', ')}`,
  );
}
