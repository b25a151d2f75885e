import { AccountRecords } from './accounts/tables/account-records.js';
import { ACCOUNT_STEPS } from './accounts/tables/account-steps.js';
import type { AttributeForms } from './attributes/attribute-condition.js';
import { ATTRIBUTE_STEPS } from './attributes/tables/attribute-steps.js';
import { Attributes } from './attributes/tables/attributes.js';
import type { Rooms } from './store/rooms.js';
import { Store, type StoreOptions } from './store/store.js';
import { openInReplica, type SharedPlace } from './store/shared/replica-folder.js';
import { ATTRIBUTE_FORMS } from './words/attribute-forms.js';
import type { TermMaker } from './words/indexed-terms.js';
import { WORD_STEPS } from './words/tables/word-steps.js';
import { WordTables } from './words/tables/word-tables.js';

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
  /** Where the parts of a library in PostgreSQL are; absent: the library is a folder. */
  readonly shared?: SharedPlace;
}

/**
 * Opens the store in a folder, or at the URL of a database, with the tables of all modules.
 * @throws EngineError `LIBRARY_LOCKED`, `LIBRARY_UNREADABLE`, `LIBRARY_DAMAGED`, `STORAGE_FAILED`.
 */
export function openLibrary(folder: string, options: LibraryOptions): Promise<Library> {
  const { attributeForms = ATTRIBUTE_FORMS, terms, shared, ...others } = options;
  const ofStore: StoreOptions<LibraryRooms> = {
    ...others,
    rooms: {
      steps: [ATTRIBUTE_STEPS, WORD_STEPS, ACCOUNT_STEPS],
      open: (catalog) => ({
        attributes: new Attributes(catalog.database, attributeForms),
        words: new WordTables(catalog, terms),
        accounts: new AccountRecords(catalog),
      }),
    },
  };
  return shared === undefined ? Store.open(folder, ofStore) : openInReplica(folder, ofStore, shared);
}
