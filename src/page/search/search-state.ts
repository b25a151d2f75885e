import type { AttributeFilter } from '../../index.js';
import type { WireQuery, WireRecord } from '../api/endpoints.js';
import { containedOf, containedQuery, containedWire, NOTHING_CONTAINED, type Contained } from '../common/contained.js';
import { KINDS } from '../common/kind-icon.js';
import type { View } from '../common/view-choice.js';

/** A search, as stored in the address. */
export interface SearchState {
  readonly text: string;
  /** UIDs of the files to search with. */
  readonly like: readonly string[];
  /** The shape that files shall hold, instead of `like`. */
  readonly contained: Contained;
  /**
   * With one input, the part of its page to search with: `x,y,width,height` in pixels, as the engine's `crop`; '' for
   * the whole page.
   */
  readonly crop: string;
  readonly kinds: readonly WireRecord['kind'][];
  /** Ids of categories; null: files without a category. */
  readonly categories: readonly (number | null)[];
  /** Attribute values that files must have. */
  readonly attributes: readonly ChosenValue[];
  /** Bounds on numeric attributes. */
  readonly ranges: readonly ChosenRange[];
  /** Tolerances on the input's volume, box volume and surface area, as shares (`.1` is ± 10 %); '' for any. */
  readonly volume: string;
  readonly box: string;
  readonly area: string;
  /** True: hits are ordered by shape only, whatever their size. */
  readonly ignoreSize: boolean;
  /** How the hits are shown. */
  readonly view: View;
}

/** One value of one attribute. */
export interface ChosenValue {
  readonly name: string;
  readonly unit: string;
  readonly value: string;
}

/** Bounds on one numeric attribute, as text in its unit; '' for no bound. */
export interface ChosenRange {
  readonly name: string;
  readonly unit: string;
  readonly least: string;
  readonly most: string;
}

export const EMPTY_SEARCH: SearchState = Object.freeze({
  text: '',
  like: [],
  contained: NOTHING_CONTAINED,
  crop: '',
  kinds: [],
  categories: [],
  attributes: [],
  ranges: [],
  volume: '',
  box: '',
  area: '',
  ignoreSize: false,
  view: 'grid',
});

/** Tolerances that can be chosen. */
export const TOLERANCES = ['', '.02', '.05', '.1', '.25', '.5'] as const;

/** Parses a search from the query of the address; invalid parts are ignored. */
export function searchOf(query: URLSearchParams): SearchState {
  const tolerance = (name: string): string => TOLERANCES.find((known) => known === query.get(name)) ?? '';
  const contained = containedOf(query);
  return {
    text: query.get('text') ?? '',
    contained,
    like: contained.uid !== '' ? [] : query.getAll('like').filter((uid) => /^[0-9a-f-]{36}$/.test(uid)),
    crop: (query.getAll('like').length === 1 && /^\d{1,6}(,\d{1,6}){3}$/.exec(query.get('crop') ?? '')?.[0]) || '',
    kinds: KINDS.filter((kind) => query.getAll('kind').includes(kind)),
    categories: query
      .getAll('category')
      .filter((id) => /^(\d+|none)$/.test(id))
      .map((id) => (id === 'none' ? null : Number(id))),
    attributes: query.getAll('attribute').flatMap(chosenValue),
    ranges: query.getAll('range').flatMap(chosenRange),
    volume: tolerance('volume'),
    box: tolerance('box'),
    area: tolerance('area'),
    ignoreSize: query.get('size') === 'any',
    view: query.get('view') === 'list' ? 'list' : 'grid',
  };
}

/** The query of the address for a search. */
export function addressQueryOf(search: SearchState): Record<string, string | readonly string[]> {
  return {
    text: search.text,
    like: search.like,
    ...containedQuery(search.contained),
    crop: search.like.length === 1 ? search.crop : '',
    kind: search.kinds,
    category: search.categories.map((id) => (id === null ? 'none' : String(id))),
    attribute: search.attributes.map(({ name, unit, value }) => `${name}${unit === '' ? '' : `(${unit})`}=${value}`),
    range: search.ranges.map(
      ({ name, unit, least, most }) => `${name}${unit === '' ? '' : `(${unit})`}=${least}..${most}`,
    ),
    volume: search.volume,
    box: search.box,
    area: search.area,
    size: search.ignoreSize ? 'any' : '',
    view: search.view === 'list' ? 'list' : '',
  };
}

/** Whether the search has any criterion; if not, the welcome screen is shown. */
export function asksForSomething(search: SearchState): boolean {
  const { text, like, contained, kinds, categories, attributes, ranges } = search;
  if (text.trim() !== '' || contained.uid !== '') return true;
  return like.length + kinds.length + categories.length + attributes.length + ranges.length > 0;
}

/** The search as the engine's query, without limit and offset. */
export function wireQueryOf(search: SearchState): WireQuery {
  const { text, like, contained, crop, kinds, categories, ignoreSize } = search;
  const attributes = [...search.attributes.map(filterOf), ...search.ranges.flatMap(boundsOf)];
  const [x, y, width, height] = crop.split(',').map(Number);
  const part = crop === '' || like.length !== 1 ? undefined : { x, y, width, height };
  const given = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);
  // JSON leaves out what is undefined.
  return {
    text: text.trim() || undefined,
    ...(contained.uid !== '' && containedWire(contained)),
    like: given(like.map((uid) => ({ uid, crop: part }))),
    ...(like.length > 0 && {
      ignoreSize,
      volume: search.volume || undefined,
      bboxVolume: search.box || undefined,
      surfaceArea: search.area || undefined,
    }),
    kinds: given(kinds),
    categories: given(categories),
    attributes: given(attributes),
  };
}

function filterOf({ name, unit, value }: ChosenValue): AttributeFilter {
  return { name, unit: unit || undefined, equals: value };
}

function boundsOf({ name, unit, least, most }: ChosenRange): AttributeFilter[] {
  const named = { name, unit: unit || undefined };
  return [
    ...(least === '' ? [] : [{ ...named, least: Number(least) }]),
    ...(most === '' ? [] : [{ ...named, most: Number(most) }]),
  ];
}

function chosenRange(text: string): ChosenRange[] {
  const match = /^(.+?)(?:\(([^()=]*)\))?=(-?[\d.]*)\.\.(-?[\d.]*)$/s.exec(text);
  if (match === null) return [];
  const [, name, unit = '', least, most] = match;
  return [least, most].some((bound) => !Number.isFinite(Number(bound))) || least + most === ''
    ? []
    : [{ name, unit, least, most }];
}

function chosenValue(text: string): ChosenValue[] {
  const match = /^(.+?)(?:\(([^()=]*)\))?=(.*)$/s.exec(text);
  return match === null ? [] : [{ name: match[1], unit: match[2] ?? '', value: match[3] }];
}
