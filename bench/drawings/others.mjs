// What has numbers and measures nothing, where drawings have it (`pmi --generated --others`): values beside the names
// of other quantities, lists of parts and revisions without lines, names of screws, addresses, screens. Finding a
// size there is an error. And callouts of holes, whose sizes are written one behind the other (`--callouts`).

import { sizeOf, widthOfSize, writeSize } from './sizes.mjs';

/** Types of the PMI table that annotations here have. */
const TYPE = { diameter: 3, plain: 6, radius: 35, leader: 40, depth: 41, counterbore: 48 };

/** [label, value]: German and English; the value alone reads like a size. */
function quantity(dice) {
  const decimal = (least, most, places) => dice.between(least, most).toFixed(places);
  return dice.oneOf([
    ['DENSITY', decimal(1, 9, 2)], ['Dichte', decimal(1, 9, 2)], ['MASS', decimal(0.1, 9, 3)],
    ['WEIGHT (KG)', decimal(0.1, 90, 1)],
    ['Gewicht', decimal(0.1, 90, 2)], ['PROPERTY CLASS', dice.oneOf(['8.8', '10.9', '12.9', '5.6'])],
    ['Festigkeitsklasse', dice.oneOf(['8.8', '10.9'])],
    ['HARDNESS', String(dice.whole(40, 62))], ['TORQUE', String(dice.whole(5, 90))], ['PRESSURE', decimal(1, 20, 1)],
    ['TEMPERATURE', String(dice.whole(20, 90))],
    ['QTY', String(dice.whole(1, 20))], ['Menge', String(dice.whole(2, 20))], ['ITEM', String(dice.whole(1, 40))],
    ['POS.', String(dice.whole(1, 40))],
    ['REV', String(dice.whole(1, 9))], ['SHEET', String(dice.whole(1, 9))], ['Blatt', String(dice.whole(1, 9))],
    ['ORDER NO', String(dice.whole(1000, 99999))],
    ['TEL', String(dice.whole(10000, 99999))], ['FAX:', String(dice.whole(10000, 99999))], ['Telefon',
    `0${dice.whole(100, 999)} ${dice.whole(10000, 99999)}`],
    ['YEAR', String(dice.whole(1998, 2026))], ['RESOLUTION', '1920 x 1080'],
    ['NUMBER OF TEETH', String(dice.whole(12, 60))], ['VOLTAGE', String(dice.whole(12, 400))],
    ['FINISH CODE:', String(dice.whole(10, 99))], ['BATCH', String(dice.whole(100, 999))],
  ]); // biome-ignore format: a table
}

/** Names and their values in two columns, as far apart as the longest name and more. */
export function labelledValues(page, dice, { width }) {
  const { height } = page.style;
  const rows = Array.from({ length: dice.whole(1, 4) }, () => quantity(dice));
  const longest = Math.max(...rows.map(([label]) => page.widthOf(label)));
  const at = longest + dice.between(0.8, 6) * height;
  const start = -Math.min(width, at + 8 * height) / 2;
  rows.forEach(([label, value], i) => {
    const y = (i - rows.length / 2) * 1.8 * height;
    const said = page.style.comma ? value.replace('.', ',') : value;
    page.text(label, start, y);
    page.text(said, start + at, y);
  });
}

/** Numbers with the unit of something else, apart from it. */
export function otherUnit(page, dice) {
  const { height } = page.style;
  const [value, unit] = dice.oneOf([
    [String(dice.whole(40, 62)), 'HRC'], [dice.between(1, 9).toFixed(2), 'g/cm3'], [String(dice.whole(5, 90)), 'Nm'],
    [dice.between(1, 9).toFixed(1), 'kg'],
    [String(dice.whole(2, 20)), 'bar'], [String(dice.whole(2, 40)), 'pcs'], [String(dice.whole(10, 99)), '%'],
    [String(dice.whole(100, 900)), 'N/mm2'],
  ]); // biome-ignore format: a table
  page.text(unit, page.text(value, -8, height / 2) + dice.between(0.3, 2.5) * height, height / 2);
}

