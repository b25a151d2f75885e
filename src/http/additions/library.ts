import { z } from '@hono/zod-openapi';
import { PROFILE_FIELDS } from '../../accounts/index.js';
import { accountName } from '../resources/files.js';
import { endpointsOf } from '../server/endpoint.js';
import { integer, requiredGuid, requiredText, text } from '../server/parameters.js';
import { given } from '../server/problem.js';

const endpoint = endpointsOf('Additions');

/** Longest time for which an input is kept at once, days. */
const MOST_DAYS = 365;

const Names = z.array(z.string());

/** What a company does with its files as a library: paths, inputs that are kept, the order of filters. */
export const LIBRARY = [
  endpoint('PUT /RecordPath', {
    summary: 'Gives a file another path',
    about: 'The file keeps its UID and is not read again.',
    answer: z.boolean(),
    query: z.object({
      fileUID: requiredGuid({ about: 'UID of the file.' }),
      path: requiredText({ about: 'Its new full path.' }),
      accountName,
    }),
    statuses: { 404: 'Unknown file.', 409: 'Another file has the path.' },
    respond: async (call) => {
      await given('path', (await call.company()).rename(call.query.fileUID, call.query.path));
      return true;
    },
  }),
  endpoint('GET /Folders', {
    summary: 'The folders in a folder, with the files in and below each',
    answer: z.array(z.object({ name: z.string(), files: z.int(), failed: z.int() })),
    query: z.object({ folder: text({ about: 'Path of a folder; none: the uppermost folders.' }), accountName }),
    respond: async (call) => given('folder', (await call.company()).foldersIn(call.query.folder ?? '')),
  }),
  endpoint('GET /Failures', {
    summary: 'How many files could not be read, by reason',
    answer: z.array(z.object({ code: z.string(), files: z.int() })),
    query: z.object({ accountName }),
    respond: async (call) => (await call.company()).failures(),
  }),
  endpoint('PUT /KeptInput', {
    summary: 'Keeps a search input, for everybody of the company',
    about:
      'What a user put to search with is the own, and removed after a day; a link to such a search needs it longer. ' +
      "Only who put it makes it everybody's; one that is may be kept longer by everybody, " +
      'and still counts for who put it.',
    answer: z.string().openapi({ format: 'date-time', description: 'Until when it is kept.' }),
    query: z.object({
      fileUID: requiredGuid({ about: 'UID of the search input.' }),
      days: integer({ about: 'From now on; never shortens.', byDefault: 90, least: 1, most: MOST_DAYS }),
      accountName,
    }),
    statuses: { 403: 'Somebody else put it, who has not kept it.', 404: 'Unknown search input.' },
    respond: async (call) => {
      const { fileUID, days } = call.query;
      const kept = await (await call.served()).keepInput(fileUID, { days }, call.principal);
      return kept.expiresAt.toISOString();
    },
  }),
  endpoint('GET /Spellings', {
    summary: 'What a text that finds nothing may have meant',
    about: 'Words that no file has are replaced by the nearest ones that some file has.',
    answer: z.array(z.string()),
    query: z.object({ text: requiredText({ about: 'The text of a search.', most: 4_096 }), accountName }),
    respond: async (call) => [...(await (await call.company()).spellings(call.query.text))],
  }),
  endpoint('GET /AttributeOrder', {
    summary: 'The attributes that the company shows first',
    answer: Names,
    query: z.object({ accountName }),
    respond: async (call) => {
      const { priorityAttributes } = await call.engine.accounts.profile(call.companyName);
      return namesOf(priorityAttributes ?? PROFILE_FIELDS.priorityAttributes.fallback);
    },
  }),
  endpoint('PUT /AttributeOrder', {
    summary: 'Sets the attributes that the company shows first',
    access: 'admin',
    answer: Names,
    query: z.object({ names: text({ about: 'Names, separated by commas; none: the usual order.' }), accountName }),
    respond: async (call) => {
      const priorityAttributes = namesOf(call.query.names ?? null).join(',') || null;
      await given('names', call.engine.accounts.setProfile(call.companyName, { priorityAttributes }));
      return namesOf(priorityAttributes);
    },
  }),
];

function namesOf(list: string | null): string[] {
  return (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}
