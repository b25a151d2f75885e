import { useEffect, useState } from 'preact/hooks';
import { readDeviations, type FoundDeviations } from '../api/models.js';
import { messageOf } from '../api/request.js';
import { readDeviationSurfaces, type DeviationSurfaces } from './deviation-surfaces.js';

/** The state of loading deviations: at first neither field is set, at the end one of them. */
export interface LoadedDeviations {
  readonly found?: FoundDeviations & { readonly surfaces: DeviationSurfaces };
  readonly failure?: string;
}

/** Loads the deviations between two models. */
export function useDeviations(uid: string, otherUid: string): LoadedDeviations {
  const [loaded, setLoaded] = useState<LoadedDeviations>({});
  useEffect(() => {
    const controller = new AbortController();
    let surfaces: DeviationSurfaces | undefined;
    setLoaded({});
    (async () => {
      const found = await readDeviations(uid, otherUid, controller.signal);
      const read = await readDeviationSurfaces(found.glb);
      if (controller.signal.aborted) return read.dispose();
      surfaces = read;
      setLoaded({ found: { ...found, surfaces } });
    })().catch((cause: unknown) => {
      const failure = messageOf(cause);
      if (!controller.signal.aborted && failure !== undefined)
        setLoaded({ failure: `The models cannot be aligned: ${failure}` });
    });
    return () => {
      controller.abort();
      surfaces?.dispose();
    };
  }, [uid, otherUid]);
  return loaded;
}
