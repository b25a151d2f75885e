import { describe, expect, test } from 'vitest';
import type { Accounts } from '../../dist/accounts/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { Clock, failure, newLibrary, withAccounts } from './library.js';

const folder = temporaryFolder();

/** Year and month of a time, UTC. */
function periodOf(time: number): { year: number; month: number } {
  const date = new Date(time);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
}

/** The first millisecond of the month that is so many months after a time. */
function monthAfter(time: number, months: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
}

describe('the current month', () => {
  test('is counted at once, for each company, and adds up', () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await accounts.addCompany('acme');
      await accounts.addCompany('other');
      const counted = [
        accounts.count('acme', 'visualSearch'),
        accounts.count('acme', 'visualSearch', 2),
        accounts.count('acme', 'storage', 0.25),
      ];
      void accounts.count('other', 'compare');
      const usage = (await accounts.usage('acme'))!;
      expect(usage).toMatchObject({
        ...periodOf(Date.now()),
        live: true,
        fileLimit: null,
        remainingFiles: null,
        tokenLimit: null,
        remainingTokens: null,
      });
      expect(usage.tokens).toEqual({
        fileIndex: 0,
        tableIndex: 0,
        storage: 0.25,
        visualSearch: 3,
        textSearch: 0,
        rag: 0,
        compare: 0,
        pmi2d: 0,
        convert3d: 0,
        total: 3.25,
      });
      await Promise.all(counted);
      expect((await accounts.usage('acme'))!.tokens).toEqual(usage.tokens);
      expect((await accounts.usage('other'))!.tokens).toMatchObject({ compare: 1, total: 1 });
      await expect(accounts.count('acme', 'searches' as never)).rejects.toThrow(RangeError);
      await expect(accounts.count('acme', 'compare', -1)).rejects.toThrow(RangeError);
      await expect(accounts.count('acme', 'compare', Number.NaN)).rejects.toThrow(RangeError);
      expect(await failure(accounts.usage('nobody'))).toMatchObject({ code: 'ACCOUNT_UNKNOWN' });
    }));

  test('is live unless both year and month name another', () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await accounts.addCompany('acme');
      const { year, month } = periodOf(Date.now());
      for (const period of [{}, { year: 2001 }, { month: 1 }, { year, month }])
        expect((await accounts.usage('acme', period))?.live, JSON.stringify(period)).toBe(true);
      for (const period of [
        { year: 2001, month: 1 },
        { year: year + 1, month },
      ])
        expect(await accounts.usage('acme', period)).toBeUndefined();
      await expect(accounts.usage('acme', { year: 2001, month: 13 })).rejects.toThrow(/month/);
    }));

  test('has its first and last day', async () => {
    const clock = new Clock();
    clock.passTo(Date.UTC(2032, 1, 15));
    await withAccounts(
      newLibrary(folder),
      async (accounts) => {
        await accounts.addCompany('acme');
        const { firstDay, lastDay } = (await accounts.usage('acme'))!;
        expect([firstDay.toISOString(), lastDay.toISOString()]).toEqual([
          '2032-02-01T00:00:00.000Z',
          '2032-02-29T00:00:00.000Z',
        ]);
      },
      { now: clock.now },
    );
  });

  test('tells what is left of the plan after every operation', () =>
    withAccounts(newLibrary(folder), async (accounts, engine) => {
      const acme = await engine.company('acme');
      await accounts.setPlan('acme', { fileLimit: 3, tokenLimit: 2.5 });
      const left = async (): Promise<(number | null)[]> => {
        const { remainingFiles, remainingTokens, files } = (await accounts.usage('acme'))!;
        return [files.total, remainingFiles, remainingTokens];
      };
      expect(await left()).toEqual([0, 3, 2.5]);
      const { uid } = await acme.put('a.stl', boxStl(1, 2, 3), { wait: false });
      await acme.put('b.txt', Buffer.from('hello'), { wait: false });
      await acme.putInput(boxStl(2, 2, 2), { extension: '.stl', wait: false });
      void accounts.count('acme', 'textSearch');
      expect(await left()).toEqual([2, 1, 1.5]);
      expect((await accounts.usage('acme'))!.files).toEqual({ texts: 1, images: 0, drawings: 0, models: 1, total: 2 });
      await acme.delete(uid);
      void accounts.count('acme', 'textSearch', 9);
      expect(await left()).toEqual([1, 2, 0]);
      await accounts.setPlan('acme', { fileLimit: null });
      expect(await left()).toEqual([1, null, 0]);
      await accounts.setPlan('acme', { fileLimit: 0 });
      expect(await left()).toEqual([1, 0, 0]);
      await expect(accounts.setPlan('acme', { fileLimit: 1.5 })).rejects.toThrow(/fileLimit/);
      await expect(accounts.setPlan('acme', { tokenLimit: -1 })).rejects.toThrow(/tokenLimit/);
    }));
});

