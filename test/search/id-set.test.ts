import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FileTable } from '../../dist/search/filters/file-table.js';
import { listCondition, passing, type Condition } from '../../dist/search/filters/condition.js';
import { intersection, union } from '../../dist/search/filters/id-set.js';
import { IdMarks } from '../../dist/store/database/id-marks.js';
import { firstNotBelow } from '../../dist/store/database/id-lists.js';
import { FILE_KINDS } from '../../dist/search/query/query.js';

const ids = fc
  .oneof(
    fc.uniqueArray(fc.nat(60)),
    fc.uniqueArray(fc.nat(4_000_000_000), { maxLength: 5 }),
    fc.constant(Array.from({ length: 300 }, (_, i) => 2 * i)),
  )
  .map((list) => Uint32Array.from(list).sort());

test('sets are cut and joined as sets are', () => {
  fc.assert(
    fc.property(ids, ids, (a, b) => {
      expect([...intersection(a, b)]).toEqual([...a].filter((id) => b.includes(id)));
      expect([...union(a, b)]).toEqual([...new Set([...a, ...b])].sort((x, y) => x - y));
    }),
    { numRuns: 500 },
  );
});

test('marks tell which ids are among those that came and did not go', () => {
  const change = fc.record({ id: fc.oneof(fc.nat(80), fc.nat(70_000)), gone: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change), ids, (changes, asked) => {
      const marks = new IdMarks();
      const naive = new Set<number>();
      for (const { id, gone } of changes) {
        if (gone) marks.delete(id);
        else marks.add(id);
        if (gone) naive.delete(id);
        else naive.add(id);
      }
      expect([...marks.those(asked)]).toEqual([...asked].filter((id) => naive.has(id)));
      expect([...marks.those(Uint32Array.from(naive))]).toEqual([...naive]);
      expect([...marks.ids()]).toEqual([...naive].sort((a, b) => a - b));
      expect(marks.size).toBe(naive.size);
      const others = new IdMarks(asked.filter((id) => id < 100_000));
      expect([...IdMarks.inAll([marks, others, marks]).ids()]).toEqual([...marks.ids()].filter((id) => others.has(id)));
    }),
    { numRuns: 300 },
  );
});

test('a place is found by halving', () => {
  fc.assert(
    fc.property(ids, fc.nat(700), (list, id) => {
      expect(firstNotBelow(list, id)).toBe([...list].filter((other) => other < id).length);
    }),
  );
});

test('what passes all conditions is the same whichever way each is looked at', async () => {
  const condition = fc
    .record({ list: ids, guess: fc.constantFrom(0, 0.5, 1, 100), bound: fc.constantFrom(undefined, 0, 10, 10_000) })
    .map(({ list, guess, bound }): Condition & { list: Uint32Array } => ({
      list,
      estimate: async () => list.length * guess,
      ids: async () => list,
      those: async (ids) => ids.filter((id) => list.includes(id)),
      ...(bound === undefined ? {} : { bound: async () => bound }),
    }));
  await fc.assert(
    fc.asyncProperty(fc.array(condition, { maxLength: 4 }), async (conditions) => {
      const found = await passing(conditions);
      if (conditions.length === 0) {
        expect(found).toBeUndefined();
        return;
      }
      const naive = conditions
        .map(({ list }) => [...list])
        .reduce((all, list) => all.filter((id) => list.includes(id)));
      expect([...found!]).toEqual(naive);
      expect([...(await passing(conditions.map(({ list }) => listCondition(() => list))))!]).toEqual(naive);
    }),
    { numRuns: 500 },
  );
});

test('the table of files is as a plain map is', () => {
  const change = fc.record({ fileId: fc.nat(40), kind: fc.constantFrom(...FILE_KINDS), gone: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 600 }), fc.subarray([...FILE_KINDS]), ids, (changes, kinds, some) => {
      const half = changes.length >> 1;
      const map = new Map(changes.slice(0, half).map((file) => [file.fileId, file]));
      const table = new FileTable();
      for (const file of map.values()) table.put(file);
      for (const file of changes.slice(half)) {
        if (file.gone) {
          table.remove(file.fileId);
          map.delete(file.fileId);
        } else {
          table.put(file);
          map.set(file.fileId, file);
        }
      }
      const files = [...map.values()].sort((a, b) => a.fileId - b.fileId);
      expect([...table.ids]).toEqual(files.map(({ fileId }) => fileId));
      expect(table.size).toBe(files.length);
      const all = Uint32Array.from({ length: 42 }, (_, id) => id);
      expect([...table.those(all)]).toEqual([...all].filter((id) => map.has(id)));
      expect([...table.ofKinds(kinds)]).toEqual(
        files.filter(({ kind }) => kinds.includes(kind)).map(({ fileId }) => fileId),
      );
      const counts = table.countKinds(some);
      for (const kind of FILE_KINDS)
        expect(counts[kind]).toBe(files.filter((file) => file.kind === kind && some.includes(file.fileId)).length);
    }),
  );
});
