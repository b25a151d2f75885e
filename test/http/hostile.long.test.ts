import { createServer, request as httpRequest, type Server } from 'node:http';
import { readdirSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toNodeListener } from '../../dist/http/index.js';
import { base64, openHost, partStl, type Host } from './host.js';
import { stopwatch } from '../fixtures/stopwatch.js';

let host: Host;
let server: Server;
let port = 0;

beforeAll(async () => {
  host = await openHost({
    uploadBytes: 100_000,
    bodyBytes: 50_000,
    textBytes: 10_000,
    bodyIdleMs: 300,
    concurrentBodies: 2,
  });
  server = createServer(toNodeListener(host.handler));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await host.close();
});

/** Sends raw bytes and gives all that comes back until the line ends. */
function raw(...pieces: readonly (string | number)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('close', () => resolve(text));
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)));
    void (async () => {
      for (const piece of pieces) {
        if (typeof piece === 'number') await new Promise((next) => setTimeout(next, piece));
        else if (!socket.destroyed) socket.write(piece);
      }
    })();
  });
}
const head = (length: number | 'chunked', path = '/api/FileBinary?file=.stl'): string =>
  `PUT ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${host.tokens.ada}\r\nContent-Type: application/octet-stream\r\n${length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`}\r\n\r\n`;

describe('bodies', () => {
  test('too long by their header are refused before they are read', async () => {
    const answer = await raw(head(100_001));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/connection: close/i);
  });

  test('too long without a header are refused on the way', async () => {
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const answer = await raw(head('chunked'), ...Array.from({ length: 8 }, () => chunk), '0\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))).toMatchObject({
      status: 413,
      errors: { body: [expect.any(String)] },
    });
  });

  test('that stop are timed out', async () => {
    const took = stopwatch();
    expect(await raw(head(5000), 'some bytes')).toMatch(/^HTTP\/1\.1 408 /);
    expect(took()).toBeLessThan(5_000);
  });

  test('that trickle are timed out', async () => {
    const took = stopwatch();
    expect(await raw(head(5000), ...Array.from({ length: 60 }, () => ['x', 100]).flat())).toMatch(/^HTTP\/1\.1 408 /);
    expect(took()).toBeLessThan(5_000);
  });

  test('whose sender goes away leave nothing', async () => {
    const before = (await host.engine.stats()).blobBytes;
    const drafts = (): string[] =>
      readdirSync(host.library, { recursive: true, encoding: 'utf8' }).filter((name) => /draft-[^/\\]*$/.test(name));
    const socket = connect(port, '127.0.0.1', () => socket.write(head(50_000) + 'x'.repeat(20_000)));
    const closed = new Promise((resolve) => socket.on('close', resolve));
    await expect.poll(drafts, { interval: 5 }).toHaveLength(1);
    socket.destroy();
    await closed;
    await expect.poll(drafts).toEqual([]);
    expect((await host.engine.stats()).blobBytes).toBe(before);
  });

  test('beyond those that are read at a time get 503 and when to try again', async () => {
    const slow = [raw(head(5000), 'x'), raw(head(5000), 'x')];
    // From when both are being read.
    let answer = '';
    const third = async (): Promise<string> => (answer = await raw(head(2000), 'x'.repeat(2000)));
    await expect.poll(third, { interval: 5 }).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/retry-after: \d/i);
    await Promise.all(slow);
    const bytes = partStl(1, 1, 1);
    expect((await host.send('PUT', '/api/FileBinary', { as: 'ada', bytes, query: { file: '.stl' } })).status).toBe(200);
  });

  test('that unpack to too much are refused', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const answer = await host.send('PUT', '/api/Search', {
      as: 'ada',
      json: JSON.stringify([base64(bomb)]),
      query: { fileExtension: '.stl', isGZipCompressed: true },
    });
    expect(answer.status).toBe(413);
  });

  test('of short texts have a limit of their own', async () => {
    const answer = await host.send('PUT', '/SearchFeedback', { as: 'ada', json: 'x'.repeat(20_000) });
    expect(answer.status).toBe(413);
  });

  test('of wrong bytes are 400', async () => {
    for (const bytes of [Buffer.from([0xff, 0xfe, 0x22]), Buffer.from('{"a":'), Buffer.from('['.repeat(9_000))]) {
      const answer = await host.send('PUT', '/FileAttributes', {
        as: 'ada',
        bytes,
        query: { fileName: 'x' },
        headers: { 'Content-Type': 'application/json' },
      });
      expect([400, 404]).toContain(answer.status);
      const search = await host.send('PUT', '/api/Search', {
        as: 'ada',
        bytes,
        headers: { 'Content-Type': 'application/json' },
      });
      expect([search.status, Object.keys(search.json.errors)]).toEqual([400, ['body']]);
    }
  });
});

describe('requests', () => {
  test('with wrong percent-encoding name the parameter', async () => {
    for (const [query, field] of [
      ['fileName=%zz', 'fileName'],
      ['fileName=%ff%fe', 'fileName'],
      ['%c3=1', 'query'],
      ['includeShapelets=%', 'includeShapelets'],
    ]) {
      const answer = await host.send('GET', `/api/File?${query}`, { as: 'ada' });
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([400, [field]]);
    }
  });

  test('with a parameter twice', async () => {
    const answer = await host.send('GET', '/api/File?fileName=a&fileName=b', { as: 'ada' });
    expect([answer.status, answer.json.errors]).toEqual([400, { fileName: ['must be given once'] }]);
  });

  test('cannot put headers into the answer', async () => {
    const name = encodeURIComponent('x\r\nSet-Cookie: a=b');
    const answer = await raw(
      `GET /api/File?fileName=${name} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: a%0d%0ab\r\nAuthorization: Bearer ${host.tokens.ada}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.slice(0, answer.indexOf('\r\n\r\n'))).not.toMatch(/set-cookie|a%0d/i);
  });

  test('with a path of the disk reach no file', async () => {
    for (const fileName of [
      '../../../etc/passwd',
      '/etc/passwd',
      'C:\\Windows\\win.ini',
      '..\\..\\x',
      'file:///etc/passwd',
      '....//x',
    ]) {
      const answer = await host.send('GET', '/api/File', { as: 'ada', query: { fileName } });
      expect([400, 404]).toContain(answer.status);
      expect(answer.text).not.toContain('root:');
    }
    for (const path of [
      '/api/../package.json',
      '/api/%2e%2e/package.json',
      '/docs/../../x',
      '//etc/passwd',
      '/api/File/..%2f..',
      '/assets/../index.html',
      '/assets/..%2f..%2findex.js',
      '/assets/%2e%2e/index.html',
      '/assets/..%5cindex.html',
    ]) {
      expect([401, 404]).toContain((await host.send('GET', path)).status);
    }
  });

  test('to what is not there are 404, with another method 405', async () => {
    for (const path of [
      '/api',
      '/assets/',
      '/assets/index.html',
      '/index.html',
      '/api/Nothing',
      '/api/api/File',
      '/File/x',
    ]) {
      const answer = await host.send('GET', path, { as: 'ada' });
      expect([answer.status, answer.json.title]).toEqual([404, 'Not Found']);
    }
    const answer = await host.send('DELETE', '/api/Search', { as: 'ada' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'PUT, GET']);
    expect((await host.send('GET', '/api/version')).status).toBe(200); // In any casing.
    expect((await host.send('GET', '/API/VERSION/')).status).toBe(200);
  });

  test('that are no HTTP do not stop the server', async () => {
    await raw('GET / HTTP/1.1\r\n\r\n\r\n');
    await raw('\x16\x03\x01 nonsense\r\n\r\n').catch(() => '');
    await raw('OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await raw('GET http://[::bad/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await raw('TRACE /api/Version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(
      await raw('GET /api/Version HTTP/1.1\r\nHost: x\r\nAccept: text/plain\r\nConnection: close\r\n\r\n'),
    ).toMatch(/\r\n\r\n(1\r\n)?1/);
  });

  test('that are given up by the client end their work', async () => {
    const body = JSON.stringify(base64(partStl(3, 3, 3)));
    await new Promise<void>((resolve) => {
      const sent = httpRequest({
        port,
        host: '127.0.0.1',
        method: 'PUT',
        path: '/api/File?file=.stl',
        headers: { Authorization: `Bearer ${host.tokens.ada}`, 'Content-Type': 'application/json' },
      });
      sent.on('error', () => resolve());
      sent.on('close', () => resolve());
      sent.end(body, () => sent.destroy());
    });
    await host.engine.idle();
    expect((await host.send('GET', '/health')).json).toEqual({ status: 'ok' });
  });
});
