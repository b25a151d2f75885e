import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createHandler, DEFAULT_HTTP_OPTIONS, type LogEntry } from '../../dist/http/index.js';
import { Engine } from '../../dist/index.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { withOlderCatalogue } from '../store/library-with-lost-files.js';
import { openHost, partStl, sha1, type Host } from './host.js';

const folder = temporaryFolder();

const withHost = async (
  options: Parameters<typeof openHost>[0],
  body: (host: Host) => Promise<void>,
): Promise<void> => {
  const host = await openHost(options);
  try {
    await body(host);
  } finally {
    await host.close();
  }
};

describe('the log', () => {
  test('has a line for each request, and no secret', async () => {
    const entries: LogEntry[] = [];
    await withHost({ log: (entry) => void entries.push(entry) }, async (host) => {
      const secret = sha1('secret');
      await host.send('GET', '/api/User', {
        query: { emailID: 'ada@acme.example', password: secret.toString('base64') },
      });
      await host.send('POST', '/Token', {
        query: { grant_type: 'password', username: 'ada@acme.example', password: secret.toString('hex') },
      });
      await host.send('GET', '/api/user/', {
        query: { emailID: 'ada@acme.example', password: secret.toString('base64') },
      });
      await host.send('DELETE', '/api/User', { query: { password: secret.toString('base64') } });
      await host.send('GET', '/api/Nothing', { query: { password: secret.toString('base64') } });
      await host.send('GET', '/api/File', {
        as: 'ada',
        query: { fileName: 'a b.stl' },
        headers: { 'X-Request-Id': 'request-0001' },
      });
      await host.send('GET', '/api/Image', {
        as: 'ada',
        query: { fid: '00000000-0000-4000-8000-000000000000', token: 'topsecret' },
      });
      // As a name that is percent-encoded is read, so it is kept back.
      await host.send(
        'GET',
        '/api/Image?fid=00000000-0000-4000-8000-000000000000&%74oken=topsecret&key=topsecret&x=1',
        {
          as: 'ada',
        },
      );
      await host.send('PUT', '/api/FileBinary', { as: 'ada', query: { file: '.stl' }, bytes: partStl(1, 2, 3) });
      const text = JSON.stringify(entries);
      for (const word of [
        secret.toString('base64'),
        encodeURIComponent(secret.toString('base64')),
        secret.toString('hex'),
        'topsecret',
        ...Object.values(host.tokens),
      ])
        expect(text).not.toContain(word);
      expect(entries.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
        'GET /api/User 200',
        'POST /Token 200',
        'GET /api/user/ 200',
        'DELETE /api/User 405',
        'GET /api/Nothing 404',
        'GET /api/File 404',
        'GET /api/Image 404',
        'GET /api/Image 404',
        'PUT /api/FileBinary 200',
      ]);
      expect(entries.slice(0, 5).map(({ query }) => query)).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      expect(entries[5]).toMatchObject({
        query: 'fileName=a+b.stl',
        requestId: 'request-0001',
        company: 'acme',
        user: 'ada@acme.example',
        principal: expect.stringMatching(/^[0-9a-f-]{36}$/),
        requestBytes: 0,
        durationMs: expect.any(Number),
        error: expect.anything(),
      });
      // Who is not signed in is no user, whatever address is in the request.
      expect(entries.slice(0, 5).map(({ user }) => user)).toEqual(Array(5).fill(undefined));
      expect(entries[6].query).toContain('token=***');
      expect(entries[7].query).toBe('fid=00000000-0000-4000-8000-000000000000&token=***&key=***&x=1');
      expect(entries[8].requestBytes).toBe(partStl(1, 2, 3).length);
    });
  });

  test('that throws does not touch the answer', () =>
    withHost(
      {
        log: () => {
          throw new Error('full');
        },
      },
      async (host) => {
        expect((await host.send('GET', '/api/Version')).status).toBe(200);
      },
    ));
});

test('request ids are taken over when they are harmless, made otherwise', () =>
  withHost({}, async (host) => {
    const idOf = async (id: string): Promise<string | null> =>
      (await host.send('GET', '/api/Version', { headers: { 'X-Request-Id': id } })).headers.get('x-request-id');
    expect(await idOf('abc-123_4.5')).toBe('abc-123_4.5');
    for (const id of ['short', 'x'.repeat(65), 'a b c d e f g', '<script>alert'])
      expect(await idOf(id)).toMatch(/^[0-9a-f-]{36}$/);
  }));

test('metrics count requests by endpoint and status, of one handler alone', () =>
  withHost({}, async (host) => {
    const other = createHandler(host.engine, { metrics: false, docs: false });
    await host.send('GET', '/api/Version');
    await host.send('GET', '/Version');
    await host.send('GET', '/api/File');
    await host.send('GET', '/api/Nothing/with/a/long/path');
    await host.send('BREW', '/api/Coffee');
    await other(new Request('http://localhost/api/Version'));
    const { text, headers } = await host.send('GET', '/metrics');
    expect(headers.get('content-type')).toContain('version=0.0.4');
    expect(text).toContain('shapedex_http_requests_total{method="GET",endpoint="/Version",status="200"} 2\n');
    expect(text).toContain('shapedex_http_requests_total{method="GET",endpoint="/File",status="401"} 1\n');
    expect(text).toContain('shapedex_http_requests_total{method="GET",endpoint="other",status="404"} 1\n');
    expect(text).toContain('shapedex_http_requests_total{method="other",endpoint="other",status="404"} 1\n');
    expect(text).toContain(
      'shapedex_http_request_duration_seconds_bucket{method="GET",endpoint="/Version",le="+Inf"} 2\n',
    );
    expect(text).toContain('shapedex_http_requests_in_flight 1\n');
    expect(text).toContain('shapedex_queue_length 0\n');
    for (const path of ['/metrics', '/docs', '/openapi.json'])
      expect((await other(new Request(`http://localhost${path}`))).status).toBe(404);
  }));

