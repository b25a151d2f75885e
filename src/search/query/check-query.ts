import { EngineError } from '../../errors.js';
import { checkInteger } from '../../options.js';
import { isSignal, ownSignal } from '../../signals.js';
import type { AttributeCondition } from '../../attributes/attribute-condition.js';
import type { FileKind } from '../../store/catalog/record.js';
import { conditionsOf, joinRanges } from './attribute-conditions.js';
import type { TextClause } from '../../words/text-query.js';
import { checkAttributeFilter } from './attribute-filter.js';
import { parseExpression, type AttributeTest } from './expression.js';
import {
  FILE_KINDS,
  MOST_HITS,
  MOST_INPUTS,
  MOST_PHOTO_MODELS,
  MOST_TEXTS,
  PHOTO_MODELS,
  TEXT_LENGTH_LIMIT,
  type ContainedInput,
  type SearchInput,
  type SearchQuery,
} from './query.js';
import { parseTolerance, type Tolerance } from './tolerance.js';

/** A query with its defaults filled in and its texts parsed. */
export interface CheckedQuery {
  readonly like: readonly SearchInput[];
  readonly contains: ContainedInput | undefined;
  readonly sizes: 'exact' | 'any';
  readonly toleranceMm: number | undefined;
  /** Words of free text; all clauses must match. */
  readonly clauses: readonly TextClause[];
  /** Conditions on attributes, given as text or as objects: of each list one must hold. */
  readonly attributes: readonly (readonly AttributeCondition[])[];
  /** The same conditions as they were written. */
  readonly attributeTests: readonly AttributeTest[];
  readonly kinds: readonly FileKind[] | undefined;
  readonly categories: readonly (number | null)[] | undefined;
  readonly within: readonly string[] | undefined;
  readonly volume: Tolerance | undefined;
  readonly bboxVolume: Tolerance | undefined;
  readonly surfaceArea: Tolerance | undefined;
  readonly ignoreSize: boolean;
  readonly components: boolean | 'only';
  readonly photoModels: number;
  readonly facets: boolean;
  readonly attributeFacets: boolean;
  readonly highlights: boolean;
  readonly shapelets: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly signal: AbortSignal | undefined;
}

const KEYS: readonly string[] = [
  'like',
  'contains',
  'sizes',
  'toleranceMm',
  'text',
  'attributes',
  'kinds',
  'categories',
  'within',
  'volume',
  'bboxVolume',
  'surfaceArea',
  'ignoreSize',
  'components',
  'photoModels',
  'facets',
  'attributeFacets',
  'shapelets',
  'highlights',
  'limit',
  'offset',
  'signal',
];
/** One of these must be given. */
const REASONS = ['like', 'contains', 'text', 'attributes', 'kinds', 'categories', 'within'] as const;
const MOST_ATTRIBUTE_FILTERS = 64;
/** Most conditions from texts and objects together; each costs a lookup in the index. */
const MOST_ATTRIBUTE_TESTS = 128;
const MOST_CATEGORIES = 10_000;

/**
 * Checks a query and fills in its defaults. @throws TypeError or RangeError that names a wrong option; EngineError
 * `QUERY_INVALID` for a text that cannot be parsed.
 */
