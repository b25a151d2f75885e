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
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, isFilled) => {
      // Many that pass at first, so that hundreds that change are few beside them.
      const passing = new Set<number>(isFilled ? Array.from({ length: 4_000 }, (_, i) => 3 * i) : []);
      const log = new ChangeLog();
      const answers = new Answers(log);
      let asked = 0;
      const of = (parity: number): Condition => ({
        estimate: () => 1_000,
        has: (id) => passing.has(id) && id % 2 === parity,
        ids: () => {
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
          expect([...condition.ids()]).toEqual(now);
          const before = asked;
          expect([...condition.ids()]).toEqual(now);
          expect(asked).toBe(before);
          expect(condition.estimate()).toBe(now.length);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('what is kept is bounded: the least recently used are asked for again', () => {
  const answers = new Answers(new ChangeLog());
  let asked = 0;
  const large: Condition = {
    estimate: () => 0,
    has: () => true,
    ids: () => {
      asked++;
      return new Uint32Array(600_000);
    },
  };
  for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) answers.keeping(key, large).ids();
  expect(asked).toBe(5); // a, b, c, d; then b, which made room for d.
});

test('the log tells what changed since a mark, or that it does not know', () => {
  const log = new ChangeLog();
  const start = log.mark;
  expect(log.since(start)).toEqual([]);
  for (const id of [7, 3, 7]) log.note(id);
  expect(log.since(start)).toEqual([3, 7]);
  expect(log.since(start + 2)).toEqual([7]);
  for (let id = 0; id < 20_000; id++) log.note(id);
  expect(log.since(start)).toBeUndefined();
  expect(log.since(log.mark - 1_000)).toHaveLength(1_000);
  const mark = log.mark;
  log.forget();
  expect(log.since(mark)).toBeUndefined();
  expect(log.since(log.mark)).toEqual([]);
});

test.each([
  ['many', (i: number) => `none ${i}`, 1_000],
  ['long', (i: number) => `${'x'.repeat(100_000)}${i}`, 39],
])('%s questions that nothing answers are forgotten too', (_, keyOf, kept) => {
  const answers = new Answers(new ChangeLog());
  let asked = 0;
  const nothing: Condition = {
    estimate: () => 7,
    has: () => false,
    ids: () => {
      asked++;
      return new Uint32Array(0);
    },
  };
  const last = 3 * kept - 1;
  for (let i = 0; i <= last; i++) answers.keeping(keyOf(i), nothing).ids();
  expect(asked).toBe(last + 1);
  expect(answers.keeping(keyOf(last - kept + 1), nothing).estimate()).toBe(0);
  expect(answers.keeping(keyOf(last - kept), nothing).estimate()).toBe(7);
});
