import { afterAll, beforeAll, expect, test } from 'vitest';
import { NOWHERE, openHost, partStl, type Answer, type Host } from './host.js';

let host: Host;
const uids: string[] = [];

beforeAll(async () => {
  host = await openHost();
  for (const file of ['a.stl', 'b.stl', 'c.stl'])
    uids.push(
      (
        await host.send('PUT', '/api/FileBinary', {
          as: 'ada',
          bytes: partStl(5, 7, 9),
          query: { file, isSearchInput: false },
        })
      ).text,
    );
});
afterAll(() => host.close());

const send = (method: string, path: string, query: Record<string, string | number | boolean> = {}): Promise<Answer> =>
  host.send(method, `/api/${path}`, { as: 'ada', query });
const members = async (query = {}): Promise<string[][]> =>
  (await send('GET', 'Duplicates', query)).json.groups.map((group: any) => group.members.map(({ path }: any) => path));

test('groups with their evidence, and as a file', async () => {
  const {
    progress,
    files,
    parts,
    groups: [group],
  } = (await send('GET', 'Duplicates')).json;
  expect([progress, files, parts]).toEqual([null, 3, 3]);
  expect(group).toMatchObject({
    matchClass: 'bytes',
    keep: null,
    settled: false,
    members: [{ path: 'a.stl', matchClass: null, score: 0 }, { path: 'b.stl', matchClass: 'bytes' }, { path: 'c.stl' }],
  });
  const csv = await send('GET', 'DuplicatesFile', { format: 'csv' });
  expect([csv.headers.get('content-type'), csv.headers.get('content-disposition')]).toEqual([
    'text/csv; charset=utf-8',
    expect.stringContaining('filename="duplicates.csv"'),
  ]);
  expect(csv.text.trim().split('\r\n')).toHaveLength(4);
  expect((await send('GET', 'DuplicatesFile', { format: 'json' })).json[0].members).toHaveLength(3);
  expect(await members({ classes: 'mirrored,scaled' })).toEqual([]);
});

test('decisions count, and are taken back', async () => {
  const [a, b, c] = uids;
  const {
    json: [keep],
  } = await send('PUT', 'DuplicateDecisions', { kind: 'keep', uids: a });
  expect(keep).toMatchObject({ kind: 'keep', uids: [a], of: 'same' });
  expect(await members({ settled: false })).toEqual([]);
  // One against the others, and nothing said of those.
  expect(
    (await send('PUT', 'DuplicateDecisions', { kind: 'different', uids: `${a},${b}`, from: c })).json,
  ).toHaveLength(2);
  expect(await members()).toEqual([['a.stl', 'b.stl']]);
  const all = (await send('GET', 'DuplicateDecisions')).json;
  expect(all).toHaveLength(3);
  expect((await send('DELETE', 'DuplicateDecisions', { ids: all.map(({ id }: any) => id).join() })).json).toBe(3);
  expect(await members()).toEqual([['a.stl', 'b.stl', 'c.stl']]);
});

test('one file differs from as many others as the parameter holds', async () => {
  const [from] = uids;
  const others = (count: number) =>
    Array.from({ length: count }, (_, i) => `0000000000004000800000000000${String(i).padStart(4, '0')}`).join();
  const put = (list: string) => send('PUT', 'DuplicateDecisions', { kind: 'different', uids: list, from });
  expect((await put(others(120))).status).toBe(404);
  expect((await put(`${uids[1]},${from}`)).json.errors).toEqual({
    uids: [`from must be a file that uids does not name, received ${from}`],
  });
});

test('says what is wrong, and is for those of the company', async () => {
  expect((await send('GET', 'Duplicates', { classes: 'same' })).json.errors).toHaveProperty('classes');
  expect((await send('GET', 'Duplicates', { near: 'much' })).json.errors).toHaveProperty('near');
  expect((await send('PUT', 'DuplicateDecisions', { kind: 'different', uids: uids[0] })).status).toBe(400);
  expect((await send('PUT', 'DuplicateDecisions', { kind: 'keep', uids: `${uids[0]},${uids[1]}` })).status).toBe(400);
  expect((await send('PUT', 'DuplicateDecisions', { kind: 'keep', uids: 'x' })).json.errors).toHaveProperty('uids');
  expect((await send('PUT', 'DuplicateDecisions', { kind: 'keep', uids: NOWHERE })).status).toBe(404);
  expect((await send('DELETE', 'DuplicateDecisions', { ids: 'x' })).status).toBe(400);
  expect(
    (await host.send('PUT', '/api/DuplicateDecisions', { as: 'stranger', query: { kind: 'keep', uids: uids[0] } }))
      .status,
  ).toBe(404);
  expect((await host.send('GET', '/api/Duplicates')).status).toBe(401);
});
