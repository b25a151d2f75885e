/**
 * A process of a library in PostgreSQL: puts one file after the other without end, indexes, and writes a line for each
 * put that was acknowledged. Arguments: URL, folder of the bytes, folder of the replica, first number, lease in ms.
 */
import { Engine } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';

const [url, blobs, replica, tag, leaseMs] = process.argv.slice(2);
const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const engine = await Engine.open(url, {
  blobs,
  replica,
  workers: 1,
  pictures: 'none',
  leaseMs: Number(leaseMs),
});
const acme = await engine.company('acme');
tell({ open: true });
for (let number = 0; ; number++) {
  const path = `${tag} ${number}.stl`;
  try {
    const bytes = boxStl(1 + Number(tag) / 100, 2, 3 + number / 50);
    const { uid } = await acme.put(path, bytes, { wait: false, attributes: [`Width(mm)=${number}`] });
    tell({ uid, path });
  } catch (cause) {
    tell({ failed: cause.code, outage: cause.details?.outage, message: cause.message });
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
}
