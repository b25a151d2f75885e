import { unitText } from '../common/figures.js';
import { readUnit, readValue } from '../common/in-units.js';
import { KIND_NAMES } from '../common/kind-icon.js';
import { searchOf } from './search-state.js';

/**
 * The criteria of a search as text, in the user's units. like: name of the first file that it searches with, if it is
 * known.
 */
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
    ...attributes.map(({ name, unit, value }) => {
      const read = readUnit(unit);
      return `${name}${unit === '' ? '' : ` (${unitText(read.unit)})`} = ${readValue(value, read)}`;
    }),
    ...ranges.map(({ name, unit, ...bounds }) => {
      const read = readUnit(unit);
      const [least, most] = [bounds.least, bounds.most].map((bound) => readValue(bound, read));
      const words = most === '' ? `from ${least}` : least === '' ? `up to ${most}` : `${least} to ${most}`;
      return `${name} ${words}${unit === '' ? '' : ` ${unitText(read.unit)}`}`;
    }),
    ...(categories.length === 0 ? [] : [`${categories.length} ${categories.length === 1 ? 'category' : 'categories'}`]),
    ...[
      ['volume', volume],
      ['box', box],
      ['area', area],
    ].flatMap(([name, tolerance]) => (tolerance === '' ? [] : [`${name} ± ${100 * Number(tolerance)} %`])),
  ].join(' · ');
}
