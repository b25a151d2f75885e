import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Answers } from '../../dist/search/filters/answers.js';
import type { Condition } from '../../dist/search/filters/condition.js';
import { ChangeLog } from '../../dist/store/database/change-log.js';

test('an answer that was kept is what would be said now, whatever changed since', () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ file: fc.nat(30), passes: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ asks: fc.constantFrom('even', 'odd') }) },
    { weight: 1, arbitrary: fc.constantFrom({ many: true }, { forget: true }) },
    { weight: 1, arbitrary: fc.record({ from: fc.nat(2_000), count: fc.integer({ min: 17, max: 300 }) }) },
  );
  return fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.boolean(), async (steps, isFilled) => {
      // Many that pass at first, so that hundreds that change are few beside them.
      const passing = new Set<number>(isFilled ? Array.from({ length: 4_000 }, (_, i) => 3 * i) : []);
      const log = new ChangeLog();
      const answers = new Answers(log);
      let asked = 0;
      const of = (parity: number): Condition => ({
        estimate: async () => 1_000,
        those: async (ids) => ids.filter((id) => passing.has(id) && id % 2 === parity),
        ids: async () => {
          asked++;
          return Uint32Array.from([...passing].filter((id) => id % 2 === parity)).sort();
        },
      });
      for (const one of steps) {
        if ('file' in one) {
          if (one.passes) passing.add(one.file);
          else passing.delete(one.file);
          log.note(one.file);
        } else if ('from' in one) {
          for (let id = one.from; id < one.from + one.count; id++) {
            if (id % 5 === 0) passing.delete(id);
            else passing.add(id);
            log.note(id);
          }
        } else if ('many' in one) {
          for (let id = 1_000; id < 10_000; id++) log.note(id);
        } else if ('forget' in one) {
          passing.clear();
          log.forget();
        } else {
          const parity = one.asks === 'odd' ? 1 : 0;
          const condition = answers.keeping(one.asks, of(parity));
          const now = [...passing].filter((id) => id % 2 === parity).sort((a, b) => a - b);
          expect([...(await condition.ids())]).toEqual(now);
          const before = asked;
          expect([...(await condition.ids())]).toEqual(now);
          expect(asked).toBe(before);
          expect(await condition.estimate()).toBe(now.length);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('what is kept is bounded: the least recently used are asked for again', async () => {
  const answers = new Answers(new ChangeLog());
  let asked = 0;
  const large: Condition = {
    estimate: async () => 0,
    those: async (ids) => ids,
    ids: async () => {
      asked++;
      return new Uint32Array(600_000);
    },
  };
  // As many as have the bytes of eight lists: their keys take some.
  for (const key of 'abcdefgahab') await answers.keeping(key, large).ids();
  expect(asked).toBe(9); // a to h; then b, which made room for h.
});

test('the log tells what changed since a mark, or that it does not know', async () => {
  const log = new ChangeLog();
  const changed = async (mark?: number) => (await log.since(mark)).fileIds;
  const now = async () => (await log.since()).mark;
  const start = await now();
  expect(await changed()).toEqual([]);
  expect(await changed(start)).toEqual([]);
  for (const id of [7, 3, 7]) log.note(id);
  expect(await changed(start)).toEqual([3, 7]);
  expect((await log.since(start)).mark).toBe(await now());
  expect(await changed(start + 2)).toEqual([7]);
  for (let id = 0; id < 20_000; id++) log.note(id);
  expect(await changed(start)).toBeUndefined();
  expect(await changed((await now()) - 1_000)).toHaveLength(1_000);
  const mark = await now();
  log.forget();
  expect(await changed(mark)).toBeUndefined();
  expect(await changed(await now())).toEqual([]);
});

test.each([
  ['many', (i: number) => `none ${i}`, 1_000],
  ['long', (i: number) => `${'x'.repeat(100_000)}${i}`, 39],
])('%s questions that nothing answers are forgotten too', async (_, keyOf, kept) => {
  const answers = new Answers(new ChangeLog());
  let asked = 0;
  const nothing: Condition = {
    estimate: async () => 7,
    those: async () => new Uint32Array(0),
    ids: async () => {
      asked++;
      return new Uint32Array(0);
    },
  };
  const last = 3 * kept - 1;
  for (let i = 0; i <= last; i++) await answers.keeping(keyOf(i), nothing).ids();
  expect(asked).toBe(last + 1);
  expect(await answers.keeping(keyOf(last - kept + 1), nothing).estimate()).toBe(0);
  expect(await answers.keeping(keyOf(last - kept), nothing).estimate()).toBe(7);
});
