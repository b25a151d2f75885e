import { useEffect, useRef } from 'preact/hooks';
import type { Pmi, PmiGroup } from '../../index.js';
import { choose, pointing, type PagesState, type Spot } from './pages.js';
import { grouped, withSureness } from './pmi-words.js';

type TitleField = NonNullable<Pmi['fields']>[number];

/**
 * The title block and the annotations read from a drawing, these by group. The list and the page share the selection.
 */
export function PmiList({
  state,
  types,
  fields,
}: {
  readonly state: PagesState;
  /** Type name of each annotation, such as `Diameter`, by the id of its spot. */
  readonly types: ReadonlyMap<string, string>;
  readonly fields: readonly TitleField[];
}) {
  const spots = state.spots.value.filter(({ kind }) => kind === 'pmi');
  return (
    <>
      <TitleFields fields={fields} />
      {spots.length === 0 && <p class="quiet">No dimensions or tolerances were read from this drawing.</p>}
      {grouped(spots).map(({ group, name, members }) => (
        <section key={group} class="pmi-group">
          <label class="pmi-toggle">
            <input
              type="checkbox"
              checked={!state.hiddenGroups.value.has(group)}
              onChange={() => toggle(state, group)}
            />
            <span class={`swatch spot-group-${group.replace('&', '')}`} aria-hidden="true" />
            <span>
              <strong>{name}</strong> <span class="quiet">{members.length}</span>
            </span>
          </label>
          <SpotList state={state} spots={members} about={({ id }) => types.get(id) ?? ''} label={name} />
        </section>
      ))}
    </>
  );
}

/** Fields of title blocks; how sure each is stands behind its name. */
function TitleFields({ fields }: { readonly fields: readonly TitleField[] }) {
  if (fields.length === 0) return null;
  const isManyPages = new Set(fields.map(({ page }) => page)).size > 1;
  return (
    <section class="pmi-group" aria-label="Title block">
      <h2 class="pmi-heading">
        Title block <span class="quiet">{fields.length}</span>
      </h2>
      <ul class="spot-list" aria-label="Fields of the title block">
        {fields.map((field, i) => (
          <li key={i} class="spot-row">
            <span class="spot-name">{field.value}</span>
            <span class="quiet">
              {withSureness(`${field.name}${isManyPages ? `, page ${field.page}` : ''}`, field)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function toggle({ hiddenGroups, showsPmi }: PagesState, group: PmiGroup): void {
  const next = new Set(hiddenGroups.value);
  if (!next.delete(group)) next.add(group);
  hiddenGroups.value = next;
  showsPmi.value = true;
}

interface SpotListProps {
  readonly state: PagesState;
  readonly spots: readonly Spot[];
  readonly about: (spot: Spot) => string;
  readonly label: string;
}

/** Spots as a list of buttons. */
export function SpotList({ state, spots, about, label }: SpotListProps) {
  const isManyPages = new Set(state.spots.value.map(({ page }) => page)).size > 1;
  return (
    <ul class="spot-list" aria-label={label}>
      {spots.map((spot) => (
        <SpotRow
          key={spot.id}
          state={state}
          spot={spot}
          about={[about(spot), isManyPages ? `page ${spot.page}` : ''].filter(Boolean).join(', ')}
        />
      ))}
    </ul>
  );
}

function SpotRow({ state, spot, about }: { readonly state: PagesState; readonly spot: Spot; readonly about: string }) {
  const row = useRef<HTMLButtonElement>(null);
  const isChosen = state.chosen.value === spot.id;
  const isPointedAt = state.pointedAt.value === spot.id;
  useEffect(() => {
    if (!isChosen || row.current === null) return;
    const list = row.current.closest<HTMLElement>('.file-side-body');
    // Scroll the list but not the page: the drawing must stay visible.
    if (list === null || list.scrollHeight <= list.clientHeight) return;
    const { top, bottom } = row.current.getBoundingClientRect();
    const frame = list.getBoundingClientRect();
    if (top < frame.top || bottom > frame.bottom) list.scrollTop += top - frame.top - frame.height / 2;
  }, [isChosen]);
  return (
    <li>
      <button
        ref={row}
        type="button"
        class={`spot-row${isPointedAt ? ' spot-row-pointed' : ''}`}
        aria-pressed={isChosen}
        onClick={() => {
          if (isChosen) state.chosen.value = '';
          else choose(state, spot);
        }}
        {...pointing(state, spot)}
      >
        <span class="spot-name">{spot.name}</span>
        <span class="quiet">{about}</span>
      </button>
    </li>
  );
}
