/**
 * Why a file was found: a code and the figures that a sentence about it needs, so that a host can word it in any
 * language (`becauseText` words it in English). "The query" is the input that the hit is nearest to. Lengths in mm;
 * factors are those of the hit over the query.
 */
export type Because =
  /** The same bytes. */
  | { readonly code: 'same-bytes' }
  /**
   * Between drawings: the same lines, words and numbers, in a file of other bytes. factor: where the views of both are
   * to scale and drawn in another size.
   */
  | { readonly code: 'same-drawing'; readonly factor?: number }
  /** Between models: the same shape and size; the largest distance between both surfaces. */
  | { readonly code: 'same-part'; readonly maxDeviationMm: number | null }
  /** Between models: the mirror image in the same size. */
  | { readonly code: 'mirrored' }
  /**
   * Between models: the same shape, or its mirror image, in another size. 25.4: inches that were read as millimetres.
   */
  | { readonly code: 'same-shape'; readonly factor: number; readonly isMirrored: boolean }
  /** All three sides of the smallest boxes are equal, within 0.4 %. */
  | { readonly code: 'same-size'; readonly sizeMm: Sizes }
  /** Two sides are equal, within 0.4 %; the third is not. */
  | {
      readonly code: 'other-side';
      readonly side: 'length' | 'width' | 'height';
      readonly factor: number;
      readonly sideMm: number;
      readonly querySideMm: number;
      /** Whether both are thin: the height is at most a quarter of the width. */
      readonly areFlat: boolean;
    }
  /**
   * Both are round, turned parts, tubes or gears: along the axis, or across it, or both they have another size. Where
   * one is the same, both figures of it are equal, within 0.4 %.
   */
  | {
      readonly code: 'round-size';
      readonly diameterMm: number;
      readonly queryDiameterMm: number;
      readonly lengthMm: number;
      readonly queryLengthMm: number;
    }
  /** The three sides have the same ratios, within 2 %. */
  | { readonly code: 'same-proportions'; readonly factor: number }
  /** One side is equal, within 0.4 %; the others are not. */
  | { readonly code: 'same-side'; readonly side: 'length' | 'width' | 'height'; readonly sideMm: number }
  /** All three sides are within 10 % of those of the query. */
  | { readonly code: 'near-size'; readonly sizeMm: Sizes; readonly querySizeMm: Sizes }
  /** The three sides have the same ratios, within 10 %. */
  | { readonly code: 'near-proportions'; readonly factor: number }
  /**
   * How the sides differ, of two parts of which nothing better is known: those of the hit over those of the query.
   * areFlat: both are thin, the height is at most a quarter of the width.
   */
  | { readonly code: 'other-sizes'; readonly factors: Sizes; readonly areFlat: boolean }
  /** Both have these holes, and so many of each. */
  | { readonly code: 'same-holes'; readonly holes: readonly { readonly count: number; readonly diameterMm: number }[] }
  /** Both have so many holes, of different diameters. */
  | {
      readonly code: 'other-hole-size';
      readonly count: number;
      readonly diameterMm: number;
      readonly queryDiameterMm: number;
    }
  /** Both have holes of this diameter, another number of them. */
  | {
      readonly code: 'other-hole-count';
      readonly diameterMm: number;
      readonly count: number;
      readonly queryCount: number;
    }
  /** Both have holes, of other diameters and another number of them. */
  | {
      readonly code: 'other-holes';
      readonly count: number;
      readonly diameterMm: number;
      readonly queryCount: number;
      readonly queryDiameterMm: number;
    }
  /** Of parts that are alike: holes that only the hit, or only the query, has. */
  | {
      readonly code: 'more-holes';
      readonly of: 'hit' | 'query';
      readonly holes: readonly { readonly count: number; readonly diameterMm: number }[];
    }
  /** Both have so many holes of this diameter, of another depth. depthMm: of blind ones; null: they go through. */
  | {
      readonly code: 'other-hole-depth';
      readonly count: number;
      readonly diameterMm: number;
      readonly isThrough: boolean;
      readonly depthMm: number | null;
      readonly queryIsThrough: boolean;
      readonly queryDepthMm: number | null;
    }
  /** Both have so many holes of this diameter, of which others go through: so many of them, the rest are blind. */
  | {
      readonly code: 'other-through-holes';
      readonly count: number;
      readonly diameterMm: number;
      readonly throughCount: number;
      readonly queryThroughCount: number;
    }
  /** Both have so many holes of this diameter, with other mouths; null: no wider than the hole. */
  | {
      readonly code: 'other-hole-mouth';
      readonly count: number;
      readonly diameterMm: number;
      readonly mouth: Mouth | null;
      readonly queryMouth: Mouth | null;
    }
  /** Both have so many holes of this diameter in a row, or in a grid with two pitches, at other distances. */
  | {
      readonly code: 'other-hole-pitch';
      readonly count: number;
      readonly diameterMm: number;
      readonly pitchMm: readonly number[];
      readonly queryPitchMm: readonly number[];
    }
  /** Both have so many holes on a circle of this diameter. */
  | { readonly code: 'same-bolt-circle'; readonly count: number; readonly diameterMm: number }
  /** Both have holes on a circle, of different diameters; the hit has so many. */
  | {
      readonly code: 'other-bolt-circle';
      readonly count: number;
      readonly diameterMm: number;
      readonly queryDiameterMm: number;
    }
  /** Both have so many teeth around an axis; the modules of gears, null where there is none. */
  | {
      readonly code: 'same-teeth';
      readonly count: number;
      readonly moduleMm: number | null;
      readonly queryModuleMm: number | null;
    }
  /** Both have teeth around one axis, another number of them; the modules of gears, null where there is none. */
  | {
      readonly code: 'other-teeth';
      readonly count: number;
      readonly queryCount: number;
      readonly moduleMm: number | null;
      readonly queryModuleMm: number | null;
    }
  /** Both have a thread of this diameter and pitch, inside or outside. */
  | {
      readonly code: 'same-thread';
      readonly diameterMm: number;
      readonly pitchMm: number;
      readonly isInternal: boolean;
    }
  /** Each has one thread, both inside or both outside, of another diameter or pitch. */
  | {
      readonly code: 'other-thread';
      readonly diameterMm: number;
      readonly pitchMm: number;
      readonly queryDiameterMm: number;
      readonly queryPitchMm: number;
      readonly isInternal: boolean;
    }
  /** Both are of sheet metal of one thickness, or tubes of one wall, within 1 %. */
  | { readonly code: 'same-wall'; readonly shape: 'sheet metal' | 'tube'; readonly wallMm: number }
  /** Both are of sheet metal, or tubes, of different thickness. */
  | {
      readonly code: 'other-wall';
      readonly shape: 'sheet metal' | 'tube';
      readonly wallMm: number;
      readonly queryWallMm: number;
    }
  /** Both are turned parts: nearly all of each surface but holes is of revolution about one axis. */
  | { readonly code: 'both-turned' }
  /**
   * Half of the surface of both and more is flat and along the sides of a block: what is cut from one, or looks like
   * it.
   */
  | { readonly code: 'both-flat-faced' }
  /** Both have so many of these features, two at least. */
  | { readonly code: 'same-count'; readonly feature: CountedFeature; readonly count: number }
  /** The hit has another number of keyways, of this width; null where it has none. */
  | {
      readonly code: 'other-keyways';
      readonly count: number;
      readonly queryCount: number;
      readonly widthMm: number | null;
    }
  /** Both have so many keyways, of other sizes; lengths: null where they are not known. */
  | {
      readonly code: 'other-keyway-size';
      readonly count: number;
      readonly widthMm: number;
      readonly queryWidthMm: number;
      readonly depthMm: number;
      readonly queryDepthMm: number;
      readonly lengthMm: number | null;
      readonly queryLengthMm: number | null;
    }
  /**
   * Of parts that are alike: another number of these features, 0 where one has none. widthMm: of those of the hit, or
   * else of the query, where all are as wide; null where they are not or that is not known.
   */
  | {
      readonly code: 'other-count';
      readonly feature: CountedFeature;
      readonly count: number;
      readonly queryCount: number;
      readonly widthMm: number | null;
    }
  /** Both are of sheet metal, with another number of bends. */
  | { readonly code: 'other-bends'; readonly count: number; readonly queryCount: number }
  /** The volumes are equal, within 0.5 %. */
  | { readonly code: 'same-volume'; readonly volumeMm3: number }
  /** Both are plates of one thickness, within 1 %. */
  | { readonly code: 'same-thickness'; readonly thicknessMm: number }
  /**
   * Between drawings: sizes of one kind that the hit states in place of as many of the query, descending; which belongs
   * to which is known where there is one. One that both state is among them where it stands at another place in the
   * order. isAnother: the other drawing states it as well, less often. count: of how many features, where one size of
   * several is meant. thread: `M8x1.25`, of threads alone.
   */
  | {
      readonly code: 'other-stated-sizes';
      readonly kind: StatedKind;
      readonly sizes: readonly NamedSize[];
      readonly querySizes: readonly NamedSize[];
      readonly count?: number;
    }
  /** Between drawings: so many of the sizes of one kind differ, of as many that both state. */
  | { readonly code: 'many-stated-sizes'; readonly kind: StatedKind; readonly count: number; readonly of: number }
  /** Between drawings: both state a size, for another number of features. */
  | {
      readonly code: 'other-stated-count';
      readonly kind: StatedKind;
      readonly sizeMm: number;
      readonly thread?: string;
      readonly count: number;
      readonly queryCount: number;
    }
  /** Between drawings: all sizes that the hit states are those of the query by this factor. */
  | { readonly code: 'all-stated-sizes'; readonly factor: number }
  /** Between drawings: both state the same lengths, diameters, radii and threads, so many. */
  | { readonly code: 'same-stated-sizes'; readonly count: number }
  /**
   * Between a drawing and a model: the drawing states so many holes of one diameter, in place of which the model has as
   * many of another one, or another number of them.
   */
  | {
      readonly code: 'other-drawn-holes';
      readonly count: number;
      readonly diameterMm: number;
      readonly statedCount: number;
      readonly statedMm: number;
    }
  /** A drawing states two sizes of the model, but not this one. */
  | { readonly code: 'unstated-size'; readonly sizeMm: number }
  /** A drawing states these sizes of the model, two of them at least. */
  | { readonly code: 'stated-sizes'; readonly sizesMm: readonly number[] }
  /** A view of the hit is like one of the query; from a similarity of 30 on. page: from 1; null: the hit is a model. */
  | { readonly code: 'like-view'; readonly page: number | null }
  /** It has these words, as they stand there. */
  | { readonly code: 'words'; readonly field: 'text' | 'name'; readonly words: readonly string[] }
  /** It has these attributes, `name=value`. */
  | { readonly code: 'attributes'; readonly attributes: readonly string[] };

/** Kinds of sizes on drawings that are compared. */
type StatedKind = 'length' | 'diameter' | 'radius' | 'thread';

interface NamedSize {
  readonly sizeMm: number;
  readonly thread?: string;
  readonly isAnother: boolean;
}

type Sizes = readonly [length: number, width: number, height: number];

/** The wider mouth of a hole. */
interface Mouth {
  readonly sunk: 'counterbored' | 'countersunk';
  readonly diameterMm: number;
  /** Null: not known. */
  readonly depthMm: number | null;
}

/** Features that are counted. */
export type CountedFeature = 'boss' | 'rib' | 'bend' | 'pocket' | 'slot' | 'passage';

/** Most reasons of a hit, of which those that say how it differs come first. */
export const MOST_REASONS = 4;
