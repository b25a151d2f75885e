/**
 * Fields of title blocks: part number, name, material, finish, mass, scale, revision, general tolerance.
 *
 * Data: drawings made by code (drawings/title-blocks.mjs: ISO 7200, ASME Y14.1, the habits of four programs), whose
 * truths are exact; and real drawings of public repositories, labelled by eye (labels/title-blocks.json), whose bytes
 * are read from git directories MIRROR/OWNER+NAME/repo and checked by SHA-256. What is not there is said and left out.
 *
 * Measured: the share of fields that are right, of those that the drawing states or that were read. A field that was
 * read and is not there counts as wrong.
 *
 * npm run bench -- title-blocks [--seed 1] [--count 40] [--kind pdf-text | pdf-outlines | picture | scan | photo]
 *   [--mirror MIRROR] [--items]
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { DEFAULT_LIMITS } from '../dist/options.js';
import { readPmi } from '../dist/pmi/read-pmi.js';
import { readContent } from '../dist/readers/read.js';
import { pdfOf } from './drawings/pdf.mjs';
import { rasterOf } from './drawings/raster.mjs';
import { BLOCKS, titleSheetOf } from './drawings/title-blocks.mjs';
import { mirroredBytes } from './support/mirror.mjs';

const FIELDS = ['Part number', 'Name', 'Material', 'Finish', 'Mass', 'Scale', 'Revision', 'General tolerance'];

/** How a sheet is written, by the name of the kind. */
const KINDS = {
  'pdf-text': (page) => ({ extension: '.pdf', bytes: pdfOf(page, 'text') }),
  'pdf-outlines': (page) => ({ extension: '.pdf', bytes: pdfOf(page, 'outlines') }),
  picture: (page, seed) => rasterOf(page, 'picture', seed),
  scan: (page, seed) => rasterOf(page, 'scan', seed),
  photo: (page, seed) => rasterOf(page, 'photo', seed),
};

/** Counts of fields that are right. */
class Tally {
  asked = 0;
  right = 0;
  said = 0;
  fields = new Map();
  wrong = [];

  add(drawing, truth, read) {
    for (const name of FIELDS) {
      const [wanted, said] = [truth[name], read.get(name)];
      if (wanted === undefined && said === undefined) continue;
      const isRight = wanted !== undefined && said !== undefined && plain(wanted) === plain(said);
      const field = this.fields.get(name) ?? { asked: 0, right: 0 };
      this.fields.set(name, field);
      for (const count of [this, field]) {
        count.asked++;
        if (isRight) count.right++;
      }
      if (said !== undefined) this.said++;
      if (!isRight) this.wrong.push(`  ${drawing}: ${name}: ${wanted ?? 'nothing'}, read ${said ?? 'nothing'}`);
    }
  }

  toString() {
    return `${(this.right / Math.max(1, this.asked)).toFixed(3)} of ${this.asked} fields right, ${(this.right / Math.max(1, this.said)).toFixed(3)} of what is given`;
  }
}

/** One spelling: without regard to case and gaps; inches as a word. */
function plain(text) {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, '')
    .replace(/(?<=\d)"$/, 'in');
}

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '40' },
    kind: { type: 'string', default: 'pdf-text' },
    mirror: { type: 'string' },
    items: { type: 'boolean' },
  },
});

const write = KINDS[options.kind];
if (write === undefined) throw new Error(`no kind '${options.kind}'; there are ${Object.keys(KINDS).join(', ')}`);
const seed = Number(options.seed);
const perBlock = new Map();
const made = new Tally();
for (let number = seed; number < seed + Number(options.count); number++) {
  const { page, block } = titleSheetOf(number);
  const truth = Object.fromEntries(page.attributes.map(({ name, value }) => [name, value]));
  const tally = perBlock.get(block) ?? new Tally();
  perBlock.set(block, tally);
  const { bytes, extension } = await write(page, number);
  const read = await attributesOf(new Uint8Array(await bytes), `made${extension}`);
  for (const each of [made, tally]) each.add(`seed ${number} ${block}`, truth, read);
}
if (made.asked > 0)
  console.log(`made by code, ${options.kind}, seeds ${seed} to ${seed + Number(options.count) - 1}: ${made}`);
for (const block of BLOCKS.filter((name) => perBlock.has(name))) console.log(`  ${block}: ${perBlock.get(block)}`);
for (const [name, { asked, right }] of made.fields) console.log(`  ${name}: ${(right / asked).toFixed(3)} of ${asked}`);
if (options.items) console.log(made.wrong.join('\n'));

if (options.mirror === undefined) console.log('real drawings: not read (--mirror names the folder of git directories)');
else {
  const labels = JSON.parse(await readFile(new URL('labels/title-blocks.json', import.meta.url), 'utf8'));
  const real = new Tally();
  const missing = [];
  for (const label of labels) {
    const { repository, path, fields } = label;
    const bytes = mirroredBytes(options.mirror, label);
    if (bytes === undefined) missing.push(`${repository}/${path}`);
    else real.add(path, fields, await attributesOf(bytes, path));
  }
  console.log(`real drawings, ${labels.length - missing.length} of ${labels.length}: ${real}`);
  if (options.items) console.log(real.wrong.join('\n'));
  if (missing.length > 0) console.log(`not there, or with other bytes: ${missing.join(', ')}`);
}

async function attributesOf(bytes, name) {
  const content = await readContent(bytes, name.toLowerCase(), { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
  const found = content.kind === 'drawing' || content.kind === 'image' ? readPmi(content).attributes : [];
  return new Map(found.map(({ name: field, value }) => [field, value]));
}
