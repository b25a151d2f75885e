import { z } from '@hono/zod-openapi';
import { answerRequest, MOST_MESSAGE_BYTES } from '../../mcp/index.js';
import { accountName } from '../resources/files.js';
import { noteToolChange } from '../server/audit.js';
import { Answer, endpointsOf } from '../server/endpoint.js';
import { badField, Problem } from '../server/problem.js';
import { readJson } from '../wire/json-body.js';

const endpoint = endpointsOf('Additions');

/**
 * Brackets, colons and commas of a message, which bound what is in memory beside an upload. A message of 400 000 names
 * took the process 12 s and 280 MiB (on a busy machine).
 */
const MOST_MARKS = 20_000;

const Message = z
  .looseObject({ jsonrpc: z.string(), id: z.union([z.string(), z.number()]).optional() })
  .openapi('McpMessage', { description: 'A message of JSON-RPC 2.0.' });

const Refusal = z
  .looseObject({ jsonrpc: z.string(), error: z.looseObject({ code: z.int(), message: z.string() }) })
  .openapi('McpRefusal', { description: 'JSON that is no message of JSON-RPC 2.0 is refused by one.' });

/** The library as tools for agents. */
export const MCP = [
  endpoint('POST /mcp', {
    summary: 'Tools for agents: Model Context Protocol, Streamable HTTP',
    about:
      'Without sessions: each message is answered by itself, as JSON. `Accept` must name application/json and ' +
      'text/event-stream. Tools that change files are offered where the server was started so.',
    body: 'message',
    media: ['application/json'],
    answer: Message,
    failure: Refusal,
    query: z.object({ accountName }),
    statuses: { 202: 'Understood; a notification has no answer.', 406: 'Accept does not name both media types.' },
    respond: async (call) => {
      const { mcp, bodyBytes } = call.options;
      if (mcp === 'off') throw new Problem(404, 'There is no such endpoint.');
      const accept = call.request.headers.get('accept') ?? '';
      if (!['application/json', 'text/event-stream'].every((media) => accept.includes(media)))
        throw new Problem(406, 'Accept must name application/json and text/event-stream.');
      const most = Math.min(bodyBytes, MOST_MESSAGE_BYTES);
      const message = await readJson(call.request, call.body, most, MOST_MARKS);
      if (typeof message !== 'object' || message === null || Array.isArray(message))
        throw badField('body', 'must be one message of JSON-RPC');
      const agent = {
        company: await call.company(),
        served: await call.served(),
        write: mcp === 'write',
        owner: call.principal?.userUid,
        noteChange: (tool: string, object: string) => noteToolChange(call, `MCP ${tool}`, object),
      };
      const response = await answerRequest(agent, call.request, message);
      const bytes = new Uint8Array(await response.arrayBuffer());
      return new Answer(response.status, bytes.length === 0 ? undefined : bytes, {
        'Content-Type': response.headers.get('content-type') ?? 'application/json',
      });
    },
  }),
];
