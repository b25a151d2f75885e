/**
 * Writes compiled modules into dist/ so that a process opens few files: what the entries need at once lies together in
 * dist/chunks, and each module keeps its own file that hands on its exports. Starting Node on 330 small files takes
 * .75 s of processor time, on these .3 s, and the command line, reading processes and graph workers start all the time.
 *
 * A chunk holds the modules that the same entries reach by static imports, so nothing is loaded that was not loaded
 * before, and chunks cannot need each other in circles. What no entry reaches (modules that are imported when used)
 * stays alone.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, resolve, sep } from 'node:path';
import { rolldown } from 'rolldown';

/** Runs when it is loaded, so it is in no chunk, whose other modules somebody may want alone. */
const WORKER = 'indexing/worker/worker.js';

/** What hosts import and what processes start with; what is imported when it is used comes to these. */
const ENTRIES = ['core-entry.js', 'index.js', 'accounts/index.js', 'http/index.js', 'cli/program.js', WORKER];

const CHUNKS = 'chunks';

/** from: folder of compiled modules; into: dist. Files that are as they were are not written again. */
export async function bundle(from, into) {
  const root = resolve(from);
  const nameOf = (id) => id.slice(root.length + 1).replaceAll(sep, '/');
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => name.replaceAll(sep, '/'));
  let reached;
  const bundled = await rolldown({
    input: Object.fromEntries(names.map((name) => [name.slice(0, -3), join(root, name)])),
    external: (id) => !/^[./]|^[a-z]:[\\/]/i.test(id),
    platform: 'neutral',
    preserveEntrySignatures: 'allow-extension',
    treeshake: false,
    logLevel: 'warn',
    plugins: [{ name: 'places', transform: (code, id) => markPlaces(code, nameOf(id)), renderChunk: writePlaces }],
  });
  const { output } = await bundled.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${CHUNKS}/[name].js`,
    // The default removes calls whose value is not used, such as decodeURIComponent in a try, which is there to throw.
    minify: false,
    minifyInternalExports: false,
    comments: { legal: true, annotation: true, jsdoc: false },
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          debugName: 'entries',
          name(id, modules) {
            reached ??= chunksOf(
              ENTRIES.map((entry) => join(root, entry)),
              modules,
              nameOf,
              root,
            );
            return reached.get(id) ?? null;
          },
        },
      ],
    },
  });
  await bundled.close();
  for (const { fileName, code } of output) write(join(into, fileName), code);
  const made = new Set(output.map(({ fileName }) => fileName));
  const chunks = join(into, CHUNKS);
  for (const name of readdirSync(chunks)) if (!made.has(`${CHUNKS}/${name}`)) rmSync(join(chunks, name));
}

function write(path, code) {
  if (existsSync(path) && readFileSync(path, 'utf8') === code) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, code);
}

/** Of each module that an entry imports, at once or through others: the name of its chunk, by the entries. */
function chunksOf(entries, modules, nameOf, root) {
  const by = new Map();
  const waiting = [...entries];
  for (const entry of waiting) {
    const seen = new Set();
    const visit = (id) => {
      if (!id.startsWith(root) || seen.has(id)) return;
      seen.add(id);
      const info = modules.getModuleInfo(id);
      for (const lazy of info.dynamicallyImportedIds)
        if (lazy.startsWith(root) && !waiting.includes(lazy)) waiting.push(lazy);
      info.importedIds.forEach(visit);
    };
    visit(entry);
    for (const id of seen) if (nameOf(id) !== WORKER) by.set(id, [...(by.get(id) ?? []), nameOf(entry)]);
  }
  return new Map(
    [...by].map(([id, of]) => [
      id,
      of.length === 1 ? of[0].slice(0, -'.js'.length).replaceAll('/', '-') : `shared-${digest(of.join(' '))}`,
    ]),
  );
}

const digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** `import.meta.url` is that of the chunk; places that modules name from there are written anew. */
function markPlaces(code, name) {
  if (!code.includes('import.meta.url')) return null;
  return code
    .replace(
      /new URL\('(\.[^']*)', import\.meta\.url\)/g,
      (_, path) => `new URL('PLACE:${posix.join(posix.dirname(name), path)}', import.meta.url)`,
    )
    .replace(
      /createRequire\(import\.meta\.url\)\('(\.[^']*)'\)/g,
      (_, path) => `createRequire(import.meta.url)('PLACE:${posix.join(posix.dirname(name), path)}')`,
    );
}

function writePlaces(code, { fileName }) {
  return code.replace(/(["'`])PLACE:([^"'`]*)\1/g, (_, quote, path) => {
    const relative = posix.relative(posix.dirname(fileName), path) || '.';
    return quote + (relative.startsWith('.') ? relative : `./${relative}`) + (path.endsWith('/') ? '/' : '') + quote;
  });
}
