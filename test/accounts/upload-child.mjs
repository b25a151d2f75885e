// Child process of callbacks.test.ts. upload-child.mjs LIBRARY FIRST URL : puts files that want callbacks without end,
// the first numbered FIRST, sends what is due, and writes a line for each upload that was acknowledged.
import { writeSync } from 'node:fs';
import { Engine } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';

const [library, first, url] = [process.argv[2], Number(process.argv[3]), process.argv[4]];
const tell = (line) => writeSync(1, `${JSON.stringify(line)}\n`);

const engine = await Engine.open(library, { workers: 1 });
const acme = await engine.company('acme');
await engine.accounts.setCallback('acme', { url, allow: ['127.0.0.1'] });
engine.accounts.sendCallbacks(async (event) => JSON.stringify(event));
tell({ open: true });
for (let number = first; ; number++) {
  const { uid } = await acme.put(`${number}.stl`, boxStl(1 + number, 2, 3), {
    wait: number % 3 === 0,
    callbackParam: `n:${number}`,
  });
  tell({ end: number, uid });
}
