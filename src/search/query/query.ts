import type { Warning } from '../../errors.js';
import type { Crop } from '../../content/crop.js';
import type { AttributeFacet } from '../../attributes/attribute-facet.js';
import type { FileKind, FileRecord } from '../../store/catalog/record.js';
import type { IndexedComponent } from '../../store/catalog/assembly-component.js';
import type { StoredShapelet } from '../../store/catalog/shapelet.js';
import type { TextHighlight } from '../../words/text-query.js';
import type { AttributeFilter } from './attribute-filter.js';
import type { Because } from './because.js';
import type { MatchClass } from './match-class.js';
import { LESS_SIMILAR_BELOW } from './likeness.js';

/**
 * A search input: a file of the company by its UID, or bytes that are read for this search and not stored (they are not
 * copied, and must not change meanwhile). crop: only this part of each page is used; ignored for models. component:
 * only this component of an assembly, by its number (see `AssemblyComponent`). A component that was indexed by itself
 * has a UID of its own, which can be used instead.
 */
export type SearchInput = { readonly crop?: Crop; readonly component?: number } & (
  | { readonly uid: string }
  | { readonly bytes: Uint8Array; readonly extension: string }
);

/**
 * A shape to look for inside others: a model, or some of its faces. faces: their numbers from 0, of a STEP file among
 * its ADVANCED_FACEs in the order of the file, of other models in the order in which they are read. Default: all.
 */
export type ContainedInput = SearchInput & { readonly faces?: readonly number[] };

/**
 * What to search for. At least one of `like`, `contains`, `text`, `attributes`, `kinds`, `categories` and `within` is
 * given; a file is found when it meets all that are given. `like` ranks by shape, and finds only files with a shape
 * (models, drawings and images). Without it, `text` ranks by its words (BM25). Without words, files are ordered by
 * path.
 */
export interface SearchQuery {
  /**
   * Inputs that the files shall resemble: models, drawings, images, sketches. Several are versions or views of one
   * part: each is compared with a file as if it were the only one, and the nearest counts most, so that a file is found
   * that is like one of them, and before it one that is like several. What is the same part as one of them keeps its
   * score. Inputs that show a single view are matched by different views of a file. Models find models by their
   * surface; all other pairs are compared by views.
   */
  readonly like?: SearchInput | readonly SearchInput[];
  /**
   * A shape that found models hold, in any pose: a hole pattern, a flange, a component. Instead of `like`; ordered by
   * how much of it they hold. A body of an assembly is found too, whether its components are indexed or not.
   */
  readonly contains?: ContainedInput;
  /**
   * With `contains`: `exact` finds it in its size; `any` finds the same kind of feature in any size and proportion, by
   * the kinds, convexity and angles of its faces. Default `exact`.
   */
  readonly sizes?: 'exact' | 'any';
  /** With `contains`: by how much faces may be apart, mm. Default a thousandth of the shape's size, at least 0.01. */
  readonly toleranceMm?: number;
  /**
   * Free text, one or several that must all match: words, `"a phrase"`, `prefix*`, searched in the text of the file,
   * its name and its attributes; or a condition on an attribute, `name=value`, `name=[whole value]`, `name=prefix*`,
   * `name=*`, `name>20mm`. Several values, joined by `|`, must all be present.
   */
  readonly text?: string | readonly string[];
  /** Conditions on attributes, given or extracted; all must hold. */
  readonly attributes?: readonly AttributeFilter[];
  /** Only files of these kinds. */
  readonly kinds?: readonly FileKind[];
  /** Only files of these categories, without their subcategories; null or -1: files without a category. */
  readonly categories?: readonly (number | null)[];
  /** Most hits to return, 1 to 10 000. Default 20. */
  readonly limit?: number;
  /** Hits to skip, 0 or more. Default 0. Pages of one query never overlap. */
  readonly offset?: number;
  /** Only files with these UIDs, as like the input as they are among all; unknown ones are ignored. */
  readonly within?: readonly string[];
  /**
   * Volume tolerance about the input's volume: `.1`, `+.2`, `-.5`, `+0.3/-0.4`. Tolerances apply between models only:
   * found models must meet them, whatever found them, and files of other kinds are found as if none were given.
   * Where no input is a model, `warnings` of the result say that none was applied.
   */
  readonly volume?: string;
  /** The same for the volume of the smallest box. */
  readonly bboxVolume?: string;
  /** The same for the surface area. */
  readonly surfaceArea?: string;
  /**
   * True: similar parts are ordered by shape alone; false: among parts of similar shape, those of the nearest
   * proportions and size come first. Default false.
   */
  readonly ignoreSize?: boolean;
  /**
   * True: also the components of assemblies that were put with `indexAssemblyComponents`. Each is a hit of its own,
   * found by its own shape and size; text, attributes, kinds, categories and `within` apply to its assembly. 'only':
   * components alone. Ignored without `like`. Default false.
   */
  readonly components?: boolean | 'only';
  /**
   * For photos of one object in `like`: number of models, nearest by their views, that are rendered in perspective in
   * the pose of the photo and compared with it again, 0 to 384. Each takes about 1.5 ms of processor time. Default 192.
   */
  readonly photoModels?: number;
  /** True: also count the found files by kind and by category. Default false. */
  readonly facets?: boolean;
  /** True, with `facets`: also count the values of attributes. Default false. */
  readonly attributeFacets?: boolean;
  /** True: hits come with their `shapelets`. Default false. */
  readonly shapelets?: boolean;
  /** False: hits have no `textHighlights`, which saves much time for long texts. Default true. */
  readonly highlights?: boolean;
  /** Stops the reading of inputs given as bytes, and the search between its steps. */
  readonly signal?: AbortSignal;
}

