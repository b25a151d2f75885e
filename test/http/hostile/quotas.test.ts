import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHost, partStl, type Answer, type Host, type Who } from '../host.js';

// What members may make without anybody's asking: it lies on the disk of who serves.

let host: Host;

beforeAll(async () => {
  const bounds = { categories: 3, inputsPerUser: 4, inputBytesPerUser: 50_000, keptInputs: 2 };
  host = await openHost(
    {},
    {
      accounts: {
        ...bounds,
        rfqsPerUser: 3,
        openRfqsPerUser: 1,
        rfqBytesPerUser: 20_000,
        feedbackPerUser: 5,
        savedSearches: 2,
      },
    },
  );
});
afterAll(() => host.close());

const limitOf = ({ status, json }: Answer): unknown[] => [status, json.code, json.limit ?? json.details?.limit];
const put = (as: Who, bytes: Uint8Array = partStl(3, 4, 5)): Promise<Answer> =>
  host.send('PUT', '/api/Input', { as, query: { name: 'a.stl' }, bytes });

test('what members make has bounds, each of its own: categories', async () => {
  const add = (name: string): Promise<Answer> =>
    host.send('GET', '/api/CustomProductCategory', { as: 'ada', query: { name } });
  for (const name of ['a', 'b', 'c', 'a']) expect((await add(name)).status).toBe(200);
  const refused = await add('d');
  expect(limitOf(refused).slice(0, 2)).toEqual([403, 'NOT_ALLOWED']);
  expect(refused.json.detail).toMatch(/^3 categories are there.*allowed are 3, accounts\.categories/);
});

test('search inputs, and those that are kept, are bounded by user and company; what is deleted makes room', async () => {
  const uids: string[] = [];
  for (let i = 0; i < 4; i++) uids.push((await put('ada', partStl(3, 4, 5 + i))).json.uid);
  expect((await put('ada')).json.detail).toContain('accounts.inputsPerUser');
  expect((await put('bob')).status).toBe(200);
  const keep = (fileUID: string): Promise<Answer> =>
    host.send('PUT', '/api/KeptInput', { as: 'ada', query: { fileUID } });
  expect((await keep(uids[0])).status).toBe(200);
  expect((await keep(uids[1])).status).toBe(200);
  expect((await keep(uids[2])).json.detail).toContain('accounts.keptInputs');
  // One that is kept already may be kept longer.
  expect((await keep(uids[0])).status).toBe(200);
  expect((await host.send('DELETE', '/api/File', { as: 'ada', query: { fileUID: uids[2] } })).status).toBe(200);
  expect((await put('ada')).status).toBe(200);
  // By their bytes as well.
  const large = Buffer.concat([partStl(3, 4, 5), Buffer.alloc(60_000)]);
  expect((await put('bob', large)).status).toBe(200);
  expect((await put('bob')).json.detail).toContain('accounts.inputBytesPerUser');
});

test('requests for quotation are bounded by user, in number and bytes', async () => {
  const rfq = (as: Who, bytes: Uint8Array): Promise<Answer> =>
    host.send('PUT', '/api/RFQ', { as, query: { fileName: 'a.stl' }, json: Buffer.from(bytes).toString('base64') });
  for (let i = 0; i < 3; i++) expect((await rfq('bob', partStl(6, 4, 5 + i))).status).toBe(403);
  await host.engine.accounts.putRfq('acme', { fileName: 'a.stl', owner: 'x', bytes: partStl(1, 2, 3) });
  const { accounts } = host.engine;
  const putOf = (bytes: Uint8Array): Promise<unknown> =>
    accounts.putRfq('acme', { fileName: 'a.stl', owner: 'y', bytes });
  await putOf(Buffer.alloc(15_000, 1));
  await expect(putOf(Buffer.alloc(15_000, 2))).rejects.toMatchObject({
    code: 'NOT_ALLOWED',
    details: { limit: 'rfqBytesPerUser', allowed: 20_000, found: 30_000 },
  });
  for (let i = 0; i < 2; i++) await putOf(Buffer.from([i]));
  await expect(putOf(Buffer.from([9]))).rejects.toMatchObject({ details: { limit: 'rfqsPerUser', allowed: 3 } });
});

test('requests that wait for chunks are bounded by user as well, so that nobody takes the room of others', async () => {
  const { accounts } = host.engine;
  const begin = (owner: string | undefined): Promise<unknown> =>
    accounts.putRfq('acme', { fileName: 'a.stl', owner, bytes: Buffer.from('a'), chunk: { number: 1, total: 2 } });
  await begin('z');
  await expect(begin('z')).rejects.toMatchObject({ code: 'NOT_ALLOWED', details: { limit: 'openRfqsPerUser' } });
  await begin('other');
  // The host itself has those of the company.
  await begin(undefined);
  await begin(undefined);
});

test('of feedback the oldest of its user goes; saved searches are refused', async () => {
  const say = (as: Who, expectation: string): Promise<Answer> =>
    host.send('PUT', '/api/SearchFeedback', { as, query: { expectation }, json: '' });
  expect((await say('bob', 'mine')).status).toBe(200);
  for (let i = 0; i < 12; i++) expect((await say('ada', `${i}`)).status).toBe(200);
  const held = (await host.engine.accounts.searchFeedback('acme')).map(({ expectation }) => expectation);
  expect(held.toSorted()).toEqual(['10', '11', '7', '8', '9', 'mine']);
  const save = (name: string): Promise<Answer> =>
    host.send('PUT', '/api/SavedSearches', { as: 'ada', query: { name, queryStr: 'FT=a' } });
  for (const name of ['a', 'b', 'a']) expect((await save(name)).status).toBe(200);
  expect((await save('c')).json.code).toBe('LIMIT_EXCEEDED');
});
