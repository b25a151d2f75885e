import { z } from '@hono/zod-openapi';
import { endpointsOf } from '../server/endpoint.js';
import { readFiles } from '../wire/json-body.js';
import { badField } from '../server/problem.js';
import { flag, requiredText } from '../server/parameters.js';

const endpoint = endpointsOf('Files');

export const CONVERT_FILES = [
  endpoint('PUT /ConvertFiles', {
    summary: 'Converts models to STL or STEP',
    body: 'files',
    plain: true,
    about:
      'The answer is the base64 of a ZIP. A STEP file asked for as STEP comes back as it is, BREP and IGES keep ' +
      'their surfaces; all else becomes bodies of plane triangles, which the comment of the entry says: faceted, ' +
      'and why where an IGES file did.',
    answer: z.string().openapi({ format: 'byte' }),
    query: z.object({
      fileNames: requiredText({ about: 'Names with extensions, separated by commas, in the order of the body.' }),
      conversionExtension: requiredText({ about: '`stl` or `step`.', most: 10 }),
      useCompanyFolder: flag({ about: 'Internal; accepted, no effect.', byDefault: false }),
    }),
    statuses: { 422: 'A file cannot be read, or is no model.' },
    respond: async (call) => {
      const { fileNames, conversionExtension } = call.query;
      const to = conversionExtension.replace(/^\./, '').toLowerCase();
      if (to !== 'stl' && to !== 'step')
        throw badField(
          'conversionExtension',
          `conversionExtension must be stl or step, received ${JSON.stringify(conversionExtension)}`,
        );
      const names = fileNames.split(',').map((name) => name.trim());
      const served = await call.served();
      const { filesToConvert: most } = served.limits;
      if (names.length > most)
        throw badField('fileNames', `fileNames must name at most ${most} files, received ${names.length}`);
      if (names.includes(''))
        throw badField('fileNames', 'fileNames must be names separated by commas, received an empty one');
      const sent = (await readFiles(call.request, call.body, { limit: call.options.bodyBytes, most })) ?? [];
      if (sent.length !== names.length)
        throw badField(
          'fileNames',
          `fileNames must name the files of the body: it has ${sent.length}, received ${names.length} names`,
        );
      const files = sent.map((bytes, i) => ({ name: names[i], bytes }));
      const zip = await served.convert(files, { to, signal: call.signal });
      return Buffer.from(zip).toString('base64');
    },
  }),
];
