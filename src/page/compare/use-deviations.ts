import { useEffect, useState } from 'preact/hooks';
import { readDeviations, type FoundDeviations } from '../api/models.js';
import { messageOf } from '../api/request.js';
import { readDeviationSurfaces, type DeviationSurfaces } from './deviation-surfaces.js';

/** Deviations on their way: neither, then one of both. */
export interface LoadedDeviations {
  readonly found?: FoundDeviations & { readonly surfaces: DeviationSurfaces };
  readonly failure?: string;
}

/** Has two models laid on each other. */
export function useDeviations(uid: string, otherUid: string): LoadedDeviations {
  const [loaded, setLoaded] = useState<LoadedDeviations>({});
  useEffect(() => {
    const leaving = new AbortController();
    let surfaces: DeviationSurfaces | undefined;
    setLoaded({});
    (async () => {
      const found = await readDeviations(uid, otherUid, leaving.signal);
      const read = await readDeviationSurfaces(found.glb);
      if (leaving.signal.aborted) return read.dispose();
      surfaces = read;
      setLoaded({ found: { ...found, surfaces } });
    })().catch((cause: unknown) => {
      const failure = messageOf(cause);
      if (!leaving.signal.aborted && failure !== undefined)
        setLoaded({ failure: `The models cannot be laid on each other: ${failure}` });
    });
    return () => {
      leaving.abort();
      surfaces?.dispose();
    };
  }, [uid, otherUid]);
  return loaded;
}
