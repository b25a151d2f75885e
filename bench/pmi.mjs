/**
 * PMI against the truth files of the drawings.
 *
 * Data: DIR/drawings holds drawings, with NAME.truth.json beside NAME.*.
 *
 * Measured, separately for each kind of source: recall and precision of items, accuracy of type and tolerance, overlap
 * of boxes, seconds per page. A page of overlays for visual inspection is written to FOLDER/index.html, by default in
 * the system's temporary folder; --overlays none writes none.
 *
 * Two texts are equal after this normalisation: similar signs become one (diameter, degree, plus-minus, minus,
 * geometric characteristics, `(M)` for the letter in a circle), a comma is a decimal point, and letter case, spaces and
 * the separators | / - between parts are ignored. So is the tolerance, which is compared separately. Items whose truth
 * has no text are compared by their measured value (0.5 %).
 *
 * Pictures and scans: their truths list dimensions only, so only dimensions count as found. An item is detected if
 * something was read at an IoU of at least 0.5 with its box. The truths of scans and pictures without a truth file are
 * in labels/pmi-pictures.json. Files used for tuning (SHA-256 ends in an even digit) and held-out files are listed
 * separately.
 *
 * npm run bench -- pmi --data DIR [--misses] [--only PART_OF_A_NAME] [--overlays FOLDER]
 */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_LIMITS } from '../dist/options.js';
import { plainSigns, readDimension, readTolerance, numberOf } from '../dist/pmi/dimension-text.js';
import { readPmi } from '../dist/pmi/read-pmi.js';
import { readContent } from '../dist/readers/read.js';
import { writeOverlayPage } from './support/overlay-page.mjs';

const {
  values: { data, misses, only, overlays },
} = parseArgs({
  options: {
    data: { type: 'string' },
    misses: { type: 'boolean' },
    only: { type: 'string' },
    overlays: { type: 'string', default: join(tmpdir(), 'shapedex-pmi-overlays') },
  },
});
if (data === undefined) throw new Error('usage: npm run bench -- pmi --data DIR [--misses] [--only PART_OF_A_NAME]');

/**
 * Groups of the truth files that are not evaluated: views, labels of views and unspecified ones; and signs that are a
 * part of an item here.
 */
const NOT_SCORED = new Set(['view', 'view3d', 'other_info', 'section_label']);
const PART_OF_AN_ITEM = (type) => (type >= 20 && type <= 33) || type === 47 || type === 18;
/** The truths of CAD drawings list dimensions, control frames and leaders, but no finishes or notes. */
const CAD_TRUTHS = new Set([0, 3, 5, 6, 7, 8, 9, 10, 19, 34, 35, 40]);
const SIGNS = { '▱': '⏥', '⊕': '⌖', '//': '∥', '-': '⏤', '⏊': '⊥', '⟂': '⊥' };
const NAMES = { position: '⌖', concentricity: '◎' };

const LABELS = JSON.parse(await readFile(new URL('labels/pmi-pictures.json', import.meta.url), 'utf8')).files;
/** Measurements; truths of pictures list nothing else. */
const MEASURED = (object) => object.group === 'Measurement';
/**
 * Errors in the truth files, as other data of the same drawing shows. Texts of dimensions: in R12 the block says
 * 1504.68, as in every other release; of stacked tolerances without a space only the size is given. More: items that
 * the truths of later releases list and that the R13 and R14 files contain too.
 */
const CORRECTED = {
  'dxf/example_r12': [[{ measurement: 419.704007 }, { text: '1504.68' }]],
  'dxf/example01': [[{ text: '750^-0.05' }, { text: '75', tol: '0/-0.05' }]],
};
const MORE = {
  'dwg/example_r13': [{ group: 'dimension', text: '2675,62', space: 'model' }],
  'dwg/example_r14': [
    { group: 'dimension', text: '2675,62', space: 'model' },
    { group: 'leader', type_id: 40, text: 'xx\nxx', space: 'model' },
  ],
};