export function checkQuery(query: SearchQuery): CheckedQuery {
  if (typeof query !== 'object' || query === null)
    throw new TypeError(`query must be an object, received ${String(query)}`);
  const unknown = Object.keys(query).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw new TypeError(`query.${unknown} is not an option; known are ${KEYS.join(', ')}`);
  if (REASONS.every((name) => query[name] === undefined))
    throw new TypeError(`query must have at least one of ${REASONS.map((name) => `query.${name}`).join(', ')}`);
  const {
    limit = 20,
    offset = 0,
    ignoreSize = false,
    components = false,
    photoModels = PHOTO_MODELS,
    facets = false,
    attributeFacets = false,
    highlights = true,
    shapelets = false,
    within,
    signal,
  } = query;
  if (within !== undefined && !(Array.isArray(within) && within.every((uid) => typeof uid === 'string'))) {
    throw new TypeError('query.within must be a list of UIDs');
  }
  if (signal !== undefined && !isSignal(signal))
    throw new TypeError(`query.signal must be an AbortSignal, received ${String(signal)}`);
  if (typeof ignoreSize !== 'boolean')
    throw new TypeError(`query.ignoreSize must be true or false, received ${String(ignoreSize)}`);
  if (typeof components !== 'boolean' && components !== 'only')
    throw new TypeError(`query.components must be true, false or 'only', received ${String(components)}`);
  if (typeof facets !== 'boolean')
    throw new TypeError(`query.facets must be true or false, received ${String(facets)}`);
  if (typeof attributeFacets !== 'boolean')
    throw new TypeError(`query.attributeFacets must be true or false, received ${String(attributeFacets)}`);
  if (typeof highlights !== 'boolean')
    throw new TypeError(`query.highlights must be true or false, received ${String(highlights)}`);
  if (typeof shapelets !== 'boolean')
    throw new TypeError(`query.shapelets must be true or false, received ${String(shapelets)}`);
  checkInteger('query.limit', limit, 1, MOST_HITS);
  checkInteger('query.offset', offset, 0);
  checkInteger('query.photoModels', photoModels, 0, MOST_PHOTO_MODELS);
  const expressions = checkTexts(query.text).map(parseExpression);
  const tests = [
    ...expressions.flatMap((expression) => ('attributes' in expression ? expression.attributes : [])),
    ...checkAttributes(query.attributes),
  ];
  if (tests.length > MOST_ATTRIBUTE_TESTS) {
    throw new EngineError(
      'QUERY_INVALID',
      `a query may ask for ${MOST_ATTRIBUTE_TESTS} values of attributes, received ${tests.length}`,
      { details: { name: 'FT', allowed: MOST_ATTRIBUTE_TESTS, found: tests.length } },
    );
  }
  return {
    like: checkLike(query.like),
    ...checkContains(query),
    clauses: expressions.flatMap((expression) => ('clause' in expression ? [expression.clause] : [])),
    attributes: joinRanges(tests.map(conditionsOf)),
    attributeTests: tests,
    kinds: checkKinds(query.kinds),
    categories: checkCategories(query.categories),
    within,
    volume: tolerance('volume', query.volume),
    bboxVolume: tolerance('bboxVolume', query.bboxVolume),
    surfaceArea: tolerance('surfaceArea', query.surfaceArea),
    ignoreSize,
    components,
    photoModels,
    facets,
    attributeFacets,
    highlights,
    shapelets,
    limit,
    offset,
    signal: signal && ownSignal(signal),
  };
}

const INPUT_KEYS = ['uid', 'bytes', 'extension', 'crop', 'component'];

/** Checks a search input. keys: what it may have. @throws TypeError that names `what`. */
export function checkInput(what: string, input: unknown, keys: readonly string[] = INPUT_KEYS): void {
  const given = input as
    | { uid?: unknown; bytes?: unknown; extension?: unknown; crop?: unknown; component?: unknown }
    | null
    | undefined;
  if (typeof given === 'object' && given !== null) {
    const unknown = Object.keys(given).find((key) => !keys.includes(key));
    if (unknown !== undefined) throw new TypeError(`${what}.${unknown} is not an option; known are ${keys.join(', ')}`);
    if (given.crop !== undefined) checkCrop(`${what}.crop`, given.crop);
    if (given.component !== undefined) checkInteger(`${what}.component`, given.component, 0);
    if (typeof given.uid === 'string') return;
    if (given.bytes instanceof Uint8Array && typeof given.extension === 'string') return;
  }
  const fields = typeof input === 'object' && input !== null ? Object.keys(input).join(', ') || 'none' : undefined;
  const received = fields === undefined ? (input === null ? 'null' : typeof input) : `fields: ${fields}`;
  throw new TypeError(`${what} must be { uid } or { bytes: Uint8Array, extension: string }, received ${received}`);
}

function checkCrop(what: string, crop: unknown): void {
  if (typeof crop !== 'object' || crop === null)
    throw new TypeError(`${what} must be { x, y, width, height }, received ${String(crop)}`);
  const { x, y, width, height } = crop as Record<string, unknown>;
  checkInteger(`${what}.x`, x, 0);
  checkInteger(`${what}.y`, y, 0);
  checkInteger(`${what}.width`, width, 1);
  checkInteger(`${what}.height`, height, 1);
}

