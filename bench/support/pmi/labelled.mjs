// The labelled drawings below DIR/drawings as cases of `bench pmi`: file, kind of source, and the items of its truth.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { wantedOf } from './written.mjs';

/** Groups that are not scored: views, labels of views, unspecified ones. */
const NOT_SCORED = new Set(['view', 'view3d', 'other_info', 'section_label']);
/** Signs that are a part of an item, and tables, which no truth lists. */
const isPart = (type) => (type >= 20 && type <= 33) || type === 47 || type === 18;
/** The truths of CAD drawings list dimensions, control frames and leaders, but no finishes or notes. */
const OF_CAD = new Set([0, 3, 5, 6, 7, 8, 9, 10, 19, 34, 35, 40]);
/**
 * Errors in the truth files, as other data of the same drawing shows. Texts of dimensions: in R12 the block says
 * 1504.68, and 108?, where every other release has 108°; of stacked tolerances without a space only the size is given.
 * More: items that the truths of later releases list and that the R13 and R14 files contain too, and the frame and its
 * datum of example01, which are drawn as lines and texts. Frames of FTC 06: on the sheet of view B two of four have no
 * note below them. FTC 10: its sheets say ±0.08 and 0.2 / 15, and show the datums K and L by their targets alone, which
 * are listed too; null: an item of the model that no sheet has.
 */
const CORRECTED = {
  'dxf/example_r12': [
    [{ measurement: 419.704007 }, { text: '1504.68' }],
    [{ text: '108?' }, { text: '108°' }],
  ],
  'dxf/example01': [[{ text: '750^-0.05' }, { text: '75', tol: '0/-0.05' }]],
  'pdf-vector/nist_ftc_10_asme1_rb.allviews': [
    [{ text: '∅5.50 ± 0.02' }, { text: '∅5.50 ± 0.08' }],
    [{ text: '- | 0.1 / 15' }, { text: '- | 0.2 / 15' }],
    [{ group: 'datum', text: 'K' }, null],
    [{ group: 'datum', text: 'L' }, null],
  ],
};
const MORE = {
  'dwg/example_r13': [{ group: 'dimension', text: '2675,62', space: 'model' }],
  'dwg/example_r14': [
    { group: 'dimension', text: '2675,62', space: 'model' },
    { group: 'leader', type_id: 40, text: 'xx\nxx', space: 'model' },
  ],
  'dxf/example01': [
    { group: 'gdt', type_id: 5, text: '⌯0.05A', space: 'model' },
    { group: 'datum', type_id: 34, text: 'A', space: 'model' },
  ],
};

/**
 * @param {string} data folder that holds `drawings`.
 * @param {string | undefined} only part of the names that are wanted.
 * @returns {AsyncGenerator<object>} cases: { name, path, kind, drawing, asksPrecision, casesOf }, where
 * `casesOf(pmi)` gives { wanted, found, unasked } for what the product read: unasked is what the truth does not cover,
 * neither right nor wrong.
 */
export async function* labelledDrawings(data, only) {
  const root = join(data, 'drawings');
  const { files: labels, further } = JSON.parse(
    await readFile(new URL('../../labels/pmi-pictures.json', import.meta.url), 'utf8'),
  );
  for (const folder of ['raster', 'pdf-scan'])
    for (const file of readdirSync(join(root, folder)).sort()) {
      const name = `${folder}/${file}`;
      if (file.endsWith('.json') || (only !== undefined && !name.includes(only))) continue;
      const truth =
        labels[name] === undefined
          ? await json(join(root, folder, `${basename(file, extname(file))}.truth.json`))
          : { list: labels[name] };
      const added = further[name];
      // What labels/ adds says what stands in boxes that the data set only marks.
      const list =
        added === undefined ? truth.list : [...truth.list.filter(({ group }) => group !== 'other_info'), ...added];
      yield await pictureCase(name, join(root, name), { ...truth, list }, labels[name] !== undefined);
    }
  for (const truthPath of readdirSync(root, { recursive: true }).sort()) {
    const folder = dirname(truthPath);
    if (!truthPath.endsWith('.truth.json') || folder === 'raster' || folder === 'pdf-scan') continue;
    if (only !== undefined && !truthPath.includes(only)) continue;
    const stem = basename(truthPath).replace(/(\.allviews)?\.truth\.json$/, '');
    const file = readdirSync(join(root, folder)).find(
      (each) => each.slice(0, -extname(each).length) === stem && !each.endsWith('.json'),
    );
    if (file !== undefined) yield vectorCase(truthPath, join(root, folder, file), await json(join(root, truthPath)));
  }
}

