import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jsonLines, runCli } from '../cli/run-cli.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { Engine } from '../../dist/index.js';
import { LineReader, type LongLine } from '../../dist/mcp/line-reader.js';

const folder = temporaryFolder();
const MOST = 8 * 1024 ** 2;

interface Answered {
  readonly id: number | string | null;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: { readonly tools?: readonly object[] };
}

const ask = (id: number | string, method: string, params: object = {}): string =>
  JSON.stringify({ method, params, jsonrpc: '2.0', id });
const initialize = ask(0, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

test('what is no message is answered with what was found and the bound, and serving goes on', async () => {
  const engine = await Engine.open(join(folder, 'library'), { workers: 1 });
  await engine.company('default');
  await engine.close();
  const upload = 'A'.repeat(MOST);
  const { code, stdout, stderr } = await runCli(['mcp', '--library', join(folder, 'library'), '--workers', '1'], {
    cwd: folder,
    onStart: ({ stdin }) =>
      stdin.end(
        [
          initialize,
          '{"jsonrpc": "2.0", "id": 1, "method": ',
          '',
          '[]',
          '{"jsonrpc": "1.0", "id": 2, "method": "tools/list"}',
          '{"jsonrpc": "2.0", "id": 2.5, "method": "tools/list"}',
          // The id at the end, as the SDK's clients write it; at the beginning; nowhere.
          ask(3, 'tools/call', { name: 'get_part', arguments: { upload } }),
          `{"id": "four", "method": "tools/call", "params": {"upload": "${upload}"}}`,
          `{"method": "tools/call", "params": {"upload": "${upload}", "id": 5}}`,
          '{"jsonrpc": "2.0", "id": null, "error": {"code": 1, "message": "no answer to an answer"}}',
          ask(6, 'tools/list'),
          // The last line has no end, and its answer takes longer than the input.
          ask(7, 'tools/call', { name: 'search_parts', arguments: { words: 'bracket' } }),
        ].join('\n'),
      ),
  });
  expect(code, stderr).toBe(0);
  const answers = jsonLines<Answered>(stdout);
  const refused = answers.flatMap(({ id, error }) => (error === undefined ? [] : [[id, error.code, error.message]]));
  const long = expect.stringMatching(/^the message has 8388\d{3} bytes, at most 8388608 \(8 MiB\) are read/);
  expect(refused).toEqual([
    [null, -32_700, expect.stringMatching(/^the line is not JSON: ./)],
    [null, -32_600, 'not a message of JSON-RPC 2.0: a list; send each message on a line of its own'],
    [2, -32_600, 'not a message of JSON-RPC 2.0: "jsonrpc" must be "2.0"'],
    [null, -32_600, 'not a message of JSON-RPC 2.0: "id" must be a string or an integer'],
    [3, -32_600, long],
    ['four', -32_600, long],
    [null, -32_600, long],
  ]);
  expect(stderr.match(/^refused a message: /gm)).toHaveLength(7);
  expect(stderr.match(/^ignored an answer: /gm)).toHaveLength(1);
  const served = new Map(answers.filter(({ result }) => result !== undefined).map(({ id, result }) => [id, result]));
  expect([...served.keys()]).toEqual([0, 6, 7]);
  expect(served.get(6)?.tools?.length).toBeGreaterThan(5);
}, 60_000);

test('lines are the same however they are cut into chunks; what is too long is not kept', () => {
  const text = `one\r\n\n${'é'.repeat(40)}\n${'x'.repeat(2_000)}y\ntwo`;
  const long = { byteLength: 2_001, head: 'x'.repeat(512), tail: `${'x'.repeat(511)}y` };
  const expected = ['one\r', 'é'.repeat(40), long];
  for (const size of [1, 7, 64, 511, 512, 513, 10_000]) {
    const found: (string | LongLine)[] = [];
    const reader = new LineReader(100, (line) => found.push(line));
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += size) reader.push(bytes.subarray(from, from + size));
    const head = (found[2] as LongLine).head;
    expect('x'.repeat(2_000).startsWith(head) && head.length > 100, `head, chunks of ${size}`).toBe(true);
    expect(found, `chunks of ${size}`).toEqual([...expected.slice(0, 2), { ...(expected[2] as LongLine), head }]);
    reader.end();
    expect(found.at(-1)).toBe('two');
    const count = found.length;
    reader.end();
    expect(found).toHaveLength(count);
  }
});
