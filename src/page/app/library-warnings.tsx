import { readWarnings } from '../api/endpoints.js';
import { Notice } from '../common/notice.js';
import { useLoaded } from '../common/use-loaded.js';

/** What is said of each warning about the library. */
const WORDS: Readonly<Record<string, string>> = {
  CATALOG_OLDER:
    'The catalogue of this library is older than its files, so files that were stored may be missing here. ' +
    'Whoever runs the server finds with “shapedex verify” how to get them back.',
};

/** What everybody who works with this library should know. A server that does not answer says nothing here. */
export function LibraryWarnings() {
  const { value = [] } = useLoaded(readWarnings, []);
  const known = value.flatMap((code) => WORDS[code] ?? []);
  return known.length === 0 ? null : <Notice kind="error">{known.join(' ')}</Notice>;
}
