import { overlayAddress } from '../api/blobs.js';
import { findMatch } from '../api/endpoints.js';
import { useLoaded } from '../common/use-loaded.js';

/**
 * How a file matches one that is searched with; `hit` is null if the search does not find it. overlay: address of the
 * matching views overlaid; null if no views match.
 */
export function useMatch(likeUid: string, uid: string) {
  const { value, failure } = useLoaded(
    async (signal) => (await findMatch(likeUid, uid, signal)) ?? null,
    [likeUid, uid],
  );
  const match = value?.shapeMatch;
  const { value: overlay, failure: overlayFailure } = useLoaded(
    (signal) => match && overlayAddress(likeUid, uid, match, { signal }),
    [match],
    { release: URL.revokeObjectURL },
  );
  const hasNone = value !== undefined && match === undefined;
  return { hit: value, overlay: hasNone ? null : overlay, failure: failure ?? overlayFailure };
}
