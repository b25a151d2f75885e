import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogEntry } from '../../dist/http/index.js';
import { dxfOf } from '../fixtures/drawing-of-body.js';
import { lBracket } from '../fixtures/shapes.js';
import { stepFile } from '../fixtures/step-writer.js';
import { base64, NOWHERE, openHost, partStl, requestOf, sha1, type Host, type Who } from './host.js';
import { stopwatch } from '../fixtures/stopwatch.js';

/**
 * Requests made from the OpenAPI document: parameters of the right kind, of any kind, missing, unknown; bodies good and
 * broken. SHAPEDEX_FUZZ=20000 in the environment runs so many; the suite runs some hundred.
 */
const RUNS = Number(process.env['SHAPEDEX_FUZZ'] ?? 400);
/** No request may take longer, ms. */
const LONGEST_MS = 20_000;

let host: Host;
let document: any;
const defects: LogEntry[] = [];
const unhandled: unknown[] = [];
const seen: string[] = [];
/** What is deleted meanwhile, so that the others are there until the end. */
const doomed: string[] = [];
const note = (cause: unknown): void => void unhandled.push(cause);

beforeAll(async () => {
  process.on('unhandledRejection', note);
  host = await openHost(
    { log: (entry) => void (entry.status >= 500 && defects.push(entry)) },
    { limits: { timeoutMs: 10_000 }, accounts: { loginFailures: 1_000_000, loginFailuresPerSource: 1_000_000 } },
  );
  document = (await host.send('GET', '/openapi.json')).json;
  const put = async (bytes: Uint8Array, query: Record<string, string | boolean>): Promise<string> =>
    (await host.send('PUT', '/api/FileBinary', { as: 'ada', bytes, query })).text;
  // Two models, a drawing with text, an assembly with its components, a text, a file that failed, an input.
  const drawing = Buffer.from(dxfOf(lBracket(60, 8, 30))),
    words = Buffer.from('steel plate of grade S235, thickness 12 mm. '.repeat(40));
  const assembly = stepFile({
    parts: [
      { name: 'block', shape: { kind: 'box', x: 10, y: 20, z: 30 } },
      { name: 'rod', shape: { kind: 'box', x: 2, y: 2, z: 80 } },
    ],
    assembly: {
      name: 'pump',
      placements: [
        { part: 0, at: [0, 0, 0] },
        { part: 1, at: [0, 50, 0] },
        { part: 1, at: [9, 50, 0] },
      ],
    },
  });
  for (const [file, bytes] of [
    ['a.stl', partStl(1, 2, 3)],
    ['b/c.stl', partStl(2, 2, 3)],
    ['d.dxf', drawing],
    ['e.step', assembly],
    ['f.txt', words],
  ] as const) {
    seen.push(
      await put(bytes, { file, isSearchInput: false, attributes: 'Material=Steel', indexAssemblyComponents: true }),
    );
  }
  await put(Buffer.from('x'.repeat(2_000)), { file: 'g.step', isSearchInput: false });
  const failed = await (await host.engine.company('acme')).find('g.step');
  seen.push(failed!.uid, await put(partStl(3, 2, 3), { file: '.stl' }));
  await host.engine.idle();
  seen.push((await (await host.engine.company('acme')).components(seen[3]))[0].uid);
  for (let i = 0; i < 20; i++) doomed.push(await put(partStl(1, 2, 3), { file: '.stl' }));
});
afterAll(async () => {
  process.off('unhandledRejection', note);
  await host.close();
});

const nasty = fc.constantFrom(
  '',
  '0',
  '-1',
  'null',
  'undefined',
  'NaN',
  'true',
  '%',
  '%00',
  '\u0000',
  '../..',
  '..\\',
  'a'.repeat(3000),
  '\ud800',
  '😀',
  "'; DROP TABLE file;--",
  '<script>',
  '__proto__',
  'constructor',
  '\r\nX: y',
  '9'.repeat(30),
  '1e999',
  '{}',
  '[]',
  '&a=b',
  '.stl',
  '.zip',
  'x.step.ifz',
  'a=b&c',
  NOWHERE,
  'fileUID=',
  `fileUID=${NOWHERE}`,
  'FT=*',
  'FT=%22',
  'FT=a%3Db',
  'v=.1',
  'sa=+',
  'resultFileType=ThreeD',
  'stl',
  'step',
  'password',
  'refresh_token',
  'client_credentials',
);
const anyText = fc.oneof(
  { weight: 3, arbitrary: nasty },
  fc.string({ maxLength: 60, unit: 'binary' }),
  fc.string({ maxLength: 30 }),
);

