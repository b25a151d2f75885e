import { alternatives } from './alternatives.js';
import type { TextLine } from '../text-lines.js';
import { HEADINGS } from '../title/title-labels.js';

/** Rows of a list are nearer to each other, and not as near as that; cells to its headings, in letter heights. */
const ROW_APART = 3.2;
const NEAREST_ROW = 0.9;
const ALIGNED = 1.5;
const BESIDE = 12;
/** A row that is farther from the one before it than others, by this factor, is of something else. */
const OTHER_PITCH = 1.35;
/** Headings of a list, and cells of a row below different ones of them, at least. */
const FEW_HEADINGS = 3;
/** Letters of a heading that touches another one. */
const SHORTEST_HEADING = 2;

/** Headings of lists of parts and revisions beside those of title blocks; and of lists of sizes, which are none. */
const FURTHER_HEADINGS = new RegExp(
  `^(?:${alternatives(
    String.raw`NO\.? NR\.? ST(?:Ü|UE)CK STK\.? WERKSTOFF NORM STANDARD BEMERKUNG TEILE?-?NR\.? REP\.? ` +
      String.raw`QT[EÉ]\.? PARTNO\.?`,
    String.raw`D[EÉ]SIGNATION MATI[EÈ]RE OBSERVATIONS? WEIGHT GEWICHT NOTES? DRAWN APPR\.? TITLE CHANGE SIGN\.?`,
  )})$`,
  'i',
);
const OF_SIZES = /^(?:SIZE|DIA\.?|⌀|X|Y|Z|X\s?LOC|Y\s?LOC|LENGTH|WIDTH|HOLE|TAG|DEPTH)$/i;

/** Cells that no view has: names, days, numbers of parts. */
const NAME = /^\p{L}[\p{L}.-]{2,}(?: .*)?$/u;
const DAY = /^\d{1,4}([-./])\d{1,2}\1\d{2,4}(?!\S)/;
const PART_NUMBER = /^\d{4,}$/;
/** Sizes of every language, no names. */
const WORDS_OF_SIZES = /^(?:thru|through|durch|deep|tief|ref|typ|max|min|both|beid)/i;
/** What is bought; the thread in its row is its own. */
const BOUGHT = new RegExp(
  `(?:${alternatives(
    String.raw`screw bolt \bnut washer \bpin \bstud rivet circlip bearing schraube mutter scheibe stift bolzen niet`,
    String.raw`lager \bvis\b [eé]crou rondelle goupille`,
  )})s?`,
  'i',
);
const THREAD = /^M\d{1,3}(?:\s?[xX×]\s?\d{1,3}(?:[.,]\d+)?)?$/;
const NUMBER = /^\d+(?:[.,]\d+)?$/;
/** What a revision was about, `R5`: a size in a row with a day. */
const SIGNED = /^(?:[R⌀∅ØM]\s?)\d+(?:[.,]\d+)?$/;

interface Head {
  readonly start: number;
  readonly end: number;
}

/**
 * Numbers in lists of parts and revisions without lines: in rows as far apart as the first one from the headings, below
 * these or, where nothing is there, above them, with cells below three of them, one of which is a name, a day or the
 * number of a part. Bare numbers alone, threads in rows of screws and nuts, and sizes with a sign in rows with a day.
 * @param rows lines by their baselines, from the top, each row from the left.
 */
export function listedIn(rows: readonly (readonly TextLine[])[]): ReadonlySet<TextLine> {
  const listed = new Set<TextLine>();
  rows.forEach((row, at) => {
    for (const group of groupsOf(row)) {
      const heads = headingsIn(group);
      if (heads.length < FEW_HEADINGS) continue;
      const below = listFrom(rows, at, 1, heads);
      for (const line of below.length > 0 ? below : listFrom(rows, at, -1, heads)) listed.add(line);
    }
  });
  return listed;
}

/** Lines of a row that stand near each other. */
function groupsOf(row: readonly TextLine[]): TextLine[][] {
  const groups: TextLine[][] = [];
  for (const line of row) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && line.start - last.end < BESIDE * line.height) groups.at(-1)!.push(line);
    else groups.push([line]);
  }
  return groups;
}

