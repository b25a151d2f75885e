// A drawing from a seed as DXF, text or binary: dimensions with and without texts of their own, tolerances of the
// style, stacked fractions, control frames, notes, blocks, layers that are off; with the truth of what stands on it.
import { CHARACTERISTIC } from './annotations.mjs';
import { sizeOf } from './sizes.mjs';
import { Dice, styleOf } from './styles.mjs';

const [WIDTH, HEIGHT] = [420, 297];
const [COLUMNS, ROWS] = [6, 6];
const SENTINEL = 'AutoCAD Binary DXF\r\n\x1a\0';
/** Letters of the font gdt for characteristics, and the sign of each. */
const GDT = [['j', '⌖'], ['c', '⏥'], ['b', '⊥'], ['f', '∥'], ['g', '⌭'], ['r', '◎'], ['d', '⌓'], ['k', '⌒'], ['u', '⏤'], ['h', '↗']]; // biome-ignore format: a table
const WORDS = ['SEE NOTE 3', 'SECTION A-A', 'DETAIL B', 'WELD ALL AROUND', 'SCALE 2:1', 'BREAK SHARP EDGES'];

/**
 * The drawing of a seed.
 * @param {{ isBinary?: boolean, isBroad?: boolean }} options isBroad: leaders, notes of four countries, feet and inches
 * too
 * @returns {{ bytes: Uint8Array, truth: object[], unseen: number }} truth: { text, tol, tols?, group } as of `sheetOf`;
 * unseen: how many dimensions stand on layers that are off, frozen or not plotted, which are not in the truth.
 */
export function dxfOf(seed, { isBinary = false, isBroad = false } = {}) {
  const dice = new Dice(seed + 77_000);
  const style = { ...styleOf(dice), release: dice.oneOf(['AC1018', 'AC1021', 'AC1024', 'AC1027', 'AC1032']) };
  // Since AutoCAD 2007 signs are written as they are, before as codes.
  style.isBroad = isBroad;
  style.isCoded = style.release === 'AC1018' || dice.chance(0.5);
  const drawing = new Drawing(dice, style);
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++)
      if (!dice.chance(0.1))
        drawing.fill(20 + ((column + 0.2) * (WIDTH - 40)) / COLUMNS, 20 + ((row + 0.4) * (HEIGHT - 40)) / ROWS);
  const groups = drawing.groups();
  return { bytes: isBinary ? binary(groups) : text(groups), truth: drawing.truth, unseen: drawing.unseen };
}

class Drawing {
  truth = [];
  unseen = 0;
  #entities = [line(0, 0, WIDTH, 0), line(WIDTH, 0, WIDTH, HEIGHT), line(WIDTH, HEIGHT, 0, HEIGHT)];
  #blocks = [];
  #handle = 0x100;

  constructor(dice, style) {
    Object.assign(this, { dice, style });
  }

  /** An annotation from x, y on. */
  fill(x, y) {
    const { dice, style } = this;
    const kinds = ['dimension', 'dimension', 'dimension', 'dimension', 'frame', 'note', 'words', 'inBlock'];
    const kind = dice.oneOf(
      style.isBroad ? [...kinds, 'multileader', 'multileader', 'leader', 'national', 'feet'] : kinds,
    );
    if (['multileader', 'leader', 'national', 'feet'].includes(kind)) return this.#further(kind, x, y);
    if (kind === 'words') return this.#entities.push(mtext(dice.oneOf(WORDS), x, y, style.height));
    if (kind === 'frame') return this.#frame(x, y);
    const size = sizeOf(dice, style, { sign: dice.oneOf(['', '', '⌀', 'R']) });
    const item = { text: size.text, tol: size.tol ?? '', tols: size.tols, group: 'dimension' };
    if (kind === 'note') {
      // A text without a dimension is one by its sign or its tolerance; basic ones would need their frame.
      const isPlain = size.form === 'none' || size.form === 'reference';
      if (size.form === 'basic' || (isPlain && !/^[⌀R]/.test(size.text))) return this.fill(x, y);
      this.#entities.push(mtext(this.#written(size), x, y, style.height));
      return this.truth.push({ ...item, group: 'note' });
    }
    const layer = dice.chance(0.12) ? dice.oneOf(['OFF', 'FROZEN', 'HIDDEN']) : '0';
    const drawn = this.#dimension(size, x, y, layer);
    if (kind === 'inBlock') {
      const name = `PART${this.#blocks.length}`;
      this.#blocks.push({ name, entities: [drawn] });
      this.#entities.push(insert(name, layer));
    } else this.#entities.push(drawn);
    if (layer === '0') this.truth.push(item);
    else this.unseen++;
  }

