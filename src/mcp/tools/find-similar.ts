import { z } from 'zod';
import type { SearchQuery } from '../../index.js';
import { Hit, hitOf, kinds, paged, pageFacts, paging, picture } from '../fields.js';
import { inputFields, namedPart } from '../named-part.js';
import { toolOf } from '../tool.js';

const tolerance = z.string().max(40).optional();

/** `find_similar`: by shape. */
export const FIND_SIMILAR = toolOf({
  name: 'find_similar',
  title: 'Find parts of like shape',
  description:
    'Finds files whose shape is like that of a model, drawing or picture: the same part in other exports (identical), ' +
    'its mirror image, other sizes (scaled), and merely similar ones, nearest first. With contains: models that hold ' +
    'this shape, or the given faces of it, somewhere within themselves. A part finds itself first.',
  input: z.strictObject({
    ...inputFields,
    kinds,
    contains: z.boolean().default(false).describe('True: models that hold this shape somewhere within themselves.'),
    faces: z
      .array(z.int().min(0))
      .min(1)
      .max(1_000)
      .optional()
      .describe('With contains: only these faces, by their numbers in get_part features.'),
    anySize: z.boolean().default(false).describe('With contains: the same kind of feature in any size.'),
    components: z.boolean().default(false).describe('Also parts of assemblies, each by itself.'),
    volume: tolerance.describe("Only volumes within this share of the part's: .1, +.2, -.5, +0.3/-0.4."),
    words: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe('Only files with these words or this condition: Material=steel.'),
    picture: picture(true),
    ...paging,
  }),
  output: z.object({
    uid: z.string().describe('UID of what was searched with.'),
    hits: z.array(Hit),
    notes: z.array(z.string()),
    ...paged,
  }),
  run: async (agent, input, signal) => {
    const { uid } = await namedPart(agent, input, signal);
    const { contains, faces, anySize, kinds, components, volume, words, offset, limit } = input;
    const like = { uid };
    const query: SearchQuery = {
      ...(contains || faces !== undefined
        ? { contains: { uid, faces }, sizes: anySize ? 'any' : 'exact' }
        : { like, components }),
      kinds,
      volume,
      text: words,
      offset,
      limit,
      signal,
    };
    const result = await agent.served.rawSearch(query);
    const { hits, total, warnings = [] } = result;
    return {
      value: { uid, hits: hits.map(hitOf), notes: [...warnings], ...pageFacts({ offset }, hits.length, total) },
      pictures: input.picture && hits.length > 0 ? [await agent.company.pictures.results(like, result)] : [],
      files: hits,
    };
  },
});
