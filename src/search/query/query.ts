import type { Crop } from '../../content/crop.js';
import type { AttributeFacet } from '../../attributes/attribute-facet.js';
import type { FileKind, FileRecord } from '../../store/catalog/record.js';
import type { IndexedComponent } from '../../store/catalog/assembly-component.js';
import type { StoredShapelet } from '../../store/catalog/shapelet.js';
import type { TextHighlight } from '../../words/text-query.js';
import type { AttributeFilter } from './attribute-filter.js';
import type { MatchClass } from './match-class.js';

/**
 * A search input: a file of the company by its UID, or bytes that are read for this search and kept nowhere. crop: only this part of each
 * page counts; it says nothing for models. component: only this component of an assembly, by its number (see `AssemblyComponent`). A
 * component that was indexed by itself has a UID of its own, which serves as well.
 */
export type SearchInput = { readonly crop?: Crop; readonly component?: number } & (
  | { readonly uid: string }
  | { readonly bytes: Uint8Array; readonly extension: string }
);

/**
 * What to search for. Of `like`, `text`, `attributes`, `kinds`, `categories` and `within` at least one is given, and a file is
 * found when it passes all that are. `like` ranks by shape, and finds only files that have one (models, drawings and images); without it `text` ranks by its
 * words (BM25); without words the files come in the order of their paths.
 */
export interface SearchQuery {
  /**
   * What the files shall be like: models, drawings, images, sketches. Several models are versions of one part: distances are averaged. Other
   * inputs together are views of one part, each to be matched by another view of a found file. Models find models by their surface; all else
   * is found by views.
   */
  readonly like?: SearchInput | readonly SearchInput[];
  /**
   * Free text, one or several that all must hold: words, `"a phrase"`, `prefix*`, looked for in the text of the file, its name and
   * its attributes; or something of an attribute, `name=value`, `name=[whole value]`, `name=prefix*`, `name=*`, `name>20mm`. Several values,
   * joined by `|`, must all be there.
   */
  readonly text?: string | readonly string[];
  /** What must hold of attributes, given or extracted; all of them must. */
  readonly attributes?: readonly AttributeFilter[];
  /** Only files of these kinds. */
  readonly kinds?: readonly FileKind[];
  /** Only files of these categories (not of those that lie in them); null or -1: those without one. */
  readonly categories?: readonly (number | null)[];
  /** Most hits to return, 1 to 10 000. Default 20. */
  readonly limit?: number;
  /** Hits to pass over, 0 and more. Default 0. Pages of one query never overlap. */
  readonly offset?: number;
  /** Only files with these UIDs; unknown ones are passed over. */
  readonly within?: readonly string[];
  /** Volume tolerance about the input's volume: `.1`, `+.2`, `-.5`, `+0.3/-0.4`. Tolerances hold between models alone. */
  readonly volume?: string;
  /** The same for the volume of the smallest box. */
  readonly bboxVolume?: string;
  /** The same for the surface area. */
  readonly surfaceArea?: string;
  /** True: similar parts are ordered by shape alone; false: of those alike in shape the nearest proportions and sizes come first. Default false. */
  readonly ignoreSize?: boolean;
  /**
   * True: also the components of assemblies that were put with `indexAssemblyComponents`, each a hit of its own, found by its own shape and
   * size; text, attributes, kinds, categories and `within` are asked of its assembly. 'only': nothing else. Without `like` it says nothing. Default false.
   */
  readonly components?: boolean | 'only';
  /**
   * Where `like` are photos of one object: of the models nearest by their views so many are drawn in perspective, held as the photo shows them, and
   * compared with it again, 0 to 384. It takes about 1.5 ms of processor time each. Default 192.
   */
  readonly photoModels?: number;
  /** True: also count what was found by kind and by category. Default false. */
  readonly facets?: boolean;
  /** True, with `facets`: also count the values of attributes. Default false. */
  readonly attributeFacets?: boolean;
  /** True: hits come with their `shapelets`. Default false. */
  readonly shapelets?: boolean;
  /** False: hits come without `textHighlights`, which takes much less time where texts are long. Default true. */
  readonly highlights?: boolean;
  /** Ends the reading of inputs given as bytes, and the search between its steps. */
  readonly signal?: AbortSignal;
}

