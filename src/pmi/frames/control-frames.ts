import { middleOf, TurnedFrame } from '../../content/geometry.js';
import type { Sheet } from '../../content/sheet.js';
import { isFrameNote, isOfForm, plainCharacteristic, signOfLetter, typeOfCharacteristic } from '../characteristics.js';
import { plainSigns } from '../dimension-text.js';
import { drawnSign, hasDiameterSign, type SignCell } from '../drawn-signs.js';
import type { Finding } from '../finding.js';
import type { LineIndex } from '../line-index.js';
import { boxOfBoxes } from '../page-frame.js';
import type { SignPlace } from '../pictures/cell-sign.js';
import { PMI_TYPE } from '../pmi.js';
import { isRead } from '../stacked-tolerances.js';
import { valueWithPoint } from '../sizes/lost-points.js';
import { lineOf, wordsOfLine } from '../sizes/words-of-lines.js';
import { boxOfLine, type LinePiece, type TextLine } from '../text-lines.js';
import { tallCellBefore, type Frame } from './drawn-frames.js';

/** Rows that share a symbol touch: how far they may be apart, in letter heights. */
const SHARED_SLACK = 0.4;
/** Highest box of a datum's letter, in letter heights. */
const HIGHEST_FLAG = 2.6;
/** What a ring looks like. */
const ROUND = /^[O0o°]$/;
/** What stands for a symbol that no text can show: of a font's own letters, or drawn. */
const NO_SIGN = '?';
const UNPRINTED = /^[\s\ufffd\p{Co}\p{Cn}\p{Cc}\p{Cf}]*$/u;
/** A value that only tolerances have, of a frame without datums. */
const SMALL_VALUE = /^⌀?0?[.,]\d+$/;
/** How the cell behind the symbol begins. */
const VALUE = /^S?⌀?[\d.,]/;
/** Most letters that a misread sign looks like: halves of it, and specks. */
const LONGEST_SIGN = 3;
/** Letters that modify a tolerance when they stand in a circle (ISO 1101); the small ones are of symbol fonts. */
const MODIFIERS = /^[MLSFPTEURmlp]$/;

/** What stands around a line. */
export interface Page extends SignReader {
  readonly sheet: Sheet;
  readonly lines: readonly TextLine[];
  readonly index: LineIndex;
  /** The decimal sign of values that were read from pixels: `pointBehindZero`. */
  readonly point?: string;
  /** Rows of control frames that were read before. */
  readonly above: readonly RowAbove[];
}

/** Height of capitals as a share of the font's height. */
export const CAPITALS = 0.72;
/** What the cells of a control frame hold behind its symbol, without spaces and in plain signs: a value, datums. */
export const CELL_VALUE = /^S?⌀?(?:\d+[.,]\d+|[.,]\d+|\d)(?:[CSU]Z|[CU]F)?[ⓂⓁⓅⓈⒻⓉⓊ]*(?:\d+[.,]?\d*)?$/;
/** The `Z` of a combined zone as pixels show it: nothing else begins with `C` there (ISO 1101). */
const COMBINED_ZONE = /(?<=\d)C[7I12](?=[ⓂⓁⓅⓈⒻⓉⓊ]|$)/;
/** The same behind a sign that is a letter, with an `n` that draws a diameter: below 10, with a point. */
const LETTERED_VALUE = /^[n⌀]?\d?[.,]\d+\D*$/;
export const CELL_DATUM = /^[A-Z][ⓂⓁⓈ]?(?:-[A-Z][ⓂⓁⓈ]?)?$/;

/** How signs are read that are neither texts nor strokes. */
export interface SignReader {
  /** The likeliest sign of a characteristic in a cell of a frame on a page of pixels, of those that may stand there. */
  readonly signIn?: (cell: SignPlace, mayBe?: (sign: string) => boolean) => string | undefined;
  /** The text in a cell of a frame on a page of pixels, by the height of its capitals. */
  readonly textIn?: (cell: SignPlace, capital: number) => string | undefined;
}

