/**
 * Builds the product, then runs one bench: `npm run bench -- NAME [options]`. Without a name it lists the benches, each
 * with the first sentence of its head. Their data and results are described in README.md beside this file.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { purposeOf } from './support/heads.mjs';

const HERE = new URL('.', import.meta.url);
const ROOT = fileURLToPath(new URL('..', HERE));

/** Benches whose data needs a larger heap of JavaScript than Node's own limit, MiB. */
const HEAP_MIB = { text: 8_192 };

const [name, ...options] = process.argv.slice(2);
if (name === undefined) {
  for (const bench of benches()) console.log(`${bench.padEnd(22)} ${purposeOf(new URL(`${bench}.mjs`, HERE))}`);
} else if (!benches().includes(name)) {
  console.error(`there is no bench '${name}'; there are ${benches().join(', ')}`);
  process.exitCode = 2;
} else {
  process.exitCode =
    node('.ci/build.mjs') ||
    node(...(name in HEAP_MIB ? [`--max-old-space-size=${HEAP_MIB[name]}`] : []), `bench/${name}.mjs`, ...options);
}

/**
 * The benches: every other file directly in this folder, and the programs that regenerate the learned tables, as
 * `learn/NAME`.
 */
function benches() {
  const named = (folder, prefix) =>
    readdirSync(new URL(folder, HERE))
      .filter((file) => file.endsWith('.mjs') && file !== 'run.mjs')
      .map((file) => `${prefix}${file.slice(0, -4)}`)
      .sort();
  return [...named('.', ''), ...named('learn', 'learn/')];
}

function node(...args) {
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}