async function json(path) {
  return JSON.parse(await readFile(path, 'utf8'));
}

async function pictureCase(name, path, { list, ImageSize: size }, isOurs) {
  const hash = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  const half = Number.parseInt(hash.at(-1), 16) % 2 === 0 ? 'tuned on' : 'held out';
  const what = name.startsWith('pdf-scan') ? 'scans' : isOurs ? 'pictures, labels of our own' : 'pictures with labels';
  return {
    name,
    path,
    kind: `${what}, ${half}`,
    drawing: name,
    asksPrecision: true,
    // The labels list what stands on the page (those of a data set with what labels/ adds), not which sizes are basic.
    casesOf: ({ pages }) => {
      const [page] = pages;
      const scaled = (box) =>
        box.map((each, i) => each * (i % 2 === 0 ? page.widthPx / size[0] : page.heightPx / size[1]));
      const wanted = list
        .filter(({ group }) => !NOT_SCORED.has(group))
        .map((item) => itemOf(item, item.box === undefined || page === undefined ? undefined : scaled(item.box)));
      // Notes that a label only marks as such, by their box: what was read in them is neither right nor wrong.
      const notes = list
        .filter(({ group, box }) => group === 'other_info' && box && page)
        .map(({ box }) => scaled(box));
      const objects = all(pages)
        .filter(({ object }) => !isPart(object.typeId))
        .map((each) => ({ ...each, object: withoutBasic(each.object) }));
      const isMarked = ({ object }) => notes.some((note) => isIn(note, object.box));
      const found = objects.filter((each) => !isMarked(each));
      return { wanted, found, unasked: objects.filter(isMarked) };
    },
  };
}

/** Whether the middle of a box stands in another one. */
function isIn([x, y, width, height], [left, top, w, h]) {
  return Math.abs(left + w / 2 - x - width / 2) < width / 2 && Math.abs(top + h / 2 - y - height / 2) < height / 2;
}

