// Sheets as programs for diagrams and offices draw them: values in a gap of their dimension line that is no wider than
// they are, so that pieces of the line touch their letters; broken dimension, extension and centre lines; upright
// values that are read from the left or from the right; chains, short lengths with the value below, sizes across
// circles.
import { Page } from './page.mjs';
import { nominal } from './sizes.mjs';
import { Dice, styleOf } from './styles.mjs';

/** Types of the PMI table. */
const TYPE = { inside: 0, gapInside: 10, plain: 6, diameter: 3 };
const WORDS = ['SIDE VIEW', 'TOP VIEW', 'FRONT VIEW', 'PLAN', 'SECTION A-A', 'DETAIL B', 'Side view', 'Draufsicht'];
const FIELDS = [
  ['TITLE:', ['BRIDGE DESIGN', 'STEEL FRAME', 'SUPPORT', 'Concrete base', 'TANK']],
  ['DRAWN BY:', ['ANNA', 'J. SMITH', 'CWC', 'M. WEBER']],
  ['CHECKED BY:', ['LISA', 'K. ITO', 'PETER']],
  ['DRAWING NUMBER:', ['SU-BOL-F-01-27', 'PRJ.03.11.C', '22-4711', 'A-100-B']],
  ['UNIT:', ['M', 'mm', 'cm']],
  ['PAGE:', ['1/1', '1/2']],
  ['STATUS:', ['DRAWING', 'DRAFT', 'FINAL']],
];

/**
 * The sheet of a seed: items in mm and the truth, as of `sheetOf`.
 * @returns {Page}
 */
export function officeSheetOf(seed) {
  const dice = new Dice(seed + 5_000_011);
  const base = styleOf(dice);
  const dash = dice.between(2, 3.6);
  const style = {
    ...base,
    ...{
      printed: dice.oneOf(['sans', 'sans', 'sans', 'sans-bold', undefined]),
      pieces: 'string',
      slant: 0,
      stretch: 1,
    },
    height: dice.oneOf([2.5, 3, 3.5, 4]),
    line: dice.oneOf([0.18, 0.25, 0.35]),
    drawsSigns: false,
    places: dice.oneOf([0, 0, 1, 1, 2]),
    /** Broken lines: dash and gap; which of the lines are broken. */
    dash: [dash, dash * dice.between(0.4, 0.8)],
    broken: { size: dice.chance(0.5), reach: dice.chance(0.7) },
    /** Paper between a value and its line, in heights. */
    gap: dice.oneOf([-0.05, 0, 0, 0.1, 0.25]),
    upright: dice.oneOf([-1, 1]),
    concave: dice.oneOf([0, 0.25]),
    head: dice.between(0.8, 1.3),
  };
  const isWide = dice.chance(0.5);
  const page = new Page(isWide ? 297 : 210, isWide ? 210 : 297, style);
  page.rect(4, 4, page.widthMm - 8, page.heightMm - 8, { width: 0.4 });
  const block = 62;
  titles(page, dice, { x: page.widthMm - 4 - block, width: block });
  const [columns, rows] = isWide ? [2, 2] : [1, 3];
  const [wide, tall] = [(page.widthMm - 8 - block) / columns, (page.heightMm - 8) / rows];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const draw = dice.oneOf([plate, plate, beam, disc]);
      page.within({ x: 4 + (column + 0.5) * wide, y: 4 + (row + 0.5) * tall }, () => draw(page, dice, { wide, tall }));
    }
  return page;
}

/** A line with dashes, without its part between two places along it. */
function broken(page, [x0, y0], [x1, y1], { isBroken, without = [1, 0], width }) {
  const long = Math.hypot(x1 - x0, y1 - y0);
  const [dash, gap] = isBroken ? page.style.dash : [long, 1];
  const at = (s) => [x0 + ((x1 - x0) * s) / long, y0 + ((y1 - y0) * s) / long];
  const piece = (from, to) => {
    if (to - from > 0.05) page.line(...at(from), ...at(to), { width });
  };
  for (let s = 0; s < long; s += dash + gap) {
    const end = Math.min(long, s + dash);
    if (without[0] >= without[1]) piece(s, end);
    else {
      piece(s, Math.min(end, without[0]));
      piece(Math.max(s, without[1]), end);
    }
  }
}

