import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dxfOf } from '../fixtures/drawing-of-body.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { prism } from '../fixtures/shapes.js';
import { stepFile } from '../fixtures/step-writer.js';
import { NOWHERE, openHost, partStl, sha1, type Answer, type Host, type SendOptions, type Who } from './host.js';

// Who may call what there is beside the interface. The endpoints are those of the OpenAPI document, so that none is
// left out.

const STAIRS = prism(
  [
    [0, 0],
    [90, 0],
    [90, 15],
    [60, 15],
    [60, 30],
    [30, 30],
    [30, 45],
    [0, 45],
  ],
  40,
);
const ASSEMBLY = stepFile({
  parts: [
    { name: 'block', shape: { kind: 'box', x: 10, y: 20, z: 30 } },
    { name: 'rod', shape: { kind: 'box', x: 2, y: 2, z: 80 } },
  ],
  assembly: {
    name: 'pump',
    placements: [
      { part: 0, at: [0, 0, 0] },
      { part: 1, at: [0, 50, 0] },
    ],
  },
});

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly statuses: readonly string[];
}

/** Names of what each request needs: it is made once what they stand for is stored. */
let model = '',
  drawing = '',
  pump = '',
  input = '';
const GOOD: Readonly<Record<string, () => SendOptions>> = {
  'GET /Find': () => ({ query: { query: JSON.stringify({ like: { uid: model } }) } }),
  'POST /FindFile': () => ({ query: { format: 'csv' }, json: JSON.stringify({ text: 'stairs' }) }),
  'GET /Record': () => ({ query: { fileUID: model } }),
  'PUT /Record': () => ({ query: { path: 'put/part.stl' }, bytes: partStl(2, 3, 4) }),
  'GET /Records': () => ({}),
  'PUT /Input': () => ({ query: { name: 'part.stl' }, bytes: partStl(2, 3, 4) }),
  'GET /Status': () => ({}),
  'POST /Retry': () => ({ query: { fileUID: model } }),
  'GET /Text': () => ({ query: { fileUID: drawing } }),
  'GET /PageImage': () => ({ query: { fileUID: drawing } }),
  'GET /Overlay': () => ({ query: { queryUID: drawing, fileUID: drawing } }),
  'GET /Model': () => ({ query: { fileUID: model } }),
  'GET /Assembly': () => ({ query: { fileUID: pump } }),
  'GET /Deviations': () => ({ query: { fileUID: model, otherUID: model } }),
  'GET /Download': () => ({ query: { fileUID: model } }),
  'GET /Converted': () => ({ query: { fileUID: model, to: 'step' } }),
  'GET /Categories': () => ({}),
  'PUT /FileCategory': () => ({ query: { fileUID: model } }),
  'PUT /RecordPath': () => ({ query: { fileUID: model, path: 'elsewhere/model.stl' } }),
  'GET /Folders': () => ({}),
  'GET /Failures': () => ({}),
  'PUT /KeptInput': () => ({ query: { fileUID: input } }),
  'GET /Spellings': () => ({ query: { text: 'stiars' } }),
  'GET /AttributeOrder': () => ({}),
  'PUT /AttributeOrder': () => ({ query: { names: 'Material' } }),
  'GET /Duplicates': () => ({}),
  'GET /DuplicatesFile': () => ({ query: { format: 'csv' } }),
  'GET /DuplicateDecisions': () => ({}),
  'PUT /DuplicateDecisions': () => ({ query: { kind: 'keep', uids: model } }),
  'DELETE /DuplicateDecisions': () => ({ query: { ids: '424242' } }),
  'GET /Faces': () => ({ query: { fileUID: model } }),
  'GET /FacesImage': () => ({ query: { fileUID: model, faces: '0' } }),
  'GET /Inspection': () => ({ query: { fileUID: drawing } }),
  'GET /InspectionFile': () => ({ query: { fileUID: drawing, format: 'csv' } }),
  'GET /PMIComparison': () => ({ query: { fileUID: drawing, otherUID: drawing } }),
  'GET /PMIComparisonFile': () => ({ query: { fileUID: drawing, otherUID: drawing } }),
  'GET /Features': () => ({ query: { fileUID: model } }),
  'GET /Components': () => ({ query: { fileUID: pump } }),
  'PUT /Components': () => ({ query: { fileUID: pump } }),
  'GET /BillOfMaterials': () => ({ query: { fileUID: pump } }),
  'GET /BillOfMaterialsFile': () => ({ query: { fileUID: pump, format: 'csv' } }),
  'GET /AssembliesWith': () => ({ query: { fileUID: model } }),
  'GET /SharedParts': () => ({ query: { fileUID: pump } }),
  'POST /mcp': () => ({
    json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: { Accept: 'application/json, text/event-stream' },
  }),
  'GET /Users': () => ({ query: { waiting: true } }),
  'PUT /UserApproval': () => ({ query: { emailID: 'late@acme.example' } }),
  'DELETE /UserApproval': () => ({ query: { emailID: 'late@acme.example' } }),
  'GET /Keys': () => ({}),
  'PUT /Keys': () => ({ form: { current: sha1('secret').toString('hex'), name: 'import' } }),
  'DELETE /Keys': () => ({ query: { id: NOWHERE } }),
  'GET /CompanyKeys': () => ({}),
  'DELETE /CompanyKeys': () => ({ query: { id: NOWHERE } }),
  'GET /Audit': () => ({}),
  'GET /SignIns': () => ({}),
  'PUT /SignIns': () => ({ form: { current: sha1('secret').toString('hex'), id: '424242' } }),
  'PUT /Password': () => ({
    form: { current: sha1('secret').toString('hex'), next: sha1('correct horse battery').toString('hex') },
  }),
};

