import { plainSigns, readDimension, threadIn, type DimensionKind, type DimensionReading } from './dimension-text.js';
import { HEADS } from './tolerances/tolerance-words.js';
import { isDepthByWord } from './dimension-words.js';
import type { TextBox } from './page-frame.js';
import { isFastener } from './sizes/no-sizes.js';
import { PMI_TYPE, type PmiGroup, type PmiTypeId, type TolerancedText } from './pmi.js';

/** An annotation in the frame of its sheet. */
export interface Finding {
  readonly type: PmiTypeId;
  readonly box: TextBox;
  readonly parts: readonly TolerancedText[];
  /** Absent: the group of the type. */
  readonly group?: PmiGroup;
  /** Of a CAD entity: the same on every page that shows it. */
  readonly entity?: string;
  /** Of a control frame whose symbol is not known, or fits none of its datums. */
  readonly isDoubtful?: true;
}

/** Types that the string alone decides; others also need their lines. */
const TYPES: Readonly<Partial<Record<DimensionKind, PmiTypeId>>> = Object.freeze({
  diameter: PMI_TYPE.diameter,
  radius: PMI_TYPE.radius,
  depth: PMI_TYPE.depth,
  counterbore: PMI_TYPE.counterbore,
  countersink: PMI_TYPE.counterbore,
  chamfer: PMI_TYPE.leader,
  thread: PMI_TYPE.leader,
});

const FINISH =
  /^(?:√\s*)?(?:[A-Z]\s)?R(?:a|z|t|max|pk|vk|k|q|p|sm)\s?[<≤]?\s?\d+(?:[.,]\d+)?(?:\s?[µμ]m)?(?:\s?[/;,]\s?R[a-z]{1,3}\s?[<≤]?\s?\d+(?:[.,]\d+)?)*(?:\s*(?:\(|√).*)?$/i;
/** Series and classes, which nothing but threads has. */
const CLASSED_THREAD = /\bUN(?:[JR]?[CF]|J?EF|S)\b|[-\s](?:\d[GgHh]|[123][AB])$/;
const NUMBERED_FINISH = /^N(?:[1-9]|1[0-2])$/;
const GENERAL_TOLERANCE = new RegExp(
  String.raw`ГОСТ\s?30893\.1|\b(?:ISO\s?2768(?:-?\s?[fmcv]?\s?[HKL]?)?|EN\s?22768|ISO\s?22081|JIS\s?B\s?04(?:05|19)|` +
    String.raw`GB/?T\s?1804|general ?tolerances?|allgemeintoleranz\w*|${HEADS}|` +
    String.raw`tolerances? (?:unless|if not)|unless otherwise (?:stated|specified|noted).{0,40}(?:±|2768))`,
  'iu',
);

/**
 * The annotation that a line of text makes by itself; undefined for none. `note`: it stands alone, so plain lengths in
 * it are just numbers, and depths by their word alone are none.
 */
export function findingOf(line: string, box: TextBox, where: 'note' | 'dimension'): Finding | undefined {
  const text = plainSigns(line);
  const finish = finishType(text);
  if (finish !== undefined) return { type: finish, box, parts: [{ text }] };
  if (isGeneralTolerance(text)) return { type: PMI_TYPE.plusMinus, box, parts: [{ text }], group: 'GeneralTolerance' };
  const reading = readDimension(text);
  if (reading === undefined) return threadAlone(text, box);
  const isPlain = reading.toleranceTexts.length === 0 && reading.tolerance === undefined;
  // A 0 measures nothing, whatever its tolerance: the figures before it were lost.
  const isNothing = reading.kind === 'length' && reading.nominal === 0;
  if (where === 'note' && (isNothing || (reading.kind === 'length' && isPlain) || isDepthByWord(text)))
    return undefined;
  return { type: typeOfReading(reading), box, parts: [partOf(reading)] };
}

/**
 * The thread that a text begins with, where nothing else of it is understood: `1/4-20 UNC-2B x.50`, `M8-6H BOTH SIDES`.
 * Its series or its class says that it is one; a screw with its length and its property class is bought.
 */
function threadAlone(text: string, box: TextBox): Finding | undefined {
  const thread = threadIn(text);
  const at = text.indexOf(thread);
  if (
    thread === text ||
    isFastener(text) ||
    !CLASSED_THREAD.test(thread) ||
    !/^[\s,;]/.test(text.slice(at + thread.length))
  )
    return undefined;
  const said = text.slice(0, at + thread.length);
  const reading = readDimension(said);
  return reading?.kind === 'thread' ? { type: PMI_TYPE.leader, box, parts: [partOf(reading)] } : undefined;
}

/** Whether a text says more than the annotation that was made of it, with figures. */
export function isCutShort(text: string, { parts }: Finding): boolean {
  const plain = plainSigns(text);
  const said = parts.length === 1 && parts[0].tolerance === undefined ? parts[0].text : plain;
  return CLASSED_THREAD.test(said) && plain.startsWith(said) && /\d/.test(plain.slice(said.length));
}

/** Whether a text states tolerances for all sizes that have none of their own. */
export function isGeneralTolerance(text: string): boolean {
  return GENERAL_TOLERANCE.test(text) && /\d/.test(text);
}

/** The type of a surface finish; undefined when the text is none. A machined one has a value. */
export function finishType(text: string): PmiTypeId | undefined {
  if (FINISH.test(text)) return PMI_TYPE.finishMachining;
  return NUMBERED_FINISH.test(text) ? PMI_TYPE.finishAny : undefined;
}

/** The type of a dimension by its string alone. */
export function typeOfReading({ kind }: DimensionReading): PmiTypeId {
  return TYPES[kind] ?? PMI_TYPE.arrows;
}

/** A reading as the part of an annotation. */
export function partOf({ text, toleranceTexts: tolerance }: DimensionReading): TolerancedText {
  return tolerance.length === 0 ? { text } : { text, tolerance };
}
