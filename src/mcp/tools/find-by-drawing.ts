import { z } from 'zod';
import { Hit, hitOf, kind, paged, pageFacts, paging, picture } from '../fields.js';
import { inputFields, namedPart } from '../named-part.js';
import { toolOf } from '../tool.js';

/** `find_by_drawing`: the models of a drawing, scan, sketch or photo. */
export const FIND_BY_DRAWING = toolOf({
  name: 'find_by_drawing',
  title: 'Find the part on a drawing or photo',
  description:
    'Finds the models that a drawing (PDF, DXF, DWG, SVG), a scanned one, a sketch or a photo shows, by its views; or, ' +
    'with other kinds, the drawings of a model. Pictures: the query with its results, and the nearest result laid over ' +
    'the query (query red, result blue). The uid of the answer names the drawing in later calls (get_pmi, compare_parts).',
  input: z.strictObject({
    ...inputFields,
    kinds: z.array(kind).min(1).max(4).default(['ThreeD']).describe('Kinds of files to find; models by default.'),
    components: z.boolean().default(false).describe('Also parts of assemblies, each by itself.'),
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
    uid: z.string().describe('UID of the drawing; of one that was sent, for a day.'),
    hits: z.array(Hit),
    notes: z.array(z.string()),
    ...paged,
  }),
  run: async (agent, input, signal) => {
    const { uid } = await namedPart(agent, input, signal);
    const { kinds, components, words, offset, limit } = input;
    const like = { uid };
    const result = await agent.served.rawSearch({ like, kinds, components, text: words, offset, limit, signal });
    const { hits, total, warnings = [] } = result;
    const first = hits.find(({ shapeMatch }) => shapeMatch !== undefined);
    const { pictures } = agent.company;
    return {
      value: { uid, hits: hits.map(hitOf), notes: [...warnings], ...pageFacts({ offset }, hits.length, total) },
      pictures: input.picture
        ? [
            ...(hits.length > 0 ? [await pictures.results(like, result)] : []),
            ...(first === undefined ? [] : [await pictures.overlay(like, first)]),
          ]
        : [],
      files: hits,
    };
  },
});