describe('past months', () => {
  test('are as they ended, whatever comes after', async () => {
    const clock = new Clock();
    const start = clock.now();
    await withAccounts(
      newLibrary(folder),
      async (accounts, engine) => {
        const acme = await engine.company('acme');
        await accounts.setPlan('acme', { fileLimit: 10, tokenLimit: 100 });
        const { uid } = await acme.put('a.stl', boxStl(1, 2, 3), { wait: false });
        void accounts.count('acme', 'visualSearch', 7);
        clock.passTo(monthAfter(start, 1) + 1);
        // Counted in the new month, before anybody asked.
        void accounts.count('acme', 'visualSearch', 1);
        const ended = await accounts.usage('acme', periodOf(start));
        expect(ended).toMatchObject({
          live: false,
          ...periodOf(start),
          fileLimit: 10,
          remainingFiles: 9,
          remainingTokens: 93,
          files: { models: 1, total: 1 },
          tokens: { visualSearch: 7, total: 7 },
        });
        await acme.delete(uid);
        await accounts.setPlan('acme', { fileLimit: 1, tokenLimit: null });
        expect(await accounts.usage('acme', periodOf(start))).toEqual(ended);
        expect(await accounts.usage('acme')).toMatchObject({
          live: true,
          ...periodOf(clock.now()),
          remainingFiles: 1,
          remainingTokens: null,
          tokens: { visualSearch: 1, total: 1 },
        });
      },
      { now: clock.now },
    );
  });

  test('that were slept over are made up for at the next opening', async () => {
    const library = newLibrary(folder);
    const clock = new Clock();
    const start = clock.now();
    await withAccounts(
      library,
      async (accounts, engine) => {
        const acme = await engine.company('acme');
        await acme.put('a.stl', boxStl(1, 2, 3), { wait: false });
        void accounts.count('acme', 'fileIndex'); // Closing writes it.
      },
      { now: clock.now },
    );
    clock.passTo(monthAfter(start, 3) + 5_000);
    await withAccounts(
      library,
      async (accounts, engine) => {
        const acme = await engine.company('acme');
        const [{ uid }] = await acme.list();
        await acme.delete(uid);
        const month = async (after: number): Promise<unknown> =>
          accounts.usage('acme', periodOf(monthAfter(start, after)));
        expect(await month(0)).toMatchObject({ live: false, files: { total: 1 }, tokens: { fileIndex: 1, total: 1 } });
        expect(await month(1)).toMatchObject({ live: false, files: { total: 1 }, tokens: { total: 0 } });
        expect(await month(2)).toMatchObject({ live: false, files: { total: 1 }, tokens: { total: 0 } });
        expect(await month(3)).toMatchObject({ live: true, files: { total: 0 } });
        expect(await month(-1)).toBeUndefined();
        expect(await month(4)).toBeUndefined();
      },
      { now: clock.now },
    );
  });

  test('end by themselves while the engine runs', async () => {
    const clock = new Clock();
    const library = newLibrary(folder);
    const before = clock.now();
    const uid = await withAccounts(
      library,
      async (_accounts, engine) =>
        (await (await engine.company('acme')).put('a.stl', boxStl(1, 2, 3), { wait: false })).uid,
      { now: clock.now },
    );
    // So that the month ends soon after the next opening, however slow the machine is with what comes before.
    const end = monthAfter(before, 1);
    clock.passTo(end - 2_000);
    await withAccounts(
      library,
      async (accounts, engine) => {
        while (clock.now() < end + 300) await new Promise((resolve) => setTimeout(resolve, 50));
        // Nobody asked in between; the file goes only after the end.
        await (await engine.company('acme')).delete(uid);
        expect(await accounts.usage('acme', periodOf(before))).toMatchObject({ live: false, files: { total: 1 } });
      },
      { now: clock.now },
    );
  });
});

test('counts are there after the process is gone', async () => {
  const library = newLibrary(folder);
  const visual = async (accounts: Accounts): Promise<number> => (await accounts.usage('acme'))!.tokens.visualSearch;
  await withAccounts(library, async (accounts) => {
    await accounts.addCompany('acme');
    for (let i = 0; i < 1_000; i++) void accounts.count('acme', 'visualSearch');
    expect(await visual(accounts)).toBe(1_000);
    await accounts.count('acme', 'visualSearch');
    expect(await visual(accounts)).toBe(1_001);
    void accounts.count('acme', 'visualSearch');
  });
  await withAccounts(library, async (accounts) => expect(await visual(accounts)).toBe(1_002));
});
