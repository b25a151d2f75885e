/**
 * Thumbnails of every file below a folder: their look, their time and their size.
 *
 * Printed, by kind of content: how long reading a file and drawing its thumbnails as indexing does took in this thread,
 * and how large the thumbnails are (median, 95th percentile, largest); then the files that could not be drawn. FILE.png
 * shows the small thumbnails, with --large the large ones.
 *
 * npm run bench -- pictures --data DIR --out FILE.png [--kinds drawing,image,document,model] [--most 500] [--columns 8]
 *     [--large]
 */
import { readFile as readBytes, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { contactSheet } from '../dist/pictures/contact-sheet.js';
import { Core } from '../dist/core/core.js';
import { DEFAULT_LIMITS, FILE_EXTENSIONS } from '../dist/index.js';
import { drawThumbnails } from '../dist/indexing/worker/draw-file.js';
import { readFile } from '../dist/readers/read.js';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    out: { type: 'string' },
    kinds: { type: 'string', default: 'model,drawing,image,document' },
    most: { type: 'string', default: '500' },
    columns: { type: 'string', default: '8' },
    large: { type: 'boolean', default: false },
  },
});
if (values.data === undefined || values.out === undefined) throw new Error('--data DIR and --out FILE are required');
const kinds = new Set(values.kinds.split(','));
const core = await Core.load();
const known = new Set([...FILE_EXTENSIONS].map((extension) => `.${extension.replace(/^\./, '')}`));
const paths = readdirSync(values.data, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && known.has(extname(entry.name).toLowerCase()))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort();

const times = new Map();
const tiles = [];
const failures = [];
for (const path of paths) {
  if (tiles.length === Number(values.most)) break;
  const name = path.slice(values.data.length + 1);
  const bytes = new Uint8Array(await readBytes(path));
  const began = performance.now();
  let read;
  try {
    read = await readFile(bytes, name, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
  } catch (cause) {
    failures.push(`${name}: not read: ${cause.code ?? cause.message}`);
    continue;
  }
  const { kind, format } = read.content;
  if (!kinds.has(kind)) continue;
  const readMs = performance.now() - began;
  const figures = times.get(kind) ?? { readMs: [], drawMs: [], cpuMs: [], smallBytes: [], largeBytes: [] };
  times.set(kind, figures);
  const start = performance.now();
  const cpu = process.cpuUsage();
  const drawn = await drawThumbnails(read, { core, limits: DEFAULT_LIMITS, endMs: start + DEFAULT_LIMITS.timeoutMs });
  const drawMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  if (drawn === undefined) failures.push(`${name} (${kind})`);
  else {
    figures.readMs.push(readMs);
    figures.drawMs.push(drawMs);
    figures.cpuMs.push((user + system) / 1_000);
    figures.smallBytes.push(drawn.small.length);
    if (drawn.large !== undefined) figures.largeBytes.push(drawn.large.length);
  }
  tiles.push({
    title: name,
    caption: `${kind} ${format}, ${drawMs.toFixed(0)} ms`,
    png: values.large ? drawn?.large : drawn?.small,
  });
}
await writeFile(
  values.out,
  await contactSheet(tiles, { columns: Number(values.columns), tileSize: values.large ? 480 : 200 }),
);

console.log(`${tiles.length} files of ${paths.length}; sheet in ${values.out}`);
for (const [kind, figures] of times) {
  console.log(
    `${kind}: ${figures.readMs.length} drawn; read ${spread(figures.readMs)} ms; drawn ${spread(figures.drawMs)} ms, ${spread(figures.cpuMs)} ms of processor time; ` +
      `small ${spread(figures.smallBytes.map(kib))} KiB, large (those drawn at once) ` +
      `${spread(figures.largeBytes.map(kib))} KiB`,
  );
}
for (const failure of failures) console.log(`not drawn: ${failure}`);

function spread(list) {
  if (list.length === 0) return 'none';
  const sorted = list.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
  return `${at(0.5).toFixed(0)} / ${at(0.95).toFixed(0)} / ${(sorted.at(-1) ?? NaN).toFixed(0)}`;
}

function kib(bytes) {
  return bytes / 1024;
}
