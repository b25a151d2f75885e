/** A random GUID (version 4) in SQL. */
const NEW_GUID = `lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-'
  || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`;

/**
 * The steps of the catalogue for the tables of accounts, by the version that each leads to: who may enter, what a
 * company has set, used and asked for, and its callbacks. Times are ms since 1970. A released step is never changed.
 */
export const ACCOUNT_STEPS: Readonly<Record<number, string>> = Object.freeze({
  5: `
  -- What other programs know a company by.
  ALTER TABLE company ADD COLUMN guid TEXT;
  UPDATE company SET guid = ${NEW_GUID};
  CREATE UNIQUE INDEX company_by_guid ON company (guid);
  CREATE TRIGGER company_guid AFTER INSERT ON company WHEN new.guid IS NULL BEGIN
    UPDATE company SET guid = ${NEW_GUID} WHERE id = new.id;
  END;

  CREATE TABLE company_logo (
    company_id INTEGER PRIMARY KEY REFERENCES company (id),
    media_type TEXT NOT NULL,
    set_at INTEGER NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;

  -- New users with an address of this domain join this company.
  CREATE TABLE email_domain (
    domain TEXT PRIMARY KEY,
    company_id INTEGER NOT NULL REFERENCES company (id)
  ) STRICT, WITHOUT ROWID;

  -- email: as given; email_key: what must be unique. verifier: scrypt of the password's digest.
  CREATE TABLE user (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    company_id INTEGER REFERENCES company (id),
    role TEXT NOT NULL CHECK (role IN ('member', 'admin', 'operator')),
    added_at INTEGER NOT NULL,
    salt BLOB NOT NULL,
    cost INTEGER NOT NULL,
    verifier BLOB NOT NULL
  ) STRICT;
  CREATE INDEX user_by_company ON user (company_id);

  CREATE TABLE client (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    company_id INTEGER REFERENCES company (id),
    secret_hash BLOB NOT NULL,
    added_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- All tokens that go back to one sign-in. Revoking deletes it.
  CREATE TABLE token_family (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
    client_id TEXT REFERENCES client (id) ON DELETE CASCADE,
    started_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX token_family_by_user ON token_family (user_id);
  CREATE INDEX token_family_by_client ON token_family (client_id);

  -- hash: SHA-256 of the token, which itself is nowhere.
  CREATE TABLE token (
    hash BLOB PRIMARY KEY,
    family_id INTEGER NOT NULL REFERENCES token_family (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
    expires_at INTEGER NOT NULL,
    spent INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX token_by_family ON token (family_id);
  CREATE INDEX token_by_expiry ON token (expires_at);

  CREATE TABLE saved_search (
    id TEXT PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    query TEXT NOT NULL,
    added_at INTEGER NOT NULL,
    UNIQUE (user_id, name)
  ) STRICT;

  -- kind: 'search' or 'extracted'; body is JSON.
  CREATE TABLE feedback (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    company_id INTEGER NOT NULL REFERENCES company (id),
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    user_uid TEXT,
    body TEXT NOT NULL,
    added_at INTEGER NOT NULL,
    UNIQUE (company_id, kind, id)
  ) STRICT;

  CREATE TABLE rfq (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    company_id INTEGER NOT NULL REFERENCES company (id),
    id TEXT NOT NULL,
    custom_quote_id TEXT,
    file_name TEXT NOT NULL,
    total_chunks INTEGER NOT NULL,
    file_uid TEXT,
    added_at INTEGER NOT NULL,
    UNIQUE (company_id, id)
  ) STRICT;
  CREATE TABLE rfq_chunk (
    rfq_number INTEGER NOT NULL REFERENCES rfq (number) ON DELETE CASCADE,
    chunk INTEGER NOT NULL,
    blob_hash TEXT NOT NULL,
    byte_length INTEGER NOT NULL,
    PRIMARY KEY (rfq_number, chunk)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX rfq_chunk_by_blob ON rfq_chunk (blob_hash);

  CREATE TABLE plan (
    company_id INTEGER PRIMARY KEY REFERENCES company (id),
    file_limit INTEGER,
    token_limit REAL
  ) STRICT;
  -- month: 12 * year + month - 1, UTC.
  CREATE TABLE usage_count (
    company_id INTEGER NOT NULL REFERENCES company (id),
    month INTEGER NOT NULL,
    counter TEXT NOT NULL,
    amount REAL NOT NULL,
    PRIMARY KEY (company_id, month, counter)
  ) STRICT, WITHOUT ROWID;
  -- How a month ended; its counters stay where they are.
  CREATE TABLE usage_month (
    company_id INTEGER NOT NULL REFERENCES company (id),
    month INTEGER NOT NULL,
    file_limit INTEGER,
    token_limit REAL,
    texts INTEGER NOT NULL,
    images INTEGER NOT NULL,
    drawings INTEGER NOT NULL,
    models INTEGER NOT NULL,
    PRIMARY KEY (company_id, month)
  ) STRICT, WITHOUT ROWID;

  -- allow: JSON array of host names, addresses and networks.
  CREATE TABLE callback (
    company_id INTEGER PRIMARY KEY REFERENCES company (id),
    url TEXT NOT NULL,
    secret BLOB NOT NULL,
    allow TEXT NOT NULL
  ) STRICT;
  -- An upload with a callback parameter: 'awaiting' its end, then 'due' until it is 'delivered' or 'failed'.
  CREATE TABLE delivery (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    company_id INTEGER NOT NULL REFERENCES company (id),
    file_id INTEGER,
    file_uid TEXT NOT NULL,
    param TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('awaiting', 'due', 'delivered', 'failed')),
    added_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER NOT NULL DEFAULT 0,
    attempted_at INTEGER,
    status INTEGER,
    problem TEXT,
    payload TEXT
  ) STRICT;
  CREATE INDEX delivery_by_file ON delivery (file_id) WHERE state = 'awaiting';
  CREATE INDEX delivery_by_turn ON delivery (company_id, next_at) WHERE state = 'due';
  CREATE INDEX delivery_by_age ON delivery (added_at) WHERE state IN ('delivered', 'failed');
  CREATE INDEX delivery_by_company ON delivery (company_id, id);
  -- In the transaction that ends the upload, so that no crash parts the two.
  CREATE TRIGGER delivery_due AFTER UPDATE OF state ON file WHEN new.state IN ('indexed', 'failed') BEGIN
    DELETE FROM delivery WHERE file_id = new.id AND state = 'awaiting'
      AND NOT EXISTS (SELECT 1 FROM callback WHERE callback.company_id = delivery.company_id);
    UPDATE delivery SET state = 'due' WHERE file_id = new.id AND state = 'awaiting';
  END;
  -- A file that was deleted or replaced before it was read has no end to tell of.
  CREATE TRIGGER delivery_dropped AFTER DELETE ON file BEGIN
    DELETE FROM delivery WHERE file_id = old.id AND state = 'awaiting';
  END;
`,
  16: `
  -- 1: a sign-up that no admin has let in yet. All users of before were made by somebody who may.
  ALTER TABLE user ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX user_waiting ON user (company_id, added_at) WHERE waiting = 1;

  -- Where users have signed in: a keyed hash of the user's address and the network.
  CREATE TABLE known_source (
    hash BLOB PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    last_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX known_source_by_user ON known_source (user_id, last_at);

  -- Who asked: UID of a user. That of an older request is known while its search input is kept.
  ALTER TABLE rfq ADD COLUMN owner TEXT;
  UPDATE rfq SET owner = (
    SELECT owner FROM search_input JOIN file ON file.id = file_id WHERE file.uid = rfq.file_uid LIMIT 1
  );
`,
  20: `
  -- hash: SHA-256 of the key, which itself is nowhere. used_at: to the hour.
  CREATE TABLE IF NOT EXISTS api_key (
    id TEXT PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    added_at INTEGER NOT NULL,
    expires_at INTEGER,
    used_at INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS api_key_by_user ON api_key (user_id);

  -- Who changed what. Companies and users by name, because entries outlive them.
  CREATE TABLE IF NOT EXISTS audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    company TEXT,
    actor TEXT,
    source TEXT,
    action TEXT NOT NULL,
    object TEXT,
    outcome TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS audit_by_company ON audit (company, id);
  CREATE INDEX IF NOT EXISTS audit_by_object ON audit (object, id) WHERE object IS NOT NULL;
`,
});
