import { z } from 'zod';
import { paged, pageOf, paging } from '../fields.js';
import { inputFields, namedPart } from '../named-part.js';
import { MOST_RESULTS, toolOf } from '../tool.js';

const Use = z.object({
  uid: z.string().describe('UID of the assembly.'),
  path: z.string(),
  occurrences: z.int().describe('How often the assembly holds the part.'),
  components: z.array(z.object({ uid: z.string(), name: z.string(), occurrences: z.int(), matchClass: z.string() })),
});

/** `where_used`: the assemblies that hold a part. */
export const WHERE_USED = toolOf({
  name: 'where_used',
  title: 'Find where a part is used',
  description:
    'The assemblies of the library that hold a part, and how often. It is told by shape and size, never by names. Only ' +
    'assemblies whose components are indexed are looked through. The part is a model, or a component of an assembly; ' +
    'the assembly that a component belongs to is not listed.',
  input: z.strictObject({
    ...inputFields,
    mirrored: z.boolean().default(false).describe('Mirror images count as well.'),
    ...paging,
  }),
  output: z.object({
    uid: z.string().describe('UID of the part.'),
    assemblies: z.array(Use),
    notes: z.array(z.string()),
    ...paged,
  }),
  run: async (agent, input, signal) => {
    const { uid, component } = await namedPart(agent, input, signal);
    const all = await agent.company.assemblies.holding(uid, { mirrored: input.mirrored, signal });
    const { rows, facts } = pageOf(all, input);
    return {
      value: {
        uid,
        assemblies: rows.map(({ uid: id, path, occurrences, components }) => ({
          uid: id,
          path,
          occurrences,
          components: components.slice(0, MOST_RESULTS).map(({ uid: of, name, occurrences: times, matchClass }) => ({
            uid: of,
            name,
            occurrences: times,
            matchClass,
          })),
        })),
        notes: [
          ...(component !== undefined ? ['The assembly that this component belongs to is not listed.'] : []),
          ...(all.length === 0
            ? [`No ${component !== undefined ? 'other ' : ''}assembly whose components are indexed holds it.`]
            : []),
        ],
        ...facts,
      },
      files: rows,
    };
  },
});
