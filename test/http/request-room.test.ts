import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHandler, type Handler } from '../../dist/http/index.js';
import { answerOf, openHost, partStl, requestOf, type Answer, type Host, type Who } from './host.js';

// Requests of one user wait behind each other, not before those of others.

let host: Host;
let handler: Handler;
let uid = '';

beforeAll(async () => {
  host = await openHost();
  handler = createHandler(host.engine, { requestsPerUser: 2 });
  const query = { path: 'part.stl' };
  uid = (await host.send('PUT', '/api/Record', { as: 'ada', query, bytes: partStl(9, 5, 3) })).json.uid;
  await host.engine.idle();
});
afterAll(() => host.close());

/** Asks for a picture that nobody has asked for yet. */
async function draw(as: Who, width: number, signal?: AbortSignal): Promise<Answer> {
  const request = requestOf('GET', '/api/PageImage', { as, query: { fileUID: uid, width } }, host.tokens);
  return answerOf(await handler(new Request(request, { signal })));
}

test('who asks for much keeps nobody else waiting, and gets all of it', async () => {
  let drawn = 0;
  const many = Array.from({ length: 40 }, (_, i) =>
    draw('ada', 1_000 + i).then(({ status }) => {
      drawn++;
      return status;
    }),
  );
  expect((await draw('bob', 900)).status).toBe(200);
  expect(drawn).toBeLessThan(20);
  expect(new Set(await Promise.all(many))).toEqual(new Set([200]));
});

test('who goes away while waiting leaves the line', async () => {
  const gone = new AbortController();
  const first = [draw('ada', 1_100), draw('ada', 1_101)];
  const left = Array.from({ length: 20 }, (_, i) => draw('ada', 1_200 + i, gone.signal));
  const last = draw('ada', 1_102);
  gone.abort();
  expect(new Set((await Promise.all(left)).map(({ status }) => status))).toEqual(new Set([400]));
  expect((await Promise.all([...first, last])).map(({ status }) => status)).toEqual([200, 200, 200]);
});
