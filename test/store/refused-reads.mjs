import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FaultState } from '../../bench/campaigns/support/faults.mjs';
import { Engine } from '../../dist/index.js';

// Opens and verifies a library while all reads from the n-th on fail with EIO, for growing n; prints what was said.

const [, , root, state] = process.argv;
const faults = new FaultState(state);
const [library, copy] = [join(root, 'library'), join(root, 'copy')];
const engine = await Engine.open(library, { workers: 1 });
const company = await engine.company('acme');
for (let i = 0; i < 40; i++) await company.put(`${i}.txt`, Buffer.from(`text ${i} `.repeat(500)), { wait: false });
await engine.idle();
await engine.close();

const said = new Set();
for (let at = 1; ; at += at < 16 ? 1 : 12) {
  rmSync(copy, { recursive: true, force: true });
  cpSync(library, copy, { recursive: true });
  faults.arm({ call: 'read', error: 'EIO', at, length: 2 ** 31 });
  let opened;
  try {
    opened = await Engine.open(copy, { workers: 1 });
    for (const { code } of (await opened.verify()).problems) said.add(code);
  } catch (cause) {
    said.add(cause.code ?? String(cause));
  }
  await opened?.close().catch((cause) => said.add(cause.code ?? String(cause)));
  if (faults.disarm().failed === 0) break;
}
process.stdout.write(JSON.stringify([...said].sort()));
