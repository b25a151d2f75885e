import type { Annotation, DimensionFacts, Sheet, SheetText } from '../content/sheet.js';
import { arrowPlacement } from './arrow-placement.js';
import { cellsOf, typeOfCharacteristic } from './characteristics.js';
import { plainSigns, readDimension } from './dimension-text.js';
import { boxOfBoxes, boxOfText } from './page-frame.js';
import { PMI_TYPE, type PmiTypeId, type TolerancedText } from './pmi.js';
import { findingOf, finishType, partOf, type Finding } from './finding.js';
import { partsOfDimension, readingsOfParts } from './sizes/dimension-lines.js';

/** Most cells of a table that are kept. */
const MOST_CELLS = 2_000;

/**
 * Annotations from the entities of a CAD sheet: dimensions, control frames, leaders, tables, and notes that hold a
 * dimension or a surface finish.
 */
export function findingsOfEntities(sheet: Sheet): Finding[] {
  const strokes = strokesOf(sheet);
  const texts = textsOf(sheet);
  return sheet.annotations.flatMap((annotation, index) => {
    // Entities that no viewport shows are left out.
    if (!(annotation.box.width > 0 || annotation.box.height > 0)) return [];
    const drawn = { sheet, index, strokes: strokes[index] ?? [], texts: texts[index] ?? [] };
    const findings = findingsOf(annotation, drawn);
    const { entity } = annotation;
    return entity === undefined ? findings : findings.map((each, i) => ({ ...each, entity: `${entity} ${i}` }));
  });
}

interface Drawn {
  readonly sheet: Sheet;
  readonly index: number;
  readonly strokes: readonly number[];
  readonly texts: readonly SheetText[];
}

function findingsOf(annotation: Annotation, drawn: Drawn): Finding[] {
  const { kind, text, dimension } = annotation;
  const box = drawn.texts.length === 0 ? annotation.box : boxOfBoxes(drawn.texts.map((each) => boxOfText(each, false)));
  if (kind === 'dimension' && dimension !== undefined) return [dimensionOf(text, dimension, { ...drawn, box })];
  if (kind === 'tolerance') return controlFrames(text, box);
  if (kind === 'leader') return [{ type: PMI_TYPE.leader, box: annotation.box, parts: linesOf(text) }];
  if (kind === 'table')
    return [
      {
        type: PMI_TYPE.table,
        box: annotation.box,
        parts: text
          .split(/[\t\n]/)
          .filter((cell) => cell.trim() !== '')
          .slice(0, MOST_CELLS)
          .map((cell) => ({ text: cell.trim() })),
      },
    ];
  if (kind === 'note')
    return text
      .split('\n')
      .flatMap(
        (line, i, lines) =>
          findingOf(line, lines.length === drawn.texts.length ? boxOfText(drawn.texts[i], false) : box, 'note') ?? [],
      );
  if (kind === 'attribute') {
    // Blocks with attribute values: surface symbols and callouts carry their values there.
    const type = finishType(text.replaceAll('\n', ' '));
    if (type !== undefined) return [{ type, box: annotation.box, parts: linesOf(text) }];
    return text.split('\n').flatMap((line) => {
      const found = findingOf(line, box, 'note');
      return found === undefined || found.group === 'GeneralTolerance' ? [] : [found];
    });
  }
  return [];
}

function dimensionOf(
  text: string,
  dimension: DimensionFacts,
  { box, ...drawn }: Drawn & Pick<Annotation, 'box'>,
): Finding {
  const parts = partsOfDimension(text, dimension);
  return { type: typeOf(parts, dimension, drawn), box, parts };
}

function typeOf(
  parts: readonly TolerancedText[],
  { type }: DimensionFacts,
  { sheet, index, strokes, texts }: Drawn,
): PmiTypeId {
  if (type === 'diameter') return PMI_TYPE.diameter;
  if (type === 'radius') return PMI_TYPE.radius;
  const [first] = readingsOfParts(parts);
  if (first?.reading.kind === 'diameter') return PMI_TYPE.diameter;
  if (type === 'ordinate') return PMI_TYPE.ascending;
  return arrowPlacement(sheet, index, strokes, texts);
}

/**
 * A control frame, whose rows may each have a symbol, followed by the symbols themselves; a single letter is a datum.
 */
function controlFrames(text: string, box: Annotation['box']): Finding[] {
  const plain = text.trim();
  if (/^[A-Z]{1,2}$/.test(plain)) return [{ type: PMI_TYPE.datum, box, parts: [{ text: plain }] }];
  const rows = plain.split('\n').map((row) => cellsOf(plainSigns(row)) ?? plainSigns(row).split(' '));
  if (rows.length === 0 || plain === '') return [];
  const signs = rows.flatMap(([sign], row): Finding[] => {
    const type = typeOfCharacteristic(sign);
    const height = box.height / rows.length;
    return type === undefined
      ? []
      : [
          {
            type,
            box: { x: box.x, y: box.y + row * height, width: Math.min(box.width, height), height },
            parts: [{ text: sign }],
          },
        ];
  });
  return [{ type: PMI_TYPE.controlFrame, box, parts: rows.map((cells) => ({ text: cells.join(' | ') })) }, ...signs];
}

function linesOf(text: string): TolerancedText[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const reading = readDimension(line);
      return reading !== undefined && reading.toleranceTexts.length > 0 ? partOf(reading) : { text: line };
    });
}

function strokesOf({ strokes: { count, annotations } }: Sheet): number[][] {
  const found: number[][] = [];
  for (let stroke = 0; stroke < count; stroke++)
    if (annotations[stroke] >= 0) (found[annotations[stroke]] ??= []).push(stroke);
  return found;
}

function textsOf({ texts }: Sheet): SheetText[][] {
  const found: SheetText[][] = [];
  for (const text of texts) if (text.annotation >= 0) (found[text.annotation] ??= []).push(text);
  return found;
}