/** A size with a flag of a note close behind it: a number in a triangle, a circle, a hexagon or a box with a point. */
export function flagged(page, dice) {
  const { style } = page;
  const { height } = style;
  const size = sizeOf(dice, style, { sign: dice.oneOf(['⌀', '', 'R']), forms: ['none', 'equal', 'fit'], most: 60 });
  const isRadius = size.front.startsWith('R');
  if (isRadius && size.tol !== undefined && /[A-Za-z]/.test(size.tol)) return;
  const start = -0.5 * widthOfSize(page, size) - 2 * height;
  page.line(start - 1, 0, start - 8, 8);
  page.arrow(start - 8, 8, -Math.SQRT1_2, Math.SQRT1_2);
  let end = start;
  const typeId = size.front === '⌀' ? TYPE.diameter : isRadius ? TYPE.radius : TYPE.plain;
  page.annotate({ typeId, text: size.text, tol: size.tol ?? '', group: 'dimension' }, () => {
    end = writeSize(page, size, start, height / 2);
  });
  const note = String(dice.whole(1, 9));
  const radius = 0.9 * height;
  const [x, y] = [end + radius + dice.between(0.1, 0.5) * height, 0];
  const corners = (count, turn) =>
    Array.from({ length: count + 1 }, (_, i) => {
      const at = turn + (2 * Math.PI * i) / count;
      const reach = count === 3 ? 1.5 * radius : 1.15 * radius;
      return [x + (count === 3 ? 0.5 * radius : 0) + reach * Math.cos(at), y + reach * Math.sin(at)];
    });
  const form = dice.oneOf(['circle', 'triangle', 'hexagon', 'flag']);
  if (form === 'circle') page.circle(x, y, radius);
  else if (form === 'triangle') page.path(corners(3, -Math.PI / 2));
  else if (form === 'hexagon') page.path(corners(6, 0));
  else
    page.path([[x - 0.8 * radius, y - radius], [x + 0.6 * radius, y - radius], [x + 1.2 * radius, y],
    [x + 0.6 * radius, y + radius], [x - 0.8 * radius, y + radius],
    [x - 0.8 * radius, y - radius]]); // biome-ignore format: a flag
  page.text(note, x + (form === 'triangle' ? 0.5 * radius : 0), y + 0.4 * height, {
    align: 'middle',
    height: 0.8 * height,
  });
}

/** A list of parts or revisions without lines, its headings above or, as in Germany, below. */
export function openList(page, dice, { width }) {
  const { height } = page.style;
  const size = 0.75 * height;
  const day = () => `${dice.whole(10, 28)}.${dice.whole(10, 12)}.${dice.whole(2015, 2026)}`;
  const [heads, rowOf] = dice.oneOf([
    [['POS', 'QTY', 'DESCRIPTION', 'STANDARD'], (i) => [String(i + 1), String(dice.whole(1, 12)), dice.oneOf(['SCREW',
    'WASHER', 'NUT']), dice.oneOf(['M8x20', 'M6', '8.4', 'M10x30'])]],
    [['REV', 'DATE', 'DESCRIPTION', 'BY'], (i) => [String(i + 1), day(), dice.oneOf(['25', '12.5', 'R5',
    'FIRST ISSUE']), dice.oneOf(['KW', 'JS'])]],
    [['Pos.', 'Menge', 'Benennung',
    'Werkstoff'], (i) => [String(i + 1), String(dice.whole(1, 12)), dice.oneOf(['Scheibe',
    'Welle']), dice.oneOf(['1.4301', 'C45', '1.0038'])]],
    [['ITEM', 'QTY.', 'PART NO',
    'REMARKS'], (i) => [String(i + 1), String(dice.whole(1, 12)), String(dice.whole(1000, 99999)), dice.oneOf(['8.8',
    '10.9', '-'])]],
  ]); // biome-ignore format: a table
  const rows = Array.from({ length: dice.whole(2, 4) }, (_, i) => rowOf(i));
  const wides = heads.map((head, i) =>
    Math.max(...[head, ...rows.map((row) => row[i])].map((cell) => page.widthOf(cell, size))),
  );
  const gap = dice.between(1, 3) * size;
  const total = wides.reduce((sum, wide) => sum + wide + gap, 0);
  const isUpwards = dice.chance(0.3);
  const all = isUpwards ? [...rows.toReversed(), heads] : [heads, ...rows];
  all.forEach((row, i) => {
    let x = -Math.min(total, width) / 2;
    row.forEach((cell, column) => {
      page.text(cell, x, (i - all.length / 2) * 1.7 * size, { height: size });
      x += wides[column] + gap;
    });
  });
}

