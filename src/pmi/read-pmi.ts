import type { Drawing } from '../content/drawing.js';
import type { Image } from '../content/image.js';
import type { Sheet, SheetBox } from '../content/sheet.js';
import type { Property, TextPage } from '../content/text.js';
import { findingsOfCad } from './cad-texts.js';
import { confidenceOfField, confidencesOf, isSureField, LEAST_CONFIDENCE, type TextSource } from './confidence.js';
import { projectionSymbols } from './drawn-symbols.js';
import { textsAsDrawn } from './drawn-extents.js';
import { isGeneralTolerance, type Finding } from './finding.js';
import { outlinedTexts } from './outlines/outlined-text.js';
import { LineIndex } from './line-index.js';
import { PageFrame, type TextBox } from './page-frame.js';
import { scanOf } from '../bitmap/scanned-sheet.js';
import { sheetOfImage, sheetOfScan, type ReadSheet } from './pictures/picture-sheet.js';
import { turnedBox } from './pictures/straightened.js';
import { attributesOfPmi } from './pmi-attributes.js';
import {
  groupOf,
  PMI_TYPE,
  PMI_VERSION,
  sentenceOf,
  type DrawingPmi,
  type Pmi,
  type PmiObject,
  type PmiPage,
  type TitleField,
} from './pmi.js';
import { openThousands, overriddenSizes, someOf } from './sizes/contradictions.js';
import { unlistedSizes } from './lists/unlisted-sizes.js';
import {
  MOST_OBJECTS,
  MOST_OF_ALL,
  MOST_PICTURES,
  MOST_TOLD,
  placedText,
  saidOfUnread,
  type Unread,
} from './sizes/left-out.js';
import { withPipeThreads } from './sizes/pipe-threads.js';
import { sizesWithoutPoint } from './sizes/lost-points.js';
import { mayBeSizes } from './sizes/unsure-texts.js';
import { withLetterWidths } from './sizes/letter-widths.js';
import { withoutTinyTexts } from './sizes/tiny-texts.js';
import { findingsOfText } from './text-objects.js';
import { boxOfLine, MOST_TEXTS, textLinesOf, type TextLine } from './text-lines.js';
import { titleBlockOf, type TitleBlock } from './title-block.js';
import { isValueOf, labelIn } from './title/title-labels.js';
import { areMetricByForm, unitByForm } from './sizes/unit-of-sheet.js';
import { findingsOfViews, type PartView } from './views.js';
import { namedStandards, principlesIn } from './tolerances/named-standards.js';
import { contradictedFits } from './tolerances/contradicted-fits.js';

/** Longest text of an object, characters; longer ones are cut. */
const LONGEST_TEXT = 2_000;

/** Longest side, in pixels, of an image file that is its own page image. */
const LONGEST_SIDE = 4_096;
/** Confidence of a field that an attribute of a block states. */
const OF_BLOCK = 0.99;
/** A page is turned where so many lines of words, and so large a share of them, are upright. */
const FEW_WORDS = 6;
const MOST_UPRIGHT = 0.7;
/** Height of capitals as a share of that of their font. */
const CAPITALS = 0.72;

/** Told of a page whose reading threw, which is a fault of this program. */
export type OnFault = (page: number, cause: unknown) => void;

const thrown: OnFault = (_, cause) => {
  throw cause;
};

/**
 * Dimensions, tolerances and annotations of a drawing, page by page, each with its place on the page's image: from the
 * entities of CAD drawings, from the text and line work of other vector drawings, from the pixels of scanned pages and
 * images. Image pages without line work are left out. Deterministic.
 * @param viewsOf finds the views of a sheet, which are listed as annotations (types 4 and 42); none by default.
 * @param onFault where it returns, the other pages are read all the same; by default what was thrown is thrown.
 */
