import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createHandler, toNodeListener, type LogEntry } from '../../dist/http/index.js';
import { NOWHERE, openHost, sha1 } from './host.js';

const ROOT = new URL('../../', import.meta.url);
const TABLE = readFileSync(new URL('src/http/SECURITY.md', ROOT), 'utf8');

test('every test that the table of ASVS requirements names exists, by its file and its title', () => {
  const named = [...TABLE.matchAll(/`(test\/[^`:]+)(?:: ([^`]+))?`/g)].map(([, file, title]) => ({ file, title }));
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter(({ title }) => title !== undefined).length).toBeGreaterThan(100);
  expect(named.filter(({ file, title = '' }) => !holds(file, title))).toEqual([]);
});

/** Whether a file is there and a string in it has this title. */
function holds(file: string, title: string): boolean {
  const url = new URL(file, ROOT);
  if (!existsSync(url) || title === '') return existsSync(url);
  return readFileSync(url, 'utf8')
    .split('\n')
    .some((line) => /^[^/]*['"`]/.test(line) && line.includes(title));
}

test('no row is without a test, a reason or a word on who does it', () => {
  const rows = [...TABLE.matchAll(/^\| (\d+\.\d+\.\d+) \| (.*) \|$/gm)].map(([, id, text]) => [id, text.trim()]);
  expect(rows.filter(([, text]) => text.length < 5)).toEqual([]);
});

test('it has each of the 253 requirements of levels 1 and 2 once', () => {
  const rows = [...TABLE.matchAll(/^\| (\d+\.\d+\.\d+) \|/gm)].map(([, id]) => id);
  const lists = [...TABLE.matchAll(/^Does not apply .*: ([\d., ]+)\.$/gm)].flatMap(([, list]) => list.split(', '));
  expect(new Set([...rows, ...lists]).size).toBe(rows.length + lists.length);
  expect(rows.length + lists.length).toBe(253);
});

test('what is answered is neither sniffed, run nor framed by a browser, and tells no other site where it came from', async () => {
  const host = await openHost();
  for (const [path, status] of [
    ['/api/Version', 200],
    ['/api/Records', 401],
    ['/nothing', 404],
    ['/', 200],
  ] as const) {
    const answer = await host.send('GET', path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors '(none|self)'/);
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
    expect(answer.headers.get('cache-control')).toBe(path === '/' ? 'no-cache' : 'no-store');
  }
  const policy = (await host.send('GET', '/')).headers.get('content-security-policy');
  expect(policy).toContain("base-uri 'none'");
  // A file is saved, not shown, whatever it says that it is.
  const bytes = Buffer.from('<html><script>alert(1)</script></html>'.padEnd(1_100, ' '));
  const { json } = await host.send('PUT', '/api/Record', { as: 'ada', query: { path: 'a/page.html' }, bytes });
  const saved = await host.send('GET', '/api/Download', { as: 'ada', query: { fileUID: json.uid } });
  expect([saved.headers.get('content-type'), saved.headers.get('x-content-type-options')]).toEqual([
    'application/octet-stream',
    'nosniff',
  ]);
  expect(saved.headers.get('content-disposition')).toMatch(/^attachment; filename="page.html"/);
  await host.close();
});

test('what every object has is no value of a flag', async () => {
  const host = await openHost();
  for (const model of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    const query = { fileUID: NOWHERE, otherUID: NOWHERE, model };
    const answer = await host.send('GET', '/api/Deviations', { as: 'ada', query });
    expect([answer.status, answer.json.errors]).toEqual([
      400,
      { model: [`must be true or false, received "${model}"`] },
    ]);
  }
  await host.close();
});

test('who is refused is logged with the time, the sender and the reason; what breaks tells the log alone', async () => {
  const entries: LogEntry[] = [];
  const broken = {
    log: (entry: LogEntry) => void entries.push(entry),
    authenticate: async ({ headers }: Request) => {
      if (headers.has('x-break')) throw new Error('password of the directory: hunter2');
      return undefined;
    },
  };
  // Not by openHost: that prints what breaks.
  const host = await openHost({}, { accounts: { loginFailures: 1 } });
  const handler = createHandler(host.engine, broken);
  const client = { address: '192.0.2.9' };
  const form = { grant_type: 'password', username: 'ada@acme.example', password: sha1('guess').toString('hex') };
  const post = () =>
    handler(new Request('http://x/api/Token', { method: 'POST', body: new URLSearchParams(form) }), client);
  const get = (path: string, headers: Record<string, string>) =>
    handler(new Request(`http://x/api/${path}`, { headers }), client);
  const started = Date.now();
  const statuses: number[] = [];
  for (const answer of [post, post, () => get('Users', { Authorization: `Bearer ${host.tokens.ada}` })])
    statuses.push((await answer()).status);
  statuses.push((await get('Status', { Authorization: 'Bearer nobody' })).status);
  statuses.push(
    (await get('Deviations?model=%0a{"level":"fatal"}', { Authorization: `Bearer ${host.tokens.ada}` })).status,
  );
  const failed = await get('Status', { 'X-Break': 'yes' });
  statuses.push(failed.status);
  expect(statuses).toEqual([400, 429, 403, 401, 400, 500]);
  expect(entries.map(({ status }) => status)).toEqual(statuses);
  for (const entry of entries) {
    expect(entry).toMatchObject({ address: '192.0.2.9', time: expect.any(Date) });
    expect(entry.time.getTime()).toBeGreaterThanOrEqual(started);
    // As a line of JSON it is one line, whatever the request says; its time is in UTC.
    expect(JSON.stringify(entry)).not.toContain('\n');
    expect(JSON.stringify(entry)).toMatch(/"time":"[^"]+Z"/);
  }
  for (const { error } of entries.slice(1)) expect(error).toBeDefined();
  expect(entries[2].principal).toBeDefined();
  expect(entries.map(({ account }) => account)).toEqual([...Array(2).fill('ada@acme.example'), ...Array(4)]);
  const text = await failed.text();
  expect(JSON.parse(text)).toMatchObject({ status: 500, detail: 'The request failed unexpectedly.' });
  expect(text).not.toMatch(/hunter2|\.js| {4}at /);
  expect(String(entries[5].error)).toContain('hunter2');
  await host.close();
});

test('a field that is not of an endpoint has no effect: nobody makes himself an admin', async () => {
  const host = await openHost();
  await host.engine.accounts.setProfile('acme', { signUp: 'domain' });
  await host.engine.accounts.mapDomain('acme.example', 'acme');
  const person = { emailID: 'eve@acme.example', firstName: 'E', lastName: 'V', password: sha1('s').toString('base64') };
  const more = { IsAdmin: true, isAdmin: true, role: 'operator', isWaiting: false, UID: NOWHERE };
  const { json } = await host.send('PUT', '/api/User', { query: { ...person, ...more } });
  expect(json).toMatchObject({ IsAdmin: false, CompanyName: 'acme' });
  expect(json.UID).not.toBe(NOWHERE);
  expect((await host.engine.accounts.user('eve@acme.example'))?.role).toBe('member');
  await host.close();
});

test('a password that others try first opens no account', async () => {
  const host = await openHost();
  const person = { emailID: 'eve@else.example', firstName: 'Eve', lastName: 'Vane' };
  const ask = (password: string) =>
    host.send('PUT', '/api/User', { query: { ...person, password: sha1(password).toString('base64') } });
  for (const weak of ['Password1', 'evevane', 'Vane2026']) {
    const { status, json } = await ask(weak);
    expect([status, Object.keys(json.errors)], weak).toEqual([400, ['password']]);
  }
  expect(await host.engine.accounts.user(person.emailID)).toBeUndefined();
  expect((await ask('correct horse battery')).json).toMatchObject({ IsWaiting: true });
  await host.close();
});

test('TRACE tells nothing back, and a request with two lengths is refused', async () => {
  const host = await openHost();
  const server = createServer(toNodeListener(host.handler));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const traced = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const options = { port, host: '127.0.0.1', method: 'TRACE', path: '/api/Version', headers: { 'X-Secret': 'hush' } };
    const sent = request(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode!, text }));
    });
    sent.on('error', reject).end();
  });
  expect(traced.status).toBeGreaterThanOrEqual(400);
  expect(traced.text).not.toContain('hush');
  const raw = await new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        'POST /api/Token HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n' +
          '0\r\n\r\nGET /api/Version HTTP/1.1\r\nHost: x\r\n\r\n',
      ),
    );
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('error', reject).on('close', () => resolve(text));
  });
  expect(raw).toMatch(/^HTTP\/1\.1 400 /);
  expect(raw).not.toContain('apiVersion');
  server.closeAllConnections();
  server.close();
  await host.close();
});