export interface Framed {
  readonly findings: readonly Finding[];
  readonly taken: readonly TextLine[];
  /** The cell that spans several rows and holds their symbol. */
  readonly tall?: TallCell;
  /** The row of a control frame, symbol first. */
  readonly row?: Pick<RowAbove, 'frame' | 'sign'>;
}

/** A row of a control frame, below which another may stand that shares its symbol. */
export interface RowAbove {
  readonly line: TextLine;
  readonly frame: Frame;
  readonly sign: string;
  readonly tall: TallCell;
}

export function cellOfRow({ top, bars }: Frame, { angleRad }: TextLine): TallCell {
  return { top, left: bars[0], angleRad };
}

/** The row right above one whose symbol was not found, with its value in the same column: they share the symbol. */
function rowAbove({ top, bottom, bars }: Frame, line: TextLine, above: readonly RowAbove[]): RowAbove | undefined {
  const slack = SHARED_SLACK * line.height;
  return above.find(({ line: other, frame }) => {
    const high = frame.bottom - frame.top;
    const shift = (frame.skew / high) * ((top + bottom) / 2 - (frame.top + frame.bottom) / 2);
    return (
      other.angleRad === line.angleRad &&
      Math.abs(top - frame.bottom) < slack &&
      Math.abs(bars[0] - frame.bars[1] - shift) < slack
    );
  });
}

export interface TallCell {
  readonly top: number;
  readonly left: number;
  readonly angleRad: number;
}

export function isSameCell(a: TallCell, b: TallCell, height: number): boolean {
  return (
    a.angleRad === b.angleRad && Math.abs(a.top - b.top) < 0.2 * height && Math.abs(a.left - b.left) < 0.2 * height
  );
}

interface FrameRow {
  readonly top: number;
  readonly first: Finding;
  readonly notes: readonly { readonly text: string }[];
}

/** Rows that share one symbol. */
export interface Composite {
  readonly tall: TallCell;
  readonly at: number;
  readonly rows: FrameRow[];
}

/** Rows from top to bottom; the symbol precedes the first. */
export function joinedRows(rows: readonly FrameRow[]): Finding {
  const ordered = rows.toSorted((a, b) => a.top - b.top);
  const parts = ordered.flatMap(({ first }, i) => {
    const [part, ...more] = first.parts;
    return [i === 0 ? part : { text: part.text.split(' | ').slice(1).join(' | ') }, ...more];
  });
  return {
    ...ordered[0].first,
    box: boxOfBoxes(rows.map(({ first: { box } }) => box)),
    parts: [...parts, ...ordered.flatMap(({ notes }) => notes)],
  };
}

