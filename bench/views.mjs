/**
 * Views found on pages of real drawings, compared with boxes labelled by eye (bench/labels): precision and recall.
 *
 * A found box and a label match at an IoU of 0.7 or more; each is used once, best pairs first. For the tuning half and
 * the further pages, each page with an error is listed. For the held-out half, whose cases are never inspected, only
 * sums are printed. Pages whose file is not below the folder are counted as missing. --mirror names a folder of git
 * directories OWNER+NAME/repo, of which the pages that labels/views-mirrored.json names are read; held out are those
 * whose SHA-256 ends in an odd digit. With --mirror and --held-out the sums of both held-out sets are printed too.
 *
 * --generated SEED: instead, 80 sheets of plates, rods, rings, details and small sections made by code, half of them
 * with the seed and half with the next one; --marks: each with what offices put beside the views, which is no view.
 * --pictures SEED: 48 pictures of sheets made by code (whole and cut out, saved, compressed, scanned, faint,
 * photographed), and the sums of each of these looks.
 *
 * npm run bench -- views (--data DIR [--mirror DIR] [--held-out] | --generated SEED [--marks] | --pictures SEED)
 * [--json]
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_LIMITS } from '../dist/options.js';
import { readContent } from '../dist/readers/read.js';
import { splitSheet } from '../dist/shapelets/sheet/split-sheet.js';
import { officeMarks } from './parts/drawings/office-marks.mjs';
import { pdfOf } from './parts/drawings/page-pdf.mjs';
import { pictureSheets } from './parts/drawings/picture-sheets.mjs';
import { drawPlateSheet } from './parts/drawings/plate-sheets.mjs';
import { mirroredBytes } from './support/mirror.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';

const LEAST_IOU = 0.7;
const EXTENSIONS = /\.(pdf|dxf|dwg|svg|png|jpe?g|webp|tiff?|gif|bmp|avif)$/i;

/** Sheets of a seed. */
const SHEETS = 40;
const PICTURES = 48;

const args = benchOptions({
  'held-out': { type: 'boolean', default: false },
  mirror: { type: 'string' },
  generated: { type: 'string' },
  marks: { type: 'boolean', default: false },
  pictures: { type: 'string' },
});
if (args.data === undefined && args.generated === undefined && args.pictures === undefined) {
  console.error('npm run bench -- views --data DIR: the folder with the drawings that bench/labels names');
  process.exit(2);
}
const mirrored = args.mirror === undefined ? [] : await labelsOf('views-mirrored');
const drawn = new Map([
  ...(args.generated === undefined ? [] : sheetsMadeByCode(Number(args.generated))),
  ...(args.pictures === undefined ? [] : await picturesMadeByCode(Number(args.pictures))),
]);
const sets = {
  ...(drawn.size > 0 && { generated: Object.fromEntries([...drawn].map(([seed, { label }]) => [seed, label])) }),
  ...(args.data !== undefined && { tuning: await labelsOf('views-tuning') }),
  ...(args.data !== undefined && { further: await labelsOf('views-further') }),
  ...(args['held-out'] && { 'held-out': await labelsOf('views-held-out') }),
  ...(args.mirror !== undefined && { 'mirrored, tuning': byHash(mirrored.filter((label) => !isHeldOut(label))) }),
  ...(args.mirror !== undefined && args['held-out'] && { 'mirrored, held-out': byHash(mirrored.filter(isHeldOut)) }),
};
const bytesInMirror = new Map(
  mirrored.flatMap((label) => {
    const bytes = mirroredBytes(args.mirror, label);
    return bytes === undefined ? [] : [[label.sha256, { path: label.path, bytes }]];
  }),
);
const files =
  args.data === undefined
    ? new Map()
    : await filesByHash(args.data, new Set(Object.values(sets).flatMap((labels) => Object.keys(labels))));
// Raster pages are split by pixels.
const splitPicture = (await import('../dist/shapelets/scan/split-picture.js').catch(() => ({}))).splitPicture;

