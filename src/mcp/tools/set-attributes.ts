import { z } from 'zod';
import { path, uid } from '../fields.js';
import { findPart, part } from '../named-part.js';
import { toolOf } from '../tool.js';

/** `set_attributes`: what people say about a file. */
export const SET_ATTRIBUTES = toolOf({
  name: 'set_attributes',
  title: 'Set attributes of a file',
  description:
    'Gives a file attributes, beside those that it has; with replace in place of all of them ([] removes all). Use names ' +
    'that are in use already: list_attributes.',
  input: z.strictObject({
    part,
    attributes: z
      .array(z.string().min(1).max(1_000))
      .max(100)
      .describe('name=value or name(unit)=value: Length(mm)=20.'),
    replace: z.boolean().default(false).describe('True: the attributes that it has are lost.'),
  }),
  output: z.object({ uid, path, attributes: z.array(z.string()).describe('All that it has now.') }),
  writes: 'replaces',
  run: async (agent, input) => {
    const { uid } = await findPart(agent, input.part);
    const record = await agent.company.setAttributes(uid, input.attributes, { replace: input.replace });
    await agent.noteChange?.('set_attributes', uid);
    return { value: { uid, path: record.path, attributes: [...record.attributes] }, files: [record] };
  },
});