/** Queries in the engine's words, right in most of what they say. */
const findQuery = fc
  .record(
    {
      like: fc.oneof(
        fc.nat(7).map((i) => ({ uid: seen[i] })),
        fc.array(
          fc.nat(7).map((i) => ({ uid: seen[i] })),
          { maxLength: 3 },
        ),
        fc.constantFrom([], {}, { uid: 'x' }, { path: '/etc/passwd' }, null, 7),
      ),
      text: fc.oneof(
        fc.constantFrom('steel', 'material=steel', 'mater*', 'thickness>3mm', ['steel', 'plate']),
        fc.anything(),
      ),
      kinds: fc.oneof(fc.subarray(['Text', 'Image', 'TwoD', 'ThreeD']), fc.jsonValue()),
      limit: fc.oneof(fc.nat(30), fc.constantFrom(-1, 1e9, '1', null)),
      offset: fc.oneof(fc.nat(5), fc.constantFrom(-1, 2 ** 31, 2 ** 60)),
      within: fc.oneof(
        fc.subarray([0, 1, 2, 3]).map((list) => list.map((i) => seen[i])),
        fc.jsonValue(),
      ),
      volume: fc.constantFrom('.5', '+1', 'much', 3),
      components: fc.constantFrom(true, false, 'only', 'none'),
      facets: fc.boolean(),
      attributeFacets: fc.boolean(),
      shapelets: fc.boolean(),
      attributes: fc.oneof(fc.constant([{ name: 'Material', equals: 'Steel' }]), fc.jsonValue()),
      categories: fc.oneof(fc.constant([null]), fc.jsonValue()),
      signal: fc.constantFrom({}, null),
      surprise: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .chain((query) =>
    fc
      .subarray(Object.keys(query))
      .map((kept) =>
        JSON.stringify(Object.fromEntries(kept.slice(0, 4).map((name) => [name, query[name as keyof typeof query]]))),
      ),
  );

/** Values that suit a parameter of this name, where the type alone does not say it. */
const BY_NAME: Readonly<Record<string, () => fc.Arbitrary<string>>> = {
  query: () => findQuery,
  uids: () => fc.subarray([...seen, ...doomed]).map((list) => list.slice(0, 4).join()),
  from: () => fc.constantFrom(...seen),
  ids: () => fc.array(fc.nat(40), { minLength: 1, maxLength: 3 }).map((list) => list.join()),
  classes: () => fc.constantFrom('bytes', 'identical,mirrored', 'near'),
  near: () => fc.constantFrom('0.5', '1', '2'),
  kind: () => fc.constantFrom('ThreeD', 'TwoD', 'different', 'keep'),
  state: () => fc.constantFrom('queued', 'indexed', 'failed'),
  order: () => fc.constantFrom('path', 'addedAt'),
  direction: () => fc.constantFrom('rising', 'falling'),
  after: () => fc.constantFrom('a.stl', '3', '-1'),
  words: () => fc.constantFrom('steel', '"steel plate" thick*', '12'),
  uid: () => fc.constantFrom(seen[0], NOWHERE, seen[6]),
  withinMs: () => fc.constantFrom('100', '1000'),
};

function fitting(
  { type, format, minimum, maximum, enum: words }: any,
  name: string,
  operation: string,
): fc.Arbitrary<string> {
  if (words !== undefined) return fc.constantFrom(...words);
  if (operation === 'delete /File' && name === 'fileUID') return fc.constantFrom(...doomed, NOWHERE);
  const named = Object.hasOwn(BY_NAME, name) ? BY_NAME[name]() : undefined;
  if (named !== undefined) return named;
  if (type === 'boolean') return fc.constantFrom('true', 'false', 'True', '0');
  if (type === 'integer')
    return fc.integer({ min: minimum ?? -5, max: Math.max(minimum ?? -5, Math.min(maximum ?? 50, 50)) }).map(String);
  if (format === 'uuid' || name === 'fid' || name === 'targetFids') return fc.constantFrom(...seen, NOWHERE);
  if (name === 'file') return fc.constantFrom('.stl', '.step', '.txt', '.zip', 'x/y.stl', 'm.dxf', 'p.pdf');
  if (name === 'filterStr')
    return fc.constantFrom(
      ...seen.map((uid) => `fileUID=${uid}`),
      'FT=steel',
      'FT=material%3Dsteel&resultFileType=ThreeD',
      `fileUID=${seen[0]}&v=.5&FT=a*`,
    );
  if (name === 'password') return fc.constantFrom(sha1('x').toString('base64'), sha1('secret').toString('hex'));
  if (name === 'emailID' || name === 'username') return fc.constantFrom('ada@acme.example', 'x@y.example');
  if (name === 'companyID' || name === 'companyId')
    return fc.constantFrom(host.companies.acme, host.companies.other, 'acme');
  if (name === 'fileNames') return fc.constantFrom('a.stl', 'a.stl,b.step');
  if (name === 'conversionExtension') return fc.constantFrom('stl', 'step');
  if (name === 'grant_type') return fc.constantFrom('password', 'refresh_token', 'client_credentials');
  return fc.constantFrom('a', 'Material', 'a.stl', 'b/c.stl', 'x=y');
}

const bytesOf = fc.oneof(
  fc.constant(partStl(1, 2, 3)),
  fc.uint8Array({ maxLength: 3000 }),
  fc.constant(Buffer.from('ISO-10303-21;'.padEnd(2000, ' '))),
  fc.constant(Buffer.from('%PDF-1.7\n'.padEnd(1500, 'x'))),
  fc.uint8Array({ minLength: 1, maxLength: 40 }).map((noise) => {
    const broken = Buffer.from(partStl(2, 2, 2));
    noise.forEach((value, i) => {
      broken[(i * 97 + value * 13) % broken.length] = value;
    });
    return new Uint8Array(broken);
  }),
);
const bodyOf = (kind: string | undefined): fc.Arbitrary<{ body?: Uint8Array; type?: string }> => {
  if (kind === undefined) return fc.constant({});
  const text = (value: string): Uint8Array => new TextEncoder().encode(value);
  const good =
    kind === 'application/octet-stream'
      ? bytesOf.map((bytes) => ({ body: bytes, type: kind }))
      : kind === 'application/x-www-form-urlencoded'
        ? fc
            .record(
              { grant_type: anyText, username: anyText, password: anyText, refresh_token: anyText, client_id: anyText },
              { requiredKeys: [] },
            )
            .map((form) => ({ body: text(new URLSearchParams(Object.entries(form)).toString()), type: kind }))
        : fc
            .oneof(
              bytesOf.map((bytes) => JSON.stringify(base64(bytes))),
              fc.array(bytesOf, { maxLength: 3 }).map((list) => JSON.stringify(JSON.stringify(list.map(base64)))),
              fc.array(anyText, { maxLength: 4 }).map((list) => JSON.stringify(list)),
              fc.jsonValue().map((value) => JSON.stringify(value)),
              anyText.map((value) => JSON.stringify(value)),
            )
            .map((json) => ({ body: text(json), type: 'application/json' }));
  const bad = fc.record({
    body: fc.uint8Array({ maxLength: 200 }),
    type: fc.constantFrom(
      'application/json',
      'application/octet-stream',
      'text/plain',
      'x',
      'application/x-www-form-urlencoded',
      '',
    ),
  });
  return fc.oneof(
    { weight: 4, arbitrary: good as fc.Arbitrary<{ body?: Uint8Array; type?: string }> },
    bad,
    fc.constant({}),
  );
};

test(`${RUNS} requests: no 500, no hang, no unhandled rejection`, async () => {
  // Who signs out sends nothing any more.
  const operations = Object.entries(document.paths)
    .filter(([path]) => path !== '/Session')
    .flatMap(([path, methods]) =>
      Object.entries(methods as object).map(([method, operation]) => ({ path, method, operation })),
    );
  const counts = new Map<number, number>();
  const reached = new Set<string>();
  const undocumented = new Map<string, string>();
  const request = fc.constantFrom(...operations).chain(({ path, method, operation }: any) =>
    fc.record({
      method: fc.constant(method.toUpperCase()),
      path: fc.constantFrom(`/api${path}`, path),
      documented: fc.constant(operation.responses),
      as: fc.constantFrom<Who | undefined>(
        'ada',
        'ada',
        'ada',
        'admin',
        'operator',
        'app',
        'stranger',
        'spent',
        undefined,
      ),
      query: fc.record(
        Object.fromEntries(
          (operation.parameters ?? []).map(({ name, schema }: any) => [
            name,
            fc.oneof(
              { weight: 9, arbitrary: fitting(schema, name, `${method} ${path}`) },
              { weight: 1, arbitrary: anyText },
            ),
          ]),
        ),
        {
          requiredKeys: (operation.parameters ?? [])
            .filter(({ required }: any) => required === true)
            .map(({ name }: any) => name),
        },
      ) as fc.Arbitrary<Record<string, string>>,
      drop: fc.nat(4).map((n) => n === 0),
      raw: fc.option(fc.constantFrom('&%zz', '&%ff', '&=&&', '&fileUID=1&fileUID=2', '&a[]=1', '&__proto__=x'), {
        freq: 8,
      }),
      body: bodyOf(Object.keys(operation.requestBody?.content ?? {})[0]),
      accept: fc.constantFrom(undefined, 'application/json', 'text/plain', '*/*;q=0', 'image/png', ';;,,q'),
    }),
  );
  await fc.assert(
    fc.asyncProperty(
      request,
      async ({ method, path, documented, as, query, drop, raw, body: { body, type }, accept }) => {
        if (drop) delete query[Object.keys(query)[0] ?? ''];
        const search = Object.entries(query)
          .map(([name, value]) => `${name}=${encodeURIComponent(value.replaceAll(/\p{Cs}/gu, '\ufffd'))}`)
          .join('&');
        const headers: Record<string, string> = {
          ...(type === undefined || type === '' ? {} : { 'Content-Type': type }),
          ...(accept === undefined ? {} : { Accept: accept }),
        };
        const sent = requestOf(
          method,
          `${path}?${search}${raw ?? ''}`,
          { as, bytes: method === 'GET' ? undefined : body, headers },
          host.tokens,
        );
        const took = stopwatch();
        const response = await host.handler(sent);
        const text = await response.text();
        counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
        expect(took()).toBeLessThan(LONGEST_MS);
        expect(response.status, `${method} ${path}?${search} ${text}`).toBeLessThan(500);
        const name = `${method} ${path.replace(/^\/api/, '')}`;
        const answered = text === '' ? '' : (response.headers.get('content-type')?.split(';')[0] ?? 'none');
        const { content = {} } = documented[response.status] ?? { content: { none: {} } };
        if (answered === '' ? documented[response.status] === undefined : !(answered in content))
          undocumented.set(`${name} ${response.status} ${answered}`, text.slice(0, 300));
        if (response.status === 200) reached.add(name);
        if (response.status >= 400 && response.headers.get('content-type')?.startsWith('application/problem+json')) {
          expect(JSON.parse(text)).toMatchObject({
            status: response.status,
            title: expect.any(String),
            detail: expect.any(String),
          });
        }
      },
    ),
    {
      numRuns: RUNS,
      ...(process.env['SHAPEDEX_FUZZ_SEED'] === undefined ? {} : { seed: Number(process.env['SHAPEDEX_FUZZ_SEED']) }),
    },
  );
  await host.engine.idle();
  // A rejection that nobody handles is reported at the end of a turn, and what a request left behind may take several
  // turns until it rejects.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(defects.map(({ method, path, error }) => `${method} ${path} ${String(error)}`)).toEqual([]);
  expect(unhandled).toEqual([]);
  expect((await host.send('GET', '/health')).status).toBe(200);
  expect(Object.fromEntries(undocumented)).toEqual({});
  // Not all refused: the requests reach what lies behind the checks.
  expect(counts.get(200) ?? 0).toBeGreaterThan(RUNS / 10);
  // With so many requests nearly each endpoint has answered some; which few have not is chance, and made-up bodies
  // seldom fit.
  const never = operations
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    .filter((name) => !reached.has(name));
  if (RUNS >= 20_000) expect(never.length, never.join(', ')).toBeLessThan(operations.length / 8);
  if (process.env['SHAPEDEX_FUZZ'] !== undefined)
    console.log(Object.fromEntries([...counts].sort(([x], [y]) => x - y)), 'never 200:', never);
}, 3_600_000);

test('a control character in any parameter is refused or has no effect: no 500', async () => {
  const failed: string[] = [];
  let asked = 0;
  for (const [path, methods] of Object.entries(document.paths as Record<string, object>))
    for (const [method, operation] of Object.entries(methods) as [string, any][])
      for (const { name } of path === '/Session' ? [] : (operation.parameters ?? [])) {
        const others = (operation.parameters as any[]).filter((one) => one.required === true && one.name !== name);
        const query = Object.fromEntries(
          others.map((one) => [
            one.name,
            one.schema.enum?.[0] ?? (one.schema.format === 'uuid' || one.name === 'fid' ? seen[0] : '1'),
          ]),
        );
        const { status } = await host.send(method.toUpperCase(), path, {
          as: 'admin',
          query: { ...query, [name]: '\u0007' },
        });
        asked++;
        if (status >= 500) failed.push(`${method} ${path} ${name} ${status}`);
      }
  expect(failed).toEqual([]);
  expect(asked).toBeGreaterThan(200);
}, 60_000);
