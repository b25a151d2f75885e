import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogEntry } from '../../dist/http/index.js';
import { base64, NOWHERE, openHost, partStl, requestOf, sha1, type Host, type Who } from './host.js';

/**
 * Requests made from the OpenAPI document: parameters of the right kind, of any kind, missing, unknown; bodies good and broken.
 * SHAPEDEX_FUZZ=20000 in the environment runs so many; the suite runs some hundred.
 */
const RUNS = Number(process.env['SHAPEDEX_FUZZ'] ?? 400);
/** No request may take longer, ms. */
const LONGEST_MS = 20_000;

let host: Host;
let document: any;
const defects: LogEntry[] = [];
const unhandled: unknown[] = [];
const seen: string[] = [];
const note = (cause: unknown): void => void unhandled.push(cause);

beforeAll(async () => {
  process.on('unhandledRejection', note);
  host = await openHost({ log: (entry) => void (entry.status >= 500 && defects.push(entry)) }, { limits: { timeoutMs: 10_000 }, accounts: { loginFailures: 1_000_000, loginFailuresPerSource: 1_000_000 } });
  document = (await host.send('GET', '/openapi.json')).json;
  for (const [file, size] of [['a.stl', 1], ['b/c.stl', 2]] as const) {
    seen.push((await host.send('PUT', '/api/FileBinary', { as: 'ada', bytes: partStl(size, 2, 3), query: { file, isSearchInput: false, attributes: 'Material=Steel' } })).text);
  }
  seen.push((await host.send('PUT', '/api/FileBinary', { as: 'ada', bytes: partStl(3, 2, 3), query: { file: '.stl' } })).text);
});
afterAll(async () => {
  process.off('unhandledRejection', note);
  await host.close();
});

const nasty = fc.constantFrom(
  '', '0', '-1', 'null', 'undefined', 'NaN', 'true', '%', '%00', '\u0000', '../..', '..\\', 'a'.repeat(3000), '\ud800', '😀', "'; DROP TABLE file;--", '<script>', '__proto__', 'constructor',
  '\r\nX: y', '9'.repeat(30), '1e999', '{}', '[]', '&a=b', '.stl', '.zip', 'x.step.ifz', 'a=b&c', NOWHERE, 'fileUID=', `fileUID=${NOWHERE}`, 'FT=*', 'FT=%22', 'FT=a%3Db', 'v=.1', 'sa=+', 'resultFileType=ThreeD', 'stl', 'step', 'password', 'refresh_token', 'client_credentials',
);
const anyText = fc.oneof({ weight: 3, arbitrary: nasty }, fc.string({ maxLength: 60, unit: 'binary' }), fc.string({ maxLength: 30 }));

function fitting({ type, format, minimum, maximum }: any, name: string): fc.Arbitrary<string> {
  if (type === 'boolean') return fc.constantFrom('true', 'false', 'True', '0');
  if (type === 'integer') return fc.integer({ min: minimum ?? -5, max: Math.max(minimum ?? -5, Math.min(maximum ?? 50, 50)) }).map(String);
  if (format === 'uuid' || name === 'fid' || name === 'targetFids') return fc.constantFrom(...seen, NOWHERE);
  if (name === 'file') return fc.constantFrom('.stl', '.step', '.txt', '.zip', 'x/y.stl', 'm.dxf', 'a.pdf');
  if (name === 'filterStr') return fc.constantFrom(...seen.map((uid) => `fileUID=${uid}`), 'FT=steel', 'FT=material%3Dsteel&resultFileType=ThreeD', `fileUID=${seen[0]}&v=.5&FT=a*`);
  if (name === 'password') return fc.constantFrom(sha1('x').toString('base64'), sha1('secret').toString('hex'));
  if (name === 'emailID' || name === 'username') return fc.constantFrom('ada@acme.example', 'x@y.example');
  if (name === 'companyID' || name === 'companyId') return fc.constantFrom(host.companies.acme, host.companies.other, 'acme');
  if (name === 'fileNames') return fc.constantFrom('a.stl', 'a.stl,b.step');
  if (name === 'conversionExtension') return fc.constantFrom('stl', 'step');
  if (name === 'grant_type') return fc.constantFrom('password', 'refresh_token', 'client_credentials');
  return fc.constantFrom('a', 'Material', 'a.stl', 'b/c.stl', 'x=y');
}

