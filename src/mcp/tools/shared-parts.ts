import { z } from 'zod';
import { paged, pageOf, paging } from '../fields.js';
import { findPart, part } from '../named-part.js';
import { MOST_RESULTS, toolOf } from '../tool.js';

/** `shared_parts`: what an assembly shares with others. */
export const SHARED_PARTS = toolOf({
  name: 'shared_parts',
  title: 'Find assemblies that share parts',
  description:
    'Which other assemblies hold the same parts as a given assembly, most shared parts first, and how often each part ' +
    'stands here and there. Told by shape and size. Only assemblies whose components are indexed take part.',
  input: z.strictObject({ part: part.describe('The assembly: its UID, or its path in the library.'), ...paging }),
  output: z.object({
    uid: z.string(),
    path: z.string(),
    components: z.int().describe('Distinct parts of the assembly.'),
    assemblies: z.array(
      z.object({
        uid: z.string(),
        path: z.string(),
        sharedCount: z.int(),
        shared: z
          .array(z.object({ uid: z.string(), name: z.string(), occurrencesHere: z.int(), occurrencesThere: z.int() }))
          .describe('The first shared parts; uid is that of the component of the given assembly.'),
      }),
    ),
    ...paged,
  }),
  run: async (agent, input, signal) => {
    const record = await findPart(agent, input.part);
    const { components, assemblies } = await agent.company.assemblies.sharedParts(record.uid, { signal });
    const byNumber = new Map(components.map((component) => [component.number, component]));
    const { rows, facts } = pageOf(assemblies, input);
    return {
      value: {
        uid: record.uid,
        path: record.path,
        components: components.length,
        assemblies: rows.map(({ uid, path, shared }) => ({
          uid,
          path,
          sharedCount: shared.length,
          shared: shared.slice(0, MOST_RESULTS).map(({ component, held, occurrences: [here, there] }) => ({
            uid: byNumber.get(component)?.uid ?? '',
            name: byNumber.get(component)?.name ?? held.name,
            occurrencesHere: here,
            occurrencesThere: there,
          })),
        })),
        ...facts,
      },
      files: rows,
    };
  },
});
