import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Engine } from '../../dist/index.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { partStl } from '../http/host.js';
import { jsonLines, runCli, type CliResult } from './run-cli.js';

const cwd = temporaryFolder();
const library = join(cwd, 'library');
const sha1 = (text: string): Uint8Array => createHash('sha1').update(text).digest();

const run = (args: readonly string[], stdin?: string): Promise<CliResult> =>
  runCli([...args, '--library', library], {
    cwd,
    onStart: (child) => {
      if (stdin !== undefined) child.stdin.end(stdin);
    },
  });

test('from nothing to tokens: a company, users, a client', async () => {
  const company = await run(['company', 'add', '--domain', 'acme.org', 'acme', '--json']);
  expect(company).toMatchObject({ code: 0 });
  const [
    {
      company: { uid, name },
    },
  ] = jsonLines<{ company: { uid: string; name: string } }>(company.stdout);
  expect(name).toBe('acme');

  // The password: piped in, waited for, or generated where nothing comes (standard input stays open, as under some
  // runners).
  expect(
    await run(['user', 'add', 'ann@acme.org', '--company', 'acme', '--admin', '--first-name', 'Ann'], 'pässword\nmore'),
  ).toMatchObject({ code: 0, stdout: expect.not.stringContaining('pässword') as string });
  expect(
    await run(['user', 'add', 'opal@acme.org', '--company', 'acme', '--operator', '--password-stdin'], 'secret'),
  ).toMatchObject({ code: 0 });
  const generated = await run(['user', 'add', 'bob@acme.org', '--company', 'acme', '--json']);
  expect(generated.code).toBe(0);
  const [{ user, password }] = jsonLines<{ user: { companyId: string; role: string }; password: string }>(
    generated.stdout,
  );
  expect(user).toMatchObject({ companyId: uid, role: 'member' });
  expect(password).toMatch(/^[\w-]{20}$/);
  expect(generated.stderr).not.toContain(password);

  const client = await run(['client', 'add', '--company', 'acme', '--name', 'plug-in', '--json']);
  const [
    {
      client: { id, secret },
    },
  ] = jsonLines<{ client: { id: string; secret: string } }>(client.stdout);
  expect(client.stderr).not.toContain(secret);
  const plain = await run(['client', 'add', '--id', 'my-client']);
  expect(plain.stdout).toMatch(/id +my-client\n +secret +[\w-]{43}\n/);

  const engine = await Engine.open(library, { workers: 1 });
  try {
    const sign = async (email: string, text: string): Promise<string> =>
      (await engine.accounts.grantPassword({ email, passwordDigest: sha1(text), clientId: id })).scope;
    expect([
      await sign('ann@acme.org', 'pässword'),
      await sign('opal@acme.org', 'secret'),
      await sign('bob@acme.org', password),
    ]).toEqual(['admin', 'operator', 'member']);
    expect((await engine.accounts.grantClient({ clientId: id, clientSecret: secret })).scope).toBe('app');
    expect((await engine.accounts.companyOfEmail('x@acme.org'))?.name).toBe('acme');
    expect((await engine.accounts.user('ann@acme.org'))?.firstName).toBe('Ann');
  } finally {
    await engine.close();
  }
});

