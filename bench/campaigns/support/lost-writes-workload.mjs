// Child process of the campaign lost-writes: puts, replaces, renames, deletes and labels files in two sessions, and
// writes a line to ACKS before each step and after it was acknowledged. lost-writes-workload.mjs LIBRARY ACKS SEED
import { openSync, writeSync } from 'node:fs';
import { Engine } from '../../../dist/index.js';
import { mulberry32 } from '../../parts/reference/kit.mjs';
import { bytesOf } from './written-files.mjs';

const [library, acks, seed] = [process.argv[2], openSync(process.argv[3], 'a'), Number(process.argv[4])];
const random = mulberry32(seed);
const below = (end) => Math.floor(end * random());
const tell = (line) => writeSync(acks, `${JSON.stringify(line)}\n`);

let step = 0;
let number = 0;
/** Path -> content number and UID of what is stored. */
const stored = new Map();

for (const steps of [28, 14]) {
  const engine = await Engine.open(library, { workers: 1, pictures: 'none' });
  const company = await engine.company('acme');
  for (let count = 0; count < steps; count++) await oneStep(company);
  await engine.idle();
  await engine.close();
}

/** Tells what a step will make of which paths (null: nothing), does it, and tells that it was acknowledged. */
async function told(changes, work) {
  const own = step++;
  tell({ begin: own, changes });
  await work();
  tell({ end: own });
}

async function oneStep(company) {
  const paths = [...stored.keys()];
  const path = paths[below(paths.length)];
  const kind = paths.length < 4 ? 0 : random();
  if (kind < 0.35) await putMany(company, 1);
  else if (kind < 0.55) await putMany(company, 6);
  else if (kind < 0.7) await put(company, path, ++number);
  else if (kind < 0.75) await put(company, path, stored.get(path).content);
  else if (kind < 0.87) {
    await told({ [path]: null }, () => company.delete(stored.get(path).uid));
    stored.delete(path);
  } else {
    const { uid, content } = stored.get(path);
    const to = `renamed ${++number}.txt`;
    await told({ [path]: null, [to]: content }, () => company.rename(uid, to));
    stored.delete(path);
    stored.set(to, { uid, content });
  }
}

async function putMany(company, count) {
  await Promise.all(Array.from({ length: count }, () => put(company, `${number}.txt`, ++number)));
}

async function put(company, path, content) {
  await told({ [path]: content }, async () => {
    const { uid } = await company.put(path, bytesOf(content), { wait: false });
    stored.set(path, { uid, content });
  });
}
