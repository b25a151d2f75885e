import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdMarks } from '../../dist/store/database/id-marks.js';
import { ChangeLog } from '../../dist/store/database/change-log.js';
import { FrequentRoom } from '../../dist/words/tables/frequent-room.js';
import { FrequentWords, type WordRows } from '../../dist/words/tables/frequent-words.js';
import type { KnownWords } from '../../dist/words/tables/kept-words.js';

const WORDS = ['steel', 'brass', 'tin', '<st', '$steel', '@csteel'];

/** Files may have changed. */
const CHANGED = { isChanged: true };

/** An index in memory: the words of each file, rows in another order than ids. */
class Index implements WordRows {
  readonly #words = new Map<number, Set<string>>();
  /** How often files of a word were listed. */
  listed = 0;

  put(fileId: number, words: readonly string[]): void {
    this.#words.set(fileId, new Set(words));
  }

  remove(fileId: number): void {
    this.#words.delete(fileId);
  }

  with(word: string): number[] {
    return [...this.#words.keys()].filter((id) => this.holds(id, word)).sort((a, b) => a - b);
  }

  files(): number {
    return this.#words.size;
  }

  next(word: string, after: number, limit: number): { fileIds: Uint32Array; last?: number } {
    this.listed++;
    const rows = this.with(word)
      .map((id) => ({ id, row: (id % 5) * 1_000 + id }))
      .sort((a, b) => a.row - b.row)
      .filter(({ row }) => row > after)
      .slice(0, Math.min(limit, 7)); // Fewer at once than there are.
    return {
      fileIds: Uint32Array.from(rows, ({ id }) => id),
      ...(rows.length === 0 ? {} : { last: rows.at(-1)!.row }),
    };
  }

  all(word: string): Uint32Array {
    this.listed++;
    return Uint32Array.from(this.with(word));
  }

  holds(fileId: number, word: string): boolean {
    return this.#words.get(fileId)?.has(word) === true;
  }

  spread(count: number): number[] {
    return [...this.#words.keys()].slice(0, count);
  }

  wordsOf(fileId: number, _characters: number): string {
    return [...(this.#words.get(fileId) ?? [])].join(' ');
  }
}

test('what is kept of a word is what the index has, whatever changes between steps and questions', () => {
  const file = fc.nat(90);
  const words = fc.subarray(WORDS);
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ put: file, words }) },
    { weight: 1, arbitrary: fc.record({ remove: file }) },
    // A transaction that was undone is noted as well.
    { weight: 1, arbitrary: fc.record({ undone: file }) },
    { weight: 1, arbitrary: fc.record({ from: file, count: fc.nat(60), words }) },
    { weight: 4, arbitrary: fc.record({ ask: fc.constantFrom(...WORDS) }) },
    { weight: 6, arbitrary: fc.constant({ step: true }) },
    { weight: 1, arbitrary: fc.constant({ forget: true }) },
    // The next process takes over what was known, now or some changes ago.
    { weight: 2, arbitrary: fc.constant({ tell: true }) },
    { weight: 1, arbitrary: fc.constant({ reopen: true }) },
  );
  let kept = 0;
  let adopted = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 30, maxLength: 150 }), (steps) => {
      const index = filled();
      const log = new ChangeLog();
      const limits = { leastFiles: 4, bytes: 3 * 4_096, sampled: 8, share: 1 / 4 };
      let frequent = new FrequentWords(index, log, limits);
      let told: { known: KnownWords; mark: number } | undefined;
      for (const one of steps) {
        if ('put' in one) {
          log.note(one.put);
          index.put(one.put, one.words);
        } else if ('remove' in one) {
          log.note(one.remove);
          index.remove(one.remove);
        } else if ('undone' in one) log.note(one.undone);
        else if ('from' in one) {
          for (let id = one.from; id < one.from + one.count; id++) {
            log.note(id);
            index.put(id, one.words);
          }
        } else if ('forget' in one) {
          log.forget();
          index.put(1, ['tin']);
          frequent.clear();
          told = undefined;
        } else if ('tell' in one) {
          const known = frequent.known(Infinity, CHANGED);
          told = known && { known: copyOf(known), mark: log.told().mark };
        } else if ('reopen' in one) {
          frequent = new FrequentWords(index, log, limits);
          if (told !== undefined) {
            adopted++;
            frequent.adopt(copyOf(told.known), told.mark);
          }
        } else if ('step' in one) frequent.step();
        else {
          const known = frequent.of(one.ask);
          if (known !== undefined) kept++;
          expect([...(known?.ids() ?? frequent.list(one.ask))]).toEqual(index.with(one.ask));
          expect(known?.size ?? index.with(one.ask).length).toBe(index.with(one.ask).length);
        }
        expect(frequent.byteLength).toBeLessThanOrEqual(limits.bytes);
      }
    }),
    { numRuns: 400 },
  );
  expect(kept).toBeGreaterThan(100);
  expect(adopted).toBeGreaterThan(100);
});

/** As it is read from a cache. */
function copyOf(known: KnownWords): KnownWords {
  return { ...known, words: known.words.map(([word, { bits }]) => [word, IdMarks.of(bits.slice())]) };
}

function filled(): Index {
  const index = new Index();
  for (let id = 1; id < 60; id++)
    index.put(
      id,
      WORDS.filter((_, i) => id % (i + 1) === 0),
    );
  return index;
}

