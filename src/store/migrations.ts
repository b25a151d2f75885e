import type { Database } from 'better-sqlite3';
import { ACCOUNT_TABLES } from '../accounts/tables/account-tables.js';
import { SEARCH_INPUT_STEP } from './catalog/search-inputs.js';
import { ASSEMBLIES_STEP } from './catalog/assemblies.js';
import { COMPONENTS_STEP } from './catalog/components.js';
import { PMI_STEP } from './catalog/pmi-table.js';
import { DUPLICATES_STEP } from './catalog/duplicates.js';
import { LAYOUTS_STEP, VIEWS_STEP } from './catalog/views.js';
import { PAIRS_STEP } from '../attributes/attribute-pairs.js';
import { WEIGHTS_STEP } from '../words/term-table.js';
import { WATCHED_STEP } from './disk/watched-files.js';

/** "SHDX": marks a SQLite file as a catalogue of ours. */
export const APPLICATION_ID = 0x53484458;

/** Descriptors, each in a table of its own: small ones then lie together and can all be read at opening. */
export const STORED_DESCRIPTORS = ['compact', 'fine', 'surface'] as const;

/**
 * The steps from each version of the catalogue to the next; `user_version` counts those done. A released step is never
 * changed: a library of any release opens by running the rest.
 */
export const MIGRATIONS: readonly string[] = [
  `
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

  CREATE TABLE attribute (
    file_id INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    name TEXT NOT NULL,
    unit TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (file_id, position)
  ) STRICT, WITHOUT ROWID;

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

  ${['compact', 'fine', 'surface']
    .map(
      (name) => `
  CREATE TABLE ${name} (
    file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;`,
    )
    .join('')}

  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE file ADD COLUMN text_only INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE file ADD COLUMN face_count INTEGER;
  ALTER TABLE file ADD COLUMN page_count INTEGER;
  -- Version of the readers' texts and extracted attributes that are stored; 0: none yet.
  ALTER TABLE file ADD COLUMN content_version INTEGER NOT NULL DEFAULT 0;

  -- What a file says of itself.
  CREATE TABLE extracted (
    file_id INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    unit TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (file_id, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE text_page (
    file_id INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    runs TEXT,
    -- With row ids: without them, a text of more than 1 000 bytes would take pages of its own.
    PRIMARY KEY (file_id, number)
  ) STRICT;
  `,
  `
  -- Which row of its company's index of texts (terms_<company>) is a file's. No cascade: the row must be deleted with it.
  CREATE TABLE term_row (
    file_id INTEGER PRIMARY KEY REFERENCES file (id),
    company_id INTEGER NOT NULL,
    row_id INTEGER NOT NULL,
    -- Terms of the file.
    length INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE term_total (
    company_id INTEGER PRIMARY KEY REFERENCES company (id),
    files INTEGER NOT NULL,
    terms INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- Whole table of contents of the attributes, made from 'attribute' and 'extracted' by code (see attribute-index.ts).
  CREATE TABLE attribute_name (
    id INTEGER PRIMARY KEY,
    company_id INTEGER NOT NULL REFERENCES company (id),
    -- The name in its normal form; 'name' is as it was given first.
    key TEXT NOT NULL,
    unit TEXT NOT NULL,
    extracted INTEGER NOT NULL,
    name TEXT NOT NULL,
    -- Files that have it, and distinct values that are numbers, dates and neither.
    files INTEGER NOT NULL DEFAULT 0,
    numbers INTEGER NOT NULL DEFAULT 0,
    dates INTEGER NOT NULL DEFAULT 0,
    texts INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX attribute_name_by_key ON attribute_name (company_id, key, unit, extracted);

  -- A distinct value. As long as one file has it, that file stands here; later its files stand in 'attribute_use'.
  CREATE TABLE attribute_value (
    id INTEGER PRIMARY KEY,
    name_id INTEGER NOT NULL REFERENCES attribute_name (id),
    text TEXT NOT NULL,
    key TEXT NOT NULL,
    -- What it says as a number: in the base unit of the dimension; as written where the attribute has no unit and the value has.
    dimension TEXT,
    value REAL,
    number REAL,
    files INTEGER NOT NULL,
    file_id INTEGER
  ) STRICT;
  CREATE INDEX attribute_value_by_key ON attribute_value (name_id, key, file_id);
  CREATE INDEX attribute_value_by_quantity ON attribute_value (name_id, dimension, value, file_id) WHERE dimension IS NOT NULL;
  CREATE INDEX attribute_value_by_number ON attribute_value (name_id, number, file_id) WHERE number IS NOT NULL;

  CREATE TABLE attribute_term (
    name_id INTEGER NOT NULL,
    term TEXT NOT NULL,
    value_id INTEGER NOT NULL,
    -- That of the value.
    file_id INTEGER,
    PRIMARY KEY (name_id, term, value_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE attribute_use (
    value_id INTEGER NOT NULL,
    file_id INTEGER NOT NULL,
    PRIMARY KEY (value_id, file_id)
  ) STRICT, WITHOUT ROWID;

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
  ACCOUNT_TABLES,
  SEARCH_INPUT_STEP,
  VIEWS_STEP,
  ASSEMBLIES_STEP,
  PMI_STEP,
  DUPLICATES_STEP,
  COMPONENTS_STEP,
  WATCHED_STEP,
  WEIGHTS_STEP,
  LAYOUTS_STEP,
  PAIRS_STEP,
];

/** Brings a catalogue to the present version, each step whole or not at all. */
export function migrate(database: Database): void {
  const done = database.pragma('user_version', { simple: true }) as number;
  for (let version = done; version < MIGRATIONS.length; version++) {
    database
      .transaction(() => {
        database.exec(MIGRATIONS[version]);
        database.pragma(`application_id = ${APPLICATION_ID}`);
        database.pragma(`user_version = ${version + 1}`);
      })
      .immediate();
  }
}
