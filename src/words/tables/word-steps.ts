import { WEIGHTS_STEP } from './term-table.js';

/**
 * Migrations that create the tables of texts, by the catalogue version that they lead to. A released migration is never
 * changed.
 */
export const WORD_STEPS: Readonly<Record<number, string>> = Object.freeze({
  2: `
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
  3: `
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
  13: WEIGHTS_STEP,
});
