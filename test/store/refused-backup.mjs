import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FaultState } from '../../bench/campaigns/support/faults.mjs';
import { Engine } from '../../dist/index.js';

// Backs up a library while the n-th opening of a file fails with EMFILE, for each n; prints how that ended.

const [, , root, state] = process.argv;
const faults = new FaultState(state);
const [library, copy] = [join(root, 'library'), join(root, 'copy')];
const engine = await Engine.open(library, { workers: 1 });
const company = await engine.company('acme');
for (let i = 0; i < 3; i++) await company.put(`${i}.txt`, Buffer.from(`text ${i}`), { wait: false });
await engine.idle();

const said = new Set();
for (let at = 1; ; at++) {
  rmSync(copy, { recursive: true, force: true });
  faults.arm({ call: 'open', error: 'EMFILE', at });
  try {
    const { damaged } = await engine.backup(copy);
    said.add(damaged.length === 0 ? 'whole' : `without ${damaged[0].fault}`);
  } catch (cause) {
    said.add(cause.code ?? String(cause));
  }
  if (faults.disarm().failed === 0) break;
}
await engine.close();
process.stdout.write(JSON.stringify([...said].sort()));