/** What admins alone may. */
const FOR_ADMINS: ReadonlySet<string> = new Set([
  'GET /Users',
  'PUT /UserApproval',
  'DELETE /UserApproval',
  'GET /CompanyKeys',
  'DELETE /CompanyKeys',
  'GET /Audit',
  'PUT /AttributeOrder',
]);

let host: Host;
let operations: readonly Operation[] = [];

beforeAll(async () => {
  host = await openHost();
  const { paths } = (await host.send('GET', '/openapi.json')).json;
  operations = Object.entries<any>(paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods)
      .filter(
        ([, { tags }]) =>
          tags.includes('Additions') &&
          !['/health', '/Session', '/SignInWays', '/OpenId', '/OpenIdLogout'].includes(path),
      )
      .map(([method, { responses }]) => ({ method: method.toUpperCase(), path, statuses: Object.keys(responses) })),
  );
  const put = async (file: string, bytes: Uint8Array): Promise<string> =>
    (
      await host.send('PUT', '/api/FileBinary', {
        as: 'ada',
        bytes,
        query: { file, isSearchInput: false, indexAssemblyComponents: true },
      })
    ).text;
  [model, drawing, pump] = await Promise.all([
    put('stairs.stl', writeStlBinary(STAIRS)),
    put('stairs.dxf', dxfOf(STAIRS)),
    put('pump.step', ASSEMBLY),
  ]);
  input = (await host.send('PUT', '/api/FileBinary', { as: 'ada', bytes: partStl(4, 5, 6), query: { file: '.stl' } }))
    .text;
  await host.engine.idle();
});
afterAll(() => host.close());

test('every addition is walked', () => {
  expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(GOOD).sort());
});

describe.each(Object.keys(GOOD))('%s', (name) => {
  /** Somebody asks for an account anew. */
  const late = async (): Promise<void> => {
    const { accounts } = host.engine;
    await accounts.removeUser('late@acme.example');
    const { acme: companyUid } = host.companies;
    await accounts.mapDomain('acme.example', 'acme');
    const name = { firstName: '', lastName: '', passwordDigest: sha1('correct horse battery') };
    await accounts.signUp({ email: 'late@acme.example', companyUid, ...name });
  };
  const send = async (as: Who | undefined, more: SendOptions = {}): Promise<Answer> => {
    const { method, path, statuses } = operations.find((one) => `${one.method} ${one.path}` === name)!;
    const answer = await host.send(method, `/api${path}`, { as, ...GOOD[name](), ...more });
    expect(statuses, answer.text).toContain(String(answer.status));
    return answer;
  };

  test('with no token, a spent one, an app token', async () => {
    const nobody = await send(undefined);
    expect([nobody.status, nobody.text, nobody.headers.get('www-authenticate')]).toEqual([401, '', 'Bearer']);
    const spent = await send('spent');
    expect([spent.status, spent.text, spent.headers.get('www-authenticate')]).toEqual([
      401,
      '',
      'Bearer error="invalid_token"',
    ]);
    expect((await send('app')).status).toBe(403);
  });

  test("with a member's, an admin's and an operator's", async () => {
    for (const as of ['ada', 'admin', 'operator'] as const) {
      if (name === 'PUT /UserApproval' && as !== 'ada') await late();
      const answer = await send(as);
      expect(answer.status, answer.text).toBe(as === 'ada' && FOR_ADMINS.has(name) ? 403 : 200);
    }
  });

  test("with another company's: what names a file is as if there were none", async () => {
    const { query = {} } = GOOD[name]();
    const answer = await send('stranger');
    const [uid] = [model, drawing, pump, input].filter((one) => JSON.stringify(query).includes(one));
    expect(answer.text).not.toContain('stairs');
    if (uid === undefined) return expect(answer.status, answer.text).toBe(FOR_ADMINS.has(name) ? 403 : 200);
    const nothing = await send('stranger', {
      query: Object.fromEntries(
        Object.entries(query).map(([key, value]) => [key, String(value).replaceAll(uid, NOWHERE)]),
      ),
    });
    const bare = ({ status, text }: Answer): unknown[] => [status, text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '')];
    expect(bare(answer)).toEqual(bare(nothing));
    expect(answer.status).toBe(404);
  });
});
