import type { Database, Statement } from 'better-sqlite3';

/** A part or sub-assembly where it stands in an assembly. */
export interface AssemblyComponent {
  /** Of the part: equal in all its placements; '' when the file names it not. */
  readonly name: string;
  /** What the file calls this placement; null when nothing. */
  readonly occurrence: string | null;
  /** 16 numbers, column-major, from the component's frame to its parent's, translation in mm; null = identity. */
  readonly transform: readonly number[] | null;
  /** Numbers of its own bodies, without those of what it holds. Placements of one geometry have the same number. */
  readonly bodies: readonly number[];
  /** Of all its bodies and those that it holds. Of an open surface it tells nothing. */
  readonly volumeMm3: number;
  readonly children: readonly AssemblyComponent[];
}

/** The step of the catalogue that brings assemblies. */
export const ASSEMBLIES_STEP = `
  CREATE TABLE assembly (
    file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE,
    -- The root, an AssemblyComponent, JSON.
    tree TEXT NOT NULL
  ) STRICT;
`;

/** The product structures of files that have one. Writing methods run inside a transaction of the caller. */
export class Assemblies {
  readonly #tree: Statement<[number], string>;
  readonly #put: Statement<[number, string]>;
  readonly #remove: Statement<[number]>;

  constructor(database: Database) {
    this.#tree = database.prepare<[number], string>('SELECT tree FROM assembly WHERE file_id = ?').pluck();
    this.#put = database.prepare('INSERT INTO assembly (file_id, tree) VALUES (?, ?) ON CONFLICT DO UPDATE SET tree = excluded.tree');
    this.#remove = database.prepare('DELETE FROM assembly WHERE file_id = ?');
  }

  /** The root; undefined when the file is no assembly or is not indexed. */
  tree(fileId: number): AssemblyComponent | undefined {
    const text = this.#tree.get(fileId);
    return text === undefined ? undefined : (JSON.parse(text) as AssemblyComponent);
  }

  put(fileId: number, tree: AssemblyComponent): void {
    this.#put.run(fileId, JSON.stringify(tree));
  }

  remove(fileId: number): void {
    this.#remove.run(fileId);
  }
}