function checkLike(like: SearchQuery['like']): readonly SearchInput[] {
  if (like === undefined) return [];
  const inputs: readonly SearchInput[] = Array.isArray(like) ? like : [like as SearchInput];
  if (inputs.length === 0 || inputs.length > MOST_INPUTS)
    throw new RangeError(`query.like must hold 1 to ${MOST_INPUTS} inputs, received ${inputs.length}`);
  inputs.forEach((input) => checkInput('query.like', input));
  return inputs;
}

/** Most faces of a shape to look for. */
const MOST_CONTAINED_FACES = 10_000;

function checkContains({
  like,
  contains,
  sizes = 'exact',
  toleranceMm,
}: SearchQuery): Pick<CheckedQuery, 'contains' | 'sizes' | 'toleranceMm'> {
  if (sizes !== 'exact' && sizes !== 'any')
    throw new TypeError(`query.sizes must be 'exact' or 'any', received ${String(sizes)}`);
  if (toleranceMm !== undefined && !(typeof toleranceMm === 'number' && toleranceMm > 0 && toleranceMm <= 1_000))
    throw new RangeError(`query.toleranceMm must be above 0 and at most 1000, received ${String(toleranceMm)}`);
  if (contains === undefined) return { contains, sizes, toleranceMm };
  if (like !== undefined) throw new TypeError('query.contains and query.like exclude each other: give one of them');
  checkInput('query.contains', contains, [...INPUT_KEYS, 'faces']);
  const { faces } = contains;
  if (faces !== undefined) {
    if (!Array.isArray(faces) || faces.length === 0 || faces.length > MOST_CONTAINED_FACES)
      throw new RangeError(`query.contains.faces must be a list of 1 to ${MOST_CONTAINED_FACES} numbers of faces`);
    for (const face of faces) checkInteger('query.contains.faces', face, 0);
  }
  return { contains, sizes, toleranceMm };
}

function checkTexts(text: unknown): string[] {
  if (text === undefined) return [];
  const texts: unknown[] = Array.isArray(text) ? text : [text];
  if (texts.length > MOST_TEXTS)
    throw new RangeError(`query.text must hold at most ${MOST_TEXTS} texts, received ${texts.length}`);
  for (const one of texts) {
    if (typeof one !== 'string')
      throw new TypeError(`query.text must be a string or a list of strings, received ${String(one)}`);
    if (one.length > TEXT_LENGTH_LIMIT)
      throw new RangeError(`query.text must have at most ${TEXT_LENGTH_LIMIT} characters, received ${one.length}`);
  }
  return texts as string[];
}

function checkAttributes(filters: unknown): AttributeTest[] {
  if (filters === undefined) return [];
  if (!Array.isArray(filters)) throw new TypeError(`query.attributes must be a list, received ${String(filters)}`);
  if (filters.length > MOST_ATTRIBUTE_FILTERS)
    throw new RangeError(
      `query.attributes must hold at most ${MOST_ATTRIBUTE_FILTERS} filters, received ${filters.length}`,
    );
  return filters.map((filter: unknown, position) => checkAttributeFilter(`query.attributes[${position}]`, filter));
}

function checkKinds(kinds: unknown): readonly FileKind[] | undefined {
  if (kinds === undefined) return undefined;
  if (!Array.isArray(kinds)) throw new TypeError(`query.kinds must be a list, received ${String(kinds)}`);
  const wrong: unknown = kinds.find((kind) => !FILE_KINDS.includes(kind as FileKind));
  if (wrong !== undefined || kinds.includes(undefined))
    throw new RangeError(`query.kinds must be of ${FILE_KINDS.join(', ')}, received ${String(wrong)}`);
  return kinds as FileKind[];
}

function checkCategories(categories: unknown): readonly (number | null)[] | undefined {
  if (categories === undefined) return undefined;
  if (!Array.isArray(categories))
    throw new TypeError(`query.categories must be a list, received ${String(categories)}`);
  if (categories.length > MOST_CATEGORIES)
    throw new RangeError(`query.categories must hold at most ${MOST_CATEGORIES} ids, received ${categories.length}`);
  // -1 stands for no category, as in `put`.
  for (const id of categories) if (id !== null && id !== -1) checkInteger('query.categories', id, 1);
  return categories.map((id: number | null) => (id === -1 ? null : id));
}

function tolerance(name: string, text: string | undefined): Tolerance | undefined {
  if (text === undefined) return undefined;
  if (typeof text !== 'string') throw new TypeError(`query.${name} must be a text like '.1', received ${String(text)}`);
  return parseTolerance(name, text);
}
