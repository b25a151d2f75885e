import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unzipSync } from 'fflate';
import { openHost, partStl, sha1, type Answer, type Host, type Who } from './host.js';

// Keys of users, and the log of who changed what.

let host: Host;
let clock = Date.now();
beforeAll(async () => {
  host = await openHost({}, { accounts: { now: () => clock, loginFailures: 3 } });
});
afterAll(() => host.close());

const current = sha1('secret').toString('hex');
const make = (form: Record<string, string>, as: Who = 'ada'): Promise<Answer> =>
  host.send('PUT', '/api/Keys', { as, form: { current, ...form } });
const withKey = (key: string, method = 'GET', path = '/api/Status', more: object = {}): Promise<Answer> =>
  host.send(method, path, { headers: { Authorization: `Bearer ${key}` }, ...more });

describe('a key', () => {
  test('does what its user may do, is listed without its secret, and is withdrawn', async () => {
    const { status, json, text } = await make({ name: 'nightly import' });
    expect(status, text).toBe(200);
    expect(json).toMatchObject({ name: 'nightly import', email: 'ada@acme.example', expiresAt: null, usedAt: null });
    expect(json.key).toMatch(/^sdx_[\w-]{43}$/);
    expect((await withKey(json.key)).status).toBe(200);
    expect((await withKey(`${json.key.slice(0, -1)}${json.key.endsWith('A') ? 'B' : 'A'}`)).status).toBe(401);
    // A member's key is no admin's.
    expect((await withKey(json.key, 'GET', '/api/Users')).status).toBe(403);
    const { text: listed, json: keys } = await host.send('GET', '/api/Keys', { as: 'ada' });
    expect(keys.map(({ id, usedAt }: any) => [id, usedAt])).toEqual([[json.id, new Date(clock).toISOString()]]);
    expect(listed).not.toContain(json.key);
    // Nobody else sees or withdraws it, but an admin of the company does.
    expect((await host.send('GET', '/api/Keys', { as: 'bob' })).json).toEqual([]);
    expect((await host.send('DELETE', '/api/Keys', { as: 'bob', query: { id: json.id } })).json).toBe(false);
    expect((await host.send('GET', '/api/CompanyKeys', { as: 'admin' })).json).toHaveLength(1);
    expect((await host.send('GET', '/api/CompanyKeys', { as: 'ada' })).status).toBe(403);
    expect((await host.send('DELETE', '/api/CompanyKeys', { as: 'stranger', query: { id: json.id } })).status).toBe(
      403,
    );
    expect((await host.send('DELETE', '/api/CompanyKeys', { as: 'admin', query: { id: json.id } })).json).toBe(true);
    expect((await withKey(json.key)).status).toBe(401);
  });
});

test('changes and refused ones are noted with who, from where and to what; reading and guests are not', async () => {
  const token = (
    await host.send('POST', '/api/Token', {
      form: { grant_type: 'password', username: 'ada@acme.example', password: current },
    })
  ).json.access_token;
  const as = { headers: { Authorization: `Bearer ${token}` }, client: { address: '192.0.2.7' } };
  const put = await host.send('PUT', '/api/Record', { ...as, query: { path: 'a/part.stl' }, bytes: partStl(2, 3, 4) });
  const { uid } = put.json;
  await host.engine.idle();
  await host.send('GET', '/api/Record', { ...as, query: { fileUID: uid } });
  await host.send('PUT', '/api/FileAttributes', { ...as, query: { fileUID: uid }, json: ['Material=Steel'] });
  expect((await host.send('DELETE', '/api/File', { ...as, query: { fileUID: uid } })).status).toBe(403);
  await host.send('DELETE', '/api/File', { query: { fileUID: uid } });
  const log = async (query: object, who: 'admin' | 'stranger' | 'operator' = 'admin') =>
    (await host.send('GET', '/api/Audit', { as: who, query: query as Record<string, string> })).json;
  const entries = await log({ object: uid });
  expect(
    entries.map(({ action, outcome, actor, source, company }: any) => [action, outcome, actor, source, company]),
  ).toEqual([
    ['DELETE File', '403', 'ada@acme.example', '192.0.2.7', 'acme'],
    ['PUT FileAttributes', 'done', 'ada@acme.example', '192.0.2.7', 'acme'],
  ]);
  expect((await log({ action: 'PUT Record' })).map(({ object }: any) => object)).toEqual(['a/part.stl']);
  const all = await log({ limit: 2 });
  expect((await log({ before: all[1].id }))[0].id).toBeLessThan(all[1].id);
  expect((await host.send('GET', '/api/Audit', { as: 'ada' })).status).toBe(403);
  const odd = await host.send('GET', '/api/Audit', { as: 'admin', query: { actor: '\u0000' } });
  expect([odd.status, odd.json.detail]).toEqual([400, 'actor must not have control characters or unpaired surrogates']);
});

