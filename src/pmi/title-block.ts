import { isSureField, type TextSource } from './confidence.js';
import { generalToleranceIn, textOfTolerances } from './tolerances/stated-tolerance.js';
import type { Sheet, SheetBox } from '../content/sheet.js';
import type { LineIndex } from './line-index.js';
import { isGeneralTolerance } from './finding.js';
import type { SignReader } from './frames/control-frames.js';
import { withSpelledLabel } from './pictures/labels/label-words.js';
import { boxOfBoxes } from './page-frame.js';
import { boxOfLine, type TextLine } from './text-lines.js';
import { loneFields } from './title/lone-fields.js';
import { revisionTables } from './title/revision-table.js';
import { asksFor, asScale, FORMS, HEADINGS, labelIn, type TextLabel } from './title/title-labels.js';
import {
  asWritten,
  CELL_OF_LABEL,
  isInCell,
  valueOf,
  wallsBetween,
  withNextLines,
  withUprights,
} from './title-values.js';

/** What a title block says, and where it is. */
export interface TitleBlock {
  /** One of each name. */
  readonly fields: readonly ReadField[];
  /** Names of the fields whose labels it has, and whose values were not found. */
  readonly empty: readonly string[];
  /** What the sheet states of the part in two places and not alike: `Material: 42CrMo4, 1.4301`. */
  readonly contradicted: readonly string[];
  /** The box around its labels; undefined where there are too few. */
  readonly box: SheetBox | undefined;
}

/** A field of a title block, or what notes state in its place. */
export interface ReadField {
  readonly name: string;
  readonly value: string;
  /** Of its least sure word, as the reader of letters has it; absent where the file holds the text. */
  readonly sureness?: number;
}

/** A title block has more labels than this, or so many with their values in cells. */
const FEW_LABELS = 3;
const FEW_CELLS = 2;
/** Fields of which a part has one value. */
const OF_PART: ReadonlySet<string> = new Set(['Material', 'Finish', 'Mass']);
/** Labels of one title block are not farther apart, in label heights. */
const LABEL_GAP_X = 45;
const LABEL_GAP_Y = 10;
const MOST_LABELS = 500;
const MOST_VALUE_CHARACTERS = 120;
/** Labels of one block are not larger than others by more. */
const LARGER = 1.6;
/** A table's headings stand below its title, in heights of the title. */
const BELOW = 5;
/** Headings of a table that stand in a row. */
const FEW_HEADINGS = 3;
/** Words that connect others: what is read as one is one, however unsure its letters are. */
const CONNECTING = /^(?:for|of|and|with|f[üu]r|mit|und|pour|avec|per|con)$/;
/** Lines of one row are not farther apart, in heights of the label. */
const SAME_ROW = 0.6;
/** Placeholders of empty fields: dots, or the name of what is missing. */
const UNFILLED = /^(?:[.\u2026_\s]+|<[^<>]*>)$/;

