import type { TextLine } from '../text-lines.js';
import { HEADINGS } from '../title-labels.js';

/** Most lines that are looked at; a sheet with more is prose. */
const MOST_LINES = 6_000;
/** Lines of one row differ less, in letter heights, and in direction, rad. */
const SAME_ROW = 0.35;
const LEVEL_RAD = 0.02;
/** Letter heights between a label and its number: of one that is a few words alone, and of the end of a longer text. */
const FAR_LABEL = 25;
const NEAR_LABEL = 4;
const FEW_WORDS = 4;
/** The same between a number and its unit. */
const FAR_UNIT = 4;
/** Rows of a list are nearer to each other, and their cells to its headings, in letter heights. */
const ROW_APART = 3.2;
const ALIGNED = 1.5;
const BESIDE = 12;
/** Headings of a list, at least. */
const FEW_HEADINGS = 2;

/** What quantities that are no lengths are called, and numbers that count or name: the end of a line. */
const LABELS = [
  // Of matter and forces.
  'density dichte densit[eé] mass masse weight gewicht poids peso volumen? area fl(?:ä|ae)che hardness h(?:ä|ae)rte',
  'duret[eé] torque drehmoment anzugsmoment couple pressure druck pression force kraft load last temp temperature?',
  'temperatur voltage spannung current strom power leistung speed drehzahl rpm frequency frequenz',
  // Of parts.
  'qty quantity menge anzahl st(?:ü|ue)ck(?:zahl)? stk pcs pieces qt[eé] cantidad pos(?:ition)? item class grade',
  'festigkeitsklasse klasse g(?:ü|ue)te standard norm charge batch lot teeth z(?:ä|ae)hne(?:zahl)? dents ratio',
  '(?:ü|ue)bersetzung cost price preis life cycles resolution aufl(?:ö|oe)sung',
  // Of papers.
  'rev(?:ision)? version index sheet blatt feuille foglio page seite no nr number nummer date datum year jahr order',
  'auftrag tel phone telefon t[eé]l[eé]phone fax mobile? zip plz scale ma(?:ß|ss)stab',
];
const LABEL = new RegExp(
  String.raw`(?<!\p{L})(?:${alternatives(LABELS)})\.?(?:\s?[([][^()[\]]{1,12}[)\]])?\s?[:=]?$`,
  'iu',
);
/** A label that asks for a value, but not for a length: `FINISH CODE:`. */
const ASKS = /\p{L}{2}\.?\s?:$/u;
const OF_LENGTH = new RegExp(
  alternatives([
    'l(?:ä|ae)nge length width breite height h(?:ö|oe)he thick dicke st(?:ä|ae)rke depth tiefe dia durchmesser radi',
    'size gr(?:ö|oe)(?:ß|ss)e stroke hub pitch teilung dim ma(?:ß|ss)e?\\b longueur largeur hauteur [eé]paisseur',
    'distance abstand',
  ]),
  'iu',
);
/** Units of what is no length. Single letters may be those of datums. */
const OTHER_UNIT = new RegExp(
  `^(?:${alternatives([
    String.raw`kg lbs? oz kN Nm bar [kMG]Pa psi °\s?[CF] kW kV mA Hz rpm U\/min min-1 HRC HB HV % pcs\.? Stk\.? ml`,
    String.raw`g\/cm[³3] kg\/(?:m|dm)[³3] N\/mm[²2] [cm]m[²³] in[²³]`,
  ])})$`,
  'i',
);
/** Headings of lists of parts and revisions beside those of title blocks; and of lists of sizes, which are none. */
const FURTHER_HEADINGS = new RegExp(
  `^(?:${alternatives([
    String.raw`NO\.? NR\.? ST(?:Ü|UE)CK STK\.? WERKSTOFF NORM STANDARD BEMERKUNG TEILE?-?NR\.? REP\.? QT[EÉ]\.?`,
    String.raw`D[EÉ]SIGNATION MATI[EÈ]RE OBSERVATIONS? WEIGHT GEWICHT NOTES? DRAWN APPR\.? TITLE CHANGE SIGN\.?`,
  ])})$`,
  'i',
);
const OF_SIZES = /^(?:SIZE|DIA\.?|⌀|X|Y|Z|X\s?LOC|Y\s?LOC|LENGTH|WIDTH|HOLE|TAG|DEPTH)$/i;

/** Words of several lines as alternatives of a pattern. */
function alternatives(lines: readonly string[]): string {
  return lines.join(' ').replaceAll(' ', '|');
}

/**
 * Lines of a sheet that may look like sizes and are none: numbers beside the name or the unit of another quantity
 * (`DENSITY 7.85`, `58 HRC`, `TEL. 0711 12345`), and rows of lists of parts and revisions that have no lines about
 * them.
 */
