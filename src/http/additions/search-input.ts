import { z } from '@hono/zod-openapi';
import { endpoint } from '../server/endpoint.js';
import { accountName } from '../resources/files.js';
import { checkBinaryType } from '../wire/json-body.js';
import { given } from '../server/problem.js';
import { requiredText } from '../wire/parameters.js';
import { Record } from '../wire/record.js';

export const SEARCH_INPUT = [
  endpoint({
    method: 'put',
    path: '/Input',
    tag: 'Additions',
    summary: 'Stores a file to search with, whatever its size',
    access: 'user',
    body: 'bytes',
    answer: Record,
    about: 'Answers when the file is read; its `state` is then `indexed`, or `failed` with an `error`.',
    query: z.object({
      name: requiredText({ about: 'Name of the file; its extension counts.', most: 1_000 }),
      accountName,
    }),
    respond: async (call) => {
      checkBinaryType(call.request);
      const served = await call.served();
      return given(
        'name',
        served.putInput(call.body.stream(call.options.uploadBytes), {
          extension: '',
          name: call.query.name.replace(/^.*[/\\]/s, ''),
          owner: call.principal?.userUid,
          signal: call.signal,
        }),
      );
    },
  }),
];
