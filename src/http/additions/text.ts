import { z } from '@hono/zod-openapi';
import { endpointsOf } from '../server/endpoint.js';
import { given } from '../server/problem.js';
import { flag, integer, requiredGuid, text } from '../server/parameters.js';

const endpoint = endpointsOf('Additions');

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
    nextPage: z.int().nullable().openapi({ description: 'First page of the next answer; null at the end.' }),
  })
  .openapi('FileText');

export const TEXT = [
  endpoint('GET /Text', {
    summary: 'The text of a file, page by page',
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
      const served = await call.served();
      const { pages, nextPage } = await given(
        'words',
        served.text(fileUID, { words, from: page, characters: ANSWER_LENGTH }),
      );
      return {
        pages: pages.map(({ number, name, text: whole, ranges = [], boxes = [], runs = [] }) => {
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
        nextPage,
      };
    },
  }),
];
