import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../fixtures/folder.js';
import { partStl } from '../http/host.js';
import { CLIENT, openProvider } from '../http/openid-provider.js';
import { jsonLines, runCli } from './run-cli.js';

const cwd = temporaryFolder();

test('from nothing to a token and a search', async () => {
  const library = ['--library', join(cwd, 'library'), '--json'];
  expect((await runCli(['company', 'add', 'acme', ...library], { cwd })).code).toBe(0);
  const added = await runCli(['user', 'add', 'ada@acme.example', '--company', 'acme', '--admin', ...library], { cwd });
  const [{ password }] = jsonLines<{ password: string }>(added.stdout);
  const [{ client }] = jsonLines<{ client: { id: string; secret: string } }>(
    (await runCli(['client', 'add', '--company', 'acme', ...library], { cwd })).stdout,
  );
  let worked: Promise<void> | undefined;
  const { code, stdout, stderr } = await runCli(['serve', '--port', '0', '--log', ...library], {
    cwd,
    onStart: (child) => {
      child.stdout.once('data', (line: string) => {
        worked = works((JSON.parse(line) as { url: string }).url).finally(() => child.kill('SIGTERM'));
      });
    },
  });
  await worked;
  expect(code).toBe(0);
  expect(jsonLines<{ docs: string }>(stdout)[0].docs).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/docs$/);
  const log = stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { path?: string; query?: string; status?: number; file?: string });
  const requests = log.filter(({ status }) => status !== undefined);
  expect(requests.map(({ path, status }) => `${path} ${status}`)).toEqual([
    '/api/Token 200',
    '/api/Token 200',
    '/api/FileBinary 200',
    '/api/Search 200',
    '/docs 200',
  ]);
  expect(requests[0].query).toBeUndefined();

  async function works(url: string): Promise<void> {
    const token = async (fields: Record<string, string>): Promise<{ access_token: string }> =>
      (await fetch(`${url}/api/Token`, { method: 'POST', body: new URLSearchParams(fields) })).json() as Promise<{
        access_token: string;
      }>;
    expect(
      (await token({ grant_type: 'client_credentials', client_id: client.id, password: client.secret })).access_token,
    ).toBeTruthy();
    const { access_token } = await token({
      grant_type: 'password',
      username: 'ada@acme.example',
      client_id: client.id,
      password: createHash('sha1').update(password).digest('hex'),
    });
    const headers = { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/octet-stream' };
    const uid = await (
      await fetch(`${url}/api/FileBinary?file=part.stl&isSearchInput=false`, {
        method: 'PUT',
        headers,
        body: partStl(1, 2, 3) as BodyInit,
      })
    ).text();
    const found = (await (
      await fetch(`${url}/api/Search?filterStr=${encodeURIComponent(`fileUID=${uid}`)}`, { headers })
    ).json()) as { TotalResults: number };
    expect(found.TotalResults).toBe(1);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
  }
});

test('an identity provider is named by a file; a wrong one ends with 2 and says what is wrong', async () => {
  const provider = await openProvider();
  const file = join(cwd, 'openid.json');
  const args = ['serve', '--port', '0', '--openid', file, '--library', join(cwd, 'provided'), '--json'];
  for (const [text, said] of [
    ['{', /no JSON/],
    ['[]', /object/],
    ['{"issuer":"http://id.example","clientId":"x"}', /issuer must be an https address/],
    ['{"issuer":"https://id.example","clientId":"x","client":"x"}', /client is not an option/],
    ['{"issuer":"https://id.example","clientId":"x","passwords":"no"}', /passwords/],
  ] as const) {
    writeFileSync(file, text);
    const { code, stderr } = await runCli(args, { cwd });
    expect([code, stderr], stderr).toEqual([2, expect.stringMatching(said)]);
  }
  const { clientId, clientSecret } = CLIENT;
  writeFileSync(file, JSON.stringify({ issuer: provider.issuer, clientId, title: 'Acme', passwords: false }));
  let worked: Promise<unknown> | undefined;
  const { code, stderr } = await runCli(args, {
    cwd,
    env: { SHAPEDEX_OPENID_SECRET: clientSecret },
    onStart: (child) => {
      child.stdout.once('data', (line: string) => {
        const { url } = JSON.parse(line) as { url: string };
        const ask = async (name: string): Promise<unknown> => (await fetch(`${url}/api/${name}`)).json();
        worked = Promise.all([ask('SignInWays'), ask('OpenId')]).finally(() => child.kill('SIGTERM'));
      });
    },
  });
  await provider.close();
  expect(code, stderr).toBe(0);
  expect(await worked).toEqual([
    { password: false, openId: 'Acme' },
    expect.objectContaining({ url: expect.stringContaining(`${provider.issuer}/auth?`) }),
  ]);
});

