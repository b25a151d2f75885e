import { z } from '@hono/zod-openapi';
import { endpoint, NO_QUERY } from '../server/endpoint.js';
import { given } from '../server/problem.js';
import { integer, requiredGuid } from '../wire/parameters.js';

const Category = z
  .object({
    id: z.int(),
    name: z.string(),
    parentId: z.int().nullable(),
    imageUrl: z.string().nullable(),
    count: z.int(),
  })
  .openapi('Category');

export const FILE_CATEGORIES = [
  endpoint({
    method: 'get',
    path: '/Categories',
    tag: 'Additions',
    summary: 'The product categories of the company',
    access: 'user',
    answer: z.array(Category),
    query: NO_QUERY,
    respond: async (call) => (await call.company()).categories.list(),
  }),

  endpoint({
    method: 'put',
    path: '/FileCategory',
    tag: 'Additions',
    summary: 'Gives a file a product category',
    access: 'user',
    answer: z.boolean(),
    query: z.object({
      fileUID: requiredGuid({ about: 'UID of the file.' }),
      categoryId: integer({ about: 'Id of the category; -1: none.', byDefault: -1, least: -1 }),
    }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => {
      const { fileUID, categoryId } = call.query;
      await given('categoryId', (await call.company()).categories.assign(fileUID, categoryId));
      return true;
    },
  }),
];
