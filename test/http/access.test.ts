import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROWS, type Row } from './contract.js';
import {
  base64,
  NOWHERE,
  openHost,
  partStl,
  sha1,
  type Answer,
  type Host,
  type SendOptions,
  type Who,
} from './host.js';

let host: Host;
let uid = '';
let input = '';
const logo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

beforeAll(async () => {
  host = await openHost();
  uid = (
    await host.send('PUT', '/api/FileBinary', {
      as: 'admin',
      bytes: partStl(1, 2, 3),
      query: { file: 'a.stl', isSearchInput: false },
    })
  ).text;
  await host.send('PUT', '/RFQ', {
    as: 'admin',
    query: { fileName: 'a.stl', rfqId: 'theirs' },
    json: base64(Buffer.from('x')),
  });
  input = (await host.send('PUT', '/api/FileBinary', { as: 'admin', bytes: partStl(1, 2, 3), query: { file: '.stl' } }))
    .text;
});
afterAll(() => host.close());

/** A good request to each endpoint. */
function good({ method, path }: Row): SendOptions {
  const fileUID = method === 'DELETE' && path === '/File' ? input : uid;
  const upload = { query: { file: '.stl' }, bytes: partStl(2, 2, 2) };
  const requests: Record<string, SendOptions> = {
    'PUT /File': { query: { file: '.stl' }, json: base64(partStl(2, 2, 2)) },
    'PUT /FileBinary': upload,
    'PUT /FileBinaryDirect': upload,
    'GET /Image': { query: { fid: uid, token: 'x' } },
    'PUT /ConvertFiles': {
      query: { fileNames: 'a.stl', conversionExtension: 'stl' },
      json: [base64(partStl(1, 1, 1))],
    },
    'PUT /FileAttributes': { query: { fileUID }, json: ['a=b'] },
    'GET /AttributeValues': { query: { attribute: 'a' } },
    'PUT /Search': { query: { filterStr: `fileUID=${uid}` } },
    'GET /Search': { query: { filterStr: `fileUID=${uid}` } },
    'PUT /SearchFeedback': { query: { found: true }, json: '' },
    'PUT /ExtractedAttributeFeedback': { query: { fileUID, feedback: 'x' }, json: '' },
    'PUT /SavedSearches': { query: { name: 'n', queryStr: 'q' } },
    'DELETE /SavedSearches': { query: { id: NOWHERE } },
    'PUT /RFQ': { query: { fileName: 'a.stl', rfqId: 'r' }, json: base64(Buffer.from('x')) },
    'GET /RFQ': { query: { rfqId: 'r' } },
    'DELETE /RFQ': { query: { rfqId: 'r' } },
    'GET /CompanyProfile': { query: { companyID: host.companies.acme } },
    'PUT /CompanyProfile': { query: { accountName: 'walked' } },
    'PUT /CompanyLogo': { json: logo.toString('base64') },
    'DELETE /CompanyLogo': {},
    'GET /IsEmployee': { query: { companyID: host.companies.acme } },
    'GET /CustomProductCategory': { query: { name: 'c' } },
    'GET /User': { query: { emailID: 'ada@acme.example', password: sha1('secret').toString('base64') } },
    'PUT /User': {
      query: {
        emailID: `u${Math.random()}@x.example`,
        firstName: 'a',
        lastName: 'b',
        password: sha1('correct horse battery').toString('base64'),
      },
    },
    'POST /Token': {
      form: { grant_type: 'password', username: 'ada@acme.example', password: sha1('secret').toString('hex') },
    },
  };
  return (
    requests[`${method} ${path}`] ?? {
      query:
        path === '/File' || path === '/FileStatus' || path === '/PMIData' || path === '/FileAttributes'
          ? { fileUID }
          : {},
    }
  );
}

const send = (row: Row, as: Who | undefined, more: SendOptions = {}): Promise<Answer> =>
  host.send(row.method, `/api${row.path}`, { as, ...good(row), ...more });
const admins: string[] = ['DELETE /File'];

