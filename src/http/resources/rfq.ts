import { z } from '@hono/zod-openapi';
import { EngineError } from '../../index.js';
import { endpointsOf } from '../server/endpoint.js';
import { readFile } from '../wire/json-body.js';
import { badField, given } from '../server/problem.js';
import { maybeInteger, requiredText, text } from '../server/parameters.js';

const endpoint = endpointsOf('RFQ');

/** Fields of errors about a request, by the engine's option; all others are about `rfqId`. */
const FIELDS: Readonly<Record<string, string>> = { number: 'chunkNum', total: 'chunkNum', fileName: 'fileName' };

const RFQ = z
  .object({
    RFQID: z.string(),
    CustomQuoteID: z.string().nullable(),
    FileName: z.string(),
    Status: z.enum(['open', 'complete']),
    ReceivedChunks: z.int(),
    TotalChunks: z.int(),
    FileUID: z.string().nullable().openapi({ description: 'Search input made of the file, as long as it is kept.' }),
    DateAdded: z.string().openapi({ format: 'date-time' }),
    Lines: z.array(z.string()).nullable(),
  })
  .openapi('RFQ');

const rfqId = requiredText({ about: 'Id of the request.', most: 100 });

export const RFQS = [
  endpoint('PUT /RFQ', {
    summary: 'Creates a request for quotation from a file',
    body: 'file',
    about:
      'The answer is its id. Chunks are numbered from 0 or from 1, come in any order, and name the rfqId that the ' +
      'first one was answered with or one of their own.',
    answer: z.string(),
    query: z.object({
      fileName: requiredText({ about: 'Name of the file.', most: 1_000 }),
      customQuoteId: text({ about: 'Number of the request in the system of the sender.', most: 100 }),
      rfqId: text({ about: 'Id of the request; made when absent.', most: 100 }),
      chunkNum: maybeInteger({ about: 'Number of the chunk.', least: 0 }),
      totalChunks: maybeInteger({ about: 'How many chunks there are.', least: 1 }),
    }),
    statuses: { 404: 'The request was removed meanwhile.', 409: 'Contradicts what was sent before.' },
    respond: async (call) => {
      const { fileName, customQuoteId, rfqId: id, chunkNum: number, totalChunks: total } = call.query;
      if ((number === undefined) !== (total === undefined))
        throw badField(
          number === undefined ? 'chunkNum' : 'totalChunks',
          'chunkNum and totalChunks must be given together.',
        );
      const bytes = await readFile(call.request, call.body, call.options.bodyBytes);
      if (bytes.length === 0) throw badField('body', 'must be a JSON string of the base64 of a file, received none');
      const chunk = number === undefined || total === undefined ? undefined : { number, total };
      const served = await call.served();
      const rfq = await given(
        (option) => FIELDS[option ?? ''] ?? 'rfqId',
        served.putRfq({ id, fileName, customQuoteId, bytes, chunk }, { owner: call.principal?.userUid }),
      );
      return rfq.id;
    },
  }),
  endpoint('GET /RFQ', {
    summary: 'A request for quotation',
    answer: RFQ,
    query: z.object({ rfqId }),
    statuses: { 404: 'Unknown request.' },
    respond: async (call) => {
      const served = await call.served();
      const rfq = await given('rfqId', served.rfq(call.query.rfqId));
      if (rfq === undefined)
        throw new EngineError('RECORD_UNKNOWN', 'no request for quotation has this id', { details: { what: 'rfq' } });
      return {
        RFQID: rfq.id,
        CustomQuoteID: rfq.customQuoteId,
        FileName: rfq.fileName,
        Status: rfq.status,
        ReceivedChunks: rfq.receivedChunks,
        TotalChunks: rfq.totalChunks,
        FileUID: rfq.fileUid,
        DateAdded: rfq.addedAt.toISOString(),
        Lines: null,
      };
    },
  }),
  endpoint('DELETE /RFQ', {
    summary: 'Removes a request for quotation',
    answer: z.boolean(),
    query: z.object({ rfqId }),
    statuses: { 404: 'Unknown request.' },
    respond: async (call) => {
      const served = await call.served();
      if (await given('rfqId', served.removeRfq(call.query.rfqId))) return true;
      throw new EngineError('RECORD_UNKNOWN', 'no request for quotation has this id', { details: { what: 'rfq' } });
    },
  }),
];
