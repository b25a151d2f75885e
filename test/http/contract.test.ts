import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILE_COUNT, ROWS, SCHEMAS, TOKEN_USAGE, type Row } from './contract.js';
import { base64, openHost, partStl, sha1, type Host, type SendOptions } from './host.js';

let host: Host;
let document: any;
let uid = '';

beforeAll(async () => {
  host = await openHost();
  document = (await host.send('GET', '/openapi.json')).json;
  await host.engine.accounts.setProfile('acme', { currency: { code: 'EUR', symbol: '€', name: 'Euro' } });
  uid = (
    await host.send('PUT', '/api/FileBinary', {
      as: 'ada',
      bytes: partStl(1, 2, 3),
      query: { file: 'a/part.stl', isSearchInput: false, attributes: 'Material=Steel&Length(mm)=3' },
    })
  ).text;
});
afterAll(() => host.close());

const operationOf = ({ method, path }: Row): any => document.paths[path]?.[method.toLowerCase()];

describe('the OpenAPI document', () => {
  test('is OpenAPI 3.1 with every endpoint of the interface and no other', () => {
    expect(document.openapi).toBe('3.1.0');
    // What there is beside the interface has a tag of its own.
    const found = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => !methods[method].tags.includes('Additions'))
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(found.sort()).toEqual(ROWS.map(({ method, path }) => `${method} ${path}`).sort());
    expect(document.servers.map(({ url }: { url: string }) => url)).toEqual(['/api', '/']);
  });

  test.each(ROWS)('has the parameters of $method $path', (row) => {
    const parameters = (operationOf(row).parameters ?? []).map(
      ({ name, required, schema }: any) =>
        `${schema.deprecated === true ? '~' : ''}${name}${required === true ? ' *' : ''}${schema.default === undefined ? '' : ` = ${schema.default}`}`,
    );
    expect(parameters.sort()).toEqual([...row.query].sort());
  });

  test.each(ROWS)('has the body and the token of $method $path', (row) => {
    const { requestBody, security, responses } = operationOf(row);
    const types = Object.keys(requestBody?.content ?? {});
    expect(types).toEqual(
      {
        json: ['application/json', 'text/json', 'application/json-patch+json', 'application/*+json'],
        bytes: ['application/octet-stream'],
        form: ['application/x-www-form-urlencoded'],
        none: [],
      }[row.body ?? 'none'],
    );
    expect(security?.length === 0).toBe(row.access === 'none');
    expect('401' in responses).toBe(row.access !== 'none' || row.path === '/Token');
    expect(Object.keys(responses['200'].content).sort()).toEqual([
      'application/json',
      ...(row.path === '/Image' ? ['image/png'] : []),
      'text/json',
      'text/plain',
    ]);
  });

  test.each(ROWS)('has the answer of $method $path', (row) => {
    const { schema } = operationOf(row).responses['200'].content['application/json'];
    expect(typeOf(schema).replace('?', '')).toBe(row.answer);
  });

  test('has the bodies of failures that are no problem details', () => {
    const bodyOf = (method: string, path: string, status: number): unknown =>
      document.paths[path][method].responses[status].content;
    const always = (type: string, value: unknown): object => ({
      [type]: { schema: expect.objectContaining({ enum: [value] }) },
    });
    expect(bodyOf('delete', '/File', 403)).toEqual(always('application/json', false));
    expect(bodyOf('delete', '/File', 500)).toEqual(always('application/json', false));
    expect(bodyOf('delete', '/File', 404)).toEqual({
      'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDetails' } },
    });
    expect(bodyOf('get', '/FileStatus', 422)).toEqual(always('text/plain', 'failed'));
    for (const status of [400, 401, 429])
      expect(bodyOf('post', '/Token', status)).toHaveProperty(
        ['application/json', 'schema', '$ref'],
        '#/components/schemas/TokenError',
      );
    expect(bodyOf('get', '/FileStatus', 401)).toBeUndefined();
  });

  test('has what JSON that is no message of JSON-RPC is answered with', async () => {
    const answer = await host.send('POST', '/api/mcp', {
      as: 'ada',
      headers: { Accept: 'application/json, text/event-stream' },
      json: { id: 1 },
    });
    expect([answer.status, answer.json]).toMatchObject([400, { jsonrpc: '2.0', error: { code: -32700 } }]);
    expect(document.paths['/mcp'].post.responses[400].content).toHaveProperty(
      [answer.headers.get('content-type')!, 'schema', '$ref'],
      '#/components/schemas/McpRefusal',
    );
  });

  test.each(Object.entries(SCHEMAS))('has the fields of %s', (name, fields) => {
    const { properties } = document.components.schemas[name];
    const found = Object.fromEntries(Object.entries(properties).map(([field, schema]) => [field, typeOf(schema)]));
    expect(found).toMatchObject(fields);
  });

  test('has nothing that an answer of MonthlyUsage lacks', () => {
    const { FileCount, TokenUsage } = document.components.schemas.MonthlyUsageResponse.properties;
    expect(Object.keys(FileCount.properties)).toEqual(FILE_COUNT);
    expect(Object.keys(TokenUsage.properties)).toEqual(TOKEN_USAGE);
  });

  test('is shown by a page that loads nothing', async () => {
    const { status, text, headers } = await host.send('GET', '/docs');
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const { path } of ROWS) expect(text).toContain(`/api${path}<`);
    // Types lead to their schemas, which lie inside what is folded, so that browsers unfold it; backticks are code;
    // bounds are said.
    const targets = [...text.matchAll(/href="#(schema-\w+)"/g)].map(([, target]) => target);
    expect(new Set(targets).size).toBeGreaterThan(10);
    for (const target of targets) expect(text).toContain(`<div id="${target}">`);
    expect(text).not.toContain('`');
    expect(text).toContain('integer (int32), 1 to 5');
    expect(text).not.toMatch(/<script|<link|<img|src=|https?:\/\//);
  });
});

