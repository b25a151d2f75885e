import type { AttributeFilter } from '../../index.js';
import type { WireQuery, WireRecord } from '../api/wire.js';
import { KINDS } from '../common/kind-icon.js';

/** A search as the address holds it. */
export interface SearchState {
  readonly text: string;
  /** UIDs of what the files shall be like. */
  readonly like: readonly string[];
  /** The part of its page that counts, where there is one input: `x,y,width,height` in pixels, as the engine's `crop`; '' all of it. */
  readonly crop: string;
  readonly kinds: readonly WireRecord['kind'][];
  /** Ids of categories; null: files without one. */
  readonly categories: readonly (number | null)[];
  /** Values of attributes that must be there. */
  readonly attributes: readonly ChosenValue[];
  /** Bounds of attributes that are numbers. */
  readonly ranges: readonly ChosenRange[];
  /** Tolerances about the input's measures, shares of it as text (`.1`); '' for any. */
  readonly volume: string;
  readonly box: string;
  readonly area: string;
  /** Whether parts of any size are ordered by shape alone. */
  readonly ignoreSize: boolean;
}

/** One value of one attribute. */
export interface ChosenValue {
  readonly name: string;
  readonly unit: string;
  readonly value: string;
}

/** Bounds on the numbers of one attribute, as text in its unit; '' for none. */
export interface ChosenRange {
  readonly name: string;
  readonly unit: string;
  readonly least: string;
  readonly most: string;
}

export const EMPTY_SEARCH: SearchState = Object.freeze({
  text: '',
  like: [],
  crop: '',
  kinds: [],
  categories: [],
  attributes: [],
  ranges: [],
  volume: '',
  box: '',
  area: '',
  ignoreSize: false,
});

/** Tolerances that can be chosen. */
export const TOLERANCES = ['', '.02', '.05', '.1', '.25', '.5'] as const;

/** Reads a search from the query of the address; what is no search is passed over. */
export function searchOf(query: URLSearchParams): SearchState {
  const tolerance = (name: string): string => TOLERANCES.find((known) => known === query.get(name)) ?? '';
  return {
    text: query.get('text') ?? '',
    like: query.getAll('like').filter((uid) => /^[0-9a-f-]{36}$/.test(uid)),
    crop:
      /^\d{1,6}(,\d{1,6}){3}$/.test(query.get('crop') ?? '') && query.getAll('like').length === 1
        ? (query.get('crop') ?? '')
        : '',
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
  };
}

/** The query of the address that holds a search. */
export function addressQueryOf(search: SearchState): Record<string, string | readonly string[]> {
  return {
    text: search.text,
    like: search.like,
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
  };
}

/** Whether it asks for anything. */
export function asksForSomething({ text, like, kinds, categories, attributes, ranges }: SearchState): boolean {
  return text.trim() !== '' || like.length + kinds.length + categories.length + attributes.length + ranges.length > 0;
}

/** The engine's query, without limit and offset. */
export function wireQueryOf(search: SearchState): WireQuery {
  const { text, like, crop, kinds, categories, ignoreSize } = search;
  const attributes = [...search.attributes.map(filterOf), ...search.ranges.flatMap(boundsOf)];
  const [x, y, width, height] = crop.split(',').map(Number);
  const part = crop === '' || like.length !== 1 ? {} : { crop: { x, y, width, height } };
  return {
    ...(text.trim() === '' ? {} : { text: text.trim() }),
    ...(like.length === 0 ? {} : { like: like.map((uid) => ({ uid, ...part })), ignoreSize, ...tolerancesOf(search) }),
    ...(kinds.length === 0 ? {} : { kinds }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(attributes.length === 0 ? {} : { attributes }),
  };
}

function tolerancesOf({ volume, box, area }: SearchState): Pick<WireQuery, 'volume' | 'bboxVolume' | 'surfaceArea'> {
  return {
    ...(volume === '' ? {} : { volume }),
    ...(box === '' ? {} : { bboxVolume: box }),
    ...(area === '' ? {} : { surfaceArea: area }),
  };
}

function filterOf({ name, unit, value }: ChosenValue): AttributeFilter {
  return { name, ...(unit === '' ? {} : { unit }), equals: value };
}

function boundsOf({ name, unit, least, most }: ChosenRange): AttributeFilter[] {
  const named = { name, ...(unit === '' ? {} : { unit }) };
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