/** A found component: its place in the assembly and its name. */
export type HitComponent = Pick<IndexedComponent, 'uid' | 'number' | 'name' | 'place' | 'occurrences' | 'isAssembly'>;

/** A found file, or a component of one. */
export interface SearchHit
  extends Pick<
    FileRecord,
    | 'uid'
    | 'path'
    | 'displayName'
    | 'sha256'
    | 'addedAt'
    | 'kind'
    | 'categoryId'
    | 'attributes'
    | 'volumeMm3'
    | 'bboxVolumeMm3'
    | 'bboxSizeMm'
    | 'surfaceAreaMm2'
  > {
  /**
   * 0 or more; lower is nearer. With `contains`: 1 - `coverage`, up to 0.001 more for larger
   * hits, in any sizes up to 0.1 more for other edges around. With `like`: 0 for the same bytes, `identical` up to
   * 0.01, `mirrored` 0.02, `scaled` 0.03 to 0.04, `similar` from 0.05; unrelated parts have about 1 or more. Files
   * found by their views are `similar` on the same scale, or `identical` with 0.01 where they are the same drawing in
   * other bytes. For words alone: 1 / (1 + BM25), between 0 and 1, which compares the hits of one query but not of
   * different queries. Without shape and words: 0.
   */
  readonly score: number;
  /**
   * 0 to 100 for people: the likeness that is expected of hits with this score, in every way of asking alike (see
   * `similarityOf`); with `contains` 100 × `coverage`; null without either.
   */
  readonly similarity: number | null;
  /** `contains`: it holds the shape that was looked for, or a part of it. Null without `like` and `contains`. */
  readonly matchClass: MatchClass | 'contains' | null;
  /** With `contains`: share of the shape's area that was found, 0 to 1; in any sizes, of its faces. */
  readonly coverage?: number;
  /** With `contains`: numbers of the hit's faces on which the shape lies, rising; see {@link ContainedInput}. */
  readonly faces?: readonly number[];
  /** With `contains`: how many times the hit holds as much of the shape. */
  readonly occurrences?: number;
  /**
   * With `contains`: `faces` of each of several occurrences, the best first, at most 100 of them. Placements of one
   * component have the same faces.
   */
  readonly occurrenceFaces?: readonly (readonly number[])[];
  /** With `contains`: true where the hit holds more of the shape's mirror image than of the shape. */
  readonly mirrored?: boolean;
  /**
   * Why it was found, the most telling reasons first, at most four; empty where nothing that a person would name was
   * measured to be equal. Between models from sizes, volume, holes and whether both are turned; between a drawing and a
   * model from the sizes that the drawing states; for words and attributes from `textHighlights`.
   */
  readonly because: readonly Because[];
  /** With several inputs: index in `like` of the one that the hit is nearest to. */
  readonly input?: number;
  /**
   * f64[16], column-major: transforms the query's input onto the hit, mm; only for identical, mirrored, scaled and
   * contains in exact sizes.
   * With several inputs, that of the number `input`.
   */
  readonly transform?: Float64Array;
  /** Largest distance between the two surfaces after the transform, mm; present with `transform`. */
  readonly maxDeviationMm?: number;
  /** Set when a component of the file was found: shape, size, score and transform are those of the component. */
  readonly component?: HitComponent;
  /** The most similar shapelets of query and hit, for files found by their views. */
  readonly shapeMatch?: ShapeMatch;
  /** How the shapelet of the hit is placed on that of the query, when both are on pages. */
  readonly position?: MatchPosition;
  /** With `shapelets: true`, by index. */
  readonly shapelets?: readonly StoredShapelet[];
  /** Size of the hit divided by that of the query, for `scaled` only. 25.4: inches that were read as millimetres. */
  readonly scale?: number;
  /**
   * Matches of the words of `text`, and attribute values that met conditions; empty when there are none or `highlights`
   * is false. For one result up to 3 million characters of text and attributes are read, for one file 300 000 of text;
   * hits beyond that have highlights of the name only.
   */
  readonly textHighlights: readonly TextHighlight[];
}