export function readPmi(
  content: Drawing | Image,
  viewsOf: (sheet: Sheet) => readonly PartView[] = () => [],
  onFault: OnFault = thrown,
): DrawingPmi {
  const contained = <T>(page: number, read: () => T): T | undefined => {
    try {
      return read();
    } catch (cause) {
      onFault(page, cause);
      return undefined;
    }
  };
  const pages: AnnotatedSheet[] = [];
  if (content.kind === 'image') {
    const { widthPx, heightPx, pictures } = content;
    const unread = pictures.length - MOST_PICTURES;
    let unreadTexts = 0;
    for (const [i, picture] of pictures.slice(0, MOST_PICTURES).entries()) {
      const sheet = contained(i + 1, () => sheetOfImage(picture, i + 1));
      // Later pages of a file may have other sizes.
      const size = i === 0 && Math.max(widthPx, heightPx) <= LONGEST_SIDE ? ([widthPx, heightPx] as const) : undefined;
      unreadTexts += sheet?.unread ?? 0;
      if (sheet !== undefined) pages.push({ ...readersOf(sheet), sheet, size, views: [], isRead: true });
    }
    return pmiOf(pages, { pictures: unread, texts: unreadTexts, tiny: 0 }, [], contained);
  }
  let scans = 0,
    unreadTexts = 0,
    tiny = 0;
  const readSheet = (sheet: Sheet): void => {
    if (!(sheet.width > 0 && sheet.height > 0)) return;
    const scan = scanOf(sheet);
    const read = scan === undefined || ++scans > MOST_PICTURES ? undefined : sheetOfScan(sheet, scan);
    unreadTexts += read?.unread ?? 0;
    const legible = withoutTinyTexts(sheet);
    if (read === undefined) tiny += legible.tiny;
    pages.push({
      sheet: read ?? legible.sheet,
      views: contained(sheet.number, () => viewsOf(sheet)) ?? [],
      isRead: read !== undefined,
      hasCapitals: read === undefined && content.format !== 'pdf',
      ...(read !== undefined && readersOf(read)),
    });
  };
  for (const sheet of content.sheets) contained(sheet.number, () => readSheet(sheet));
  return pmiOf(pages, { pictures: scans - MOST_PICTURES, texts: unreadTexts, tiny }, content.properties, contained);
}

/** What a page of pixels has beside its sheet. */
function readersOf({ signIn, textIn, headAt, ringAt, tableTexts, turn }: ReadSheet): ReadBeside {
  return { signIn, textIn, headAt, ringAt, tableTexts, turn };
}

type ReadBeside = Pick<ReadSheet, 'signIn' | 'textIn' | 'headAt' | 'ringAt' | 'tableTexts' | 'turn'>;

interface AnnotatedSheet extends Partial<ReadBeside> {
  readonly sheet: Sheet;
  /** Size of the page's image, where the page is an image. */
  readonly size?: readonly [width: number, height: number];
  readonly views: readonly PartView[];
  /** Whether its texts were read from pixels; then strokes are not searched for letters. */
  readonly isRead: boolean;
  /** Whether the heights of its texts are those of capitals, as in CAD drawings and SVG, and not of their fonts. */
  readonly hasCapitals?: boolean;
}

/**
 * @param stated what the file says about itself, such as its units.
 * @param contained reads a page, or tells that this was not possible.
 */
