// Merges the segments of a library's index of texts step by step, until it is killed: node text-merger.mjs LIBRARY
import { TERM_MAKER } from '../../dist/words/file-terms.js';
import { openLibrary } from '../../dist/library.js';

const store = await openLibrary(process.argv[2], {
  fileBytesLimit: 1e6,
  crashLimit: 1_000,
  terms: TERM_MAKER,
});
for (let step = 0; await store.rooms.words.merge(3); step++) if (step === 2) process.stdout.write('begun\n');
process.stdout.write('ended\n');