/** The headings of a row, those too that stand in one line; none of lists of sizes. */
function headingsIn(row: readonly TextLine[]): readonly Head[] {
  if (row.some(({ text }) => text.split(/\s{2,}|\s\|\s/).some((word) => OF_SIZES.test(word.trim())))) return [];
  // A single letter is a datum.
  const isHeading = (text: string): boolean =>
    /\p{L}{2}/u.test(text) && (HEADINGS.test(text) || FURTHER_HEADINGS.test(text));
  return row.flatMap(({ text, start, end }) => {
    if (isHeading(text)) return [{ start, end }];
    const words = text.split(' ').flatMap((word) => (isHeading(word) ? [word] : headingsOf(word, isHeading)));
    const wide = (end - start) / text.length;
    const found: Head[] = [];
    let at = 0;
    for (let i = 0; i < words.length; ) {
      // `PART NO REMARKS`
      const pair = words.slice(i, i + 2).join(' ');
      const head = i + 1 < words.length && isHeading(pair) ? pair : words[i];
      if (!isHeading(head)) return [];
      found.push({ start: start + wide * at, end: start + wide * (at + head.length) });
      at += head.length + 1;
      i += head.split(' ').length;
    }
    return found;
  });
}

/** Two headings that touch, because the columns are narrow: `DESCRIPTIONSTANDARD`. Otherwise the word itself. */
function headingsOf(word: string, isHeading: (text: string) => boolean): readonly string[] {
  for (let i = SHORTEST_HEADING; i <= word.length - SHORTEST_HEADING; i++) {
    const both = [word.slice(0, i), word.slice(i)];
    if (both.every(isHeading)) return both;
  }
  return [word];
}

function listFrom(
  rows: readonly (readonly TextLine[])[],
  at: number,
  step: 1 | -1,
  heads: readonly Head[],
): TextLine[] {
  const found: TextLine[] = [];
  const [left, right] = [Math.min(...heads.map(({ start }) => start)), Math.max(...heads.map(({ end }) => end))];
  let last = rows[at].find((line) => line.start === left) ?? rows[at][0];
  let pitch = ROW_APART * last.height;
  for (let i = at + step; i >= 0 && i < rows.length; i += step) {
    if (Math.abs(rows[i][0].t - last.t) > pitch + last.height) break;
    const within = rows[i].filter(({ start, end }) => end > left && start < right);
    const cells = within.filter((line) => heads.some((head) => isAligned(head, line)));
    // What stands beside the list, or reaches into it, is of something else.
    if (cells.length === 0) continue;
    const apart = Math.abs(cells[0].t - last.t);
    // So near it is of something else beside the list.
    if (apart < NEAREST_ROW * last.height) continue;
    // Cells of two columns may be one line.
    const held = heads.filter((head) => cells.some((line) => isAligned(head, line) || isOver(head, line)));
    const text = cells.map((line) => line.text.trim());
    if (apart > pitch || held.length < FEW_HEADINGS || !text.some(isOfList)) break;
    const isBought = text.some((each) => BOUGHT.test(each));
    const isDated = text.some((each) => DAY.test(each));
    const isListed = (each: string): boolean => isNumber(each, isBought) || (isDated && SIGNED.test(each));
    found.push(...cells.filter((line) => isListed(line.text.trim())));
    [last] = cells;
    pitch = OTHER_PITCH * apart;
  }
  return found;
}

function isAligned(head: Head, { start, end, height }: TextLine): boolean {
  return (
    Math.abs(head.start - start) < ALIGNED * height ||
    Math.abs(head.end - end) < ALIGNED * height ||
    Math.abs(head.start + head.end - start - end) < 2 * ALIGNED * height
  );
}

function isOver(head: Head, { start, end }: TextLine): boolean {
  return start < head.end && end > head.start;
}

function isOfList(text: string): boolean {
  return (NAME.test(text) && !WORDS_OF_SIZES.test(text)) || DAY.test(text) || PART_NUMBER.test(text);
}

function isNumber(text: string, isBought: boolean): boolean {
  return NUMBER.test(text) || (isBought && THREAD.test(text));
}
