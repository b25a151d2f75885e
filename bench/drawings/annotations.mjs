// Annotations, each drawn about the middle of a slot of given size, and entered into the truth of the page.
import { sizeOf, widthOfSize, writeSize, nominal, written } from './sizes.mjs';

/** Types of the PMI table that annotations here have. */
const TYPE = {
  inside: 0, first: 1, plain: 6, diameterSign: 18, third: 2, diameter: 3, frame: 5, valueOutside: 7, arrowsOutside: 8, gapOutside: 9, gapInside: 10, finishAny: 16,
  finishMachined: 17, ordinate: 19, datum: 34, radius: 35, outerEdge: 36, innerEdge: 37, finishNot: 38, general: 39,
  leader: 40, depth: 41, textureAny: 44, textureNot: 45, textureRequired: 46, table: 47, counterbore: 48,
}; // biome-ignore format: a table
/** The symbols of control frames. */
export const CHARACTERISTIC = {
  '∥': 20, '⏥': 21, '⊥': 22, '⏤': 23, '⌒': 24, '⌓': 25, '∠': 26, '⌭': 27, '○': 28, '↗': 29, '⌯': 30, '◎': 31, '⌰': 32, '⌖': 33,
}; // biome-ignore format: a table
const CHARACTERISTICS = ['∥', '⏥', '⊥', '⏤', '⌒', '⌓', '∠', '⌭', '○', '↗', '⌯', '◎', '⌰', '⌖'];
const NEEDS_DATUM = new Set(['∥', '⊥', '∠', '↗', '⌯', '◎', '⌰', '⌖']);

/** A size that belongs to the truth of the page. */
function entered(page, size, typeId, x, y, count = '') {
  const tols = size.tols;
  const item = { typeId, text: `${count}${size.text}`, tol: size.tol ?? '', tols, group: 'dimension' };
  let end = x;
  page.annotate(item, () => {
    end = writeSize(page, { ...size, front: `${count}${size.front}` }, x, y);
  });
  return end;
}

