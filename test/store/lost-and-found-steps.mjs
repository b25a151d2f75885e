// Child process of lost-and-found.test.ts. Opens and closes a library, and writes a line for each step by which this
// changes the disk. lost-and-found-steps.mjs LIBRARY KILL_BEFORE : kills itself before step KILL_BEFORE (0: never).
import { writeSync } from 'node:fs';
import { watchWriteSteps } from '../fixtures/write-steps.mjs';

const [library, killBefore] = [process.argv[2], Number(process.argv[3])];
let count = 0;
await watchWriteSteps((step) => {
  count++;
  if (killBefore === 0) writeSync(1, `${step}\n`);
  if (count === killBefore) process.kill(process.pid, 'SIGKILL');
});
const { Engine } = await import('../../dist/index.js');
await (await Engine.open(library, { workers: 1 })).close();
