import { z } from 'zod';
import type { SearchQuery } from '../../index.js';
import { ToolFailure, type Agent } from '../agent.js';
import { Hit, hitOf, kinds, paged, pageFacts, paging, picture } from '../fields.js';
import { toolOf } from '../tool.js';

const text = z.string().min(1).max(1_000);

/** `search_parts`: by words and attributes. */
export const SEARCH_PARTS = toolOf({
  name: 'search_parts',
  title: 'Search by words and attributes',
  description:
    'Finds files of the library by words in their names, texts and attributes, and by conditions on attributes: given ' +
    'ones (list_attributes) and those that every file has by what was read in it, such as Length(mm), Width(mm), ' +
    'Height(mm), Volume(mm3), Holes, Hole diameter, Teeth, Wall, Shape, Thread, Fit. All that is given must hold. To search by ' +
    'shape use find_similar, with a drawing or picture find_by_drawing.',
  input: z.strictObject({
    words: text
      .optional()
      .describe(
        'Words that must all occur, "a phrase", prefix*: flange "stainless steel" DN50*. Part numbers in any spelling.',
      ),
    conditions: z
      .array(text)
      .max(20)
      .optional()
      .describe(
        'Material=steel (these words), Material=[Stainless steel] (this whole value), Part=B-*, Thread=*, Length>20mm, Holes=4.',
      ),
    kinds,
    category: z.string().max(200).optional().describe('Name of a product category.'),
    picture: picture(false),
    ...paging,
  }),
  output: z.object({ hits: z.array(Hit), notes: z.array(z.string()).describe('Why nothing is found.'), ...paged }),
  run: async (agent, input, signal) => {
    const { words, conditions = [], kinds, category, offset, limit } = input;
    if (words === undefined && conditions.length === 0 && kinds === undefined && category === undefined)
      throw new ToolFailure(
        'QUERY_INVALID',
        'Nothing to search for was given.',
        'Give words, conditions, kinds or a category; list_attributes shows what can be asked for.',
      );
    const texts = [...(words === undefined ? [] : [words]), ...conditions];
    const query: SearchQuery = {
      ...(texts.length === 0 ? {} : { text: texts }),
      kinds,
      ...(category === undefined ? {} : { categories: [await categoryOf(agent, category)] }),
      offset,
      limit,
      signal,
    };
    const result = await agent.served.rawSearch(query);
    const { hits, total, warnings = [] } = result;
    return {
      value: {
        hits: hits.map(hitOf),
        notes: [...warnings, ...(await notesOf(agent, input, total))],
        ...pageFacts({ offset }, hits.length, total),
      },
      pictures: input.picture && hits.length > 0 ? [await agent.company.pictures.results(undefined, result)] : [],
      files: hits,
    };
  },
});

/** Why a page is empty, and what may be asked instead. */
async function notesOf(
  { company }: Agent,
  { words, offset }: { readonly words?: string; readonly offset: number },
  total: number,
): Promise<string[]> {
  if (total > 0)
    return offset >= total ? [`There are ${total} results: an offset of ${offset} is beyond the last.`] : [];
  if (words === undefined) return [];
  const near = await company.spellings(words);
  if (near.length > 0) return [`No file has these words. Words of the library that are near: ${near.join('; ')}`];
  return ['No file has all of these words. Ask for fewer of them, or for the beginning of one: flan*.'];
}

/** @throws ToolFailure that lists the categories. */
async function categoryOf({ company }: Agent, wanted: string): Promise<number> {
  const all = await company.categories.list();
  const found = all.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return found.id;
  const names = all.slice(0, 20).map(({ name }) => name);
  throw new ToolFailure(
    'CATEGORY_UNKNOWN',
    `There is no category ${JSON.stringify(wanted)}.`,
    names.length === 0 ? 'Leave it out: there are no categories.' : `Use one of: ${names.join(', ')}.`,
  );
}
