// Merges the segments of a library's index of texts step by step, until it is killed: node text-merger.mjs LIBRARY
import { ATTRIBUTE_FORMS } from '../../dist/words/attribute-forms.js';
import { TERM_MAKER } from '../../dist/words/file-terms.js';
import { Store } from '../../dist/store/store.js';

const store = await Store.open(process.argv[2], {
  fileBytesLimit: 1e6,
  crashLimit: 1_000,
  attributeForms: ATTRIBUTE_FORMS,
  terms: TERM_MAKER,
});
for (let step = 0; await store.mergeTerms(3); step++) if (step === 2) process.stdout.write('begun\n');
process.stdout.write('ended\n');
