import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { PagesState } from './pages.js';
import { ZOOM_STEP } from './use-gestures.js';

interface StageToolsProps {
  readonly state: PagesState;
  readonly pageCount: number;
  readonly hasPmi: boolean;
  readonly hasViews: boolean;
  readonly isWhole: boolean;
  readonly onFit: () => void;
  readonly onZoom: (factor: number) => void;
}

/** Toolbar: page number, zoom, and what is marked on the page. */
export function StageTools({ state, pageCount, hasPmi, hasViews, isWhole, onFit, onZoom }: StageToolsProps) {
  const page = state.page.value;
  const field = useRef<HTMLInputElement>(null);
  // Uncontrolled input: a number being typed must survive a render.
  useEffect(() => {
    if (field.current !== null) field.current.value = String(page);
  }, [page]);
  const turn = (to: number): void => {
    state.page.value = Math.min(pageCount, Math.max(1, Math.round(to) || page));
    if (field.current !== null) field.current.value = String(state.page.value);
    state.chosen.value = '';
  };
  return (
    <div class="stage-tools" role="group" aria-label="What is shown">
      {pageCount > 1 && (
        <span class="stage-turn">
          <button type="button" aria-label="Previous page" disabled={page <= 1} onClick={() => turn(page - 1)}>
            <Arrow to="left" />
          </button>
          <label>
            <span class="hidden">Page</span>
            <input
              ref={field}
              type="number"
              min={1}
              max={pageCount}
              onChange={(event) => turn(event.currentTarget.valueAsNumber)}
            />
          </label>
          <span>of {pageCount}</span>
          <button type="button" aria-label="Next page" disabled={page >= pageCount} onClick={() => turn(page + 1)}>
            <Arrow to="right" />
          </button>
        </span>
      )}
      <span class="stage-zoom">
        <button type="button" aria-label="Zoom out" disabled={isWhole} onClick={() => onZoom(1 / ZOOM_STEP)}>
          −
        </button>
        <button type="button" aria-label="Zoom in" onClick={() => onZoom(ZOOM_STEP)}>
          +
        </button>
        <button type="button" disabled={isWhole} title="Show the whole page" onClick={onFit}>
          Fit
        </button>
      </span>
      {hasPmi && <Toggle of={state.showsPmi} name="Dimensions" />}
      {hasViews && <Toggle of={state.showsViews} name="Views" />}
    </div>
  );
}

function Toggle({ of, name }: { readonly of: Signal<boolean>; readonly name: string }) {
  const toggle = (): void => {
    of.value = !of.value;
  };
  return (
    <button type="button" aria-pressed={of.value} onClick={toggle}>
      {name}
    </button>
  );
}

function Arrow({ to }: { readonly to: 'left' | 'right' }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={to === 'left' ? 'M15 5 8 12l7 7' : 'M9 5l7 7-7 7'} />
    </svg>
  );
}
