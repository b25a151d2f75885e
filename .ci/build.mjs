#!/usr/bin/env node
/**
 * Builds dist/: the kernels, the TypeScript, the data files beside it, the page.
 *
 *   node .ci/build.mjs                    everything; kernels and page only if what they are made of changed
 *   node .ci/build.mjs wasm|ts|data|page  these steps alone, over what is there
 *   node .ci/build.mjs types              checks the types of tests, benches and page; writes nothing
 *
 * What the last build was made of is kept below node_modules/.cache. Without dist/ everything is built.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

const STEPS = { wasm: buildKernels, ts: compileTypeScript, data: copyData, page: buildPage };
const CHECKS = { types: checkTypes };

const CACHE = join('node_modules', '.cache', 'shapedex');
/** The compiled modules, before they are bundled. */
const MODULES = join(CACHE, 'modules');

/** Steps that are left out of a whole build while their sources are as they were and their result is there. */
const KEPT = {
  wasm: { sources: ['assembly', 'asconfig.json', 'package-lock.json'], result: 'dist/core/shapedex.wasm' },
  page: { sources: ['src', 'package-lock.json', 'tsconfig.json'], result: 'dist/page/index.html' },
};

const wanted = process.argv.slice(2);
const KNOWN = { ...STEPS, ...CHECKS };
const unknown = wanted.filter((step) => !(step in KNOWN));
if (unknown.length > 0) fail(`no such step: ${unknown.join(', ')}; there are ${Object.keys(KNOWN).join(', ')}`);
process.chdir(ROOT);
if (!existsSync('dist')) rmSync(CACHE, { recursive: true, force: true });
mkdirSync(CACHE, { recursive: true });
for (const step of wanted.length === 0 ? Object.keys(STEPS) : wanted) await run(step);
if (wanted.length === 0) {
  removeOrphans(join('dist', 'parts'), join('bench', 'parts'));
}

async function run(step) {
  const kept = KEPT[step];
  if (kept === undefined) return KNOWN[step]();
  const stamp = join(CACHE, step);
  const now = digestOf(kept.sources);
  const isThere = existsSync(kept.result) && existsSync(stamp) && readFileSync(stamp, 'utf8') === now;
  if (wanted.length === 0 && isThere) return;
  rmSync(stamp, { force: true });
  await STEPS[step]();
  writeFileSync(stamp, now);
}

/** Of the names and bytes of files and of all files in folders. */
function digestOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const isFolder = statSync(path).isDirectory();
    const names = isFolder ? readdirSync(path, { recursive: true, encoding: 'utf8' }).sort() : [''];
    for (const name of names.map((inside) => join(path, inside))) {
      if (statSync(name).isFile()) hash.update(name).update('\0').update(readFileSync(name)).update('\0');
    }
  }
  return hash.digest('hex');
}

/** What was compiled of sources that are gone. */
function removeOrphans(folder, source) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (folder === 'dist' && /^(page|parts|chunks)([\\/]|$)/.test(name)) continue;
    const base = /^(.*?)(?:\.d)?\.[jt]s$/.exec(name)?.[1];
    if (base !== undefined && !existsSync(join(source, `${base}.ts`))) rmSync(join(folder, name));
    if (name.endsWith('.bin') && !existsSync(join(source, name))) rmSync(join(folder, name));
  }
}

async function buildKernels() {
  const { main } = await import('assemblyscript/asc');
  const { error, stderr } = await main(['assembly/index.ts', '--config', 'asconfig.json', '--target', 'release']);
  // Binaryen's optimiser says so when its last pass made the code larger again; the module is fine.
  const said = stderr.toString().replace(/^Last converge was suboptimal\.\s*/m, '');
  if (said !== '') console.error(said);
  if (error) fail('the kernels do not compile');
}

/**
 * src into dist, its modules through the bundler; the kit of parts, which the command line makes its sample of, into
 * dist/parts.
 */
async function compileTypeScript() {
  compile('tsconfig.json', 'src', '--outDir', MODULES, '--declarationDir', 'dist');
  removeOrphans(MODULES, 'src');
  await bundle(MODULES, 'dist');
  removeOrphans('dist', 'src');
  compile('bench/parts/tsconfig.json', 'parts');
}

function checkTypes() {
  compile('test/tsconfig.json', 'test');
  compile('src/page/tsconfig.json', 'page-types');
}

/** The compiler of TypeScript 7; `typescript-5` is the library that `test/house.test.ts` reads the sources with. */
function compile(project, name, ...options) {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  node(tsc, '-p', project, '--incremental', '--tsBuildInfoFile', join(CACHE, `${name}.tsbuildinfo`), ...options);
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