const report = { machine: await machine(), leastIou: LEAST_IOU, sets: {} };
for (const [name, labels] of Object.entries(sets))
  report.sets[name] = await measure(labels, !name.endsWith('held-out'));
if (args.mirror !== undefined && args['held-out'])
  report.sets['held-out and mirrored, held-out'] = together(report.sets['held-out'], report.sets['mirrored, held-out']);
if (args.json) console.log(JSON.stringify(report));
else print(report);

async function labelsOf(name) {
  return JSON.parse(await readFile(new URL(`labels/${name}.json`, import.meta.url), 'utf8'));
}

/** The sheets of a seed and of the next one as files with their labels, by the seed of each. */
function sheetsMadeByCode(seed) {
  return new Map(
    Array.from({ length: 2 * SHEETS }, (_, i) => {
      const own = 1_000 * (seed + Math.floor(i / SHEETS)) + (i % SHEETS);
      const sheet = drawPlateSheet(own);
      const { widthMm, heightMm, views } = sheet;
      if (args.marks) officeMarks(sheet, own);
      const bytes = args.marks ? pdfOf(sheet) : sheet.bytes;
      const label = {
        page: 1,
        kind: 'vector',
        views: views.map(({ side, box: [x, y, width, height] }) => ({
          kind: side,
          box: [x / widthMm, y / heightMm, width / widthMm, height / heightMm],
        })),
      };
      return [String(own), { path: `${own}.pdf`, bytes, label }];
    }),
  );
}

function isHeldOut({ sha256 }) {
  return parseInt(sha256.at(-1), 16) % 2 === 1;
}

function byHash(labels) {
  return Object.fromEntries(labels.map(({ sha256, page, kind, views }) => [sha256, { page, kind, views }]));
}

/** The pictures of a seed as files with their labels, by their names. */
async function picturesMadeByCode(seed) {
  const files = new Map();
  for await (const { name, bytes, extension, look, views } of pictureSheets({ seed, count: PICTURES })) {
    const label = { page: 1, kind: look, views: views.map(({ side, box }) => ({ kind: side, box })) };
    files.set(name, { path: `${name}${extension}`, bytes: new Uint8Array(bytes), label });
  }
  return files;
}

async function filesByHash(folder, wanted) {
  const found = new Map();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !EXTENSIONS.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const hash = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    if (wanted.has(hash)) found.set(hash, path);
  }
  return found;
}

async function measure(labels, lists) {
  const kinds = {};
  const pages = [];
  let missing = 0;
  const labelled = Object.entries(labels).flatMap(([hash, ofFile]) =>
    [ofFile].flat().map((ofPage) => ({ hash, ...ofPage })),
  );
  for (const { hash, page, kind, views } of labelled) {
    const file = drawn.get(hash) ?? bytesInMirror.get(hash) ?? (await fileOf(files.get(hash)));
    if (file === undefined) {
      missing++;
      continue;
    }
    const sums = (kinds[kind] ??= { pages: 0, right: 0, found: 0, labelled: 0, allRight: 0, splitMs: [] });
    const { boxes, ms } = await split(file, page);
    const pairs = match(
      boxes,
      views.map(({ box }) => box),
    );
    sums.pages++;
    sums.right += pairs.length;
    sums.found += boxes.length;
    sums.labelled += views.length;
    sums.splitMs.push(ms);
    const allRight = pairs.length === views.length && pairs.length === boxes.length;
    if (allRight) sums.allRight++;
    if (!allRight && lists) {
      pages.push({
        file: file.path,
        page,
        kind,
        missed: views.filter((_, i) => !pairs.some((pair) => pair.label === i)),
        extra: boxes.filter((_, i) => !pairs.some((pair) => pair.box === i)),
      });
    }
  }
  return { kinds: withShares(kinds), missing, ...(lists && { pages }) };
}

/** Sums of pages by their kind, with precision, recall and times. */
function withShares(kinds) {
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, sums]) => [
      kind,
      {
        ...sums,
        precision: sums.right / sums.found,
        recall: sums.right / sums.labelled,
        medianMs: quantile(sums.splitMs, 0.5),
        p95Ms: quantile(sums.splitMs, 0.95),
      },
    ]),
  );
}

