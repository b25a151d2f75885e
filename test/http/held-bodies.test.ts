import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createHandler, type Handler, type LogEntry } from '../../dist/http/index.js';
import { answerOf, base64, openHost, partStl, type Answer, type Host } from './host.js';

// What a body that is held in memory may cost: nothing but its files is built of it, and all of them have a bound.

let host: Host;
let handler: Handler;
let last: LogEntry | undefined;

beforeAll(async () => {
  host = await openHost();
  handler = createHandler(host.engine, {
    bodyBytes: 1_000_000,
    heldBodyBytes: 2_500_000,
    heldBodyBytesPerUser: 1_500_000,
    mcp: 'write',
    log: (entry) => (last = entry),
  });
});
afterEach(() => vi.useRealTimers());
afterAll(() => host.close());

type Pieces = (controller: ReadableStreamDefaultController<Uint8Array>) => void | Promise<void>;

/** A PUT whose body comes in pieces. */
async function put(path: string, pieces: Pieces, as: 'ada' | 'bob' | 'stranger' = 'ada'): Promise<Answer> {
  return answerOf(
    await handler(
      new Request(`http://localhost/api/${path}`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${host.tokens[as]}`, 'Content-Type': 'application/json' },
        body: new ReadableStream<Uint8Array>({ start: pieces }),
        duplex: 'half',
      } as RequestInit),
    ),
  );
}

/** The text in pieces of so many bytes. */
const cut =
  (text: string, size: number): Pieces =>
  (controller) => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
    controller.close();
  };

const SEARCH = 'Search?fileExtension=.stl';
const FILES = [base64(partStl(9, 5, 3)), base64(partStl(7, 5, 2))];
const inputs = ({ json }: Answer): readonly unknown[] => (json as { InputFileUID: unknown[] }).InputFileUID ?? [];

describe('files of a body', () => {
  const once = JSON.stringify(FILES);
  test.each([
    ['an array', once],
    ['a string that holds an array', JSON.stringify(once)],
    ['with white space and a byte order mark', `\uFEFF [ "${FILES[0]}" ,\n "${FILES[1]}" ]\n`],
    ['with escapes', JSON.stringify(once).replaceAll('/', '\\\\/')],
  ])('%s, in pieces of any size', async (_, body) => {
    for (const size of [1, 7, 1_000, body.length]) {
      const answer = await put('ConvertFiles?fileNames=a.stl,b.stl&conversionExtension=stl', cut(body, size));
      expect([size, answer.status]).toEqual([size, 200]);
    }
    expect((await put(SEARCH, cut(body, 500))).status).toBe(200);
  });

  test.each([
    ['[1]', 'must be a JSON array of strings, received one that has "1" at position 0'],
    ['[["AAAA"]]', 'must be a JSON array of strings, received an array at position 0'],
    ['["AAAA",{}]', 'must be a JSON array of strings, received an object at position 1'],
    ['["AAAA",]', 'must be a JSON array of strings, received one that has "]" at position 1'],
    ['["AAAA"', 'must be a JSON array of strings, received one without an end'],
    ['["AAAA"] x', 'must be a JSON array of strings, received one that has "x" at position 1'],
    ['"[]" x', 'must be one JSON value, received more after it'],
    ['"[', 'must be JSON, received a string without an end'],
    ['{}', 'must be a JSON array of strings, received an object'],
    ['["A?"]', 'must be base64, received the character "?" where none may be'],
    [JSON.stringify(Array.from({ length: 3_000 }, () => '')), /^must hold at most \d+ files, received more$/],
  ])('%s is refused', async (body, message) => {
    for (const size of [1, body.length]) {
      const { status, json } = await put(SEARCH, cut(body, size));
      expect([status, (json as { errors: { body: string[] } }).errors.body]).toEqual([
        400,
        [typeof message === 'string' ? message : expect.stringMatching(message)],
      ]);
    }
  });

  test('none, null and an empty text are no files', async () => {
    for (const body of ['', 'null', ' null ', '""', '"null"', '" "'])
      expect(inputs(await put('Search?filterStr=FT%3Dsteel', cut(body, 1)))).toEqual([]);
  });

  test('what is no file is refused where it begins, and not read to its end', async () => {
    for (const mark of ['[],', '{"":{}},', '1,']) {
      const { status } = await put(SEARCH, cut(`[${mark.repeat(300_000 / mark.length)}${mark[0]}`, 1_000));
      expect([mark, status, last!.requestBytes]).toEqual([mark, 400, 1_000]);
    }
  });
});

test('bodies that are held have a bound, of all and of each user', async () => {
  const ends: (() => void)[] = [];
  const files: Promise<Answer>[] = [];
  /** Begins a body of so many bytes, which are read, and leaves it open. */
  const begin = async (as: 'ada' | 'bob' | 'stranger', length: number): Promise<void> => {
    let wanted = (): void => undefined;
    const read = new Promise<void>((resolve) => (wanted = resolve));
    let sent = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (sent) {
          wanted();
          return new Promise<void>((resolve) => {
            ends.push(() => {
              controller.enqueue(Buffer.from('"]'));
              controller.close();
              resolve();
            });
          });
        }
        sent = true;
        controller.enqueue(Buffer.from(`["${'A'.repeat(length - 2)}`));
        return undefined;
      },
    });
    const headers = { Authorization: `Bearer ${host.tokens[as]}`, 'Content-Type': 'application/json' };
    const request = new Request(`http://localhost/api/${SEARCH}`, {
      method: 'PUT',
      headers,
      body,
      duplex: 'half',
    } as RequestInit);
    files.push(handler(request).then(answerOf));
    await read;
  };
  const much = `["${'A'.repeat(899_996)}"]`;
  await begin('ada', 900_000);
  const health = async (): Promise<any> => (await answerOf(await handler(new Request('http://localhost/health')))).json;
  const own = await put(SEARCH, cut(much, 100_000), 'ada');
  expect([own.status, own.headers.get('retry-after')]).toEqual([503, '1']);
  // Her share alone is taken.
  expect(await health()).toEqual({ status: 'ok' });
  await begin('bob', 900_000);
  vi.useFakeTimers({ toFake: ['performance'] });
  expect((await put(SEARCH, cut(much, 100_000), 'stranger')).status).toBe(503);
  expect(await health()).toMatchObject({ status: 503, code: 'OUT_OF_ROOM', full: ['bodies'] });
  vi.advanceTimersByTime(5_001);
  expect(await health()).toEqual({ status: 'ok' });
  vi.useRealTimers();
  // What is short has room, and once the others are answered so has the rest.
  expect((await put(SEARCH, cut(JSON.stringify(FILES), 1_000), 'stranger')).status).toBe(200);
  for (const end of ends) end();
  await Promise.all(files);
  expect((await put(SEARCH, cut(much, 100_000), 'ada')).status).not.toBe(503);
});

describe('a message to the tools for agents', () => {
  const send = async (args: unknown): Promise<Answer> =>
    answerOf(
      await handler(
        new Request('http://localhost/mcp', {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${host.tokens.ada}`,
            Accept: 'application/json, text/event-stream',
            'Content-Type': 'application/json',
          },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'list_attributes', arguments: args },
          }),
        }),
      ),
    );

  test('has at most so many values', async () => {
    const many = await send(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 1])));
    expect(many.status).toBe(413);
    expect(many.text.length).toBeLessThan(1_000);
  });

  test('is not told back in its whole length', async () => {
    const long = await send({ ['k'.repeat(500_000)]: 1 });
    expect(long.status).toBe(200);
    expect(long.text.length).toBeLessThan(2_000);
    expect(long.text).toContain('QUERY_INVALID');
  });
});