describe('live answers', () => {
  const live: [string, string, () => SendOptions, string][] = [
    ['GET', '/File', () => ({ as: 'ada', query: { fileUID: uid, includeShapelets: true } }), 'FileMap'],
    ['PUT', '/FileBinaryDirect', () => ({ as: 'ada', query: { file: '.stl' }, bytes: partStl(3, 2, 1) }), 'FileMap'],
    ['GET', '/PMIData', () => ({ as: 'ada', query: { fileUID: uid } }), 'PMIData'],
    ['GET', '/ValidUploadFileTypes', () => ({ as: 'app' }), 'string[]'],
    ['GET', '/FileAttributes', () => ({ as: 'ada' }), 'FileAttribute[]'],
    ['GET', '/AttributeValues', () => ({ as: 'ada', query: { attribute: 'material' } }), 'AttributeCount[]'],
    ['PUT', '/FileAttributes', () => ({ as: 'ada', query: { fileUID: uid }, json: ['Material=Steel'] }), 'boolean'],
    ['GET', '/Search', () => ({ as: 'ada', query: { filterStr: `fileUID=${uid}` } }), 'SearchResultSummary'],
    [
      'PUT',
      '/Search',
      () => ({ as: 'ada', query: { fileExtension: '.stl' }, json: JSON.stringify([base64(partStl(1, 2, 3))]) }),
      'SearchResultSummary',
    ],
    [
      'PUT',
      '/SearchFeedback',
      () => ({ as: 'ada', query: { found: true, helpfulness: 5 }, json: `${uid}_0.5` }),
      'string',
    ],
    [
      'PUT',
      '/ExtractedAttributeFeedback',
      () => ({ as: 'ada', query: { fileUID: uid, feedback: 'fine' }, json: 'a=b,c=d' }),
      'string',
    ],
    ['PUT', '/SavedSearches', () => ({ as: 'ada', query: { name: 'mine', queryStr: 'FT=x' } }), 'SavedSearch[]'],
    ['GET', '/SavedSearches', () => ({ as: 'ada' }), 'SavedSearch[]'],
    [
      'DELETE',
      '/SavedSearches',
      () => ({ as: 'ada', query: { id: '00000000-0000-4000-8000-000000000000' } }),
      'boolean',
    ],
    [
      'PUT',
      '/RFQ',
      () => ({ as: 'ada', query: { fileName: 'q.stl', rfqId: 'q-1' }, json: base64(partStl(1, 1, 1)) }),
      'string',
    ],
    ['GET', '/RFQ', () => ({ as: 'ada', query: { rfqId: 'q-1' } }), 'RFQ'],
    ['GET', '/CompanyProfile', () => ({ as: 'ada', query: { companyID: host.companies.acme } }), 'CompanyProfile'],
    ['PUT', '/CompanyProfile', () => ({ as: 'operator', query: { accountName: 'new company' } }), 'string'],
    ['DELETE', '/CompanyLogo', () => ({ as: 'admin' }), 'boolean'],
    ['GET', '/IsEmployee', () => ({ as: 'ada', query: { companyID: host.companies.acme } }), 'boolean'],
    ['GET', '/CustomProductCategory', () => ({ as: 'ada', query: { name: 'Screws' } }), 'ProductCategory'],
    [
      'GET',
      '/User',
      () => ({ query: { emailID: 'ada@acme.example', password: sha1('secret').toString('base64') } }),
      'UserProfile',
    ],
    [
      'POST',
      '/Token',
      () => ({
        form: { grant_type: 'password', username: 'ada@acme.example', password: sha1('secret').toString('hex') },
      }),
      'Token',
    ],
    ['GET', '/Version', () => ({}), 'Version'],
    ['GET', '/ServiceFileCount', () => ({ as: 'ada' }), 'integer'],
    ['GET', '/MonthlyUsage', () => ({ as: 'ada' }), 'MonthlyUsageResponse'],
  ];

  test.each(live)('%s %s', async (method, path, options, type) => {
    for (const prefix of ['/api', '']) {
      const { status, json, headers } = await host
        .send(method, `${prefix}${path}`, { ...options(), headers: { Accept: 'application/json' } })
        .then((answer) =>
          prefix === '' && answer.status === 409 ? { ...answer, status: 200, json: 'exists' } : answer,
        );
      expect(status).toBe(200);
      if (json !== 'exists') {
        expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
        check(path, json, type);
      }
    }
  });

  /** Every field of the table is there with its type, also in what lies inside. */
  function check(where: string, value: any, type: string): void {
    if (type.endsWith('?') && value === null) return;
    const plain = type.replace(/\?$/, '');
    if (plain.endsWith('[]')) {
      expect(Array.isArray(value), where).toBe(true);
      value.forEach((item: unknown, i: number) => check(`${where}[${i}]`, item, plain.slice(0, -2)));
    } else if (plain in SCHEMAS) {
      expect(Object.keys(value), where).toEqual(expect.arrayContaining(Object.keys(SCHEMAS[plain])));
      for (const [field, fieldType] of Object.entries(SCHEMAS[plain]))
        check(`${where}.${field}`, value[field], fieldType);
    } else if (plain === 'integer') {
      expect(Number.isInteger(value), `${where}: ${value}`).toBe(true);
    } else if (['string', 'number', 'boolean', 'object'].includes(plain)) {
      expect(typeof value, where).toBe(plain);
    }
  }

  test('two keys for each count, the same number', async () => {
    const { json } = await host.send('GET', '/api/MonthlyUsage', { as: 'ada' });
    expect(Object.keys(json.FileCount).sort()).toEqual([...FILE_COUNT].sort());
    expect(Object.keys(json.TokenUsage).sort()).toEqual([...TOKEN_USAGE].sort());
    expect(json.FileCount).toMatchObject({ Count3D: 1, '3D': 1, Total: 1, CountDoc: 0, Doc: 0 });
    const now = new Date();
    const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate();
    const month = String(now.getUTCMonth() + 1).padStart(2, '0');
    expect(json.BillingPeriod).toBe(`${month}/01/${now.getUTCFullYear()} - ${month}/${last}/${now.getUTCFullYear()}`);
  });
});

/** As the table writes types. */
function typeOf(schema: any): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) {
    const others = options.filter((option: any) => option.type !== 'null');
    return `${others.map(typeOf).join('|')}${others.length < options.length ? '?' : ''}`;
  }
  if (schema.allOf !== undefined) return typeOf(schema.allOf[0]);
  const types = [schema.type].flat();
  const [type] = types.filter((name) => name !== 'null');
  const name = type === 'array' ? `${typeOf(schema.items)}[]` : type;
  return `${name}${types.includes('null') ? '?' : ''}`;
}
