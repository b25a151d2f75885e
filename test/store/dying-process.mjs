/**
 * A process of a library in PostgreSQL that indexes, and is killed when it begins to read one of its files; it writes a
 * line for each that it takes. Arguments: URL, folder of the bytes, folder of the replica, lease in ms, path of the
 * file.
 */
import { writeSync } from 'node:fs';
import { Engine } from '../../dist/index.js';
import { Jobs } from '../../dist/store/catalog/jobs.js';

const [url, blobs, replica, leaseMs, killer] = process.argv.slice(2);
const { claim } = Jobs.prototype;
Jobs.prototype.claim = async function (...args) {
  const jobs = await claim.apply(this, args);
  if (jobs.length > 0) writeSync(1, `${jobs.map(({ path }) => path).join()}\n`);
  if (jobs.some(({ path }) => path === killer)) process.kill(process.pid, 'SIGKILL');
  return jobs;
};
await Engine.open(url, { blobs, replica, workers: 3, pictures: 'none', leaseMs: Number(leaseMs) });
setInterval(() => undefined, 60_000);
