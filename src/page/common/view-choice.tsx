/** Files as a list with columns, or as pictures. */
export type View = 'list' | 'grid';

interface ViewChoiceProps {
  readonly view: View;
  readonly onView: (view: View) => void;
}

/** The choice between a list and pictures. */
export function ViewChoice({ view, onView }: ViewChoiceProps) {
  return (
    <div role="group" aria-label="View" class="toggles">
      <button type="button" aria-pressed={view === 'list'} onClick={() => onView('list')}>
        List
      </button>
      <button type="button" aria-pressed={view === 'grid'} onClick={() => onView('grid')}>
        Pictures
      </button>
    </div>
  );
}
