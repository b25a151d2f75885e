import { plainSigns, readDimension } from '../dimension-text.js';
import type { ReadLine } from '../stacked-tolerances.js';
import type { TextLine } from '../text-lines.js';
import type { DimensionKind } from './dimension.js';

/** A line that says for how many features the size above it holds, and nothing else: `2 PLACES`, `(4 HOLES)`. */
const COUNT_ALONE = new RegExp(
  String.raw`^\(?(?:[x×]\s?)?\d{1,3}\s?(?:(?:HOLES?|PLACES|PLCS?|PL|TIMES|OFF|Stk|Stück|Bohrungen|trous?|fori|` +
    String.raw`agujeros)\.?|[x×])\)?$`,
  'i',
);
/** From a line to the next one of its block, and how far lines may lie beside each other, in letter heights. */
const NEXT_LINE = [0.8, 2] as const;
const ALONG = 1;
/** Heights of letters of one block, as a share. */
const ALIKE = 0.75;
/** Sizes that go on from the hole above them, whose count holds for them too. */
const OF_HOLES: ReadonlySet<DimensionKind> = new Set(['depth', 'counterbore', 'countersink', 'thread', 'angle']);
const HOLES: ReadonlySet<DimensionKind> = new Set(['diameter', 'thread', 'counterbore', 'countersink']);

/** Whether a text is a count of features alone. */
export function isCountAlone(text: string): boolean {
  return COUNT_ALONE.test(text);
}

/** Sizes with the counts that stand on a line of their own below them, or below what goes on from their hole. */
export function withCountsBelow(read: readonly ReadLine[], lines: readonly TextLine[]): readonly ReadLine[] {
  const counts = lines.filter(({ text }) => text.length < 24 && isCountAlone(plainSigns(text)));
  if (counts.length === 0) return read;
  const found = new Map<ReadLine, ReadLine>();
  const taken = new Set(read.flatMap(({ line, taken: own }) => [line, ...own]));
  for (const count of counts) {
    if (taken.has(count)) continue;
    const last = sizeAbove([count], read);
    const size = last && firstOfCallout(last, read);
    if (last === undefined || size === undefined || found.has(size)) continue;
    const { reading } = size;
    const words = plainSigns(count.text).replace(/^\(|\)$/g, '');
    const said = readDimension(`${reading.text} (${words})`) ?? readDimension(`${reading.text} ${words}`);
    if (reading.count !== 1 || said === undefined || said.count < 2 || said.nominal !== reading.nominal) continue;
    const counted = { ...size, reading: { ...reading, text: said.text, count: said.count } };
    // Other sizes of a callout stand between both.
    found.set(size, size === last ? { ...counted, taken: [...size.taken, count] } : { ...counted, far: [count] });
  }
  return read.map((each) => found.get(each) ?? each);
}

/** A size, or the hole above it from which it goes on. */
function firstOfCallout(last: ReadLine, read: readonly ReadLine[]): ReadLine {
  let size = last;
  while (OF_HOLES.has(size.reading.kind)) {
    const hole = sizeAbove(linesOf(size), read);
    if (hole === undefined || !HOLES.has(hole.reading.kind)) break;
    size = hole;
  }
  return size;
}

function linesOf({ line, taken }: ReadLine): readonly TextLine[] {
  return [line, ...taken];
}

function sizeAbove(lines: readonly TextLine[], read: readonly ReadLine[]): ReadLine | undefined {
  const [{ angleRad, height }] = lines;
  const t = Math.min(...lines.map((each) => each.t));
  const start = Math.min(...lines.map((each) => each.start)),
    end = Math.max(...lines.map((each) => each.end));
  return read.find((each) => {
    const own = linesOf(each);
    if (lines.includes(each.line)) return false;
    const bottom = Math.max(...own.map((other) => other.t));
    return (
      each.line.angleRad === angleRad &&
      Math.min(each.line.height, height) > ALIKE * Math.max(each.line.height, height) &&
      t - bottom > NEXT_LINE[0] * height &&
      t - bottom < NEXT_LINE[1] * height &&
      Math.min(...own.map((other) => other.start)) < end + ALONG * height &&
      Math.max(...own.map((other) => other.end)) > start - ALONG * height
    );
  });
}
