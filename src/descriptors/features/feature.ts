/** Kinds of features, in the words of a machinist. */
export const FEATURE_KINDS = [
  'hole',
  'boss',
  'pocket',
  'passage',
  'slot',
  'keyway',
  'step',
  'chamfer',
  'fillet',
  'bend',
  'rib',
  'teeth',
  'thread',
] as const;
export type FeatureKind = (typeof FEATURE_KINDS)[number];

/**
 * Of what is cut by flat walls, the shape of its outline: of pockets and passages all around, of slots and steps
 * across. Polygonal: five sides and more. A slanted step has a wall aslant to the block, a two-sided one two walls.
 */
export const CUT_FORMS = ['triangular', 'rectangular', 'polygonal', 'round', 'slanted', 'two-sided', 'flat'] as const;
export type CutForm = (typeof CUT_FORMS)[number];

/** How equal holes or bosses are laid out; `pitchMm`: from one to the next. */
export type Pattern =
  /** On a circle, evenly or five and more of them. */
  | { readonly kind: 'circle'; readonly diameterMm: number }
  | { readonly kind: 'row'; readonly pitchMm: number }
  | {
      readonly kind: 'grid';
      readonly columns: number;
      readonly rows: number;
      readonly pitchMm: readonly [number, number];
    };

/**
 * Features of one kind and size. Lengths in mm.
 *
 * - hole: round, `diameterMm` of its narrowest part, `depthMm` over all its parts, of a blind one without the drill's
 *   point.
 * - boss: a round pin that stands on a flat face.
 * - pocket, passage (a pocket that goes through), slot, step: cut by flat walls, `widthMm` between walls that face each
 *   other, `depthMm` below the side to which the floor faces. A slot is round where its ends are.
 * - keyway: a slot along a shaft or, `isInternal`, along a bore, `widthMm` wide, `depthMm` below the round wall and
 *   `lengthMm` long; its floor is flat, or round for a Woodruff key, which has no `lengthMm`.
 * - chamfer: flat, or on a turned edge. fillet: a tangent rounding between two faces, in or out, of `radiusMm`; bend:
 *   of sheet.
 * - rib: a thin wall that stands on a face, of `widthMm`, `depthMm` high.
 * - teeth: `count` around an axis, of `diameterMm` at their tips, `depthMm` high; of a gear with full teeth its
 *   `moduleMm`.
 * - thread: a modelled one, of `diameterMm` (the larger one) and `pitchMm`; of an internal one both hold for its
 *   groove.
 */
export interface Feature {
  readonly kind: FeatureKind;
  readonly count: number;
  /** Numbers of the faces in the body's list; in what is stored, of the file. */
  readonly faces: readonly number[];
  readonly diameterMm?: number;
  readonly depthMm?: number;
  readonly widthMm?: number;
  /** Of a keyway, along the shaft or bore. */
  readonly lengthMm?: number;
  readonly radiusMm?: number;
  /** Of teeth: pitch diameter by number of teeth, ISO 54. */
  readonly moduleMm?: number;
  /** Of a thread: way along the axis of one turn. */
  readonly pitchMm?: number;
  /** Of teeth, threads and keyways: whether they lie inside, as those of a ring gear, a nut or a hub. */
  readonly isInternal?: boolean;
  readonly form?: CutForm;
  /** Whether it opens at both ends: of holes, slots and steps. */
  readonly isThrough?: boolean;
  /** Of a hole with a wider mouth, and how wide that is. */
  readonly sunk?: 'counterbored' | 'countersunk';
  readonly sunkDiameterMm?: number;
  /** How deep the mouth is; absent where a hole has unlike ones. */
  readonly sunkDepthMm?: number;
  readonly pattern?: Pattern;
}

/** What a part is made from or by: `turned` about an axis, cut of a block, bent of sheet, or a tube. */
export const PART_SHAPES = ['turned', 'milled', 'sheet metal', 'tube'] as const;
export type PartShape = (typeof PART_SHAPES)[number];
