// Further annotations, for sheets that are asked to be broad: isometric views, feet and inches, notes in the words of
// other languages, dashed leaders, arrows in every placement, targets with areas of other forms.
import { sizeOf, widthOfSize, writeSize, written } from './sizes.mjs';

/** Types of the PMI table that annotations here have. */
const TYPE = { inside: 0, diameter: 3, plain: 6, valueOutside: 7, arrowsOutside: 8, gapOutside: 9, gapInside: 10, ordinate: 19, datum: 34, radius: 35, leader: 40 }; // biome-ignore format: a table

function entered(page, size, typeId, x, y, count = '') {
  const item = { typeId, text: `${count}${size.text}`, tol: size.tol ?? '', tols: size.tols, group: 'dimension' };
  let end = x;
  page.annotate(item, () => {
    end = writeSize(page, { ...size, front: `${count}${size.front}` }, x, y);
  });
  return end;
}

/** A leader of dashes from a text to a point, with or without an arrowhead. */
function leaderTo(page, dice, [x0, y0], [x1, y1]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const long = Math.hypot(dx, dy);
  const step = dice.oneOf([0, 0, 1.5, 2.5]);
  if (step === 0) page.line(x0, y0, x1, y1);
  else
    for (let at = 0; at < long; at += 1.6 * step) {
      const end = Math.min(long, at + step);
      page.line(x0 + (at * dx) / long, y0 + (at * dy) / long, x0 + (end * dx) / long, y0 + (end * dy) / long);
    }
  if (dice.chance(0.7)) page.arrow(x1, y1, dx / long, dy / long);
  else page.circle(x1, y1, 0.5);
}

/** A note at a leader, in the words of a country: threads, holes and chamfers with what belongs to them. */
export function nationalNote(page, dice, { width }) {
  const { style } = page;
  const country = dice.oneOf(['german', 'french', 'chinese', 'english']);
  const n = dice.whole(2, 12);
  const metric = dice.oneOf(['M4', 'M5', 'M6', 'M8', 'M10', 'M12', 'M16x1.5']);
  const hole = dice.oneOf(['5', '6.6', '8', '10.5', '13']);
  const depth = dice.whole(6, 40);
  const text = dice.oneOf(
    {
      german: [
        `${n} x ${metric} Gewinde durchgehend`, `${n}x ${metric} durchgehend`, `${metric} ${depth} tief`, `⌀${hole} ${depth} tief`,
        `${n}x ⌀${hole} durch`, `⌀${hole} durchgehend`, `${metric} links`, `${n} Bohrungen ⌀${hole}`,
      ],
      french: [`${n} trous ⌀${hole}`, `${metric} prof. ${depth}`, `⌀${hole} prof. ${depth}`, `${n}x ⌀${hole} traversant`, `${n} x ${metric}`],
      chinese: [`${n}-${metric}`, `${n}-⌀${hole}`, `${n}-⌀${hole} EQS`, `${n}-R${dice.whole(2, 9)}`, `${n}×⌀${hole} EQS`],
      english: [`${n}X ${metric} THRU`, `⌀${hole} x ${depth} DEEP`, `${n} HOLES ⌀${hole}`, `⌀${hole} THROUGH`, `${n}X ⌀${hole} EQ SP`, '3/4-14 NPT', '1/4" NPT', 'G 1/2 A', 'Rc1/4'],
    }[country],
  ); // biome-ignore format: a table
  const shown = style.comma ? text.replace(/(?<=\d)\.(?=\d)/g, ',') : text;
  const isRound = shown.includes('⌀'),
    isRadius = /-R\d/.test(shown);
  const start = -0.35 * width;
  leaderTo(page, dice, [start - 1, 0], [start - 8, 8]);
  if (style.isAbove) page.line(start - 1, 0, start + page.widthOf(shown), 0);
  const item = { typeId: isRound ? TYPE.diameter : isRadius ? TYPE.radius : TYPE.leader, text: shown, tol: '' };
  page.annotate({ ...item, group: isRound || isRadius ? 'dimension' : 'leader' }, () =>
    page.text(shown, start, style.isAbove ? -0.4 * style.height : style.height / 2),
  );
}

/** A length in feet and inches, as architects and fabricators in America write it. */
export function feetAndInches(page, dice, { width }) {
  const { style } = page;
  const { height } = style;
  const inches = dice.oneOf(['0', '3', '6', '11', '3 1/2', '7 1/4', '0 3/8', '10 5/16']);
  const text = `${dice.whole(1, 24)}'${dice.oneOf(['-', '-', ' '])}${inches}"`;
  const wide = page.widthOf(text);
  const long = Math.min(0.9 * width, wide + 14);
  const x0 = -long / 2;
  for (const x of [x0, -x0]) page.line(x, -6, x, 1.5);
  // Ticks instead of arrows.
  for (const x of [x0, -x0]) page.line(x - 1, 1, x + 1, -1, { width: 0.35 });
  page.line(x0, 0, -x0, 0);
  page.annotate({ typeId: TYPE.plain, text, tol: '', group: 'dimension' }, () =>
    page.text(text, -wide / 2, -0.4 * height),
  );
}