/** The component of an assembly that was found; its place there and its name. */
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
   * 0 and more; lower is nearer. With `like`: 0 for the same bytes, `identical` up to 0.01, `mirrored` 0.02, `scaled` 0.03 to
   * 0.04, `similar` from 0.05; unrelated parts about 1 and more. Files found by their views are `similar` on the same scale. Of words alone: 1 / (1 + BM25), above 0 and below
   * 1; it compares the hits of one query and says nothing across queries. Of neither: 0.
   */
  readonly score: number;
  /** 0 to 100 for people: 100 / (1 + (score / 0.6)²); null without `like`. */
  readonly similarity: number | null;
  /** Null without `like`. */
  readonly matchClass: MatchClass | null;
  /**
   * f64[16], column-major: carries the query's input onto the hit, mm; for identical, mirrored and scaled alone.
   * Of several inputs, the first one's.
   */
  readonly transform?: Float64Array;
  /** Largest distance found between the two surfaces after the transform, mm; with the transform. */
  readonly maxDeviationMm?: number;
  /** What was found is this component of the file: shape, size, score and transform are those of the component. */
  readonly component?: HitComponent;
  /** Which shapelets of query and hit are most alike; where files are found by their views. */
  readonly shapeMatch?: ShapeMatch;
  /** How that shapelet of the hit is laid over that of the query, where both lie on pages. */
  readonly position?: MatchPosition;
  /** With `shapelets: true`, by index. */
  readonly shapelets?: readonly StoredShapelet[];
  /** The hit's size by the query's; for `scaled` alone. 25.4 is an inch read as a millimetre. */
  readonly scale?: number;
  /**
   * Where the words of `text` were found, and the values of attributes that were asked for; empty when neither was, or `highlights` is
   * false. For one result up to 3 million characters of text and attributes are read, of one file 300 000 of text; of hits beyond it the
   * name alone is looked at.
   */
  readonly textHighlights: readonly TextHighlight[];
}

/** The pair of shapelets that are most alike. */
export interface ShapeMatch {
  /** Which input of `like`, from 0. */
  readonly input: number;
  /** Index among the shapelets of that input. */
  readonly queryShapelet: number;
  /** Index among the shapelets of the hit. */
  readonly shapelet: number;
  /** Page of the hit's shapelet, from 1; null where it is a view of a model. */
  readonly page: number | null;
  /** Where on that page, as shares of its width and height, origin upper left. */
  readonly box?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/**
 * Carries a page of the hit onto a page of the query: first scaled and turned about its upper left corner, then moved. Lengths are in units of
 * the longer side of a page, each page's own; x to the right, y downwards.
 */
export interface MatchPosition {
  readonly x: number;
  readonly y: number;
  /** Positive from x to y: clockwise on the page. -π to π. */
  readonly rotationRad: number;
  /** Lengths of the query by those of the hit. */
  readonly scale: number;
}

/** How many of the found files are of each kind and category, and which values their attributes have. */
export interface SearchFacets {
  readonly kinds: Readonly<Record<FileKind, number>>;
  /** By rising id, last (null) those without a category. Categories that no found file has are left out. */
  readonly categories: readonly { readonly categoryId: number | null; readonly count: number }[];
  /**
   * With `attributeFacets: true`: at most 10 values of each of 12 attributes, given or extracted, or the range of its numbers; dates are left out. Of more than 500 files only the most frequent
   * attributes and values of the company are looked at; the counts are exact all the same.
   */
  readonly attributes?: readonly AttributeFacet[];
}

/** What the engine found in an input. */
export interface SearchInputFigures {
  /** The input's UID where it is a file of the company. */
  readonly uid?: string;
  readonly kind: FileKind;
  /** These are null where the input is no model. */
  readonly volumeMm3: number | null;
  readonly bboxVolumeMm3: number | null;
  readonly bboxSizeMm: readonly [number, number, number] | null;
  readonly surfaceAreaMm2: number | null;
}

/** What was found. */
export interface SearchResult {
  /**
   * By rising score, ties by UID; without `like` and words by path. Where more than 150 files are found by words alone, without another
   * filter, ties of their scores go by arrival.
   */
  readonly hits: readonly SearchHit[];
  /** Files, and components where they are asked for, that pass the filters, before limit and offset; exact. */
  readonly total: number;
  /** With `facets: true`: counts of those `total` files. */
  readonly facets?: SearchFacets;
  /** Sentences, where nothing was found and the question itself says why: no file has an attribute, or `Length>2kg` compares a length with a mass. */
  readonly warnings?: readonly string[];
  readonly inputs: readonly SearchInputFigures[];
  readonly elapsedMs: number;
}

/** All kinds of files. */
export const FILE_KINDS = Object.freeze(['Image', 'ThreeD', 'TwoD', 'Text'] as const) satisfies readonly FileKind[];
export const MOST_INPUTS = 10;
export const MOST_HITS = 10_000;
/** Models that are drawn for a photo, and most that may be. */
export const PHOTO_MODELS = 192;
export const MOST_PHOTO_MODELS = 384;
/** Most free texts of one query, and characters of one. */
export const MOST_TEXTS = 32;
export const TEXT_LENGTH_LIMIT = 1_000;

/** What a {@link SearchQuery} may hold: inputs of `like`, texts of `text` and characters of one, hits of `limit`, and the kinds. */
export const SEARCH_LIMITS = Object.freeze({
  inputs: MOST_INPUTS,
  texts: MOST_TEXTS,
  textLength: TEXT_LENGTH_LIMIT,
  hits: MOST_HITS,
  kinds: FILE_KINDS,
});
