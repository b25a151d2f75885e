import type { AnnotatedFace } from '../content/model-annotation.js';
import type { Property } from '../content/text.js';
import { withTolerance } from './sizes/callouts.js';

/** Version of the extraction: raise it when the same drawing gives other PMI, and stored drawings are read again. */
export const PMI_VERSION = 54;

/** Number, name for people and group of every type. Placements of arrows and values share a name. */
const TYPES = {
  arrowsInsideValueInside: [0, 'dimension', 'Measurement'],
  firstAngle: [1, 'first angle projection', ''],
  thirdAngle: [2, 'third angle projection', ''],
  diameter: [3, 'diameter', 'Measurement'],
  view: [4, 'view', ''],
  controlFrame: [5, 'control frame', 'GD&T'],
  arrows: [6, 'dimension', 'Measurement'],
  arrowsInsideValueOutside: [7, 'dimension', 'Measurement'],
  arrowsOutsideValueOutside: [8, 'dimension', 'Measurement'],
  gapValueOutside: [9, 'dimension', 'Measurement'],
  gapValueInside: [10, 'dimension', 'Measurement'],
  finishAny: [16, 'surface finish', 'SurfaceFinish'],
  finishMachining: [17, 'machined surface', 'SurfaceFinish'],
  diameterSymbol: [18, 'diameter sign', ''],
  ascending: [19, 'ordinate dimension', 'Measurement'],
  parallel: [20, 'parallelism', 'GD&T'],
  flat: [21, 'flatness', 'GD&T'],
  perpendicular: [22, 'perpendicularity', 'GD&T'],
  straight: [23, 'straightness', 'GD&T'],
  lineProfile: [24, 'profile of a line', 'GD&T'],
  surfaceProfile: [25, 'profile of a surface', 'GD&T'],
  angular: [26, 'angularity', 'GD&T'],
  cylindrical: [27, 'cylindricity', 'GD&T'],
  circular: [28, 'roundness', 'GD&T'],
  circularRunout: [29, 'circular run-out', 'GD&T'],
  symmetry: [30, 'symmetry', 'GD&T'],
  concentric: [31, 'concentricity', 'GD&T'],
  totalRunout: [32, 'total run-out', 'GD&T'],
  position: [33, 'position', 'GD&T'],
  datum: [34, 'datum', 'Datum'],
  radius: [35, 'radius', 'Measurement'],
  outerEdge: [36, 'outer edges', 'GeneralTolerance'],
  innerEdge: [37, 'inner edges', 'GeneralTolerance'],
  finishProhibited: [38, 'unmachined surface', 'SurfaceFinish'],
  plusMinus: [39, 'general tolerance', 'Measurement'],
  leader: [40, 'leader note', ''],
  depth: [41, 'depth', 'Measurement'],
  view3d: [42, '3D view', ''],
  textureAny: [44, 'surface texture', 'SurfaceFinish'],
  textureProhibited: [45, 'texture, not machined', 'SurfaceFinish'],
  textureRequired: [46, 'texture, machined', 'SurfaceFinish'],
  table: [47, 'table', ''],
  counterbore: [48, 'counterbore', 'Measurement'],
} as const satisfies Record<string, readonly [id: number, name: string, group: PmiGroup]>;

/** What an annotation is: its type by number, as {@link PmiObject.typeId} has it. */
export const PMI_TYPE = Object.freeze(
  Object.fromEntries(Object.entries(TYPES).map(([key, [id]]) => [key, id])),
) as Readonly<{ [Key in keyof typeof TYPES]: (typeof TYPES)[Key][0] }>;

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

