// Opens a library with other normal forms than it was written with, and brings it to them until it is killed:
// node other-forms.mjs LIBRARY [make]. `make`: ends when all is done.
import { ATTRIBUTE_FORMS } from '../../dist/words/attribute-forms.js';
import { openLibrary } from '../../dist/library.js';

/** Signs do not count in names and values, and each value is also found by its terms backwards. */
export const OTHER_FORMS = {
  ...ATTRIBUTE_FORMS,
  version: ATTRIBUTE_FORMS.version + 1,
  key: (text) => ATTRIBUTE_FORMS.key(text).replaceAll('-', ''),
  terms: (text, unit) => {
    const terms = ATTRIBUTE_FORMS.terms(text, unit);
    return [...new Set([...terms, ...terms.map((term) => [...term].reverse().join(''))])];
  },
};

if (process.argv[3] === 'make') {
  const store = await openLibrary(process.argv[2], {
    fileBytesLimit: 1e6,
    crashLimit: 1_000,
    attributeForms: OTHER_FORMS,
  });
  process.stdout.write('opened\n');
  await store.rooms.attributes.make(undefined, { isWaited: true });
  await store.close();
}