/** A datum letter or a control frame; undefined for boxes around something else. */
export function frameFindings(line: TextLine, frame: Frame, page: Page): Framed | undefined {
  const { sheet, lines, index, signIn, textIn, point } = page;
  const cellCount = frame.bars.length - 1;
  if (cellCount === 1) {
    const isLow = frame.bottom - frame.top < HIGHEST_FLAG * line.height;
    // The sign of a profile stands alone only before several rows.
    const letter = line.text === '⌓' && isLow ? 'D' : line.text;
    const isDatum =
      /^[A-Z]$/.test(letter) && !(letter === 'O' && isRead(line)) && frame.bars[1] - frame.bars[0] < 2.6 * line.height;
    if (isDatum) {
      const datum = { type: PMI_TYPE.datum, box: boxOfFrame(line, frame), parts: [{ text: letter }] };
      return { findings: [datum], taken: [line] };
    }
    // A lower row without datums.
    if (!CELL_VALUE.test(plainSigns(line.text).replace(/\s/g, ''))) return undefined;
  }
  const turned = turnedDatum(line, frame, lines);
  const taken = lines.filter(
    (other) =>
      other.angleRad === line.angleRad &&
      other.t > frame.top &&
      other.t < frame.bottom + 0.1 * line.height &&
      other.start > frame.bars[0] - 0.5 * line.height &&
      other.end < frame.bars[cellCount] + 0.5 * line.height,
  );
  const cells: LinePiece[][] = Array.from({ length: cellCount }, () => []);
  for (const other of taken) {
    for (const word of wordsOfLine(other)) {
      const middle =
        (word.start + word.end) / 2 -
        frame.skew * ((other.t - 0.35 * other.height - frame.top) / (frame.bottom - frame.top) - 0.5);
      const cell = frame.bars.findLastIndex((bar) => bar < middle);
      if (cell >= 0 && cell < cellCount) cells[cell].push(word);
    }
  }
  const said = cells.map((words) =>
    words
      .sort((a, b) => a.start - b.start)
      .map((word) => inCircle(word, line, index))
      .join('')
      .replace(/\s/g, ''),
  );
  if (turned !== undefined && said[turned.cell] === '') {
    said[turned.cell] = 'D';
    taken.push(turned.line);
  }
  // `4x | ⌖ | ⌀0.2 | A`: a count in a cell of its own before the symbol.
  if (/^\d{1,3}[xX×]$/.test(said[0]) && cellCount > 2 && typeOfCharacteristic(said[1]) !== undefined) {
    const inner = { ...frame, bars: frame.bars.slice(1) };
    const rest = frameFindings(line, inner, page);
    const [first, ...others] = rest?.findings ?? [];
    if (rest === undefined || first === undefined) return undefined;
    return { ...rest, findings: [{ ...first, parts: [...first.parts, { text: said[0] }] }, ...others], taken };
  }
  // The symbol and the value may be one word where letters are wide.
  if (said[0] === '' && typeOfCharacteristic([...(said[1] ?? '')][0] ?? '') !== undefined) {
    const [sign, ...value] = said[1];
    [said[0], said[1]] = [sign, value.join('')];
  }
  if (textIn !== undefined)
    for (let i = 1; i < cellCount; i++) {
      const text = cellText(textIn(placeOfCell(line, frame, i), CAPITALS * line.height), i);
      if (text !== undefined) said[i] = text;
    }
  // A speck of a removed bar looks like a stroke before the value.
  if (signIn !== undefined && cellCount > 1) said[1] = said[1].replace(/^[-_'|]+(?=[\d.,⌀S])/, '');
  if (point !== undefined && cellCount > 1) said[1] = valueWithPoint(plainSigns(said[1]), point);
  // The ring of a cylinder looks like a letter, its other strokes stand beside it; so does the inner one of two rings.
  if (signIn === undefined && ROUND.test(said[0])) {
    const drawn = drawnSign(sheet, signCell(line, frame, 0, index));
    if (drawn === '⌭' || drawn === '◎') said[0] = drawn;
  }
  // A leaning parallelogram looks like a square, which is no characteristic.
  if (signIn === undefined && said[0] === '□') said[0] = '⏥';
  // Letters of a font of symbols; a table of variants has larger values.
  const lettered = signIn === undefined && cellCount > 1 ? signOfLetter(said[0]) : undefined;
  if (lettered !== undefined && LETTERED_VALUE.test(said[1])) {
    said[0] = lettered;
    said[1] = said[1].replace(/^n/, '⌀');
  }
  // The sign of roundness looks like a letter; it has no datum.
  if (cellCount === 2 && ROUND.test(said[0]) && /^[\d]*[.,]\d+$/.test(plainSigns(said[1]))) said[0] = '○';
  // Two rings need a datum; one that is drawn as an area has two edges.
  const isOneRing = (sign: string | undefined): boolean =>
    sign === '◎' && cellCount === 2 && (said[0] !== '◎' || isRead(line));
  // A sign of form before a datum is another one.
  const mayBe = (sign: string): boolean => !(isOfForm(sign) && hasDatum(said));
  const written = typeOfCharacteristic(said[0]) === undefined ? undefined : plainCharacteristic(said[0]);
  const likelier = (): string | undefined => {
    if (signIn !== undefined) return signIn(placeOfCell(line, frame, 0), mayBe);
    const drawn = isRead(line) ? drawnSign(sheet, signCell(line, frame, 0, index)) : undefined;
    return drawn !== undefined && mayBe(drawn) ? drawn : undefined;
  };
  // On pixels the shafts of total runout look like those of parallelism.
  const isRunout = (): boolean =>
    written === '∥' && signIn?.(placeOfCell(line, frame, 0), (sign) => sign === '∥' || sign === '⌰') === '⌰';
  const found =
    written !== undefined
      ? mayBe(written)
        ? isRunout()
          ? '⌰'
          : written
        : (likelier() ?? written)
      : signIn !== undefined && said[0].length <= LONGEST_SIGN && VALUE.test(plainSigns(said[1] ?? ''))
        ? signIn(placeOfCell(line, frame, 0), mayBe)
        : said[0] === ''
          ? drawnSign(sheet, signCell(line, frame, 0, index))
          : undefined;
  const own = isOneRing(found) ? '○' : found;
  const unknown = own === undefined && signIn === undefined && isRowOfFrame(said) ? said[0] : undefined;
  if (unknown !== undefined && unknown !== '') return unknownFrame({ line, frame, said, sign: unknown, taken });
  // A bar of the symbol may stand where the row ends and look like the side of a further cell.
  const skipped = said[0] === '' ? 1 : 0;
  if (own === undefined && VALUE.test(plainSigns(said[skipped] ?? ''))) {
    const row = { ...frame, bars: frame.bars.slice(skipped) };
    const tall = tallSign(line, row, page);
    const shared = tall === undefined ? rowAbove(row, line, page.above) : undefined;
    if (shared !== undefined)
      return rowFindings({
        line,
        frame: { ...row, bars: [shared.frame.bars[0], ...row.bars] },
        said: ['', ...said.slice(skipped)],
        sign: shared.sign,
        taken,
        tall: shared.tall,
      });
    if (tall === undefined && unknown !== undefined) return unknownFrame({ line, frame, said, sign: unknown, taken });
    return (
      tall &&
      rowFindings({
        line,
        frame: { ...row, bars: [tall.cell.bars[0], ...row.bars] },
        said: ['', ...said.slice(skipped)],
        sign: tall.sign,
        taken,
        tall: { top: tall.cell.top, left: tall.cell.bars[0], angleRad: line.angleRad },
      })
    );
  }
  if (own === undefined || !VALUE.test(plainSigns(said[1] ?? ''))) return undefined;
  if (/^[\d.,]/.test(said[1]) && hasDiameterSign(sheet, signCell(line, frame, 1, index))) said[1] = `⌀${said[1]}`;
  return rowFindings({ line, frame, said, sign: own, taken });
}

/**
 * Whether cells are those of a control frame whose symbol is not known, `POS | 0.3 | A`: a value with decimals or a
 * sign, and datums behind it; or a value below 1 behind a cell whose text nothing shows. Boxed numbers beside them
 * would be exact sizes.
 */
function isRowOfFrame([sign, value = '', ...datums]: readonly string[]): boolean {
  const width = plainSigns(value);
  if (datums.length === 0) return UNPRINTED.test(sign) && SMALL_VALUE.test(width);
  return (
    !/\d/.test(sign) && /[⌀.,]/.test(width) && CELL_VALUE.test(width) && datums.every((datum) => CELL_DATUM.test(datum))
  );
}

/** Whether a row of a frame has a datum. */
function hasDatum(said: readonly string[]): boolean {
  return said.slice(2).some((cell) => CELL_DATUM.test(plainSigns(cell).replace(/\s/g, '')));
}

/** A row whose symbol is not known, with what stands in its cell; rows below it do not share that. */
function unknownFrame(row: ReadRow): Framed {
  const sign = UNPRINTED.test(row.sign) ? NO_SIGN : row.sign;
  return { findings: rowFindings({ ...row, sign }).findings, taken: row.taken };
}

/** An outlined D in the last cell of an upright row, which was read across, as the sign of a profile. */
function turnedDatum(
  { angleRad }: TextLine,
  { top, bottom, bars }: Frame,
  lines: readonly TextLine[],
): { readonly line: TextLine; readonly cell: number } | undefined {
  const frame = new TurnedFrame(angleRad);
  for (const other of lines) {
    if (other.text !== '⌓' || other.angleRad === angleRad) continue;
    const { x, y } = middleOf(boxOfLine(other));
    const [s, t] = [frame.s(x, y), frame.t(x, y)];
    const cell = bars.findLastIndex((bar) => bar < s);
    if (t > top && t < bottom && cell > 1 && cell < bars.length - 1) return { line: other, cell };
  }
  return undefined;
}

/** What a cell of a control frame may hold: a value, or datums, with modifiers; undefined for anything else. */
function cellText(read: string | undefined, number: number): string | undefined {
  const text = read
    ?.replace(/\s/g, '')
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replace(COMBINED_ZONE, 'CZ');
  const isCell = number === 1 ? CELL_VALUE.test(text ?? '') : CELL_DATUM.test(text ?? '');
  return isCell ? text : undefined;
}

/** A row of a control frame as it was read. */
interface ReadRow {
  readonly line: TextLine;
  readonly frame: Frame;
  /** Texts of the cells. */
  readonly said: readonly string[];
  readonly sign: string;
  /** Lines that belong to it. */
  readonly taken: readonly TextLine[];
  /** The cell of a symbol that holds for several rows. */
  readonly tall?: TallCell;
}

function rowFindings({ line, frame, said, sign, taken, tall }: ReadRow): Framed {
  const texts = [
    sign,
    ...said
      .slice(1)
      .map((cell, i) => plainModifiers(plainSigns(cell), sign, i))
      .filter((text) => text !== ''),
  ];
  const box = boxOfFrame(line, frame);
  const type = typeOfCharacteristic(sign);
  const doubt = (sign === NO_SIGN || (isOfForm(sign) && hasDatum(texts))) && { isDoubtful: true as const };
  const findings: Finding[] = [{ type: PMI_TYPE.controlFrame, box, parts: [{ text: texts.join(' | ') }], ...doubt }];
  if (type !== undefined)
    findings.push({
      type,
      box: boxOfFrame(line, { ...frame, bars: frame.bars.slice(0, 2) }),
      parts: [{ text: sign }],
      ...doubt,
    });
  if (/^S?⌀/.test(texts[1] ?? ''))
    findings.push({
      type: PMI_TYPE.diameterSymbol,
      box: boxOfFrame(line, { ...frame, bars: frame.bars.slice(1, 3) }),
      parts: [{ text: '⌀' }],
    });
  return { findings, taken, row: { frame, sign }, ...(tall !== undefined && { tall }) };
}

/**
 * Resolves circled letters that look alike by where they are allowed: only profiles are unequal, and only sizes have a
 * material condition (ASME Y14.5, ISO 1101).
 */
function plainModifiers(cell: string, sign: string, at: number): string {
  const isProfile = at === 0 && (sign === '⌓' || sign === '⌒');
  return isProfile ? cell.replaceAll('Ⓜ', 'Ⓤ') : cell.replaceAll('Ⓤ', 'Ⓜ');
}

/** The symbol in a cell that is higher than the row behind it: it holds for all rows beside it. */
function tallSign(
  line: TextLine,
  frame: Frame,
  { sheet, lines, index, signIn }: Page,
): { readonly sign: string; readonly cell: Frame } | undefined {
  const cell = tallCellBefore(frame, line, index);
  if (cell === undefined) return undefined;
  const within = lines.filter(
    (other) =>
      other.angleRad === line.angleRad &&
      other.t > cell.top &&
      other.t < cell.bottom + 0.1 * line.height &&
      (other.start + other.end) / 2 > cell.bars[0] &&
      (other.start + other.end) / 2 < cell.bars[1],
  );
  const written = within
    .map(({ text }) => plainCharacteristic(text.replace(/\s/g, '')))
    .find((text) => typeOfCharacteristic(text) !== undefined);
  const rows = (cell.bottom - cell.top) / (frame.bottom - frame.top);
  // It stands in the middle of its cell, as high as in a row.
  const sign =
    written ??
    (signIn === undefined
      ? drawnSign(sheet, { ...signCell(line, cell, 0, index), rows })
      : signIn({ ...placeOfCell(line, cell, 0), height: frame.bottom - frame.top }));
  return sign === undefined ? undefined : { sign, cell };
}

/** A datum's letter and the note behind its box, which may be so near that they form one line. */
export function datumApart(line: TextLine): TextLine[] {
  if (!/^[A-Z] /.test(line.text) || !isFrameNote(line.text.slice(2))) return [line];
  const [first, ...others] = wordsOfLine(line);
  return [lineOf(line, [first]), lineOf(line, others)];
}

/**
 * A note below or behind a frame that restricts it (ASME Y14.5): number of surfaces, each individually, or together
 * with others.
 */
export function notesOf(line: TextLine, { top, bottom, bars }: Frame, lines: readonly TextLine[]): TextLine[] {
  const end = bars[bars.length - 1];
  return lines.filter((other) => {
    if (other.angleRad !== line.angleRad || !isFrameNote(other.text)) return false;
    const isBelow =
      other.t > bottom &&
      other.t - other.height < bottom + 0.6 * line.height &&
      other.start < end &&
      other.end > bars[0];
    const isBehind =
      other.t > top &&
      other.t < bottom &&
      other.start > end - 0.2 * line.height &&
      other.start < end + 1.5 * line.height;
    return isBelow || isBehind;
  });
}

export function placeOfCell({ angleRad }: TextLine, { top, bottom, bars }: Frame, number: number): SignPlace {
  const [left, right] = [bars[number], bars[number + 1]];
  const { x, y } = new TurnedFrame(angleRad).point((left + right) / 2, (top + bottom) / 2);
  return { x, y, angleRad, width: right - left, height: bottom - top };
}

/** A cell with the strokes that begin near its middle, and edges that pass it. */
function signCell({ angleRad }: TextLine, frame: Frame, number: number, index: LineIndex): SignCell {
  const { top, bottom, bars } = frame;
  const { x, y } = new TurnedFrame(angleRad).point((bars[number] + bars[number + 1]) / 2, (top + bottom) / 2);
  const strokes = index.strokesNear(x, y, Math.max(bottom - top, (bars[number + 1] - bars[number]) / 2));
  return { frame, angleRad, number, strokes };
}

/** A letter inside a drawn circle, as the circled letter. */
function inCircle({ text, start, end }: LinePiece, { angleRad, height, t }: TextLine, index: LineIndex): string {
  if (!MODIFIERS.test(text)) return text;
  // The circled capitals follow each other from Ⓐ.
  const sign = String.fromCodePoint('Ⓐ'.codePointAt(0)! + text.toUpperCase().charCodeAt(0) - 'A'.charCodeAt(0));
  // Letters of a symbol font need no circle.
  if (/[a-z]/.test(text)) return sign;
  const { x, y } = new TurnedFrame(angleRad).point((start + end) / 2, t - 0.35 * height);
  const isRound = index.rings.some(
    (ring) => ring.radius > 0.35 * height && ring.radius < height && Math.hypot(ring.x - x, ring.y - y) < 0.6 * height,
  );
  const isFlat =
    !isRound &&
    index.ellipses.some(
      (each) =>
        each.minor > 0.3 * height && each.major < 1.3 * height && Math.hypot(each.x - x, each.y - y) < 0.6 * height,
    );
  return isRound || isFlat ? sign : text;
}

function boxOfFrame(line: TextLine, { top, bottom, bars }: Frame): Finding['box'] {
  return boxOfLine(
    { ...line, t: bottom - 0.22 * (bottom - top), height: bottom - top },
    bars[0],
    bars[bars.length - 1],
  );
}
