import { alternatives } from './alternatives.js';
import type { TextLine } from '../text-lines.js';
import { listedIn } from './open-lists.js';

/** Most lines that are looked at; a sheet with more is prose. */
const MOST_LINES = 6_000;
/** Lines of one row differ less, in letter heights, and in direction, rad. */
const SAME_ROW = 0.35;
const LEVEL_RAD = 0.02;
/** Letter heights between a label and its number: of one that is a few words alone, and of the end of a longer text. */
const FAR_LABEL = 14;
const NEAR_LABEL = 4;
/** The same of data of gears, whose names nothing else has. */
const FAR_GEAR = 30;
const FEW_WORDS = 3;
/** Labels below each other with values below each other: as far apart, and as little off one edge. */
const FAR_COLUMN = 30;
const ROWS_APART = 3.2;
const OFF_EDGE = 0.3;
/** The same between a number and its unit. */
const FAR_UNIT = 4;

/** A bare number; one that counts or names; a class; width and height in pixels. */
const BARE = /^[~≈]?\s?\d+(?:[.,]\d+)?$/;
const WHOLE = /^\d+$/;
const CLASS = /^(?:\d+|\d{1,2}[.,][689])$/;
const PIXELS = /^\d{3,4}\s?[xX×]\s?\d{3,4}$/;

/** What quantities that are no lengths are called, and numbers that count or name, with what stands beside them. */
const LABELS: readonly (readonly [label: RegExp, value: RegExp])[] = [
  [
    // Of matter and forces. `MASSE` alone is that of a German who writes sizes (Maße) in capitals.
    labelOf(
      String.raw`density dichte densit[eé] mass masse(?=\s?[([]k?g[)\]]) weight gewicht poids peso volumen? area`,
      'fl(?:ä|ae)che hardness h(?:ä|ae)rte duret[eé] torque drehmoment anzugsmoment couple pressure druck pression',
      'force kraft load last temp temperature? temperatur voltage spannung current strom power leistung speed',
      'drehzahl rpm frequency frequenz cost price preis',
    ),
    BARE,
  ],
  [labelOf('class grade festigkeitsklasse klasse g(?:ü|ue)te'), CLASS],
  [
    // Of parts and of papers.
    labelOf(
      'qty quantity menge anzahl st(?:ü|ue)ck(?:zahl)? stk pcs pieces qt[eé] cantidad pos(?:ition)? item standard',
      'norm charge batch lot \\p{L}*code teeth z(?:ä|ae)hne(?:zahl)? dents ratio (?:ü|ue)bersetzung life cycles',
      'rev(?:ision)? version index sheet blatt feuille foglio page seite no nr number \\p{L}*nummer date datum year',
      'jahr order auftrag tel phone telefon t[eé]l[eé]phone fax mobile? zip plz scale ma(?:ß|ss)stab',
    ),
    WHOLE,
  ],
  [labelOf('display monitor screen pixels? resolution aufl(?:ö|oe)sung'), PIXELS],
];
/** Data of gears, with their letters behind them, and numbers or angles beside those. */
const GEARS = labelOf(
  String.raw`(?:zahn)?modul[eo]?(?:\sm[nt]?)? module(?:\sm[nt]?)? teeth(?:\sz\d?)? z(?:ä|ae)hne(?:zahl)?(?:\sz\d?)?`,
  String.raw`dents(?:\sz\d?)? denti(?:\sz\d?)? dientes(?:\sz\d?)? diametral\spitch(?:\sp)?`,
  String.raw`(?:pressure|helix)\sangle(?:\s[αβ])? (?:eingriffs|schr(?:ä|ae)gungs)winkel(?:\s[αβ]n?)?`,
  String.raw`angle\sde\spression(?:\s[αβ])? profil(?:e\sshift|verschiebung(?:sfaktor)?)(?:\sx\d?)?`,
);
const OF_GEAR = /^[+-]?\d+(?:[.,]\d+)?\s?°?$/;
/** The letter of a quantity, in a column of its own. */
const LETTER = /^(?:[a-zα-ω]{1,2}\d?|DP)$/;

/** Words of lengths: what stands behind a text with one is a size, whatever its last word is. */
const OF_LENGTH = new RegExp(
  `(?<!\\p{L})(?:${alternatives(
    // At the end of German words: Wandstärke, Nutbreite.
    String.raw`\p{L}*l(?:ä|ae)ngen? \p{L}*breiten? \p{L}*h(?:ö|oe)hen? \p{L}*dicken? \p{L}*st(?:ä|ae)rken?`,
    String.raw`\p{L}*tiefen? \p{L}*durchmesser \p{L}*radi(?:us|en|i) \p{L}*abst(?:a|ä|ae)nde? \p{L}*teilung`,
    'lengths? widths? heights? thick(?:ness)? depths? dia diam diameters? sizes? gr(?:ö|oe)(?:ß|ss)en? strokes? hub',
    'pitch dim dimensions? ma(?:ß|ße|sse(?!\\s?[([])) longueur largeur hauteur [eé]paisseur distances?',
  )})(?!\\p{L})`,
  'iu',
);
/** Units of what is no length. Single letters may be those of datums, and `BAR` the form of stock. */
const OTHER_UNIT = new RegExp(
  `^(?!BAR$)(?:${alternatives(
    String.raw`kg lbs? oz kN Nm bar [kMG]Pa psi °\s?[CF] kW kV mA Hz rpm U\/min min-1 HRC HB HV % pcs\.? Stk\.? ml`,
    String.raw`g\/cm[³3] kg\/(?:m|dm)[³3] N\/mm[²2] [cm]m[²³] in[²³]`,
  )})$`,
  'i',
);
const OF_PIXELS = /^(?:px|pixels?|dpi)$/i;

