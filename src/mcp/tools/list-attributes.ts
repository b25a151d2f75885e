import { z } from 'zod';
import { paged, pageFacts, pageOf, paging, shortened } from '../fields.js';
import { toolOf } from '../tool.js';

/** Most values of an attribute that are counted. */
const MOST_VALUES = 10_000;

const given = z.boolean().describe('True: people gave it to files. False: it was found in them.');

/** `list_attributes`: what can be asked for. */
export const LIST_ATTRIBUTES = toolOf({
  name: 'list_attributes',
  title: 'List attributes and their values',
  description:
    'The attributes that files were given, then those that were found in them (sizes, threads, material, part number ' +
    'and others), with how many files have each; with name: the values of that one, the most frequent first. They are ' +
    'what search_parts takes as conditions.',
  input: z.strictObject({
    name: z.string().min(1).max(300).optional().describe('The values of this attribute.'),
    prefix: z.string().max(300).optional().describe('With name: only values that begin so.'),
    ...paging,
  }),
  output: z.object({
    attributes: z
      .array(
        z.object({
          name: z.string(),
          unit: z.string(),
          type: z.string().describe('text, number or date.'),
          files: z.int(),
          given,
        }),
      )
      .describe('Empty with name.'),
    values: z
      .array(z.object({ value: z.string(), unit: z.string(), files: z.int(), given }))
      .describe('Empty without name.'),
    ...paged,
  }),
  run: async ({ company }, input) => {
    const { name, prefix, offset, limit } = input;
    if (name === undefined) {
      const found = await company.attributes({ extracted: true });
      const all = [
        ...(await company.attributes()).map((one) => ({ ...one, given: true })),
        ...found.sort((a, b) => b.count - a.count).map((one) => ({ ...one, given: false })),
      ];
      const { rows, facts } = pageOf(all, input);
      return {
        value: {
          attributes: rows.map(({ name: of, count: files, unit, type, given }) => ({
            name: of,
            unit,
            type,
            files,
            given,
          })),
          values: [],
          ...facts,
        },
      };
    }
    const options = { prefix, limit: MOST_VALUES };
    const all = [
      ...(await company.attributeValues(name, options)).map((one) => ({ ...one, given: true })),
      ...(await company.attributeValues(name, { ...options, extracted: true })).map((one) => ({
        ...one,
        given: false,
      })),
    ];
    const rows = all.slice(offset, offset + limit);
    return {
      value: {
        attributes: [],
        values: rows.map(({ value, unit, count: files, given }) => {
          return { value: shortened([value])[0], unit, files, given };
        }),
        ...pageFacts({ offset }, rows.length, all.length),
      },
    };
  },
});