describe.each(ROWS)('$method $path', (row) => {
  const name = `${row.method} ${row.path}`;

  test('with no token', async () => {
    const answer = await send(row, undefined);
    if (row.access === 'none') return expect(answer.status).toBe(200);
    expect([answer.status, answer.text, answer.headers.get('www-authenticate')]).toEqual([401, '', 'Bearer']);
  });
  test('with a spent one and with garbage', async () => {
    if (row.access === 'none') return;
    for (const headers of [
      { Authorization: `Bearer ${host.tokens.spent}` },
      { Authorization: 'Bearer \u00ff?' },
      { Authorization: 'Basic YTpi' },
      { Authorization: 'Bearer' },
    ]) {
      const answer = await host.send(row.method, `/api${row.path}`, { ...good(row), headers });
      expect([answer.status, answer.text, answer.headers.get('www-authenticate')]).toEqual([
        401,
        '',
        'Bearer error="invalid_token"',
      ]);
    }
    // Also where the request is wrong otherwise: who may not ask is told nothing else.
    expect(
      (
        await host.send(row.method, `/api${row.path}?fileUID=%zz&file=`, {
          headers: { Authorization: `Bearer ${host.tokens.spent}` },
        })
      ).status,
    ).toBe(401);
  });
  test('with an app token', async () => {
    const answer = await send(row, 'app');
    expect(answer.status).toBe(row.access === 'none' || row.access === 'app' ? 200 : 403);
  });
  test("with a member's", async () => {
    const answer = await send(row, 'ada');
    expect(answer.status, answer.text).toBe(row.access === 'operator' || admins.includes(name) ? 403 : 200);
  });
  test("with an admin's", async () => {
    // What was deleted by the one before is made again.
    if (name === 'DELETE /RFQ')
      await send(ROWS.find(({ method, path }) => method === 'PUT' && path === '/RFQ')!, 'ada');
    const answer = await send(row, 'admin');
    expect(answer.status, answer.text).toBe(row.access === 'operator' ? 403 : 200);
  });
  test("with another company's", async () => {
    if (row.access === 'none' || row.access === 'app') return;
    const theirs = name === 'GET /RFQ' || name === 'DELETE /RFQ' ? { query: { rfqId: 'theirs' } } : {};
    const answer = await send(row, 'stranger', theirs);
    const named =
      [
        '/File',
        '/FileStatus',
        '/Image',
        '/PMIData',
        '/FileAttributes',
        '/Search',
        '/ExtractedAttributeFeedback',
        '/RFQ',
        '/CompanyProfile',
      ].includes(row.path) &&
      !['PUT /File', 'PUT /RFQ', 'PUT /CompanyProfile'].includes(name) &&
      !(row.method === 'GET' && row.path === '/FileAttributes');
    if (named) {
      // As if there were nothing.
      const nowhere = Object.fromEntries(
        Object.entries('query' in theirs ? { rfqId: 'nothing' } : (good(row).query ?? {})).map(([key, value]) => [
          key,
          typeof value === 'string' ? value.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, NOWHERE) : value,
        ]),
      );
      const unknown = await send(row, 'stranger', { query: nowhere });
      const bare = ({ status, text }: Answer): unknown[] => [status, text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '')];
      expect(bare(answer)).toEqual(bare(unknown));
      expect(answer.status).toBe(404);
    } else {
      expect(answer.status).toBe(row.access === 'operator' ? 403 : 200);
    }
  });
  test("with an operator's", async () => {
    if (name === 'DELETE /RFQ' || name === 'GET /RFQ') return;
    const answer = await send(row, 'operator');
    expect([200, 404, 409]).toContain(answer.status);
  });
});

describe('accountName', () => {
  test('lets operators act for a company, is passed over for others', async () => {
    const ask = (as: Who, accountName: string): Promise<Answer> =>
      host.send('GET', '/api/File', { as, query: { fileUID: uid, accountName } });
    expect((await ask('ada', 'other')).status).toBe(200);
    expect((await ask('operator', 'acme')).status).toBe(200);
    expect((await ask('operator', 'other')).status).toBe(404);
    const nobody = await ask('operator', 'nobody');
    expect([nobody.status, Object.keys(nobody.json.errors)]).toEqual([404, ['accountName']]);
    const made = await host.send('PUT', '/api/FileBinary', {
      as: 'operator',
      bytes: partStl(4, 4, 1),
      query: { file: 'x.stl', isSearchInput: false, accountName: 'other' },
    });
    expect((await host.send('GET', '/api/File', { as: 'stranger', query: { fileUID: made.text } })).json.SpaceID).toBe(
      host.companies.other,
    );
  });
});

describe("the host's own verifier", () => {
  test('comes first; the password grant can be switched off', async () => {
    const own = await openHost({
      passwordGrant: false,
      authenticate: async (request) =>
        request.headers.get('x-api-key') === 'k'
          ? { kind: 'user', userUid: NOWHERE, companyName: 'acme', role: 'member', tokenId: 'k' }
          : undefined,
    });
    try {
      expect((await own.send('GET', '/api/ServiceFileCount', { headers: { 'X-Api-Key': 'k' } })).json).toBe(0);
      expect((await own.send('GET', '/api/ServiceFileCount', { headers: { 'X-Api-Key': 'j' } })).status).toBe(401);
      expect((await own.send('GET', '/api/ServiceFileCount', { as: 'ada' })).status).toBe(200);
      const refused = await own.send('POST', '/api/Token', {
        form: { grant_type: 'password', username: 'ada@acme.example', password: sha1('secret').toString('hex') },
      });
      expect([refused.status, refused.json.error]).toEqual([400, 'unsupported_grant_type']);
    } finally {
      await own.close();
    }
  });
});