/** Reads the labels of a sheet's title block and the values beside or below them. */
export function titleBlockOf(
  sheet: Sheet,
  lines: readonly TextLine[],
  { index, textIn, source }: Pick<SignReader, 'textIn'> & { readonly index: LineIndex; readonly source: TextSource },
): TitleBlock {
  const isSure = (field: ReadField | undefined): boolean => field !== undefined && isSureField(field, source);
  const all = lines.filter(({ angleRad }) => Math.abs(angleRad) < 0.1);
  const revisions = revisionTables(all);
  const ofRevisions = new Set(revisions.flatMap((table) => table.lines));
  const level = all.filter((line) => !ofRevisions.has(line));
  const current = revisions.flatMap((table): ReadField[] => {
    if (table.current === undefined) return [];
    const { text, pieces } = table.current;
    return [{ name: 'Revision', value: asWritten('Revision', text.trim(), source), ...surenessOf([{ pieces }]) }];
  });
  const emptyOf = (names: Iterable<string>, fields: readonly ReadField[]): string[] => {
    const wanted = new Set(current.length < revisions.length ? [...names, 'Revision'] : names);
    return [...wanted].filter((name) => name !== '' && fields.every((field) => field.name !== name));
  };
  const headings = headingsOf(level);
  const labels = level.flatMap((line): FoundLabel[] => {
    if (headings.has(line)) return [];
    const known = labelIn(source === 'file' ? line.text : withSpelledLabel(line.text));
    return known === undefined || known === 'other' ? [] : [{ line, ...known }];
  });
  const named = labels.filter(({ name }) => name !== '');
  const areCells =
    labels.length <= FEW_LABELS &&
    new Set(named.map(({ name }) => name)).size >= FEW_CELLS &&
    labels.every(({ line, value }) => value === '' && isInCell(line, index, CELL_OF_LABEL)) &&
    (named.every(({ line, name }) => hasValueInCell(line, candidatesOf(name, level, source), labels, index)) ||
      areColumn(named, labels, (name) => candidatesOf(name, level, source), index));
  if (labels.length <= FEW_LABELS && !areCells) {
    const lone = source === 'file' ? loneFields(labels, level, (line) => isInCell(line, index)) : [];
    const fields = withStated(withRevision(lone, current), statedOf(lines));
    return { fields, empty: emptyOf([], fields), contradicted: [], box: undefined };
  }
  // The labels of a title block stand together, in the lower half of the page: the head of a table is none of them.
  const inBlock = (found: readonly FoundLabel[]): FoundLabel[] => {
    const group = new Set(largestGroup(found.slice(0, MOST_LABELS)));
    return found.filter((each) => group.has(each));
  };
  const lower = inBlock(labels.filter(({ line }) => boxOfLine(line).y > sheet.height / 2));
  // Names of views, `SCALE 2 : 1`, are larger than the labels of a block.
  const usual = lower.map(({ line }) => line.height).sort((a, b) => a - b)[lower.length >> 1];
  const block = lower.filter(({ line }) => line.height < LARGER * usual);
  const isBlock = block.length > FEW_LABELS || (areCells && block.length === labels.length);
  // Unknown labels end like known ones.
  const isLabel = new Set([
    ...headings,
    ...labels.map(({ line }) => line),
    ...level.filter(({ text }) => asksFor(text)),
  ]);
  const fields = new Map<string, ReadField>();
  const values: TextLine[] = [];
  const contradicted: string[] = [];
  const inTexts = new Set<string>();
  const inOrder = isBlock ? [...block, ...labels.filter((each) => !block.includes(each))] : labels;
  for (const { line, name, value, isInline } of inOrder) {
    const known = fields.get(name);
    if (name === '' || (isSure(known) && !(source === 'file' && OF_PART.has(name)))) continue;
    const isStated = value !== '' && !asksFor(value);
    if (isInline && !isStated) continue;
    const apart = isStated ? undefined : valueOf(line, candidatesOf(name, level, source), isLabel, index);
    const lines = apart === undefined ? [] : withNextLines(apart, { name, label: line, level, isLabel, index });
    const upright = lines.map((each) => withUprights(each, { index, textIn }));
    const written = apart === undefined ? value : upright.map(({ text }) => text).join(' ');
    const said = name === 'Scale' ? (scaleIn(written, source) ?? written) : written;
    if (said === '' || asksFor(said) || said.length > MOST_VALUE_CHARACTERS || UNFILLED.test(said)) continue;
    if (FORMS[name]?.test(said) === false) continue;
    if (isSure(known)) {
      // One of both stands in one text with its label, as in a note: two cells may be those of two parts.
      if ((isStated || inTexts.has(name)) && !areAlike(known!.value, said))
        contradicted.push(`${name}: ${known!.value}, ${said}`);
      continue;
    }
    if (isStated) inTexts.add(name);
    values.push(...upright);
    // Of a string with its label, what stands behind the first word.
    const read =
      apart === undefined ? [{ ...line, pieces: line.pieces.slice(line.pieces.length > 1 ? 1 : 0) }] : upright;
    const spelled = asWritten(name, said, source);
    const field = { name, value: name === 'Units' ? unitOf(spelled) : spelled, ...surenessOf(read) };
    // The first, unless a later one was read surely.
    if (!fields.has(name) || isSure(field)) fields.set(name, field);
  }
  // Notes beside a block say what a cell may say: `ISO 2768-mK`.
  const inCells = block.filter(({ line }) => isInCell(line, index, CELL_OF_LABEL));
  const boxed = inCells.length > FEW_LABELS ? inCells : block;
  const box = isBlock
    ? boxOfBoxes(
        [...boxed.map(({ line }) => line), ...values.filter((value) => isNear(value, boxed))].map((line) =>
          boxOfLine(line),
        ),
      )
    : undefined;
  const stated = withStated(withRevision([...fields.values()], current), statedOf(lines));
  return { fields: stated, empty: emptyOf(isBlock ? block.map(({ name }) => name) : [], stated), contradicted, box };
}