const bytesOf = fc.oneof(
  fc.constant(partStl(1, 2, 3)), fc.uint8Array({ maxLength: 3000 }), fc.constant(Buffer.from('ISO-10303-21;'.padEnd(2000, ' '))), fc.constant(Buffer.from('%PDF-1.7\n'.padEnd(1500, 'x'))),
  fc.uint8Array({ minLength: 1, maxLength: 40 }).map((noise) => {
    const broken = Buffer.from(partStl(2, 2, 2));
    noise.forEach((value, i) => { broken[(i * 97 + value * 13) % broken.length] = value; });
    return new Uint8Array(broken);
  }),
);
const bodyOf = (kind: string | undefined): fc.Arbitrary<{ body?: Uint8Array; type?: string }> => {
  if (kind === undefined) return fc.constant({});
  const text = (value: string): Uint8Array => new TextEncoder().encode(value);
  const good = kind === 'application/octet-stream'
    ? bytesOf.map((bytes) => ({ body: bytes, type: kind }))
    : kind === 'application/x-www-form-urlencoded'
      ? fc.record({ grant_type: anyText, username: anyText, password: anyText, refresh_token: anyText, client_id: anyText }, { requiredKeys: [] })
        .map((form) => ({ body: text(new URLSearchParams(Object.entries(form)).toString()), type: kind }))
      : fc.oneof(
        bytesOf.map((bytes) => JSON.stringify(base64(bytes))),
        fc.array(bytesOf, { maxLength: 3 }).map((list) => JSON.stringify(JSON.stringify(list.map(base64)))),
        fc.array(anyText, { maxLength: 4 }).map((list) => JSON.stringify(list)),
        fc.jsonValue().map((value) => JSON.stringify(value)),
        anyText.map((value) => JSON.stringify(value)),
      ).map((json) => ({ body: text(json), type: 'application/json' }));
  const bad = fc.record({ body: fc.uint8Array({ maxLength: 200 }), type: fc.constantFrom('application/json', 'application/octet-stream', 'text/plain', 'x', 'application/x-www-form-urlencoded', '') });
  return fc.oneof({ weight: 4, arbitrary: good as fc.Arbitrary<{ body?: Uint8Array; type?: string }> }, bad, fc.constant({}));
};

test(`${RUNS} requests: no 500, no hang, no unhandled rejection`, async () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods as object).map(([method, operation]) => ({ path, method, operation })));
  const counts = new Map<number, number>();
  const request = fc.constantFrom(...operations).chain(({ path, method, operation }: any) => fc.record({
    method: fc.constant(method.toUpperCase()),
    path: fc.constantFrom(`/api${path}`, path),
    as: fc.constantFrom<Who | undefined>('ada', 'ada', 'ada', 'admin', 'operator', 'app', 'stranger', 'spent', undefined),
    query: fc.record(Object.fromEntries((operation.parameters ?? []).map(({ name, schema }: any) => [
      name, fc.oneof({ weight: 6, arbitrary: fitting(schema, name) }, { weight: 1, arbitrary: anyText }),
    ])), { requiredKeys: (operation.parameters ?? []).filter(({ required }: any) => required === true).map(({ name }: any) => name) }) as fc.Arbitrary<Record<string, string>>,
    drop: fc.boolean(),
    raw: fc.option(fc.constantFrom('&%zz', '&%ff', '&=&&', '&fileUID=1&fileUID=2', '&a[]=1', '&__proto__=x'), { freq: 8 }),
    body: bodyOf(Object.keys(operation.requestBody?.content ?? {})[0]),
    accept: fc.constantFrom(undefined, 'application/json', 'text/plain', '*/*;q=0', 'image/png', ';;,,q'),
  }));
  await fc.assert(fc.asyncProperty(request, async ({ method, path, as, query, drop, raw, body: { body, type }, accept }) => {
    if (drop) delete query[Object.keys(query)[0] ?? ''];
    const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value.replaceAll(/\p{Cs}/gu, '\ufffd'))}`).join('&');
    const headers: Record<string, string> = { ...(type === undefined || type === '' ? {} : { 'Content-Type': type }), ...(accept === undefined ? {} : { Accept: accept }) };
    const sent = requestOf(method, `${path}?${search}${raw ?? ''}`, { as, bytes: method === 'GET' ? undefined : body, headers }, host.tokens);
    const startedAt = performance.now();
    const response = await host.handler(sent);
    const text = await response.text();
    counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
    expect(performance.now() - startedAt).toBeLessThan(LONGEST_MS);
    expect(response.status, `${method} ${path}?${search} ${text}`).toBeLessThan(500);
    if (response.status >= 400 && response.headers.get('content-type')?.startsWith('application/problem+json')) {
      expect(JSON.parse(text)).toMatchObject({ status: response.status, title: expect.any(String), detail: expect.any(String) });
    }
  }), { numRuns: RUNS, ...(process.env['SHAPEDEX_FUZZ_SEED'] === undefined ? {} : { seed: Number(process.env['SHAPEDEX_FUZZ_SEED']) }) });
  await host.engine.idle();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(defects.map(({ method, path, error }) => `${method} ${path} ${String(error)}`)).toEqual([]);
  expect(unhandled).toEqual([]);
  expect((await host.send('GET', '/health')).status).toBe(200);
  // Not all refused: the requests reach what lies behind the checks.
  expect(counts.get(200) ?? 0).toBeGreaterThan(RUNS / 10);
  if (process.env['SHAPEDEX_FUZZ'] !== undefined) console.log(Object.fromEntries([...counts].sort(([a], [b]) => a - b)));
}, 3_600_000);
