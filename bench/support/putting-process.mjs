/**
 * A process that puts into a library for `many-processes`: opens it, says so, waits for a message, puts for some
 * seconds and says what it did. Arguments: URL, folder of the bytes and replicas, number of the process, seconds, puts
 * at a time.
 */
import { join } from 'node:path';
import { Engine } from '../../dist/index.js';
import { boxStl } from '../../test/fixtures/box.mjs';

const [url, folder, number, seconds, atATime] = process.argv.slice(2);
const engine = await Engine.open(url, {
  blobs: join(folder, 'bytes'),
  replica: join(folder, `replica-${number}`),
  workers: 0,
  pictures: 'none',
});
const acme = await engine.company('acme');
process.send('open');
await new Promise((resolve) => process.once('message', resolve));

const before = process.cpuUsage();
const start = performance.now();
const until = start + 1_000 * Number(seconds);
let puts = 0;
await Promise.all(
  Array.from({ length: Number(atATime) }, async (_, lane) => {
    for (let at = 0; performance.now() < until; at++) {
      const bytes = boxStl(1 + lane, 2 + at / 1_000, 3 + Number(number));
      const attributes = [`Width(mm)=${at % 50}`, 'Material=Steel'];
      await acme.put(`${number}/${lane}/${at}.stl`, bytes, { wait: false, attributes });
      puts++;
    }
  }),
);
const { user, system } = process.cpuUsage(before);
const perSecond = (1_000 * puts) / (performance.now() - start);
process.send({ puts, perSecond, cpuMs: (user + system) / 1_000 });
process.disconnect();
await engine.close();