  #dimension(size, x, y, layer) {
    const { dice, style } = this;
    const x1 = x + dice.between(20, 40);
    const name = `*D${this.#blocks.length + 1}`;
    const said = size.form === 'basic' ? this.#written({ ...size, form: 'none' }) : this.#written(size);
    const block = [line(x, y, x1, y), line(x, y - 8, x, y + 1), line(x1, y - 8, x1, y + 1)];
    for (const [at, way] of [[x, 1], [x1, -1]]) block.push(solid(at, y, 3 * way)); // biome-ignore format: a pair
    block.push(mtext(`\\A1;${said}`, (x + x1) / 2 - 6, y + 1.4 * style.height, style.height));
    if (size.form === 'basic')
      block.push(...boxed((x + x1) / 2 - 7, y, 12 + 0.7 * style.height * size.text.length, 1.8 * style.height));
    this.#blocks.push({ name, entities: block });
    // What is written over the measured size: nothing, all of it, or what stands around it.
    const over = size.isStated ? said : dice.oneOf(['', '', said]);
    const isRadius = size.text.startsWith('R'),
      isRound = size.text.startsWith('⌀');
    const subclass = isRadius
      ? [[100, 'AcDbRadialDimension'], [15, x1], [25, y], [35, 0], [40, 0]]
      : isRound
        ? [[100, 'AcDbDiametricDimension'], [15, x1], [25, y], [35, 0], [40, 0]]
        : [[100, 'AcDbAlignedDimension'], [13, x], [23, y - 8], [33, 0], [14, x1], [24, y - 8], [34, 0], [50, 0], [100, 'AcDbRotatedDimension']]; // biome-ignore format: groups
    const first = isRadius || isRound ? [[10, x], [20, y], [30, 0]] : [[10, x1], [20, y], [30, 0]]; // biome-ignore format: a point
    const gap = size.form === 'basic' ? xdata([[1070, 147], [1040, -1]]) : []; // biome-ignore format: a pair
    return [
      [0, 'DIMENSION'], [100, 'AcDbEntity'], [8, layer], [100, 'AcDbDimension'], [2, name], ...first,
      [11, (x + x1) / 2], [21, y + 2], [31, 0], [70, isRadius ? 36 : isRound ? 35 : 32], [1, over], [3, 'Standard'],
      ...subclass, ...gap,
    ]; // biome-ignore format: groups
  }

  /** A note at a leader, of one entity or two; a note of a country by itself; a dimension in feet and inches. */
  #further(kind, x, y) {
    const { dice, style } = this;
    if (kind === 'feet') {
      const text = `${dice.whole(1, 30)}'-${dice.oneOf(['0', '6', '3 1/2', '10 5/16'])}"`;
      const size = { front: '', number: text, text, form: 'none', lines: [] };
      this.#entities.push(this.#dimension({ ...size, isStated: true }, x, y, '0'));
      return this.truth.push({ text, tol: '', group: 'dimension' });
    }
    const n = dice.whole(2, 9);
    const text = dice.oneOf([
      `${n} x M8 Gewinde durchgehend`, `M6 ${n + 8} tief`, `${n} trous ⌀6`, `⌀8 prof. ${n}`, `${n}-M6深${n + 6}`, `${n}-⌀9 均布`, `${n}-⌀5 EQS`,
      `${n}X ⌀6.5 THRU`, 'M12', `M16x1.5`, '1/4" NPT', '2x45°',
    ]); // biome-ignore format: a list
    // Before AutoCAD 2007 files had code pages, and other letters by number.
    const escaped = (letter) => `\\U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    const isOld = style.release === 'AC1018';
    const said = isOld ? this.#coded(text).replace(/[^\x20-\x7e]/gu, escaped) : this.#coded(text);
    this.truth.push({ text, tol: '', group: kind === 'national' ? 'note' : 'leader' });
    if (kind === 'national') return this.#entities.push(mtext(said, x, y, style.height));
    if (kind === 'multileader') return this.#entities.push(multiLeader(said, x, y, style.height));
    this.#entities.push(entity('LEADER', 'AcDbLeader', '0', [
      [3, 'Standard'], [71, 1], [72, 0], [73, 3], [74, 1], [75, 0], [40, style.height], [41, 10], [76, 2],
      [10, x - 8], [20, y - 8], [30, 0], [10, x - 1], [20, y], [30, 0],
    ]), mtext(said, x, y, style.height)); // biome-ignore format: groups
  }

  #frame(x, y) {
    const { dice, style } = this;
    const [letter, sign] = dice.oneOf(GDT);
    const width = dice.oneOf(['0.05', '0.1', '0.2']);
    const isRound = sign === '⌖' || sign === '◎',
      isMost = sign === '⌖' && dice.chance(0.4);
    const datums = ['⏥', '⌭', '⏤'].includes(sign) ? [] : ['A', 'B', 'C'].slice(0, dice.whole(1, 3));
    const said = [
      `{\\Fgdt;${letter}}`,
      `${isRound ? '{\\Fgdt;n}' : ''}${width}${isMost ? '{\\Fgdt;m}' : ''}`,
      ...datums,
    ].join('%%v');
    this.#entities.push([
      [0, 'TOLERANCE'], [100, 'AcDbEntity'], [8, '0'], [100, 'AcDbFcf'], [3, 'Standard'], [10, x], [20, y], [30, 0],
      [1, said], [210, 0], [220, 0], [230, 1], [11, 1], [21, 0], [31, 0],
    ]); // biome-ignore format: groups
    const cells = [sign, `${isRound ? '⌀' : ''}${width}${isMost ? 'Ⓜ' : ''}`, ...datums];
    this.truth.push({ typeId: 5, text: cells.join(' | '), tol: '', group: 'gdt', height: style.height });
    this.truth.push({ typeId: CHARACTERISTIC[sign], text: sign, tol: '', group: 'symbol' });
  }

  /** A size as the text of an entity. */
  #written({ front, number, form, lines }) {
    const { dice, style } = this;
    const small = `\\H${style.small}x;`;
    const stack = ([upper, lower]) => {
      // Zeros have a space for their sign.
      const [above, below] = [upper, lower].map((each) => (/^0/.test(each) ? ` ${each}` : each));
      return dice.chance(0.8) ? `{${small}\\S${above}^${below};}` : `\\S${above}^${below};`;
    };
    const styled = (said) => (dice.chance(0.3) ? `{\\fArial|b0|i0|c0|p34;${said}}` : said);
    const body = `${front}${number}`;
    if (form === 'limits') return this.#coded(`${front}\\S${lines[0]}^${lines[1]};`);
    if (form === 'stacked') return this.#coded(`${styled(body)}${stack(lines)}`);
    if (form === 'stackedFit')
      return this.#coded(`${styled(body)}{${small}\\S${lines[0]}${dice.oneOf(['/', '#'])}${lines[1]};}`);
    if (form === 'fitDeviations') return this.#coded(`${body}${lines[0]}${stack(lines.slice(1))}`);
    return styled(this.#coded(`${body}${lines[0] ?? ''}`));
  }

  #coded(said) {
    const { dice, style } = this;
    const signs = style.isCoded
      ? { '⌀': dice.oneOf(['%%c', '\\U+2205', '%%C']), '±': '%%p', '°': '%%d' }
      : { '⌀': dice.oneOf(['⌀', '∅', 'Ø']), '±': '±', '°': '°' };
    return Object.entries(signs).reduce((all, [sign, code]) => all.replaceAll(sign, code), said);
  }

  /** All groups of the file. */
  groups() {
    const named = ([kind, ...rest]) => [kind, [5, (this.#handle++).toString(16).toUpperCase()], ...rest];
    const part = (name, groups) => [[0, 'SECTION'], [2, name], ...groups, [0, 'ENDSEC']];
    const bound = (kind, subclass, more) => named([[0, kind], [100, 'AcDbEntity'], [8, '0'], [100, subclass], ...more]);
    const blocks = this.#blocks.flatMap(({ name, entities }) => [
      ...bound('BLOCK', 'AcDbBlockBegin', [[2, name], [70, 0], [10, 0], [20, 0], [30, 0], [3, name]]),
      ...entities.flatMap(named),
      ...bound('ENDBLK', 'AcDbBlockEnd', []),
    ]); // biome-ignore format: groups
    // Off by a negative colour, frozen by its flag, not plotted.
    const layers = [['0', 0, 7, 1], ['OFF', 0, -7, 1], ['FROZEN', 1, 7, 1], ['HIDDEN', 0, 7, 0]].flatMap(
      ([name, flags, colour, plots]) =>
        named([[0, 'LAYER'], [100, 'AcDbSymbolTableRecord'], [100, 'AcDbLayerTableRecord'], [2, name], [70, flags], [62, colour], [6, 'Continuous'], [290, plots]]),
    ); // biome-ignore format: a table
    const tables = [
      [0, 'TABLE'], [2, 'LAYER'], [5, '2'], [100, 'AcDbSymbolTable'], [70, 4], ...layers, [0, 'ENDTAB'],
      [0, 'TABLE'], [2, 'APPID'], [5, '9'], [100, 'AcDbSymbolTable'], [70, 1],
      ...named([[0, 'APPID'], [100, 'AcDbSymbolTableRecord'], [100, 'AcDbRegAppTableRecord'], [2, 'ACAD'], [70, 0]]),
      [0, 'ENDTAB'],
    ]; // biome-ignore format: groups
    return [
      ...part('HEADER', [[9, '$ACADVER'], [1, this.style.release], [9, '$INSUNITS'], [70, this.style.isInch ? 1 : 4]]),
      ...part('TABLES', tables), ...part('BLOCKS', blocks), ...part('ENTITIES', this.#entities.flatMap(named)), [0, 'EOF'],
    ]; // biome-ignore format: groups
  }
}

function entity(kind, subclass, layer, groups) {
  return [[0, kind], [100, 'AcDbEntity'], [8, layer], [100, subclass], ...groups];
}

function line(x0, y0, x1, y1) {
  return entity('LINE', 'AcDbLine', '0', [[10, x0], [20, y0], [30, 0], [11, x1], [21, y1], [31, 0]]); // biome-ignore format: two points
}

function boxed(x, y, width, height) {
  const [right, top] = [x + width, y + height];
  return [line(x, y, right, y), line(right, y, right, top), line(right, top, x, top), line(x, top, x, y)];
}

function solid(x, y, length) {
  const end = x + length;
  return entity('SOLID', 'AcDbTrace', '0', [
    [10, x], [20, y], [30, 0], [11, end], [21, y + 0.6], [31, 0], [12, end], [22, y - 0.6], [32, 0], [13, end], [23, y - 0.6], [33, 0],
  ]); // biome-ignore format: points
}

function mtext(said, x, y, height) {
  return entity('MTEXT', 'AcDbMText', '0', [[10, x], [20, y], [30, 0], [40, height], [41, 0], [71, 1], [72, 5], [1, said]]); // biome-ignore format: groups
}

/** A MULTILEADER with a text (DXF reference of AutoCAD 2010). */
function multiLeader(said, x, y, height) {
  const [tipX, tipY] = [x - 10, y - 9];
  return entity('MULTILEADER', 'AcDbMLeader', '0', [
    [270, 2], [300, 'CONTEXT_DATA{'], [40, 1], [10, x], [20, y], [30, 0], [41, height], [140, height], [145, 1], [174, 1], [175, 1],
    [176, 0], [177, 0], [290, 1], [304, said], [11, 0], [21, 0], [31, 1], [12, x], [22, y + height], [32, 0], [13, 1], [23, 0], [33, 0],
    [42, 0], [43, 0], [44, 0], [45, 1], [170, 1], [90, -1056964608], [171, 1], [172, 5], [91, -939524096], [141, 1.5], [92, 0],
    [291, 0], [292, 0], [173, 0], [293, 0], [142, 0], [143, 0], [294, 0], [295, 0], [296, 0], [110, x], [120, y], [130, 0],
    [111, 1], [121, 0], [131, 0], [112, 0], [122, 1], [132, 0], [297, 0],
    [302, 'LEADER{'], [290, 1], [291, 1], [10, x - 2], [20, y], [30, 0], [11, 1], [21, 0], [31, 0], [90, 0], [40, 1],
    [304, 'LEADER_LINE{'], [10, tipX], [20, tipY], [30, 0], [91, 0], [305, '}'], [271, 0], [303, '}'], [272, 9], [273, 9], [301, '}'],
    [90, 0], [170, 1], [91, -1056964608], [171, -2], [290, 1], [291, 1], [41, 1], [42, height], [172, 2], [173, 1], [95, 1], [174, 1],
    [175, 0], [92, -1056964608], [292, 0], [93, -1056964608], [10, 1], [20, 1], [30, 1], [43, 0], [176, 0], [293, 0], [294, 0],
    [178, 0], [179, 1], [45, 1], [271, 0], [272, 9], [273, 9],
  ]); // biome-ignore format: groups
}

function insert(name, layer) {
  return entity('INSERT', 'AcDbBlockReference', layer, [
    [2, name],
    [10, 0],
    [20, 0],
    [30, 0],
  ]);
}

function xdata(groups) {
  return [[1001, 'ACAD'], [1000, 'DSTYLE'], [1002, '{'], ...groups, [1002, '}']];
}

function text(groups) {
  return new TextEncoder().encode(groups.map(([code, value]) => `${String(code).padStart(3)}\n${value}\n`).join(''));
}

function binary(groups) {
  const parts = [Buffer.from(SENTINEL, 'latin1')];
  for (const [code, value] of groups) {
    const head = Buffer.alloc(2);
    head.writeInt16LE(code);
    parts.push(head, binaryValue(code, value));
  }
  return new Uint8Array(Buffer.concat(parts));
}

function binaryValue(code, value) {
  const isIn = (...ranges) => ranges.some(([least, most]) => code >= least && code <= most);
  if (isIn([10, 59], [110, 149], [210, 239], [1010, 1059])) {
    const buffer = Buffer.alloc(8);
    buffer.writeDoubleLE(value);
    return buffer;
  }
  if (isIn([60, 79], [170, 179], [270, 289], [1060, 1070])) {
    const buffer = Buffer.alloc(2);
    buffer.writeInt16LE(value);
    return buffer;
  }
  if (isIn([90, 99])) {
    const buffer = Buffer.alloc(4);
    buffer.writeInt32LE(value);
    return buffer;
  }
  if (isIn([290, 299])) return Buffer.from([value]);
  return Buffer.from(`${value}\0`);
}