test('metrics that many ask for at once are counted once', () =>
  withHost({}, async ({ engine }) => {
    let counted = 0;
    const slow = new Proxy(engine, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== 'stats') return typeof value === 'function' ? value.bind(target) : value;
        return async () => {
          counted++;
          await new Promise((resolve) => setTimeout(resolve, 50));
          return target.stats();
        };
      },
    });
    const handler = createHandler(slow);
    const ask = async (): Promise<string> => (await handler(new Request('http://localhost/metrics'))).text();
    const texts = await Promise.all(Array.from({ length: 20 }, ask));
    for (let i = 0; i < 5; i++) texts.push(await ask());
    for (const text of texts) expect(text).toContain('shapedex_files_all 0\n');
    expect(counted).toBe(1);
    // They hold for twenty times as long as they took.
    await expect.poll(async () => [await ask(), counted][1], { timeout: 120_000 }).toBe(2);
  }));

test('health says in any letter case that the catalogue is an older one, and nothing more', async () => {
  const { library } = await withOlderCatalogue(join(folder, 'older'));
  await using engine = await Engine.open(library, { workers: 1 });
  const handler = createHandler(engine);
  for (const path of ['/health', '/Health', '/api/health', '/api/Health', '/API/HEALTH']) {
    const answer = await handler(new Request(`http://localhost${path}`));
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok', warnings: ['CATALOG_OLDER'] }]);
  }
});

test('health says when the engine is closed', async () => {
  const host = await openHost();
  expect((await host.send('GET', '/health')).json).toEqual({ status: 'ok' });
  await host.close();
  const answer = await host.send('GET', '/health');
  expect([answer.status, answer.json.code, answer.headers.get('retry-after')]).toEqual([503, 'ENGINE_CLOSED', '5']);
});

test('two engines in one process know nothing of each other', () =>
  withHost({}, (one) =>
    withHost({}, async (two) => {
      const { text: uid } = await one.send('PUT', '/api/FileBinary', {
        as: 'ada',
        bytes: partStl(1, 2, 3),
        query: { file: 'a.stl', isSearchInput: false },
      });
      expect((await two.send('GET', '/api/File', { as: 'ada', query: { fileUID: uid } })).status).toBe(404);
      expect(
        (
          await two.send('GET', '/api/File', {
            headers: { Authorization: `Bearer ${one.tokens.ada}` },
            query: { fileUID: uid },
          })
        ).status,
      ).toBe(401);
      const { ThumbNailURLFromID: link } = (await one.send('GET', '/api/File', { as: 'ada', query: { fileUID: uid } }))
        .json;
      expect((await two.send('GET', link)).status).toBe(401);
    }),
  ));

test('options are checked', () =>
  withHost({}, async ({ engine }) => {
    expect(Object.isFrozen(DEFAULT_HTTP_OPTIONS)).toBe(true);
    expect(() => createHandler(engine, { bodyBites: 1 } as never)).toThrow(/bodyBites is not an option/);
    expect(() => createHandler(engine, { bodyBytes: 0 })).toThrow(RangeError);
    expect(() => createHandler(engine, { basePath: 'cad' })).toThrow(/basePath/);
    expect(() => createHandler(engine, { publicUrl: 'ftp://x' })).toThrow(/publicUrl/);
    createHandler(engine, { publicUrl: 'https://cad.example.com/' });
    expect(() => createHandler(engine, { log: 'yes' as never })).toThrow(/log must be a function/);
  }));

test('what is indexed and what fails is told to the log of the engine, and counted in the metrics', async () => {
  const events: object[] = [];
  const engine = await Engine.open(join(folder, 'told'), { workers: 1, onIndexing: (event) => events.push(event) });
  const acme = await engine.company('acme');
  await acme.put('a.stl', partStl(1, 2, 3));
  await acme.put('b.stl', Buffer.from('solid nothing'));
  await expect.poll(() => events.length).toBe(2);
  expect(events).toMatchObject([
    { event: 'indexed', company: 'acme', path: 'a.stl' },
    { event: 'failed', company: 'acme', path: 'b.stl', code: expect.any(String) as string },
  ]);
  const { indexing } = await engine.stats();
  expect(indexing).toMatchObject({ indexed: 1, failed: { [(events[1] as { code: string }).code]: 1 } });
  const text = await (await createHandler(engine)(new Request('http://host/metrics'))).text();
  expect(text).toMatch(/shapedex_indexed_total 1\n/);
  expect(text).toMatch(/shapedex_failed_total\{code="[A-Z_]+"\} 1\n/);
  expect(text).toMatch(/shapedex_indexing_rate [\d.e-]+\n/);
  expect(text).toMatch(/process_resident_memory_bytes \d+\n/);
  // The process that read both files waits for more; Node alone takes some 40 MB.
  expect(Number(/shapedex_reading_memory_bytes (\d+)\n/.exec(text)![1])).toBeGreaterThan(20e6);
  await engine.close();
  await expect(Engine.open(join(folder, 'wrong'), { onIndexing: 'x' } as object)).rejects.toThrow('options.onIndexing');
});