/** A filled arrowhead with its tip at x, y that points along dx, dy; its back may be hollow. */
function head(page, x, y, dx, dy) {
  const { height, head: size, concave } = page.style;
  const long = size * 0.9 * height,
    half = size * 0.36 * height;
  const at = (s, t) => [x - s * dx - t * dy, y - s * dy + t * dx];
  page.fill([at(0, 0), at(long, half), at((1 - concave) * long, 0), at(long, -half), at(0, 0)]);
}

/** A length along x from 0, its value in a gap of its line or, where there is no room, below it. */
function length(page, dice, long, { type = TYPE.inside, sign = '' } = {}) {
  const { style } = page;
  const { height } = style;
  const said = `${sign}${nominal(dice, style, { least: 1, most: dice.oneOf([20, 90, 400]) }).text}`;
  // A value that would run into its neighbour's has one figure.
  const text = page.widthOf(said) + 0.8 * height < long ? said : `${sign}${dice.whole(2, 9)}`;
  const wide = page.widthOf(text);
  const tip = style.head * 0.9 * height;
  const item = { typeId: type, text, tol: '', group: 'dimension' };
  if (wide + 2 * tip + 0.6 * height > long) {
    const tail = 1.6 * tip;
    head(page, 0, 0, 1, 0);
    head(page, long, 0, -1, 0);
    page.line(-tail, 0, -0.8 * tip, 0);
    page.line(long + 0.8 * tip, 0, long + tail, 0);
    page.annotate({ ...item, typeId: TYPE.gapInside }, () => page.text(text, (long - wide) / 2, 1.9 * height));
    return;
  }
  head(page, 0, 0, -1, 0);
  head(page, long, 0, 1, 0);
  const start = (long - wide) / 2;
  const clear = [start - style.gap * height, start + wide + style.gap * height].map((s) => s - 0.7 * tip);
  broken(page, [0.7 * tip, 0], [long - 0.7 * tip, 0], { isBroken: style.broken.size, without: clear });
  page.annotate(item, () => page.text(text, start, height / 2));
}

/** Lengths in a row with their extension lines, which reach down to `reach`. Where lengths end: `places`. */
function row(page, dice, places, reach) {
  const { broken: isBroken, height } = page.style;
  for (const x of places) broken(page, [x, -0.6 * height], [x, reach], { isBroken: isBroken.reach });
  places.slice(1).forEach((end, i) => {
    page.within({ x: places[i], y: 0 }, () => length(page, dice, end - places[i]));
  });
}

/** Places that divide a length into parts of uneven size. */
function dividedOf(dice, long, least) {
  const count = Math.max(1, Math.min(dice.whole(1, 5), Math.floor(long / least)));
  const shares = Array.from({ length: count }, () => dice.between(0.7, 1.6));
  const sum = shares.reduce((all, share) => all + share, 0);
  let at = 0;
  return [0, ...shares.map((share) => (at += (share / sum) * long))];
}

/** An outline with sizes above, and beside it upright ones. */
function plate(page, dice, { wide, tall }) {
  const { height, upright, broken: isBroken } = page.style;
  const [w, h] = [wide * dice.between(0.45, 0.62), tall * dice.between(0.4, 0.55)];
  const off = dice.between(2.2, 4) * height;
  const step = dice.between(0.1, 0.3);
  const outline = dice.oneOf([
    [[-w / 2, -h / 2], [w / 2, -h / 2], [w / 2, h / 2], [-w / 2, h / 2], [-w / 2, -h / 2]],
    [[-w / 2, -h / 2], [w * (0.5 - step), -h / 2], [w * (0.5 - step), 0], [w / 2, 0], [w / 2, h / 2], [-w / 2, h / 2], [-w / 2, -h / 2]],
  ]); // biome-ignore format: corners
  page.path(outline, { width: 0.6 });
  page.within({ x: -w / 2, y: -h / 2 - off }, () => row(page, dice, dividedOf(dice, w, 3.4 * height), off));
  if (dice.chance(0.6))
    page.within({ x: -w / 2, y: h / 2 + off, angle: 0 }, () => row(page, dice, dividedOf(dice, w, 5 * height), -off));
  for (const side of dice.chance(0.6) ? [-1, 1] : [dice.oneOf([-1, 1])]) {
    const places = dividedOf(dice, h, 3 * height);
    page.within({ x: side * (w / 2 + off), y: (upright * -h) / 2, angle: (upright * Math.PI) / 2 }, () =>
      row(page, dice, places, side * upright * off),
    );
  }
  if (dice.chance(0.5)) broken(page, [0, -h / 2 - off / 2], [0, h / 2 + off / 2], { isBroken: true });
  if (dice.chance(0.3)) broken(page, [-w / 2, -h / 6], [w / 2, -h / 6], { isBroken: isBroken.reach });
  page.text(dice.oneOf(WORDS), -0.48 * wide, -0.5 * tall + 2 * height);
}

