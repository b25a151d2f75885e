import type { TextLine } from '../text-lines.js';
import { isValueOf } from './title-labels.js';

/** What stands at the head of the columns of a table of revisions. */
const REVISION =
  /^(?:rev(?:ision)?|r[eé]v(?:ision[ei]?)?|revisi[oó]n|ind(?:ex|ice)?|zust(?:and)?|(?:ä|ae)nd|issue|ltr)\.?$/iu;
const CHANGE = new RegExp(
  String.raw`^(?:description(?: of changes?)?|changes?|(?:art der )?(?:ä|ae)nderung(?:en)?|beschreibung|` +
    String.raw`modifications?|descrizione|descripci[oó]n|modific(?:a|he|aci[oó]n))\.?$`,
  'iu',
);
const DAY = /^(?:date|datum|data|fecha|tag)\.?$/iu;
const PERSON = /^(?:name|by|appr(?:oved)?|gepr|bearb|gez|checked|visa|nom|par|ecn|eco|zone)\.?$/iu;
/** Heads of a list of parts, which may have an index too. */
const OF_PARTS = /^(?:qty|quantity|menge|anzahl|material|werkstoff)\.?$/iu;
/** Heads of one row, in letter heights: difference in height, and gap. Rows of a table stand closer. */
const SAME_ROW = 0.5;
const GAP = 45;
const ROWS_APART = 5;
/** Rows of a table stand this evenly, as a share of their distance. */
const SAME_PITCH = 0.3;
/** A revision may begin so far left of its head. */
const LEFT = 4;
const MOST_HEADS = 50;

/** The revision that a table of revisions says is the current one. */
export interface RevisionTable {
  /** Its heads, and all lines in its rows: none of them is a label or a value of the title block. */
  readonly lines: readonly TextLine[];
  /** Nothing where the row that is farthest from the heads has a day, but no revision that was read. */
  readonly current: TextLine | undefined;
}

/**
 * Tables of revisions: a row of heads, and revisions below or above their own one. The current revision is the greatest
 * where they rise or fall, or else the last, which stands farthest from the heads. A single row is one with a change
 * and a day: `Rev | Date` may be two fields of a title block. Where the revision of the last row was not read, that of
 * an earlier row is not the current one.
 */
export function revisionTables(level: readonly TextLine[]): RevisionTable[] {
  const heads = level.filter(({ text }) => REVISION.test(text.trim())).slice(0, MOST_HEADS);
  return heads.flatMap((head) => {
    const row = headsBehind(head, level);
    const [isChange, isDay] = [CHANGE, DAY].map((kind) => row.some(({ text }) => kind.test(text.trim())));
    if (row.length === 0 || !(isChange || isDay)) return [];
    const below = rowsFrom(head, row, level, 1),
      above = rowsFrom(head, row, level, -1);
    const rows = above.length > below.length ? above : below;
    if (rows.length === 0) return [];
    const next = rowWithoutRevision(head, row, rows, level);
    if (rows.length === 1 && next.length === 0 && !(isChange && isDay)) return [];
    const current = next.length > 0 ? undefined : currentOf(rows.map(([revision]) => revision));
    return [{ lines: [head, ...row, ...rows.flat(), ...next], current }];
  });
}

/** The heads of further columns, each once. */
function headsBehind(head: TextLine, level: readonly TextLine[]): TextLine[] {
  const found: TextLine[] = [];
  const kinds = new Set([REVISION]);
  const row = level
    .filter(({ t, start }) => Math.abs(t - head.t) < SAME_ROW * head.height && start > head.end)
    .toSorted((a, b) => a.start - b.start);
  for (const line of row) {
    const text = line.text.trim();
    if (OF_PARTS.test(text)) return [];
    const kind = [REVISION, CHANGE, DAY, PERSON].find((each) => each.test(text));
    const isNext = line.start - (found.at(-1) ?? head).end < GAP * head.height;
    if (kind === undefined || !isNext || (kinds.has(kind) && kind !== PERSON)) break;
    kinds.add(kind);
    found.push(line);
  }
  return found;
}

/** Rows of a table from its heads on, each with its revision first. */
function rowsFrom(head: TextLine, heads: readonly TextLine[], level: readonly TextLine[], way: 1 | -1): TextLine[][] {
  const { height } = head;
  const end = heads.at(-1)!.end + GAP * height;
  const column = level
    .filter(
      ({ t, start, end: to, text }) =>
        way * (t - head.t) > SAME_ROW * height &&
        start > head.start - LEFT * height &&
        to < heads[0].start &&
        isValueOf('Revision', text.trim()),
    )
    .toSorted((a, b) => way * (a.t - b.t));
  const rows: TextLine[][] = [];
  let last = head.t;
  for (const line of column) {
    if (Math.abs(line.t - last) > ROWS_APART * Math.max(height, line.height)) break;
    const others = level.filter(
      (other) =>
        Math.abs(other.t - line.t) < SAME_ROW * line.height &&
        other.start > line.end &&
        other.start < end &&
        other !== line,
    );
    if (others.length === 0) break;
    rows.push([line, ...others]);
    last = line.t;
  }
  return rows;
}

/**
 * The row that follows at the pitch of those before, where it has a day but no revision that was read: pixels lose a
 * lone `1`.
 */
function rowWithoutRevision(
  head: TextLine,
  heads: readonly TextLine[],
  rows: readonly (readonly TextLine[])[],
  level: readonly TextLine[],
): TextLine[] {
  const day = heads.find(({ text }) => DAY.test(text.trim()));
  if (day === undefined) return [];
  const last = rows.at(-1)![0].t;
  const pitch = (last - head.t) / rows.length;
  const next = level.filter(
    ({ t, start }) =>
      Math.abs(t - last - pitch) < SAME_PITCH * Math.abs(pitch) &&
      start > head.start - LEFT * head.height &&
      start < heads.at(-1)!.end + GAP * head.height,
  );
  const hasDay = next.some(
    ({ start, end, text }) => start < day.end && end > day.start && isValueOf('Date', text.trim()),
  );
  return hasDay ? next : [];
}

function currentOf(revisions: readonly TextLine[]): TextLine {
  const ranks = revisions.map(({ text }) => rankOf(text));
  const isSteady = (sign: number): boolean => ranks.every((rank, i) => i === 0 || sign * (rank - ranks[i - 1]) > 0);
  return isSteady(-1) ? revisions[0] : revisions.at(-1)!;
}

/** `-` before `A` before `B` before `AA`, `1` before `10`, `A1` behind `A`. */
function rankOf(text: string): number {
  const [, letters, figures] = /^(?:REV\.?\s?)?([A-Z]*)([\d.,]*)/i.exec(text.trim())!;
  const ofLetters = [...letters.toUpperCase()].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0);
  return letters === '' && figures === '' ? -1 : 1e3 * ofLetters + Number(figures.replace(',', '.') || 0);
}