/** Two sets as one. */
function together(one, other) {
  const kinds = structuredClone(one.kinds);
  for (const [kind, sums] of Object.entries(other.kinds)) {
    const all = kinds[kind];
    if (all === undefined) kinds[kind] = sums;
    else
      for (const key of ['pages', 'right', 'found', 'labelled', 'allRight', 'splitMs']) {
        all[key] = key === 'splitMs' ? [...all.splitMs, ...sums.splitMs] : all[key] + sums[key];
      }
  }
  return { kinds: withShares(kinds), missing: one.missing + other.missing };
}

/** A file below the folder: its path there, and its bytes. */
async function fileOf(path) {
  if (path === undefined) return undefined;
  return { path: path.slice(args.data.length).replace(/^[/\\]/, ''), bytes: await readFile(path) };
}

/** Boxes as shares of the page. */
async function split({ path, bytes }, page) {
  const content = await readContent(bytes, path, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
  const sheet = content.sheets?.find(({ number }) => number === page);
  const picture = content.pictures?.[page - 1];
  // Processor time, which does not contain other work on the machine.
  const start = process.cpuUsage();
  let shapelets = [];
  if (sheet !== undefined) {
    shapelets = splitSheet(sheet).map(({ shapelet }) => shapelet);
    const scan = sheet.pictures.find(({ box }) => box.width * box.height > 0.7 * sheet.width * sheet.height);
    if (shapelets.length === 0 && scan !== undefined && splitPicture !== undefined)
      shapelets = splitPicture(scan.picture, page);
  } else if (picture !== undefined && splitPicture !== undefined) shapelets = splitPicture(picture, page);
  return {
    boxes: shapelets.map(({ place: { box } }) => [box.x, box.y, box.width, box.height]),
    ms: Object.values(process.cpuUsage(start)).reduce((sum, us) => sum + us / 1e3, 0),
  };
}

/** Pairs of boxes and labels by descending overlap. */
function match(boxes, labels) {
  const pairs = boxes.flatMap((box, i) => labels.map((label, k) => ({ box: i, label: k, iou: iouOf(box, label) })));
  const taken = [];
  for (const pair of pairs.filter(({ iou }) => iou >= LEAST_IOU).sort((a, b) => b.iou - a.iou)) {
    if (!taken.some(({ box, label }) => box === pair.box || label === pair.label)) taken.push(pair);
  }
  return taken;
}

function iouOf([ax, ay, aw, ah], [bx, by, bw, bh]) {
  const shared =
    Math.max(0, Math.min(ax + aw, bx + bw) - Math.max(ax, bx)) *
    Math.max(0, Math.min(ay + ah, by + bh) - Math.max(ay, by));
  return shared / (aw * ah + bw * bh - shared);
}

function print({ machine: on, sets: measured }) {
  console.log(`Views of drawings at IoU ${LEAST_IOU}, ${on}`);
  for (const [name, { kinds, missing, pages }] of Object.entries(measured)) {
    for (const [kind, sums] of Object.entries(kinds)) {
      console.log(
        `${name}, ${kind}: precision ${sums.precision.toFixed(3)} (${sums.right} of ${sums.found}), ` +
          `recall ${sums.recall.toFixed(3)} (${sums.right} of ${sums.labelled}), ` +
          `${sums.allRight} of ${sums.pages} pages all right; ${sums.medianMs.toFixed(0)} ms of processor a page, ` +
          `p95 ${sums.p95Ms.toFixed(0)}`,
      );
    }
    if (missing > 0) console.log(`${name}: ${missing} pages are not below the folder`);
    const places = (list) => list.map((box) => `[${box.map((share) => share.toFixed(3)).join(' ')}]`).join(' ');
    for (const { file, page, kind, missed, extra } of pages ?? []) {
      console.log(
        `  ${file} page ${page} (${kind}): missed ${places(missed.map(({ box }) => box)) || 'none'}, extra ` +
          `${places(extra) || 'none'}`,
      );
    }
  }
}