export interface OtherNumbers {
  /** Bare numbers here belong to a label or to a unit. */
  readonly labelled: ReadonlySet<TextLine>;
  /** Whatever stands here is of a list. */
  readonly listed: ReadonlySet<TextLine>;
}

export function otherNumbers(all: readonly TextLine[]): OtherNumbers {
  const level = all.filter(({ angleRad }) => Math.abs(angleRad) < LEVEL_RAD).slice(0, MOST_LINES);
  const rows = rowsOf(level);
  const labelled = new Set<TextLine>();
  for (const row of rows)
    row.forEach((line, i) => {
      if (!/\d/.test(line.text)) return;
      const [before, behind] = [row[i - 1], row[i + 1]];
      if ((before !== undefined && isLabelOf(before, line)) || (behind !== undefined && isUnitOf(behind, line)))
        labelled.add(line);
    });
  return { labelled, listed: listedIn(rows) };
}

function isLabelOf(label: TextLine, { start, height }: TextLine): boolean {
  const text = label.text.trim();
  const gap = (start - label.end) / height;
  const isShort = text.split(' ').length <= FEW_WORDS;
  if (gap < -1 || gap > (isShort ? FAR_LABEL : NEAR_LABEL)) return false;
  // `17 PCS` says its number itself.
  if (/\d/.test(text) && !/[:=]$/.test(text)) return false;
  return LABEL.test(text) || (ASKS.test(text) && !OF_LENGTH.test(text));
}

function isUnitOf({ text, start }: TextLine, { end, height }: TextLine): boolean {
  return start - end < FAR_UNIT * height && OTHER_UNIT.test(text.trim());
}

/** Lines by their baselines, from the top, each row from the left. */
function rowsOf(level: readonly TextLine[]): TextLine[][] {
  const rows: TextLine[][] = [];
  for (const line of level.toSorted((a, b) => a.t - b.t || a.start - b.start)) {
    const row = rows.at(-1);
    if (row !== undefined && line.t - row[0].t < SAME_ROW * Math.min(line.height, row[0].height)) row.push(line);
    else rows.push([line]);
  }
  return rows.map((row) => row.toSorted((a, b) => a.start - b.start));
}

/** What stands below the headings of a list, or above those of one that grows upwards, in their columns. */
function listedIn(rows: readonly (readonly TextLine[])[]): ReadonlySet<TextLine> {
  const listed = new Set<TextLine>();
  rows.forEach((row, at) => {
    for (const group of groupsOf(row)) {
      const heads = headingsIn(group);
      if (heads.length < FEW_HEADINGS) continue;
      const below = listFrom(rows, at, 1, heads);
      for (const line of [...below, ...(below.length > 0 ? [] : listFrom(rows, at, -1, heads))]) listed.add(line);
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

/** The headings of a row, with the places of words that stand in one line; none of lists of sizes. */
function headingsIn(row: readonly TextLine[]): readonly { readonly start: number; readonly end: number }[] {
  if (row.some(({ text }) => text.split(/\s{2,}|\s\|\s/).some((word) => OF_SIZES.test(word.trim())))) return [];
  const isHeading = (text: string): boolean => HEADINGS.test(text) || FURTHER_HEADINGS.test(text);
  return row.flatMap((line) => {
    if (isHeading(line.text)) return [{ start: line.start, end: line.end }];
    const words = line.text.split(' ');
    return words.length > 1 && words.every(isHeading) ? words.map(() => ({ start: line.start, end: line.end })) : [];
  });
}

function listFrom(
  rows: readonly (readonly TextLine[])[],
  at: number,
  step: 1 | -1,
  heads: readonly { readonly start: number; readonly end: number }[],
): TextLine[] {
  const found: TextLine[] = [];
  const [left, right] = [Math.min(...heads.map(({ start }) => start)), Math.max(...heads.map(({ end }) => end))];
  let last = rows[at][0];
  for (let i = at + step; i >= 0 && i < rows.length; i += step) {
    const [first] = rows[i];
    const { height } = first;
    if (Math.abs(first.t - last.t) > ROW_APART * Math.max(height, last.height)) break;
    const within = rows[i].filter(({ start, end }) => end > left && start < right);
    // What stands beside the list alone is of something else.
    if (within.length === 0) continue;
    const isAligned = ({ start, end }: TextLine): boolean =>
      heads.some(
        (head) =>
          Math.abs(head.start - start) < ALIGNED * height ||
          Math.abs(head.end - end) < ALIGNED * height ||
          Math.abs(head.start + head.end - start - end) < 2 * ALIGNED * height,
      );
    const cells = within.filter(isAligned);
    if (cells.length < FEW_HEADINGS) continue;
    found.push(...cells);
    [last] = within;
  }
  return found;
}
