/** A face to which an annotation refers. */
export interface AnnotatedFace {
  /** Number of the face's instance in a Part 21 file: 10069 of `#10069`. */
  readonly id: number;
  readonly surface: 'plane' | 'cylinder' | 'cone' | 'sphere' | 'torus' | 'other';
}

/** Fields common to all annotations of a model. */
interface Annotated {
  /** Its name in the file; '' if it has none. */
  readonly name: string;
  /** Faces to which it refers; empty when the file ties it to edges, axes or nothing. */
  readonly faces: readonly AnnotatedFace[];
}

/** A dimension; its numbers are in `unit`, as in the file. */
export interface ModelDimension extends Annotated {
  readonly kind: 'dimension';
  readonly measure:
    | 'length'
    | 'diameter'
    | 'radius'
    | 'sphericalDiameter'
    | 'sphericalRadius'
    | 'angle'
    | 'curveLength';
  /** Number of equal features to which it applies: 4 in `4x ⌀6`. At least 1. */
  readonly count: number;
  readonly nominal: number;
  /** Deviations from the nominal. */
  readonly deviations?: { readonly lower: number; readonly upper: number };
  /** Limits instead of a nominal with deviations. */
  readonly limits?: { readonly lower: number; readonly upper: number };
  /** A fit of ISO 286: `H7`. */
  readonly fit?: string;
  /** Decimal places to show; undefined: as many as the number has. */
  readonly decimals?: number;
  /** False: `.5` for 0.5. */
  readonly hasLeadingZero: boolean;
  /** Theoretically exact: shown in a box. */
  readonly isBasic: boolean;
  /** For information only: shown in brackets. */
  readonly isReference: boolean;
  readonly isControlledRadius: boolean;
  /** `mm`, `in`, `deg` …; '' for an unknown unit. */
  readonly unit: string;
}

/** A modifier of a tolerance or a datum (ISO 1101, ISO 2692, ASME Y14.5). */
export type ToleranceModifier =
  | 'maximumMaterial'
  | 'leastMaterial'
  | 'reciprocity'
  | 'freeState'
  | 'tangentPlane'
  | 'statistical'
  | 'commonZone'
  | 'projected'
  | 'unequal'
  | 'envelope'
  | 'translation';

/** A datum of a control frame: one letter, or several that form a common datum. */
export interface DatumReference {
  readonly datums: readonly { readonly letter: string; readonly modifiers: readonly ToleranceModifier[] }[];
  readonly modifiers: readonly ToleranceModifier[];
}

/** Geometric characteristics of ISO 1101. */
export type Characteristic =
  | 'parallelism'
  | 'flatness'
  | 'perpendicularity'
  | 'straightness'
  | 'lineProfile'
  | 'surfaceProfile'
  | 'angularity'
  | 'cylindricity'
  | 'roundness'
  | 'circularRunout'
  | 'symmetry'
  | 'concentricity'
  | 'totalRunout'
  | 'position';

/** One row of a control frame. */
export interface ControlRow {
  readonly characteristic: Characteristic;
  readonly value: number;
  readonly zone: 'width' | 'diameter' | 'spherical';
  readonly modifiers: readonly ToleranceModifier[];
  /** Of a zone that is unequally disposed about the surface: the part of it that lies outside. */
  readonly outside?: number;
  /** Length of a zone that is projected beyond the feature. */
  readonly projected?: number;
  /** The tolerance applies to every length (or square with sides) of this size. */
  readonly perUnit?: number;
  /** Upper bound of a tolerance that grows with a material condition. */
  readonly greatest?: number;
  readonly datums: readonly DatumReference[];
}

/** A geometric tolerance: a control frame of one row, or of several for the same features. Numbers are in `unit`. */
export interface ModelTolerance extends Annotated {
  readonly kind: 'tolerance';
  readonly rows: readonly ControlRow[];
  readonly unit: string;
}

/** A datum feature, or a datum target (`A1`). */
export interface ModelDatum extends Annotated {
  readonly kind: 'datum' | 'datumTarget';
  readonly label: string;
}

/** Semantic manufacturing information of a model (ISO 10303-242; CAx-IF recommended practices for PMI). */
export type ModelAnnotation = ModelDimension | ModelTolerance | ModelDatum;