test('of two watched shares one may be away at the start; what fails is posted, mailed and logged', async () => {
  const posted: { failures: { path: string; code: string }[] }[] = [];
  const hook = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      posted.push(JSON.parse(text) as (typeof posted)[number]);
      response.end();
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const mails: string[] = [];
  const post = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'] },
    onData: (stream, _, done) => {
      let text = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      stream.on('end', () => {
        mails.push(text);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => post.listen(0, '127.0.0.1', () => resolve()));
  const [share, purchase] = ['share', 'purchase'].map((name) => join(cwd, name));
  mkdirSync(purchase);
  writeFileSync(join(purchase, 'bought.stl'), partStl(4, 5, 6));
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
  const to = ['--report', url, '--report', 'mailto:ada@example.com', '--mail-from', 'cad@example.com'];
  const args = ['serve', '--port', '0', '--log', '--watch', share, '--watch', purchase, '--poll', '0.2', ...to];
  const { code, stdout, stderr } = await runCli([...args, '--library', join(cwd, 'shared'), '--json'], {
    cwd,
    env: { SHAPEDEX_SMTP: `smtp://127.0.0.1:${(post.server.address() as AddressInfo).port}` },
    onStart: (child) => {
      let said = '';
      child.stdout.on('data', (text: string) => {
        const before = said;
        said += text;
        const happened = (event: string): boolean => said.includes(event) && !before.includes(event);
        // It was not there, so that it comes now.
        if (happened('"failed","path":""')) {
          mkdirSync(share);
          writeFileSync(join(share, 'part.stl'), partStl(1, 2, 3));
          writeFileSync(join(share, 'broken.step'), 'ISO-10303-21;\nHEADER;\ncut off');
        }
        // Once: a second signal quits at once, with another code.
        const isAllSaid = (text: string): boolean =>
          ['share/part.stl', 'share/broken.step', 'purchase/bought.stl'].every((path) => text.includes(path));
        if (isAllSaid(said) && !isAllSaid(before)) child.kill('SIGTERM');
      });
    },
  });
  await new Promise((resolve) => hook.close(resolve));
  await new Promise<void>((resolve) => post.close(resolve));
  expect(code, stderr).toBe(0);
  expect(stderr).toContain(`warning: ${share} is not there`);
  expect(jsonLines<{ event?: string; path?: string }>(stdout)).toEqual(
    expect.arrayContaining(
      ['share/part.stl', 'purchase/bought.stl'].map((path) => expect.objectContaining({ event: 'added', path })),
    ),
  );
  const log = jsonLines<{ event?: string; path?: string; code?: string }>(stderr.replace(/^[^{].*$/gm, ''));
  expect(log.map(({ event, path, code }) => [event, path, code])).toEqual(
    expect.arrayContaining([
      ['indexed', 'share/part.stl', undefined],
      ['indexed', 'purchase/bought.stl', undefined],
      ['failed', 'share/broken.step', 'FILE_MALFORMED'],
    ]),
  );
  // Lines are cut as quoted-printable cuts them.
  const mailed = mails.join('\n').replace(/=\r?\n/g, '');
  expect(mailed).toMatch(/^To: ada@example.com\r?$/m);
  expect(mailed).toContain('share/broken.step: FILE_MALFORMED');
  const failures = posted.flatMap((report) => report.failures.map(({ path, code: why }) => [path, why]));
  expect(failures).toEqual(
    expect.arrayContaining([
      [share, 'STORAGE_FAILED'],
      ['share/broken.step', 'FILE_MALFORMED'],
    ]),
  );
});
