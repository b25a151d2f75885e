import { z } from '@hono/zod-openapi';
import { Answer, endpointsOf } from '../server/endpoint.js';
import { oneOf, requiredGuid } from '../server/parameters.js';

const endpoint = endpointsOf('Additions');

const Bytes = z.string().openapi({ format: 'binary' });

export const DOWNLOAD = [
  endpoint('GET /Download', {
    summary: 'The bytes of a file as they were put',
    media: ['application/octet-stream'],
    answer: Bytes,
    query: z.object({ fileUID: requiredGuid({ about: 'UID of the file.' }) }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => {
      const company = await call.company();
      const { displayName } = await company.get(call.query.fileUID);
      return saved(await company.bytes(call.query.fileUID), displayName, 'application/octet-stream');
    },
  }),

  endpoint('GET /Converted', {
    summary: 'A model of the library as STL or STEP',
    media: ['application/zip'],
    answer: Bytes,
    about: 'A ZIP, made as ConvertFiles makes it.',
    query: z.object({
      fileUID: requiredGuid({ about: 'UID of the file.' }),
      to: oneOf(['stl', 'step'], { about: 'The format wanted.' }),
    }),
    statuses: { 404: 'Unknown file.', 422: 'The file cannot be read, or is no model.' },
    respond: async (call) => {
      const { fileUID, to } = call.query;
      const company = await call.company();
      const { displayName: name } = await company.get(fileUID);
      const files = [{ name, bytes: await company.bytes(fileUID) }];
      const zip = await (await call.served()).convert(files, { to, signal: call.signal });
      return saved(zip, `${name.replace(/\.[^.]*$/, '')}-${to}.zip`, 'application/zip');
    },
  }),
];

/** Bytes that browsers save and never display, because others wrote their content. */
function saved(bytes: Uint8Array, name: string, type: string): Answer {
  const plain = name.replace(/[^\w. ()+,=@-]/g, '_');
  // RFC 8187
  const exact = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return new Answer(200, bytes, {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${exact}`,
  });
}