test('the sources run no text as code or shell command, write no HTML, and hash with SHA-256', () => {
  const sources = readdirSync(new URL('src/', ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({
      name: name.replaceAll('\\', '/'),
      text: readFileSync(new URL(`src/${name.replaceAll('\\', '/')}`, ROOT), 'utf8'),
    }));
  const having = (pattern: RegExp): string[] =>
    sources
      .filter(({ text }) => pattern.test(text))
      .map(({ name }) => name)
      .sort();
  expect(sources.length).toBeGreaterThan(300);
  expect(having(/\beval\(|new Function\(|['"](node:)?vm['"]/)).toEqual([]);
  expect(having(/innerHTML|outerHTML|insertAdjacentHTML|document\.write/)).toEqual([]);
  // The reading processes, whose commands are made of what the installation is, never of a request.
  expect(having(/['"](node:)?child_process['"]/)).toEqual([
    'indexing/pool/confinement-probe.ts',
    'indexing/pool/reading-process.ts',
  ]);
  expect(having(/shell: true/)).toEqual([]);
  // SHA-1 is the form in which passwords arrive.
  expect(having(/create(Hash|Hmac)\((?!'sha256')/)).toEqual([
    'accounts/common-passwords.ts',
    'accounts/password-change.ts',
    'cli/commands/user.ts',
  ]);
  // Random where nothing is guarded: when a callback is tried again.
  expect(having(/Math\.random/)).toEqual(['accounts/callbacks.ts']);
});
