import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { backupLibrary } from '../../dist/index.js';
import { openLibrary } from '../../dist/library.js';
import { withoutPassword } from '../../dist/store/shared/link.js';
import { RowNotes } from '../../dist/store/shared/row-notes.js';
import { keyPlaces, tableShapes } from '../../dist/store/shared/table-shapes.js';
import { WriteStatements } from '../../dist/store/shared/write-statements.js';
import { temporaryFolder } from '../fixtures/folder.js';

// What a library in PostgreSQL needs of the catalogue's tables; no server is asked.

const folder = temporaryFolder();
await (await openLibrary(folder, { fileBytesLimit: 1e9, crashLimit: 10 })).close();
const database = new Database(join(folder, 'catalog.sqlite'), { readonly: true });
afterAll(() => database.close());

test('every table of the catalogue can be shared: its key and the company of its rows are known', () => {
  const shapes = tableShapes(database);
  expect(shapes.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['file', 'job', 'compact', 'api_key', 'audit']),
  );
  for (const shape of shapes) {
    expect(
      keyPlaces(shape).every((place) => place >= 0),
      shape.name,
    ).toBe(true);
    // The company is an expression of SQL over a row `t`.
    const { name, company } = shape;
    expect(() => database.prepare(`SELECT ${company} FROM "${name}" AS t LIMIT 1`).all(), name).not.toThrow();
  }
});

test('a statement that writes names the company of every row, so that each row is one node of a sharded database', () => {
  const writing = new WriteStatements();
  for (const shape of tableShapes(database)) {
    const row = shape.columns.map(() => null);
    const change = {
      ...{ shape, rows: [row], companies: [1] },
      ...{ gone: [keyPlaces(shape).map(() => null)], goneCompanies: [1] },
    };
    const { text } = writing.statement([change], { number: 1, batch: '0'.repeat(32), unnamed: [] });
    const table = `shapedex."${shape.name}"`;
    expect(text, shape.name).toContain(`INSERT INTO ${table} (of_company, `);
    expect(text.match(/ON CONFLICT \(of_company, /g), shape.name).toHaveLength(2); // Its own, and that of keys that are gone.
    expect(text, shape.name).toMatch(/DELETE FROM .*\s+USING unnest\(.*\s+WHERE t\.of_company = given\.company AND /);
    expect(text, shape.name).not.toMatch(/ JOIN /);
  }
});

test('what a transaction names no more is noted as unowned by the statement that writes it', () => {
  const writable = new Database(join(folder, 'catalog.sqlite'));
  const shapes = tableShapes(writable);
  const notes = new RowNotes(writable, shapes);
  const [kept, gone, old, now] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(64));
  const insertFile = (hash: string, path: string): unknown =>
    writable
      .prepare(
        `INSERT INTO file (company_id, uid, path, extension, kind, blob_hash, byte_length, state, priority, added_at)
         VALUES (1, ?, ?, '.txt', 'Text', ?, 1, 'queued', 3, 0)`,
      )
      .run(path, path, hash);
  writable.exec("INSERT INTO company (id, name, added_at) VALUES (1, 'acme', 0)");
  for (const [hash, path] of [
    [kept, 'kept'],
    [gone, 'gone'],
    [old, 'changed'],
  ])
    insertFile(hash, path);
  writable.exec('BEGIN');
  notes.begin();
  writable.exec(`DELETE FROM file WHERE path = 'gone';
    UPDATE file SET path = 'renamed' WHERE path = 'kept';
    UPDATE file SET blob_hash = '${now}' WHERE path = 'changed'`);
  insertFile(now, 'new');
  const found = notes.changes();
  writable.exec('ROLLBACK');
  const changes = notes.withCompanies(found);
  const unnamed = notes.unnamed(found);
  expect(unnamed).toEqual([gone, old]);
  const batch = { number: 1, batch: '0'.repeat(32) };
  const { text, values } = new WriteStatements().statement(changes, { ...batch, unnamed });
  expect(text).toMatch(/INSERT INTO shapedex\.unowned .* unnest\(\$5::text\[\]\)/);
  expect(values[4]).toEqual([gone, old]);
  expect(new WriteStatements().statement(changes, { ...batch, unnamed: [] }).text).not.toContain('unowned');
  writable.close();
});

test('a URL is shown without its password, wherever that stands', () => {
  expect(withoutPassword('postgres://ada:se%40cret@db.example/parts')).toBe('postgres://ada:…@db.example/parts');
  expect(withoutPassword('postgres://ada:se@cret@db.example/parts')).not.toMatch(/se|cret/);
  expect(withoutPassword('postgres://db.example/parts?user=ada&password=secret')).not.toContain('secret');
  expect(withoutPassword('postgres://ada:a/b#c@db.example/parts')).not.toMatch(/a\/b|#c/);
});

test('a backup of a library in PostgreSQL says what to copy instead', async () => {
  await expect(backupLibrary('postgres://db.example/parts', join(folder, 'copy'))).rejects.toMatchObject({
    code: 'NOT_ALLOWED',
    message: expect.stringMatching(/pg_dump.*bytes/),
  });
});
