// Drawings made by code (bench/drawings) as cases of `bench pmi`. Their truths are exact, so an item is found at its
// place or not at all.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dxfOf } from '../../drawings/dxf.mjs';
import { officeSheetOf } from '../../drawings/office.mjs';
import { pdfOf } from '../../drawings/pdf.mjs';
import { dxfTextOf } from '../../drawings/dxf-text.mjs';
import { svgOf } from '../../drawings/svg.mjs';
import { RASTER_KINDS, rasterOf } from '../../drawings/raster.mjs';
import { sheetOf } from '../../drawings/sheet.mjs';
import { drawSheet, partsOfSheets } from '../../parts/drawings.mjs';
import { wantedOf } from './written.mjs';

/**
 * How a drawing is written, by the name of the kind: the file of a page, and where a point of the page in mm is in it.
 */
const KINDS = {
  'pdf-text': (page) => ({ extension: '.pdf', bytes: pdfOf(page, 'text') }),
  'pdf-outlines': (page) => ({ extension: '.pdf', bytes: pdfOf(page, 'outlines') }),
  svg: (page) => ({ extension: '.svg', bytes: svgOf(page) }),
  'dxf-text': (page, seed) => ({ extension: '.dxf', ...dxfTextOf(page, seed) }),
  ...Object.fromEntries(Object.keys(RASTER_KINDS).map((kind) => [kind, (page, seed) => rasterOf(page, kind, seed)])),
};
/** CAD drawings, which have annotations of their own: found anywhere on the sheet. */
const CAD_KINDS = { dxf: {}, 'dxf-binary': { isBinary: true } };
const VECTOR_KINDS = ['dxf', 'dxf-binary', 'dxf-text', 'svg', 'pdf-text', 'pdf-outlines'];
/** Signs that are a part of an item, tables and views: counted by themselves, by type. */
const isSymbol = (type) => (type >= 20 && type <= 33) || type === 47 || type === 18 || isViewType(type);
const isViewType = (type) => type === VIEW || type === VIEW_3D;
const [VIEW, VIEW_3D] = [4, 42];

/** A leader beside its note, of which nothing says that they belong together: the note is the item. */
const isBareLeader = ({ typeId, parts }) => typeId === 40 && parts.length === 0;

/**
 * @param {{ seed: number, count: number, kinds?: string[], isBroad?: boolean, hasForms?: boolean, isOffice?: boolean,
 * isFits?: boolean, hasCallouts?: boolean, hasComposites?: boolean, hasOthers?: boolean,
 * hasCrossed?: boolean }} options
 * drawings `seed` to `seed + count - 1`, each in every kind; pixels only where they are
 * asked for. isOffice: sheets of programs for diagrams (drawings/office.mjs).
 * @returns {AsyncGenerator<object>} cases as of `labelledDrawings`, with `attributes` of the title block.
 */
export async function* generatedDrawings({
  seed,
  count,
  kinds = VECTOR_KINDS,
  isBroad = false,
  hasForms = false,
  isOffice = false,
  isFits = false,
  hasCallouts = false,
  hasComposites = false,
  hasOthers = false,
  hasCrossed = false,
}) {
  const folder = await mkdtemp(join(tmpdir(), 'shapedex-drawings-'));
  for (const kind of kinds) {
    if (CAD_KINDS[kind] !== undefined) {
      for (let number = seed; number < seed + count; number++) yield await cadCase(kind, number, folder, isBroad);
      continue;
    }
    if (kind === 'views') {
      yield* viewCases(seed, count, folder);
      continue;
    }
    if (KINDS[kind] === undefined)
      throw new Error(`no kind '${kind}'; there are ${Object.keys({ ...CAD_KINDS, ...KINDS, views: 0 }).join(', ')}`);
    const write = KINDS[kind];
    for (let number = seed; number < seed + count; number++) {
      const page = isOffice
        ? officeSheetOf(number)
        : sheetOf(number, {
            isBroad,
            hasForms,
            hasCallouts,
            hasComposites,
            hasOthers,
            hasCrossed,
            isFits,
            hasStrings: kind === 'dxf-text',
          });
      const { bytes, extension, place, width } = await write(page, number);
      const path = join(folder, `${kind}-${number}${extension}`);
      await writeFile(path, bytes);
      yield {
        name: `${kind} ${number}`,
        path,
        kind,
        drawing: String(number),
        asksPrecision: true,
        isPlaced: true,
        attributes: page.attributes,
        casesOf: ({ pages }) => {
          const scale = (pages[0]?.widthPx ?? 0) / (place === undefined ? page.widthMm : width);
          const wanted = page.truth.map((item) => {
            const box = (place === undefined ? item.boxMm : boxAt(item.boxMm, place)).map((each) => each * scale);
            return { ...itemOf(item), box };
          });
          return apart(wanted, pages);
        },
      };
    }
  }
}