/** The most similar pair of shapelets. */
export interface ShapeMatch {
  /** Index of the input in `like`, from 0. */
  readonly input: number;
  /** Index among the shapelets of that input. */
  readonly queryShapelet: number;
  /** Index among the shapelets of the hit. */
  readonly shapelet: number;
  /** Page of the hit's shapelet, from 1; null for a view of a model. */
  readonly page: number | null;
  /** Its box on that page, as shares of the page's width and height, origin upper left. */
  readonly box?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/**
 * Transforms a page of the hit onto a page of the query: scaled and rotated about its upper left corner, then moved.
 * Lengths are in units of the longer side of the respective page; x to the right, y downwards.
 */
export interface MatchPosition {
  readonly x: number;
  readonly y: number;
  /** Positive from x to y: clockwise on the page. -π to π. */
  readonly rotationRad: number;
  /** Length on the query's page divided by the length on the hit's. */
  readonly scale: number;
}

/** Counts of the found files by kind, category and attribute value. */
export interface SearchFacets {
  readonly kinds: Readonly<Record<FileKind, number>>;
  /** By rising id, files without a category (null) last. Categories without found files are left out. */
  readonly categories: readonly { readonly categoryId: number | null; readonly count: number }[];
  /**
   * With `attributeFacets: true`: at most 10 values of each of 12 attributes, given or extracted, or the range of its
   * numbers; dates are left out. For more than 500 files only the most frequent attributes and values of the company
   * are counted; the counts are exact in any case.
   */
  readonly attributes?: readonly AttributeFacet[];
}

/** Measures of an input. */
export interface SearchInputFigures {
  /** UID, for an input that is a file of the company. */
  readonly uid?: string;
  readonly kind: FileKind;
  /** The following are null unless the input is a model. */
  readonly volumeMm3: number | null;
  readonly bboxVolumeMm3: number | null;
  readonly bboxSizeMm: readonly [number, number, number] | null;
  readonly surfaceAreaMm2: number | null;
  /** What was odd in given bytes, such as `FILE_TRUNCATED`; absent where nothing was, and for files of the company. */
  readonly warnings?: readonly Warning[];
}

/** The result of a search. */
export interface SearchResult {
  /**
   * By rising score, ties by UID; without `like` and words by path. When more than 150 files are found by words alone,
   * without another filter, ties are in the order of arrival.
   */
  readonly hits: readonly SearchHit[];
  /** Exact number of files (and components, when asked for) that meet the filters, before limit and offset. */
  readonly total: number;
  /** With `facets: true`: counts of those `total` files. */
  readonly facets?: SearchFacets;
  /**
   * Sentences that explain an empty result: no file has an attribute, or `Length>2kg` compares a length with a mass; or
   * that say what of the query was not applied: a tolerance of sizes without a model among the inputs; or that
   * annotations of a hit are damaged, so that its stated sizes are no reasons.
   */
  readonly warnings?: readonly string[];
  readonly inputs: readonly SearchInputFigures[];
  readonly elapsedMs: number;
}

/** All kinds of files. */
export const FILE_KINDS = Object.freeze(['Image', 'ThreeD', 'TwoD', 'Text'] as const) satisfies readonly FileKind[];
export const MOST_INPUTS = 10;
export const MOST_HITS = 10_000;
/** Models rendered for a photo: default and maximum. */
export const PHOTO_MODELS = 192;
export const MOST_PHOTO_MODELS = 384;
/** Most free texts of one query, and characters of one. */
export const MOST_TEXTS = 32;
export const TEXT_LENGTH_LIMIT = 1_000;

/**
 * What a {@link SearchQuery} may hold: inputs of `like`, texts of `text` and characters of one, hits of `limit`, and
 * the kinds. And the similarity below which hits are shown as less similar.
 */
export const SEARCH_LIMITS = Object.freeze({
  inputs: MOST_INPUTS,
  texts: MOST_TEXTS,
  textLength: TEXT_LENGTH_LIMIT,
  hits: MOST_HITS,
  kinds: FILE_KINDS,
  lessSimilarBelow: LESS_SIMILAR_BELOW,
});