/** Names of screws, screens and addresses on one line. */
export function otherName(page, dice) {
  const { height } = page.style;
  const screw = `M${dice.oneOf([4, 5, 6, 8, 10])}${dice.oneOf(['x', ' x '])}${dice.oneOf([12, 16, 20, 30])}`;
  const text = dice.oneOf([
    `ISO 4762 ${screw}`, `DIN 912 - ${screw} - 8.8`, `${screw}-8.8`, `${screw} 10.9`, `${screw} ISO 4762`,
    `4x ${screw} - A2-70`,
    `ISO ${dice.whole(1000, 9999)}-${dice.whole(1, 9)}`, '1920 x 1080 px', '1280x720 DPI',
    `+49 ${dice.whole(100, 999)} ${dice.whole(10000, 99999)}`,
    `0${dice.whole(100, 999)} ${dice.whole(100, 999)} ${dice.whole(10, 99)}`,
    `${dice.whole(10000, 99999)} ${dice.oneOf(['Stuttgart', 'Lyon', 'Torino'])}`, `${dice.whole(1, 99)} MAIN STREET`,
    `${dice.whole(10, 28)}.${dice.whole(10, 12)}.${dice.whole(15, 26)}`,
    `${dice.whole(10, 12)}/${dice.whole(13, 28)}/${dice.whole(15, 26)}`,
    `DENSITY ${dice.between(1, 9).toFixed(2)}`, `${dice.between(1, 9).toFixed(2)} g/cm3`,
    `HARDNESS ${dice.whole(40, 60)} HRC`,
    `CLASS 8.8`, `SHEET ${dice.whole(1, 4)}/${dice.whole(4, 9)}`, `VOL. ${dice.whole(10, 99)}`,
    `${dice.whole(1, 9)}.${dice.whole(0, 9)}.${dice.whole(0, 9)}`,
  ]); // biome-ignore format: a table
  page.text(text, 0, height / 2, { align: 'middle' });
}

