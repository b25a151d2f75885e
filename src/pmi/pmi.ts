import type { AnnotatedFace } from '../content/model-annotation.js';
import type { Property } from '../content/text.js';

/** Raised when the same drawing gives other PMI: drawings are then read again. */
export const PMI_VERSION = 4;

/** What annotations are, by the numbers of the interface's `type_id`. */
export const PMI_TYPE = Object.freeze({
  arrowsInsideValueInside: 0,
  firstAngle: 1,
  thirdAngle: 2,
  diameter: 3,
  view: 4,
  controlFrame: 5,
  arrows: 6,
  arrowsInsideValueOutside: 7,
  arrowsOutsideValueOutside: 8,
  gapValueOutside: 9,
  gapValueInside: 10,
  finishAny: 16,
  finishMachining: 17,
  diameterSymbol: 18,
  ascending: 19,
  parallel: 20,
  flat: 21,
  perpendicular: 22,
  straight: 23,
  lineProfile: 24,
  surfaceProfile: 25,
  angular: 26,
  cylindrical: 27,
  circular: 28,
  circularRunout: 29,
  symmetry: 30,
  concentric: 31,
  totalRunout: 32,
  position: 33,
  datum: 34,
  radius: 35,
  outerEdge: 36,
  innerEdge: 37,
  finishProhibited: 38,
  plusMinus: 39,
  leader: 40,
  depth: 41,
  view3d: 42,
  textureAny: 44,
  textureProhibited: 45,
  textureRequired: 46,
  table: 47,
  counterbore: 48,
} as const);

/** A number of {@link PMI_TYPE}. */
export type PmiTypeId = (typeof PMI_TYPE)[keyof typeof PMI_TYPE];

/** Groups of types, as the interface names them; '' for views, leaders and tables, which are in none. */
export type PmiGroup = 'Measurement' | 'Datum' | 'GD&T' | 'SurfaceFinish' | 'GeneralTolerance' | '';

/** A text with its tolerance: `±0.1`, an upper and a lower deviation (`+0.1`, `-0.2`), or a fit (`H7`). */
export interface TolerancedText {
  readonly text: string;
  readonly tol?: readonly string[];
}

/**
 * One annotation. Its words have one of three shapes: one text, which may have a tolerance (`text`, `tol`); several without one (`text` as
 * an array); several of which one or more have one (`mtext`).
 */
export interface PmiObject {
  readonly type_id: PmiTypeId;
  /** Counts from 1 in each page. */
  readonly _id: number;
  readonly group: PmiGroup;
  /** x, y, width and height in pixels of the page's image, origin upper left. Upright, also about turned text. */
  readonly box: readonly [x: number, y: number, width: number, height: number];
  readonly text?: string | readonly string[];
  readonly tol?: readonly string[];
  readonly mtext?: readonly TolerancedText[];
  /** Faces of a model that it stands on; an addition to the interface's shape, absent for drawings. */
  readonly faces?: readonly AnnotatedFace[];
}

/** What is annotated on one page. */
export interface PmiPage {
  /** From 1. */
  readonly page: number;
  /** Width and height of the page's image, pixels: that of `company.pageImage` at this width. 0 for a model, which has none: boxes are empty. */
  readonly ImageSize: readonly [width: number, height: number];
  readonly objects: readonly PmiObject[];
}

/** Dimensions, tolerances and annotations of a drawing or a model; its names are those of the interface's JSON. */
export interface Pmi {
  /** Of the program that extracted it. */
  readonly BEVersion: string;
  readonly pages: readonly PmiPage[];
}

/** PMI with what it says of the part as a whole. */
export interface DrawingPmi extends Pmi {
  /** Title block, threads, largest dimensions. */
  readonly attributes: readonly Property[];
}

/** The words of an object in the shape that the interface has for them. */
export function wordsOf(parts: readonly TolerancedText[]): Pick<PmiObject, 'text' | 'tol' | 'mtext'> {
  const [first, ...others] = parts;
  if (first === undefined) return { text: '' };
  if (others.length === 0) return first.tol === undefined ? { text: first.text } : { text: first.text, tol: first.tol };
  return parts.some(({ tol }) => tol !== undefined) ? { mtext: parts } : { text: parts.map(({ text }) => text) };
}

/** The words of an object with their tolerances, as they are read. */
export function partsOf({ text, tol, mtext }: Pick<PmiObject, 'text' | 'tol' | 'mtext'>): readonly TolerancedText[] {
  if (mtext !== undefined) return mtext;
  if (typeof text === 'string') return [tol === undefined ? { text } : { text, tol }];
  return (text ?? []).map((part) => ({ text: part }));
}

/** All words of an object on one line. */
export function sentenceOf(object: Pick<PmiObject, 'text' | 'tol' | 'mtext'>): string {
  return partsOf(object)
    .map(({ text, tol = [] }) => [text, ...tol].join(' '))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const {
  diameterSymbol,
  parallel,
  position,
  controlFrame,
  datum,
  finishAny,
  finishMachining,
  finishProhibited,
  textureAny,
  textureRequired,
  view,
  view3d,
  leader,
  table,
  outerEdge,
  innerEdge,
  firstAngle,
  thirdAngle,
} = PMI_TYPE;

/** The group of a type. Tolerances that hold for the whole drawing say so themselves. */
export function groupOf(type: PmiTypeId): PmiGroup {
  if (type === controlFrame || (type >= parallel && type <= position)) return 'GD&T';
  if (type === datum) return 'Datum';
  if (
    type === finishAny ||
    type === finishMachining ||
    type === finishProhibited ||
    (type >= textureAny && type <= textureRequired)
  )
    return 'SurfaceFinish';
  if (type === outerEdge || type === innerEdge) return 'GeneralTolerance';
  if (
    type === view ||
    type === view3d ||
    type === leader ||
    type === table ||
    type === firstAngle ||
    type === thirdAngle ||
    type === diameterSymbol
  )
    return '';
  return 'Measurement';
}
