import { readDimension } from '../dimension-text.js';
import { partOf, typeOfReading, type Finding } from '../finding.js';
import type { LineIndex } from '../line-index.js';
import { linePlacement, type Arrowhead } from '../line-placement.js';
import { isZero, ordinatesOf } from '../ordinates.js';
import { PMI_TYPE } from '../pmi.js';
import { readLines, type ReadLine } from '../stacked-tolerances.js';
import { boxOfLine, type TextLine } from '../text-lines.js';
import { withBehind } from './behind-sizes.js';
import { withCountsBelow } from './counts-below.js';
import { depthsOfHoles } from './depths-of-holes.js';
import { plainSigns } from './numbers.js';

/** A fraction without a mark of inches; a whole number and a fraction, which only inches have. */
const BARE_FRACTION = /^\d+\/\d+$/;
const MIXED = /\d[ -]\d+\/\d+/;

/**
 * Numbers of materials, `1.4301` (EN 10027-2), and months, `12.2026`, unless a dimension line holds them or the sheet
 * is in inches. Sixteenths of an inch and a zero at the end are sizes.
 */
const NUMBERED = /^(?:[0-35]\.(?!\d{3}0|0625|1875|3125|4375|5625|6875|8125|9375)\d{4}|1[0-2]\.20\d\d)$/;
/** Sizes with three decimals, without a zero before the point or with zeros at the end are those of an inch drawing. */
const FINE = /(?<![\d.,])(?:\.\d|\d+\.(?:\d{3}|\d{3}0)(?!\d))/;

/** In letter heights: how near to a size a deviation stands that is not that of another one. */
const NEAR = 2.5;
const DEVIATION = /^[+-]\s?\d*[.,]\d+$/;

/** Sizes of a sheet, the lines that they were read from, and how many lines are like sizes and none. */
export interface SizesOfTexts {
  readonly findings: readonly Finding[];
  readonly taken: ReadonlySet<TextLine>;
  readonly aside: number;
  /** Deviations beside sizes, which were not read as theirs. */
  readonly lost: ReadonlySet<TextLine>;
  /** Lines that were read as what no size is. */
  readonly garbled: readonly TextLine[];
}

/** So many times an angle, or the leg of a chamfer and its angle. */
const LEG = /^(\d{1,2})\s?[x×]\s?([\d.,]+\s?°)$/;
/** A diameter in degrees: small deviations on each other that were read as one sign. */
const GARBLED = /⌀\s?[\d.,]+°$/;

/** Sizes of a chain that were read as one: a whole number with so many figures, and so many times any other size. */
const JOINED = /^\D*\d{5,}(?![\d.,])/;
const TIMES_LARGER = 10;
/** Other sizes of a sheet that tell how large its sizes are. */
const FEW_OTHERS = 3;

interface Around {
  readonly index: LineIndex;
  readonly arrows: readonly Arrowhead[];
  /** Numbers beside the name or the unit of another quantity. */
  readonly labelled: ReadonlySet<TextLine>;
  /** Whether a box is drawn about a text. */
  readonly isBoxed: (line: TextLine) => boolean;
  /** Whether the title block states inches. */
  readonly isInInches: boolean;
  /** Whether a leader or a dimension line holds a text. */
  readonly isHeld: (line: TextLine) => boolean;
  /** Whether a straight dimension line of its own holds a text. */
  readonly isOnLine?: (line: TextLine) => boolean;
  /** Whether the lines were read from pixels. */
  readonly isRead: boolean;
}

interface Size extends ReadLine {
  readonly finding: Finding;
}

/** The sizes that lines of text say, in their order, without what names, counts or measures something else. */
export function sizesOfTexts(lines: readonly TextLine[], around: Around): SizesOfTexts {
  const { index, isHeld } = around;
  const all = withCountsBelow(withBehind(readLines(lines, isHeld), lines), lines).map((each) => onLine(each, around));
  const joined = around.isRead ? joinedSizes(all) : [];
  const garbled = new Set([...all.filter(({ reading }) => GARBLED.test(reading.text)), ...joined]);
  // A lone 0 measures nothing: it is a circle or part of something else.
  const read = depthsOfHoles(all.filter((each) => !garbled.has(each))).filter(
    ({ reading }) => reading.kind !== 'length' || reading.nominal !== 0,
  );
  const sizes = read.map((each): Size => ({ ...each, finding: findingOfLine(each, around) }));
  const positions = positionsOf(sizes, lines, index);
  const isNumber = numbersAmong(sizes, around);
  const findings: Finding[] = [];
  let aside = 0;
  for (const each of sizes) {
    const isPosition = positions.has(each.line);
    const { isPage, isOther } = isNumber(each);
    if (isPage || (isOther && !isPosition)) aside += 1 + each.taken.length;
    else findings.push(isPosition ? { ...each.finding, type: PMI_TYPE.ascending } : each.finding);
  }
  const taken = new Set(
    [...read, ...garbled].flatMap(({ line, taken: others, far = [] }) => [line, ...others, ...far]),
  );
  const lost = new Set(
    lines.filter((line) => DEVIATION.test(plainSigns(line.text)) && !taken.has(line) && isBeside(line, taken)),
  );
  return { findings, taken, aside, lost, garbled: [...garbled].map(({ line }) => line) };
}

