import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHandler, type Handler } from '../../dist/http/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { NOWHERE, openHost, type Host } from './host.js';

let host: Host;
beforeAll(async () => {
  host = await openHost();
});
afterAll(() => host.close());

const get = (path: string, headers: Record<string, string> = {}, handler: Handler = host.handler, method = 'GET') =>
  handler(new Request(`http://localhost${path}`, { method, headers }));

describe('the page', () => {
  test('is served to everybody, may run its own code alone, and is asked for anew each time', async () => {
    const response = await get('/');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    const html = await response.text();
    // Every address in it is relative, so that it works below any path; nothing is written into it that the policy
    // would refuse.
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(addresses.filter((address) => !/^(\.\/assets\/|docs$)/.test(address))).toEqual([]);
    expect(html).not.toMatch(/<script(?![^>]*src=)|<style|style=|onload=/);
    expect((await get('/', { 'If-None-Match': response.headers.get('etag')! })).status).toBe(304);
    for (const address of addresses.filter((name) => name.startsWith('./assets/'))) {
      const asset = await get(`/${address.slice(2)}`);
      expect([asset.status, asset.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
  });

  test('comes compressed to whoever takes that', async () => {
    const script = /src="\.(\/assets\/[^"]+\.js)"/.exec(await (await get('/')).text())![1];
    const plain = Buffer.from(await (await get(script)).arrayBuffer());
    const zipped = await get(script, { 'Accept-Encoding': 'br, gzip' });
    expect([
      zipped.headers.get('content-encoding'),
      zipped.headers.get('vary'),
      zipped.headers.get('content-type'),
    ]).toEqual(['gzip', 'Accept-Encoding', 'text/javascript; charset=utf-8']);
    const bytes = Buffer.from(await zipped.arrayBuffer());
    expect(bytes.length).toBeLessThan(plain.length / 2);
    expect(gunzipSync(bytes).equals(plain)).toBe(true);
    expect((await get(script, { 'Accept-Encoding': 'gzip;q=0, identity' })).headers.get('content-encoding')).toBeNull();
    expect((await get(script, {}, host.handler, 'HEAD')).status).toBe(200);
    expect((await get(script, {}, host.handler, 'POST')).status).toBe(404);
  });

  test('works below a path, which then ends with a slash', async () => {
    const handler = createHandler(host.engine, { basePath: '/cad' });
    const bare = await get('/cad', {}, handler);
    expect([bare.status, bare.headers.get('location')]).toEqual([308, '/cad/']);
    expect((await get('/cad/', {}, handler)).status).toBe(200);
    const script = /src="\.(\/assets\/[^"]+\.js)"/.exec(await (await get('/cad/', {}, handler)).text())![1];
    expect((await get(`/cad${script}`, {}, handler)).status).toBe(200);
  });

  test('is not there where the host does not want it', async () => {
    const handler = createHandler(host.engine, { page: false });
    expect((await get('/', {}, handler)).status).toBe(404);
    expect(() => createHandler(host.engine, { page: 'yes' as unknown as boolean })).toThrow(
      'options.page must be true or false, received yes',
    );
  });
});

