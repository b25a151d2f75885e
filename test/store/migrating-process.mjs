/**
 * Moves a library and kills itself at a report of its progress. Arguments: from, to, folder of the bytes, number of the
 * report (from 1); it ends by itself where there are fewer.
 */
import { Engine } from '../../dist/index.js';

const [from, to, blobs, last] = process.argv.slice(2);
let reports = 0;
await Engine.migrate(from, to, {
  blobs,
  onProgress: () => {
    if (++reports === Number(last)) process.kill(process.pid, 'SIGKILL');
  },
});