/** Bars with slanted ones between them, and sizes to their right. */
function beam(page, dice, { wide, tall }) {
  const { height, upright } = page.style;
  const [w, h] = [0.62 * wide, 0.5 * tall];
  const bar = h * dice.between(0.12, 0.22);
  for (const y of [-h / 2, h / 2 - bar]) page.rect(-w / 2 - 4, y, w, bar, { width: 0.6 });
  for (const x of [-w / 2, -w / 8, w / 4]) page.line(x - 4, -h / 2 + bar, x - 4, h / 2 - bar, { width: 0.6 });
  page.line(-w / 2 - 4, h / 2 - bar, -w / 8 - 4, -h / 2 + bar, { width: 0.6 });
  const off = 2.6 * height;
  const places = [0, bar, h - bar, h];
  page.within({ x: w / 2 - 4 + off, y: (upright * -h) / 2, angle: (upright * Math.PI) / 2 }, () =>
    row(page, dice, places, upright * off),
  );
  page.within({ x: -w / 2 - 4, y: -h / 2 - off }, () => row(page, dice, [0, w], off));
  page.within({ x: -w / 2 - 4, y: h / 2 + off }, () => row(page, dice, dividedOf(dice, w, 4 * height), -off));
}

/** Circles about each other with sizes across them, and one below. */
function disc(page, dice, { wide, tall }) {
  const { height } = page.style;
  const radius = 0.33 * Math.min(wide, tall);
  const inner = dice.between(0.45, 0.6) * radius;
  page.circle(0, 0, radius, { width: 0.6 });
  page.circle(0, 0, inner, { width: 0.6 });
  for (const [x, y] of [[1.12, 0], [0, 1.12]]) broken(page, [-x * radius, -y * radius], [x * radius, y * radius], { isBroken: true }); // biome-ignore format: one row
  const angle = (dice.oneOf([-60, -45, -30, 30, 45]) * Math.PI) / 180;
  const sign = dice.chance(0.3) ? '⌀' : '';
  page.within({ x: 0, y: 0, angle }, () => {
    const from = dice.chance(0.5) ? -radius : 0;
    page.within({ x: from, y: 0 }, () =>
      length(page, dice, radius - from, { type: sign === '' ? TYPE.inside : TYPE.diameter, sign }),
    );
  });
  const off = radius + 3 * height;
  page.within({ x: -radius, y: off }, () => row(page, dice, dice.chance(0.5) ? [0, 2 * radius] : [0, radius, 2 * radius], -off + 0.3 * radius)); // biome-ignore format: one row
}

/** Labels above their values, one below the other at the right edge. */
function titles(page, dice, { x, width }) {
  const { height } = page.style;
  const size = Math.min(3, height);
  const each = (page.heightMm - 8) / FIELDS.length;
  page.line(x, 4, x, page.heightMm - 4, { width: 0.4 });
  FIELDS.forEach(([label, values], i) => {
    const y = 4 + i * each;
    if (i > 0) page.line(x, y, x + width, y);
    page.text(label, x + 2, y + 2 * size, { height: size });
    page.text(dice.oneOf(values), x + 2, y + 4.5 * size, { height: size });
  });
}
