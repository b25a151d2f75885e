import { z } from '@hono/zod-openapi';
import { endpointsOf } from '../server/endpoint.js';
import { given } from '../server/problem.js';
import { requiredText } from '../server/parameters.js';

const endpoint = endpointsOf('Company');

const ProductCategory = z
  .object({
    ID: z.int(),
    Name: z.string(),
    ParentID: z.int().nullable(),
    ImageURL: z.string().nullable(),
    Count: z.int(),
  })
  .openapi('ProductCategory');

export const PRODUCT_CATEGORY = [
  endpoint('GET /CustomProductCategory', {
    summary: 'Creates a product category',
    answer: ProductCategory,
    about: 'If the company has one of this name, the answer is that one.',
    query: z.object({ name: requiredText({ about: 'Name of the category.', most: 200 }) }),
    respond: async (call) => {
      const { id, name, parentId, imageUrl, count } = await given(
        'name',
        (await call.served()).addCategory(call.query.name, call.principal),
      );
      return { ID: id, Name: name, ParentID: parentId, ImageURL: imageUrl, Count: count };
    },
  }),
];