/** A length whose arrows and value stand as the table of types tells them apart. */
export function placedDimension(page, dice, { width }) {
  const { style } = page;
  const { height } = style;
  const size = sizeOf(dice, style, { forms: ['none', 'none', 'equal', 'fit'] });
  const wide = widthOfSize(page, size);
  const { length } = style.arrow;
  const kind = dice.oneOf(['inside', 'valueOutside', 'arrowsOutside', 'gapOutside', 'gapInside']);
  const isNarrow = kind !== 'inside' && kind !== 'gapInside';
  const long = isNarrow ? (kind === 'valueOutside' ? 3.2 * length : 1.6 * length) : wide + 4 * length;
  if ((isNarrow ? long + wide + 4.5 * length + height : long) > 0.95 * width) return;
  const x0 = isNarrow ? -0.45 * width + 2.5 * length : -long / 2,
    x1 = x0 + long;
  for (const x of [x0, x1]) page.line(x, -8, x, 1.5);
  const isOut = kind === 'arrowsOutside' || kind === 'gapOutside' || kind === 'gapInside';
  page.arrow(x0, 0, isOut ? 1 : -1, 0);
  page.arrow(x1, 0, isOut ? -1 : 1, 0);
  const tail = 1.8 * length;
  if (isOut) {
    page.line(x0 - tail, 0, x0, 0);
    page.line(x1, 0, x1 + tail, 0);
  }
  if (kind === 'inside' || kind === 'valueOutside' || kind === 'arrowsOutside') page.line(x0, 0, x1, 0);
  if (kind === 'valueOutside') page.line(x1, 0, x1 + 2 * length, 0);
  const start = isNarrow ? x1 + (kind === 'valueOutside' ? 2 * length : tail) + 0.3 * height : (x0 + x1 - wide) / 2;
  const isOnLine = isNarrow || kind === 'gapInside';
  entered(page, size, TYPE[kind], start, isOnLine ? height / 2 : -0.4 * height);
}

/**
 * A block in an isometric view, with sizes along its three axes; letters level on the sheet, along their lines or
 * sheared.
 */
export function isometricView(page, dice, { width }) {
  const { style } = page;
  const { height } = style;
  const form = dice.oneOf(['along', 'along', 'sheared']);
  const side = Math.min(0.42 * width, 26);
  const cos = Math.cos(Math.PI / 6);
  // The corner nearest to the eye is the origin; left, right and up.
  const at = (left, right, up) => [cos * (right - left), -0.5 * (left + right) - up + 6];
  const [l, r, u] = [side, 0.8 * side, 0.5 * side];
  const edges = [
    [[0, 0, 0], [l, 0, 0]], [[0, 0, 0], [0, r, 0]], [[0, 0, 0], [0, 0, u]], [[l, 0, 0], [l, 0, u]], [[0, r, 0], [0, r, u]],
    [[0, 0, u], [l, 0, u]], [[0, 0, u], [0, r, u]], [[l, 0, u], [l, r, u]], [[0, r, u], [l, r, u]],
  ]; // biome-ignore format: a table
  for (const [a, b] of edges) page.path([at(...a), at(...b)], { width: 0.5 });
  for (const turn of [1, -1]) {
    const size = sizeOf(dice, style, {
      forms: ['none', 'equal', 'basic', 'fit', 'stacked'],
      sign: dice.oneOf(['', '', '⌀', 'R']),
    });
    const wide = widthOfSize(page, size);
    const [x0, y0] = at(0, 0, 0);
    const out = 2.6 * height;
    const reach = Math.max(wide + 4 * style.arrow.length, turn > 0 ? r : l);
    // The lower edge to the right or to the left, and its dimension line below it.
    const angle = (-turn * Math.PI) / 6;
    page.within({ x: x0, y: y0 + out, angle, shear: form === 'sheared' ? Math.tan(angle) : 0 }, () => {
      const end = turn * reach;
      page.line(0, 0, end, 0);
      page.arrow(0, 0, -turn, 0);
      page.arrow(end, 0, turn, 0);
      const start = (end - wide) / 2;
      const isTall = size.form === 'stacked' || size.form === 'basic';
      entered(
        page,
        size,
        size.front === '' ? TYPE.inside : size.front === 'R' ? TYPE.radius : TYPE.diameter,
        start,
        style.isAbove ? -(isTall ? 1.1 : 0.4) * height : 1.9 * height,
      );
    });
    page.line(x0, y0, x0, y0 + out + 1);
    const [ex, ey] = at(turn > 0 ? 0 : l, turn > 0 ? r : 0, 0);
    page.line(ex, ey, ex, ey + out + 1);
  }
}