test('keys of a user are made, listed and withdrawn, and the log says so', async () => {
  await run(['company', 'add', 'keys']);
  expect((await run(['user', 'add', 'kay@keys.example', '--company', 'keys', '--json'])).code).toBe(0);
  const made = await run(['key', 'add', 'KAY@keys.example', '--name', 'import', '--days', '30', '--json']);
  expect(made.code, made.stderr).toBe(0);
  const [{ key }] = jsonLines<{ key: { id: string; key: string; expiresAt: string } }>(made.stdout);
  const engine = await Engine.open(library, { workers: 1 });
  try {
    expect(await engine.accounts.principalOf(key.key)).toMatchObject({ email: 'kay@keys.example', role: 'member' });
  } finally {
    await engine.close();
  }
  const listed = await run(['key', 'list', '--company', 'keys']);
  expect(listed.stdout).toContain(key.id);
  expect(listed.stdout).not.toContain(key.key);
  expect(await run(['key', 'remove', key.id])).toMatchObject({ code: 0, stdout: `Withdrew ${key.id}.\n` });
  expect((await run(['key', 'remove', key.id])).code).toBe(2);
  expect((await run(['key', 'add', 'nobody@keys.example', '--name', 'x'])).code).toBe(2);
  const log = await run(['audit', '--json', '--limit', '4']);
  const [{ entries }] = jsonLines<{ entries: { action: string; object: string; outcome: string; actor: string }[] }>(
    log.stdout,
  );
  expect(entries.map(({ action, object, outcome, actor }) => [action, object, outcome, actor])).toEqual([
    ['key remove', key.id, 'nothing', 'command line'],
    ['key remove', key.id, 'done', 'command line'],
    ['key add', 'KAY@keys.example', 'done', 'command line'],
    ['user add', 'kay@keys.example', 'done', 'command line'],
  ]);
  expect((await run(['audit', '--actor', 'nobody'])).stdout).toBe('Nothing was noted.\n');
});

test('what commands change of a company and its files is noted, and what they only show is not', async () => {
  const ran = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(args);
    expect(code, stderr).toBe(0);
    return stdout;
  };
  await ran('company', 'add', 'audited');
  const engine = await Engine.open(library, { workers: 1 });
  await (await engine.company('audited')).put('parts/a.stl', partStl(1, 2, 3));
  await engine.close();
  const of = ['--company', 'audited'];
  await ran('company', 'profile', 'audited', '--set', 'signUp=off', '--set', 'decimalPlaces=2');
  await ran('company', 'profile', 'audited');
  await ran('company', 'plan', 'audited', '--files', '9');
  await ran('company', 'plan', 'audited');
  await ran('company', 'callback', 'audited', '--url', 'https://hooks.example/secret/path');
  await ran('company', 'callback', 'audited', '--off');
  await ran('attributes', 'parts/a.stl', '--set', 'Material=S235', ...of);
  await ran('attributes', 'parts/a.stl', ...of);
  await ran('category', 'add', 'Plates', ...of);
  await ran('category', 'set', 'parts/a.stl', 'Plates', ...of);
  await ran('delete', 'parts/a.stl', ...of);
  expect((await run(['delete', 'parts/a.stl', ...of])).code).not.toBe(0);
  const [{ entries }] = jsonLines<{ entries: Record<string, string>[] }>(await ran('audit', '--json', ...of));
  expect(entries.map(({ action, object }) => [action, object]).reverse()).toEqual([
    ['company add', 'audited'],
    ['company profile', 'signUp, decimalPlaces'],
    ['company plan', 'audited'],
    ['company callback', 'https://hooks.example'],
    ['company callback', 'off'],
    ['attributes', 'parts/a.stl'],
    ['category add', 'Plates'],
    ['category set', 'parts/a.stl'],
    ['delete', 'parts/a.stl'],
  ]);
  for (const { actor, outcome } of entries) expect([actor, outcome]).toEqual(['command line', 'done']);
});

test('callbacks are set, refused and taken off', async () => {
  await run(['company', 'add', 'hooks']);
  const set = await run([
    'company',
    'callback',
    'hooks',
    '--url',
    'http://127.0.0.1:9/x',
    '--allow',
    '127.0.0.1',
    '--allow',
    'hooks.internal',
    '--json',
  ]);
  expect(jsonLines(set.stdout)).toMatchObject([
    {
      company: 'hooks',
      callback: {
        url: 'http://127.0.0.1:9/x',
        allow: ['127.0.0.1', 'hooks.internal'],
        secret: expect.stringMatching(/^whsec_/) as string,
      },
    },
  ]);
  const refused = await run(['company', 'callback', 'hooks', '--url', 'http://127.0.0.1:9/x']);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: ADDRESS_REFUSED: /) as string });
  expect(await run(['company', 'callback', 'hooks', '--off'])).toMatchObject({ code: 0 });
  const engine = await Engine.open(library, { workers: 1 });
  try {
    expect(await engine.accounts.callback('hooks')).toBeUndefined();
  } finally {
    await engine.close();
  }
});

