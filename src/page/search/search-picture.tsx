import { readRecord } from '../api/endpoints.js';
import { Picture } from '../common/picture.js';
import { useLoaded } from '../common/use-loaded.js';
import { searchOf } from './search-state.js';

/** The first file that a search searches with; undefined until it is known, if there is one and it is still there. */
export function useSearchedWith(queryText: string) {
  const { like, contained } = searchOf(new URLSearchParams(queryText));
  const uid = contained.uid !== '' ? contained.uid : (like[0] ?? '');
  return useLoaded((signal) => (uid === '' ? undefined : readRecord(uid, signal)), [uid]).value;
}

/** The picture of what a search searches with; a lens for words and filters. */
export function SearchPicture({ queryText }: { readonly queryText: string }) {
  const record = useSearchedWith(queryText);
  const { contained } = searchOf(new URLSearchParams(queryText));
  return (
    <span class="search-picture">
      {record?.state === 'indexed' ? (
        <Picture uid={record.uid} kind={record.kind} alt="" faces={contained.faces} />
      ) : (
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M15.5 15.5 21 21" />
        </svg>
      )}
    </span>
  );
}