test('what was known is listed by no other process, and is told as new only where it changed', () => {
  const index = filled();
  const limits = { leastFiles: 4, bytes: 1e6, sampled: 16, share: 1 / 8 };
  const log = new ChangeLog();
  const first = new FrequentWords(index, log, limits);
  expect(first.known(Infinity, CHANGED)).toBeUndefined();
  while (first.step());
  const known = first.known(Infinity, CHANGED)!;
  expect(known.words.map(([word]) => word).sort()).toEqual(['$steel', '<st', 'brass', 'steel', 'tin']);
  expect(known.isNew).toBe(true);
  expect(first.known(Infinity, CHANGED)!.isNew).toBe(false);

  index.listed = 0;
  const second = new FrequentWords(index, log, limits);
  second.adopt(copyOf(known), log.told().mark);
  while (second.step());
  for (const word of ['steel', 'brass', 'tin', '<st', '$steel'])
    expect([...second.of(word)!.ids()]).toEqual(index.with(word));
  expect(index.listed).toBe(0);
  expect(second.known(Infinity, CHANGED)!.isNew).toBe(false);
  log.note(7);
  index.put(7, ['tin']);
  // Nobody asked since: they are brought up to date to be told.
  const later = second.known(Infinity, CHANGED)!;
  expect(later.isNew).toBe(true);
  for (const [word, marks] of later.words) expect([...marks.ids()]).toEqual(index.with(word));
  log.note(8);
  index.remove(8);
  // No time to look at any.
  expect(second.known(-1, CHANGED)).toBeUndefined();
});

test('words that queries ask for stay longer than words that are brought up to date ahead', () => {
  const index = filled();
  const limits = { leastFiles: 4, bytes: 3 * 4_096, sampled: 16, share: 1 / 8 };
  const log = new ChangeLog();
  const frequent = new FrequentWords(index, log, limits);
  while (frequent.step());
  expect(frequent.of('steel')).toBeDefined();
  const [, , other] = ['steel', 'brass', 'tin', '<st', '$steel'].filter((word) => frequent.of(word) !== undefined);
  expect(other).toBeDefined();
  for (const word of ['brass', 'steel']) frequent.of(word);
  log.note(3);
  while (frequent.step());
  // The third word was asked for longest ago, whatever was brought up to date since.
  const rare = ['tin', '<st', '$steel'].find((word) => word !== other)!;
  frequent.list(rare);
  expect(frequent.of(other)).toBeUndefined();
  expect(frequent.of('steel')).toBeDefined();
  expect(frequent.of('brass')).toBeDefined();
  expect(frequent.of(rare)).toBeDefined();
});

test('of each file of the sample so much text is read, and one file in a step', () => {
  const index = filled();
  const read: [number, number][] = [];
  const wordsOf = index.wordsOf.bind(index);
  index.wordsOf = (fileId, characters) => {
    read.push([fileId, characters]);
    return wordsOf(fileId, characters);
  };
  const frequent = new FrequentWords(index, new ChangeLog(), { leastFiles: 4, bytes: 1e6, sampled: 5, share: 1 / 8 });
  for (let step = 0; step < 6; step++) {
    frequent.step();
    expect(read.length).toBe(Math.min(5, step));
  }
  expect(read.every(([, characters]) => characters <= 16_384)).toBe(true);
});

test('frequent words are listed ahead until there is no room, the most frequent first', () => {
  const index = filled();
  const limits = { leastFiles: 4, bytes: 2 * 4_096, sampled: 16, share: 1 / 8 };
  const log = new ChangeLog();
  const frequent = new FrequentWords(index, log, limits);
  let steps = 0;
  while (frequent.step()) steps++;
  expect(steps).toBeGreaterThan(8);
  index.listed = 0;
  expect(frequent.of('steel')?.size).toBe(59);
  expect(frequent.of('brass')?.size).toBe(29);
  expect(frequent.of('tin')).toBeUndefined();
  expect(index.listed).toBe(0);
  expect(frequent.step()).toBe(false);
  // What there was no room for is not listed again after each change.
  log.note(5);
  while (frequent.step());
  expect(index.listed).toBe(0);
});

test('companies share the room: who asks takes it from words asked for longest ago, wherever they are', () => {
  const changes = new ChangeLog();
  const limits = { leastFiles: 3, bytes: 4 * new IdMarks(Uint32Array.of(90)).byteLength, sampled: 8, share: 1 / 8 };
  const room = new FrequentRoom(limits.bytes);
  const [first, second] = [0, 1].map(() => {
    const index = new Index();
    for (let id = 1; id <= 90; id++) index.put(id, WORDS);
    return new FrequentWords(index, changes, limits, room);
  });
  for (const word of ['steel', 'brass', 'tin', '<st']) first.list(word);
  first.of('steel');
  second.list('tin');
  expect(first.byteLength + second.byteLength).toBeLessThanOrEqual(limits.bytes);
  expect(['steel', 'brass', 'tin', '<st'].filter((word) => first.of(word) !== undefined)).toEqual([
    'steel',
    'tin',
    '<st',
  ]);
  expect(second.of('tin')?.size).toBe(90);
  // What is listed ahead takes nothing from words of others.
  while (second.step());
  expect(second.of('steel')).toBe(undefined);
  // What was let go is still true in the cache of a company that did not change.
  expect(first.known(Infinity, { isChanged: false })!.isNew).toBe(true);
  second.list('brass');
  expect(first.byteLength).toBe(limits.bytes / 2);
  expect(first.known(Infinity, { isChanged: false })!.isNew).toBe(false);
  expect(first.known(Infinity, CHANGED)!.isNew).toBe(true);
});
