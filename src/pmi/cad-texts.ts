import { middleOf, type Point } from '../content/geometry.js';
import { addTo } from '../content/groups.js';
import type { Sheet, SheetBox, SheetText } from '../content/sheet.js';
import { findingsOfEntities } from './cad-objects.js';
import { readDimension } from './dimension-text.js';
import type { Finding } from './finding.js';
import type { LineIndex } from './line-index.js';
import { boxOfText } from './page-frame.js';
import { groupOf, PMI_TYPE, sentenceOf } from './pmi.js';
import { findingsOfText, type TextFindings } from './text-objects.js';
import { boxOfLine, textLinesOf, type TextLine } from './text-lines.js';
import type { TitleBlock } from './title-block.js';
import { notUnderstoodIn } from './sizes/dimension-lines.js';
import { hasOpenHeads, hasTicks } from './sizes/held-texts.js';
import { holdsSize, isTaper } from './sizes/unclear-texts.js';

/** Texts are found by their place in so many columns and rows. */
const CELLS = 256;

/**
 * Annotations of a CAD sheet: those of its entities, and those that its texts and lines show, because dimensions are
 * often exploded or drawn by hand. Beside real dimensions a plain number counts only where it stands between arrows or
 * ticks, and is told where not; a table counts where its cells state sizes.
 * @param sheet with heights of fonts.
 */
export function findingsOfCad(
  sheet: Sheet,
  { index, title }: { readonly index: LineIndex; readonly title: TitleBlock },
): TextFindings {
  const entities = sheet.annotations.some(({ kind }) => kind !== 'note') ? findingsOfEntities(withoutNotes(sheet)) : [];
  const hasDimensions = sheet.annotations.some(({ kind }) => kind === 'dimension');
  const texts = sheet.texts.filter((text) => isFree(text, sheet));
  const lines: TextLine[] = textLinesOf({ ...sheet, texts }, index, { areGuessed: true });
  const { findings, ...beside } = findingsOfText(sheet, lines, { index, title });
  const held = lines.filter((line) => hasDimensions && (hasOpenHeads(line, index) || hasTicks(line, index)));
  const isSure = (finding: Finding): boolean =>
    !hasDimensions ||
    (finding.type === PMI_TYPE.table
      ? isOfSizes(finding, title)
      : isSureBesideDimensions(finding) || held.some((line) => isWithin(middleOf(boxOfLine(line)), finding.box)));
  const read = findings.filter(isSure);
  const plain = findings.filter((finding) => isPlainSize(finding) && !isSure(finding));
  const notUnderstood = dimensionsNotUnderstood(sheet);
  const isOfTaper = (text: string): boolean => isTaper({ text }, () => true);
  return {
    ...beside,
    findings: [...entities, ...withEntities(read, texts, sheet)],
    unclear: [...plain.map(sentenceOf), ...beside.unclear],
    tapers: [...notUnderstood.filter(isOfTaper), ...beside.tapers],
    unknown: [...notUnderstood.filter((text) => !isOfTaper(text)), ...beside.unknown],
  };
}

/** Lines in the texts of dimensions that are shown, and that hold a figure and no size. */
function dimensionsNotUnderstood({ annotations }: Sheet): string[] {
  return annotations.flatMap(({ kind, text, box, dimension }) =>
    kind === 'dimension' && dimension !== undefined && (box.width > 0 || box.height > 0)
      ? notUnderstoodIn(text, dimension)
      : [],
  );
}

/** Findings with the entities of the notes that they were read from, so that layouts that show them again are known. */
function withEntities(findings: readonly Finding[], texts: readonly SheetText[], sheet: Sheet): readonly Finding[] {
  const side = Math.max(sheet.width, sheet.height) / CELLS || 1;
  const places = new Map<string, { readonly x: number; readonly y: number; readonly entity: number }[]>();
  for (const text of texts) {
    const entity = sheet.annotations[text.annotation]?.entity;
    if (entity === undefined) continue;
    const { x, y } = middleOf(boxOfText(text, false));
    addTo(places, `${Math.floor(x / side)} ${Math.floor(y / side)}`, { x, y, entity });
  }
  if (places.size === 0) return findings;
  return findings.map((finding) => {
    const { x, y, width, height } = finding.box;
    const isIn = (place: Point): boolean => isWithin(place, finding.box);
    for (let column = Math.floor(x / side); column <= (x + width) / side; column++)
      for (let row = Math.floor(y / side); row <= (y + height) / side; row++) {
        const found = places.get(`${column} ${row}`)?.find(isIn);
        if (found !== undefined) return { ...finding, entity: `${found.entity} ${sentenceOf(finding)}` };
      }
    return finding;
  });
}

/** Whether a text is one of its own, and not that of a dimension, a frame, a leader or a table. */
function isFree({ annotation }: SheetText, { annotations }: Sheet): boolean {
  return annotation < 0 || annotations[annotation].kind === 'note';
}

/** Places of annotations stay, because strokes and texts refer to them. */
function withoutNotes(sheet: Sheet): Sheet {
  const annotations = sheet.annotations.map((annotation) =>
    annotation.kind === 'note' ? { ...annotation, box: { x: 0, y: 0, width: 0, height: 0 } } : annotation,
  );
  return { ...sheet, annotations };
}

/** Whether a finding is a size that nothing but its number says. */
function isPlainSize({ type, group }: Pick<Finding, 'type' | 'group'>): boolean {
  return type === PMI_TYPE.arrows && (group ?? groupOf(type)) === 'Measurement';
}

/** Whether a table that is not part of the title block has a size in its cells: one of holes, not one of words. */
function isOfSizes({ box, parts }: Finding, title: TitleBlock): boolean {
  const isTitle = title.box !== undefined && isWithin(middleOf(box), title.box);
  return !isTitle && parts.some(holdsSize);
}

function isWithin({ x, y }: Point, box: SheetBox): boolean {
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}

/** Sizes with a sign, of degrees too, or a tolerance, and those between arrows; no numbers that stand alone. */
function isSureBesideDimensions({ type, group, parts }: Finding): boolean {
  if (type === PMI_TYPE.diameterSymbol) return false;
  if (!isPlainSize({ type, group })) return true;
  const reading = readDimension(parts[0].text);
  const areLimits = parts.length > 1 || reading?.tolerance !== undefined || reading?.kind === 'angle';
  return areLimits || parts.some(({ tolerance = [] }) => tolerance.some((each) => each !== 'basic'));
}