function isBeside({ angleRad, start, end, t, height }: TextLine, sizes: ReadonlySet<TextLine>): boolean {
  return [...sizes].some(
    (size) =>
      size.angleRad === angleRad &&
      Math.abs(size.t - t) < NEAR * height &&
      start < size.end + NEAR * height &&
      end > size.start - NEAR * height,
  );
}

/** `12 x 30°` on a straight dimension line is a chamfer of 12, said as `30° x 12`, which cannot be twelve angles. */
function onLine(each: ReadLine, { isOnLine }: Around): ReadLine {
  const { reading, line } = each;
  const [, leg, angle] = LEG.exec(reading.text) ?? [];
  if (leg === undefined || reading.kind !== 'angle' || isOnLine?.(line) !== true) return each;
  return { ...each, reading: readDimension(`${angle} x ${leg}`) ?? reading };
}

/** Sizes of slanted chains whose gap was lost, `138140 ±0.1`: no sheet has one so much larger than all others. */
function joinedSizes(all: readonly ReadLine[]): readonly ReadLine[] {
  const isLong = ({ reading }: ReadLine): boolean => JOINED.test(reading.text);
  const others = all.filter((each) => !isLong(each)).map(({ reading }) => reading.nominal);
  if (others.length < FEW_OTHERS) return [];
  const largest = Math.max(...others);
  return all.filter((each) => isLong(each) && each.reading.nominal > TIMES_LARGER * largest);
}

/** Numbers that are positions from a zero. */
function positionsOf(sizes: readonly Size[], lines: readonly TextLine[], index: LineIndex): ReadonlySet<TextLine> {
  const plain = sizes.filter(
    ({ finding, reading, taken }) =>
      finding.type === PMI_TYPE.arrows && reading.kind === 'length' && reading.count === 1 && taken.length === 0,
  );
  return ordinatesOf(
    plain.map(({ line, reading }) => ({ line, nominal: reading.nominal })),
    lines.filter(({ text }) => isZero(text)),
    index,
  );
}

/** Which of the sizes of a sheet are none: numbers of pages, and those of something else. */
function numbersAmong(
  sizes: readonly Size[],
  { labelled, isInInches }: Around,
): (size: Size) => { readonly isPage: boolean; readonly isOther: boolean } {
  const areInches = sizes.some(({ reading }) => reading.isInch === true || MIXED.test(reading.text));
  const mayBeNumbers = !isInInches && !areInches;
  const areFine = sizes.some(({ reading: { text } }) => FINE.test(text));
  return ({ line, taken, finding: { type, parts }, reading: { text, kind } }) => ({
    // `1/2` is a sheet of two, unless it stands in its dimension line or other sizes are fractions of an inch.
    isPage: !areInches && BARE_FRACTION.test(text) && type === PMI_TYPE.arrows,
    isOther:
      // Values of labels below each other look like limits.
      (parts[0].tolerance === undefined || (taken.length > 0 && taken.every((each) => labelled.has(each)))) &&
      (((kind === 'length' || kind === 'angle') && labelled.has(line)) ||
        (type === PMI_TYPE.arrows && mayBeNumbers && !areFine && NUMBERED.test(text))),
  });
}

function findingOfLine({ line, reading, lowerLimit, taken }: ReadLine, { index, arrows, isBoxed }: Around): Finding {
  const lines = [line, ...taken];
  const start = Math.min(...lines.map((each) => each.start)),
    end = Math.max(...lines.map((each) => each.end));
  const t = Math.max(...lines.map((each) => each.t));
  const height = Math.max(line.height, t - Math.min(...lines.map((each) => each.t - each.height)));
  const box = boxOfLine({ ...line, t, height }, start, end);
  const isBasic = reading.toleranceTexts.length === 0 && lowerLimit === undefined && isBoxed(line);
  const part = isBasic ? { text: reading.text, tolerance: ['basic'] } : partOf(reading);
  const isPlaced = reading.kind === 'length' || reading.kind === 'square';
  const type = isPlaced ? linePlacement({ ...line, t, start, end }, arrows, index) : typeOfReading(reading);
  return { type, box, parts: lowerLimit === undefined ? [part] : [part, { text: lowerLimit }] };
}