/** The type of a length: that of its arrows, unless it has the sign of a diameter. */
function typeOfLength({ text }, type = TYPE.inside) {
  return /^\(?S?⌀/.test(text) ? TYPE.diameter : type;
}

/** A length between two extension lines, with the edge of a part above them. */
export function lengthDimension(page, dice, { width }) {
  const { style } = page;
  const { height } = style;
  const size = sizeOf(dice, style, { sign: dice.chance(0.15) ? '⌀' : dice.chance(0.05) ? '□' : '' });
  const wide = widthOfSize(page, size);
  const isRoomy = wide + 2.6 * style.arrow.length + height < 0.8 * width;
  const isShort = !isRoomy || dice.chance(0.25);
  const long = isShort ? dice.between(2, 4) : dice.between(wide + 2.4 * style.arrow.length + height, 0.85 * width);
  const x0 = isShort ? -0.45 * width + 2 * style.arrow.length : -long / 2,
    x1 = x0 + long;
  page.path([[x0, -14], [x0, -10], [x1, -10], [x1, -14]], { width: 0.5 }); // biome-ignore format: one row
  for (const x of [x0, x1]) page.line(x, -9, x, 1.5);
  if (isShort) {
    // Arrows from outside; the value behind one of them.
    const tail = 1.8 * style.arrow.length;
    page.arrow(x0, 0, 1, 0);
    page.arrow(x1, 0, -1, 0);
    page.line(x0 - tail, 0, x0, 0);
    const start = x1 + tail + 0.3 * height;
    const y = style.isAbove ? -0.4 * height : height / 2;
    page.line(x1, 0, style.isAbove ? start + wide : x1 + tail, 0);
    const isJoined = dice.chance(0.5);
    if (isJoined) page.line(x0, 0, x1, 0);
    entered(page, size, typeOfLength(size, isJoined ? TYPE.arrowsOutside : TYPE.gapOutside), start, y);
    return;
  }
  page.arrow(x0, 0, -1, 0);
  page.arrow(x1, 0, 1, 0);
  const start = (x0 + x1 - wide) / 2;
  if (style.isAbove) page.line(x0, 0, x1, 0);
  else {
    const gap = 0.5 * height;
    page.line(x0, 0, start - gap, 0);
    page.line(start + wide + gap, 0, x1, 0);
  }
  const y = style.isAbove ? (isTall(size) ? -1.2 * height : -0.4 * height) : height / 2;
  entered(page, size, typeOfLength(size), start, y);
}

function isTall({ form }) {
  return (
    form === 'limits' || form === 'stacked' || form === 'stackedFit' || form === 'fitDeviations' || form === 'basic'
  );
}

/**
 * Lengths in a row that share their extension lines, with short gaps between their values, and one over all of them.
 */
export function chain(page, dice, { width }) {
  const { style } = page;
  const { height } = style;
  const count = dice.whole(3, 5);
  const sizes = Array.from({ length: count }, () =>
    sizeOf(dice, style, { forms: ['none', 'none', 'none', 'equal'], least: 3, most: 90 }),
  );
  const gap = dice.between(0.35, 1.4) * height;
  const wides = sizes.map((size) => widthOfSize(page, size) + gap);
  const total = wides.reduce((sum, wide) => sum + wide, 0);
  if (total > width) return lengthDimension(page, dice, { width });
  let x = -total / 2;
  page.line(x, -9, x, 1.5);
  sizes.forEach((size, i) => {
    const end = x + wides[i];
    page.line(end, -9, end, 1.5);
    page.line(x, 0, end, 0);
    for (const at of [x, end]) page.fill([[at - 0.4, 0], [at, -0.4], [at + 0.4, 0], [at, 0.4], [at - 0.4, 0]]); // biome-ignore format: a dot
    entered(page, size, typeOfLength(size, TYPE.plain), x + gap / 2, -0.35 * height);
    x = end;
  });
  const whole = sizeOf(dice, style, { forms: ['none', 'reference', 'equal'], least: 90, most: 300 });
  const y = dice.between(2.1, 3) * height;
  page.line(-total / 2, y, total / 2, y);
  page.arrow(-total / 2, y, -1, 0);
  page.arrow(total / 2, y, 1, 0);
  entered(page, whole, typeOfLength(whole), -widthOfSize(page, whole) / 2, y - 0.35 * height);
}

/** Values on two dimension lines at different heights, side by side. */
export function neighbours(page, dice, { width }) {
  const { height } = page.style;
  const sizes = [0, 1].map(() => sizeOf(dice, page.style, { forms: ['none', 'none', 'equal', 'fit'] }));
  const down = dice.between(0.1, 1.6) * height;
  const wides = sizes.map((size) => widthOfSize(page, size));
  const gap = dice.between(0.5, 1.6) * height;
  let x = -(wides[0] + wides[1] + gap) / 2;
  if (wides[0] + wides[1] > 0.8 * width) return;
  sizes.forEach((size, i) => {
    const y = i * down;
    const [x0, x1] = [x - 0.15 * height, x + wides[i] + 0.15 * height];
    page.line(x0, y, x1, y);
    page.line(x0, y - 4, x0, y + 1.5);
    page.line(x1, y - 4, x1, y + 1.5);
    page.arrow(x0, y, -1, 0);
    page.arrow(x1, y, 1, 0);
    entered(page, size, typeOfLength(size), x, y - 0.35 * height);
    x += wides[i] + gap;
  });
}

/** A diameter or a radius at the end of a leader. */
export function roundDimension(page, dice, { width }) {
  const { style } = page;
  const kind = dice.oneOf(['diameter', 'diameter', 'radius', 'radius', 'sphere', 'ball']);
  const sign = { diameter: '⌀', radius: 'R', sphere: 'SR', ball: 'S⌀' }[kind];
  const isRadius = kind === 'radius' || kind === 'sphere';
  const size = sizeOf(dice, style, { sign, most: 60, isFit: !isRadius });
  const count = dice.chance(0.35) ? `${dice.whole(2, 16)}${style.count}` : '';
  const wide = widthOfSize(page, size) + page.widthOf(count);
  const start = Math.max(-0.3 * width, Math.min(0.45 * width - wide, -4));
  const radius = dice.between(2.5, 5);
  page.circle(start - radius - 4, 6, radius, { width: 0.5 });
  const [tipX, tipY] = [start - radius - 4 + 0.7 * radius, 6 - 0.7 * radius];
  const [dx, dy] = [tipX - (start - 1), tipY - 0];
  const long = Math.hypot(dx, dy);
  page.line(start - 1, 0, tipX, tipY);
  page.arrow(tipX, tipY, dx / long, dy / long);
  if (style.isAbove) page.line(start - 1, 0, start + wide, 0);
  const y = style.isAbove ? (isTall(size) ? -1.2 : -0.4) * style.height : style.height / 2;
  entered(page, size, isRadius ? TYPE.radius : TYPE.diameter, start, y, count);
}

/** An angle between two lines. */
export function angleDimension(page, dice) {
  const { style } = page;
  const { height } = style;
  const degrees = dice.oneOf([15, 30, 45, 60, 90, 120, 22.5, 37]);
  const text = `${written(degrees, { ...style, isInch: false }, Number.isInteger(degrees) ? 0 : 1)}°`;
  const tol = dice.oneOf(['', '', '±1°', '±0.5°', '±30′']);
  const shown = style.comma ? tol.replace('.', ',') : tol;
  page.line(-20, 8, 10, 8, { width: 0.5 });
  page.line(-20, 8, 0, -8, { width: 0.5 });
  const size = { form: shown.includes('′') || shown === '' ? 'none' : 'behind', front: '', number: text, lines: [shown], text, tol: shown.includes('′') ? '' : shown }; // biome-ignore format: a record
  entered(page, size, TYPE.plain, -2, 2 + height / 2);
}

/** A hole with its depth, counterbore or countersink, in rows or in one row. */
export function holeCallout(page, dice, { width }) {
  const { style } = page;
  const { height } = style;
  const count = dice.chance(0.6) ? `${dice.whole(2, 12)}${style.count}` : '';
  const hole = sizeOf(dice, style, { sign: '⌀', forms: ['none', 'none', 'equal', 'fit', 'stacked'], most: 14 });
  const rows = [[{ size: hole, typeId: TYPE.diameter, count }]];
  const what = dice.oneOf(['through', 'depth', 'depthBehind', 'counterbore', 'countersink']);
  const plain = { forms: ['none', 'none', 'equal'], most: 20 };
  if (what === 'through') {
    const word = style.isAsme ? 'THRU' : 'THRU ALL';
    const size = sizeOf(dice, style, { sign: '⌀', forms: ['none'], most: 14 });
    rows[0] = [
      {
        size: { ...size, text: `${size.text} ${word}`, number: `${size.number} ${word}` },
        typeId: TYPE.diameter,
        count,
      },
    ];
  } else if (what === 'depth') rows.push([{ size: sizeOf(dice, style, { ...plain, sign: '↧' }), typeId: TYPE.depth }]);
  else if (what === 'depthBehind') {
    const size = sizeOf(dice, style, { sign: '⌀', forms: ['none'], most: 14 });
    rows[0] = [
      { size, typeId: TYPE.diameter, count },
      { size: sizeOf(dice, style, { sign: dice.oneOf(['↧', '↧ ']), forms: ['none'], most: 20 }), typeId: TYPE.depth },
    ];
  } else if (what === 'counterbore')
    rows.push([
      { size: sizeOf(dice, style, { ...plain, forms: ['none'], sign: '⌴⌀', most: 24 }), typeId: TYPE.counterbore },
      ...(dice.chance(0.6)
        ? [{ size: sizeOf(dice, style, { sign: '↧', forms: ['none'], most: 9 }), typeId: TYPE.depth }]
        : []),
    ]);
  else rows.push([{ size: sizeOf(dice, style, { ...plain, forms: ['none'], sign: '⌵⌀' }), typeId: TYPE.counterbore }]);
  const start = -0.3 * width;
  page.line(start - 1, 0, start - 8, 8);
  page.arrow(start - 8, 8, -Math.SQRT1_2, Math.SQRT1_2);
  if (style.isAbove) page.line(start - 1, 0, start + 20, 0);
  rows.forEach((row, i) => {
    let x = start;
    const y = -0.4 * height + 2 * height * i - (rows.length - 1) * (style.isAbove ? 2 * height : height);
    for (const { size, typeId, count: before = '' } of row)
      x = entered(page, size, typeId, x, y, before) + 0.45 * height;
  });
}

/** A thread, a chamfer or a note at a leader. */
export function threadOrChamfer(page, dice, { width }) {
  const { style } = page;
  const count = dice.chance(0.4) ? `${dice.whole(2, 12)}${style.count}` : '';
  const metric = dice.oneOf(['M3', 'M4', 'M5', 'M6', 'M8', 'M10', 'M12', 'M16x1.5', 'M20x1.5']);
  const text = dice.oneOf(
    style.isInch
      ? ['1/4-20 UNC', '#10-32 UNF', '3/8-16 UNC-2B', '.06 x 45°']
      : [metric, metric, `${metric}-6H`, '1x45°', '0.5x45°', 'C1', 'G1/4', `${metric} THRU`],
  );
  const isChamfer = /°|^C/.test(text);
  const shown = style.comma ? text.replace('.', ',') : text;
  const before = isChamfer ? '' : count;
  const start = -0.2 * width;
  page.line(start - 1, 0, start - 8, 8);
  page.arrow(start - 8, 8, -Math.SQRT1_2, Math.SQRT1_2);
  page.annotate({ typeId: TYPE.leader, text: before + shown, tol: '', group: 'leader' }, () => {
    page.text(before + shown, start, style.isAbove ? -0.4 * style.height : style.height / 2);
  });
}

/** A control frame, alone or of two rows with one symbol, with modifiers, drawn or written symbols. */
export function controlFrame(page, dice) {
  const { style } = page;
  const sign = dice.oneOf(CHARACTERISTICS);
  const datumCount = NEEDS_DATUM.has(sign) ? dice.whole(1, 3) : sign === '⌓' || sign === '⌒' ? dice.whole(0, 3) : 0;
  const letters = 'ABCDEFGHJK';
  const first = dice.whole(0, 6);
  const isSize = sign === '⌖' || sign === '⊥' || sign === '◎';
  const modifier = () => (isSize && dice.chance(0.4) ? dice.oneOf(['Ⓜ', 'Ⓛ', 'Ⓢ']) : '');
  const value = () => {
    const width = style.isInch ? 0.001 * dice.whole(2, 40) : 0.01 * dice.oneOf([1, 2, 5, 10, 20, 50]);
    const number = written(width, style, style.isInch ? 3 : 2);
    const round = sign === '⌖' || sign === '◎' || (sign === '⊥' && dice.chance(0.5)) ? '⌀' : '';
    const projected = sign === '⌖' && dice.chance(0.1) ? 'Ⓟ' : '';
    return `${round}${number}${modifier()}${projected}`;
  };
  const datums = Array.from({ length: datumCount }, (_, i) => `${letters[first + i]}${i > 0 ? modifier() : ''}`);
  if (datums.length === 2 && dice.chance(0.15)) datums.splice(0, 2, `${letters[first]}-${letters[first + 1]}`);
  const rows = [[value(), ...datums]];
  if (sign === '⌖' && dice.chance(0.25)) rows.push([value(), ...datums.slice(0, 2)]);
  frameOf(page, dice, sign, rows);
}

/**
 * A composite frame: one symbol in the middle before two or three rows, of which the lower ones have other datums,
 * fewer ones or none.
 */
export function compositeFrame(page, dice) {
  const { style } = page;
  const sign = dice.oneOf(['⌖', '⌖', '⌓', '⌓', '⊥', '∥']);
  const letters = 'ABCDEFGHJK';
  const first = dice.whole(0, 6);
  const datums = Array.from({ length: dice.whole(1, 3) }, (_, i) => letters[first + i]);
  const rows = Array.from({ length: dice.chance(0.3) ? 3 : 2 }, (_, row) => {
    const number = written(style.isInch ? 0.001 * dice.whole(2, 40) : 0.01 * dice.oneOf([1, 2, 5, 10, 20, 50]), style, style.isInch ? 3 : 2); // biome-ignore format: one row
    const material = sign === '⌖' && dice.chance(0.4) ? dice.oneOf(['Ⓜ', 'Ⓛ']) : '';
    const value = `${sign === '⌖' ? '⌀' : ''}${number}${material}`;
    return [value, ...datums.slice(0, row === 0 && dice.chance(0.8) ? 3 : dice.whole(0, datums.length))];
  });
  frameOf(page, dice, sign, rows);
}

/** A control frame with its rows, which share their symbol. */
function frameOf(page, dice, sign, rows) {
  const { height } = page.style;
  const tall = 2 * height;
  const text = `${sign} | ${rows.map((row) => row.join(' | ')).join(' / ')}`;
  const isWritten = dice.chance(0.5);
  const pad = 0.5 * height;
  const signWide = Math.max(tall, page.widthOf(sign) + pad);
  const y0 = (-rows.length * tall) / 2;
  const left = -22;
  if (dice.chance(0.4)) {
    page.line(left, y0 + tall / 2, left - 6, y0 + tall / 2 + 8);
    page.arrow(left - 6, y0 + tall / 2 + 8, -0.6, 0.8);
  }
  page.annotate({ typeId: TYPE.frame, text, tol: '', group: 'gdt' }, () => {
    page.rect(left, y0, signWide, rows.length * tall);
    const x = left + (signWide - page.widthOf(sign)) / 2;
    const y = y0 + (rows.length * tall) / 2 + height / 2;
    if (isWritten) page.text(sign, x, y);
    else page.drawn(sign, x, y);
    rows.forEach((row, i) => {
      let at = left + signWide;
      for (const cell of row) {
        const wide = Math.max(1.6 * height, page.widthOf(cell) + pad);
        page.rect(at, y0 + i * tall, wide, tall);
        page.text(cell, at + wide / 2, y0 + i * tall + tall / 2 + height / 2, { align: 'middle' });
        at += wide;
      }
    });
  });
  page.symbol({ typeId: CHARACTERISTIC[sign], text: sign }, [left, y0, left + signWide, y0 + rows.length * tall]);
  rows.forEach(([first], i) => {
    if (!first.startsWith('⌀')) return;
    const wide = Math.max(1.6 * height, page.widthOf(first) + pad);
    const [x, y] = [left + signWide, y0 + i * tall];
    page.symbol({ typeId: TYPE.diameterSign, text: '⌀' }, [x, y, x + wide, y + tall]);
  });
}

/** A datum feature: a letter in a box with a triangle on the surface. */
export function datumFlag(page, dice) {
  const { height } = page.style;
  const letter = dice.oneOf('ABCDEFGHJKLMNPRS');
  const side = 2 * height;
  page.annotate({ typeId: TYPE.datum, text: letter, tol: '', group: 'datum' }, () => {
    page.rect(-side / 2, -side / 2, side, side);
    page.text(letter, 0, height / 2, { align: 'middle' });
  });
  const foot = side / 2 + 5;
  page.line(0, side / 2, 0, foot - 2);
  const triangle = [[-1.3, foot], [1.3, foot], [0, foot - 2.2], [-1.3, foot]]; // biome-ignore format: one row
  if (dice.chance(0.6)) page.fill(triangle);
  else page.path(triangle);
  page.line(-12, foot, 12, foot, { width: 0.5 });
}

/** A datum target: letter and number in the lower half of a circle, the size of its area in the upper half. */
export function datumTarget(page, dice) {
  const { style } = page;
  const { height } = style;
  const name = `${dice.oneOf('ABC')}${dice.whole(1, 4)}`;
  const area = dice.chance(0.6) ? `⌀${dice.whole(2, 9)}` : '';
  const radius = 1.9 * height;
  const text = area === '' ? name : `${area} / ${name}`;
  page.annotate({ typeId: TYPE.datum, text, tol: '', group: 'datum_target' }, () => {
    page.circle(0, 0, radius);
    page.line(-radius, 0, radius, 0);
    if (area !== '') page.text(area, 0, -0.3 * height, { align: 'middle', height: 0.85 * height });
    page.text(name, 0, 1.35 * height, { align: 'middle' });
  });
  page.line(-0.7 * radius, 0.7 * radius, -12, 10);
}

/** A mark of surface texture with its value. */
export function surfaceFinish(page, dice) {
  const { style } = page;
  const { height } = style;
  const isLong = dice.chance(0.5);
  const kind = dice.oneOf(['any', 'machined', 'not']);
  const value = dice.oneOf(style.comma ? ['0,8', '1,6', '3,2', '6,3', '12,5'] : ['0.8', '1.6', '3.2', '6.3', '12.5']);
  const text = isLong ? `${dice.oneOf(['Ra', 'Rz'])}${dice.oneOf([' ', ''])}${value}` : value;
  const typeId = isLong
    ? { any: TYPE.textureAny, machined: TYPE.textureRequired, not: TYPE.textureNot }[kind]
    : { any: TYPE.finishAny, machined: TYPE.finishMachined, not: TYPE.finishNot }[kind];
  const h1 = 1.4 * height,
    h2 = 2.2 * h1,
    k = Math.tan(Math.PI / 6);
  page.annotate({ typeId, text, tol: '', group: 'surface_finish' }, () => {
    page.path([[-h1 * k, -h1], [0, 0], [h2 * k, -h2]]); // biome-ignore format: one row
    if (kind === 'machined') page.line(-h1 * k, -h1, h1 * k, -h1);
    if (kind === 'not') page.circle(0, -0.66 * h1, 0.33 * h1);
    if (isLong) {
      page.line(h2 * k, -h2, h2 * k + page.widthOf(text) + height, -h2);
      page.text(text, h2 * k + 0.5 * height, -h2 + 1.4 * height);
    } else page.text(text, -h1 * k - 0.1 * height, -h1 - 0.4 * height, { align: 'middle' });
  });
  page.line(-14, 0, 14, 0, { width: 0.5 });
}

/** A state of edges: a corner with a value. */
export function edgeState(page, dice) {
  const { height } = page.style;
  const isOuter = dice.chance(0.5);
  const text = `${dice.oneOf(isOuter ? ['-', '±'] : ['+', '±'])}${written(dice.oneOf([0.1, 0.2, 0.3, 0.5]), page.style, 1)}`;
  const wide = page.widthOf(text) + 1.2 * height;
  page.annotate({ typeId: isOuter ? TYPE.outerEdge : TYPE.innerEdge, text, tol: '', group: 'edge' }, () => {
    if (isOuter) page.path([[wide, -1.6 * height], [0, -1.6 * height], [0, 1.2 * height]]); // biome-ignore format: one row
    else page.path([[0, -1.6 * height], [0, 0.6 * height], [wide, 0.6 * height]]); // biome-ignore format: one row
    page.text(text, 0.6 * height, 0);
  });
}

/** Positions from a zero, at the ends of lines. */
export function ordinates(page, dice, { width }) {
  const { style } = page;
  const { height } = style;
  const count = dice.whole(3, 5);
  const step = Math.max(2.2 * height, 0.7 * (width / count));
  page.line(-0.4 * width, -10, -0.4 * width + count * step, -10, { width: 0.5 });
  let value = 0;
  for (let i = 0; i < count; i++) {
    const x = -0.4 * width + i * step;
    page.line(x, -9, x, 2);
    value += nominal(dice, style, { least: 4, most: 40 }).value;
    const text = i === 0 ? '0' : written(value, style, style.places);
    const item = { typeId: TYPE.ordinate, text, tol: '', group: 'ordinate' };
    page.within({ x: x - height / 2, y: 3, angle: Math.PI / 2 }, () => {
      if (i === 0) page.text(text, 0, 0);
      else page.annotate(item, () => page.text(text, 0, 0));
    });
  }
}

/**
 * Words at a leader that measure nothing, and balloons with numbers of a parts list: nothing of it belongs to the PMI.
 */
export function distraction(page, dice) {
  const { height } = page.style;
  if (dice.chance(0.4)) {
    page.circle(0, 0, 1.7 * height);
    page.text(String(dice.whole(1, 30)), 0, height / 2, { align: 'middle' });
    page.line(-1.2 * height, 1.2 * height, -9, 9);
    return;
  }
  const said = dice.oneOf([
    'SEE NOTE 3',
    'SECTION A-A',
    'DETAIL B',
    'VIEW C',
    'WELD ALL AROUND',
    'SCALE 2:1',
    'ENGRAVE SN-0042',
  ]);
  page.text(said, 0, height / 2, { align: 'middle' });
}

/** A table of holes: cells with numbers that are no dimensions of their own. */
export function table(page, dice, { width }) {
  const { height } = page.style;
  const rows = dice.whole(3, 5);
  const columns = ['TAG', 'X LOC', 'Y LOC', 'SIZE'];
  const wide = Math.min(0.9 * width, 70) / columns.length;
  const tall = 1.9 * height;
  const x0 = (-wide * columns.length) / 2,
    y0 = (-tall * rows) / 2;
  page.symbol({ typeId: TYPE.table, text: '' }, [x0, y0, x0 + wide * columns.length, y0 + tall * rows]);
  for (let i = 0; i <= rows; i++) page.line(x0, y0 + i * tall, x0 + wide * columns.length, y0 + i * tall);
  for (let i = 0; i <= columns.length; i++) page.line(x0 + i * wide, y0, x0 + i * wide, y0 + rows * tall);
  for (let row = 0; row < rows; row++)
    columns.forEach((name, i) => {
      const size = nominal(dice, page.style, { most: 90 }).text;
      const text = row === 0 ? name : i === 0 ? `A${row}` : i === 3 ? `⌀${size}` : size;
      if (page.widthOf(text, 0.8 * height) < wide)
        page.text(text, x0 + (i + 0.5) * wide, y0 + (row + 1) * tall - 0.5 * height, {
          align: 'middle',
          height: 0.8 * height,
        });
    });
}

/** The symbol of the projection method: a truncated cone beside two circles. */
export function projection(page, dice) {
  const isFirst = dice.chance(0.5);
  const [small, large] = [2, 4];
  page.annotate({ typeId: isFirst ? TYPE.first : TYPE.third, text: '', tol: '', group: 'projection' }, () => {
    page.circle(0, 0, small);
    page.circle(0, 0, large);
    // The small end looks to the left: away from the circles in first angle projection, at them in third angle.
    const x = isFirst ? -16 : 8;
    page.path([[x, -small], [x + 8, -large], [x + 8, large], [x, small], [x, -small]]); // biome-ignore format: one row
  });
}
