import { expect, test } from 'vitest';
import type { Accounts } from '../../dist/accounts/index.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { Clock, newLibrary, withAccounts } from './library.js';

const folder = temporaryFolder();
const HOUR_S = 3_600;

const by = (actor: string, i: number, outcome = 'done') => ({
  company: actor === 'bob@b.example' ? 'b' : 'a',
  actor,
  source: '192.0.2.1',
  action: 'PUT FileAttributes',
  object: `file ${i}`,
  outcome,
});

async function noteAll(accounts: Accounts, actor: string, count: number, outcome?: string): Promise<void> {
  for (let i = 0; i < count; i++) await accounts.audit.note(by(actor, i, outcome));
}

test('nobody pushes out what is noted of others, and what goes is counted', () =>
  withAccounts(
    newLibrary(folder),
    async (accounts) => {
      await noteAll(accounts, 'ada@a.example', 5);
      await noteAll(accounts, 'bob@b.example', 5);
      await noteAll(accounts, 'mallory@a.example', 200);
      const held = async (actor: string) =>
        (await accounts.audit.list({ actor, limit: 1_000 })).map(({ object }) => object);
      expect(await held('ada@a.example')).toHaveLength(5);
      expect(await held('bob@b.example')).toHaveLength(5);
      const own = await held('mallory@a.example');
      expect(own.length).toBeGreaterThanOrEqual(19);
      expect(own.length).toBeLessThanOrEqual(25);
      expect(own[0]).toBe('file 199');
      const shortened = await accounts.audit.list({ action: 'log shortened' });
      expect(shortened.map(({ object, outcome, company }) => [object, outcome, company])).toEqual([
        ['mallory@a.example', `${200 - own.length} removed`, 'a'],
      ]);
    },
    { auditEntriesPerActor: 20 },
  ));

test('a company has a share as well, whoever its users are', () =>
  withAccounts(
    newLibrary(folder),
    async (accounts) => {
      await noteAll(accounts, 'bob@b.example', 5);
      for (let i = 0; i < 40; i++) await noteAll(accounts, `user-${i}@a.example`, 5);
      const entries = await accounts.audit.list({ company: 'a', limit: 1_000 });
      expect(entries.length).toBeLessThanOrEqual(60);
      expect(entries.find(({ action }) => action === 'log shortened')).toMatchObject({ object: 'a', actor: null });
      expect(await accounts.audit.list({ company: 'b' })).toHaveLength(5);
    },
    { auditEntriesPerCompany: 40 },
  ));

test('a flood takes the room of itself alone: what else its author did stays, and how it began and ended', () =>
  withAccounts(
    newLibrary(folder),
    async (accounts) => {
      const mallory = by('mallory@a.example', 0);
      for (const action of ['PUT Keys', 'user add', 'DELETE File'])
        for (let i = 0; i < 3; i++) await accounts.audit.note({ ...mallory, action, object: `${action} ${i}` });
      await noteAll(accounts, 'mallory@a.example', 300);
      const held = await accounts.audit.list({ actor: 'mallory@a.example', limit: 1_000 });
      const ofKind = (kind: string) => held.filter(({ action }) => action === kind).map(({ object }) => object);
      for (const action of ['PUT Keys', 'user add', 'DELETE File'])
        expect(ofKind(action)).toEqual([2, 1, 0].map((i) => `${action} ${i}`));
      const flood = ofKind('PUT FileAttributes');
      expect([flood.at(-1), flood[0]]).toEqual(['file 0', 'file 299']);
      expect(held.length).toBeLessThanOrEqual(35);
    },
    { auditEntriesPerActor: 30 },
  ));

test('a flood does not age what others did, however many entries it makes', () =>
  withAccounts(
    newLibrary(folder),
    async (accounts) => {
      await noteAll(accounts, 'ada@a.example', 5);
      await noteAll(accounts, 'bob@b.example', 5);
      await noteAll(accounts, 'mallory@a.example', 300);
      for (let i = 0; i < 30; i++) await noteAll(accounts, `bot-${i}@a.example`, 4);
      for (const actor of ['ada@a.example', 'bob@b.example'])
        expect(await accounts.audit.list({ actor }), actor).toHaveLength(5);
      expect((await accounts.audit.list({ limit: 1_000 })).length).toBeLessThanOrEqual(190);
    },
    { auditEntries: 150, auditEntriesPerActor: 40 },
  ));

test('of many refusals a number is noted', () => {
  const clock = new Clock();
  return withAccounts(
    newLibrary(folder),
    async (accounts) => {
      await noteAll(accounts, 'mallory@a.example', 450, '403');
      const refused = await accounts.audit.list({ actor: 'mallory@a.example', limit: 1_000 });
      expect(refused).toHaveLength(102);
      expect(refused.slice(0, 3).map(({ object }) => object)).toEqual([
        '400 refusals within this hour',
        '200 refusals within this hour',
        'file 99',
      ]);
      // What somebody does is noted all the same, and others and later refusals one by one.
      await noteAll(accounts, 'mallory@a.example', 1);
      await noteAll(accounts, 'ada@a.example', 1, '403');
      clock.passS(HOUR_S);
      await noteAll(accounts, 'mallory@a.example', 1, '403');
      expect(
        (await accounts.audit.list({ limit: 3 })).map(({ actor, outcome, object }) => [actor, outcome, object]),
      ).toEqual([
        ['mallory@a.example', '403', 'file 0'],
        ['ada@a.example', '403', 'file 0'],
        ['mallory@a.example', 'done', 'file 0'],
      ]);
    },
    { now: clock.now },
  );
});

test('options are checked', async () => {
  await expect(withAccounts(newLibrary(folder), () => Promise.resolve(), { auditEntriesPerActor: 0 })).rejects.toThrow(
    /auditEntriesPerActor/,
  );
});
