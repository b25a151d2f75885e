import { z } from 'zod';
import { ToolFailure } from '../agent.js';
import { path, shortened, sizes, sizesOf, uid } from '../fields.js';
import { fileFields, namedFile } from '../named-part.js';
import { toolOf } from '../tool.js';

/** `add_file`: stores a file. */
export const ADD_FILE = toolOf({
  name: 'add_file',
  title: 'Add a file to the library',
  description:
    'Stores a file in the library under a path and reads it; answers when it can be found. A file that is at the path ' +
    'stays, and the new one gets a number, unless replace is true. Search for duplicates first, with find_similar.',
  input: z.strictObject({
    path: z.string().min(1).max(1_000).describe('Where to store it, with folders and extension: brackets/B-17.step.'),
    ...fileFields,
    attributes: z.array(z.string().min(1).max(1_000)).max(100).optional().describe('name=value or name(unit)=value.'),
    components: z.boolean().default(false).describe('Of an assembly, also index each part, for where_used.'),
    replace: z.boolean().default(false).describe('True: a file at this path is replaced; its bytes are lost.'),
  }),
  output: z.object({
    uid,
    path,
    ...sizes,
    extracted: z.array(z.string()).describe('Attributes that were read in it.'),
    warnings: z.array(z.string()),
  }),
  writes: 'replaces',
  run: async (agent, input, signal) => {
    const { bytes } = await namedFile(agent, input);
    const record = await agent.served.put(input.path, bytes, {
      attributes: input.attributes,
      indexAssemblyComponents: input.components,
      overwrite: input.replace,
      needsCategory: false,
      signal,
    });
    await agent.noteChange?.('add_file', record.path);
    if (record.state === 'failed')
      throw new ToolFailure(
        record.error?.code ?? 'FORMAT_UNSUPPORTED',
        `${record.path} is stored (UID ${record.uid}) but could not be read: ${record.error?.message ?? ''}`,
        'Tell the user; another export of the part may be read. Add it under the same path with replace.',
      );
    return {
      value: {
        uid: record.uid,
        path: record.path,
        ...sizesOf(record),
        extracted: shortened(record.extractedAttributes),
        warnings: shortened(record.warnings.map(({ message }) => message)),
      },
      files: [record],
    };
  },
});
