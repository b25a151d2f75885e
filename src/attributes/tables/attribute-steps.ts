import { PAIRS_STEP } from './attribute-pairs.js';

/**
 * Migrations that create the tables of attributes, by the catalogue version that they lead to. A released migration is
 * never changed.
 */
export const ATTRIBUTE_STEPS: Readonly<Record<number, string>> = Object.freeze({
  1: `
  CREATE TABLE attribute (
    file_id INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    name TEXT NOT NULL,
    unit TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (file_id, position)
  ) STRICT, WITHOUT ROWID;
  `,
  2: `
  -- What a file says of itself.
  CREATE TABLE extracted (
    file_id INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    unit TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (file_id, position)
  ) STRICT, WITHOUT ROWID;
  `,
  4: `
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
  `,
  15: PAIRS_STEP,
});