/** Whether a value stands below a label or beside it in the same cell: that of a heading stands in the next one. */
function hasValueInCell(
  label: TextLine,
  level: readonly TextLine[],
  labels: readonly FoundLabel[],
  index: LineIndex,
): boolean {
  const value = valueOf(label, level, new Set(labels.map(({ line }) => line)), index);
  return value !== undefined && wallsBetween(label, value, index) === 0;
}

/**
 * Whether labels stand below each other, each with its value in the cell behind it: headings stand beside each other.
 */
function areColumn(
  named: readonly FoundLabel[],
  labels: readonly FoundLabel[],
  candidates: (name: string) => readonly TextLine[],
  index: LineIndex,
): boolean {
  const isLabel = new Set(labels.map(({ line }) => line));
  const [{ line: first }] = named;
  return named.every(({ line, name }) => {
    const value = Math.abs(line.start - first.start) < line.height && valueOf(line, candidates(name), isLabel, index);
    if (value === undefined || value === false) return false;
    return Math.abs(value.t - line.t) < SAME_ROW * line.height && wallsBetween(line, value, index) === 1;
  });
}

/** Whether two values say the same, or one of them more. */
function areAlike(a: string, b: string): boolean {
  const [first, second] = [a, b].map((each) =>
    each
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\d]/gu, ''),
  );
  return first.includes(second) || second.includes(first);
}

/** What notes say in full is plainer than what a cell says. */
function withStated(fields: readonly ReadField[], stated: readonly ReadField[]): ReadField[] {
  return [...fields.filter(({ name }) => stated.every((other) => other.name !== name)), ...stated];
}

/** A revision that the title block states is plainer than the row of a table, where there is one table alone. */
function withRevision<Field extends { readonly name: string }>(
  fields: readonly Field[],
  current: readonly ReadField[],
): readonly (Field | ReadField)[] {
  return current.length !== 1 || fields.some(({ name }) => name === 'Revision') ? fields : [...fields, ...current];
}

/** The least sureness of the words of these lines; nothing where the file holds them. */
function surenessOf(lines: readonly Pick<TextLine, 'pieces'>[]): Pick<ReadField, 'sureness'> {
  const all = lines.flatMap(({ pieces }) =>
    pieces.flatMap(({ text, confidence }) => (CONNECTING.test(text.trim()) ? [] : (confidence ?? []))),
  );
  return all.length === 0 ? {} : { sureness: Math.min(...all) };
}

interface FoundLabel extends TextLabel {
  readonly line: TextLine;
}

/** Headings of tables: several in a row, one of which says that it is about parts or revisions. */
function headingsOf(level: readonly TextLine[]): ReadonlySet<TextLine> {
  const found = new Set<TextLine>();
  const all = level.filter(({ text }) => HEADINGS.test(text.trim())).slice(0, MOST_LABELS);
  for (const line of all) {
    const row = all.filter((other) => Math.abs(other.t - line.t) < 0.5 * line.height);
    const isTable =
      row.length >= FEW_HEADINGS &&
      row.some(({ text }) => /^(?:DESCRIPTION|QTY|QUANTITY|ZONE|MENGE|MODIFICATION|[XY][ -]?LOC|LOC)/i.test(text));
    if (isTable) for (const each of row) found.add(each);
  }
  // The title of such a table begins like a label.
  for (const line of level)
    if (/^REVISIONS?(?: HISTORY)?$|^REVISION HISTORY/i.test(line.text) && found.size > 0 && !isAlone(line, found))
      found.add(line);
  return found;
}

