import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../fixtures/folder.js';
import { jsonLines, runCli } from './run-cli.js';

// The operator key of `serve`: when it is made, who it lets in, and that no log holds it.

const cwd = temporaryFolder();
const library = join(cwd, 'library');

beforeAll(async () => {
  expect((await runCli(['company', 'add', 'acme', '--library', library], { cwd })).code).toBe(0);
});

interface Serving {
  readonly url: string;
  readonly page: string;
  readonly keyFile?: string;
}

/** Serves with these options while `work` runs; gives what was printed. */
async function serving(
  args: readonly string[],
  work: (started: Serving) => Promise<void>,
  env?: Readonly<Record<string, string>>,
): Promise<string> {
  let worked: Promise<void> | undefined;
  const { stdout, stderr } = await runCli(['serve', '--port', '0', '--json', '--log', '--library', library, ...args], {
    cwd,
    env,
    onStart: (child) => {
      worked = once(child.stdout, 'data')
        .then(([line]) => work(JSON.parse(String(line)) as Serving))
        .finally(() => child.kill('SIGTERM'));
    },
  });
  await worked;
  return stdout + stderr;
}

async function countFiles({ url }: Serving, key: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(`${url}/api/ServiceFileCount`, {
    headers: { Authorization: `Bearer ${key}`, ...headers },
  });
  return answer.status;
}

test('the key is in a file of its owner, in no output, and good for this machine alone', async () => {
  let [key, file] = ['', ''];
  const printed = await serving([], async (started) => {
    file = started.keyFile!;
    expect(started.page).toBe(`${started.url}/`);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    key = /#key=([\w-]{32})\n$/.exec(readFileSync(file, 'utf8'))![1];
    expect(await countFiles(started, key)).toBe(200);
    // What a proxy passes on comes from anywhere.
    for (const header of ['X-Forwarded-For', 'Forwarded', 'Via'])
      expect(await countFiles(started, key, { [header]: '127.0.0.1' })).toBe(401);
    expect(await countFiles(started, `${key}x`)).toBe(401);
  });
  expect(printed).toContain('/api/ServiceFileCount');
  expect(printed).not.toContain(key);
  expect(existsSync(file)).toBe(false);
});

test('what a killed server leaves of its key opens nothing, and goes at the next start, whenever it was killed', async () => {
  let [before, key] = ['', ''];
  let name = '';
  // A server ends at once by SIGKILL, as by a power cut.
  await runCli(['serve', '--port', '0', '--json', '--library', library], {
    cwd,
    env: { XDG_RUNTIME_DIR: cwd },
    onStart: (child) =>
      void once(child.stdout, 'data').then(([line]) => {
        ({ keyFile: before } = JSON.parse(String(line)));
        key = /#key=([\w-]{32})\n$/.exec(readFileSync(before, 'utf8'))![1];
        child.kill('SIGKILL');
      }),
  });
  expect(existsSync(before)).toBe(true);
  const [, prefix, pid] = /^(.*-)(\d+)-\w+$/.exec(basename(dirname(before)))!;
  // Killed between any two steps: the folder alone, the file without or with half of its text. Not to be touched: what
  // a process that runs has, a link, and what has another name.
  const made = (suffix: string, text?: string): string => {
    const folder = join(cwd, suffix);
    mkdirSync(folder, { mode: 0o700 });
    if (text !== undefined) writeFileSync(join(folder, 'page'), text, { mode: 0o600 });
    return folder;
  };
  const dead = [
    made(`${prefix}${pid}-aaaaaa`),
    made(`${prefix}${pid}-bbbbbb`, ''),
    made(`${prefix}${pid}-cccccc`, 'http'),
  ];
  const kept = [
    made(`${prefix}${process.pid}-dddddd`, 'x'),
    made(`${prefix}x-eeeeee`),
    made('shapedex-page-other', 'x'),
  ];
  symlinkSync(kept[0], join(cwd, `${prefix}${pid}-ffffff`));
  await serving(
    [],
    async (started) => {
      expect(await countFiles(started, key)).toBe(401);
      name = started.keyFile!;
      expect(dirname(dirname(name))).toBe(cwd);
      expect([dirname(before), ...dead].filter((folder) => existsSync(folder))).toEqual([]);
      for (const folder of kept) expect(existsSync(folder), folder).toBe(true);
      expect(existsSync(join(kept[0], 'page'))).toBe(true);
    },
    { XDG_RUNTIME_DIR: cwd },
  );
  expect(existsSync(name)).toBe(false);
});

test.each([
  ['--no-key', ['--no-key'], false],
  ['--public-url', ['--public-url', 'https://cad.example'], false],
  ['--public-url and --key', ['--public-url', 'https://cad.example', '--key'], true],
  ['--trust-proxy', ['--trust-proxy', '127.0.0.1,10.0.0.0/8', '--no-key'], false],
])('with %s', async (_, args, isMade) => {
  await serving(args, async (started) => {
    expect(started.keyFile !== undefined).toBe(isMade);
    if (!isMade) return;
    // The address is the one that people reach.
    expect(started.page).toBe('https://cad.example/');
    const [, page, key] = /^(.*)#key=(.*)\n$/.exec(readFileSync(started.keyFile!, 'utf8'))!;
    expect(page).toBe('https://cad.example/');
    expect(await countFiles(started, key, { 'X-Forwarded-For': '192.0.2.1' })).toBe(200);
  });
});