function vectorCase(truthPath, path, truth) {
  const folder = dirname(truthPath);
  const isCad = folder === 'dxf' || folder === 'dwg',
    isAll = truthPath.includes('allviews');
  const key = truthPath.replace(/\.truth\.json$/, '');
  const list = withoutNotes(key, [...truth.list.flatMap((item) => corrected(key, item) ?? []), ...(MORE[key] ?? [])]);
  return {
    name: truthPath.replace(/\.truth\.json$/, ''),
    path,
    kind: kindOf(folder, truthPath),
    drawing: key.replace(/^(?:dxf|dwg)\//, '').replace(/_(?:r\d+|20\d\d)$/, ''),
    asksPrecision: !isAll,
    casesOf: ({ pages, attributes }) => {
      const looked = isAll ? pages : pages.filter(({ page }) => page === (truth.page ?? 1));
      // Some lists give each row of a composite frame by itself, with the common sign.
      const areRows = isAll && !list.some(({ text }) => / \/ .*\|/.test(text));
      const units = attributes.find(({ name }) => name === 'Units')?.value;
      const isUnits = ({ text = '' }) => text === `UNITS: ${units === 'mm' ? 'MM' : 'INCHES'}`;
      const isScored = (item) =>
        !NOT_SCORED.has(item.group) &&
        !isUnits(item) &&
        !(isCad && (item.group === 'note' || (item.space ?? 'model') !== 'model'));
      const wanted = list.filter(isScored).map((item) => itemOf(isAll ? listed(item) : item));
      // Notes that are read as sizes of holes are no errors; the truths of CAD drawings leave them out.
      const notes = new Set(
        list.filter(({ group, text }) => isCad && group === 'note' && text).map((item) => itemOf(item).text),
      );
      const objects = all(looked)
        .flatMap((each) => (areRows ? rowsOf(each) : [each]))
        .filter(({ object }) => !isPart(object.typeId));
      const isAsked = ({ object }) =>
        (!isCad || OF_CAD.has(object.typeId)) &&
        (object.typeId === 40 || !notes.has(wantedOf({ text: object.parts[0]?.text ?? '' }).text));
      const found = objects
        .filter(isAsked)
        .map((each) => (isAll ? { ...each, object: listedObject(each.object) } : each));
      return { wanted, found, unasked: objects.filter((each) => !isAsked(each)) };
    },
  };
}

function all(pages) {
  return pages.flatMap((page) => page.objects.map((object) => ({ object, page })));
}

function withoutBasic(object) {
  const parts = object.parts.map(({ text, tolerance }) => ({
    text,
    tolerance: tolerance?.filter((t) => t !== 'basic'),
  }));
  return { ...object, parts };
}

/** Notes below frames that a model has and the sheet has not: how many of the frames that have it in the truth. */
const WITHOUT_NOTE = { 'pdf-vector/nist_ftc_06_asme1_rd.allviews': [' / 2 SURFACES', 2] };

function withoutNotes(key, list) {
  const [note, count] = WITHOUT_NOTE[key] ?? ['', 0];
  let left = count;
  return list.map((item) =>
    left > 0 && item.text?.endsWith(note) && left-- > 0 ? { ...item, text: item.text.slice(0, -note.length) } : item,
  );
}

function corrected(key, item) {
  const found = (CORRECTED[key] ?? []).find(([like]) => Object.entries(like).every(([k, value]) => item[k] === value));
  if (found === undefined) return item;
  return found[1] === null ? undefined : { ...item, ...found[1] };
}

function kindOf(folder, name) {
  if (folder !== 'pdf-vector') return folder;
  const all = name.includes('allviews') ? ', all views' : '';
  return /nist_ftc_0[68]/.test(name) ? `pdf, outlined text${all}` : all ? `pdf, text on 3D views${all}` : 'pdf, text';
}

/** An item of a truth as it is compared. Where no text is given, its measured value counts. */
function itemOf(item, box) {
  const raw = item.raw_text === '' || item.raw_text == null || item.raw_text.includes('<>') ? undefined : item.raw_text;
  const said = item.text ?? raw;
  const typeId = item.symbol_type_id != null ? 5 : (item.type_id ?? undefined);
  const base = { typeId, box, group: item.group ?? 'dimension' };
  if (said !== undefined) return { ...base, ...wantedOf({ text: said, tol: item.tol, group: item.group }) };
  return {
    ...base,
    text: '',
    tolerance: '',
    measured: item.measurement === undefined ? undefined : [item.measurement].flat(),
  };
}

/**
 * Lists of all views give the content of the models and were made for another purpose: the shape of a datum target,
 * "all around" and "unless otherwise specified" are signs of the leader and notes there, counts belong to the features,
 * and numbers have other decimal places than the drawing (∅6.00 for ⌀6).
 */
function listed(item) {
  return { ...item, text: listedText(item.text) };
}

function listedText(text) {
  return text
    .replace(/^\d+\s?[xX×]\s?/, '')
    .replace(/ \((?:All Around|UOS|area|line|circular curve|movable)\)/g, '')
    .replace(/\d*\.?\d+/g, (digits) => String(Number(digits)));
}

function listedObject(object) {
  const parts = object.parts.map(({ text, tolerance }) => ({
    text: listedText(text.replaceAll(',', '.')),
    tolerance: tolerance?.map(listedText),
  }));
  return { ...object, parts };
}

function rowsOf({ object, page }) {
  const [first, ...others] = object.parts;
  if (object.typeId !== 5 || others.length === 0) return [{ object, page }];
  const sign = first.text.split(' | ')[0];
  return [first, ...others].map(({ text }) => ({
    page,
    object: { ...object, parts: [{ text: text === first.text || !text.includes(' | ') ? text : `${sign} | ${text}` }] },
  }));
}
