import type { Database, Statement } from 'better-sqlite3';
import { storedJson } from '../database/stored-json.js';
import type { AssemblyDoor } from '../catalogue.js';
import type { AssemblyComponent } from './assembly-component.js';

/** The migration step that adds assemblies. */
export const ASSEMBLIES_STEP = `
  CREATE TABLE assembly (
    file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE,
    -- The root, an AssemblyComponent, JSON.
    tree TEXT NOT NULL
  ) STRICT;
`;

/** The product structures of files that have one. Writing methods run inside a transaction of the caller. */
export class Assemblies implements AssemblyDoor {
  readonly #tree: Statement<[number], string>;
  readonly #put: Statement<[number, string]>;
  readonly #remove: Statement<[number]>;

  constructor(database: Database) {
    this.#tree = database.prepare<[number], string>('SELECT tree FROM assembly WHERE file_id = ?').pluck();
    this.#put = database.prepare(
      'INSERT INTO assembly (file_id, tree) VALUES (?, ?) ON CONFLICT DO UPDATE SET tree = excluded.tree',
    );
    this.#remove = database.prepare('DELETE FROM assembly WHERE file_id = ?');
  }

  async tree(fileId: number): Promise<AssemblyComponent | undefined> {
    const text = this.#tree.get(fileId);
    return text === undefined ? undefined : numbered(storedJson(text, 'the tree of an assembly'));
  }

  put(fileId: number, tree: AssemblyComponent): void {
    this.#put.run(fileId, JSON.stringify(tree));
  }

  remove(fileId: number): void {
    this.#remove.run(fileId);
  }
}

/** Gives trees that were stored before components had numbers the number null. */
function numbered(tree: AssemblyComponent): AssemblyComponent {
  return tree.component === undefined ? { ...tree, component: null, children: tree.children.map(numbered) } : tree;
}