async function cadCase(kind, number, folder, isBroad) {
  const { bytes, truth, unseen } = dxfOf(number, { ...CAD_KINDS[kind], isBroad });
  const path = join(folder, `${kind}-${number}.dxf`);
  await writeFile(path, bytes);
  return {
    name: `${kind} ${number}`,
    path,
    kind,
    drawing: String(number),
    asksPrecision: true,
    warns:
      unseen === 0
        ? undefined
        : new RegExp(`^${unseen} dimensions, annotations and texts with figures on layers that are off`),
    casesOf: ({ pages }) => {
      const { found, ...others } = apart(truth.map(itemOf), pages);
      const isAsked = ({ object }) => !isBareLeader(object);
      return { ...others, found: found.filter(isAsked), unasked: found.filter((each) => !isAsked(each)) };
    },
  };
}

/** Items and symbols, each with what was found of them. */
function apart(wanted, pages) {
  const objects = pages.flatMap((page) => page.objects.map((object) => ({ object, page })));
  return {
    wanted: wanted.filter(({ group }) => group !== 'symbol'),
    found: objects.filter(({ object }) => !isSymbol(object.typeId)),
    symbols: {
      wanted: wanted.filter(({ group }) => group === 'symbol'),
      found: objects.filter(({ object }) => isSymbol(object.typeId) && !isViewType(object.typeId)),
    },
  };
}

/** Sheets of parts (bench/parts): where the views are, and which of them are pictorial. */
async function* viewCases(seed, count, folder) {
  const sheets = await partsOfSheets({ seed, count, siblings: 1 });
  for (const [i, parts] of sheets.entries()) {
    const { bytes, extension, views, widthMm } = await drawSheet(parts, seed + i, { file: 'lines', shading: 'none' });
    const path = join(folder, `views-${seed + i}${extension}`);
    await writeFile(path, bytes);
    yield {
      name: `views ${seed + i}`,
      path,
      kind: 'views',
      drawing: String(seed + i),
      asksPrecision: true,
      isPlaced: true,
      hasViews: true,
      casesOf: ({ pages }) => {
        const scale = (pages[0]?.widthPx ?? 0) / widthMm;
        const wanted = views.map(({ side, box }) => {
          const typeId = side === 'isometric' ? VIEW_3D : VIEW;
          return { text: '', tolerance: '', typeId, group: 'view', said: side, box: box.map((each) => each * scale) };
        });
        const objects = pages.flatMap((page) => page.objects.map((object) => ({ object, page })));
        return { wanted, found: objects.filter(({ object }) => isViewType(object.typeId)) };
      },
    };
  }
}

/** An item of a truth in one spelling: text and tolerance apart, as they were written. */
function itemOf(item) {
  const tol = item.tols ?? (item.tol === 'limits' ? `limits ${item.text}` : item.tol || undefined);
  const isSize = tol === undefined && (item.group === 'dimension' || item.group === 'note');
  const said = isSize ? { ...wantedOf({ ...item, tol: 'basic' }), tolerance: '' } : wantedOf({ ...item, tol });
  return { ...said, typeId: item.typeId, group: item.group, said: item.text };
}

/** The box around a box of the page where a picture shows it. */
function boxAt([x, y, width, height], place) {
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ].map(([u, v]) => place(u, v));
  const [left, top] = [0, 1].map((i) => Math.min(...corners.map((corner) => corner[i])));
  const [right, bottom] = [0, 1].map((i) => Math.max(...corners.map((corner) => corner[i])));
  return [left, top, right - left, bottom - top];
}
