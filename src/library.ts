import { AccountRecords } from './accounts/tables/account-records.js';
import { ACCOUNT_STEPS } from './accounts/tables/account-steps.js';
import type { AttributeForms } from './attributes/attribute-condition.js';
import { ATTRIBUTE_STEPS } from './attributes/tables/attribute-steps.js';
import { Attributes } from './attributes/tables/attributes.js';
import type { Rooms } from './store/rooms.js';
import { Store, type StoreOptions } from './store/store.js';
import { openInReplica, type SharedPlace } from './store/shared/replica-folder.js';
import { isDatabaseUrl } from './store/shared/link.js';
import { ATTRIBUTE_FORMS } from './words/attribute-forms.js';
import { withDefaults } from './options.js';
import { migrateToFolder, migrateToServer } from './store/shared/migration.js';
import { MIGRATION_DEFAULTS, type MigrationOptions, type MigrationReport } from './store/shared/migration-options.js';
import type { TermMaker } from './words/indexed-terms.js';
import type { FrequentWordLimits } from './words/tables/frequent-words.js';
import { WORD_STEPS } from './words/tables/word-steps.js';
import { WordTables } from './words/tables/word-tables.js';

export { isDatabaseUrl };

/** The modules that have tables in a library's catalogue. */
export interface LibraryRooms extends Rooms {
  readonly attributes: Attributes;
  readonly words: WordTables;
  readonly accounts: AccountRecords;
}

/** A library whose catalogue contains the tables of all modules. */
export type Library = Store<LibraryRooms>;

/** Options of opening a library. */
export interface LibraryOptions extends Omit<StoreOptions, 'rooms'> {
  /** How attributes are compared and searched. Default {@link ATTRIBUTE_FORMS}. */
  readonly attributeForms?: AttributeForms;
  /** Computes the terms of files for the text index. Absent: texts are stored without an index. */
  readonly terms?: TermMaker;
  /** What is kept of words that many files have. Default {@link FREQUENT_WORDS}. */
  readonly frequentWords?: FrequentWordLimits;
  /** Where the parts of a library in PostgreSQL are; absent: the library is a folder. */
  readonly shared?: SharedPlace;
}

/** SQL of the rooms' steps. */
const ROOM_STEPS = [ATTRIBUTE_STEPS, WORD_STEPS, ACCOUNT_STEPS];

/**
 * Copies a library from a folder into an empty database, or from a database into an empty folder; the first is left as
 * it is. Nothing may have either open. Bytes are checked by their SHA-256, rows by counts and digests of each table. A
 * run that was cut short goes on where it stopped when it is called again.
 * @param from the folder of a library, or its `postgres://` URL.
 * @param to the other of the two.
 * @throws EngineError `CONFLICT`, `LIBRARY_LOCKED`, `LIBRARY_UNREADABLE`, `STORAGE_FAILED`, `PACKAGE_MISSING`,
 *   `ABORTED`; TypeError that names the wrong argument.
 */
export async function migrateLibrary(
  from: string,
  to: string,
  options: Pick<MigrationOptions, 'blobs'> & Partial<MigrationOptions>,
): Promise<MigrationReport> {
  const checked: MigrationOptions = withDefaults('migrate options', options, { blobs: '', ...MIGRATION_DEFAULTS });
  for (const [name, value] of Object.entries({ from, to, 'options.blobs': checked.blobs }))
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`${name} must be a path or a URL, received ${String(value)}`);
  if (isDatabaseUrl(from) === isDatabaseUrl(to))
    throw new TypeError('a library is moved from a folder to a postgres:// URL, or from a postgres:// URL to a folder');
  if (isDatabaseUrl(to)) return migrateToServer(from, to, { ...checked, steps: ROOM_STEPS });
  return migrateToFolder(from, to, {
    ...checked,
    fill: async (url, replica) => {
      const { blobs, connectTimeoutMs: connectMs } = checked;
      // A short lease, so that a run which is killed does not hold off the next one.
      const how = {
        blobs,
        blobsCacheMiB: 0,
        replica,
        ageMs: undefined,
        connectMs,
        leaseMs: 3_000,
        outageMs: connectMs,
      };
      await (await openLibrary(url, { fileBytesLimit: Infinity, crashLimit: Infinity, shared: how })).close();
    },
  });
}

/**
 * Opens the store in a folder, or at the URL of a database, with the tables of all modules.
 * @throws EngineError `LIBRARY_LOCKED`, `LIBRARY_UNREADABLE`, `LIBRARY_DAMAGED`, `STORAGE_FAILED`.
 */
export function openLibrary(folder: string, options: LibraryOptions): Promise<Library> {
  const { attributeForms = ATTRIBUTE_FORMS, terms, frequentWords, shared, ...others } = options;
  const ofStore: StoreOptions<LibraryRooms> = {
    ...others,
    rooms: {
      steps: ROOM_STEPS,
      open: (catalog) => ({
        attributes: new Attributes(catalog.database, attributeForms, catalog.isReplica ? catalog : undefined),
        words: new WordTables(catalog, terms, frequentWords),
        accounts: new AccountRecords(catalog),
      }),
    },
  };
  return shared === undefined ? Store.open(folder, ofStore) : openInReplica(folder, ofStore, shared);
}
