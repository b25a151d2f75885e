import { KIND_NAMES } from '../common/kind-icon.js';
import { searchOf } from './search-state.js';

/** The criteria of a search as text. like: name of the first file that it searches with, if it is known. */
export function describeSearch(queryText: string, like?: string): string {
  const search = searchOf(new URLSearchParams(queryText));
  const { text, kinds, categories, attributes, ranges, volume, box, area, contained } = search;
  const others = search.like.length - 1;
  const alike =
    like === undefined
      ? others === 0
        ? 'like a file'
        : `like ${others + 1} files`
      : `like ${like}${others > 0 ? ` and ${others} more` : ''}`;
  return [
    ...(text === '' ? [] : [`“${text}”`]),
    ...(others < 0 ? [] : [alike]),
    ...(contained.uid === ''
      ? []
      : [
          `${contained.faces.length === 0 ? 'the shape' : `${contained.faces.length} faces`} of ${like ?? 'a file'} inside`,
        ]),
    ...(kinds.length === 0 ? [] : [kinds.map((kind) => KIND_NAMES[kind].many.toLowerCase()).join(', ')]),
    ...attributes.map(({ name, unit, value }) => `${name}${unit === '' ? '' : ` (${unit})`} = ${value}`),
    ...ranges.map(({ name, unit, least, most }) => {
      const bounds = most === '' ? `from ${least}` : least === '' ? `up to ${most}` : `${least} to ${most}`;
      return `${name} ${bounds}${unit === '' ? '' : ` ${unit}`}`;
    }),
    ...(categories.length === 0 ? [] : [`${categories.length} ${categories.length === 1 ? 'category' : 'categories'}`]),
    ...[
      ['volume', volume],
      ['box', box],
      ['area', area],
    ].flatMap(([name, tolerance]) => (tolerance === '' ? [] : [`${name} ± ${100 * Number(tolerance)} %`])),
  ].join(' · ');
}
