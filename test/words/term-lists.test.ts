import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idsOfMarks } from '../../dist/store/database/id-lists.js';
import { TermLists } from '../../dist/words/term-lists.js';

const ROW_STEP = 2 ** 32;
const CREATE = `CREATE VIRTUAL TABLE texts USING fts5(words, detail = none, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '@~=.|!$<'")`;

/** As a table of a company's words is asked, and as it is read. */
function tableOf(database: Database.Database): {
  asked: (word: string) => number[];
  read: (word: string) => number[] | undefined;
} {
  const match = database.prepare<[string], number>('SELECT rowid FROM texts WHERE texts MATCH ?').pluck();
  const lists = new TermLists(database, 'texts');
  return {
    asked: (word) =>
      match
        .all(`"${word}"`)
        .map((row) => row % ROW_STEP)
        .sort((a, b) => a - b),
    read: (word) => {
      const marks = lists.marksOf(word);
      return marks && [...idsOfMarks(marks)];
    },
  };
}

const WORDS = [
  'steel',
  'steels',
  'stee',
  '<st',
  '=12.5',
  '~ab1234',
  '$steel',
  'müller'.replace('ü', 'u'),
  '鋼板',
  'q',
  ...Array.from({ length: 300 }, (_, i) => `w${(37 * i) % 300}`),
];

/** Rows of a transaction: new ones, and those that others take the place of; then perhaps merging. */
const step = fc.record({
  rows: fc.array(
    fc.record({ file: fc.integer({ min: 1, max: 400 }), length: fc.nat(9), gone: fc.boolean(), seed: fc.nat(1e6) }),
    { maxLength: 60 },
  ),
  merge: fc.option(fc.integer({ min: -8, max: 8 }).filter((pages) => pages !== 0)),
  optimize: fc.nat(9).map((number) => number === 0),
});

test('the files of a word are those that FTS5 finds, whatever was written, deleted and merged before', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 4, maxLength: 25, size: 'max' }), (steps) => {
      const database = new Database(':memory:');
      database.exec(CREATE);
      const { asked, read } = tableOf(database);
      const insert = database.prepare('INSERT INTO texts (rowid, words) VALUES (?, ?)'),
        remove = database.prepare('DELETE FROM texts WHERE rowid = ?');
      const rows = new Map<number, number>();
      for (const { rows: changed, merge, optimize } of steps) {
        database.transaction(() => {
          for (const { file, length, gone, seed } of changed) {
            const before = rows.get(file);
            if (before !== undefined) remove.run(before);
            rows.delete(file);
            if (before !== undefined && gone) continue;
            rows.set(file, length * ROW_STEP + file);
            insert.run(
              rows.get(file),
              WORDS.filter((_, i) => ((seed + 1) * (i + 7)) % 101 < (i < 3 ? 60 : 6)).join(' ') || 'q',
            );
          }
        })();
        if (merge !== null) database.prepare(`INSERT INTO texts (texts, rank) VALUES ('merge', ?)`).run(merge);
        if (optimize) database.exec(`INSERT INTO texts (texts) VALUES ('optimize')`);
        for (const word of [...WORDS.slice(0, 12), 'w', 'w299', 'zz', ''])
          expect(read(word), word).toEqual(word === '' ? [] : asked(word));
      }
      database.close();
    }),
    { numRuns: 15 },
  );
});

test('of a list over many pages, beside lists of one row', () => {
  const database = new Database(':memory:');
  database.exec(CREATE);
  const insert = database.prepare('INSERT INTO texts (rowid, words) VALUES (?, ?)');
  database.transaction(() => {
    for (let file = 1; file <= 30_000; file++)
      insert.run((file % 23) * ROW_STEP + file, `often${file % 2 === 0 ? ' even' : ''} only${file}`);
  })();
  database.prepare('DELETE FROM texts WHERE rowid = ?').run(4 * ROW_STEP + 4);
  const { asked, read } = tableOf(database);
  expect(asked('often')).toHaveLength(29_999);
  for (const word of ['often', 'even', 'only1', 'only4', 'only30000', 'only'])
    expect(read(word), word).toEqual(asked(word));
  database.close();
});

test('within a transaction, and of a table in another form, nothing is told', () => {
  const database = new Database(':memory:');
  database.exec(CREATE);
  const { read } = tableOf(database);
  expect(read('steel')).toEqual([]);
  database.exec(`BEGIN; INSERT INTO texts (rowid, words) VALUES (1, 'steel')`);
  expect(read('steel')).toBeUndefined();
  database.exec('COMMIT');
  expect(read('steel')).toEqual([1]);
  for (const damage of [
    `UPDATE texts_data SET block = x'00000000010100' WHERE id = 10`,
    'DELETE FROM texts_data WHERE id > 10',
  ]) {
    const copy = new Database(database.serialize());
    copy.unsafeMode().exec(damage);
    expect(tableOf(copy).read('steel'), damage).toBeUndefined();
    copy.close();
  }
  database.close();
});
