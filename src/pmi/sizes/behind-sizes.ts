import { plainSigns, readDimension, readTolerance } from '../dimension-text.js';
import type { TextLine } from '../placed-text.js';
import { isRead, withDeviations, type ReadLine } from '../stacked-tolerances.js';
import { sizesIn } from './callouts.js';
import { LIMIT_ALONE } from './dimension-lines.js';

/** What goes on from a size: a second one behind an x, and how many there are. */
const FOLLOWS = /^(?:[x×]\s?[\d.,]|\(?\d{1,3}\s?[x×]\)?$)/i;
const TIMES = /^[x×]\s?/i;
/** A tolerance that cannot be a number of something else. */
const TOLERANCE = /^(?:[±+-]|[A-Za-z])/;
/** In letter heights: gaps behind the size or its deviations, and how far baselines are apart. */
const BEFORE = 0.4;
const BEHIND = 1.5;
const CLOSE = 0.9;
const SAME_LINE = 0.3;
const RAISED = 0.8;
const LOWERED = 0.45;
/** From line to line of one block. */
const NEXT_LINE = [0.8, 1.6] as const;
/** In letter heights: how far from each other two deviations of one size begin. */
const STACKED = 0.5;
const SIGNED = /^[±+-]/;
/** Longer texts are none of these. */
const LONGEST = 40;
/** Heights of equal letters, and those of a small tolerance, as shares. */
const ALIKE = 0.8;
const SMALL = [0.4, 0.85] as const;

/**
 * Sizes with what stands behind them in letters of another size, or behind their small deviations: the second size of
 * `⌀8 +0.1/0 x 20`, the fit or the one deviation that is raised, lowered or small. Of files alone, which know the
 * heights of their letters.
 */
export function withBehind(read: readonly ReadLine[], lines: readonly TextLine[]): ReadLine[] {
  const follows = ({ text }: TextLine): boolean => text.length < LONGEST && FOLLOWS.test(plainSigns(text));
  // What goes on from a size may read as a depth by itself.
  const ownWay = new Map(read.filter(({ line }) => follows(line)).map((each) => [each.line, each] as const));
  const taken = new Set(read.flatMap(({ line, taken: own }) => (ownWay.has(line) ? [] : [line, ...own])));
  const free = lines.filter((line) => !taken.has(line) && line.text.length < LONGEST && !isRead(line));
  const following = free.filter(follows);
  const small = free.filter(({ text }) => isTolerance(text) || LIMIT_ALONE.test(text));
  if (following.length === 0 && small.length === 0) return [...read];
  const found = read.flatMap((size) => {
    if (isRead(size.line) || ownWay.has(size.line)) return [size];
    const isOpen = (line: TextLine): boolean => !taken.has(line);
    const more =
      size.taken.length > 0
        ? goneOn(size, following.filter(isOpen), free.filter(isOpen))
        : (withSmall(size, small.filter(isOpen)) ?? withBelow(size, small.filter(isOpen)));
    for (const { line, taken: own } of more ?? []) for (const each of [line, ...own]) taken.add(each);
    return more ?? [size];
  });
  // Lines that were read by themselves, and are parts of others now.
  const parts = new Set([...ownWay.values()].filter(({ line }) => taken.has(line)));
  return found.filter((each) => !parts.has(each));
}

function isTolerance(text: string): boolean {
  const plain = plainSigns(text);
  return TOLERANCE.test(plain) && readTolerance(plain) !== undefined;
}

