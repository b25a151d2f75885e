import { useEffect, useState } from 'preact/hooks';
import { readModel } from '../api/models.js';
import { messageOf } from '../api/request.js';
import { readShownModel, type ShownModel } from './shown-model.js';
import { hasWebgl } from './webgl.js';

/** The state of loading a model: at first neither field is set, at the end one of them. */
export interface LoadedModel {
  readonly model?: ShownModel;
  /** Why there is no model, as a message to show. */
  readonly failure?: string;
}

const NO_WEBGL =
  'This browser cannot draw in three dimensions (WebGL is missing or switched off), so here is a picture.';

/** Loads a model; disposes of it when the component is unmounted. */
export function useShownModel(uid: string): LoadedModel {
  const [loaded, setLoaded] = useState<LoadedModel>({});
  useEffect(() => {
    if (!hasWebgl()) return setLoaded({ failure: NO_WEBGL });
    const controller = new AbortController();
    let model: ShownModel | undefined;
    setLoaded({});
    (async () => {
      const read = await readShownModel(await readModel(uid, controller.signal));
      if (controller.signal.aborted) return read.dispose();
      model = read;
      setLoaded({ model });
    })().catch((cause: unknown) => {
      const failure = messageOf(cause);
      if (!controller.signal.aborted && failure !== undefined)
        setLoaded({ failure: `The model cannot be shown in three dimensions: ${failure}` });
    });
    return () => {
      controller.abort();
      model?.dispose();
    };
  }, [uid]);
  return loaded;
}
