import { findingComponent, hiddenOf, hiddenParts } from './selection.js';
import { othersThan } from './arrangement.js';
import type { ShownModel } from './shown-model.js';

interface PartsToolsProps {
  readonly uid: string;
  readonly model: ShownModel;
  /** Path of the selected component. */
  readonly chosen: string | undefined;
  /** How far apart the parts are drawn, 0 to 1. */
  readonly spread: number;
  readonly onSpread: (spread: number) => void;
}

/** Hides, isolates, spreads and finds the parts of an assembly. */
export function PartsTools({ uid, model, chosen, spread, onSpread }: PartsToolsProps) {
  const hidden = hiddenOf(uid);
  const none = chosen === undefined || chosen === '';
  const findHref = none ? undefined : findingComponent(uid, chosen);
  const why = none ? 'Select a part first, in the model or in the list' : undefined;
  return (
    <>
      <div class="viewer-group" role="group" aria-label="Parts">
        <button
          type="button"
          disabled={none}
          title={why ?? 'Hide the selected part (H)'}
          onClick={() => hide(uid, chosen)}
        >
          Hide
        </button>
        <button
          type="button"
          disabled={none}
          title={why ?? 'Show only the selected part (I)'}
          onClick={() => isolate(uid, model, chosen)}
        >
          Isolate
        </button>
        <button type="button" disabled={hidden.size === 0} title="Show what is hidden (A)" onClick={() => showAll(uid)}>
          Show all
        </button>
        {findHref !== undefined && (
          <a class="button" href={findHref} title="Find files that hold the selected part">
            Find this part
          </a>
        )}
      </div>
      <label class="viewer-spread">
        Explode
        <input
          type="range"
          min="0"
          max="1"
          step="0.02"
          value={spread}
          aria-valuetext={`${Math.round(100 * spread)} %`}
          onInput={({ currentTarget }) => onSpread(Number(currentTarget.value))}
        />
      </label>
    </>
  );
}

/** Hides a component beside those that are hidden. */
export function hide(uid: string, path: string | undefined): void {
  if (path !== undefined && path !== '') hiddenParts.value = { uid, paths: new Set([...hiddenOf(uid), path]) };
}

/** Hides everything but a component. */
export function isolate(uid: string, model: ShownModel, path: string | undefined): void {
  if (path !== undefined && path !== '') hiddenParts.value = { uid, paths: othersThan(path, model.components.keys()) };
}

export function showAll(uid: string): void {
  if (hiddenOf(uid).size > 0) hiddenParts.value = undefined;
}
