import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { WordIndex } from '../../dist/search/contains/word-index.js';

type Step = { readonly fileId: number; readonly words: readonly number[] | undefined };

const step = fc.record({
  fileId: fc.integer({ min: 1, max: 12 }),
  words: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 12 }), { nil: undefined }),
});
const asked = fc.array(
  fc.record({
    choices: fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 4 }),
    areaMm2: fc.integer({ min: 0, max: 9 }),
  }),
  { maxLength: 8 },
);

/** The index after putting and removing files; `many` further words of one file make it build its arrays. */
function indexOf(steps: readonly Step[], many: number): WordIndex {
  const index = new WordIndex();
  if (many > 0)
    index.put(
      99,
      'other',
      Uint32Array.from({ length: many }, (_, i) => 1_000 + i),
    );
  for (const { fileId, words } of steps) {
    if (words === undefined) index.remove(fileId);
    else index.put(fileId, `uid-${fileId}`, Uint32Array.from(words).sort());
  }
  return index;
}

test('finds the files that a loop over all words finds, with the weight and area of the words they share', async () => {
  await fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), asked, fc.boolean(), (steps, query, isBuilt): void => {
      const files = new Map<number, readonly number[]>();
      for (const { fileId, words } of steps) {
        if (words === undefined) files.delete(fileId);
        else files.set(fileId, words);
      }
      const index = indexOf(steps, isBuilt ? 70_000 : 0);
      // The first search after many words builds the arrays; the steps again are then aside.
      if (isBuilt) {
        index.find(query, undefined);
        for (const { fileId, words } of steps)
          if (words !== undefined && files.has(fileId))
            index.put(fileId, `uid-${fileId}`, Uint32Array.from(files.get(fileId)!));
      }
      const count = files.size + (isBuilt ? 1 : 0);
      expect(index.size).toBe(count);
      const expected = [...files].flatMap(([fileId, words]) => {
        const shared = query.filter(({ choices }) => choices.some((word) => words.includes(word)));
        if (shared.length === 0) return [];
        const weightOf = (choices: readonly number[]): number => {
          const had = [...files.values()].filter((other) => choices.some((word) => other.includes(word))).length;
          return Math.log(1 + count / (1 + had));
        };
        const weight = shared.reduce((sum, { choices }) => sum + weightOf(choices), 0);
        const isCut = words.length >= 4_000;
        return [{ fileId, weight, areaMm2: isCut ? Infinity : shared.reduce((sum, one) => sum + one.areaMm2, 0) }];
      });
      const byId = (a: { fileId: number }, b: { fileId: number }): number => a.fileId - b.fileId;
      const found = index.find(query, undefined).sort(byId);
      expect(found.map(({ fileId, areaMm2 }) => [fileId, areaMm2])).toEqual(
        expected.sort(byId).map(({ fileId, areaMm2 }) => [fileId, areaMm2]),
      );
      found.forEach(({ weight }, i) => expect(weight).toBeCloseTo(expected[i].weight, 9));
    }),
    { numRuns: 60 },
  );
});

test('only files that may be found are found', () => {
  const index = indexOf(
    [
      { fileId: 1, words: [5] },
      { fileId: 2, words: [5, 6] },
    ],
    0,
  );
  const found = index.find([{ choices: [5], areaMm2: 1 }], Uint32Array.of(2, 7));
  expect(found.map(({ uid }) => uid)).toEqual(['uid-2']);
});
