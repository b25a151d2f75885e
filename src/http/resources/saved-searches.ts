import { z } from '@hono/zod-openapi';
import type { SavedSearch as Saved } from '../../accounts/index.js';
import type { Call } from '../server/call.js';
import { endpointsOf } from '../server/endpoint.js';
import { given } from '../server/problem.js';
import { requiredText } from '../server/parameters.js';

const endpoint = endpointsOf('Search');

const SavedSearch = z
  .object({
    ID: z.string(),
    Name: z.string(),
    QueryStr: z.string(),
    DateAdded: z.string().openapi({ format: 'date-time' }),
  })
  .openapi('SavedSearch');

export const SAVED_SEARCHES = [
  endpoint('GET /SavedSearches', {
    summary: "The user's saved searches",
    answer: z.array(SavedSearch),
    respond: list,
  }),
  endpoint('PUT /SavedSearches', {
    summary: 'Saves a search; one of the same name is replaced',
    answer: z.array(SavedSearch),
    query: z.object({
      name: requiredText({ about: 'Name of the search.', most: 200 }),
      queryStr: requiredText({ about: 'The search.', most: 10_000 }),
    }),
    respond: async (call) => {
      await given(
        'name',
        call.engine.accounts.saveSearch(call.userUid, { name: call.query.name, query: call.query.queryStr }),
      );
      return list(call);
    },
  }),
  endpoint('DELETE /SavedSearches', {
    summary: 'Removes a saved search',
    answer: z.boolean(),
    about: 'False: there was none.',
    query: z.object({ id: requiredText({ about: 'Id of the search.', most: 100 }) }),
    respond: (call) => given('id', call.engine.accounts.removeSavedSearch(call.userUid, call.query.id)),
  }),
];

async function list<Query>(call: Call<Query>): Promise<z.output<typeof SavedSearch>[]> {
  return (await call.engine.accounts.savedSearches(call.userUid)).map(wire);
}

function wire({ id, name, query, addedAt }: Saved): z.output<typeof SavedSearch> {
  return { ID: id, Name: name, QueryStr: query, DateAdded: addedAt.toISOString() };
}