function pmiOf(
  sheets: readonly AnnotatedSheet[],
  unread: Unread,
  stated: readonly Property[],
  contained: <T>(page: number, read: () => T) => T | undefined,
): DrawingPmi {
  let cut = 0,
    unseen = 0,
    aside = 0;
  const unsure: string[] = [];
  const pointless: string[] = [];
  const unparted: string[] = [];
  const unclear: string[] = [];
  const unknown: string[] = [];
  const tapers: string[] = [];
  const welds: string[] = [];
  const frames: string[] = [];
  const pages: PmiPage[] = [];
  const attributes: Property[] = [];
  const fields: TitleField[] = [];
  const unsureFields = new Set<string>();
  const emptyFields = new Set<string>();
  const twice = new Set<string>();
  const turned: number[] = [];
  const shown = new Map<string, NonNullable<PmiObject['repeats']>>();
  const annotated: Sheet[] = [];
  let left = MOST_OF_ALL;
  for (const each of sheets) {
    const { sheet, size } = each;
    const frame = new PageFrame(sheet, size);
    const read = contained(sheet.number, () => findingsOfSheet(each));
    if (read === undefined) continue;
    annotated.push(sheet);
    const { findings, title, source, confidences, ...beside } = read;
    unseen += beside.unread;
    aside += beside.aside;
    unparted.push(...beside.unparted);
    unsure.push(...beside.unsure.map(({ text, box }) => placedText(text, frame.box(box), sheet.number)));
    unclear.push(...beside.unclear);
    unknown.push(...beside.unknown);
    tapers.push(...beside.tapers);
    welds.push(...beside.welds);
    for (const field of title.fields) {
      const { name, value } = field;
      fields.push({ name, value, page: sheet.number, confidence: confidenceOfField(field, source) });
      if (isSureField(field, source)) attributes.push({ name, unit: '', value });
      else unsureFields.add(name);
    }
    for (const name of title.empty) emptyFields.add(name);
    for (const said of title.contradicted) twice.add(said);
    if (beside.isTurned) turned.push(sheet.number);
    const kept = findings.slice(0, Math.min(left, MOST_OBJECTS));
    left -= kept.length;
    cut += findings.length - kept.length;
    if (kept.length === 0 && findings.length > 0) continue;
    const objects = kept.map((finding, i) => {
      const object = objectOf({ ...finding, id: i + 1, confidence: confidences[i] }, frame);
      const { entity } = finding;
      const repeats = entity === undefined ? undefined : shown.get(entity);
      if (entity !== undefined && repeats === undefined) shown.set(entity, { page: sheet.number, id: object.id });
      return repeats === undefined || repeats.page === sheet.number ? object : { ...object, repeats };
    });
    for (const [i, { isDoubtful, type }] of kept.entries())
      if (isDoubtful === true && type === PMI_TYPE.controlFrame)
        frames.push(placedText(sentenceOf(objects[i]), objects[i].box, sheet.number));
    if (source === 'pixels')
      pointless.push(...sizesWithoutPoint(objects).map((each) => placedText(sentenceOf(each), each.box, sheet.number)));
    const notes = beside.notes.map((note) => ({ ...note, box: frame.box(note.box) }));
    const [widthPx, heightPx] = frame.size;
    pages.push({ page: sheet.number, widthPx, heightPx, objects, notes });
  }
  for (const { name, value } of fieldsOfBlocks(stated)) {
    if (annotated.length === 0 || fields.some((field) => field.name === name)) continue;
    fields.push({ name, value, page: annotated[0].number, confidence: OF_BLOCK });
    attributes.push({ name, unit: '', value });
  }
  const { byForm, contradicted } = unitsOf(pages, attributes, stated);
  const units = contradicted ? 'mm' : byForm === 'in' ? 'in' : undefined;
  if (units !== undefined) attributes.push({ name: 'Units', unit: '', value: units });
  const isInch = (attributes.find(isUnits) ?? stated.find(isUnits))?.value === 'in';
  const written = annotated.flatMap(({ texts }) => texts.flatMap(({ text }) => principlesIn(text)));
  for (const value of new Set(written)) attributes.push({ name: 'Tolerancing standard', unit: '', value });
  const pipes = isInch ? { pages, told: [] } : withPipeThreads(pages);
  const unsureNames = [...unsureFields].filter((unread) => attributes.every(({ name }) => name !== unread));
  const told = {
    ...unread,
    cut,
    unseen,
    aside,
    unparted,
    unclear,
    tapers,
    welds,
    frames,
    unknown,
    unsure,
    pointless,
    byForm,
    contradicted,
    unsureFields: unsureNames,
    turned,
    emptyFields: [...emptyFields].filter((name) => fields.every((field) => field.name !== name)),
  };
  const leftOut = [
    ...saidOfUnread(told),
    ...overriddenSizes(annotated),
    ...contradictedFits(pages, isInch),
    ...namedStandards(
      annotated,
      attributes.some(({ name }) => name === 'General tolerance'),
    ),
    ...openThousands(pages),
    ...(twice.size === 0 ? [] : [`stated in two ways, of which the first was taken: ${someOf([...twice], '; ')}`]),
    ...pipes.told,
  ];
  const all = distinct([...attributes, ...attributesOfPmi(pipes.pages, { isInch })]);
  const { sizes, cells } = unlistedSizes({ version: PMI_VERSION, pages: pipes.pages, fields }, [...all, ...stated]);
  const toldBefore = new Set([...unknown, ...unclear, ...unparted]);
  const further = sizes.filter((size) => !toldBefore.has(size));
  if (further.length > 0)
    leftOut.push(`${further.length} annotations of sizes are in no list of sizes: ${someOf(further, '; ', MOST_TOLD)}`);
  if (cells.length > 0)
    leftOut.push(`${cells.length} sizes stand in tables and in no list of sizes: ${someOf(cells, '; ', MOST_TOLD)}`);
  return { version: PMI_VERSION, pages: pipes.pages, ...(fields.length > 0 && { fields }), attributes: all, leftOut };
}

/**
 * Fields that attributes of blocks state, which CAD drawings have as properties by their tags: `DRAWING_NO`. Tags have
 * no small letters, as names of properties have.
 */
