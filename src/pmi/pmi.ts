import type { AnnotatedFace } from '../content/model-annotation.js';
import type { Property } from '../content/text.js';

/** Version of the extraction: raise it when the same drawing gives other PMI, and stored drawings are read again. */
export const PMI_VERSION = 4;

/** What an annotation is: its type by number, as {@link PmiObject.typeId} has it. */
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

/** Group of a type; '' for views, leaders, tables and projection symbols, which belong to none. */
export type PmiGroup = 'Measurement' | 'Datum' | 'GD&T' | 'SurfaceFinish' | 'GeneralTolerance' | '';

/** A text with its tolerance. */
export interface TolerancedText {
  readonly text: string;
  /** `±0.1`; an upper and a lower deviation (`+0.1`, `-0.2`); a fit (`H7`); `basic`. Absent without a tolerance. */
  readonly tolerance?: readonly string[];
}

/** One annotation. */
export interface PmiObject {
  readonly typeId: PmiTypeId;
  /** Counts from 1 in each page. */
  readonly id: number;
  readonly group: PmiGroup;
  /**
   * x, y, width and height in pixels of the page's image, origin upper left; the upright box around turned text.
   * All 0 for annotations of a model.
   */
  readonly box: readonly [x: number, y: number, width: number, height: number];
  /** What is written, line by line; empty for symbols without text. */
  readonly parts: readonly TolerancedText[];
  /** Faces of the model that the annotation belongs to; absent for drawings. */
  readonly faces?: readonly AnnotatedFace[];
}

/** The annotations of one page. */
export interface PmiPage {
  /** From 1. */
  readonly page: number;
  /** Width of the page's image, pixels: `company.pageImage` at this width has the size of the boxes. 0 for a model. */
  readonly widthPx: number;
  /** Height of the page's image, pixels; 0 for a model. */
  readonly heightPx: number;
  readonly objects: readonly PmiObject[];
}

/** Dimensions, tolerances and annotations of a drawing or a model. */
export interface Pmi {
  /** {@link PMI_VERSION} of the program that extracted it. */
  readonly version: number;
  readonly pages: readonly PmiPage[];
}

/** PMI with what it says about the part as a whole. */
export interface DrawingPmi extends Pmi {
  /** Title block, threads, largest dimensions. */
  readonly attributes: readonly Property[];
}

/** All words of an object on one line. */
export function sentenceOf({ parts }: Pick<PmiObject, 'parts'>): string {
  return parts
    .map(({ text, tolerance = [] }) => [text, ...tolerance].join(' '))
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

/** The group of a type. Findings that are general tolerances of the drawing state their own group instead. */
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