const kinds = new Map();
const files = new Map();
await scorePictures();
for (const truthPath of readdirSync(join(data, 'drawings'), { recursive: true })
  .filter((name) => name.endsWith('.truth.json'))
  .sort()) {
  const folder = dirname(truthPath),
    stem = basename(truthPath).replace(/(\.allviews)?\.truth\.json$/, '');
  const file = readdirSync(join(data, 'drawings', folder)).find(
    (name) => name.slice(0, -extname(name).length) === stem && !name.endsWith('.json'),
  );
  if (
    file === undefined ||
    folder === 'raster' ||
    folder === 'pdf-scan' ||
    (only !== undefined && !truthPath.includes(only))
  )
    continue;
  const truth = JSON.parse(await readFile(join(data, 'drawings', truthPath), 'utf8'));
  files.set(`${folder}/${file}`, join(data, 'drawings', folder, file));
  const name = truthPath.replace(/\.truth\.json$/, '');
  for (const [like, fields] of CORRECTED[name] ?? [])
    Object.assign(
      truth.list.find((item) => Object.entries(like).every(([key, value]) => item[key] === value)),
      fields,
    );
  truth.list.push(...(MORE[name] ?? []));
  const kind = kindOf(folder, truthPath);
  const bytes = new Uint8Array(await readFile(join(data, 'drawings', folder, file)));
  const drawing = await readContent(bytes, file, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
  const before = process.cpuUsage();
  const pmi = readPmi(drawing);
  const seconds = process.cpuUsage(before).user / 1e6;
  const isCad = folder === 'dxf' || folder === 'dwg',
    isAll = truthPath.includes('allviews');
  const pages = isAll ? pmi.pages : pmi.pages.filter(({ page }) => page === (truth.page ?? 1));
  // Some lists give each row of a composite frame separately, with the common sign.
  const areRows = isAll && !truth.list.some(({ text }) => / \/ .*\|/.test(text));
  const found = pages
    .flatMap((page) =>
      page.objects.flatMap((object) => (areRows ? rowsOf(object) : [object])).map((object) => ({ object, page })),
    )
    .filter(({ object }) => !PART_OF_AN_ITEM(object.typeId) && !(isCad && !CAD_TRUTHS.has(object.typeId)));
  // Units are an attribute, not an object; notes that are read as sizes of holes are not errors.
  const units = pmi.attributes.find(({ name: attribute }) => attribute === 'Units')?.value;
  const notes = truth.list.filter(({ group }) => isCad && group === 'note').map((item) => wantedText(item));
  const kept = found.filter(({ object }) => object.typeId === 40 || !notes.includes(canon(textOf(object))));
  const wanted = truth.list
    .filter(
      (item) => !(/^UNITS: (?:INCHES|MM)$/.test(item.text ?? '') && units === (item.text.endsWith('MM') ? 'mm' : 'in')),
    )
    .filter(
      ({ group, space, kind: what }) =>
        !NOT_SCORED.has(group) &&
        !(isCad && (group === 'note' || (space ?? 'model') !== 'model')) &&
        !(isAll && what === 'view'),
    );
  score(kind, {
    name: truthPath,
    wanted,
    found: kept,
    seconds,
    pageCount: Math.max(1, pmi.pages.length),
    isAll,
    isCad,
  });
}
for (const [kind, s] of kinds) {
  console.log(
    `${kind}: ${s.files} files, ${s.wanted} items: recall ${share(s.hits, s.wanted)}, precision ${s.isAll ? 'not asked (repeated items are listed once)' : share(s.hits, s.found)}, ` +
      `${s.detected === undefined ? '' : `detection ${share(s.detected, s.boxed)}, `}type ${share(s.types, s.typed)} of ${s.typed}, tolerance ${share(s.tols, s.toleranced)} of ${s.toleranced}, box IoU ${s.boxes.length === 0 ? 'unknown' : `median ${median(s.boxes).toFixed(2)} of ${s.boxes.length}`}, ${(s.seconds / s.pages).toFixed(3)} s of processor time a page`,
  );
}
if (overlays !== 'none')
  console.log(
    `overlays: ${await writeOverlayPage(
      overlays,
      [...files].map(([name, path]) => ({ name, path })),
    )}`,
  );

async function scorePictures() {
  for (const folder of ['raster', 'pdf-scan']) {
    for (const file of readdirSync(join(data, 'drawings', folder))
      .filter((name) => !name.endsWith('.json'))
      .sort()) {
      const name = `${folder}/${file}`;
      if (only !== undefined && !name.includes(only)) continue;
      const truth =
        LABELS[name] === undefined
          ? JSON.parse(
              await readFile(join(data, 'drawings', folder, `${basename(file, extname(file))}.truth.json`), 'utf8'),
            )
          : { list: LABELS[name] };
      files.set(name, join(data, 'drawings', folder, file));
      const bytes = new Uint8Array(await readFile(join(data, 'drawings', folder, file)));
      const isTuned = parseInt(createHash('sha256').update(bytes).digest('hex').at(-1), 16) % 2 === 0;
      const kind = `${folder === 'pdf-scan' ? 'scans' : LABELS[name] === undefined ? 'pictures with labels' : 'pictures, labels of our own'}, ${isTuned ? 'tuned on' : 'held out'}`;
      const content = await readContent(bytes, file, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
      const started = process.cpuUsage().user;
      const pmi = readPmi(content);
      const seconds = (process.cpuUsage().user - started) / 1e6;
      const all = pmi.pages.flatMap((page) => page.objects.map((object) => ({ object, page })));
      const wanted = truth.list
        .filter(({ group }) => !NOT_SCORED.has(group))
        .map((item) => ({ ...item, text: sizeFirst(item.text) }));
      // Datum targets are labelled as diameters: finding them is optional.
      const found = all.filter(
        ({ object }) =>
          MEASURED(object) ||
          (object.typeId === 34 && wanted.some((item) => canon(textOf(object)) === canon(item.text))),
      );
      score(kind, { name, wanted, found, seconds, pageCount: 1, isAll: false, isCad: false, boxes: truth.ImageSize });
    }
  }
}

/** Labels of pictures give an upper deviation before the size. */
function sizeFirst(text) {
  return text.replace(/^([+-]?\d[\d.,]*)\s+(\S+?)\s?([+-][\d.,]+)$/, '$2 $1 $3');
}

function kindOf(folder, name) {
  if (folder !== 'pdf-vector') return folder;
  if (/nist_ftc_0[68]/.test(name))
    return name.includes('allviews') ? 'pdf, outlined text, all views' : 'pdf, outlined text';
  return name.includes('allviews') ? 'pdf, skewed text on 3D views, all views' : 'pdf, text';
}

function score(kind, { name, wanted, found, seconds, pageCount, isAll, isCad, boxes }) {
  const s = kinds.get(kind) ?? {
    files: 0,
    wanted: 0,
    found: 0,
    hits: 0,
    types: 0,
    typed: 0,
    tols: 0,
    toleranced: 0,
    boxes: [],
    seconds: 0,
    pages: 0,
    isAll,
  };
  kinds.set(kind, s);
  const left = [...found];
  const missed = [],
    pairs = [],
    wrongTol = [],
    wrongType = [];
  // Items with a text first, so that a leader without one does not take the match of another item.
  for (const item of wanted.toSorted((a, b) => Number((a.text ?? '') === '') - Number((b.text ?? '') === ''))) {
    const at = bestOf(item, left, isAll);
    if (at < 0) {
      missed.push(item);
      continue;
    }
    const [{ object, page }] = left.splice(at, 1);
    pairs.push({ item, object, page });
    const type = item.symbol_type_id != null && item.type_id === 5 ? 5 : item.type_id;
    if (type != null) {
      s.typed++;
      if (object.typeId === type) s.types++;
      else wrongType.push(`${item.text}: ${object.typeId} not ${type}`);
    }
    const tol = toleranceOf(item);
    if (tol !== '') {
      s.toleranced++;
      const got = canonTol(object.parts);
      if (got === tol) s.tols++;
      else wrongTol.push(`${item.text}: ${got} not ${tol}`);
    }
  }
  if (isCad) s.boxes.push(...overlaps(pairs));
  const undetected = [];
  if (boxes !== undefined) {
    s.detected ??= 0;
    s.boxed ??= 0;
    const scaled = ({ box }, [w, h]) => box.map((value, i) => value * (i % 2 === 0 ? w / boxes[0] : h / boxes[1]));
    for (const { item, object, page } of pairs)
      s.boxes.push(iou(object.box, scaled(item, [page.widthPx, page.heightPx])));
    for (const item of wanted) {
      s.boxed++;
      if (found.some(({ object, page }) => iou(object.box, scaled(item, [page.widthPx, page.heightPx])) >= 0.5))
        s.detected++;
      else undetected.push(item.text);
    }
  }
  s.files++;
  s.wanted += wanted.length;
  s.hits += pairs.length;
  s.found += pairs.length + left.length;
  s.seconds += seconds;
  s.pages += pageCount;
  if (misses)
    console.log(
      `${name}: ${pairs.length} of ${wanted.length}, ${seconds.toFixed(2)} s\n  missed: ${missed.map((item) => JSON.stringify(item.text ?? item.raw_text ?? item.measurement)).join(' ')}\n  wrong: ${isAll ? '(not counted) ' : ''}${left
        .slice(0, 80)
        .map(({ object }) => JSON.stringify(textOf(object)))
        .join(
          ' ',
        )}\n  tolerances: ${wrongTol.join('; ')}\n  types: ${wrongType.join('; ')}${undetected.length === 0 ? '' : `\n  undetected: ${undetected.join(' ')}`}`,
    );
}

function bestOf(item, left, isAll) {
  const listed = isAll ? plainListed : (said) => said;
  const text = wantedText(isAll && item.text != null ? { ...item, text: listed(item.text) } : item);
  if (text !== undefined && text !== '') {
    const same = ({ object }) => canon(listed(textOf(object))) === text;
    const typed = left.findIndex((each) => same(each) && each.object.typeId === item.type_id);
    return typed >= 0 ? typed : left.findIndex(same);
  }
  if (item.group === 'leader') return left.findIndex(({ object }) => object.typeId === 40);
  const measured = [item.measurement].flat();
  return left.findIndex(({ object }) =>
    measured.some(
      (value) =>
        Math.abs(numberOf(plainSigns(textOf(object)).replace(/^[^\d.,]+/, '')) - value) <= 0.005 * Math.abs(value),
    ),
  );
}

function wantedText({ text, raw_text: raw, group }) {
  const said =
    text?.replace(/ \(note \d+\)$/, '') ?? (raw === '' || raw == null || raw.includes('<>') ? undefined : raw);
  if (said === undefined) return undefined;
  if (group !== 'gdt') {
    const reading = readDimension(said.replaceAll('\\n', ' ').replaceAll('\\~', ' ').replaceAll('^', ' '));
    return canon(reading?.text ?? said);
  }
  return canon(said.replace(/^(\S+)/, (sign) => SIGNS[sign] ?? NAMES[sign] ?? sign));
}

function rowsOf(object) {
  const [first, ...others] = object.parts;
  if (object.typeId !== 5 || others.length === 0) return [object];
  return [first, ...others].map(({ text }) => ({
    ...object,
    parts: [{ text: text === first.text || !text.includes(' | ') ? text : `${first.text.split(' | ')[0]} | ${text}` }],
  }));
}

function textOf(object) {
  return object.parts.map((part) => part.text).join(' ');
}

/**
 * Truths of all views list the content of the models and were made for another purpose. The shape of a datum target,
 * "all around" and "unless otherwise specified" are given by signs of the leader and by notes; counts belong to the
 * features, not to the annotation; and numbers have other decimal places than the drawing (∅6.00 for ⌀6).
 */
function plainListed(text) {
  return text
    .replace(/^\d+\s?[xX×]\s?/, '')
    .replace(/ \((?:All Around|UOS|area|line|circular curve|movable)\)/g, '')
    .replace(/\d*\.?\d+/g, (digits) => String(Number(digits)));
}

function canon(text) {
  return plainSigns(text.replace(/\(([MLSFPTEU])\)/g, (_, letter) => 'ⓂⓁⓈⒻⓅⓉⒺⓊ'['MLSFPTEU'.indexOf(letter)]))
    .toLowerCase()
    .replaceAll(',', '.')
    .replace(/[\s|/\\-]|\\n/g, '');
}

/** From the item's own field, else from its text. */
function toleranceOf({ tol, text }) {
  const said = tol ?? (text == null ? undefined : readDimension(text)?.toleranceTexts.join(' '));
  if (said == null || said === '') return '';
  const limits = /^(?:limits )?[\d.,]+\/[\d.,]+$/.test(said);
  if (limits) return canon(said.replace('limits', ''));
  return canonTol([{ text: '', tolerance: readTolerance(said.replace('/', ' '))?.toleranceTexts ?? [said] }]);
}

/** Signed deviations; +0.05 -0.05 and ±0.05 are equal. */
function canonTol(parts) {
  const { tolerance: tol } = parts.find(({ tolerance }) => tolerance !== undefined) ?? {};
  if (tol === undefined) return parts.length > 1 ? canon(parts.map((part) => part.text).join('/')) : '';
  const read = readTolerance(tol.join(' '))?.tolerance;
  return read === undefined ? canon(tol.join(' ')) : `${read.upper} ${read.lower}`;
}

/**
 * Truths of CAD drawings give boxes in the drawing's own frame; the offset between the two frames is the median over
 * the items.
 */
function overlaps(pairs) {
  const boxed = pairs.filter(({ item }) => item.box_dxf != null);
  if (boxed.length < 2) return [];
  const [a, b] = [boxed[0], boxed.at(-1)];
  const scales = [];
  for (const p of boxed)
    for (const q of boxed) {
      const d = Math.hypot(
        centre(p.item.box_dxf)[0] - centre(q.item.box_dxf)[0],
        centre(p.item.box_dxf)[1] - centre(q.item.box_dxf)[1],
      );
      if (d > 0)
        scales.push(
          Math.hypot(
            centre(p.object.box)[0] - centre(q.object.box)[0],
            centre(p.object.box)[1] - centre(q.object.box)[1],
          ) / d,
        );
    }
  if (scales.length === 0 || a === b) return [];
  const scale = median(scales);
  const dx = median(boxed.map(({ item, object }) => centre(object.box)[0] - scale * centre(item.box_dxf)[0]));
  const dy = median(boxed.map(({ item, object }) => centre(object.box)[1] + scale * centre(item.box_dxf)[1]));
  // On very wide drawings a text is hardly a pixel high; its box is not evaluated.
  return boxed
    .filter(
      ({
        item: {
          box_dxf: [, , w, h],
        },
      }) => scale * Math.min(w, h) >= 4,
    )
    .map(
      ({
        item: {
          box_dxf: [x, y, w, h],
        },
        object,
      }) => iou(object.box, [scale * x + dx, dy - scale * (y + h), scale * w, scale * h]),
    );
}

function centre([x, y, w, h]) {
  return [x + w / 2, y + h / 2];
}

function iou([ax, ay, aw, ah], [bx, by, bw, bh]) {
  const w = Math.max(0, Math.min(ax + aw, bx + bw) - Math.max(ax, bx)),
    h = Math.max(0, Math.min(ay + ah, by + bh) - Math.max(ay, by));
  return (w * h) / (aw * ah + bw * bh - w * h);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function share(part, whole) {
  return whole === 0 ? '-' : `${(part / whole).toFixed(3)} (${part}/${whole})`;
}