/** Labels at the end of a line, with their unit, a full stop or a colon. */
function labelOf(...lines: readonly string[]): RegExp {
  return new RegExp(
    String.raw`(?<!\p{L})(?:${alternatives(...lines)})\.?(?:\s?[([][^()[\]]{1,12}[)\]])?\s?[:=]?$`,
    'iu',
  );
}

/** A number with the label before it in its row. */
interface Labelled {
  readonly label: TextLine;
  readonly value: TextLine;
}

/** Lines of a sheet that may look like sizes and are none. */
export interface OtherNumbers {
  /** Bare numbers, and angles of gears, that belong to a label or to a unit. */
  readonly labelled: ReadonlySet<TextLine>;
  /** Cells of lists: bare numbers, and threads of screws that are bought. */
  readonly listed: ReadonlySet<TextLine>;
}

/**
 * Numbers beside the name or the unit of another quantity (`DENSITY 7.85`, `58 HRC`, `SHEET 2`), and those in rows of
 * lists of parts and revisions that have no lines about them. Only what is certainly no size: a number without a sign,
 * a tolerance or a dimension line.
 * @param isHeld whether a dimension line or arrows hold a text.
 * @param isOnLine whether it stands on a dimension line of its own: a row of a list tells more than lines beside it.
 * @param isTabled whether a text stands in a table that is drawn: it is no part of a list without lines beside that.
 */
export function otherNumbers(
  all: readonly TextLine[],
  isHeld: (line: TextLine) => boolean,
  isOnLine: (line: TextLine) => boolean,
  isTabled: (line: TextLine) => boolean,
): OtherNumbers {
  const level = all.filter(({ angleRad }) => Math.abs(angleRad) < LEVEL_RAD).slice(0, MOST_LINES);
  const rows = rowsOf(level);
  const labelled = new Set<TextLine>();
  const named: Labelled[] = [];
  const far: Labelled[] = [];
  for (const row of rows)
    row.forEach((line, i) => {
      if (!/\d/.test(line.text)) return;
      const isLettered = LETTER.test(row[i - 1]?.text.trim() ?? '');
      const [before, behind] = [row[isLettered && i > 1 ? i - 2 : i - 1], row[i + 1]];
      const isMeasure = behind !== undefined && isUnitOf(behind, line);
      const isNamed = before !== undefined && isLabelOf(before, line);
      if (isNamed) named.push({ label: before, value: line });
      else if (before !== undefined && isLabelOf(before, line, FAR_COLUMN)) far.push({ label: before, value: line });
      if (!isMeasure && !isNamed) return;
      // Lines beside a number tell less than its unit, or a name close to it.
      const isClose = isMeasure || line.start - before!.end < NEAR_LABEL * line.height;
      if (!(isClose ? isOnLine : isHeld)(line)) labelled.add(line);
    });
  // Values below each other beside labels: lines of a neighbour tell less, and short labels may stand further off.
  const both = [...named, ...far];
  for (const each of both) {
    const others = named.includes(each) ? both : named;
    if (others.some((other) => isBelow(each, other)) && !isOnLine(each.value)) labelled.add(each.value);
  }
  const open = rows.map((row) => row.filter((line) => !isTabled(line))).filter((row) => row.length > 0);
  const listed = [...listedIn(open)].filter((line) => !labelled.has(line) && !isOnLine(line));
  return { labelled, listed: new Set(listed) };
}

/** Whether two labels with their values are rows of one list. */
function isBelow(a: Labelled, b: Labelled): boolean {
  const { height } = a.value;
  const apart = Math.abs(a.value.t - b.value.t);
  return (
    apart > 0 &&
    apart < ROWS_APART * height &&
    Math.abs(a.label.start - b.label.start) < OFF_EDGE * height &&
    Math.abs(a.value.start - b.value.start) < OFF_EDGE * height
  );
}

function isLabelOf(label: TextLine, { text: value, start, height }: TextLine, farthest = FAR_LABEL): boolean {
  const text = label.text.trim();
  const gap = (start - label.end) / height;
  const isShort = text.split(' ').length <= FEW_WORDS;
  if (gap < -1) return false;
  if (gap <= FAR_GEAR && OF_GEAR.test(value.trim()) && GEARS.test(text)) return true;
  if (gap > (isShort ? farthest : NEAR_LABEL)) return false;
  // `17 PCS` says its number itself.
  if ((/\d/.test(text) && !/[:=]$/.test(text)) || OF_LENGTH.test(text)) return false;
  return LABELS.some(([name, values]) => values.test(value.trim()) && name.test(text));
}

function isUnitOf({ text, start }: TextLine, { text: value, end, height }: TextLine): boolean {
  if (start - end >= FAR_UNIT * height) return false;
  const unit = text.trim();
  return (
    ((OTHER_UNIT.test(unit) || unit === 'bar') && BARE.test(value.trim())) ||
    (OF_PIXELS.test(unit) && /^\d/.test(value))
  );
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
