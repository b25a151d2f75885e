import { readModel } from '../api/blobs.js';
import { useLoaded } from '../common/use-loaded.js';
import { readShownModel, type ShownModel } from './shown-model.js';

const NO_WEBGL =
  'This browser cannot draw in three dimensions (WebGL is missing or switched off), so here is a picture.';

/** Loads a model; disposes of it when the component is unmounted. */
export function useShownModel(uid: string) {
  const loaded = useLoaded<ShownModel>(
    (signal) => (hasWebgl() ? readModel(uid, signal).then(readShownModel) : undefined),
    [uid],
    { release: (model) => model.dispose(), failing: 'The model cannot be shown in three dimensions' },
  );
  return hasWebgl() ? loaded : { ...loaded, failure: NO_WEBGL };
}

let known: boolean | undefined;

/**
 * Whether the browser has WebGL 2. Tested before three.js is used, because three.js logs a missing context as an error.
 */
function hasWebgl(): boolean {
  if (known === undefined) {
    const context = document.createElement('canvas').getContext('webgl2');
    known = context !== null;
    context?.getExtension('WEBGL_lose_context')?.loseContext();
  }
  return known;
}
