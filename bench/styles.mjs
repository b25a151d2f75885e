/**
 * Drawings of every style → their model: how often the model comes first, by what the page is made of.
 *
 * Measured: the place of the right model for the same sheet as a PDF of lines, a shaded PDF, a scan of lines, a scan of
 * shaded views, a faint scan of shaded views, a scan of lines by hand, and a PDF beside another part; and for long
 * parts drawn with a break, as a PDF and as a scan. The rest of the style (angle of projection, views, dimensions,
 * frame, paper) is drawn by the seed, and equal in all rows.
 *
 * Data: drawings made by code (parts/drawings.mjs), two parts of each family, and where they can be stretched the same
 * parts as long ones; all are stored, every second one is asked for.
 *
 * npm run bench -- styles [--parts N] [--queries N] [--seed N] [--library DIR] [--rows WORD,…] [--failures] [--json]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from 'shapedex';
import { binaryStl } from '../dist/parts/mesh-files.js';
import { longPart } from './parts/drawings/long-parts.mjs';
import { drawSheet, isBreakable, partsOfSheets } from './parts/drawings.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';
import { seededRandom } from './support/software-camera.mjs';

const ROWS = Object.freeze({
  lines: { file: 'lines', shading: 'none' },
  shaded: { file: 'lines', shading: 'all' },
  scan: { file: 'scan', shading: 'none', isFaint: false },
  'shaded-scan': { file: 'scan', shading: 'all', isFaint: false },
  'faint-shaded-scan': { file: 'scanned pdf', shading: 'all', isFaint: true },
  'by-hand': { file: 'scan', shading: 'none', isFaint: false, isByHand: true },
  several: { file: 'lines', shading: 'none' },
  broken: { file: 'lines', shading: 'none', isBroken: true },
  'broken-scan': { file: 'scan', shading: 'none', isFaint: false, isBroken: true },
});
const BREAK_LINES = ['wave', 'zigzag', 'none'];
/** How far the other part of a sheet with several is from the one asked for, in the list of parts. */
const BESIDE = 7;
const FIRST_TEN = 10;

const args = benchOptions({
  parts: { type: 'string', default: '160' },
  queries: { type: 'string', default: '80' },
  seed: { type: 'string', default: '1' },
  library: { type: 'string' },
  rows: { type: 'string', default: Object.keys(ROWS).join() },
  failures: { type: 'boolean', default: false },
});
const seed = Number(args.seed);
const most = Number(args.queries);
const parts = (await partsOfSheets({ seed, count: Number(args.parts) })).map(([part]) => part);
const longParts = parts.map((part, i) => {
  const long = longPart(part, seededRandom(1_000 * seed + i));
  return long !== undefined && isBreakable(long) ? long : undefined;
});
const folder = args.library ?? (await mkdtemp(join(tmpdir(), 'shapedex-styles-')));
const engine = await Engine.open(folder);
try {
  const company = await engine.company('styles');
  const known = new Set((await company.list()).map(({ path }) => path));
  for (const part of [...parts, ...longParts.filter((long) => long !== undefined)])
    if (!known.has(pathOf(part))) await company.put(pathOf(part), binaryStl(part, part.name), { wait: false });
  await engine.idle();
  const first = (list) => list.flatMap((part, i) => (part === undefined || i % 2 ? [] : [{ part, i }])).slice(0, most);
  console.log(`${parts.length} parts and long ones of them are stored; ${await machine()}`);
  const report = {};
  for (const row of args.rows.split(',')) {
    const found = [];
    const { isBroken = false } = ROWS[row];
    for (const { part, i } of first(isBroken ? longParts : parts)) {
      const shown = row === 'several' ? [part, parts[(i + BESIDE) % parts.length]] : [part];
      const style = { ...ROWS[row], breakLine: BREAK_LINES[i % BREAK_LINES.length] };
      found.push(await ask(company, shown, await drawSheet(shown, 1_000 * seed + i, style)));
    }
    report[row] = found;
    console.log(lineOf(row, found));
    for (const { name, place, views, missing } of found)
      if (args.failures && place > 1)
        console.log(`    ${name}: ${place} (${views} views${missing ? `, ${missing}` : ''})`);
  }
  if (args.json) console.log(JSON.stringify(report));
} finally {
  await engine.close();
  if (args.library === undefined) await rm(folder, { recursive: true, force: true });
}

/**
 * The place of a part's model for a sheet, without the models of others that the sheet shows; Infinity where the sheet
 * cannot be asked with.
 */
async function ask(company, [part, ...others], { bytes, extension, views }) {
  const base = { name: part.name, views: views.length };
  const { uid, state, kind, warnings } = await company.putInput(bytes, { extension });
  if (state !== 'indexed') return { ...base, place: Infinity, missing: state };
  if (kind === 'Text') return { ...base, place: Infinity, missing: 'taken for a document' };
  if (warnings.some(({ code }) => code === 'VIEWS_MISSING')) return { ...base, place: Infinity, missing: 'no views' };
  const { hits } = await company.search({ like: { uid }, kinds: ['ThreeD'], limit: 1_000, highlights: false });
  const places = hits.filter(({ path }) => others.every((other) => path !== pathOf(other)));
  return { ...base, place: places.findIndex(({ path }) => path === pathOf(part)) + 1 || Infinity };
}

function pathOf({ name }) {
  return `${name}.stl`;
}

function lineOf(name, found) {
  const share = (within) =>
    `${((100 * found.filter(({ place }) => place <= within).length) / found.length).toFixed(1)} %`.padStart(7);
  const places = found.map(({ place }) => place);
  const missing = places.filter((place) => place === Infinity).length;
  return (
    `${name.padEnd(18)} ${String(found.length).padStart(3)} queries  first ${share(1)}  first ten ${share(FIRST_TEN)}  median ${quantile(places, 0.5)}` +
    (missing > 0 ? `  without an answer ${missing}` : '')
  );
}
