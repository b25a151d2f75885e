import { useEffect, useState } from 'preact/hooks';
import { readModel } from '../api/models.js';
import { messageOf } from '../api/request.js';
import { readShownModel, type ShownModel } from './shown-model.js';
import { hasWebgl } from './webgl.js';

/** A model on its way: neither, then one of both. */
export interface LoadedModel {
  readonly model?: ShownModel;
  /** Why there is none, for people. */
  readonly failure?: string;
}

const NO_WEBGL =
  'This browser cannot draw in three dimensions (WebGL is missing or switched off), so here is a picture.';

/** Fetches a model to be shown; it is disposed of when the component goes. */
export function useShownModel(uid: string): LoadedModel {
  const [loaded, setLoaded] = useState<LoadedModel>({});
  useEffect(() => {
    if (!hasWebgl()) return setLoaded({ failure: NO_WEBGL });
    const leaving = new AbortController();
    let model: ShownModel | undefined;
    setLoaded({});
    (async () => {
      const read = await readShownModel(await readModel(uid, leaving.signal));
      if (leaving.signal.aborted) return read.dispose();
      model = read;
      setLoaded({ model });
    })().catch((cause: unknown) => {
      const failure = messageOf(cause);
      if (!leaving.signal.aborted && failure !== undefined)
        setLoaded({ failure: `The model cannot be shown in three dimensions: ${failure}` });
    });
    return () => {
      leaving.abort();
      model?.dispose();
    };
  }, [uid]);
  return loaded;
}
