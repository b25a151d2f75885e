import type { Database } from 'better-sqlite3';

/** Bytes that a row names. */
export interface NamedBytes {
  /** SHA-256, lower-case hex. */
  readonly hash: string;
  readonly byteLength: number;
}

/**
 * The bytes that rows of a catalogue name, each once: in every table with a hash and a length, whatever its version.
 */
export function namedBytes(database: Database): NamedBytes[] {
  const tables = database
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND 2 =
       (SELECT count(*) FROM pragma_table_info(sqlite_schema.name) AS c WHERE c.name IN ('blob_hash', 'byte_length'))`,
    )
    .pluck()
    .all();
  const lengths = new Map<string, number>();
  for (const table of tables)
    for (const { hash, byteLength } of database
      .prepare<[], NamedBytes>(
        `SELECT DISTINCT blob_hash AS hash, byte_length AS byteLength FROM "${table}" WHERE blob_hash IS NOT NULL`,
      )
      .all())
      lengths.set(hash, byteLength);
  return [...lengths].map(([hash, byteLength]) => ({ hash, byteLength }));
}
