// Child process of crash.test.ts. Does a fixed series of puts and deletes and writes a line for each that was
// acknowledged. scenario.mjs LIBRARY KILL_BEFORE : kills itself before write step KILL_BEFORE (0: never), counted over
// the whole run.
import { writeSync } from 'node:fs';
import { watchWriteSteps } from '../fixtures/write-steps.mjs';
import { boxStl } from '../fixtures/box.mjs';

const [library, killBefore] = [process.argv[2], Number(process.argv[3])];
const tell = (line) => writeSync(1, `${JSON.stringify(line)}\n`);

let count = 0;
await watchWriteSteps((step) => {
  count++;
  if (killBefore === 0) tell({ step });
  if (count === killBefore) process.kill(process.pid, 'SIGKILL');
});
const { Engine } = await import('../../dist/index.js');

const engine = await Engine.open(library, { workers: 1 });
const acme = await engine.company('acme');
const act = async (name, work) => {
  tell({ begin: name });
  const record = await work();
  tell({ end: name, uid: record?.uid, state: record?.state });
  return record;
};
const a = await act('put a', () => acme.put('a.stl', boxStl(1, 2, 3), { wait: false, attributes: ['n=1'] }));
await act('put twin', () => acme.put('twin.stl', boxStl(1, 2, 3)));
await act('put b', () => acme.put('b.stl', boxStl(2, 2, 3), { attributes: ['n=2'] }));
await act('replace a', () => acme.put('a.stl', boxStl(3, 2, 3), { attributes: ['n=3'] }));
await act('put low', () => acme.put('low.stl', boxStl(4, 2, 3), { wait: false, priority: 4 }));
await act('delete twin', async () => acme.delete((await acme.list({ prefix: 'twin' }))[0].uid));
await act('delete a', () => acme.delete(a.uid));
await engine.close();
tell({ end: 'close' });
