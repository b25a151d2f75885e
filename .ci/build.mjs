#!/usr/bin/env node
/**
 * Builds dist/: the kernels, the TypeScript, the data files beside it, the page.
 *
 *   node .ci/build.mjs                    everything, from an empty dist/
 *   node .ci/build.mjs wasm|ts|data|page  these steps alone, over what is there
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

const STEPS = { wasm: buildKernels, ts: compileTypeScript, data: copyData, page: buildPage };

const wanted = process.argv.slice(2);
const unknown = wanted.filter((step) => !(step in STEPS));
if (unknown.length > 0) fail(`no such step: ${unknown.join(', ')}; there are ${Object.keys(STEPS).join(', ')}`);
process.chdir(ROOT);
if (wanted.length === 0) rmSync('dist', { recursive: true, force: true });
for (const step of wanted.length === 0 ? Object.keys(STEPS) : wanted) await STEPS[step]();

async function buildKernels() {
  const { main } = await import('assemblyscript/asc');
  const { error, stderr } = await main(['assembly/index.ts', '--config', 'asconfig.json', '--target', 'release']);
  // Binaryen's optimiser says so when its last pass made the code larger again; the module is fine.
  const said = stderr.toString().replace(/^Last converge was suboptimal\.\s*/m, '');
  if (said !== '') console.error(said);
  if (error) fail('the kernels do not compile');
}

/** src into dist; the kit of parts, which the command line makes its sample of, into dist/parts. */
function compileTypeScript() {
  const tsc = require.resolve('typescript/bin/tsc');
  node(tsc, '-p', 'tsconfig.json');
  node(tsc, '-p', 'bench/parts/tsconfig.json');
}

/** Data files lie beside the code that reads them, in src as in dist. */
function copyData() {
  for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.bin')) cpSync(join('src', name), join('dist', name));
  }
}

function buildPage() {
  const vite = join(dirname(require.resolve('vite/package.json')), 'bin', 'vite.js');
  node(
    vite,
    'build',
    'src/page',
    '--base',
    './',
    '--outDir',
    '../../dist/page',
    '--emptyOutDir',
    '--logLevel',
    'error',
  );
}

function node(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
