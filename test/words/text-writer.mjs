// Puts, replaces and indexes text files in a library, on and on, until it is killed: node text-writer.mjs LIBRARY
import { TERM_MAKER } from '../../dist/words/file-terms.js';
import { openLibrary } from '../../dist/library.js';

const store = await openLibrary(process.argv[2], {
  fileBytesLimit: 1e6,
  crashLimit: 1_000,
  terms: TERM_MAKER,
});
const companyId = await store.company('acme');
for (let round = 0; ; round++) {
  const first = Math.floor(40 * Math.random());
  await Promise.all(
    [0, 1, 2].map(async (n) => {
      const { fileId } = await store.put({
        companyId,
        path: `${first + n}.txt`,
        overwrite: true,
        textOnly: true,
        kind: 'Text',
        priority: 3,
        source: new TextEncoder().encode(`${round} ${n} ${Math.random()}`),
      });
      await store.jobs.complete(fileId, {
        kind: 'Text',
        warnings: [],
        contentVersion: 1,
        faceCount: null,
        pageCount: 1,
        pages: [{ number: 1, name: '', text: `common text ${'x '.repeat(round % 50)}` }],
        extracted: [{ name: 'n', unit: '', value: 'common' }],
      });
    }),
  );
  if (round === 2) process.stdout.write('begun\n');
}
