import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dxfOf } from '../fixtures/drawing-of-body.js';
import { lBracket } from '../fixtures/shapes.js';
import { base64, NOWHERE, openHost, partStl, sha1, type Answer, type Host, type Who } from './host.js';

let host: Host;
let clock = Date.now();
beforeAll(async () => {
  host = await openHost({}, { accounts: { now: () => clock, loginFailures: 3 } });
});
afterAll(() => host.close());

const token = (form: Record<string, string>, more: object = {}): Promise<Answer> =>
  host.send('POST', '/api/Token', { form, ...more });
const hex = sha1('secret').toString('hex');

describe('tokens', () => {
  test('for a password, as form or query; the form wins', async () => {
    const answer = await token({ grant_type: 'password', username: 'ADA@acme.example', password: hex });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toMatchObject({
      access_token: expect.stringMatching(/^[\w-]{40,}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.any(String),
      scope: 'member',
    });
    expect([answer.headers.get('cache-control'), answer.headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
    const query = { grant_type: 'password', username: 'ada@acme.example', password: hex };
    expect((await host.send('POST', '/api/Token', { query })).status).toBe(200);
    expect((await host.send('POST', '/Token', { query, form: { username: 'nobody@acme.example' } })).json.error).toBe(
      'invalid_grant',
    );
  });

  test('are refreshed once; a spent one ends its family', async () => {
    const first = (await token({ grant_type: 'password', username: 'bob@acme.example', password: hex })).json;
    const second = (await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token })).json;
    expect(
      (await host.send('GET', '/api/ServiceFileCount', { headers: { Authorization: `Bearer ${second.access_token}` } }))
        .status,
    ).toBe(200);
    expect((await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token })).json.error).toBe(
      'invalid_grant',
    );
    expect(
      (await host.send('GET', '/api/ServiceFileCount', { headers: { Authorization: `Bearer ${second.access_token}` } }))
        .status,
    ).toBe(401);
  });

  test('for a client, its secret in password or by HTTP Basic', async () => {
    const { id, secret } = await host.engine.accounts.addClient({ company: 'acme' });
    expect((await token({ grant_type: 'client_credentials', client_id: id, password: secret })).json.scope).toBe('app');
    const basic = `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;
    expect((await token({ grant_type: 'client_credentials' }, { headers: { Authorization: basic } })).status).toBe(200);
    const wrong = await token({ grant_type: 'client_credentials', client_id: id, password: 'no' });
    expect([wrong.status, wrong.json.error, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      'invalid_client',
      'Basic',
    ]);
  });

  test.each<[string, Record<string, string>, string]>([
    ['no grant', {}, 'invalid_request'],
    ['another grant', { grant_type: 'magic' }, 'unsupported_grant_type'],
    ['no password', { grant_type: 'password', username: 'a@b.c' }, 'invalid_request'],
    ['no digest', { grant_type: 'password', username: 'a@b.c', password: 'secret' }, 'invalid_request'],
    ['no refresh token', { grant_type: 'refresh_token' }, 'invalid_request'],
    ['an unknown refresh token', { grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_grant'],
    ['no client', { grant_type: 'client_credentials' }, 'invalid_request'],
    ['no address', { grant_type: 'password', username: 'nobody', password: hex }, 'invalid_grant'],
  ])('%s: the error of RFC 6749', async (_, form, error) => {
    const answer = await token(form);
    expect([answer.status, answer.json.error]).toEqual([400, error]);
  });

  test('end when the user signs out', async () => {
    const { access_token: spent, refresh_token } = (
      await token({ grant_type: 'password', username: 'ada@acme.example', password: hex })
    ).json;
    const headers = { Authorization: `Bearer ${spent}` };
    expect((await host.send('DELETE', '/api/Session', { headers })).json).toBe(true);
    expect((await host.send('DELETE', '/api/Session', { headers })).status).toBe(401);
    expect((await token({ grant_type: 'refresh_token', refresh_token })).json.error).toBe('invalid_grant');
  });

  test('end after their hour', async () => {
    const { access_token } = (await token({ grant_type: 'password', username: 'ada@acme.example', password: hex }))
      .json;
    const use = async (): Promise<number> =>
      (await host.send('GET', '/api/ServiceFileCount', { headers: { Authorization: `Bearer ${access_token}` } }))
        .status;
    expect(await use()).toBe(200);
    clock += 3_600_000;
    expect(await use()).toBe(401);
    clock -= 3_600_000;
  });

  test('are refused after some wrong passwords', async () => {
    const wrong = { grant_type: 'password', username: 'admin@acme.example', password: sha1('guess').toString('hex') };
    for (let i = 0; i < 3; i++) expect((await token(wrong)).status).toBe(400);
    const refused = await token(wrong);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const user = await host.send('GET', '/api/User', {
      query: { emailID: 'admin@acme.example', password: sha1('guess').toString('base64') },
    });
    expect([user.status, user.json.code]).toEqual([429, 'RATE_LIMITED']);
    clock += 3_600_000 * 10;
    for (const who of ['ada', 'bob', 'admin', 'operator', 'stranger'] as const) {
      const email = `${who === 'stranger' ? 'eve@other' : `${who}@acme`}.example`;
      (host.tokens as Record<string, string>)[who] = (
        await token({ grant_type: 'password', username: email, password: hex })
      ).json.access_token;
    }
  });
});

describe('users', () => {
  const password = sha1('new').toString('base64');
  const add = (query: Record<string, string>, as?: 'admin' | 'ada' | 'operator'): Promise<Answer> =>
    host.send('PUT', '/api/User', { as, query: { firstName: 'Zoë', lastName: 'Øst', password, ...query } });

  test('are created, by domain in a company, and their credentials checked', async () => {
    await host.engine.accounts.mapDomain('mapped.example', 'acme');
    const alone = await add({ emailID: 'alone@nowhere.example' });
    expect(alone.json).toMatchObject({
      EmailID: 'alone@nowhere.example',
      FirstName: 'Zoë',
      LastName: 'Øst',
      CompanyID: null,
      CompanyName: null,
      IsAdmin: false,
    });
    const mapped = await add({ emailID: 'zoe@mapped.example' });
    expect(mapped.json).toMatchObject({ CompanyID: host.companies.acme, CompanyName: 'acme', IsWaiting: true });
    expect((await add({ emailID: 'Zoe@mapped.example' })).status).toBe(409);
    const check = (): Promise<Answer> =>
      host.send('GET', '/api/User', { query: { emailID: 'zoe@mapped.example', password } });
    const signIn = (username: string): Promise<Answer> =>
      token({ grant_type: 'password', username, password: sha1('new').toString('hex') });
    expect((await check()).json).toBeNull();
    const waits = await signIn('zoe@mapped.example');
    expect([waits.status, waits.json]).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'the account waits for an admin of the company to let it in' },
    ]);
    // Admins of the company see who waits and let them in; members and other companies do not.
    const users = async (as: Who, waiting: boolean): Promise<Answer> =>
      host.send('GET', '/Users', { as, query: { waiting } });
    expect((await users('admin', true)).json.map(({ EmailID }: any) => EmailID)).toEqual(['zoe@mapped.example']);
    expect((await users('admin', false)).json.length).toBeGreaterThan(3);
    expect((await users('ada', true)).status).toBe(403);
    const approve = (as: Who, emailID: string, method = 'PUT'): Promise<Answer> =>
      host.send(method, '/UserApproval', { as, query: { emailID } });
    expect((await approve('ada', 'zoe@mapped.example')).status).toBe(403);
    expect((await approve('admin', 'alone@nowhere.example')).status).toBe(404);
    expect((await approve('admin', 'zoe@mapped.example')).json).toEqual({ ...mapped.json, IsWaiting: false });
    expect((await approve('admin', 'zoe@mapped.example')).status).toBe(404);
    expect((await check()).json).toEqual({ ...mapped.json, IsWaiting: false });
    expect((await signIn('zoe@mapped.example')).status).toBe(200);
    await add({ emailID: 'no@mapped.example' });
    expect((await approve('admin', 'no@mapped.example', 'DELETE')).json).toBe(true);
    expect((await approve('admin', 'no@mapped.example', 'DELETE')).json).toBe(false);
    // The profile may say otherwise.
    await host.engine.accounts.setProfile('acme', { signUp: 'off' });
    expect((await add({ emailID: 'off@mapped.example' })).status).toBe(403);
    await host.engine.accounts.setProfile('acme', { signUp: 'domain' });
    expect((await add({ emailID: 'at-once@mapped.example' })).json.IsWaiting).toBe(false);
    expect((await signIn('at-once@mapped.example')).status).toBe(200);
    await host.engine.accounts.setProfile('acme', { signUp: 'approve' });
    const wrong = await host.send('GET', '/api/User', {
      query: { emailID: 'zoe@mapped.example', password: sha1('x').toString('base64') },
    });
    expect([wrong.status, wrong.text]).toEqual([200, 'null']);
    // Without a company there is nothing to see.
    await host.engine.accounts.approveUser('alone@nowhere.example');
    const { access_token } = (
      await token({ grant_type: 'password', username: 'alone@nowhere.example', password: sha1('new').toString('hex') })
    ).json;
    expect(
      (await host.send('GET', '/api/ServiceFileCount', { headers: { Authorization: `Bearer ${access_token}` } }))
        .status,
    ).toBe(403);
  });

  test('join a named company only by its domain or its admins', async () => {
    const { acme, other } = host.companies;
    expect((await add({ emailID: 'a1@x.example', companyId: acme })).status).toBe(403);
    expect((await add({ emailID: 'a1@x.example', companyId: NOWHERE })).status).toBe(403);
    expect((await add({ emailID: 'a1@x.example', companyId: acme }, 'ada')).status).toBe(403);
    expect((await add({ emailID: 'a1@x.example', companyId: other }, 'admin')).status).toBe(403);
    expect((await add({ emailID: 'a1@x.example', companyId: acme }, 'admin')).json.CompanyID).toBe(acme);
    expect((await add({ emailID: 'a2@mapped.example', companyId: acme })).json.CompanyID).toBe(acme);
    expect((await add({ emailID: 'a3@x.example', companyId: other }, 'operator')).json.CompanyID).toBe(other);
  });

  test.each([
    ['password', { emailID: 'q@x.example', password: 'secret' }],
    ['emailID', { emailID: 'no address' }],
    ['emailID', {}],
    ['firstName', { emailID: 'q@x.example', firstName: '' }],
  ])('a wrong %s is named', async (field, query) => {
    const answer = await add(query as Record<string, string>);
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([400, [field]]);
  });
});

describe('saved searches', () => {
  test('are saved, listed and removed by user', async () => {
    const save = (name: string, queryStr: string): Promise<Answer> =>
      host.send('PUT', '/SavedSearches', { as: 'ada', query: { name, queryStr } });
    await save('one', 'FT=1');
    const { json } = await save('two', 'FT=%26');
    expect(json.map(({ Name, QueryStr }: any) => [Name, QueryStr]).sort()).toEqual([
      ['one', 'FT=1'],
      ['two', 'FT=%26'],
    ]);
    expect((await host.send('GET', '/SavedSearches', { as: 'bob' })).json).toEqual([]);
    const remove = async (as: 'ada' | 'bob'): Promise<unknown> =>
      (await host.send('DELETE', '/SavedSearches', { as, query: { id: json[0].ID } })).json;
    expect([await remove('bob'), await remove('ada'), await remove('ada')]).toEqual([false, true, false]);
  });
});

describe('feedback', () => {
  test('on a search is stored as it was said', async () => {
    const id = '12345678-1234-4234-8234-123456789012';
    const query = {
      found: false,
      rank: 3,
      expectation: 'a gear',
      helpfulness: 1,
      user: 'Ada',
      inputFileUID: NOWHERE,
      inputFileName: 'in.stl',
      otherInput: 'x',
      feedbackId: id,
    };
    const answer = await host.send('PUT', '/SearchFeedback', {
      as: 'ada',
      query,
      json: `${NOWHERE}_0.25, ${NOWHERE}_1`,
    });
    expect(answer.json).toBe(id);
    const [stored] = await host.engine.accounts.searchFeedback('acme');
    expect(stored).toMatchObject({
      id,
      found: false,
      rank: 3,
      expectation: 'a gear',
      helpfulness: 1,
      results: [
        { uid: NOWHERE, score: 0.25 },
        { uid: NOWHERE, score: 1 },
      ],
    });
    for (const [field, wrong] of [
      ['helpfulness', { helpfulness: 6 }],
      ['expectation', { expectation: 'x'.repeat(101) }],
      ['user', { user: 'x'.repeat(101) }],
      ['feedbackId', { feedbackId: 'x' }],
      ['found', { found: 'perhaps' }],
    ] as const) {
      expect(
        Object.keys((await host.send('PUT', '/SearchFeedback', { as: 'ada', query: wrong, json: '' })).json.errors),
      ).toEqual([field]);
    }
    for (const body of ['nonsense', `${NOWHERE}`, `${NOWHERE}_x`, 7, ['x']]) {
      const wrong = await host.send('PUT', '/SearchFeedback', { as: 'ada', json: body });
      expect([wrong.status, Object.keys(wrong.json.errors)]).toEqual([400, ['body']]);
    }
  });

  test('on extracted attributes', async () => {
    const { text: fileUID } = await host.send('PUT', '/api/FileBinary', {
      as: 'ada',
      bytes: partStl(1, 2, 3),
      query: { file: 'f.stl', isSearchInput: false },
    });
    const send = (query: Record<string, string>, body = 'Volume=1,Note=a,b'): Promise<Answer> =>
      host.send('PUT', '/ExtractedAttributeFeedback', { as: 'ada', query, json: body });
    const { json } = await send({ fileUID, feedback: 'wrong' });
    const [stored] = await host.engine.accounts.extractedFeedback('acme');
    expect(stored).toMatchObject({
      id: json,
      fileUid: fileUID,
      feedback: 'wrong',
      attributes: ['Volume=1', 'Note=a,b'],
    });
    expect((await send({ fileUID, feedback: 'x'.repeat(301) })).status).toBe(400);
    expect((await send({ fileUID: NOWHERE, feedback: 'x' })).status).toBe(404);
    expect((await send({ fileUID, feedback: 'x' }, 'no pair')).status).toBe(400);
  });
});

describe('requests for quotation', () => {
  const bytes = partStl(3, 4, 5);
  const put = (query: Record<string, string | number>, part: Uint8Array): Promise<Answer> =>
    host.send('PUT', '/RFQ', { as: 'ada', query: { fileName: 'gear.stl', ...query }, json: base64(part) });
  const get = (rfqId: string): Promise<Answer> => host.send('GET', '/RFQ', { as: 'ada', query: { rfqId } });

  test('whole', async () => {
    const { json: id } = await put({ customQuoteId: 'Q 7' }, bytes);
    const { json } = await get(id);
    expect(json).toMatchObject({
      RFQID: id,
      CustomQuoteID: 'Q 7',
      FileName: 'gear.stl',
      Status: 'complete',
      ReceivedChunks: 1,
      TotalChunks: 1,
      Lines: null,
    });
    expect(
      (await host.send('GET', '/api/FileStatus', { as: 'ada', query: { fileUID: json.FileUID } })).status,
    ).toBeLessThan(205);
    expect((await host.send('DELETE', '/RFQ', { as: 'ada', query: { rfqId: id } })).json).toBe(true);
    expect((await get(id)).status).toBe(404);
    expect((await host.send('DELETE', '/RFQ', { as: 'ada', query: { rfqId: id } })).status).toBe(404);
  });

  test('in chunks, out of order', async () => {
    const parts = [bytes.subarray(0, 500), bytes.subarray(500, 900), bytes.subarray(900)];
    const { json: id } = await put({ chunkNum: 3, totalChunks: 3 }, parts[2]);
    await put({ rfqId: id, chunkNum: 1, totalChunks: 3 }, parts[0]);
    expect((await get(id)).json).toMatchObject({ Status: 'open', ReceivedChunks: 2, TotalChunks: 3, FileUID: null });
    await put({ rfqId: id, chunkNum: 2, totalChunks: 3 }, parts[1]);
    expect((await get(id)).json).toMatchObject({ Status: 'complete', ReceivedChunks: 3 });
    expect(Buffer.from(await host.engine.accounts.rfqBytes('acme', id)).equals(bytes)).toBe(true);
    expect((await put({ rfqId: id, chunkNum: 2, totalChunks: 3 }, parts[0])).status).toBe(409);
    expect(Object.keys((await put({ chunkNum: 4, totalChunks: 3 }, parts[0])).json.errors)).toEqual(['chunkNum']);
    expect(Object.keys((await put({ fileName: 'x'.repeat(1_001) }, parts[0])).json.errors)).toEqual(['fileName']);
    expect(Object.keys((await put({ chunkNum: 1 }, parts[0])).json.errors)).toEqual(['totalChunks']);
    expect((await host.send('PUT', '/RFQ', { as: 'ada', query: { fileName: 'x.stl' }, json: '' })).status).toBe(400);
  });
});

describe('company', () => {
  test('CompanyProfile and IsEmployee, by id and by name', async () => {
    for (const companyID of [host.companies.acme, host.companies.acme.toUpperCase(), 'acme']) {
      expect((await host.send('GET', '/CompanyProfile', { as: 'ada', query: { companyID } })).json.name).toBe('acme');
      expect((await host.send('GET', '/IsEmployee', { as: 'ada', query: { companyID } })).json).toBe(true);
    }
    expect((await host.send('GET', '/IsEmployee', { as: 'ada', query: { companyID: 'other' } })).json).toBe(false);
    expect(
      (await host.send('GET', '/CompanyProfile', { as: 'operator', query: { companyID: host.companies.other } })).json
        .name,
    ).toBe('other');
    await host.engine.accounts.setProfile('acme', {
      name: 'Acme Ltd',
      scoreThreshold: 2,
      preferredUnits: 'in',
      trialStartDate: new Date(0),
      overwriteFiles: false,
    });
    const { json } = await host.send('GET', '/CompanyProfile', { as: 'ada', query: { companyID: 'acme' } });
    expect(json).toMatchObject({
      name: 'Acme Ltd',
      scoreThreshold: 2,
      preferredUnits: 'in',
      trialStartDate: '1970-01-01T00:00:00.000Z',
      overwriteFiles: false,
      currency: null,
    });
    await host.engine.accounts.setProfile('acme', { overwriteFiles: true });
  });

  test('PUT CompanyProfile is for operators and makes a company once', async () => {
    const make = (accountName: string): Promise<Answer> =>
      host.send('PUT', '/CompanyProfile', { as: 'operator', query: { accountName } });
    const { json } = await make('brand new');
    expect((await host.engine.accounts.companyByUid(json))?.name).toBe('brand new');
    expect((await make('brand new')).status).toBe(409);
    expect((await make('x'.repeat(101))).status).toBe(400);
  });

  test('CompanyLogo', async () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    expect((await host.send('PUT', '/CompanyLogo', { as: 'ada', json: png })).json).toBe(true);
    expect((await host.engine.accounts.logo('acme'))?.mediaType).toBe('image/png');
    expect(
      (await host.send('PUT', '/CompanyLogo', { as: 'admin', json: base64(Buffer.from('no picture')) })).status,
    ).toBe(415);
    expect((await host.send('DELETE', '/CompanyLogo', { as: 'admin' })).json).toBe(true);
    expect((await host.send('DELETE', '/CompanyLogo', { as: 'admin' })).json).toBe(false);
  });

  test('attributes are replaced, added and removed; values counted', async () => {
    const { text: fileUID } = await host.send('PUT', '/api/FileBinary', {
      as: 'ada',
      bytes: partStl(5, 5, 5),
      query: { file: 'attr.stl', isSearchInput: false, attributes: 'A=1' },
    });
    const set = (body: unknown, query: object = {}): Promise<Answer> =>
      host.send('PUT', '/FileAttributes', { as: 'ada', query: { fileUID, ...query }, json: body });
    const now = async (): Promise<string[]> =>
      (await host.send('GET', '/api/File', { as: 'ada', query: { fileUID } })).json.Attributes;
    expect((await set(['Note=a=b&c', 'Emoji=😀 "q"\nnew', 'Length(mm)=25.4'])).json).toBe(true);
    expect(await now()).toEqual(['Note=a=b&c', 'Emoji=😀 "q"\nnew', 'Length(mm)=25.4']);
    await set(JSON.stringify(['B=2']), { deleteExisting: false });
    expect(await now()).toHaveLength(4);
    const list = (await host.send('GET', '/FileAttributes', { as: 'ada' })).json;
    expect(list.find(({ Name }: any) => Name === 'Length')).toEqual({
      Name: 'Length',
      Unit: 'mm',
      Type: 'number',
      Count: 1,
      Values: ['25.4'],
    });
    expect((await host.send('GET', '/AttributeValues', { as: 'ada', query: { attribute: 'length' } })).json).toEqual([
      { name: '25.4', count: 1 },
    ]);
    expect((await host.send('DELETE', '/FileAttributes', { as: 'ada', query: { fileUID } })).json).toBe(true);
    expect(await now()).toEqual([]);
    // All values, also beyond what the engine lists by itself, and of one unit by the name that records write.
    await set([`Many=${Array.from({ length: 1_500 }, (_, i) => i).join('|')}`, 'Size(mm)=1', 'Size(in)=1|2']);
    const values = async (attribute: string): Promise<unknown> =>
      (await host.send('GET', '/AttributeValues', { as: 'ada', query: { attribute } })).json;
    expect(await values('many')).toHaveLength(1_500);
    expect(await values('Size')).toEqual([
      { name: '1', count: 2 },
      { name: '2', count: 1 },
    ]);
    expect(await values('size(mm)')).toEqual([{ name: '1', count: 1 }]);
    expect(await values('size(cm)')).toEqual([]);
    for (const body of [['no pair'], [7], 'x', { a: 1 }, undefined]) {
      const wrong = await set(body);
      expect([wrong.status, Object.keys(wrong.json.errors)]).toEqual([400, ['body']]);
    }
  });
});

describe('usage', () => {
  test('live, archived, plan limits, both key forms', async () => {
    const usage = (query: object = {}): Promise<Answer> =>
      host.send('GET', '/api/MonthlyUsage', { as: 'ada', query: query as Record<string, number> });
    await host.engine.accounts.setPlan('acme', { fileLimit: 10, tokenLimit: 1000 });
    const before = (await usage()).json;
    const { text } = await host.send('PUT', '/api/FileBinary', {
      as: 'ada',
      bytes: partStl(6, 5, 5),
      query: { file: 'usage.stl', isSearchInput: false },
    });
    await host.send('GET', '/api/Search', { as: 'ada', query: { filterStr: `fileUID=${text}&FT=name` } });
    await host.send('PUT', '/api/Search', {
      as: 'ada',
      query: { fileExtension: '.stl' },
      json: JSON.stringify([base64(partStl(6, 5, 5)), base64(partStl(6, 5, 4))]),
    });
    await host.send('PUT', '/api/ConvertFiles', {
      as: 'ada',
      query: { fileNames: 'a.stl', conversionExtension: 'stl' },
      json: [base64(partStl(1, 1, 1))],
    });
    const { text: drawing } = await host.send('PUT', '/api/FileBinary', {
      as: 'ada',
      bytes: dxfOf(lBracket(60, 8, 30)),
      query: { file: '.dxf' },
    });
    for (const fileUID of [drawing, text]) await host.send('GET', '/api/PMIData', { as: 'ada', query: { fileUID } }); // A mesh has none to tell.
    await host.send('GET', '/api/Deviations', { as: 'ada', query: { fileUID: text, otherUID: text } });
    const after = (await usage()).json;
    expect(after.RemainingFiles).toBe(before.RemainingFiles - 1);
    expect(after.FileCount.Total).toBe((await host.send('GET', '/api/ServiceFileCount', { as: 'ada' })).json);
    const spent = Object.fromEntries(
      Object.keys(after.TokenUsage).map((name) => [name, after.TokenUsage[name] - before.TokenUsage[name]]),
    );
    expect(spent).toMatchObject({
      TokenFileIndex: 4,
      TokenVSearch: 2,
      TokenTSearch: 1,
      Token3DConvert: 1,
      Token2DPMI: 1,
      TokenCompare: 1,
      Total: 10,
    });
    expect(after.RemainingTokens).toBe(before.RemainingTokens - 10);
    // A company without room for files is told so; the limit of tokens is told alone.
    const total = after.FileCount.Total as number;
    await host.engine.accounts.setPlan('acme', { fileLimit: total, tokenLimit: 0 });
    const put = (file: string): Promise<Answer> =>
      host.send('PUT', '/api/FileBinary', {
        as: 'ada',
        bytes: partStl(6, 5, 5),
        query: { file, isSearchInput: false },
      });
    const over = await put('over.stl');
    expect([over.status, over.json.code]).toEqual([403, 'NOT_ALLOWED']);
    expect(over.json.detail).toContain(`room for ${total} files`);
    expect([(await usage()).json.RemainingFiles, (await usage()).json.RemainingTokens]).toEqual([0, 0]);
    // Two at a time do not pass the limit together.
    await host.engine.accounts.setPlan('acme', { fileLimit: total + 1 });
    const both = await Promise.all([put('first.stl'), put('second.stl')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
    const stored = both.find(({ status }) => status === 200)!;
    await host.send('DELETE', '/api/File', { as: 'admin', query: { fileUID: stored.text } });
    await host.engine.accounts.setPlan('acme', { fileLimit: 10, tokenLimit: 1000 });
    const freed = (await usage()).json;
    expect([freed.RemainingFiles, freed.TokenUsage.TokenFileIndex]).toEqual([
      after.RemainingFiles,
      after.TokenUsage.TokenFileIndex + 1,
    ]);
    const today = new Date(clock);
    const now = { year: today.getUTCFullYear(), month: today.getUTCMonth() + 1 };
    expect((await usage({ year: now.year })).json).toEqual(freed);
    expect((await usage(now)).json).toEqual(freed);
    expect((await usage({ year: 2020, month: 1 })).status).toBe(404);
    expect((await usage({ month: 13 })).status).toBe(400);
    clock = Date.UTC(now.year, now.month, 2);
    const { access_token } = (await token({ grant_type: 'password', username: 'ada@acme.example', password: hex }))
      .json;
    const headers = { Authorization: `Bearer ${access_token}` };
    const archived = await host.send('GET', '/api/MonthlyUsage', { headers, query: now });
    expect(archived.json).toMatchObject({
      BillingPeriod: freed.BillingPeriod,
      TokenUsage: freed.TokenUsage,
      FileCount: freed.FileCount,
    });
    expect((await host.send('GET', '/api/MonthlyUsage', { headers })).json.TokenUsage.Total).toBe(0);
  });
});

describe('callbacks', () => {
  test('carry the record and the pair', async () => {
    const calls: { body: any; headers: Record<string, unknown> }[] = [];
    const server: Server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += chunk));
      request.on('end', () => {
        calls.push({ body: JSON.parse(text), headers: request.headers });
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      await host.engine.accounts.setCallback('acme', { url: `http://127.0.0.1:${port}/hook`, allow: ['127.0.0.1'] });
      const { access_token } = (await token({ grant_type: 'password', username: 'ada@acme.example', password: hex }))
        .json;
      const { text: uid } = await host.send('PUT', '/api/FileBinary', {
        headers: { Authorization: `Bearer ${access_token}` },
        bytes: partStl(7, 7, 7),
        query: { file: 'called.stl', isSearchInput: false, callbackParam: 'order:77:8' },
      });
      await expect
        .poll(
          async () => {
            await host.engine.accounts.deliverDue();
            return calls.length;
          },
          { timeout: 30_000, interval: 20 },
        )
        .toBe(1);
      expect(calls[0].body).toMatchObject({ UID: uid, FileName: 'called.stl', IndexingFinished: true, order: '77:8' });
      expect(calls[0].headers).toMatchObject({
        'webhook-id': expect.any(String),
        'webhook-signature': expect.stringMatching(/^v1,/),
      });
    } finally {
      server.close();
    }
  });
});
