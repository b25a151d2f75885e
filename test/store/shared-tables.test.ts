import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { openLibrary } from '../../dist/library.js';
import { withoutPassword } from '../../dist/store/shared/link.js';
import { keyPlaces, tableShapes } from '../../dist/store/shared/table-shapes.js';
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

test('a URL is shown without its password, wherever that stands', () => {
  expect(withoutPassword('postgres://ada:se%40cret@db.example/parts')).toBe('postgres://ada:…@db.example/parts');
  expect(withoutPassword('postgres://ada:se@cret@db.example/parts')).not.toMatch(/se|cret/);
  expect(withoutPassword('postgres://db.example/parts?user=ada&password=secret')).not.toContain('secret');
  expect(withoutPassword('postgres://ada:a/b#c@db.example/parts')).not.toMatch(/a\/b|#c/);
});
