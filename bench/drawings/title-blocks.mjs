// Title blocks as standards and drawing programs lay them out, on a sheet with a part, notes and a table of revisions.
import { Page } from './page.mjs';
import { Dice, styleOf } from './styles.mjs';

const WIDTH = 420;
const HEIGHT = 297;

const WORDS = {
  en: { number: ['DWG NO.', 'DRAWING NUMBER', 'PART NO', 'DOCUMENT NUMBER'], name: ['TITLE', 'DRAWING TITLE', 'PART NAME'], material: ['MATERIAL', 'MATL'], finish: ['FINISH', 'SURFACE TREATMENT', 'COATING'], mass: ['MASS', 'WEIGHT', 'WEIGHT (kg)'], scale: ['SCALE'], revision: ['REV', 'REVISION', 'REV.'], drawn: ['DRAWN', 'DRAWN BY', 'CREATED BY', 'DESIGNED BY'], date: ['DATE', 'DATE OF ISSUE'], checked: ['CHECKED', "CHK'D"], approved: ['APPROVED BY', "APPV'D"], sheet: ['SHEET'], size: ['SIZE'] },
  de: { number: ['ZEICHNUNGSNR', 'TEILENUMMER', 'SACHNUMMER'], name: ['BENENNUNG', 'TITEL'], material: ['WERKSTOFF'], finish: ['OBERFLAECHE', 'OBERFLÄCHENBEHANDLUNG'], mass: ['GEWICHT', 'MASSE'], scale: ['MASSSTAB', 'MAßSTAB'], revision: ['INDEX', 'ÄNDERUNG'], drawn: ['ERSTELLT', 'GEZEICHNET'], date: ['DATUM'], checked: ['GEPRÜFT'], approved: ['FREIGEGEBEN'], sheet: ['BLATT'], size: ['FORMAT'] },
  fr: { number: ['N° DE PLAN', 'NUMÉRO DE PLAN'], name: ['TITRE', 'DÉSIGNATION'], material: ['MATIÈRE', 'MATÉRIAU'], finish: ['TRAITEMENT', 'FINITION'], mass: ['POIDS', 'MASSE'], scale: ['ÉCHELLE', 'ECHELLE'], revision: ['INDICE', 'RÉVISION'], drawn: ['DESSINÉ PAR'], date: ['DATE'], checked: ['VÉRIFIÉ'], approved: ['APPROUVÉ'], sheet: ['FEUILLE'], size: ['FORMAT'] },
  it: { number: ['N. DISEGNO', 'CODICE'], name: ['TITOLO', 'DENOMINAZIONE'], material: ['MATERIALE'], finish: ['FINITURA', 'TRATTAMENTO'], mass: ['PESO', 'MASSA'], scale: ['SCALA'], revision: ['REVISIONE', 'REV.'], drawn: ['DISEGNATO', 'DISEG.'], date: ['DATA'], checked: ['VERIF.'], approved: ['APPR.'], sheet: ['FOGLIO'], size: ['FORMATO'] },
}; // biome-ignore format: a table
const VALUES = {
  name: ['Bracket', 'Flange cover', 'Drive shaft', 'Housing, left', 'Tool Head Plate', 'BEARING CAP', 'Spacer 12 mm'],
  material: ['S235JR', 'EN AW-6082 T6', 'AISI 304', 'C45E', '1.4301', 'ALUMINIUM', 'ASTM A36', 'POM-C', 'Steel, mild'],
  finish: ['BLACK ANODIZED', 'ZINC PLATED', 'NONE', 'POWDER COATED RAL 9005', 'UNFINISHED', 'Nickel 10 µm'],
  scale: ['1:1', '1:2', '2:1', '1:5', '10:1', '1 : 2'],
  revision: ['A', 'B', 'C', '01', '1.3', 'A2', '0'],
  drawn: ['J. SMITH', 'M. Weber', 'K. ITO', 'GLH'],
  date: ['2024-03-12', '12.05.2023', '07/11/2022', '21-01-26'],
  general: ['ISO 2768-m', 'ISO 2768-mK', 'ISO 2768-fH', 'ISO 2768-cL'],
}; // biome-ignore format: a table

