import { z } from '@hono/zod-openapi';
import { endpoint } from '../server/endpoint.js';
import { given } from '../server/problem.js';
import { requiredText } from '../wire/parameters.js';

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
  endpoint({
    method: 'get',
    path: '/CustomProductCategory',
    tag: 'Company',
    summary: 'Creates a product category',
    access: 'user',
    answer: ProductCategory,
    about: 'One that is there already is answered as it is.',
    query: z.object({ name: requiredText({ about: 'Name of the category.', most: 200 }) }),
    respond: async (call) => {
      const { id, name, parentId, imageUrl, count } = await given(
        'name',
        (await call.company()).categories.add(call.query.name),
      );
      return { ID: id, Name: name, ParentID: parentId, ImageURL: imageUrl, Count: count };
    },
  }),
];
