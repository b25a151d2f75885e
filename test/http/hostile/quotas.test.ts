import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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
  const refused = (await put('ada')).json;
  expect(refused.detail).toContain('accounts.inputsPerUser');
  const first = await (await host.engine.company('acme')).input(uids[0]);
  expect([refused.freeAt, refused.detail]).toEqual([
    first?.expiresAt.toISOString(),
    expect.stringContaining(refused.freeAt),
  ]);
  // The own one is replaced at the bound as well.
  const again = { as: 'ada', query: { file: '.stl', uid: uids[1] }, bytes: partStl(9, 4, 5) } as const;
  expect((await host.send('PUT', '/api/FileBinary', again)).status).toBe(200);
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
  // By their bytes as well, those of the new one counted.
  const ofBytes = (more: number): Uint8Array => Buffer.concat([partStl(3, 4, 5), Buffer.alloc(more)]);
  expect((await put('bob', ofBytes(60_000))).json.detail).toContain('accounts.inputBytesPerUser');
  const one = partStl(3, 4, 5).byteLength;
  expect((await put('bob', ofBytes(50_000 - 2 * one - 100))).status).toBe(200);
  expect((await put('bob')).json.detail).toContain('accounts.inputBytesPerUser');
});

test('of what a company may have, no member takes more than a share; the others have the rest', async () => {
  const bounds = { categories: 5, categoriesPerUser: 2, keptInputs: 3, keptInputsPerUser: 2 };
  const own = await openHost({}, { accounts: bounds });
  try {
    const add = (as: Who, name: string): Promise<Answer> =>
      own.send('GET', '/api/CustomProductCategory', { as, query: { name } });
    const kept = async (as: Who, height: number): Promise<Answer> => {
      const { json } = await own.send('PUT', '/api/Input', {
        as,
        query: { name: 'a.stl' },
        bytes: partStl(3, 4, height),
      });
      return own.send('PUT', '/api/KeptInput', { as, query: { fileUID: json.uid } });
    };
    // What is there already costs nothing, whoever made it.
    for (const name of ['a', 'b', 'a']) expect((await add('ada', name)).status).toBe(200);
    const refused = await add('ada', 'c');
    expect(limitOf(refused).slice(0, 2)).toEqual([403, 'NOT_ALLOWED']);
    expect(refused.json.detail).toMatch(/^2 categories of the user .*allowed are 2, accounts\.categoriesPerUser/);
    for (const name of ['b', 'c', 'd']) expect((await add('bob', name)).status).toBe(200);
    // At once as well.
    const company = await own.engine.company('acme');
    const many = Array.from({ length: 6 }, (_, i) =>
      company.categories.add(`n${i}`, { owner: 'z', most: 7, mostOfOwner: 2 }),
    );
    const states = (await Promise.allSettled(many)).map(({ status }) => status);
    expect(states.filter((state) => state === 'fulfilled')).toHaveLength(2);

    for (const height of [5, 6]) expect((await kept('ada', height)).status).toBe(200);
    expect((await kept('ada', 7)).json.detail).toMatch(/by the user.*allowed are 2, accounts\.keptInputsPerUser/);
    expect((await kept('bob', 8)).status).toBe(200);
    expect((await kept('bob', 9)).json.detail).toContain('accounts.keptInputs)');
  } finally {
    await own.close();
  }
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

test('puts and keeps at once share the room, of bytes as well', async () => {
  const own = await openHost({}, { accounts: { inputsPerUser: 5, inputBytesPerUser: 1_000_000, keptInputs: 2 } });
  try {
    // Through the engine: a listener lets a user have fewer requests at once.
    const served = await own.engine.served('acme');
    const users = await own.engine.accounts.users('acme');
    const uidOf = (who: Who): string => users.find(({ email }) => email === `${who}@acme.example`)!.uid;
    const puts = async (as: Who, count: number, more: number): Promise<string[]> => {
      const all = await Promise.allSettled(
        Array.from({ length: count }, (_, i) => {
          const bytes = Buffer.concat([partStl(3, 4, 5 + i), Buffer.alloc(more)]);
          return served.putInput(bytes, { extension: 'stl', owner: uidOf(as) });
        }),
      );
      return all.flatMap((put) => {
        if (put.status === 'fulfilled') return [put.value.uid];
        expect(put.reason).toMatchObject({ code: 'NOT_ALLOWED', details: { freeAt: expect.any(String) } });
        return [];
      });
    };
    const uids = await puts('ada', 20, 0);
    expect(uids).toHaveLength(5);
    expect(await puts('bob', 5, 300_000)).toHaveLength(3);
    const kept = await Promise.all(
      uids.map((fileUID) => own.send('PUT', '/api/KeptInput', { as: 'ada', query: { fileUID } })),
    );
    expect(kept.map(({ status }) => status).sort()).toEqual([200, 200, 403, 403, 403]);
  } finally {
    await own.close();
  }
});

test('an input that has expired takes no room, swept or not', async () => {
  const now = vi.spyOn(Date, 'now');
  const own = await openHost({}, { accounts: { inputsPerUser: 1 }, inputTtlMs: 3_600_000 });
  try {
    const put1 = (): Promise<Answer> =>
      own.send('PUT', '/api/Input', { as: 'ada', query: { name: 'a.stl' }, bytes: partStl(3, 4, 5) });
    expect((await put1()).status).toBe(200);
    expect((await put1()).status).toBe(403);
    const company = await own.engine.company('acme');
    const before = Date.now();
    now.mockImplementation(() => before + 3_600_001);
    const owner = (await own.engine.accounts.users('acme')).find(({ email }) => email === 'ada@acme.example')!.uid;
    await company.putInput(partStl(3, 4, 6), {
      extension: 'stl',
      owner,
      wait: false,
      mostOfOwner: { count: 1, bytes: 1e6 },
    });
  } finally {
    now.mockRestore();
    await own.close();
  }
});