test('the hits of a search come as a table, chosen ones alone, and as a workbook with pictures', async () => {
  const put = async (path: string, bytes: Uint8Array): Promise<string> =>
    (await host.send('PUT', '/api/Record', { as: 'ada', query: { path }, bytes })).json.uid;
  const [flat] = await Promise.all([put('t/flat.stl', partStl(20, 30, 2)), put('t/long.stl', partStl(2, 3, 90))]);
  await host.engine.idle();
  const asked = (query: object, more: object = {}): Promise<Answer> =>
    host.send('POST', '/api/FindFile', {
      as: 'ada',
      query: { format: 'csv', ...more },
      json: JSON.stringify(query),
    });
  const { status, text, headers } = await asked({ kinds: ['ThreeD'], within: [flat] });
  expect(status, text).toBe(200);
  expect(headers.get('content-disposition')).toContain('files.csv');
  const [titles, ...lines] = text.replace('\ufeff', '').trim().split('\r\n');
  expect(titles).toMatch(/^No\.,Name,Path,Kind,Match,Similarity \(%\),Why,Length \(mm\),Width \(mm\),Height \(mm\),/);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^1,flat\.stl,t\/flat\.stl,ThreeD,,,,50,30,2,1350,1750,/);
  const company = await host.engine.company('acme');
  const book = unzipSync(await company.searchFile({ within: [flat] }, { format: 'xlsx', pictures: true }));
  expect(Object.keys(book)).toEqual(expect.arrayContaining(['xl/drawing1.xml', 'xl/media/1.png', 'xl/sheet1.xml']));
  expect(Buffer.from(book['xl/media/1.png']).subarray(1, 4).toString()).toBe('PNG');
  const sheet = await asked({ kinds: ['ThreeD'], within: [flat] }, { format: 'pdf', pictures: true });
  expect(sheet.headers.get('content-type')).toBe('application/pdf');
  expect(sheet.headers.get('content-disposition')).toContain('files.pdf');
  expect(sheet.text).toMatch(/^%PDF-/);
  expect((await asked({ like: { bytes: 'x' } })).status).toBe(400);
  expect((await asked({ nonsense: 1 })).status).toBe(400);
});

// The clock goes on by days here, so that all tokens have ended after it.
test('a key needs the password, is not made by a key, and ends when it should', async () => {
  expect((await make({ name: 'x', current: sha1('guess').toString('hex') })).json.errors).toHaveProperty('current');
  expect((await make({ name: '' })).json.errors).toHaveProperty('name');
  expect((await make({ name: 'x', days: '0' })).status).toBe(400);
  const { json } = await make({ name: 'a week', days: '7' });
  expect(json.expiresAt).toBe(new Date(clock + 7 * 86_400_000).toISOString());
  const more = await withKey(json.key, 'PUT', '/api/Keys', { form: { current, name: 'another' } });
  expect([more.status, more.json.detail]).toEqual([403, expect.stringContaining('key')]);
  clock += 8 * 86_400_000;
  expect((await withKey(json.key)).status).toBe(401);
  const { accounts } = host.engine;
  const [user] = (await accounts.users('acme')).filter(({ email }) => email === 'bob@acme.example');
  for (let i = 0; i < 50; i++) await accounts.keys.add({ user: user.uid, name: `key ${i}` });
  await expect(accounts.keys.add({ user: user.uid, name: 'one more' })).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
  });
});