/** Names that stand on two lines where their cell has the room. */
const LONG_NAMES = [['Bearing housing for', 'main drive shaft'], ['COVER PLATE,', 'RIGHT HAND SIDE'], ['Mounting bracket', 'for sensor unit']]; // biome-ignore format: a row
const OF_TWO_LINES = ['iso 7200', 'asme', 'notes beside'];

/** The layouts. */
export const BLOCKS = ['iso 7200', 'asme', 'tolerance box', 'notes beside', 'form', 'table'];

/** @returns a sheet with the title block of a seed, and which layout it has; the page's attributes are the truth. */
export function titleSheetOf(seed) {
  const dice = new Dice(seed + 70_000);
  const page = new Page(WIDTH, HEIGHT, {
    ...styleOf(dice),
    printed: 'sans',
    slant: 0,
    pieces: 'string',
    drawsSigns: false,
  });
  page.rect(5, 5, WIDTH - 10, HEIGHT - 10, { width: 0.5 });
  part(page, dice);
  const block = BLOCKS[seed % BLOCKS.length];
  // Dice of its own, so that the other habits of a seed stay.
  const longer = new Dice(seed + 90_000);
  const lines = OF_TWO_LINES.includes(block) && longer.chance(0.35) ? longer.oneOf(LONG_NAMES) : undefined;
  const context = contextOf(page, dice, lines);
  if (dice.chance(0.5)) page.within({ x: WIDTH - 5 - 150, y: 5 }, () => revisions(page, dice, context));
  DRAWN[block](page, dice, context);
  return { page, block };
}

function part(page, dice) {
  const [w, h] = [dice.whole(60, 120), dice.whole(30, 70)];
  page.rect(80, 70, w, h);
  for (let i = 0; i < 12; i++) page.circle(95 + (i % 6) * 9, 85 + Math.floor(i / 6) * 14, 2 + (i % 3));
  page.line(80, 60, 80 + w, 60);
  page.text(String(w), 80 + w / 2, 58, { align: 'middle' });
  page.text(String(h), 84 + w, 70 + h / 2);
  for (let i = 0; i < 90; i++) page.line(80 + i * 0.5, 150, 80.4 + i * 0.5, 152 + (i % 5));
}

/** Labels, values and how they are written; a field without a value stays empty, and is no part of the truth. */
function contextOf(page, dice, nameLines) {
  const language = dice.oneOf(['en', 'en', 'en', 'de', 'fr', 'it']);
  const words = Object.fromEntries(Object.entries(WORDS[language]).map(([key, all]) => [key, dice.oneOf(all)]));
  const isLower = dice.chance(0.3);
  const colon = dice.chance(0.4) ? ':' : '';
  const values = {
    number: dice.oneOf([`${dice.whole(10, 99)}-${dice.whole(1000, 9999)}`, `TC-${dice.oneOf(['SHAFT', 'PLATE'])}`, `B${dice.whole(1000, 1999)}-A2P`, `10${dice.whole(10000, 99999)}`]),
    name: dice.oneOf(VALUES.name),
    material: dice.oneOf(VALUES.material),
    finish: dice.chance(0.7) ? dice.oneOf(VALUES.finish) : '',
    mass: dice.chance(0.6) ? `${dice.whole(1, 90) / 10} ${dice.oneOf(['kg', 'g', 'lb'])}` : '',
    scale: dice.oneOf(VALUES.scale),
    revision: dice.chance(0.85) ? dice.oneOf(VALUES.revision) : '',
    drawn: dice.oneOf(VALUES.drawn),
    date: dice.oneOf(VALUES.date),
    checked: dice.chance(0.4) ? 'R. LEE' : '',
    approved: dice.chance(0.4) ? 'ABL' : '',
    sheet: '1/1',
    size: 'A3',
  }; // biome-ignore format: a table
  if (nameLines !== undefined) values.name = nameLines.join('\n');
  const said = (key) => `${isLower ? words[key][0] + words[key].slice(1).toLowerCase() : words[key]}${colon}`;
  const names = { number: 'Part number', name: 'Name', material: 'Material', finish: 'Finish', mass: 'Mass', scale: 'Scale', revision: 'Revision' }; // biome-ignore format: a row
  for (const [key, name] of Object.entries(names))
    if (values[key] !== '') page.attributes.push({ name, value: values[key].replace('\n', ' ') });
  return { said, values, label: dice.oneOf([1.4, 1.8]), size: dice.oneOf([2, 2.5, 3]), isEnglish: language === 'en' };
}

