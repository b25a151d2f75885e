import { z } from '@hono/zod-openapi';
import { endpoint } from '../server/endpoint.js';
import { given } from '../server/problem.js';
import { flag, integer, requiredGuid, text } from '../wire/parameters.js';

/**
 * UTF-16 units after which an answer ends at the next page: a browser lays this amount out in some hundred
 * milliseconds.
 */
const ANSWER_LENGTH = 200_000;

const Range = z.object({ start: z.int(), end: z.int() });
const Box = z
  .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
  .openapi('PageBox', { description: 'Shares of the page, origin upper left.' });

const TextAnswer = z
  .object({
    pages: z.array(
      z.object({
        number: z.int().openapi({ description: 'From 1.' }),
        name: z.string().openapi({ description: 'Of a sheet or layout that has one.' }),
        text: z.string(),
        isCut: z.boolean().openapi({ description: 'The page has more text than is shown.' }),
        ranges: z.array(Range).openapi({ description: 'Where the words are: offsets in the text, rising.' }),
        boxes: z.array(Box).openapi({ description: 'Where the words stand on the page.' }),
        runs: z
          .array(z.object({ start: z.int(), end: z.int(), box: Box }))
          .optional()
          .openapi({ description: 'Where the text stands on the page.' }),
      }),
    ),
    nextPage: z.int().nullable().openapi({ description: 'Where to go on; null at the end.' }),
  })
  .openapi('FileText');

export const TEXT = [
  endpoint({
    method: 'get',
    path: '/Text',
    tag: 'Additions',
    summary: 'The text of a file, page by page',
    access: 'user',
    answer: TextAnswer,
    about:
      'Pages without text are left out. ' +
      `An answer ends after the page that passes ${ANSWER_LENGTH.toLocaleString('en')} characters.`,
    query: z.object({
      fileUID: requiredGuid({ about: 'UID of the file.' }),
      words: text({ about: 'Words, "phrases" and prefixes* whose places are wanted.', most: 1_000 }),
      page: integer({ about: 'The first page wanted, from 1.', byDefault: 1, least: 1 }),
      includeRuns: flag({ about: 'Adds where each piece of the text stands.', byDefault: false }),
    }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => {
      const { fileUID, words = '', page, includeRuns } = call.query;
      const company = await call.company();
      const found = await given('words', company.text(fileUID, { words, from: page, characters: ANSWER_LENGTH }));
      const last = found.at(-1);
      const [next] = last === undefined ? [] : await company.text(fileUID, { from: last.number + 1, characters: 1 });
      return {
        pages: found.map(({ number, name, text: whole, ranges = [], boxes = [], runs = [] }) => {
          const shown = whole.slice(0, ANSWER_LENGTH);
          const isShown = ({ end }: { readonly end: number }): boolean => end <= shown.length;
          return {
            number,
            name,
            text: shown,
            isCut: shown.length < whole.length,
            ranges: ranges.filter(isShown),
            boxes,
            ...(includeRuns ? { runs: runs.filter(isShown) } : {}),
          };
        }),
        nextPage: next?.number ?? null,
      };
    },
  }),
];