/** Parts of a callout: [type, text, tolerance?], as one line writes them behind each other. */
function calloutOf(dice, { isInch, isAsme, places }) {
  const size = (least, most) => {
    const value = dice.between(least, most) / (isInch ? 25.4 : 1);
    const digits = isInch ? 3 : Math.min(places, 1);
    return value.toFixed(digits).replace(isInch ? /^0(?=\.)/ : /^$/, '');
  };
  const hole = size(3, 12);
  const count = dice.chance(0.6) ? `${dice.whole(2, 12)}${dice.oneOf(['x ', 'X ', 'x'])}` : '';
  const wide = size(14, 28);
  const deep = size(3, 20);
  const metric = dice.oneOf(['M4', 'M5', 'M6', 'M8', 'M10']);
  const inch = dice.oneOf(['1/4-20 UNC-2B', '3/8-16 UNC-2B', '#10-32 UNF-2B']);
  const thread = isInch ? inch : `${metric}${dice.oneOf(['', '-6H', 'x1'])}`;
  const deeper = size(20, 30);
  const sunk = [
    [[TYPE.diameter, `${count}⌀${hole} THRU`], [TYPE.counterbore, `⌴⌀${wide}`], [TYPE.depth, `↧${deep}`]],
    [[TYPE.diameter, `${count}⌀${hole}`], [TYPE.depth, `↧${deeper}`]],
    [[TYPE.diameter, `${count}⌀${hole} THRU`], [TYPE.counterbore, `⌵⌀${wide} X ${dice.oneOf([82, 90])}°`]],
    [[TYPE.diameter, `${count}⌀${hole} THRU`], [TYPE.counterbore, `CBORE ⌀${wide} DEEP ${deep}`]],
    [[TYPE.diameter, `${count}⌀${hole} THRU ALL`], [TYPE.counterbore, `CSK ⌀${wide} X 90°`]],
    [[TYPE.diameter, `${count}⌀${hole}`], [TYPE.depth, `↧${deeper}`], [TYPE.leader, thread],
    [TYPE.depth, `↧${deep}`]],
    [[TYPE.diameter, `${count}⌀${hole} THRU`], [TYPE.leader, thread]],
    [[TYPE.leader, `${count}${thread}`], [TYPE.depth, `↧${deep}`]],
    [[TYPE.leader, `${count}${thread} THRU`]],
    [[TYPE.leader, `${count}${thread} DEEP ${deep}`]],
  ]; // biome-ignore format: a table
  const fit = dice.oneOf(['H7', 'H8', 'H11', 'F8']);
  const fitted = [
    [[TYPE.diameter, `${count}⌀${dice.whole(4, 30)} THRU`, fit]],
    [[TYPE.diameter, `${count}⌀${dice.whole(4, 30)} DEEP ${dice.whole(5, 40)}`, fit]],
  ];
  const german = [
    [[TYPE.diameter, `${count}⌀${hole} durch`], [TYPE.counterbore, `Senkung ⌀${wide}`]],
    [[TYPE.leader, `${count}${metric} ${deep} tief`]],
    [[TYPE.diameter, `${count}⌀${hole} ${deep} tief`]],
    ...fitted.map(([[type, text, tolerance]]) => [[type, text.replace('THRU', 'durch').replace('DEEP',
    'tief'), tolerance]]),
  ]; // biome-ignore format: a table
  return dice.oneOf([...sunk, ...(isInch ? [] : fitted), ...(isAsme ? [] : german)]);
}

/** A callout of holes at a leader, all on one line. A fit stands before the words behind the size. */
export function callout(page, dice, { width }) {
  const { style } = page;
  const { height } = style;
  const spelled = (text) => (style.comma ? text.replace(/(?<=\d)\.(?=\d)/g, ',') : text);
  const parts = calloutOf(dice, style).map(([typeId, text, tol = '']) => ({ typeId, text: spelled(text), tol }));
  const written = parts.map(({ text, tol }) =>
    tol === '' ? text : text.replace(/^((?:\d+\s?[xX]\s?)?⌀\S+) /, `$1 ${tol} `),
  );
  const whole = written.join(' ');
  const wide = page.widthOf(whole);
  if (wide > 1.15 * width) return;
  const start = -wide / 2;
  const y = style.isAbove ? -0.4 * height : height / 2;
  page.line(start - 1, 0, start - 8, 8);
  page.arrow(start - 8, 8, -Math.SQRT1_2, Math.SQRT1_2);
  if (style.isAbove) page.line(start - 1, 0, start + wide, 0);
  page.text(whole, start, y);
  let at = start;
  parts.forEach((part, i) => {
    const end = at + page.widthOf(written[i]);
    const group = part.typeId === TYPE.leader ? 'leader' : 'dimension';
    page.placed({ ...part, group }, [at, y - height, end, y]);
    at = end + page.widthOf(' ');
  });
}
