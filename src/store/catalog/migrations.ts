import type { Database } from 'better-sqlite3';
import { MAKERS_STEP, SEARCH_INPUT_STEP } from './search-inputs.js';
import { ASSEMBLIES_STEP } from './assemblies.js';
import { COMPONENTS_STEP } from './components.js';
import { PMI_STEP } from './pmi-table.js';
import { DUPLICATES_STEP } from './duplicate-records.js';
import { INKS_STEP, LAYOUTS_STEP, VIEWS_STEP } from './views.js';
import { WATCHED_STEP } from './watched-files.js';

/** "SHDX": marks a SQLite file as a catalogue of ours. */
export const APPLICATION_ID = 0x53484458;

/** SQL by the version of the catalogue that it leads to. */
export type Steps = Readonly<Record<number, string>>;

/** The version of the catalogue that this engine writes; `user_version` of the database. */
export const CATALOG_VERSION = 23;

/**
 * The store's own part of each step; the rooms that own tables bring theirs (see `rooms.ts`), and a step without an
 * entry here is theirs alone. A released step is never changed: a library of any release opens by running the rest.
 */
const STEPS: Steps = {
  1: `
  CREATE TABLE company (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    added_at INTEGER NOT NULL
  ) STRICT;

  -- One content of one file. New bytes under the same uid get a new id, so an id never means two shapes.
  CREATE TABLE file (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    company_id INTEGER NOT NULL REFERENCES company (id),
    uid TEXT NOT NULL,
    path TEXT NOT NULL,
    extension TEXT NOT NULL,
    kind TEXT NOT NULL,
    blob_hash TEXT NOT NULL,
    byte_length INTEGER NOT NULL,
    source_mtime_ms REAL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'indexed', 'failed')),
    priority INTEGER NOT NULL CHECK (priority IN (3, 4)),
    added_at INTEGER NOT NULL,
    indexed_at INTEGER,
    error_code TEXT,
    error_message TEXT,
    warnings TEXT NOT NULL DEFAULT '[]',
    triangle_count INTEGER,
    component_count INTEGER,
    volume_mm3 REAL,
    bbox_volume_mm3 REAL,
    bbox_length_mm REAL,
    bbox_width_mm REAL,
    bbox_height_mm REAL,
    surface_area_mm2 REAL
  ) STRICT;
  CREATE UNIQUE INDEX file_by_uid ON file (company_id, uid);
  CREATE UNIQUE INDEX file_by_path ON file (company_id, path);
  CREATE INDEX file_by_blob ON file (blob_hash);

  -- The queue. Running: handed to a worker. Attempts: workers that it ended. Crashes: processes that died while it ran.
  CREATE TABLE job (
    file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE,
    priority INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    crashes INTEGER NOT NULL DEFAULT 0,
    running INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX job_by_turn ON job (running, priority, sequence);

  ${descriptorTables(['compact', 'fine', 'surface'])}

  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  2: `
  ALTER TABLE file ADD COLUMN text_only INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE file ADD COLUMN face_count INTEGER;
  ALTER TABLE file ADD COLUMN page_count INTEGER;
  -- Version of the readers' texts and extracted attributes that are stored; 0: none yet.
  ALTER TABLE file ADD COLUMN content_version INTEGER NOT NULL DEFAULT 0;
  `,
  4: `
  CREATE TABLE category (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    company_id INTEGER NOT NULL REFERENCES company (id),
    parent_id INTEGER REFERENCES category (id),
    name TEXT NOT NULL,
    image_url TEXT
  ) STRICT;
  CREATE INDEX category_by_parent ON category (company_id, parent_id);
  CREATE INDEX category_by_own_parent ON category (parent_id);

  -- What the company has chosen, JSON; what is missing has its default.
  ALTER TABLE company ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE file ADD COLUMN category_id INTEGER REFERENCES category (id);

  CREATE INDEX file_by_category ON file (category_id) WHERE category_id IS NOT NULL;
  CREATE INDEX file_by_kind ON file (company_id, kind);
  CREATE INDEX file_by_arrival ON file (company_id);
  CREATE INDEX file_not_indexed ON file (company_id) WHERE state <> 'indexed';
  `,
  6: SEARCH_INPUT_STEP,
  7: VIEWS_STEP,
  8: ASSEMBLIES_STEP,
  9: PMI_STEP,
  10: DUPLICATES_STEP,
  11: COMPONENTS_STEP,
  12: WATCHED_STEP,
  14: LAYOUTS_STEP,
  16: 'ALTER TABLE file ADD COLUMN error_details TEXT',
  // Holes and the like of a model, JSON; null: none are known.
  17: 'ALTER TABLE file ADD COLUMN features TEXT',
  18: INKS_STEP,
  19: descriptorTables(['faces', 'faceWords']),
  // Views may be packed (`packed-views.ts`), which engines of before cannot read. Those that are not are packed in
  // time.
  21: '',
  22: MAKERS_STEP,
  // Of packed views equal ones may be stored once.
  23: '',
};

/** Tables of descriptors by name. */
function descriptorTables(names: readonly string[]): string {
  return names
    .map(
      (name) => `
  CREATE TABLE ${name} (
    file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;`,
    )
    .join('');
}

/**
 * Brings a catalogue to the present version, each step whole or not at all. ofRooms: the steps of the rooms that own
 * tables.
 */
export function migrate(database: Database, ofRooms: readonly Steps[]): void {
  const done = database.pragma('user_version', { simple: true }) as number;
  for (let version = done + 1; version <= CATALOG_VERSION; version++) {
    database
      .transaction(() => {
        for (const steps of [STEPS, ...ofRooms]) database.exec(steps[version] ?? '');
        database.pragma(`application_id = ${APPLICATION_ID}`);
        database.pragma(`user_version = ${version}`);
      })
      .immediate();
  }
}