describe('beside the interface', () => {
  test('files of any size are stored, listed, counted, found, and read once more when they have failed', async () => {
    const put = (path: string, bytes: Uint8Array) =>
      host.send('PUT', '/api/Record', { as: 'ada', query: { path }, bytes });
    const cube = await put('small/cube.stl', boxStl(2, 2, 2));
    expect([cube.status, cube.json.path, cube.json.kind]).toEqual([200, 'small/cube.stl', 'ThreeD']);
    await put('small/broken.step', Buffer.from('no STEP file'));
    await put('words.txt', Buffer.from('a flange of steel'));
    await host.engine.idle();
    expect((await host.send('GET', '/api/Status', { as: 'ada' })).json).toEqual({
      files: 3,
      counts: {
        ThreeD: { queued: 0, indexed: 1, failed: 1 },
        Text: { queued: 0, indexed: 1, failed: 0 },
        TwoD: { queued: 0, indexed: 0, failed: 0 },
        Image: { queued: 0, indexed: 0, failed: 0 },
      },
      describedAgain: 0,
    });
    const paths = async (query: Record<string, string | number>) =>
      (await host.send('GET', '/api/Records', { as: 'ada', query })).json.map(({ path }: { path: string }) => path);
    expect(await paths({})).toEqual(['small/broken.step', 'small/cube.stl', 'words.txt']);
    expect(await paths({ prefix: 'small/', limit: 1, after: 'small/broken.step' })).toEqual(['small/cube.stl']);
    expect(await paths({ state: 'failed' })).toEqual(['small/broken.step']);
    expect(await paths({ order: 'addedAt', direction: 'falling', kind: 'Text' })).toEqual(['words.txt']);
    expect(await paths({ order: 'addedAt', after: cube.json.arrival })).toEqual(['small/broken.step', 'words.txt']);
    expect((await host.send('GET', '/api/Records', { as: 'ada', query: { state: 'lost' } })).json).toMatchObject({
      status: 400,
      errors: { state: [expect.stringContaining('lost')] },
    });

    const { uid, error } = (await host.send('GET', '/api/Records', { as: 'ada', query: { state: 'failed' } })).json[0];
    expect(error.code).toBe('FORMAT_UNSUPPORTED');
    expect((await host.send('POST', '/api/Retry', { as: 'ada', query: { fileUID: uid } })).json).toBe(1);
    await host.engine.idle();
    expect((await host.send('GET', '/api/Record', { as: 'ada', query: { fileUID: uid } })).json.state).toBe('failed');
    expect((await host.send('POST', '/api/Retry', { as: 'ada', query: { fileUID: cube.json.uid } })).json).toBe(0); // It has not failed.
    expect((await host.send('POST', '/api/Retry', { as: 'ada' })).json).toBe(1);
    expect((await host.send('POST', '/api/Retry', { as: 'ada', query: { fileUID: NOWHERE } })).status).toBe(404);
    expect((await host.send('POST', '/api/Retry', { as: 'stranger' })).json).toBe(0); // Of another company.
    await host.engine.idle();
  });

  test('a search in the words of the engine takes what was put to search with', async () => {
    const input = await host.send('PUT', '/api/Input', {
      as: 'ada',
      query: { name: 'C:\\my parts\\cube.2.stl' },
      bytes: boxStl(2, 2, 2),
    });
    expect([input.json.state, input.json.extension]).toEqual(['indexed', '.stl']);
    const find = (query: unknown) =>
      host.send('GET', '/api/Find', {
        as: 'ada',
        query: { query: typeof query === 'string' ? query : JSON.stringify(query) },
      });
    const found = await find({ like: { uid: input.json.uid }, facets: true });
    expect(found.json).toMatchObject({ total: 1, facets: { kinds: { ThreeD: 1 } }, inputs: [{ volumeMm3: 8 }] });
    expect(found.json.hits[0]).toMatchObject({ path: 'small/cube.stl', matchClass: 'identical', similarity: 100 });
    expect(found.json.hits[0].transform).toHaveLength(16);
    expect((await find({ text: 'flange' })).json.hits.map(({ path }: { path: string }) => path)).toEqual(['words.txt']);
    for (const [query, says] of [
      ['{', 'JSON'],
      ['[]', 'object'],
      [{ text: 7 }, 'text'],
      [{ like: { bytes: [1], extension: '.stl' } }, 'uid'],
      [{ signal: {}, text: 'a' }, 'signal'],
      [{}, 'at least one'],
      [{ words: 'a' }, 'words'],
    ] as const) {
      const answer = await find(query);
      expect([answer.status, answer.json.detail]).toEqual([400, expect.stringContaining(says)]);
    }
    expect((await find({ like: { uid: NOWHERE } })).status).toBe(404);
    const broken = await host.send('PUT', '/api/Input', {
      as: 'ada',
      query: { name: 'x.step' },
      bytes: Buffer.from('nothing'),
    });
    expect([broken.status, broken.json.state, broken.json.error.code]).toEqual([200, 'failed', 'FORMAT_UNSUPPORTED']);
  });
});