/** Datum targets: round, square and line-like areas, stated in the circle or beside it; leaders solid or dashed. */
export function targetArea(page, dice) {
  const { height } = page.style;
  const name = `${dice.oneOf('ABCDEFG')}${dice.whole(1, 6)}`;
  const area = dice.oneOf(['', '⌀5', '⌀12', '8x8', '5x12', `⌀${written(2.5, page.style, 1)}`]);
  const radius = Math.max(1.9 * height, 0.6 * page.widthOf(area, 0.75 * height));
  const text = area === '' ? name : `${area} / ${name}`;
  page.annotate({ typeId: TYPE.datum, text, tol: '', group: 'datum_target' }, () => {
    page.circle(0, 0, radius);
    page.line(-radius, 0, radius, 0);
    if (area !== '') page.text(area, 0, -0.3 * height, { align: 'middle', height: 0.75 * height });
    page.text(name, 0, 1.35 * height, { align: 'middle' });
  });
  const [tx, ty] = [-radius - 8, radius + 4];
  leaderTo(page, dice, [-0.72 * radius, 0.72 * radius], [tx, ty]);
  if (dice.chance(0.5)) for (const turn of [1, -1]) page.line(tx - 1.5, ty - 1.5 * turn, tx + 1.5, ty + 1.5 * turn);
}

/** A thread within the circle of its hole. */
export function threadInHole(page, dice) {
  const { height } = page.style;
  const text = dice.oneOf(['M8', 'M10', 'M12', 'M16']);
  const radius = 0.5 * page.widthOf(text) + 1.5 * height;
  page.circle(0, 0, radius, { width: 0.5 });
  page.annotate({ typeId: TYPE.leader, text, tol: '', group: 'leader' }, () =>
    page.text(text, 0, dice.oneOf([0.5, 1.3]) * height, { align: 'middle' }),
  );
}

/**
 * Positions from a zero in other forms than on plain sheets: level numbers behind or before their lines, some jogged,
 * and rows that grow to both sides of the zero.
 */
export function levelOrdinates(page, dice, { width }) {
  const { style } = page;
  const { height } = style;
  const count = dice.whole(3, 5);
  const step = dice.between(1.7, 2.6) * height;
  const isBehind = dice.chance(0.5);
  const zero = dice.chance(0.3) ? 1 : dice.oneOf([0, count - 1]);
  let [above, below] = [0, 0];
  const values = Array.from({ length: count }, () => 0);
  for (let i = zero + 1; i < count; i++) values[i] = below += 0.5 * dice.whole(4, 60);
  for (let i = zero - 1; i >= 0; i--) values[i] = above += 0.5 * dice.whole(4, 60);
  const y0 = -0.5 * (count - 1) * step;
  const isJogged = dice.chance(0.4);
  values.forEach((value, i) => {
    const y = y0 + i * step;
    const text = value === 0 ? dice.oneOf(['0', written(0, style, 1)]) : written(value, style, 1);
    const turn = isBehind ? 1 : -1;
    const end = turn * 0.1 * width;
    if (isJogged)
      page.path([[-turn * 0.2 * width, 0.8 * y], [-turn * 0.12 * width, 0.8 * y], [-turn * 0.05 * width, y], [end, y]]); // biome-ignore format: one row
    else page.line(-turn * 0.2 * width, y, end, y);
    const x = isBehind ? end + 0.5 * height : end - 0.5 * height - page.widthOf(text);
    const write = () => page.text(text, x, y + height / 2);
    if (value === 0) write();
    else page.annotate({ typeId: TYPE.ordinate, text, tol: '', group: 'ordinate' }, write);
  });
}

/** A datum target in the plane of a pictorial view: its circle is an ellipse, level or along the text. */
export function flatTarget(page, dice) {
  const { height } = page.style;
  const name = `${dice.oneOf('ABCDEFGHJKL')}${dice.whole(1, 6)}`;
  const wide = 2.1 * height + 0.3 * page.widthOf(name);
  const high = dice.between(1.5, 1.9) * height;
  page.annotate({ typeId: TYPE.datum, text: name, tol: '', group: 'datum_target' }, () => {
    page.path(Array.from({ length: 49 }, (_, i) => [wide * Math.cos((i * Math.PI) / 24), high * Math.sin((i * Math.PI) / 24)])); // biome-ignore format: one row
    page.line(-wide, 0, wide, 0);
    page.text(name, 0, 1.25 * height, { align: 'middle' });
  });
  leaderTo(page, dice, [-0.7 * wide, 0.72 * high], [-wide - 8, high + 5]);
}

/** A length whose dimension line runs through its value, on sheets of such ones. */
export function crossedDimension(page, dice, { width }) {
  const { style } = page;
  const size = sizeOf(dice, style, { sign: dice.chance(0.25) ? '⌀' : '', forms: ['none', 'none', 'equal', 'fit'] });
  const wide = widthOfSize(page, size);
  const long = Math.min(0.95 * width, wide + 2.4 * style.arrow.length + dice.between(2, 12));
  const [start, end] = [-long / 2, long / 2];
  page.path([[start, -14], [start, -10], [end, -10], [end, -14]], { width: 0.5 }); // biome-ignore format: one row
  for (const side of [-1, 1]) {
    page.line((side * long) / 2, -9, (side * long) / 2, 1.5);
    page.arrow((side * long) / 2, 0, side, 0);
  }
  page.line(-long / 2, 0, long / 2, 0);
  entered(page, size, size.text.startsWith('⌀') ? TYPE.diameter : TYPE.inside, -wide / 2, style.height / 2);
}
