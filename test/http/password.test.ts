import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogEntry } from '../../dist/http/index.js';
import { NOWHERE, openHost, sha1, type Answer, type Host, type SendOptions } from './host.js';

// Users change their own password over HTTP. What it does lies in `accounts`; here is how it is asked for and answered.

let host: Host;
const entries: LogEntry[] = [];
const hex = (password: string): string => sha1(password).toString('hex');

beforeAll(async () => {
  host = await openHost({ log: (entry) => void entries.push(entry) }, { accounts: { loginFailures: 3 } });
});
afterAll(() => host.close());

const change = (form: Record<string, string>, more: SendOptions = { as: 'ada' }): Promise<Answer> =>
  host.send('PUT', '/api/Password', { form, ...more });
const signIn = (password: string, address?: string): Promise<Answer> =>
  host.send('POST', '/api/Token', {
    form: { grant_type: 'password', username: 'ada@acme.example', password: hex(password) },
    client: { address },
  });

test('the one who changes it stays signed in, everybody else with the old password does not', async () => {
  const other = (await signIn('secret')).json.access_token;
  const answer = await change({ current: hex('secret'), next: hex('correct horse battery') });
  expect([answer.status, answer.json]).toEqual([200, true]);
  expect((await host.send('GET', '/api/Status', { as: 'ada' })).status).toBe(200);
  expect((await host.send('GET', '/api/Status', { headers: { Authorization: `Bearer ${other}` } })).status).toBe(401);
  expect((await signIn('secret')).json.error).toBe('invalid_grant');
  expect((await signIn('correct horse battery')).status).toBe(200);
  // Passwords go in the body, and are in no log.
  expect(JSON.stringify(entries)).not.toContain(hex('correct horse battery'));
  expect(entries.some(({ path, query }) => path === '/api/Password' && query === undefined)).toBe(true);
});

test.each<[string, Record<string, string>, string]>([
  ['a wrong current password', { current: hex('guess'), next: hex('something new') }, 'current'],
  ['no current password', { next: hex('something new') }, 'current'],
  ['a current one that is no digest', { current: 'secret', next: hex('something new') }, 'current'],
  ['no new password', { current: hex('correct horse battery') }, 'next'],
  ['an empty new password', { current: hex('correct horse battery'), next: hex('') }, 'next'],
  ['a common new password', { current: hex('correct horse battery'), next: hex('12345678') }, 'next'],
  ['the address as the new password', { current: hex('correct horse battery'), next: hex('ada@acme.example') }, 'next'],
])('%s is refused with its name', async (_, form, field) => {
  const answer = await change(form, { as: 'ada', client: { address: '192.0.2.5' } });
  expect([answer.status, Object.keys(answer.json.errors)]).toEqual([400, [field]]);
});

test('passwords in the query or as JSON are not taken', async () => {
  const passwords = { current: hex('correct horse battery'), next: hex('something new') };
  expect((await host.send('PUT', '/api/Password', { as: 'ada', query: passwords })).status).toBe(400);
  expect((await host.send('PUT', '/api/Password', { as: 'ada', json: passwords })).status).toBe(400);
  expect((await signIn('something new')).json.error).toBe('invalid_grant');
});

test('wrong ones lock out their sender, as wrong sign-ins do', async () => {
  const client = { address: '203.0.113.66' };
  const guess = () => change({ current: hex('guess'), next: hex('something new') }, { as: 'ada', client });
  for (let i = 0; i < 3; i++) expect((await guess()).status).toBe(400);
  const refused = await guess();
  expect([refused.status, refused.json.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await signIn('correct horse battery', client.address)).status).toBe(429);
});

test('users see their sign-ins and end them, with the password once more', async () => {
  const first = (await signIn('correct horse battery')).json.access_token;
  const headers = { Authorization: `Bearer ${first}` };
  const listed = (await host.send('GET', '/api/SignIns', { headers })).json;
  expect(listed.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toHaveLength(1);
  const end = (form: Record<string, string>) => host.send('PUT', '/api/SignIns', { form, headers });
  expect(Object.keys((await end({ current: hex('guess') })).json.errors)).toEqual(['current']);
  expect(Object.keys((await end({ id: '1' })).json.errors)).toEqual(['current']);
  expect(Object.keys((await end({ current: hex('correct horse battery'), id: 'x' })).json.errors)).toEqual(['id']);
  const answer = await end({ current: hex('correct horse battery') });
  expect([answer.status, answer.json]).toEqual([200, listed.length - 1]);
  const { id } = (await host.send('GET', '/api/SignIns', { headers })).json[0];
  expect((await end({ current: hex('correct horse battery'), id })).json).toBe(1);
  expect((await host.send('GET', '/api/SignIns', { headers })).status).toBe(401);
  expect(JSON.stringify(entries)).not.toContain(hex('guess'));
});

test('there is none to change where passwords are switched off, or the host says who somebody is', async () => {
  const own = await openHost({
    authenticate: async () => ({ kind: 'user', userUid: NOWHERE, companyName: 'acme', role: 'member', tokenId: 'k' }),
  });
  const off = await openHost({ passwordGrant: false });
  try {
    const form = { current: hex('secret'), next: hex('something new') };
    for (const { send } of [own, off])
      expect((await send('PUT', '/api/Password', { as: 'ada', form })).status).toBe(403);
  } finally {
    await own.close();
    await off.close();
  }
});