/** A cell with its label in the upper left and its value below. */
function cell(page, { said, values, label, size }, key, [x, y, w, h], { large = 1, isCentred = false } = {}) {
  page.rect(x, y, w, h);
  if (key === '') return;
  page.text(said(key), x + 0.8, y + 0.8 + label, { height: label });
  const height = Math.min(large * size, 0.5 * h);
  const lines = values[key].split('\n');
  if (lines.length > 1) {
    const high = Math.min(height, 0.2 * h);
    lines.forEach((line, i) => page.text(line, x + 1.2, y + h - 0.12 * h - 1.5 * high * (1 - i), { height: high }));
    return;
  }
  const wide = page.widthOf(values[key], height);
  const at = isCentred ? x + Math.max(0.8, (w - wide) / 2) : x + 1.2;
  if (values[key] !== '') page.text(values[key], at, y + h - 0.18 * h, { height });
}

/** General tolerances as a note, or in full. */
function general(page, dice, x, y, size) {
  const value = dice.oneOf(VALUES.general);
  const before = dice.oneOf([
    'GENERAL TOLERANCES ',
    'TOLERANCES ',
    'General tolerances: ',
    'UNLESS OTHERWISE SPECIFIED ',
  ]);
  page.text(`${before}${value}`, x, y, { height: size });
  page.attributes.push({ name: 'General tolerance', value });
}

/** A table of revisions, whose heads are words of title blocks. Where a block states no revision, the table does. */
function revisions(page, dice, { values, size }) {
  if (values.revision === '') page.attributes.push({ name: 'Revision', value: 'A' });
  const columns = [['REV', 18], ['DESCRIPTION', 70], ['DATE', 30], ['APPROVED', 32]]; // biome-ignore format: a row
  page.rect(0, 0, 150, 7);
  page.text(dice.oneOf(['REVISION HISTORY', 'REVISIONS']), 75, 5, { height: size, align: 'middle' });
  for (const [row, written] of [undefined, ['A', 'First Edition', '12.05.2023', 'ABL']].entries()) {
    let x = 0;
    columns.forEach(([title, wide], i) => {
      page.rect(x, 7 + 7 * row, wide, 7);
      const text = written === undefined ? title : i === 0 ? values.revision || 'A' : written[i];
      page.text(text, x + wide / 2, 12 + 7 * row, { height: 0.8 * size, align: 'middle' });
      x += wide;
    });
  }
}

