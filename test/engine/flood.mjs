// Child process of crash.test.ts. flood.mjs LIBRARY FIRST : puts files without end, the first numbered FIRST, several
// at a time, some waiting for the index and some not, and writes a line for each that was begun and each that was
// acknowledged.
import { writeSync } from 'node:fs';
import { Engine } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';

const [library, first] = [process.argv[2], Number(process.argv[3])];
const tell = (line) => writeSync(1, `${JSON.stringify(line)}\n`);

const engine = await Engine.open(library, { workers: 2 });
const acme = await engine.company('acme');
tell({ open: true });
for (let number = first; ; number += 4) {
  await Promise.all(
    [0, 1, 2, 3].map(async (offset) => {
      const own = number + offset;
      const priority = own % 5 === 0 ? 4 : 3;
      tell({ begin: own, priority });
      const { uid, state } = await acme.put(`${own}.stl`, boxStl(1 + own, 2, 3), {
        wait: own % 16 === 1,
        priority,
        attributes: [`n=${own}`],
      });
      tell({ end: own, uid, state });
    }),
  );
}