test.each([
  ['named by --trust-proxy is believed', ['--trust-proxy', '127.0.0.1'], '192.0.2.7'],
  ['not named is not', ['--trust-proxy', '10.0.0.0/8'], '127.0.0.1'],
])('what a proxy says that is %s', async (_, args, address) => {
  const printed = await serving([...args, '--no-key'], async ({ url }) => {
    const headers = { 'X-Forwarded-For': '192.0.2.7' };
    expect((await fetch(`${url}/api/Version`, { headers })).status).toBe(200);
  });
  expect(jsonLines<object>(printed.replace(/^[^{].*$/gm, ''))).toContainEqual(
    expect.objectContaining({ path: '/api/Version', address }),
  );
});

test('a proxy that is no address is refused', async () => {
  const { code, stderr } = await runCli(['serve', '--port', '0', '--trust-proxy', 'proxy', '--library', library], {
    cwd,
  });
  expect(code).not.toBe(0);
  expect(stderr).toContain('must list addresses and networks like 10.0.0.0/8, received "proxy"');
});

test('who signs up over HTTP is let in from the command line; verify and stats ask for no company', async () => {
  const cli = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await runCli([...args, '--library', library, '--json'], { cwd });
    expect(code, stderr).toBe(0);
    return jsonLines<T>(stdout)[0];
  };
  await serving(['--no-key'], async ({ url }) => {
    const person = { emailID: 'ann@else.example', firstName: 'Ann', lastName: 'Lee' };
    const password = Buffer.alloc(20, 7).toString('base64');
    const answer = await fetch(`${url}/api/User?${String(new URLSearchParams({ ...person, password }))}`, {
      method: 'PUT',
    });
    expect(((await answer.json()) as { IsWaiting: boolean }).IsWaiting).toBe(true);
    // The server is asked who waits; the same commands work without it.
    const listed = await runCli(['user', 'list', '--waiting', '--library', library], { cwd });
    expect(listed.stdout).toContain('ann@else.example');
    await cli('company', 'profile', 'acme', '--set', 'signUp=off');
    expect(await cli('audit', '--company', 'acme', '--limit', '1')).toMatchObject({
      entries: [{ action: 'company profile', object: 'signUp', actor: 'command line' }],
    });
  });
  const waiting = async (): Promise<string[]> =>
    (await cli<{ users: { email: string }[] }>('user', 'list', '--waiting')).users.map(({ email }) => email);
  expect(await waiting()).toEqual(['ann@else.example']);
  expect((await cli<{ user: { isWaiting: boolean } }>('user', 'approve', 'ann@else.example')).user.isWaiting).toBe(
    false,
  );
  expect(await waiting()).toEqual([]);
  const again = await runCli(['user', 'approve', 'ann@else.example', '--library', library], { cwd });
  expect([again.code === 0, again.stderr]).toEqual([false, expect.stringContaining('waits to be let in')]);
  // Let in, she belonged to no company; that can be mended.
  expect(await cli('user', 'approve', 'ann@else.example', '--company', 'acme')).toMatchObject({
    user: { companyName: 'acme', isWaiting: false },
  });
  await cli('user', 'remove', 'ann@else.example');
  expect(await cli('verify')).toMatchObject({ problems: [] });
  expect(await cli('verify', '--company', 'acme')).toMatchObject({ problems: [] });
  expect(await cli('stats')).toMatchObject({ files: 0 });
});

test('who asks for an account under the address of the key’s user gets nothing of the operator', async () => {
  const own = join(cwd, 'own');
  expect((await runCli(['company', 'add', 'acme', '--library', own], { cwd })).code).toBe(0);
  const [email, password] = ['operator@localhost.localdomain', Buffer.alloc(20, 7)];
  await serving(['--library', own, '--no-key'], async ({ url }) => {
    const person = { emailID: email, firstName: 'Eve', lastName: 'Lee', password: password.toString('base64') };
    const answer = await fetch(`${url}/api/User?${String(new URLSearchParams(person))}`, { method: 'PUT' });
    expect(((await answer.json()) as { IsWaiting: boolean }).IsWaiting).toBe(true);
  });
  await serving(['--library', own], async (started) => {
    const key = /#key=([\w-]{32})\n$/.exec(readFileSync(started.keyFile!, 'utf8'))![1];
    const headers = { Authorization: `Bearer ${key}` };
    const users = (await (await fetch(`${started.url}/api/Users`, { headers })).json()) as { FirstName: string }[];
    expect(users.map(({ FirstName }) => FirstName)).toEqual(['Local']);
    const body = new URLSearchParams({ grant_type: 'password', username: email, password: password.toString('hex') });
    expect((await fetch(`${started.url}/api/Token`, { method: 'POST', body })).status).toBe(400);
  });
});

test('where it listens at all addresses, one is printed that opens here, and those that open elsewhere', async () => {
  let reached = 0;
  const printed = await serving(['--host', '0.0.0.0'], async (started) => {
    const { others = [] } = started as Serving & { readonly others?: readonly string[] };
    for (const url of [started.url, ...others]) {
      expect(url).not.toContain('0.0.0.0');
      expect((await fetch(`${url}/health`)).status).toBe(200);
      reached++;
    }
  });
  expect(reached).toBeGreaterThan(0);
  expect(printed).not.toContain('//0.0.0.0');
});