function fieldsOfBlocks(stated: readonly Property[]): Pick<TitleField, 'name' | 'value'>[] {
  const found = new Map<string, string>();
  for (const { name: tag, value } of stated) {
    const label = /\p{Ll}/u.test(tag) ? undefined : labelIn(tag.replaceAll('_', ' '));
    if (label === undefined || label === 'other' || label.name === '' || label.value !== '') continue;
    if (!found.has(label.name) && isValueOf(label.name, value)) found.set(label.name, value.trim());
  }
  return [...found].map(([name, value]) => ({ name, value }));
}

const isUnits = ({ name }: Property): boolean => name === 'Units';

/** The unit by the form of sizes, where the sheets state none: where the file states none either, or inches wrongly. */
function unitsOf(
  pages: readonly PmiPage[],
  onSheets: readonly Property[],
  stated: readonly Property[],
): { readonly byForm?: 'in' | 'unknown' | undefined; readonly contradicted: boolean } {
  if (onSheets.some(isUnits)) return { contradicted: false };
  const ofFile = stated.find(isUnits);
  if (ofFile === undefined) return { byForm: unitByForm(pages), contradicted: false };
  return { contradicted: ofFile.value === 'in' && areMetricByForm(pages) };
}

/**
 * Adds to the text of each page what its annotations say beyond it, with its place: symbols that are drawn, not
 * written. Text that is already there is not repeated.
 */
export function withPmiText(pages: readonly TextPage[], { pages: annotated }: Pmi): TextPage[] {
  return pages.map((page) => {
    const found = annotated.find(({ page: number }) => number === page.number);
    if (found === undefined) return page;
    const known = squeezed(page.text);
    const said = new Set<string>();
    let text = page.text;
    const runs = [...(page.runs ?? [])];
    const { widthPx, heightPx } = found;
    for (const object of found.objects) {
      const sentence = sentenceOf(object);
      const key = squeezed(sentence);
      if (key === '' || known.includes(key) || said.has(key)) continue;
      said.add(key);
      if (text !== '') text += '\n';
      const [x, y, w, h] = object.box;
      runs.push({
        start: text.length,
        end: text.length + sentence.length,
        box: { x: x / widthPx, y: y / heightPx, width: w / widthPx, height: h / heightPx },
      });
      text += sentence;
    }
    return said.size === 0 ? page : { ...page, text, runs };
  });
}

function findingsOfSheet(page: AnnotatedSheet): {
  findings: readonly Finding[];
  /** Texts, or lines of them, beyond a bound. */
  unread: number;
  /** Texts like sizes that were taken for something else. */
  aside: number;
  /** Texts like sizes, or with one in them, that cannot be read for certain. */
  unclear: readonly string[];
  /** Tapers and slopes. */
  tapers: readonly string[];
  /** Weld symbols. */
  welds: readonly string[];
  /** Lines of words that are no annotations, with their boxes on the sheet. */
  notes: readonly { readonly text: string; readonly box: SheetBox; readonly confidence?: number }[];
  /** Texts on dimension lines that were not understood. */
  unknown: readonly string[];
  /** Lines of several sizes that nothing parts. */
  unparted: readonly string[];
  /** What was read from pixels too unsurely, and may be a size. */
  unsure: readonly { readonly text: string; readonly box: TextBox }[];
  title: TitleBlock;
  /** Whether the page seems to be turned, so that its title block was not found. */
  isTurned: boolean;
  source: TextSource;
  confidences: readonly number[];
} {
  const { sheet, views, isRead, hasCapitals, tableTexts = [], signIn, textIn, headAt, ringAt, turn } = page;
  const isCad = sheet.annotations.length > 0;
  const index = new LineIndex(sheet);
  const measured = hasCapitals === true ? withFontHeights(sheet) : sheet;
  const written = isCad || isRead ? measured : withDrawnTexts(measured);
  const lines = textLinesOf(written, index, { isRead, areGuessed: hasCapitals });
  const around = tableTexts.length === 0 ? [] : textLinesOf({ ...written, texts: tableTexts }, index, { isRead });
  const isOutlined = !isRead && written.texts.some(({ confidence }) => confidence !== undefined);
  const source = isRead ? 'pixels' : isOutlined ? 'outlines' : 'file';
  const title = titleBlockOf(sheet, [...lines, ...around], { index, textIn, source });
  const notes = around.filter(({ text }) => isGeneralTolerance(text));
  const said = isCad
    ? findingsOfCad(measured, { index, title })
    : findingsOfText(measured, [...lines, ...notes], { index, title, signIn, textIn, headAt, ringAt });
  const drawn = [...said.findings, ...projectionSymbols(index)];
  const findings = [...drawn, ...findingsOfViews(sheet, views)];
  const asTurned = (finding: Finding, i: number): Finding =>
    turn === undefined || i >= drawn.length ? finding : { ...finding, box: turnedBox(finding.box, turn) };
  const confidences = confidencesOf(findings, [...written.texts, ...tableTexts], source);
  const isSaid = (_: unknown, i: number): boolean => !isRead || confidences[i] >= LEAST_CONFIDENCE;
  const placed = findings.map(asTurned);
  const told = placed.filter(isSaid);
  const heightOf = ({ box }: Finding): number => Math.min(box.width, box.height);
  const unsaid = placed.flatMap((finding, i) => {
    if (isSaid(finding, i)) return [];
    const { box } = finding;
    return [{ text: sentenceOf(finding), box, height: heightOf(finding), confidence: confidences[i] }];
  });
  const placeOf = (line: TextLine): SheetBox =>
    turn === undefined ? boxOfLine(line) : turnedBox(boxOfLine(line), turn);
  const frames = told.filter(({ type }) => type === PMI_TYPE.controlFrame).map(({ box }) => box);
  const doubtful = said.doubtful.map((line) => ({ text: line.text, box: placeOf(line), height: line.height }));
  const inWords = said.notes
    .filter(({ text }) => !title.fields.some((field) => isFieldIn(text, field)))
    .map((line) => ({ text: line.text, box: placeOf(line), ...confidenceOfNote(line, source) }))
    .filter(({ confidence = 1 }) => confidence >= LEAST_CONFIDENCE);
  return {
    findings: told,
    unsure: mayBeSizes([...unsaid, ...doubtful], { heights: told.map(heightOf), frames }),
    unread: said.unread + Math.max(0, written.texts.length - MOST_TEXTS),
    aside: said.aside,
    unparted: said.unparted,
    unclear: said.unclear,
    tapers: isRead ? [] : said.tapers,
    welds: said.welds,
    notes: inWords,
    unknown: isRead || isOutlined ? [] : said.unknown,
    title,
    isTurned: title.fields.length === 0 && areReadUpwards(lines),
    source,
    confidences: confidences.filter(isSaid),
  };
}

