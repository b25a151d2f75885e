/**
 * PMI against the truths of drawings, as it was written.
 *
 * Data: DIR/drawings holds drawings, with NAME.truth.json beside NAME.*; the truths of scans and pictures without one
 * are in labels/pmi-pictures.json. With --generated: seeded drawings made by code (drawings/), whose truths are exact.
 *
 * Measured, for each kind of source: recall and precision of texts, and of texts with their tolerances; the same as the
 * mean over drawings, where one drawing in many releases counts once; tolerances and types that are right; overlap of
 * boxes where the truth has them; a row for each type of the table; processor time a page. Text and tolerance are
 * compared in one spelling of signs (support/pmi/written.mjs) and never pass through the product's own reader. Of
 * generated drawings an item counts only at its place, and the fields of title blocks are compared too. Items whose
 * truth has no text are compared by their measured value. Everything that was found counts, of whatever type, but for
 * signs that are a part of an item, and tables; what the truths do not cover is counted in a line of its own.
 *
 * Files used for tuning (SHA-256 ends in an even digit) and held-out files of pictures and scans are listed separately.
 *
 * npm run bench -- pmi --data DIR [--items] [--only PART_OF_A_NAME] [--overlays FOLDER]
 * npm run bench -- pmi --generated --seed 1 --count 20 [--kind dxf | dxf-binary | dxf-text | svg | pdf-text |
 *   pdf-outlines | picture | scan | photo | clean-150 | clean-200 | clean-300 | views] [--broad | --forms | --office |
 *   --fits | --callouts | --composites | --others | --crossed] [--items] [--silent]
 *   [--overlays FOLDER]: broad sheets have further annotations, sheets of forms sizes with words, two units, ranges and
 *   minutes beside texts that are no sizes, sheets of offices values in tight gaps of their lines, and broken lines,
 *   sheets of callouts several sizes of a hole on one line, sheets of composites control frames of several rows with
 *   one symbol, sheets of others numbers that measure nothing where drawings have them, crossed
 *   sheets values that their dimension line runs through. With --silent: what became of
 *   each item that was missed: read as something else at its place, told as left out, or neither, which is silent.
 *   clean-*: pictures of black lines at this many dots an inch, neither blurred nor compressed
 * npm run bench -- pmi --mirror MIRROR [--items] [--only PART_OF_A_PATH]: real drawings of public repositories, all
 * sizes
 *   of a page labelled by eye (labels/pmi-drawings.json), read from git directories MIRROR/OWNER+NAME/repo.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { DEFAULT_LIMITS } from '../dist/options.js';
import { readPmi } from '../dist/pmi/read-pmi.js';
import { readContent } from '../dist/readers/read.js';
import { splitSheet } from '../dist/shapelets/sheet/split-sheet.js';
import { generatedDrawings } from './support/pmi/generated.mjs';
import { labelledDrawings } from './support/pmi/labelled.mjs';
import { writeOverlays } from './support/pmi/overlays.mjs';
import { mirroredDrawings } from './support/pmi/mirrored.mjs';
import { compared, itemLines, Tally } from './support/pmi/score.mjs';
import { fatesOf } from './support/pmi/untold.mjs';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    items: { type: 'boolean' },
    silent: { type: 'boolean' },
    only: { type: 'string' },
    overlays: { type: 'string' },
    generated: { type: 'boolean' },
    mirror: { type: 'string' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
    kind: { type: 'string', multiple: true },
    broad: { type: 'boolean' },
    forms: { type: 'boolean' },
    office: { type: 'boolean' },
    fits: { type: 'boolean' },
    callouts: { type: 'boolean' },
    composites: { type: 'boolean' },
    others: { type: 'boolean' },
    crossed: { type: 'boolean' },
  },
});
if (options.data === undefined && options.mirror === undefined && !options.generated)
  throw new Error(
    'usage: npm run bench -- pmi --data DIR [--items] [--only PART_OF_A_NAME] [--overlays FOLDER], ' +
      'or: pmi --generated --seed 1 --count 20 [--kind KIND], or: pmi --mirror MIRROR',
  );
const cases = options.generated
  ? generatedDrawings({
      seed: Number(options.seed),
      count: Number(options.count),
      kinds: options.kind,
      isBroad: options.broad,
      hasForms: options.forms,
      isOffice: options.office,
      isFits: options.fits,
      hasCallouts: options.callouts,
      hasComposites: options.composites,
      hasOthers: options.others,
      hasCrossed: options.crossed,
    })
  : options.mirror === undefined
    ? labelledDrawings(options.data, options.only)
    : mirroredDrawings(options.mirror, options.only);

const tallies = new Map();
const shown = [];
const fates = new Map();
for await (const each of cases) {
  const bytes = new Uint8Array(await readFile(each.path));
  const content = await readContent(bytes, each.path, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
  const before = process.cpuUsage();
  // What is taken for a document has no annotations.
  const pmi =
    content.kind === 'document'
      ? { pages: [], attributes: [] }
      : readPmi(content, each.hasViews ? splitSheet : undefined);
  const { user, system } = process.cpuUsage(before);
  const { wanted, found, symbols, unasked = [] } = each.casesOf(pmi);
  if (each.warns !== undefined && !content.warnings.some(({ message }) => each.warns.test(message)))
    console.log(`${each.name}: nothing is said of what is on layers that are off (${each.warns.source})`);
  const result = compared(wanted, found, { isPlaced: each.isPlaced });
  const tally = tallies.get(each.kind) ?? new Tally(each.asksPrecision);
  tallies.set(each.kind, tally);
  const seconds = (user + system) / 1e6;
  tally.add({ drawing: each.drawing, wanted, found, seconds, pages: Math.max(1, pmi.pages.length) }, result);
  tally.addTypes(wanted, found, result);
  tally.addUnasked(unasked);
  const signs = symbols && compared(symbols.wanted, symbols.found, { isPlaced: each.isPlaced });
  if (symbols !== undefined) tally.addTypes(symbols.wanted, symbols.found, signs);
  tally.addAttributes(each.attributes ?? [], pmi.attributes);
  if (options.items)
    console.log([each.name, ...itemLines(result, found), ...(signs === undefined ? [] : itemLines(signs))].join('\n'));
  if (options.silent) {
    const ofKind = fates.get(each.kind) ?? [];
    fates.set(each.kind, ofKind);
    for (const { item, fate } of fatesOf(result, found, pmi.leftOut)) {
      ofKind.push(fate);
      console.log(
        `${each.name}: ${fate.padEnd(6)} ${item.group} ${item.said} at ${item.box.map(Math.round).join(', ')}`,
      );
    }
  }
  if (options.overlays !== undefined) shown.push({ name: each.name, path: each.path, pages: pmi.pages, result });
}
for (const [kind, tally] of [...tallies].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(tally.lines(kind).join('\n'));
for (const [kind, all] of fates) {
  const count = (fate) => all.filter((each) => each === fate).length;
  console.log(
    `${kind}: of ${tallies.get(kind).wanted} items ${all.length} missed: ${count('wrong')} read as something else, ` +
      `${count('told')} told, ${count('silent')} silent`,
  );
}
if (options.overlays !== undefined) console.log(`overlays: ${await writeOverlays(options.overlays, shown)}`);