/** The size, and the one that goes on from it. */
function goneOn(size: ReadLine, following: readonly TextLine[], free: readonly TextLine[]): ReadLine[] | undefined {
  const { line, reading, taken } = size;
  const { height, angleRad, t } = line;
  if (reading.toleranceTexts.length === 0) return undefined;
  const end = Math.max(line.end, ...taken.map((each) => each.end));
  const next = following.find(
    (other) =>
      other.angleRad === angleRad &&
      Math.abs(other.t - t) < SAME_LINE * height &&
      Math.min(other.height, height) > ALIKE * Math.max(other.height, height) &&
      other.start > end - BEFORE * height &&
      other.start < end + BEHIND * height,
  );
  if (next === undefined) return undefined;
  const second = readDimension(plainSigns(next.text).replace(TIMES, ''));
  const beside = free.filter((other) => other.angleRad === angleRad && Math.abs(other.t - t) < height);
  const deviated = second && withDeviations(next, second, beside, { hasEnd: false });
  const own = deviated?.taken ?? [];
  const written = [reading.text, ...reading.toleranceTexts, next.text, ...(deviated?.reading.toleranceTexts ?? [])];
  const sizes = sizesIn(plainSigns(written.join(' ')));
  if (sizes.length === 0 || sizes.length > 2 || sizes[0].nominal !== reading.nominal) return undefined;
  if (sizes.length === 1) return [{ ...size, reading: sizes[0], taken: [...taken, next, ...own] }];
  return [
    { ...size, reading: sizes[0] },
    { line: next, reading: sizes[1], taken: own },
  ];
}

/** A size without a tolerance, with the only small one behind it. */
function withSmall(size: ReadLine, small: readonly TextLine[]): ReadLine[] | undefined {
  const { line, reading } = size;
  const { height, angleRad, t, end, pieces } = line;
  if (reading.toleranceTexts.length > 0 || reading.tolerance !== undefined || reading.isReference) return undefined;
  const slack = pieces.at(-1)?.slack ?? 0;
  const behind = small.filter(
    (other) =>
      other.angleRad === angleRad &&
      other.t - t > -RAISED * height &&
      other.t - t < LOWERED * height &&
      other.height > SMALL[0] * height &&
      other.height < SMALL[1] * height &&
      other.start > end - BEFORE * height &&
      other.start < end + CLOSE * height + slack,
  );
  if (behind.length !== 1) return undefined;
  const [own] = behind;
  // Above or below another one it is half of a tolerance.
  if (small.some((other) => other !== own && isStacked(own, other))) return undefined;
  const said = readDimension(`${reading.text} ${plainSigns(own.text)}`);
  const isSame = said?.nominal === reading.nominal && said.kind === reading.kind && said.toleranceTexts.length > 0;
  return isSame ? [{ ...size, reading: said, taken: behind }] : undefined;
}

/** Whether two texts begin above each other, on lines that follow each other. */
function isStacked(a: TextLine, b: TextLine): boolean {
  const height = Math.max(a.height, b.height);
  return (
    a.angleRad === b.angleRad &&
    Math.abs(a.start - b.start) < STACKED * height &&
    Math.abs(a.t - b.t) < NEXT_LINE[1] * height
  );
}

/** A size without a tolerance, with one on the lines below it: `50`, `+0.1`, `-0.2`, or with `MAX` there. */
function withBelow(size: ReadLine, lines: readonly TextLine[]): ReadLine[] | undefined {
  const { line, reading } = size;
  if (reading.toleranceTexts.length > 0 || reading.tolerance !== undefined || reading.isReference) return undefined;
  const found: TextLine[] = [];
  for (let last = line; found.length < 2; ) {
    const next = lines.find(
      (other) =>
        (SIGNED.test(plainSigns(other.text)) || LIMIT_ALONE.test(other.text)) &&
        other.angleRad === line.angleRad &&
        Math.min(other.height, line.height) > ALIKE * Math.max(other.height, line.height) &&
        other.t - last.t > NEXT_LINE[0] * line.height &&
        other.t - last.t < NEXT_LINE[1] * line.height &&
        other.start < line.end &&
        other.end > line.start,
    );
    if (next === undefined) break;
    found.push(next);
    last = next;
  }
  if (found.length === 0) return undefined;
  const said = readDimension([reading.text, ...found.map(({ text }) => plainSigns(text))].join(' '));
  const isMore = said !== undefined && (said.toleranceTexts.length > 0 || LIMIT_ALONE.test(found[0].text));
  const isSame = isMore && said.nominal === reading.nominal && said.kind === reading.kind;
  return isSame ? [{ ...size, reading: said, taken: found }] : undefined;
}