/** How likely a line of words is right, as a field of the title block; nothing where the file holds the text. */
function confidenceOfNote({ pieces }: TextLine, source: TextSource): { readonly confidence?: number } {
  const read = pieces.flatMap(({ confidence }) => confidence ?? []);
  return read.length === 0 ? {} : { confidence: confidenceOfField({ sureness: Math.min(...read) }, source) };
}

/** Whether a line is that of a field: its value alone, or behind its label. */
function isFieldIn(text: string, { name, value }: Pick<TitleField, 'name' | 'value'>): boolean {
  if (text === value) return true;
  const label = text.endsWith(value) ? labelIn(text) : undefined;
  return label !== undefined && label !== 'other' && label.name === name;
}

/** Whether most words of a page are read upwards or downwards. */
function areReadUpwards(lines: readonly TextLine[]): boolean {
  const words = lines.filter(({ text }) => /\p{L}{2}/u.test(text));
  const upright = words.filter(({ angleRad }) => Math.abs(Math.sin(angleRad)) > 0.9);
  return upright.length >= FEW_WORDS && upright.length > MOST_UPRIGHT * words.length;
}

/** Distances between lines and words are measured in heights of the font, whatever the format states. */
function withFontHeights(sheet: Sheet): Sheet {
  const texts = withLetterWidths(sheet.texts).map((text) => ({ ...text, height: text.height / CAPITALS }));
  return { ...sheet, texts };
}

function withDrawnTexts(sheet: Sheet): Sheet {
  const fitted = { ...sheet, texts: textsAsDrawn(sheet) };
  return { ...sheet, texts: [...fitted.texts, ...outlinedTexts(fitted)] };
}

function objectOf(
  { type, box, parts, group, id, confidence }: Finding & Required<Pick<PmiObject, 'id' | 'confidence'>>,
  frame: PageFrame,
): PmiObject {
  const cut = parts.map((part) =>
    part.text.length > LONGEST_TEXT ? { ...part, text: part.text.slice(0, LONGEST_TEXT) } : part,
  );
  const orientedBox = frame.oriented(box);
  return {
    typeId: type,
    id,
    group: group ?? groupOf(type),
    box: frame.box(box),
    ...(orientedBox !== undefined && { orientedBox }),
    parts: cut,
    confidence,
  };
}

function distinct(attributes: readonly Property[]): Property[] {
  return [
    ...new Map(attributes.map((attribute) => [JSON.stringify([attribute.name, attribute.value]), attribute])).values(),
  ];
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase();
}
