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
      const { byteLength, pieces } = await company.stream(call.query.fileUID);
      // Nobody would read, and so close, the body of a HEAD.
      const body = call.request.method === 'HEAD' ? new Uint8Array() : await bodyOf(pieces);
      return saved(body, displayName, 'application/octet-stream', byteLength);
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

/** A body that is read from the disk as the client takes it. Bytes that cannot be read at all fail here. */
async function bodyOf(pieces: AsyncGenerator<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  let next: Promise<IteratorResult<Uint8Array>> | undefined = Promise.resolve(await pieces.next());
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await (next ?? pieces.next());
        next = undefined;
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Bytes that browsers save and never display, because others wrote their content. */
function saved(body: Uint8Array | ReadableStream<Uint8Array>, name: string, type: string, byteLength?: number): Answer {
  const plain = name.replace(/[^\w. ()+,=@-]/g, '_');
  // RFC 8187
  const exact = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return new Answer(200, body, {
    'Content-Type': type,
    ...(byteLength === undefined ? {} : { 'Content-Length': String(byteLength) }),
    'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${exact}`,
  });
}