test.each<[string, string[], number, RegExp]>([
  ['a company that is there', ['company', 'add', 'acme'], 1, /ACCOUNT_EXISTS/],
  ['a user that is there', ['user', 'add', 'ANN@acme.org', '--company', 'acme'], 1, /ACCOUNT_EXISTS/],
  ['a company that is not there', ['user', 'add', 'x@acme.org', '--company', 'nobody'], 1, /ACCOUNT_UNKNOWN/],
  ['no company', ['user', 'add', 'x@acme.org'], 2, /--company/],
  ['no address', ['user', 'add', 'acme.org', '--company', 'acme'], 2, /e-mail/],
  ['two roles', ['user', 'add', 'x@acme.org', '--company', 'acme', '--admin', '--operator'], 2, /--operator/],
  ['neither address nor end', ['company', 'callback', 'acme'], 2, /--url/],
  ['an unknown command', ['company', 'remove', 'acme'], 2, /remove/],
])('%s: says so', async (_what, args, code, message) => {
  const result = await run(args, '');
  expect(result.code).toBe(code);
  expect(result.stdout).toBe('');
  expect(result.stderr).toMatch(message);
});

test("a company's profile is shown and set, each field by what it takes", async () => {
  await run(['company', 'add', 'profiled']);
  const set = [
    'overwriteFiles=false',
    'volumeTolerance=.1',
    'decimalPlaces=3',
    'name=5',
    'preferredUnits=in',
    'trialStartDate=2026-01-31',
    'currency={"code":"EUR","symbol":"€","name":"Euro"}',
    'publicUrl=https://x.example/?a=b',
  ];
  const changed = await run(['company', 'profile', 'profiled', ...set.flatMap((pair) => ['--set', pair]), '--json']);
  expect(changed).toMatchObject({ code: 0 });
  expect(jsonLines<{ profile: object }>(changed.stdout)[0].profile).toMatchObject({
    overwriteFiles: false,
    volumeTolerance: '.1',
    decimalPlaces: 3,
    name: '5',
    preferredUnits: 'in',
    trialStartDate: '2026-01-31T00:00:00.000Z',
    currency: { code: 'EUR' },
    publicUrl: 'https://x.example/?a=b',
  });
  const shown = await run(['company', 'profile', 'profiled']);
  expect(shown.stdout).toMatch(/overwriteFiles +false/);
  expect((await run(['company', 'profile', 'profiled', '--set', 'volumeTolerance=null', '--json'])).stdout).toContain(
    '"volumeTolerance":null',
  );
  for (const wrong of [
    'overwriteFiles=perhaps',
    'decimalPlaces=-1',
    'colour=red',
    'overwriteFiles',
    'preferredUnits=furlong',
    'trialStartDate=soon',
  ]) {
    const refused = await run(['company', 'profile', 'profiled', '--set', wrong]);
    expect([refused.code, refused.stderr.includes(wrong.split('=')[0])]).toEqual([2, true]);
  }
});

test('a field of the profile is also set by its name in the HTTP interface', async () => {
  await run(['company', 'add', 'named']);
  const set = ['--set', 'volTolerance=.1', '--set', 'publicURL=https://x.example/?a=b'];
  const changed = await run(['company', 'profile', 'named', ...set, '--json']);
  expect(changed).toMatchObject({ code: 0 });
  expect(jsonLines<{ profile: object }>(changed.stdout)[0].profile).toMatchObject({
    volumeTolerance: '.1',
    publicUrl: 'https://x.example/?a=b',
  });
  expect((await run(['company', 'profile', 'named', '--set', 'volTolerance=null', '--json'])).stdout).toContain(
    '"volumeTolerance":null',
  );
  const refused = await run(['company', 'profile', 'named', '--set', 'beSetting=5', '--set', 'useRAG=perhaps']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('useRAG must be')]);
});

test('only adding a company makes a library', async () => {
  const { code, stderr } = await runCli(['client', 'add', '--library', 'missing'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toMatch(/LIBRARY_UNREADABLE/);
});