const DRAWN = {
  'iso 7200': (page, dice, context) => {
    const [x, y] = [WIDTH - 185, HEIGHT - 5 - 48];
    const at = (key, left, top, w, h = 12, more) => cell(page, context, key, [x + left, y + top, w, h], more);
    at('drawn', 0, 0, 60), at('checked', 60, 0, 60), at('approved', 120, 0, 60);
    at('material', 0, 12, 60), at('finish', 60, 12, 60), at('mass', 120, 12, 30), at('scale', 150, 12, 30);
    at('name', 0, 24, 100, 24, { large: 1.4 }), at('number', 100, 24, 80, 12, { large: 1.3 });
    at('revision', 100, 36, 20), at('date', 120, 36, 38), at('sheet', 158, 36, 22);
    general(page, dice, x, y - 4, context.size);
  },
  asme: (page, _dice, context) => {
    const [x, y] = [WIDTH - 165, HEIGHT - 5 - 60];
    const { said, values, label, size } = context;
    page.rect(x - 60, y, 60, 60);
    ['UNLESS OTHERWISE SPECIFIED', 'DIMENSIONS ARE IN MM', 'INTERPRET PER ASME Y14.5'].forEach((text, i) =>
      page.text(text, x - 59, y + 4 + 3.4 * i, { height: label }),
    );
    cell(page, context, 'material', [x - 60, y + 36, 60, 12]);
    cell(page, context, 'finish', [x - 60, y + 48, 60, 12]);
    ['drawn', 'checked', 'approved'].forEach((key, i) => {
      page.rect(x, y + 7 * i, 28, 7), page.rect(x + 28, y + 7 * i, 30, 7), page.rect(x + 58, y + 7 * i, 26, 7);
      page.text(said(key), x + 0.8, y + 7 * i + 5, { height: label });
      page.text(values[key] === '' ? ' ' : values[key], x + 29, y + 7 * i + 5, { height: Math.min(size, 2.5) });
      if (i === 0) page.text(values.date, x + 59, y + 5, { height: Math.min(size, 2.2) });
    });
    cell(page, context, 'name', [x, y + 21, 160, 18], { large: 1.5, isCentred: true });
    cell(page, context, 'size', [x, y + 39, 16, 11]),
      cell(page, context, 'number', [x + 16, y + 39, 114, 11], { large: 1.4, isCentred: true });
    cell(page, context, 'revision', [x + 130, y + 39, 30, 11], { isCentred: true });
    page.rect(x, y + 50, 53, 10), page.rect(x + 53, y + 50, 54, 10), page.rect(x + 107, y + 50, 53, 10);
    page.text(`${said('scale').replace(/:$/, '')}: ${values.scale}`, x + 1, y + 56, { height: label });
    page.text(`${said('mass').replace(/:$/, '')}: ${values.mass}`, x + 54, y + 56, { height: label });
    page.text('SHEET 1 OF 1', x + 108, y + 56, { height: label });
  },
  // Labels small in the corners of cells, many of them empty; the sign-off table has its headings above.
  'tolerance box': (page, dice, context) => {
    const [x, y] = [WIDTH - 5 - 180, HEIGHT - 5 - 56];
    const { said, values, size } = context;
    const label = 1.2;
    page.rect(x, y, 36, 18), page.rect(x + 36, y, 44, 18), page.rect(x + 80, y, 20, 18);
    ['UNLESS OTHERWISE SPECIFIED:', 'DIMENSIONS ARE IN MILLIMETERS', 'SURFACE FINISH:', 'TOLERANCES:', '  LINEAR:', '  ANGULAR:'].forEach((text, i) => page.text(text, x + 0.6, y + 2 + 2.4 * i, { height: label })); // biome-ignore format: a row
    page.text(`${said('finish').replace(/:$/, '')}:`, x + 36.6, y + 2, { height: label });
    if (values.finish !== '') page.text(values.finish, x + 42, y + 10, { height: 2 });
    page.text('DEBURR AND', x + 80.6, y + 2, { height: label }),
      page.text('BREAK SHARP', x + 80.6, y + 4, { height: label });
    page.text('EDGES', x + 80.6, y + 6, { height: label });
    page.rect(x + 100, y, 50, 6), page.text('DO NOT SCALE DRAWING', x + 112, y + 3.6, { height: label });
    page.rect(x + 150, y, 30, 6), page.text(said('revision').replace(/:$/, ''), x + 151, y + 2.4, { height: label });
    if (values.revision !== '') page.text(values.revision, x + 170, y + 5, { height: 2.4 });
    const columns = [0, 9, 29, 48, 60];
    ['', 'NAME', 'SIGNATURE', 'DATE'].forEach((text, i) => {
      page.rect(x + columns[i], y + 18, columns[i + 1] - columns[i], 5);
      if (text !== '') page.text(text, x + columns[i] + 2, y + 21.5, { height: label });
    });
    ['drawn', 'checked', 'approved'].forEach((key, row) => {
      columns.slice(1).forEach((right, i) => page.rect(x + columns[i], y + 23 + 5 * row, right - columns[i], 5));
      page.text(said(key), x + 0.4, y + 26.5 + 5 * row, { height: label });
      if (values[key] !== '') page.text(values[key], x + 10, y + 27 + 5 * row, { height: 2 });
      if (row === 0) page.text(values.date, x + 48.5, y + 27, { height: 1.6 });
    });
    page.rect(x + 60, y + 38, 40, 14),
      page.text(`${said('material').replace(/:$/, '')}:`, x + 60.6, y + 40, { height: label });
    page.text(values.material, x + 66, y + 47, { height: 2.2 });
    page.rect(x + 60, y + 52, 40, 4),
      page.text(`${said('mass').replace(/:$/, '')}: ${values.mass}`, x + 60.6, y + 54.6, { height: label });
    page.rect(x + 100, y + 18, 80, 20),
      page.text(`${said('name').replace(/:$/, '')}:`, x + 100.6, y + 20, { height: label });
    page.text(values.name, x + 140, y + 30, { height: size + 1, align: 'middle' });
    page.rect(x + 100, y + 38, 66, 14),
      page.text(said('number').replace(/:$/, ''), x + 100.6, y + 40.6, { height: label });
    page.text(values.number, x + 134, y + 48, { height: size + 2, align: 'middle' });
    page.rect(x + 166, y + 38, 14, 14), page.text('A3', x + 171, y + 46, { height: 3 });
    page.rect(x + 100, y + 52, 40, 4),
      page.text(`${said('scale').replace(/:$/, '')}:${values.scale}`, x + 101, y + 54.6, { height: label });
    page.rect(x + 140, y + 52, 40, 4), page.text('SHEET 1 OF 1', x + 142, y + 54.6, { height: label });
    if (dice.chance(0.6)) general(page, dice, x, y - 3, 2.5);
  },
  // The block has name and number only; material, scale and finish are lines of notes beside it.
  'notes beside': (page, dice, context) => {
    const [x, y] = [WIDTH - 5 - 160, HEIGHT - 5 - 40];
    const { said, values, size } = context;
    cell(page, context, 'drawn', [x, y, 80, 10]), cell(page, context, 'approved', [x + 80, y, 80, 10]);
    cell(page, context, 'name', [x, y + 10, 90, 30], { large: 1.5 }),
      cell(page, context, 'number', [x + 90, y + 10, 70, 18], { large: 1.6, isCentred: true });
    cell(page, context, 'revision', [x + 90, y + 28, 14, 12]), cell(page, context, 'date', [x + 104, y + 28, 32, 12]);
    cell(page, context, 'sheet', [x + 136, y + 28, 24, 12]);
    const notes = ['material', 'scale', 'finish', 'mass'].filter((key) => values[key] !== '');
    notes.forEach((key, i) =>
      page.text(`${said(key).replace(/:$/, '')}: ${values[key]}`, 60, y + 12 + 4.5 * i, { height: 0.9 * size }),
    );
    page.text('ALL DIMENSIONS IN MM', 60, y + 7.5, { height: 0.9 * size });
    if (dice.chance(0.5)) general(page, dice, 60, y + 2, 0.9 * size);
  },
  // Labels in cells of their own, left of their values.
  form: (page, dice, context) => {
    const [x, y] = [WIDTH - 5 - 170, HEIGHT - 5 - 36];
    const { said, values, label, size } = context;
    const rows = [['number', 'revision'], ['name', 'scale'], ['material', 'mass'], ['finish', 'date'], ['drawn', 'checked'], ['approved', 'sheet']]; // biome-ignore format: a table
    rows.forEach((keys, row) =>
      keys.forEach((key, i) => {
        const left = x + 100 * i;
        page.rect(left, y + 6 * row, 30, 6), page.rect(left + 30, y + 6 * row, i === 0 ? 70 : 40, 6);
        page.text(said(key), left + 1, y + 6 * row + 4.2, { height: label });
        if (values[key] !== '') page.text(values[key], left + 31, y + 6 * row + 4.4, { height: Math.min(size, 2.5) });
      }),
    );
    if (dice.chance(0.7)) general(page, dice, x, y - 3, size);
  },
  // Labels above, values below, in rows of cells.
  table: (page, dice, context) => {
    const [x, y] = [WIDTH - 5 - 190, HEIGHT - 5 - 36];
    const { said, values, label, size } = context;
    const rows = [['name', 'number', 'revision'], ['material', 'finish', 'mass'], ['drawn', 'date', 'scale']]; // biome-ignore format: a table
    rows.forEach((keys, row) =>
      keys.forEach((key, i) => {
        const [left, wide] = [x + [0, 80, 150][i], [80, 70, 40][i]];
        page.rect(left, y + 12 * row, wide, 4.5), page.rect(left, y + 12 * row + 4.5, wide, 7.5);
        page.text(said(key), left + 1, y + 12 * row + 3.2, { height: label });
        if (values[key] !== '') page.text(values[key], left + 1.5, y + 12 * row + 10, { height: size });
      }),
    );
    general(page, dice, x, y - 3, size);
  },
};