/** Whether no heading stands right below a line. */
function isAlone(line: TextLine, headings: ReadonlySet<TextLine>): boolean {
  return ![...headings].some((other) => other.t > line.t && other.t - line.t < BELOW * line.height);
}

function candidatesOf(name: string, level: readonly TextLine[], source: TextSource): readonly TextLine[] {
  const form = FORMS[name];
  if (form === undefined) return level;
  return level.filter(({ text }) => form.test(text) || (name === 'Scale' && scaleIn(text, source) !== undefined));
}

/** The scale that figures are: the colon of small letters is lost in pixels. */
function scaleIn(text: string, source: TextSource): string | undefined {
  return source === 'pixels' ? asScale(text) : undefined;
}

function isNear(value: TextLine, block: readonly FoundLabel[]): boolean {
  const { x, y, width, height } = boxOfBoxes(block.map(({ line }) => boxOfLine(line)));
  const box = boxOfLine(value);
  return box.x >= x - width && box.x <= x + 2 * width && box.y >= y - 0.5 * height && box.y <= y + 1.5 * height;
}

/** The largest group of labels whose neighbours are near each other. */
function largestGroup(labels: readonly FoundLabel[]): FoundLabel[] {
  let largest: FoundLabel[] = [];
  let left = labels.map((found) => ({ found, box: boxOfLine(found.line) }));
  while (left.length > 0) {
    const group = left.splice(0, 1);
    for (let at = 0; at < group.length; at++) {
      const { x, y, width, height } = group[at].box;
      const isFar = ({ box: other }: (typeof left)[number]): boolean =>
        Math.max(other.x - x - width, x - other.x - other.width) > LABEL_GAP_X * height ||
        Math.max(other.y - y - height, y - other.y - other.height) > LABEL_GAP_Y * height;
      group.push(...left.filter((other) => !isFar(other)));
      left = left.filter(isFar);
    }
    if (group.length > largest.length) largest = group.map(({ found }) => found);
  }
  return largest;
}

function unitOf(name: string): 'mm' | 'in' {
  return /^m/i.test(name) ? 'mm' : 'in';
}

/** What notes state about units, projection and general tolerances. */
function statedOf(lines: readonly TextLine[]): ReadField[] {
  const found: ReadField[] = [];
  const text = lines.map((line) => line.text).join('\n');
  const unit = new RegExp(
    String.raw`(?:UNITS?\s*:|(?:DIMENSIONS?|QUOTE|COTES|MASSE|MA(?:ß|SS)E)\s+(?:ARE\s+)?(?:IN|EN))\s*` +
      String.raw`(MILL?IM[EÈ]T(?:ER|RE|RI|ROS)S?|MM|INCH(?:ES)?|IN|POLLICI|POUCES)\b`,
    'i',
  ).exec(text);
  const put = (name: string, value: string, isSource: (line: TextLine) => boolean): void => {
    found.push({ name, value, ...surenessOf(lines.filter(isSource)) });
  };
  if (unit !== null)
    put('Units', unitOf(unit[1]), (line) => unit[0].includes(line.text) || line.text.includes(unit[0]));
  const projection = /\b(FIRST|THIRD|1ST|3RD)[ -]ANGLE\b/i.exec(text);
  if (projection !== null)
    put('Projection', /^[f1]/i.test(projection[1]) ? 'first angle' : 'third angle', (line) =>
      line.text.includes(projection[0]),
    );
  const general = generalToleranceIn(textOfTolerances(lines));
  if (general !== undefined) put('General tolerance', general, (line) => isGeneralTolerance(line.text));
  return found;
}