/** A box in a direction of its own, pixels of the page's image. */
export interface OrientedBox {
  /** Its middle, origin upper left. */
  readonly x: number;
  readonly y: number;
  /** Along the direction of reading. */
  readonly width: number;
  /** Across it. */
  readonly height: number;
  /** From the x axis to the direction of reading, clockwise as seen on the page: -90 for text that is read upwards. */
  readonly angleDeg: number;
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
  /**
   * The box along the direction of reading, of slanted and upright text; absent for level text, whose box this is, and
   * where the direction is not known.
   */
  readonly orientedBox?: OrientedBox;
  /** What is written, line by line; empty for symbols without text. */
  readonly parts: readonly TolerancedText[];
  /**
   * How likely it is right as it stands, 0 to 1: nine in ten of those with .9 are. Measured on drawings made by code
   * for letters that were read from shapes or pixels. Absent for models, and in PMI of version 5 and earlier.
   */
  readonly confidence?: number;
  /** Faces of the model that the annotation belongs to; absent for drawings. */
  readonly faces?: readonly AnnotatedFace[];
  /**
   * The object of an earlier page that shows the same entity of a CAD drawing: a layout shows what the model holds.
   * Lists of an inspector and comparisons count it once. Absent for what is shown first.
   */
  readonly repeats?: { readonly page: number; readonly id: number };
}

/** A line of text that is no annotation: of a note, a name of a view. */
export interface PmiNote {
  readonly text: string;
  /** As {@link PmiObject.box}. */
  readonly box: PmiObject['box'];
  /** How likely it is right, 0 to 1, where it was read from shapes or pixels; absent where the file holds the text. */
  readonly confidence?: number;
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
  /**
   * What stands beside annotations and title block in words; files are compared by those that they hold as text. Absent
   * for models, in PMI of version 50 and earlier, and of what is read from shapes or pixels in 52 and earlier.
   */
  readonly notes?: readonly PmiNote[];
}

/** A field of a title block, or what notes state in its place, as it was read. */
export interface TitleField {
  /** `Material`, `Part number`: the attribute of the file that it is where it was read surely enough. */
  readonly name: string;
  readonly value: string;
  /** From 1. */
  readonly page: number;
  /** How likely it is right, 0 to 1, as {@link PmiObject.confidence}. */
  readonly confidence: number;
}

/** Dimensions, tolerances and annotations of a drawing or a model. */
export interface Pmi {
  /** {@link PMI_VERSION} of the program that extracted it. */
  readonly version: number;
  readonly pages: readonly PmiPage[];
  /**
   * Fields of title blocks, those too that were read too unsurely to be attributes. Absent for models, where there are
   * none, and in PMI of version 15 and earlier.
   */
  readonly fields?: readonly TitleField[];
}

/** PMI with what it says about the part as a whole. */
export interface DrawingPmi extends Pmi {
  /** Title block, threads, largest dimensions. */
  readonly attributes: readonly Property[];
  /** What was left out because of a bound, in sentences. */
  readonly leftOut: readonly string[];
}

/** All words of an object on one line, in the order in which drawings write them: `⌀8 H7 THRU`. */
export function sentenceOf({ parts }: Pick<PmiObject, 'parts'>): string {
  return parts
    .map(({ text, tolerance = [] }) =>
      tolerance.includes('basic') ? [text, ...tolerance].join(' ') : withTolerance(text, tolerance),
    )
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whether an object shows what one of these pages shows before, so that lists count it once. */
export function isRepeated({ repeats }: PmiObject, pages: readonly PmiPage[]): boolean {
  return repeats !== undefined && pages.some(({ page }) => page === repeats.page);
}

const BY_ID: ReadonlyMap<PmiTypeId, (typeof TYPES)[keyof typeof TYPES]> = new Map(
  Object.values(TYPES).map((row) => [row[0], row]),
);

/** The name of a type for people: `diameter`, `control frame`, `position`. */
export function nameOfPmiType(type: PmiTypeId): string {
  return BY_ID.get(type)?.[1] ?? String(type);
}

/** The group of a type. Findings that are general tolerances of the drawing state their own group instead. */
export function groupOf(type: PmiTypeId): PmiGroup {
  return BY_ID.get(type)?.[2] ?? 'Measurement';
}
